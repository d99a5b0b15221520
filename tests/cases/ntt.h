/* tests/cases/ntt.h - sizes of transforms that every backend must get right, and their outputs by definition. */
#ifndef CUZK_TESTS_CASES_NTT_H
#define CUZK_TESTS_CASES_NTT_H

#include "math/curve.h"
#include "msm.h"

#define NTT_CASE_LOG2_MAX  16 /* every size to 2^16 */
#define NTT_CASE_LOG2_DEEP 21 /* one more pass over memory */

/* Value number i of `probes` that are compared with the definition: the first, the last and some between. */
static inline size_t ntt_case_probe(size_t i, uint32_t log2, uint64_t *state)
{
    size_t m = (size_t)1 << log2;
    return i == 0 ? 0 : i == 1 ? m - 1 : i == 2 ? m / 2 : case_random(state) % m;
}

static inline void ntt_case_fill(fr *a, size_t count, uint64_t *state, const struct fr_ops *ops)
{
    for (size_t i = 0; i < count; i++)
        a[i] = case_random_fr(state, ops);
}

static inline fr ntt_case_power(const fr *base, uint64_t exponent, const struct fr_ops *ops)
{
    fr r = ops->one, b = *base;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
            ops->mul(&r, &r, &b);
        ops->mul(&b, &b, &b);
    }
    return r;
}

/* sum of a[j] x^j. */
static inline fr ntt_case_value(const fr *a, size_t count, const fr *x, const struct fr_ops *ops)
{
    fr r = { { 0 } };
    for (size_t j = count; j-- > 0;) {
        ops->mul(&r, &r, x);
        ops->add(&r, &r, &a[j]);
    }
    return r;
}

#endif
