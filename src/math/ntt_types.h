/* math/ntt_types.h - the twiddle tables of one domain. */
#ifndef CUZK_MATH_NTT_TYPES_H
#define CUZK_MATH_NTT_TYPES_H

#include "math/curve.h"

struct ntt_domain {
    uint32_t log2;
    fr       root, root_inv; /* primitive 2^log2-th root, Montgomery */
    fr       size_inv;       /* 2^-log2 */
    fr       coset;          /* shift of quotient_snarkjs: the primitive 2^(log2+1)-th root, or 25 at the two-adicity */
    fr      *twiddles;       /* owned; layout private to ntt_tmpl.h */
    void    *path_tables;    /* owned; what a vector path keeps beside, or NULL */
};

#endif
