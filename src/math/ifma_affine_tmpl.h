/* math/ifma_affine_tmpl.h - the pair adder of affine_batch_tmpl.h with eight lanes: same names, same results bit for
 * bit.
 * In      G_NAME, G_FIELD, G_LANES (a lane field of ifma_field_tmpl.h or ifma_ext2_tmpl.h over G_FIELD), G_BASE (the
 *         scalar prime field, whose constants V_FROM, V_INV_FIX, V_SHIFT are used)
 * Points  as everywhere: affine, 64-bit words, radix R, reduced.  A gather is then one or a few cache lines a point,
 *         keys are read as they are, and a transposition of 4 x 8 words is 12 instructions.
 * Radix   a coordinate X = x R stands in the lanes for s x with s = R / V = 4^-e, e = V_SHIFT.  No product is spent on
 *         the change: with k = 2^-e mod p put once into the shared inverse, l' = k (y2 - y1)/(x2 - x1) = k l, and
 *             s x3 = (k l)^2 - s x1 - s x2,        s y3 = (k l) 2^e (s x1 - s x3) - s y1.
 *         A doubling needs s 3 x1^2 over s 2 y1: the lanes' product X X stands for s^2 x1^2, and V_FROM brings 1/s.
 * Cost    5M + 1S a pair, and one inversion and some twelve products for SHARE_PAIRS pairs.
 * Memory  the points of a key lie anywhere: their lines are asked for during the way back of the pairs before, where
 *         memory has nothing else to do. */
#include <assert.h>

#include "math/affine_batch.h"
#include "math/cat.h"
#include "math/ifma_lanes.h"

#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)
#define L(name) CAT3(G_LANES, _, name)
#define P(name) CAT3(G_BASE, _, name)

typedef G(affine) G(work);

#define WAYS        2 /* product chains: vector v belongs to chain v % WAYS */
#define SHARE_PAIRS 512 /* pairs that share an inversion: more would not stay near, fewer would pay more for it */
#define VECTORS_MAX (SHARE_PAIRS / LANES)

/* What the way out leaves for the way back. */
struct G(vector) {
    G_LANES  denominator, prefix, left_x;
    __mmask8 suspects;
};

struct G(block) { struct G(vector) vector[VECTORS_MAX]; };

CUZK_FN void G(load_entry)(G(affine) *r, const uint8_t *points, uint32_t entry)
{
    const uint8_t *p = points + (size_t)(entry & ~ENTRY_NEGATIVE) * sizeof *r;
    K(load)(&r->x, p);
    K(load)(&r->y, p + sizeof r->x);
    if (entry & ENTRY_NEGATIVE)
        K(neg)(&r->y, &r->y);
}

/* --- eight pairs -------------------------------------------------------------------------------------------------- */

struct G(pairs) {
    const uint8_t  *points;
    const uint32_t *left, *right; /* LANES entries each */
};

CUZK_FN_INLINE void G(load_at)(G_LANES *r, const uint8_t *points, const uint32_t *entry, const size_t at)
{
    const uint8_t *from[LANES];
    UNROLL for (int i = 0; i < LANES; i++)
        from[i] = points + (size_t)(entry[i] & ~ENTRY_NEGATIVE) * sizeof(G(affine));
    L(load)(r, from, at);
}

CUZK_FN_INLINE void G(load_x)(G_LANES *x1, G_LANES *x2, const struct G(pairs) *p)
{
    G(load_at)(x1, p->points, p->left, 0);
    G(load_at)(x2, p->points, p->right, 0);
}

CUZK_FN_INLINE __mmask8 G(signs)(const uint32_t *entry)
{
    return _mm256_movepi32_mask(_mm256_loadu_si256((const __m256i *)(const void *)entry));
}

/* Loose, in [0, p]. */
CUZK_FN_INLINE void G(load_y)(G_LANES *y1, G_LANES *y2, const struct G(pairs) *p)
{
    __mmask8 left = G(signs)(p->left), right = G(signs)(p->right);
    G(load_at)(y1, p->points, p->left, sizeof(G_FIELD));
    G(load_at)(y2, p->points, p->right, sizeof(G_FIELD));
    if (left | right) {
        L(neg_lanes)(y1, left);
        L(neg_lanes)(y2, right);
    }
}

