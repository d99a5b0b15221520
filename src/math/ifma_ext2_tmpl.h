/* math/ifma_ext2_tmpl.h - eight elements of F_p2 = F_p[i]/(i^2 + 1) at once.  Each inclusion makes one; the names are
 * those of ifma_field_tmpl.h, so that one pair adder serves both.
 * In      W_NAME, W_BASE (a field of ifma_field_tmpl.h), W_FIELD (of ext2_tmpl.h), W_COORDINATE (the scalar field)
 * Cost    a product 3 L^2 + 2 L^2 low and high multiply-adds: Karatsuba on unreduced products, two reductions
 *         (schoolbook has 4 L^2 + 2 L^2).  A square two products of the base.
 * Bounds  for components a <= A p, b <= B p with 4 A B p^2 < V p:
 *         mul_loose: c0 in (-A B p^2 / V, p + A B p^2 / V) and c1 in [0, p + 2 A B p^2 / V), each wider by p / 2^50.
 *         The pair adder has A B <= 18, which is 0.22 p for c0 and 0.43 p for c1 in the narrowest field (BN254).
 * Alias   r may be a or b everywhere. */
#include "math/cat.h"
#include "math/ifma_lanes.h"

#define W(name) CAT3(W_NAME, _, name)
#define V(name) CAT3(W_BASE, _, name)
#define K(name) CAT3(W_COORDINATE, _, name)
#define VL      K(V_LIMBS)

typedef struct { W_BASE c0, c1; } W_NAME;

enum { W(half) = sizeof(W_COORDINATE) };

CUZK_FN_INLINE void W(select)(W_NAME *r, __mmask8 take_b, const W_NAME *a, const W_NAME *b)
{
    V(select)(&r->c0, take_b, &a->c0, &b->c0);
    V(select)(&r->c1, take_b, &a->c1, &b->c1);
}

CUZK_FN_INLINE void W(tidy)(W_NAME *r)
{
    V(tidy)(&r->c0);
    V(tidy)(&r->c1);
}

CUZK_FN_INLINE void W(mul_loose)(W_NAME *r, const W_NAME *a, const W_NAME *b)
{
    W_BASE sum_a, sum_b;
    lanes low[2 * VL], high[2 * VL], cross[2 * VL];
    V(add)(&sum_a, &a->c0, &a->c1);
    V(add)(&sum_b, &b->c0, &b->c1);
    V(product)(low, &a->c0, &b->c0);
    V(product)(high, &a->c1, &b->c1);
    V(product)(cross, &sum_a, &sum_b);
    UNROLL for (int k = 0; k < 2 * VL; k++) {
        cross[k] -= low[k] + high[k];
        low[k] -= high[k];
    }
    V(reduce_product)(&r->c0, low);
    V(reduce_product)(&r->c1, cross);
}

/* A loose product to what W(mul) gives. */
CUZK_FN_INLINE void W(settle)(W_NAME *r)
{
    V(add_p)(&r->c0, 1);
    W(tidy)(r);
}

/* c0 < 2 p + A B p^2 / V. */
CUZK_FN_INLINE void W(mul)(W_NAME *r, const W_NAME *a, const W_NAME *b)
{
    W(mul_loose)(r, a, b);
    W(settle)(r);
}

CUZK_FN_INLINE void W(mul2_loose)(W_NAME *r0, const W_NAME *a0, const W_NAME *b0, W_NAME *r1, const W_NAME *a1,
                                  const W_NAME *b1)
{
    W_NAME t;
    W(mul_loose)(&t, a0, b0);
    W(mul_loose)(r1, a1, b1);
    *r0 = t;
}

/* (a0 + a1)(a0 - a1 + 3 p), a0 (2 a1) for components <= 2.25 p: the operands are below 4.5 p and 5.25 p; both results
 * in [0, 1.3 p). */
CUZK_FN_INLINE void W(sqr_loose)(W_NAME *r, const W_NAME *a)
{
    W_BASE sum, rest, twice;
    V(add)(&sum, &a->c0, &a->c1);
    V(sub)(&rest, &a->c0, &a->c1, 3);
    V(add)(&twice, &a->c1, &a->c1);
    V(mul2_loose)(&r->c1, &a->c0, &twice, &r->c0, &sum, &rest);
}

CUZK_FN_INLINE void W(sqr)(W_NAME *r, const W_NAME *a)
{
    W(sqr_loose)(r, a);
    W(tidy)(r);
}

