/* tests/cases/msm.h - the table of sums that every backend must get right, with their inputs and their answers.
 * Points are k[i] G with known k[i], so the answer is one product: (sum of k[i] s[i]) G. */
#ifndef CUZK_TESTS_CASES_MSM_H
#define CUZK_TESTS_CASES_MSM_H

#include <stdlib.h>
#include <string.h>

#include "math/curve.h"

static const size_t msm_counts[] = { 0,  1,  2,  3,   7,   8,   9,   31,   32,   33,   63,    64,
                                     65, 127, 192, 193, 255, 256, 257, 1023, 1024, 1025 };
static const size_t msm_counts_large[] = { 65535, 65536, 65537 };

/* SCALARS_MIXED: what witnesses look like, mostly zeros and ones, with small, negative and full values between. */
enum msm_scalars { SCALARS_RANDOM, SCALARS_ZERO, SCALARS_ONE, SCALARS_MINUS_ONE, SCALARS_EQUAL, SCALARS_16_BITS,
                   SCALARS_MIXED, SCALARS_EDGES, MSM_SCALARS_COUNT };

enum msm_bases { BASES_DISTINCT, BASES_EQUAL, BASES_OPPOSITE, BASES_INFINITE, BASES_SOME_INFINITE, BASES_FOUR,
                 MSM_BASES_COUNT };

static const char *const msm_scalars_names[] = { "random", "zero",       "one",   "r-1",
                                                 "equal",  "below 2^16", "mixed", "edges" };
static const char *const msm_bases_names[] = { "distinct", "equal", "opposite", "infinite", "some infinite", "four" };

struct msm_case {
    size_t           count;
    enum msm_scalars scalars;
    enum msm_bases   bases;
};

/* Points with known multiples, made once for many cases: number 0 the identity, then `distinct` random ones, then their
 * opposites. */
struct msm_known {
    size_t   distinct;
    fr      *k;      /* 1 + 2 distinct */
    uint8_t *points; /* as many, affine */
};

struct msm_input {
    size_t   count;
    uint8_t *block;  /* owned, exactly as large as needed; points lie one byte into it, so that none is aligned */
    uint8_t *points; /* count affine */
    fr      *canon;  /* count scalars */
    fr      *mont;   /* the same */
    point    sum;
};

/* splitmix64: cases are the same everywhere. */
static inline uint64_t case_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Uniform enough, Montgomery. */
static inline fr case_random_fr(uint64_t *state, const struct fr_ops *ops)
{
    uint8_t bytes[64];
    fr r;
    for (size_t i = 0; i < sizeof bytes; i += 8) {
        uint64_t word = case_random(state);
        memcpy(bytes + i, &word, sizeof word);
    }
    ops->reduce_512(&r, bytes);
    return r;
}

static inline fr case_minus_one(const struct fr_ops *ops)
{
    fr r = { { 0 } };
    ops->sub(&r, &r, &ops->one);
    return r;
}

/* 2^bit - 1, 2^bit, 2^bit + 1 and their negatives: the carries of signed digits. */
static inline fr case_edge(uint64_t random, const struct fr_ops *ops)
{
    fr two, r = ops->one, zero = { { 0 } };
    ops->add(&two, &r, &r);
    for (uint64_t bit = random % (ops->bits + 1); bit-- > 0;)
        ops->mul(&r, &r, &two);
    if (random >> 20 & 1)
        ops->add(&r, &r, &ops->one);
    else if (random >> 21 & 1)
        ops->sub(&r, &r, &ops->one);
    if (random >> 22 & 1)
        ops->sub(&r, &zero, &r);
    return r;
}

