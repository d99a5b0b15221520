/* math/ifma_affine_tmpl.h - the pair adder of affine_batch_tmpl.h with eight lanes: same names, same results bit for bit.
 * In      G_NAME, G_FIELD, G_LANES (a lane field of ifma_field_tmpl.h or ifma_ext2_tmpl.h over G_FIELD), G_BASE (the scalar
 *         prime field, whose constants V_FROM, V_INV_FIX, V_SHIFT are used)
 * Points  as everywhere: affine, 64-bit words, radix R, reduced.  A gather is then one or a few cache lines a point, keys
 *         are read as they are, and a transposition of 4 x 8 words is 12 instructions.
 * Radix   a coordinate X = x R stands in the lanes for s x with s = R / V = 4^-e, e = V_SHIFT.  No product is spent on the
 *         change: with k = 2^-e mod p put once into the shared inverse, l' = k (y2 - y1)/(x2 - x1) = k l, and
 *             s x3 = (k l)^2 - s x1 - s x2,        s y3 = (k l) 2^e (s x1 - s x3) - s y1.
 *         A doubling needs s 3 x1^2 over s 2 y1: the lanes' product X X stands for s^2 x1^2, and V_FROM brings 1/s.
 * Cost    5M + 1S a pair and one inversion a block, plus eight products. */
#include <assert.h>

#include "math/affine_batch.h"
#include "math/cat.h"
#include "math/ifma_lanes.h"

#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)
#define L(name) CAT3(G_LANES, _, name)
#define P(name) CAT3(G_BASE, _, name)

typedef G(affine) G(work);

/* Vectors of a block go to WAYS product chains in turn and are finished WAYS at a time, so that independent products
 * overlap. */
#ifndef WAYS
#define WAYS        2
#endif
#define VECTORS_MAX (PAIRS_MAX / LANES)
static_assert(VECTORS_MAX % WAYS == 0, "a block is whole rounds");

struct G(block) { G_LANES denominator[VECTORS_MAX], prefix[VECTORS_MAX]; };

CUZK_FN void G(load_entry)(G(affine) *r, const uint8_t *points, uint32_t entry)
{
    const uint8_t *p = points + (size_t)(entry & ~ENTRY_NEGATIVE) * sizeof *r;
    K(load)(&r->x, p);
    K(load)(&r->y, p + sizeof r->x);
    if (entry & ENTRY_NEGATIVE)
        K(neg)(&r->y, &r->y);
}

/* Eight pairs: where their points lie, and which are taken with the opposite sign. */
struct G(pairs) {
    const uint8_t *left[LANES], *right[LANES];
    __mmask8       left_negative, right_negative;
};

CUZK_FN_INLINE __mmask8 G(locate)(const uint8_t *at[LANES], const uint8_t *points, const uint32_t entry[LANES])
{
    __m256i e = _mm256_loadu_si256((const __m256i *)(const void *)entry);
    UNROLL for (int i = 0; i < LANES; i++)
        at[i] = points + (size_t)(entry[i] & ~ENTRY_NEGATIVE) * sizeof(G(affine));
    return _mm256_movepi32_mask(e);
}

CUZK_FN_INLINE void G(locate_pairs)(struct G(pairs) *p, const uint8_t *points, const uint32_t left[LANES],
                                    const uint32_t right[LANES])
{
    p->left_negative = G(locate)(p->left, points, left);
    p->right_negative = G(locate)(p->right, points, right);
}

CUZK_FN_INLINE void G(load_x)(G_LANES *x1, G_LANES *x2, const struct G(pairs) *p)
{
    L(load)(x1, p->left, 0);
    L(load)(x2, p->right, 0);
}

/* Loose, in [0, p]. */
CUZK_FN_INLINE void G(load_y)(G_LANES *y1, G_LANES *y2, const struct G(pairs) *p)
{
    L(load)(y1, p->left, sizeof(G_FIELD));
    L(load)(y2, p->right, sizeof(G_FIELD));
    L(neg_lanes)(y1, p->left_negative, y1);
    L(neg_lanes)(y2, p->right_negative, y2);
}