CUZK_FN_INLINE void W(add_loose)(W_NAME *r, const W_NAME *a, const W_NAME *b)
{
    V(add_loose)(&r->c0, &a->c0, &b->c0);
    V(add_loose)(&r->c1, &a->c1, &b->c1);
}

CUZK_FN_INLINE void W(sub_loose)(W_NAME *r, const W_NAME *a, const W_NAME *b)
{
    V(sub_loose)(&r->c0, &a->c0, &b->c0);
    V(sub_loose)(&r->c1, &a->c1, &b->c1);
}

CUZK_FN_INLINE void W(add_p)(W_NAME *r, const int n)
{
    V(add_p)(&r->c0, n);
    V(add_p)(&r->c1, n);
}

CUZK_FN_INLINE void W(add)(W_NAME *r, const W_NAME *a, const W_NAME *b)
{
    V(add)(&r->c0, &a->c0, &b->c0);
    V(add)(&r->c1, &a->c1, &b->c1);
}

CUZK_FN_INLINE void W(sub)(W_NAME *r, const W_NAME *a, const W_NAME *b, const int n)
{
    V(sub)(&r->c0, &a->c0, &b->c0, n);
    V(sub)(&r->c1, &a->c1, &b->c1, n);
}

CUZK_FN_INLINE void W(reduce)(W_NAME *r)
{
    V(reduce)(&r->c0);
    V(reduce)(&r->c1);
}

CUZK_FN_INLINE __mmask8 W(zero_mask)(const W_NAME *a)
{
    return (__mmask8)(V(zero_mask)(&a->c0) & V(zero_mask)(&a->c1));
}

CUZK_FN_INLINE __mmask8 W(eq_mask)(const W_NAME *a, const W_NAME *b)
{
    return (__mmask8)(V(eq_mask)(&a->c0, &b->c0) & V(eq_mask)(&a->c1, &b->c1));
}

CUZK_FN_INLINE void W(set_zero)(W_NAME *r)
{
    V(set_zero)(&r->c0);
    V(set_zero)(&r->c1);
}

CUZK_FN_INLINE void W(set_one)(W_NAME *r)
{
    V(set_one)(&r->c0);
    V(set_zero)(&r->c1);
}

CUZK_FN_INLINE void W(neg_lanes)(W_NAME *a, __mmask8 which)
{
    V(neg_lanes)(&a->c0, which);
    V(neg_lanes)(&a->c1, which);
}

/* A number of the base field. */
CUZK_FN_INLINE void W(mul_all)(W_NAME *r, const W_NAME *a, const uint64_t b[VL])
{
    V(mul_all)(&r->c0, &a->c0, b);
    V(mul_all)(&r->c1, &a->c1, b);
}

/* Here bits above the 52 would spoil the sums of a product. */
CUZK_FN_INLINE void W(shift)(W_NAME *r, const W_NAME *a)
{
    V(shift)(&r->c0, &a->c0);
    V(shift)(&r->c1, &a->c1);
    UNROLL for (int k = 0; k < VL; k++) {
        r->c0.limb[k] &= LIMB_MASK;
        r->c1.limb[k] &= LIMB_MASK;
    }
}

CUZK_FN_INLINE void W(swap)(W_NAME *r, const W_NAME *a, const int bit)
{
    V(swap)(&r->c0, &a->c0, bit);
    V(swap)(&r->c1, &a->c1, bit);
}

CUZK_FN_INLINE void W(load)(W_NAME *r, const uint8_t *const from[LANES], const size_t at)
{
    V(load)(&r->c0, from, at);
    V(load)(&r->c1, from, at + W(half));
}

CUZK_FN_INLINE void W(store)(uint8_t *const to[LANES], const W_NAME *a, const size_t at)
{
    V(store)(to, &a->c0, at);
    V(store)(to, &a->c1, at + W(half));
}

CUZK_FN void W(to_one)(W_FIELD *r, const W_NAME *a)
{
    V(to_one)(&r->c0, &a->c0);
    V(to_one)(&r->c1, &a->c1);
}

CUZK_FN void W(from_one)(W_NAME *r, const W_FIELD *a)
{
    V(from_one)(&r->c0, &a->c0);
    V(from_one)(&r->c1, &a->c1);
}

#undef W_NAME
#undef W_BASE
#undef W_FIELD
#undef W_COORDINATE
#undef W
#undef V
#undef K
#undef VL