static inline fr msm_case_scalar(enum msm_scalars kind, uint64_t *state, const struct fr_ops *ops)
{
    uint64_t random = case_random(state);
    fr r = { { 0 } };
    switch (kind) {
    case SCALARS_ZERO:
        return r;
    case SCALARS_ONE:
        return ops->one;
    case SCALARS_MINUS_ONE:
        return case_minus_one(ops);
    case SCALARS_16_BITS:
        ops->from_u64(&r, random & 0xffff);
        return r;
    case SCALARS_EDGES:
        return case_edge(random, ops);
    case SCALARS_MIXED:
        if (random % 64 < 40)
            return random & 64 ? r : ops->one;
        if (random % 64 < 56) {
            ops->from_u64(&r, case_random(state) >> (random >> 8) % 64);
            if (random & 64) {
                fr zero = { { 0 } };
                ops->sub(&r, &zero, &r);
            }
            return r;
        }
        return case_random_fr(state, ops);
    default:
        return case_random_fr(state, ops);
    }
}

static inline void msm_known_close(struct msm_known *known)
{
    free(known->k);
    free(known->points);
}

/* False if memory is short or the multiples cannot be made. */
static inline bool msm_known_open(struct msm_known *known, size_t distinct, const struct curve *curve,
                                  const struct group_ops *group, struct pool *pool)
{
    const fr zero = { { 0 } };
    uint64_t state = distinct;
    size_t count = 1 + 2 * distinct;
    uint8_t generator[AFFINE_BYTES_MAX];
    struct cuzk_err err;

    *known = (struct msm_known){ .distinct = distinct };
    known->k = malloc(count * sizeof *known->k);
    known->points = malloc(count * group->affine_bytes);
    if (known->k == NULL || known->points == NULL)
        return false;
    known->k[0] = zero;
    for (size_t i = 1; i <= distinct; i++) {
        known->k[i] = case_random_fr(&state, &curve->fr);
        curve->fr.sub(&known->k[distinct + i], &zero, &known->k[i]);
    }
    group->generator(generator);
    return group->mul_fixed(known->points, generator, known->k, count, pool, &err) == CUZK_OK;
}

/* Which of the known points is number i. */
static inline size_t msm_case_base(size_t i, enum msm_bases kind, size_t distinct, uint64_t *state)
{
    uint64_t random = case_random(state);
    switch (kind) {
    case BASES_EQUAL:
        return 1;
    case BASES_OPPOSITE:
        return i % 2 == 0 ? 1 + i : distinct + i;
    case BASES_INFINITE:
        return 0;
    case BASES_SOME_INFINITE:
        return random % 3 == 0 ? 0 : 1 + i;
    case BASES_FOUR:
        return 1 + random % (distinct < 4 ? distinct : 4);
    default:
        return 1 + i;
    }
}

static inline void msm_case_close(struct msm_input *in)
{
    free(in->block);
    free(in->canon);
    free(in->mont);
}

/* known->distinct >= c->count.  False if memory is short. */
static inline bool msm_case_open(struct msm_input *in, const struct msm_case *c, const struct msm_known *known,
                                 const struct curve *curve, const struct group_ops *group)
{
    const struct fr_ops *ops = &curve->fr;
    uint64_t state = (uint64_t)c->count << 8 ^ (uint64_t)c->scalars << 4 ^ (uint64_t)c->bases;
    uint8_t generator[AFFINE_BYTES_MAX];
    fr total = { { 0 } }, t;

    *in = (struct msm_input){ .count = c->count };
    in->block = malloc(c->count * group->affine_bytes + 1);
    in->canon = malloc(c->count * sizeof *in->canon + 1);
    in->mont = malloc(c->count * sizeof *in->mont + 1);
    if (in->block == NULL || in->canon == NULL || in->mont == NULL)
        return false;
    in->points = in->block + 1;
    for (size_t i = 0; i < c->count; i++) {
        size_t base = msm_case_base(i, c->bases, known->distinct, &state);
        memcpy(in->points + i * group->affine_bytes, known->points + base * group->affine_bytes, group->affine_bytes);
        in->mont[i] = c->scalars == SCALARS_EQUAL && i > 0 ? in->mont[0] : msm_case_scalar(c->scalars, &state, ops);
        ops->to_canon(&in->canon[i], &in->mont[i]);
        ops->mul(&t, &known->k[base], &in->mont[i]);
        ops->add(&total, &total, &t);
    }
    group->generator(generator);
    group->from_affine(&in->sum, generator);
    ops->to_canon(&total, &total);
    group->mul(&in->sum, &in->sum, &total);
    return true;
}

#endif