/* Lanes that may be no plain addition: equal x, or an identity.  Exact kinds are sorted out by G(kinds). */
CUZK_FN_INLINE __mmask8 G(suspects)(const G_LANES *x1, const G_LANES *x2)
{
    return (__mmask8)(L(eq_mask)(x1, x2) | L(zero_mask)(x1) | L(zero_mask)(x2));
}

struct G(kinds) { __mmask8 twice, left, right, cancel; };

CUZK_FN_NOINLINE struct G(kinds) G(kinds)(struct G(pairs) p)
{
    G_LANES x1, x2, y1, y2;
    G(load_x)(&x1, &x2, &p);
    G(load_y)(&y1, &y2, &p);
    L(reduce)(&y1);
    L(reduce)(&y2);
    unsigned none1 = L(zero_mask)(&x1) & L(zero_mask)(&y1), none2 = L(zero_mask)(&x2) & L(zero_mask)(&y2);
    unsigned same_x = L(eq_mask)(&x1, &x2) & ~(none1 | none2);
    unsigned twice = same_x & L(eq_mask)(&y1, &y2) & ~(unsigned)L(zero_mask)(&y1);
    return (struct G(kinds)){ .twice = (__mmask8)twice, .left = (__mmask8)none2, .right = (__mmask8)(none1 & ~none2),
                              .cancel = (__mmask8)(same_x & ~twice) };
}

/* The denominator where it is not x2 - x1: 2 y1 in doublings, 1 where nothing is added. */
CUZK_FN_NOINLINE void G(odd_denominators)(G_LANES *d, struct G(pairs) p)
{
    struct G(kinds) kind = G(kinds)(p);
    G_LANES y1, y2, one;
    G(load_y)(&y1, &y2, &p);
    L(add)(&y1, &y1, &y1);
    L(set_one)(&one);
    L(select)(d, kind.twice, d, &y1);
    L(select)(d, (__mmask8)(kind.left | kind.right | kind.cancel), d, &one);
}

/* x1 + x2 where the denominator is another, and the numerator in doublings: 3 x1^2. */
CUZK_FN_NOINLINE void G(odd_numerators)(G_LANES *n, G_LANES *x_sum, struct G(pairs) p)
{
    struct G(kinds) kind = G(kinds)(p);
    G_LANES x1, x2, square;
    G(load_x)(&x1, &x2, &p);
    L(add_loose)(x_sum, &x1, &x2);
    if (kind.twice == 0)
        return;
    L(sqr)(&square, &x1);
    L(mul_all)(&square, &square, P(V_FROM));
    L(reduce)(&square);
    L(add_loose)(&x1, &square, &square);
    L(add)(&square, &square, &x1);
    L(select)(n, kind.twice, n, &square);
}

