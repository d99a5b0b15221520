/* math/ifma_field_tmpl.h - eight elements of a prime field at once, in limbs of 52 bits.  Each inclusion makes one.
 * In      V_NAME; V_FIELD, a field of field_tmpl.h with 4 or 6 words and its constants V_FIELD_V_*
 * Value   a lane holds an integer v = sum limb[k] 2^(52 k) that stands for v / V mod p, V = 2^(52 L), L = 5 or 8 limbs
 * Forms   "tidy": limbs in [0, 2^52).  All functions take tidy values and give tidy values, but for
 *         "loose": signed limbs of 64 bits, made by functions of that name, that sums, V(tidy) and V(reduce) take.
 * Bounds  in multiples of p, stated with each function.  V / p >= 84 (BN254), 35 (BLS12-381 Fr), 2^35 (BLS12-381 Fp).
 *         V(mul): r < p + a b / V + p / 2^50; so that r < 1.5 p whenever a b <= 16 p^2.
 * Cost    V(mul) 4 L^2 multiply-adds of 52 bits, V(sqr) 3 L^2 + L
 * Alias   r may be a or b everywhere. */
#include "math/cat.h"
#include "math/ifma_lanes.h"

#define V(name) CAT3(V_NAME, _, name)
#define K(name) CAT3(V_FIELD, _, name)
#define VL      K(V_LIMBS)

typedef struct { lanes limb[VL]; } V_NAME;

enum {
    V(words) = sizeof(V_FIELD) / 8,
    V(top) = (K(BITS) - 1) / LIMB_BITS,       /* the limb with the top bit of p, and that bit */
    V(top_bit) = (K(BITS) - 1) % LIMB_BITS,
};

/* --- constants and choices ---------------------------------------------------------------------------------------- */

CUZK_FN_INLINE void V(set_all)(V_NAME *r, const uint64_t limb[VL])
{
    UNROLL for (int k = 0; k < VL; k++)
        r->limb[k] = lanes_all(limb[k]);
}

CUZK_FN_INLINE void V(set_zero)(V_NAME *r)
{
    UNROLL for (int k = 0; k < VL; k++)
        r->limb[k] = lanes_all(0);
}

/* 1 in the radix V. */
CUZK_FN_INLINE void V(set_one)(V_NAME *r) { V(set_all)(r, K(V_ONE)); }

CUZK_FN_INLINE void V(select)(V_NAME *r, __mmask8 take_b, const V_NAME *a, const V_NAME *b)
{
    UNROLL for (int k = 0; k < VL; k++)
        r->limb[k] = lanes_select(take_b, a->limb[k], b->limb[k]);
}

/* Lane i takes lane i ^ bit. */
CUZK_FN_INLINE void V(swap)(V_NAME *r, const V_NAME *a, const int bit)
{
    UNROLL for (int k = 0; k < VL; k++)
        r->limb[k] = lanes_swap(a->limb[k], bit);
}

/* Lanes with a = 0; a reduced. */
CUZK_FN_INLINE __mmask8 V(zero_mask)(const V_NAME *a)
{
    lanes any = a->limb[0];
    UNROLL for (int k = 1; k < VL; k++)
        any |= a->limb[k];
    return lanes_zero(any);
}