/* Lanes that may be no plain addition: equal x, or an identity.  Exact kinds are sorted out by G(kinds). */
CUZK_FN_INLINE __mmask8 G(suspects)(const G_LANES *x1, const G_LANES *x2)
{
    return (__mmask8)(L(eq_mask)(x1, x2) | L(zero_mask)(x1) | L(zero_mask)(x2));
}

struct G(kinds) { __mmask8 twice, left, right, cancel; };

static __attribute__((noinline)) struct G(kinds) G(kinds)(const struct G(pairs) *p)
{
    G_LANES x1, x2, y1, y2;
    G(load_x)(&x1, &x2, p);
    G(load_y)(&y1, &y2, p);
    L(reduce)(&y1);
    L(reduce)(&y2);
    unsigned none1 = L(zero_mask)(&x1) & L(zero_mask)(&y1), none2 = L(zero_mask)(&x2) & L(zero_mask)(&y2);
    unsigned same_x = L(eq_mask)(&x1, &x2) & ~(none1 | none2);
    unsigned twice = same_x & L(eq_mask)(&y1, &y2) & ~(unsigned)L(zero_mask)(&y1);
    return (struct G(kinds)){ .twice = (__mmask8)twice, .left = (__mmask8)none2, .right = (__mmask8)(none1 & ~none2),
                              .cancel = (__mmask8)(same_x & ~twice) };
}

/* The denominator where it is not x2 - x1: 2 y1 in doublings, 1 where nothing is added. */
static __attribute__((noinline)) void G(odd_denominators)(G_LANES *d, const struct G(pairs) *p)
{
    struct G(kinds) kind = G(kinds)(p);
    G_LANES y1, y2, one;
    G(load_y)(&y1, &y2, p);
    L(add)(&y1, &y1, &y1);
    L(set_one)(&one);
    L(select)(d, kind.twice, d, &y1);
    L(select)(d, (__mmask8)(kind.left | kind.right | kind.cancel), d, &one);
}

/* The numerator in doublings: 3 x1^2. */
static __attribute__((noinline)) void G(odd_numerators)(G_LANES *n, const struct G(pairs) *p)
{
    struct G(kinds) kind = G(kinds)(p);
    G_LANES x1, x2, square;
    if (kind.twice == 0)
        return;
    G(load_x)(&x1, &x2, p);
    L(sqr)(&square, &x1);
    L(mul_all)(&square, &square, P(V_FROM));
    L(reduce)(&square);
    L(add_loose)(&x1, &square, &square);
    L(add)(&square, &square, &x1);
    L(select)(n, kind.twice, n, &square);
}

/* The result where nothing is added. */
static __attribute__((noinline)) void G(odd_results)(G_LANES *x, G_LANES *y, const struct G(pairs) *p)
{
    struct G(kinds) kind = G(kinds)(p);
    G_LANES x1, x2, y1, y2, none;
    G(load_x)(&x1, &x2, p);
    G(load_y)(&y1, &y2, p);
    L(reduce)(&y1);
    L(reduce)(&y2);
    L(set_zero)(&none);
    L(select)(x, kind.left, x, &x1);
    L(select)(y, kind.left, y, &y1);
    L(select)(x, kind.right, x, &x2);
    L(select)(y, kind.right, y, &y2);
    L(select)(x, kind.cancel, x, &none);
    L(select)(y, kind.cancel, y, &none);
}

CUZK_FN_INLINE void G(denominator)(G_LANES *d, const struct G(pairs) *p)
{
    G_LANES x1, x2;
    G(load_x)(&x1, &x2, p);
    L(sub)(d, &x2, &x1, 1);
    if (__builtin_expect(G(suspects)(&x1, &x2) != 0, 0))
        G(odd_denominators)(d, p);
}

/* chain[w] = 2^-e / chain[w] in every lane, by one inversion.  Lanes: with o1, o2, o3 the products of the other 1, 2, 4
 * lanes of a pair, four, eight, 1/a = o1 o2 o3 / total. */