/* The result where nothing is added. */
CUZK_FN_NOINLINE void G(odd_results)(G_LANES *x, G_LANES *y, struct G(pairs) p)
{
    struct G(kinds) kind = G(kinds)(p);
    G_LANES x1, x2, y1, y2, none;
    G(load_x)(&x1, &x2, &p);
    G(load_y)(&y1, &y2, &p);
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

/* --- the way out -------------------------------------------------------------------------------------------------- */

CUZK_FN_INLINE void G(denominator)(struct G(vector) *v, const struct G(pairs) *p)
{
    G_LANES x1, x2;
    G(load_x)(&x1, &x2, p);
    v->left_x = x1;
    v->suspects = G(suspects)(&x1, &x2);
    L(sub)(&v->denominator, &x2, &x1, 1);
    if (__builtin_expect(v->suspects != 0, 0))
        G(odd_denominators)(&v->denominator, *p);
}

/* Two vectors, one of each chain. */
CUZK_FN_NOINLINE void G(out_batch)(struct G(vector) v[WAYS], struct G(pairs) p, G_LANES chain[WAYS])
{
    UNROLL for (int w = 0; w < WAYS; w++) {
        G(denominator)(&v[w], &p);
        v[w].prefix = chain[w];
        p.left += LANES;
        p.right += LANES;
    }
    L(mul2_loose)(&chain[0], &chain[0], &v[0].denominator, &chain[1], &chain[1], &v[1].denominator);
    L(settle)(&chain[0]);
    L(settle)(&chain[1]);
}

/* chain[w] = 2^-e / chain[w] in every lane, by one inversion.  Lanes: with o1, o2, o3 the products of the other 1, 2, 4
 * lanes of a pair, four, eight, 1/a = o1 o2 o3 / total. */
CUZK_FN_NOINLINE void G(invert_lanes)(G_LANES chain[WAYS])
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

/* --- the way back ------------------------------------------------------------------------------------------------- */

/* A vector on its way back.  Four are under way at once, each a stage further than the next, so that between the steps
 * of one, which wait for each other, there is always work of another within the reach of the processor. */
struct G(flight) {
    const struct G(vector) *v;
    struct G(pairs)         pairs;
    G(work) *const         *out; /* NULL: nothing to store */
    G_LANES                 inverse, numerator, slope, square, x_sum, x3, t, y, y1;
};

#define FLIGHTS 4

/* Stage 1: numerator = y2 - y1 in [0, 2 p], x_sum = x1 + x2 = 2 x1 + (x2 - x1 + p) - p, loose. */
CUZK_FN_INLINE void G(flight_load)(struct G(flight) *f)
{
    G_LANES y1, y2, sum;
    G(load_y)(&y1, &y2, &f->pairs);
    f->y1 = y1;
    L(sub)(&f->numerator, &y2, &y1, 1);
    L(add_loose)(&sum, &f->v->left_x, &f->v->left_x);
    L(add_loose)(&sum, &sum, &f->v->denominator);
    L(add_p)(&sum, -1);
    f->x_sum = sum;
    if (__builtin_expect(f->v->suspects != 0, 0))
        G(odd_numerators)(&f->numerator, &f->x_sum, f->pairs);
}

/* Stage 3, once the square is there: x3, and t = 2^e (x1 - x3). */
CUZK_FN_INLINE void G(flight_x)(struct G(flight) *f)
{
    G_LANES x3, t;
    L(sub_loose)(&x3, &f->square, &f->x_sum);
    L(reduce)(&x3);
    L(sub)(&t, &f->v->left_x, &x3, 1);
    L(shift)(&f->t, &t);
    f->x3 = x3;
}

/* Stage 4: y3 = slope t - y1, and both to memory. */
CUZK_FN_INLINE void G(flight_store)(struct G(flight) *f)
{
    G_LANES y3;
    L(sub_loose)(&y3, &f->y, &f->y1);
    L(reduce)(&y3);
    if (__builtin_expect(f->v->suspects != 0, 0))
        G(odd_results)(&f->x3, &y3, f->pairs);
    L(store)((uint8_t *const *)f->out, &f->x3, 0);
    L(store)((uint8_t *const *)f->out, &y3, sizeof(G_FIELD));
}

/* One step of all that is under way; `step` is the new one.  Flights that hold nothing compute with zeros. */
CUZK_FN_NOINLINE void G(back_step)(struct G(flight) flight[FLIGHTS], size_t step, G_LANES *chain)
{
    struct G(flight) *a = &flight[step % FLIGHTS], *b = &flight[(step - 1) % FLIGHTS];
    struct G(flight) *c = &flight[(step - 2) % FLIGHTS], *d = &flight[(step - 3) % FLIGHTS];
    L(mul2_loose)(&a->inverse, chain, &a->v->prefix, chain, chain, &a->v->denominator);
    L(settle)(&a->inverse);
    L(settle)(chain);
    G(flight_x)(c);
    G(flight_load)(a);
    L(mul2_loose)(&b->slope, &b->numerator, &b->inverse, &c->y, &c->t, &c->slope);
    L(settle)(&b->slope);
    if (d->out != NULL)
        G(flight_store)(d);
    L(sqr_loose)(&b->square, &b->slope);
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

#define BATCH       (WAYS * LANES)

/* The pairs of one inversion.  The last batch is filled up with the first pair, whose sum then goes to a sink as well.
 * */
struct G(job) {
    struct G(pairs)  all;
    G(work) *const  *all_out;
    struct G(pairs)  next; /* of a key, to be fetched meanwhile */
    size_t           next_vectors;
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
        job->out[i] = pair < count ? job->all_out[pair] : &job->sink;
    }
}

/* The pairs of vector v, and where their sums go. */
CUZK_FN_INLINE struct G(pairs) G(job_pairs)(const struct G(job) *job, size_t v)
{
    size_t from = v * LANES, rest = from - job->whole * BATCH;
    if (v >= job->whole * WAYS)
        return (struct G(pairs)){ job->all.points, job->left + rest, job->right + rest };
    return (struct G(pairs)){ job->all.points, job->all.left + from, job->all.right + from };
}

CUZK_FN_INLINE G(work) *const *G(job_out)(const struct G(job) *job, size_t v)
{
    return v >= job->whole * WAYS ? job->out + (v - job->whole * WAYS) * LANES : job->all_out + v * LANES;
}

/* The lines of a vector's points. */
CUZK_FN_INLINE void G(fetch)(const struct G(pairs) *pairs, size_t vector)
{
    for (size_t i = vector * LANES; i < (vector + 1) * LANES; i++) {
        const uint8_t *p = pairs->points + (size_t)(pairs->left[i] & ~ENTRY_NEGATIVE) * sizeof(G(affine));
        const uint8_t *q = pairs->points + (size_t)(pairs->right[i] & ~ENTRY_NEGATIVE) * sizeof(G(affine));
        UNROLL for (size_t at = 0; at < sizeof(G(affine)); at += 64) {
            __builtin_prefetch(p + at);
            __builtin_prefetch(q + at);
        }
        __builtin_prefetch(p + sizeof(G(affine)) - 1);
        __builtin_prefetch(q + sizeof(G(affine)) - 1);
    }
}

CUZK_FN void G(go_out)(const struct G(job) *job, struct G(vector) *vector, G_LANES chain[WAYS])
{
    for (size_t k = 0; k < job->batches; k++)
        G(out_batch)(vector + k * WAYS, G(job_pairs)(job, k * WAYS), chain);
}

CUZK_FN void G(go_back)(const struct G(job) *job, const struct G(vector) *vector, G_LANES chain[WAYS])
{
    struct G(flight) flight[FLIGHTS] = { 0 };
    size_t vectors = job->batches * WAYS;
    for (size_t step = 0; step < vectors + FLIGHTS - 1; step++) {
        struct G(flight) *f = &flight[step % FLIGHTS];
        size_t v = step < vectors ? vectors - 1 - step : 0; /* past the end: any, to no effect */
        f->v = &vector[v];
        f->pairs = G(job_pairs)(job, v);
        f->out = step < vectors ? G(job_out)(job, v) : NULL;
        if (step == 0)
            for (size_t k = 1; k < FLIGHTS; k++)
                flight[k].v = f->v;
        if (step < job->next_vectors)
            G(fetch)(&job->next, step);
        G(back_step)(flight, step + FLIGHTS, &chain[v % WAYS]);
    }
}

CUZK_FN_NOINLINE void G(add_share)(struct G(job) *job, size_t count, struct G(vector) *vector)
{
    G_LANES chain[WAYS];
    G(job_fill)(job, count);
    for (int w = 0; w < WAYS; w++)
        L(set_one)(&chain[w]);
    G(go_out)(job, vector, chain);
    G(invert_lanes)(chain);
    G(go_back)(job, vector, chain);
}

/* *out[i] = P(left[i]) + P(right[i]) for i < count <= PAIRS_MAX; no out may be read by this call. */
CUZK_FN_NOINLINE void G(add_block)(G(work) *const *out, const uint8_t *points, bool raw, const uint32_t *left,
                                   const uint32_t *right, size_t count, struct G(block) *block)
{
    struct G(pairs) first = { points, left, right };
    for (size_t v = 0; raw && v < count / LANES && v < VECTORS_MAX; v++)
        G(fetch)(&first, v);
    for (size_t done = 0; done < count; done += SHARE_PAIRS) {
        size_t share = count - done < SHARE_PAIRS ? count - done : SHARE_PAIRS, later = count - done - share;
        struct G(job) job = { .all = { points, left + done, right + done }, .all_out = out + done };
        job.next = (struct G(pairs)){ points, left + done + share, right + done + share };
        job.next_vectors = raw ? (later < SHARE_PAIRS ? later : SHARE_PAIRS) / LANES : 0;
        G(add_share)(&job, share, block->vector);
    }
}

/* *out[i] = P(entry[i]) as a working point. */
CUZK_FN_NOINLINE void G(copy_block)(G(work) *const *out, const uint8_t *points, bool raw, const uint32_t *entry,
                                    size_t count)
{
    (void)raw;
    for (size_t i = 0; i < count; i++)
        G(load_entry)(out[i], points, entry[i]);
}

CUZK_FN void G(affine_from_work)(G(affine) *r, const G(work) *p) { *r = *p; }

#undef FLIGHTS
#undef BATCH
#undef WAYS
#undef VECTORS_MAX
#undef SHARE_PAIRS
#undef G_NAME
#undef G_FIELD
#undef G_LANES
#undef G_BASE
#undef G
#undef K
#undef L
#undef P
