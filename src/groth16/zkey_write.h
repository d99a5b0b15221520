/* groth16/zkey_write.h - writing a .zkey, section by section; the file appears when committed. */
#ifndef CUZK_GROTH16_ZKEY_WRITE_H
#define CUZK_GROTH16_ZKEY_WRITE_H

#include "circuit/r1cs.h"
#include "groth16/zkey_sections.h"
#include "math/curve.h"

/* Affine points (math/curve.h). */
struct zkey_header {
    const struct curve *curve;
    uint32_t            wires, publics, domain_log2;
    uint8_t alpha1[AFFINE_BYTES_MAX / 2], beta1[AFFINE_BYTES_MAX / 2], delta1[AFFINE_BYTES_MAX / 2];
    uint8_t beta2[AFFINE_BYTES_MAX], gamma2[AFFINE_BYTES_MAX], delta2[AFFINE_BYTES_MAX];
};

struct zkey_writer;

/* Writes magic, sections 1 and 2.  The ten sections follow in ascending order of id, IC after the coefficients is fine:
 * order is free. */
cuzk_status zkey_write_open(struct zkey_writer **out, const char *path, const struct zkey_header *header,
                            struct cuzk_err *err);
cuzk_status zkey_write_section(struct zkey_writer *z, uint32_t id, const void *data, size_t bytes,
                               struct cuzk_err *err);
/* Section 4: A and B of every constraint, then the public rows. */
cuzk_status zkey_write_coefficients(struct zkey_writer *z, const struct r1cs *r1cs, struct cuzk_err *err);
/* Section 10: no circuit hash, one contribution named ZKEY_DEVELOPMENT_NAME. */
cuzk_status zkey_write_contributions(struct zkey_writer *z, const struct zkey_header *header, struct cuzk_err *err);

cuzk_status zkey_write_commit(struct zkey_writer **z, struct cuzk_err *err); /* *z = NULL always */
void        zkey_write_abandon(struct zkey_writer **z);

#endif