/* Lanes with a = b; both reduced. */
CUZK_FN_INLINE __mmask8 V(eq_mask)(const V_NAME *a, const V_NAME *b)
{
    lanes any = a->limb[0] ^ b->limb[0];
    UNROLL for (int k = 1; k < VL; k++)
        any |= a->limb[k] ^ b->limb[k];
    return lanes_zero(any);
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

/* Carries of a loose value in [0, V) move up. */
CUZK_FN_INLINE void V(tidy)(V_NAME *r)
{
    UNROLL for (int k = 0; k + 1 < VL; k++) {
        r->limb[k + 1] += lanes_carry(r->limb[k]);
        r->limb[k] &= LIMB_MASK;
    }
}

CUZK_FN_INLINE void V(add_loose)(V_NAME *r, const V_NAME *a, const V_NAME *b)
{
    UNROLL for (int k = 0; k < VL; k++)
        r->limb[k] = a->limb[k] + b->limb[k];
}

CUZK_FN_INLINE void V(sub_loose)(V_NAME *r, const V_NAME *a, const V_NAME *b)
{
    UNROLL for (int k = 0; k < VL; k++)
        r->limb[k] = a->limb[k] - b->limb[k];
}

/* r += n p, loose. */
CUZK_FN_INLINE void V(add_p)(V_NAME *r, const int n)
{
    UNROLL for (int k = 0; k < VL; k++)
        r->limb[k] += lanes_all((uint64_t)n * K(V_MOD)[k]);
}

/* r = a + b, not reduced: bounds add up. */
CUZK_FN_INLINE void V(add)(V_NAME *r, const V_NAME *a, const V_NAME *b)
{
    V(add_loose)(r, a, b);
    V(tidy)(r);
}

/* r = a - b + n p for b <= n p, not reduced. */
CUZK_FN_INLINE void V(sub)(V_NAME *r, const V_NAME *a, const V_NAME *b, const int n)
{
    V(sub_loose)(r, a, b);
    V(add_p)(r, n);
    V(tidy)(r);
}

/* The lanes of `which` become p - a; loose. */
CUZK_FN_INLINE void V(neg_lanes)(V_NAME *a, __mmask8 which)
{
    UNROLL for (int k = 0; k < VL; k++)
        a->limb[k] = lanes_sub_from(which, lanes_all(K(V_MOD)[k]), a->limb[k]);
}

/* a 2^V_SHIFT, for V(mul) only: limbs may have bits above the 52 that a product reads. */
CUZK_FN_INLINE void V(shift)(V_NAME *r, const V_NAME *a)
{
    UNROLL for (int k = VL - 1; k > 0; k--)
        r->limb[k] = a->limb[k] << K(V_SHIFT) | a->limb[k - 1] >> (LIMB_BITS - K(V_SHIFT));
    r->limb[0] = a->limb[0] << K(V_SHIFT);
}

/* --- reduction to [0, p) ------------------------------------------------------------------------------------------ */

/* Limb `limb` of the multiple of p that brings v in cell floor(v / 2^(BITS-1)), modulo 8, to [0, 2 p); see V(reduce).
 * */
CUZK_FN_INLINE lanes V(cell_multiple)(lanes cell, uint64_t limb)
{
    long long p = (long long)limb;
    const __m512i table = _mm512_setr_epi64(0, 0, -p, -p, 2 * p, 2 * p, 2 * p, p);
    return (lanes)_mm512_permutexvar_epi64((__m512i)cell, table);
}

/* r = v mod p in [0, p) for a loose v in [-2 p, 2 p): by its cell to [0, 2 p), then by one comparison.
 * The cell is that of a bound u of v from the top two limbs, u <= v < u + d, d = 2^(52 top + 1): carries from below,
 *     2^10
 * units of the second limb at most, change its own carry by one at most.  With h = 2^(BITS-1) < p < 2 h and p - h, 2 h
 * - p above d:
 *   cells -4 .. -2   v + 2 p >= 0 since v >= -2 p, and < 2 p       cell -1      v + p in [p - h, p + d)
 *   cells 0, 1       v < 2 h + d < 2 p                             cells 2, 3   v - p in [2 h - p, p) */
CUZK_FN_INLINE void V(reduce)(V_NAME *r)
{
    lanes high = r->limb[V(top)], less[VL], borrow = lanes_all(0);
    if (V(top) > 0)
        high += lanes_carry(r->limb[V(top) > 0 ? V(top) - 1 : 0]) - 1;
    lanes cell = (lanes)((lanes_signed)high >> V(top_bit));
    UNROLL for (int k = 0; k <= V(top); k++)
        r->limb[k] += V(cell_multiple)(cell, K(V_MOD)[k]);
    V(tidy)(r);
    UNROLL for (int k = 0; k < VL; k++) {
        lanes t = r->limb[k] - K(V_MOD)[k] + borrow;
        borrow = lanes_carry(t);
        less[k] = t & LIMB_MASK;
    }
    __mmask8 keep = lanes_negative(borrow);
    UNROLL for (int k = 0; k < VL; k++)
        r->limb[k] = lanes_select(keep, less[k], r->limb[k]);
}

/* r = v mod p in [0, 4 p), tidy, for a loose v in [0, 17.5 p): by the cell floor(u / 2^(BITS+1)) of a bound u as above,
 * whose multiple of p is the largest that is not above the cell: what is left is below 2^(BITS+1) + p + d < 4 p, since
 * p > 0.7 2^BITS; cells 0 .. 7 reach to 2^(BITS+4) > 17.5 p, since p < 0.91 2^BITS. */
CUZK_FN_INLINE void V(shrink)(V_NAME *r)
{
    lanes high = r->limb[V(top)];
    if (V(top) > 0)
        high = (lanes)_mm512_max_epi64((__m512i)(high + lanes_carry(r->limb[V(top) > 0 ? V(top) - 1 : 0]) - 1),
                                       (__m512i)lanes_all(0));
    lanes cell = high >> (V(top_bit) + 2);
    UNROLL for (int k = 0; k < VL; k++)
        r->limb[k] -= (lanes)_mm512_permutexvar_epi64((__m512i)cell, _mm512_loadu_si512(K(V_SHRINK)[k]));
    V(tidy)(r);
}

/* --- products ----------------------------------------------------------------------------------------------------- */

/* t[0 .. L] += a b, one row of a product. */
CUZK_FN_INLINE void V(row)(lanes *t, lanes a, const lanes *b)
{
    UNROLL for (int k = 0; k < VL; k++) {
        t[k] = lanes_low(t[k], a, b[k]);
        t[k + 1] = lanes_high(t[k + 1], a, b[k]);
    }
}

/* t[0 .. 2L) = a b, limbs below 2^57. */
CUZK_FN_INLINE void V(product)(lanes *t, const V_NAME *a, const V_NAME *b)
{
    UNROLL for (int k = 0; k < 2 * VL; k++)
        t[k] = lanes_all(0);
    UNROLL for (int i = 0; i < VL; i++)
        V(row)(t + i, a->limb[i], b->limb);
}

/* t[0 .. 2L) = a^2: products of different limbs once, doubled, and the squares. */
CUZK_FN_INLINE void V(square)(lanes *t, const V_NAME *a)
{
    UNROLL for (int k = 0; k < 2 * VL; k++)
        t[k] = lanes_all(0);
    UNROLL for (int i = 0; i < VL; i++)
        UNROLL for (int j = i + 1; j < VL; j++) {
            t[i + j] = lanes_low(t[i + j], a->limb[i], a->limb[j]);
            t[i + j + 1] = lanes_high(t[i + j + 1], a->limb[i], a->limb[j]);
        }
    UNROLL for (int k = 1; k < 2 * VL - 1; k++)
        t[k] += t[k];
    UNROLL for (int i = 0; i < VL; i++) {
        t[2 * i] = lanes_low(t[2 * i], a->limb[i], a->limb[i]);
        t[2 * i + 1] = lanes_high(t[2 * i + 1], a->limb[i], a->limb[i]);
    }
}

/* One step of a reduction, in two kinds: both leave t / 2^52 mod p in t[1 ..], and t[0] dead.
 *
 * By s = 1/2^52 mod p: the low limb m leaves and m s < 2^52 p comes back.  Beside a Montgomery row this saves the
 *    product
 * for the quotient digit and its latency, but the result is up to 2^52 p, so that the last two rows are Montgomery
 * rows. */
CUZK_FN_INLINE void V(fold)(lanes *t)
{
    const uint64_t *step = lanes_table(K(V_STEP));
    lanes m = t[0], carry = lanes_carry(t[0]);
    UNROLL for (int k = 0; k < VL; k++) {
        t[k + 1] = lanes_low(t[k + 1], m, lanes_all(step[k]));
        t[k + 2] = lanes_high(t[k + 2], m, lanes_all(step[k]));
    }
    t[1] += carry;
}

/* By Montgomery: (t + m p) / 2^52 with m = -t / p mod 2^52.  t[0] + low(m p[0]) is the next multiple of 2^52, so that
 * its carry is that of t[0] + 2^52 - 1 and one product is saved. */
CUZK_FN_INLINE void V(montgomery)(lanes *t)
{
    const uint64_t *mod = lanes_table(K(V_MOD));
    lanes m = lanes_low(lanes_all(0), t[0], lanes_all(K(V_N0)));
    t[1] = lanes_high(t[1] + lanes_carry(t[0] + LIMB_MASK), m, lanes_all(mod[0]));
    UNROLL for (int k = 1; k < VL; k++) {
        t[k] = lanes_low(t[k], m, lanes_all(mod[k]));
        t[k + 1] = lanes_high(t[k + 1], m, lanes_all(mod[k]));
    }
}

/* r = t / V mod p for |t| < V p, limbs of t signed and below 2^60; t is destroyed.
 * Bound: L - 2 folds leave |t'| < |t| / 2^(52 (L-2)) + 2^52 p (1 + 2^-51); two Montgomery rows divide that by 2^104 and
 * add less than p / 2^52 and p:  t / V - p / 2^50 < r < t / V + p + p / 2^50, loose. */
CUZK_FN_INLINE void V(reduce_product)(V_NAME *r, lanes *t)
{
    UNROLL for (int i = 0; i < VL - 2; i++)
        V(fold)(t + i);
    V(montgomery)(t + VL - 2);
    V(montgomery)(t + VL - 1);
    UNROLL for (int k = 0; k < VL; k++)
        r->limb[k] = t[VL + k];
}

/* r = a b / V mod p, loose.  Product first, then the reduction: 2 L accumulators give the two multiply-adds that may
 * start in each cycle enough independent chains (rows of both in turn: 2.9 ns, this: 2.1 ns in five limbs). */
CUZK_FN_INLINE void V(mul_loose)(V_NAME *r, const V_NAME *a, const V_NAME *b)
{
    lanes t[2 * VL];
    V(product)(t, a, b);
    V(reduce_product)(r, t);
}

/* Two independent products, row by row in turn, so that each covers the latency of the other: the limit of the unit. */
CUZK_FN_INLINE void V(mul2_loose)(V_NAME *r0, const V_NAME *a0, const V_NAME *b0, V_NAME *r1, const V_NAME *a1,
                                  const V_NAME *b1)
{
    lanes t[2 * VL], u[2 * VL];
    UNROLL for (int k = 0; k < 2 * VL; k++)
        t[k] = u[k] = lanes_all(0);
    UNROLL for (int i = 0; i < VL; i++) {
        V(row)(t + i, a0->limb[i], b0->limb);
        V(row)(u + i, a1->limb[i], b1->limb);
    }
    UNROLL for (int i = 0; i < VL - 2; i++) {
        V(fold)(t + i);
        V(fold)(u + i);
    }
    UNROLL for (int i = VL - 2; i < VL; i++) {
        V(montgomery)(t + i);
        V(montgomery)(u + i);
    }
    UNROLL for (int k = 0; k < VL; k++) {
        r0->limb[k] = t[VL + k];
        r1->limb[k] = u[VL + k];
    }
}

CUZK_FN_INLINE void V(sqr_loose)(V_NAME *r, const V_NAME *a)
{
    lanes t[2 * VL];
    V(square)(t, a);
    V(reduce_product)(r, t);
}

CUZK_FN_INLINE void V(mul)(V_NAME *r, const V_NAME *a, const V_NAME *b)
{
    V(mul_loose)(r, a, b);
    V(tidy)(r);
}

CUZK_FN_INLINE void V(sqr)(V_NAME *r, const V_NAME *a)
{
    V(sqr_loose)(r, a);
    V(tidy)(r);
}

/* A loose product to what V(mul) gives. */
CUZK_FN_INLINE void V(settle)(V_NAME *r) { V(tidy)(r); }

/* r = a b for one number b of all lanes. */
CUZK_FN_INLINE void V(mul_all)(V_NAME *r, const V_NAME *a, const uint64_t b[VL])
{
    V_NAME factor;
    V(set_all)(&factor, b);
    V(mul)(r, a, &factor);
}

/* --- to and from the scalar code ---------------------------------------------------------------------------------- */

/* Words as they are, no change of radix: the integer below R that the scalar code holds, at byte `at` of each. */
CUZK_FN_INLINE void V(load)(V_NAME *r, const uint8_t *const from[LANES], const size_t at)
{
    lanes word[V(words)];
    lanes_load(word, from, at, V(words));
    lanes_to_limbs(r->limb, word, VL, V(words));
}

/* Reduced values. */
CUZK_FN_INLINE void V(store)(uint8_t *const to[LANES], const V_NAME *a, const size_t at)
{
    lanes word[V(words)];
    lanes_to_words(word, a->limb, VL, V(words));
    lanes_store(to, word, at, V(words));
}

/* Lane 0, v < 2 p, as the integer that the scalar code holds; and such an integer into all lanes.  No change of radix.
 * */
CUZK_FN void V(to_one)(V_FIELD *r, const V_NAME *a)
{
    V_FIELD all[LANES];
    uint8_t *to[LANES];
    V_NAME t = *a;
    V(reduce)(&t);
    for (int i = 0; i < LANES; i++)
        to[i] = (uint8_t *)&all[i];
    V(store)(to, &t, 0);
    *r = all[0];
}

CUZK_FN void V(from_one)(V_NAME *r, const V_FIELD *a)
{
    const uint8_t *from[LANES];
    for (int i = 0; i < LANES; i++)
        from[i] = (const uint8_t *)a;
    V(load)(r, from, 0);
}

/* Eight consecutive elements, Montgomery form of the scalar code (radix R) to that of the lanes (radix V) and back. */
CUZK_FN void V(from_field)(V_NAME *r, const V_FIELD *a)
{
    const uint8_t *from[LANES];
    for (int i = 0; i < LANES; i++)
        from[i] = (const uint8_t *)(a + i);
    V(load)(r, from, 0);
    V(mul_all)(r, r, K(V_FROM));
}

/* a < 16 p. */
CUZK_FN void V(to_field)(V_FIELD *r, const V_NAME *a)
{
    uint8_t *to[LANES];
    V_NAME factor, t;
    for (int i = 0; i < LANES; i++)
        to[i] = (uint8_t *)(r + i);
    V(set_all)(&factor, K(V_TO));
    V(mul_loose)(&t, a, &factor);
    V(reduce)(&t);
    V(store)(to, &t, 0);
}

#undef V_NAME
#undef V_FIELD
#undef V
#undef K
#undef VL