static __attribute__((noinline)) void G(invert_lanes)(G_LANES chain[WAYS])
{
    G_LANES prefix[WAYS], total, other, others, inverse;
    G_FIELD one;
    prefix[0] = chain[0];
    for (int w = 1; w < WAYS; w++)
        L(mul)(&prefix[w], &prefix[w - 1], &chain[w]);
    L(swap)(&others, &prefix[WAYS - 1], 1);
    L(mul)(&total, &prefix[WAYS - 1], &others);
    L(swap)(&other, &total, 2);
    L(mul)(&others, &others, &other);
    L(mul)(&total, &total, &other);
    L(swap)(&other, &total, 4);
    L(mul)(&others, &others, &other);
    L(mul)(&total, &total, &other);
    L(to_one)(&one, &total);
    K(inv)(&one, &one);
    L(from_one)(&inverse, &one);
    L(mul_all)(&inverse, &inverse, P(V_INV_FIX));
    L(mul)(&inverse, &inverse, &others);
    for (int w = WAYS - 1; w > 0; w--) {
        other = chain[w];
        L(mul)(&chain[w], &inverse, &prefix[w - 1]);
        L(mul)(&inverse, &inverse, &other);
    }
    chain[0] = inverse;
}

/* A vector on its way back. */
struct G(back) {
    struct G(pairs) pairs;
    G_LANES         slope, x1, x_sum, x3, y1;
    __mmask8        suspects;
};

CUZK_FN_INLINE void G(back_load)(struct G(back) *b)
{
    G_LANES x2, y2;
    G(load_x)(&b->x1, &x2, &b->pairs);
    G(load_y)(&b->y1, &y2, &b->pairs);
    b->suspects = G(suspects)(&b->x1, &x2);
    L(sub)(&b->slope, &y2, &b->y1, 1);
    L(add_loose)(&b->x_sum, &b->x1, &x2);
    if (__builtin_expect(b->suspects != 0, 0))
        G(odd_numerators)(&b->slope, &b->pairs);
}

CUZK_FN_INLINE void G(back_x)(struct G(back) *b)
{
    L(sqr_loose)(&b->x3, &b->slope);
    L(sub_loose)(&b->x3, &b->x3, &b->x_sum);
    L(reduce)(&b->x3);
}

CUZK_FN_INLINE void G(back_y)(struct G(back) *b, G(work) *const out[LANES])
{
    G_LANES t;
    L(sub)(&t, &b->x1, &b->x3, 1);
    L(shift)(&t, &t);
    L(mul_loose)(&t, &t, &b->slope);
    L(sub_loose)(&t, &t, &b->y1);
    L(reduce)(&t);
    if (__builtin_expect(b->suspects != 0, 0))
        G(odd_results)(&b->x3, &t, &b->pairs);
    L(store)((uint8_t *const *)out, &b->x3, 0);
    L(store)((uint8_t *const *)out, &t, sizeof(G_FIELD));
}

/* --- blocks -------------------------------------------------------------------------------------------------------- */

#define BATCH       (WAYS * LANES)
#define BATCH_AHEAD 4 /* batches between the fetch of a key's points and their use: some hundred nanoseconds */

/* WAYS vectors of pairs; vector w belongs to chain w. */
struct G(batch) {
    const uint32_t  *left, *right;
    G(work) *const  *out;
};

/* The pairs of a block.  The last batch is filled up with the first pair, whose sum then goes to a sink as well. */
struct G(job) {
    const uint8_t   *points;
    struct G(batch)  all;
    size_t           batches, whole; /* whole: not filled up */
    uint32_t         left[BATCH], right[BATCH];
    G(work)         *out[BATCH], sink;
};

static void G(job_fill)(struct G(job) *job, size_t count)
{
    job->whole = count / BATCH;
    job->batches = (count + BATCH - 1) / BATCH;
    for (size_t i = 0; i < BATCH; i++) {
        size_t pair = job->whole * BATCH + i;
        job->left[i] = job->all.left[pair < count ? pair : 0];
        job->right[i] = job->all.right[pair < count ? pair : 0];
        job->out[i] = pair < count ? job->all.out[pair] : &job->sink;
    }
}

CUZK_FN_INLINE struct G(batch) G(batch)(const struct G(job) *job, size_t k)
{
    if (k >= job->whole)
        return (struct G(batch)){ job->left, job->right, job->out };
    return (struct G(batch)){ job->all.left + k * BATCH, job->all.right + k * BATCH, job->all.out + k * BATCH };
}

