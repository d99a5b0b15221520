/* math/affine_batch.h - numbers shared by the pair adders and the sums that use them. */
#ifndef CUZK_MATH_AFFINE_BATCH_H
#define CUZK_MATH_AFFINE_BATCH_H

#include <stdint.h>

/* Pairs that share one inversion.  An inversion costs about 300 products, so it is below 0.15 products a pair. */
#define PAIRS_MAX 2048

#define ENTRY_NEGATIVE UINT32_C(0x80000000)

#endif
