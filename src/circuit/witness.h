/* circuit/witness.h - iden3 .wtns files. */
#ifndef CUZK_CIRCUIT_WITNESS_H
#define CUZK_CIRCUIT_WITNESS_H

#include "circuit/binfile.h"
#include "math/curve.h"

/* A witness in memory: count canonical values, value[0] == 1.  Wiped when freed. */
struct witness {
    const struct curve *curve;
    uint32_t            count;
    fr                 *value;
};

/* Reads and checks a .wtns: field known, every value canonical, value[0] == 1, exact sizes.  If curve is not NULL the
 * file must be of that curve; if count is not 0 it must hold that many values. */
cuzk_status witness_read(struct witness *out, const char *path, const struct curve *curve, uint32_t count,
                         struct cuzk_err *err);
void        witness_free(struct witness *w);

#endif
