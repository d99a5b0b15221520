/* circuit/matrices.h - the A and B matrices of a circuit, by rows, with a dictionary of coefficients. */
#ifndef CUZK_CIRCUIT_MATRICES_H
#define CUZK_CIRCUIT_MATRICES_H

#include "circuit/binfile.h"
#include "math/curve.h"

struct matrices {
    struct sparse a, b; /* rows = highest used row + 1 of each; a dictionary shared by both */
    /* owned storage behind a and b */
    uint64_t *row_start_a, *row_start_b;
    uint32_t *column, *value;
    fr       *dictionary;
};

/* From the coefficient section of a .zkey: entries {u32 matrix, u32 row, u32 signal, value R^2*v}, any order.
 * Checks matrix < 2, row < rows_max, signal < wires, value < r, count against the section size (reader at the start of the
 * section).  Entries that meet at the same place are added by evaluation.  IO when memory is short. */
cuzk_status matrices_from_zkey(struct matrices *out, struct reader *coefficients, const struct curve *curve,
                               uint32_t rows_max, uint32_t wires, struct cuzk_err *err);
void        matrices_free(struct matrices *m);

#endif