CUZK_FN_INLINE void G(fetch)(const struct G(job) *job, const uint32_t *entry)
{
    for (size_t i = 0; i < BATCH; i++) {
        const uint8_t *p = job->points + (size_t)(entry[i] & ~ENTRY_NEGATIVE) * sizeof(G(affine));
        UNROLL for (size_t at = 0; at < sizeof(G(affine)); at += 64)
            __builtin_prefetch(p + at);
        __builtin_prefetch(p + sizeof(G(affine)) - 1);
    }
}

static void G(forward_batch)(const struct G(batch) *b, const uint8_t *points, G_LANES *denominator, G_LANES *prefix,
                             G_LANES chain[WAYS])
{
    UNROLL for (size_t w = 0; w < WAYS; w++) {
        struct G(pairs) pairs;
        G(locate_pairs)(&pairs, points, b->left + w * LANES, b->right + w * LANES);
        G(denominator)(&denominator[w], &pairs);
        prefix[w] = chain[w];
        L(mul)(&chain[w], &chain[w], &denominator[w]);
    }
}

static void G(back_batch)(const struct G(batch) *b, const uint8_t *points, const G_LANES *denominator,
                          const G_LANES *prefix, G_LANES chain[WAYS])
{
    struct G(back) back[WAYS];
    G_LANES inverse[WAYS];
    UNROLL for (size_t w = 0; w < WAYS; w++) {
        L(mul)(&inverse[w], &chain[w], &prefix[w]);
        L(mul)(&chain[w], &chain[w], &denominator[w]);
    }
    UNROLL for (size_t w = 0; w < WAYS; w++) {
        G(locate_pairs)(&back[w].pairs, points, b->left + w * LANES, b->right + w * LANES);
        G(back_load)(&back[w]);
        L(mul)(&back[w].slope, &back[w].slope, &inverse[w]);
    }
    UNROLL for (size_t w = 0; w < WAYS; w++)
        G(back_x)(&back[w]);
    UNROLL for (size_t w = 0; w < WAYS; w++)
        G(back_y)(&back[w], b->out + w * LANES);
}

/* *out[i] = P(left[i]) + P(right[i]) for i < count <= PAIRS_MAX; no out may be read by this call. */
static void G(add_block)(G(work) *const *out, const uint8_t *points, bool raw, const uint32_t *left,
                         const uint32_t *right, size_t count, struct G(block) *block)
{
    struct G(job) job = { .points = points, .all = { left, right, out } };
    G_LANES chain[WAYS];
    if (count == 0)
        return;
    G(job_fill)(&job, count);
    for (size_t w = 0; w < WAYS; w++)
        L(set_one)(&chain[w]);
    for (size_t k = 0; k < job.batches; k++) {
        struct G(batch) b = G(batch)(&job, k);
        if (raw && k + BATCH_AHEAD < job.batches) {
            struct G(batch) later = G(batch)(&job, k + BATCH_AHEAD);
            G(fetch)(&job, later.left);
            G(fetch)(&job, later.right);
        }
        G(forward_batch)(&b, points, &block->denominator[k * WAYS], &block->prefix[k * WAYS], chain);
    }
    G(invert_lanes)(chain);
    for (size_t k = job.batches; k-- > 0;) {
        struct G(batch) b = G(batch)(&job, k);
        G(back_batch)(&b, points, &block->denominator[k * WAYS], &block->prefix[k * WAYS], chain);
    }
}

/* *out[i] = P(entry[i]) as a working point. */
static void G(copy_block)(G(work) *const *out, const uint8_t *points, bool raw, const uint32_t *entry, size_t count)
{
    (void)raw;
    for (size_t i = 0; i < count; i++)
        G(load_entry)(out[i], points, entry[i]);
}

CUZK_FN void G(affine_from_work)(G(affine) *r, const G(work) *p) { *r = *p; }

#undef BATCH
#undef BATCH_AHEAD
#undef WAYS
#undef VECTORS_MAX
#undef G_NAME
#undef G_FIELD
#undef G_LANES
#undef G_BASE
#undef G
#undef K
#undef L
#undef P
