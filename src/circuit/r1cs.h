/* circuit/r1cs.h - iden3 .r1cs files, mapped and checked. */
#ifndef CUZK_CIRCUIT_R1CS_H
#define CUZK_CIRCUIT_R1CS_H

#include "circuit/binfile.h"
#include "math/curve.h"

struct r1cs {
    struct file_map     map;
    const struct curve *curve;
    uint32_t            wires, public_outputs, public_inputs, private_inputs, constraints;
    uint64_t            labels;
    size_t              constraints_start, constraints_end; /* byte range of section 2's data in the map */
};

/* Opens, checks everything: sizes, counts, every wire index, every coefficient canonical, exactly `constraints`
 * constraints in section 2; custom gates (sections 4, 5) are refused.  path must outlive it. */
cuzk_status r1cs_open(struct r1cs *out, const char *path, struct cuzk_err *err);
void        r1cs_close(struct r1cs *r);

static inline uint32_t r1cs_publics(const struct r1cs *r) { return r->public_outputs + r->public_inputs; }

/* Walks the constraints in order; valid after r1cs_open, so no errors. */
struct r1cs_term { uint32_t wire; const uint8_t *value_le; /* canonical, FR_BYTES, unaligned */ };
struct r1cs_cursor { const struct r1cs *r; size_t pos; };
void     r1cs_begin(struct r1cs_cursor *c, const struct r1cs *r);
uint32_t r1cs_row(struct r1cs_cursor *c);                          /* number of terms of the next linear combination: A, B, C in turn */
void     r1cs_term(struct r1cs_cursor *c, struct r1cs_term *out);  /* next term */

/* Index of the first constraint that witness (wires values, canonical) does not satisfy; UINT32_MAX if all hold. */
uint32_t r1cs_first_unsatisfied(const struct r1cs *r, const fr *witness);

#endif
