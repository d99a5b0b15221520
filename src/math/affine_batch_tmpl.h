/* math/affine_batch_tmpl.h - sums of many pairs of affine points that share one inversion.  Each inclusion adds the pair
 * adder to a group of group_tmpl.h.
 * In      G_NAME, G_FIELD
 * Out     G(work), G(block), G(add_block), G(copy_block), G(affine_from_work): the seam between msm_tmpl.h and a CPU path.
 *         ifma_affine_tmpl.h has the same names with eight lanes; there a working point is of another form.
 *
 *   l = (y2 - y1)/(x2 - x1), or 3 x1^2 / (2 y1) for equal points;  x3 = l^2 - x1 - x2;  y3 = l (x1 - x3) - y1
 *
 * Cost    5M + 1S a pair, of which 3M are the shared inversion (Montgomery 1987), and one inversion a block.
 * Exact   equal points, opposite points and the identity, any number of each. */
#include <assert.h>

#include "math/affine_batch.h"

#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)

/* A point between rounds; here an affine point. */
typedef G(affine) G(work);

struct G(block) { G_FIELD denominator[PAIRS_MAX], prefix[PAIRS_MAX]; };

/* The point of an entry: index, and ENTRY_NEGATIVE for the opposite.  raw: bytes of a key, else working points. */
CUZK_FN void G(load_entry)(G(affine) *r, const uint8_t *points, uint32_t entry)
{
    const uint8_t *p = points + (size_t)(entry & ~ENTRY_NEGATIVE) * sizeof *r;
    K(load)(&r->x, p);
    K(load)(&r->y, p + sizeof r->x);
    if (entry & ENTRY_NEGATIVE)
        K(neg)(&r->y, &r->y);
}

/* What a pair needs besides dx: nothing, a doubling, or no addition at all. */
enum G(pair_kind) { G(ADD), G(DOUBLE), G(TAKE_LEFT), G(TAKE_RIGHT), G(CANCEL) };

CUZK_FN enum G(pair_kind) G(pair_kind)(const G(affine) *p, const G(affine) *q)
{
    if (!K(eq)(&p->x, &q->x) && !G(affine_is_identity)(p) && !G(affine_is_identity)(q))
        return G(ADD);
    if (G(affine_is_identity)(q))
        return G(TAKE_LEFT);
    if (G(affine_is_identity)(p))
        return G(TAKE_RIGHT);
    return K(eq)(&p->y, &q->y) && !K(is_zero)(&p->y) ? G(DOUBLE) : G(CANCEL);
}

CUZK_FN void G(denominator)(G_FIELD *r, enum G(pair_kind) kind, const G(affine) *p, const G(affine) *q)
{
    if (kind == G(ADD))
        K(sub)(r, &q->x, &p->x);
    else if (kind == G(DOUBLE))
        K(dbl)(r, &p->y);
    else
        K(set_one)(r);
}

CUZK_FN void G(finish_pair)(G(affine) *r, enum G(pair_kind) kind, const G(affine) *p, const G(affine) *q,
                            const G_FIELD *inverse)
{
    G_FIELD l, t;
    if (kind == G(ADD)) {
        K(sub)(&l, &q->y, &p->y);
    } else if (kind == G(DOUBLE)) {
        K(sqr)(&t, &p->x);
        K(dbl)(&l, &t);
        K(add)(&l, &l, &t);
    } else {
        *r = (G(affine)){ 0 };
        if (kind != G(CANCEL))
            *r = kind == G(TAKE_LEFT) ? *p : *q;
        return;
    }
    K(mul)(&l, &l, inverse);
    K(sqr)(&t, &l);
    K(sub)(&t, &t, &p->x);
    K(sub)(&r->x, &t, &q->x);
    K(sub)(&t, &p->x, &r->x);
    K(mul)(&t, &t, &l);
    K(sub)(&r->y, &t, &p->y);
}

/* *out[i] = P(left[i]) + P(right[i]) for i < count <= PAIRS_MAX; no out may be read by this call. */
static void G(add_block)(G(work) *const *out, const uint8_t *points, bool raw, const uint32_t *left,
                         const uint32_t *right, size_t count, struct G(block) *block)
{
    G_FIELD product, inverse;
    G(affine) p, q, r;
    (void)raw;
    K(set_one)(&product);
    for (size_t i = 0; i < count; i++) {
        G(load_entry)(&p, points, left[i]);
        G(load_entry)(&q, points, right[i]);
        G(denominator)(&block->denominator[i], G(pair_kind)(&p, &q), &p, &q);
        block->prefix[i] = product;
        K(mul)(&product, &product, &block->denominator[i]);
    }
    K(inv)(&product, &product);
    for (size_t i = count; i-- > 0;) {
        G(load_entry)(&p, points, left[i]);
        G(load_entry)(&q, points, right[i]);
        K(mul)(&inverse, &product, &block->prefix[i]);
        K(mul)(&product, &product, &block->denominator[i]);
        G(finish_pair)(&r, G(pair_kind)(&p, &q), &p, &q, &inverse);
        *out[i] = r;
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

#undef G_NAME
#undef G_FIELD
#undef G
#undef K
