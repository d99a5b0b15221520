/* math/ifma_ntt_tmpl.h - the passes of ntt_tmpl.h with eight lanes, for domains of NTT_LANES_LOG2 and more.  Included
 * by ntt_tmpl.h, whose words (down, up, block, strip, mirror) are used here.
 * In      F_NAME, F(ntt_pass) and what comes before it
 * Out     F(ntt_lane_strip_task), F(ntt_lane_block_task): same results as the tasks without lanes, bit for bit
 *
 * Radix   values keep the radix R of the scalar code; factors are in the radix V of the lanes, so that a product has
 *         the radix of the value.  The twiddles of a domain with lanes are in the radix V (still words, reduced).
 * Lanes   Eight columns of a strip: butterflies are between vectors, with one factor for all lanes.  The last three
 *         levels of a block are inside a vector: 64 values are transposed, so that lanes are eight blocks of eight with
 *         a factor of their own each.
 * Bounds  down: a product is below 2 p (values <= 34 p), so that a level adds 2 p: after k levels from B p at most
 *         (B + 2 k) p.  A pass starts from 1.5 p and may do eight levels; then values are shrunk to 4 p.
 *         up: values <= 4 p; sums to 16 p are shrunk, differences to 16 p go into a product, which is below 1.5 p. */
#include "math/cat.h"

#define V_NAME CAT(F_NAME, _v)
#define V_FIELD F_NAME
#include "math/ifma_field_tmpl.h"

#define LV      CAT(F_NAME, _v)
#define L(name) CAT3(F_NAME, _v_, name)

#ifndef CUZK_MATH_IFMA_NTT_ONCE
#define CUZK_MATH_IFMA_NTT_ONCE
#define NTT_BOUND_MAX 17 /* times p, and half a p more: what L(shrink) takes */
#endif

static_assert(NTT_STRIP >> NTT_STRIP_LOG2 >= LANES, "the deepest strip is a vector wide");

/* --- factors ------------------------------------------------------------------------------------------------------ */

/* What all tasks of a pass share. */
struct F(lane_factors) {
    const fr *z;
    fr        minus_one;
};

CUZK_FN_INLINE const fr *F(lane_down_factor)(const struct F(lane_factors) *f, size_t block)
{
    return block == 0 ? &f->minus_one : &f->z[F(ntt_mirror)(block)];
}

/* One factor for all lanes: taken apart in integer registers, which have nothing else to do. */
CUZK_FN_INLINE void F(lane_broadcast)(LV *r, const fr *z)
{
    UNROLL for (int k = 0; k < 5; k++) {
        int at = LIMB_BITS * k / 64, shift = LIMB_BITS * k % 64;
        uint64_t t = z->limb[at] >> shift;
        if (shift + LIMB_BITS > 64 && at + 1 < 4)
            t |= z->limb[at + 1] << (64 - shift);
        r->limb[k] = lanes_all(t & LIMB_MASK);
    }
}

/* --- butterflies: the formulas of ntt_tmpl.h ---------------------------------------------------------------------- */

/* x - t, x + t with t < 2 p. */
CUZK_FN_INLINE void F(lane_minus_plus)(LV *minus, LV *plus, const LV *x, const LV *t)
{
    LV base = *x;
    L(add_loose)(plus, &base, t);
    L(sub_loose)(minus, &base, t);
    L(add_p)(minus, 2);
}

CUZK_FN_INLINE void F(lane_down_2)(LV *x, LV *y, const LV *s)
{
    LV t;
    L(mul_loose)(&t, y, s);
    F(lane_minus_plus)(x, y, x, &t);
    L(tidy)(x);
    L(tidy)(y);
}

CUZK_FN_INLINE void F(lane_up_2)(LV *x, LV *y, const LV *t)
{
    LV sum, difference;
    L(add_loose)(&sum, x, y);
    L(shrink)(&sum);
    L(sub)(&difference, x, y, 4);
    L(mul)(y, &difference, t);
    *x = sum;
}

/* Rows a, b, c, d: block i with factor s, then blocks 2i (s0) and 2i + 1 (s1). */
CUZK_FN_INLINE void F(lane_down_4)(LV *a, LV *b, LV *c, LV *d, const LV *s, const LV *s0, const LV *s1)
{
    LV t, u, a1, b1, c1, d1;
    L(mul2_loose)(&t, c, s, &u, d, s);
    F(lane_minus_plus)(&a1, &c1, a, &t);
    F(lane_minus_plus)(&b1, &d1, b, &u);
    L(tidy)(&b1);
    L(tidy)(&d1);
    L(mul2_loose)(&t, &b1, s0, &u, &d1, s1);
    F(lane_minus_plus)(a, b, &a1, &t);
    F(lane_minus_plus)(c, d, &c1, &u);
    L(tidy)(a);
    L(tidy)(b);
    L(tidy)(c);
    L(tidy)(d);
}

CUZK_FN_INLINE void F(lane_up_4)(LV *a, LV *b, LV *c, LV *d, const LV *s, const LV *s0, const LV *s1)
{
    LV ab, cd, t, u;
    L(add_loose)(&ab, a, b);
    L(add_loose)(&cd, c, d);
    L(sub)(b, a, b, 4);
    L(sub)(d, c, d, 4);
    L(mul2_loose)(&t, b, s0, &u, d, s1);
    L(add_loose)(a, &ab, &cd);
    L(shrink)(a);
    L(sub)(c, &ab, &cd, 8);
    L(add)(b, &t, &u);
    L(sub)(d, &t, &u, 2);
    L(mul2_loose)(c, c, s, d, d, s);
    L(tidy)(c);
    L(tidy)(d);
}

/* --- levels between vectors --------------------------------------------------------------------------------------- */

CUZK_FN void F(lane_down_rows_2)(LV *x, size_t half, const struct F(lane_factors) *f, size_t block)
{
    LV s;
    F(lane_broadcast)(&s, F(lane_down_factor)(f, block));
    for (size_t i = 0; i < half; i++)
        F(lane_down_2)(&x[i], &x[i + half], &s);
}

CUZK_FN void F(lane_up_rows_2)(LV *x, size_t half, const struct F(lane_factors) *f, size_t block)
{
    LV s;
    F(lane_broadcast)(&s, &f->z[block]);
    for (size_t i = 0; i < half; i++)
        F(lane_up_2)(&x[i], &x[i + half], &s);
}

CUZK_FN_NOINLINE void F(lane_down_rows_4)(LV *x, size_t q, const struct F(lane_factors) *f, size_t block)
{
    LV s, s0, s1;
    F(lane_broadcast)(&s, F(lane_down_factor)(f, block));
    F(lane_broadcast)(&s0, F(lane_down_factor)(f, 2 * block));
    F(lane_broadcast)(&s1, F(lane_down_factor)(f, 2 * block + 1));
    for (size_t i = 0; i < q; i++)
        F(lane_down_4)(&x[i], &x[i + q], &x[i + 2 * q], &x[i + 3 * q], &s, &s0, &s1);
}

CUZK_FN_NOINLINE void F(lane_up_rows_4)(LV *x, size_t q, const struct F(lane_factors) *f, size_t block)
{
    LV s, s0, s1;
    F(lane_broadcast)(&s, &f->z[block]);
    F(lane_broadcast)(&s0, &f->z[2 * block]);
    F(lane_broadcast)(&s1, &f->z[2 * block + 1]);
    for (size_t i = 0; i < q; i++)
        F(lane_up_4)(&x[i], &x[i + q], &x[i + 2 * q], &x[i + 3 * q], &s, &s0, &s1);
}

CUZK_FN void F(lane_shrink_all)(LV *x, size_t vectors)
{
    for (size_t i = 0; i < vectors; i++)
        L(shrink)(&x[i]);
}

/* `levels` levels on 2^levels rows of `width` vectors, all below 1.5 p (reduced values, or products).  Returns
 * the bound that they are below then. */
static uint32_t F(lane_down_rows)(LV *x, uint32_t levels, size_t width, const struct F(lane_factors) *f, size_t block)
{
    uint32_t k = 0, bound = 1;
    if (levels % 2 == 1) {
        F(lane_down_rows_2)(x, width << (levels - 1), f, block);
        k = 1, bound += 2;
    }
    for (; k < levels; k += 2, bound += 4) {
        size_t q = width << (levels - k - 2);
        if (bound + 4 > NTT_BOUND_MAX) {
            F(lane_shrink_all)(x, width << levels);
            bound = 4;
        }
        for (size_t i = 0; i < (size_t)1 << k; i++)
            F(lane_down_rows_4)(x + 4 * i * q, q, f, (block << k) + i);
    }
    return bound;
}

static void F(lane_up_rows)(LV *x, uint32_t levels, size_t width, const struct F(lane_factors) *f, size_t block)
{
    uint32_t k = levels;
    for (; k >= 2; k -= 2) {
        size_t q = width << (levels - k);
        for (size_t i = 0; i < (size_t)1 << (k - 2); i++)
            F(lane_up_rows_4)(x + 4 * i * q, q, f, (block << (k - 2)) + i);
    }
    if (k == 1)
        F(lane_up_rows_2)(x, width << (levels - 1), f, block);
}

/* --- the last three levels, inside vectors ------------------------------------------------------------------------ */

/* Lane l: factor of block first + stride l, of the table that `down` means. */
CUZK_FN_INLINE void F(lane_gather)(LV *r, const struct F(lane_factors) *f, size_t first, size_t stride, const bool down)
{
    const uint8_t *from[LANES];
    UNROLL for (size_t l = 0; l < LANES; l++) {
        size_t block = first + stride * l;
        from[l] = (const uint8_t *)(down ? F(lane_down_factor)(f, block) : &f->z[block]);
    }
    L(load)(r, from, 0);
}

CUZK_FN_INLINE void F(lane_transpose)(LV x[8])
{
    UNROLL for (int k = 0; k < 5; k++) {
        lanes v[8];
        UNROLL for (int i = 0; i < 8; i++)
            v[i] = x[i].limb[k];
        lanes_transpose(v);
        UNROLL for (int i = 0; i < 8; i++)
            x[i].limb[k] = v[i];
    }
}

/* Transposed: lane l is block first + l of eight values. */
CUZK_FN_NOINLINE void F(lane_down_8)(LV x[8], const struct F(lane_factors) *f, size_t first)
{
    LV s, s0, s1;
    F(lane_gather)(&s, f, first, 1, true);
    F(lane_gather)(&s0, f, 2 * first, 2, true);
    F(lane_gather)(&s1, f, 2 * first + 1, 2, true);
    F(lane_down_4)(&x[0], &x[2], &x[4], &x[6], &s, &s0, &s1);
    F(lane_down_4)(&x[1], &x[3], &x[5], &x[7], &s, &s0, &s1);
    for (size_t i = 0; i < 4; i++) {
        F(lane_gather)(&s, f, 4 * first + i, 4, true);
        F(lane_down_2)(&x[2 * i], &x[2 * i + 1], &s);
    }
}

CUZK_FN_NOINLINE void F(lane_up_8)(LV x[8], const struct F(lane_factors) *f, size_t first)
{
    LV s, s0, s1;
    for (size_t i = 0; i < 4; i++) {
        F(lane_gather)(&s, f, 4 * first + i, 4, false);
        F(lane_up_2)(&x[2 * i], &x[2 * i + 1], &s);
    }
    F(lane_gather)(&s, f, first, 1, false);
    F(lane_gather)(&s0, f, 2 * first, 2, false);
    F(lane_gather)(&s1, f, 2 * first + 1, 2, false);
    F(lane_up_4)(&x[0], &x[2], &x[4], &x[6], &s, &s0, &s1);
    F(lane_up_4)(&x[1], &x[3], &x[5], &x[7], &s, &s0, &s1);
}

/* --- scaling between down and up ---------------------------------------------------------------------------------- */

#define NTT_GROUP 64 /* values that are transposed together */

/* The factors of value numbers below NTT_GROUP without size_inv, transposed: low[j] lane l is that of 8 l + j. */
struct F(lane_powers) {
    const struct F(ntt_powers) *powers;
    LV                          low[8];
};

static void F(lane_powers_init)(struct F(lane_powers) *p, const struct F(ntt_powers) *powers)
{
    p->powers = powers;
    for (int j = 0; j < 8; j++) {
        const uint8_t *from[LANES];
        for (int l = 0; l < LANES; l++)
            from[l] = (const uint8_t *)&powers->low[8 * l + j];
        L(load)(&p->low[j], from, 0);
        L(mul_all)(&p->low[j], &p->low[j], F(V_FROM));
    }
}

/* *above = size_inv shift^reverse(begin) without the bits of powers->low. */
static void F(lane_above)(fr *above, const struct F(ntt_powers) *p, size_t begin)
{
    *above = p->size_inv;
    for (uint32_t j = p->low_log2; j < p->log2; j++)
        if (begin >> j & 1)
            F(mul)(above, above, &p->bit[j]);
}

/* size_inv shift^reverse(begin) in the radix V, begin a multiple of NTT_GROUP; *above is that of begin or before. */
static void F(lane_high_factor)(LV *r, const struct F(ntt_powers) *p, size_t begin, fr *above)
{
    size_t low = begin & (((size_t)1 << p->low_log2) - 1);
    fr high;
    if (low == 0)
        F(lane_above)(above, p, begin);
    F(mul)(&high, above, &p->low[low]);
    F(lane_broadcast)(r, &high);
    L(mul_all)(r, r, F(V_FROM));
}

CUZK_FN void F(lane_scale)(LV x[8], const struct F(lane_powers) *p, size_t begin, fr *above)
{
    LV high;
    F(lane_high_factor)(&high, p->powers, begin, above);
    for (int j = 0; j < 8; j += 2) {
        LV t, u;
        L(mul2_loose)(&t, &p->low[j], &high, &u, &p->low[j + 1], &high);
        L(tidy)(&t);
        L(tidy)(&u);
        L(mul2_loose)(&x[j], &x[j], &t, &x[j + 1], &x[j + 1], &u);
        L(tidy)(&x[j]);
        L(tidy)(&x[j + 1]);
    }
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* Eight consecutive values. */
CUZK_FN_INLINE void F(lane_read)(LV *r, const fr *x)
{
    const uint8_t *from[LANES];
    UNROLL for (int i = 0; i < LANES; i++)
        from[i] = (const uint8_t *)(x + i);
    L(load)(r, from, 0);
}

/* a < 4 p. */
CUZK_FN_INLINE void F(lane_write)(fr *x, const LV *a)
{
    uint8_t *to[LANES];
    LV t = *a;
    UNROLL for (int i = 0; i < LANES; i++)
        to[i] = (uint8_t *)(x + i);
    L(add_p)(&t, -2);
    L(reduce)(&t);
    L(store)(to, &t, 0);
}

/* a b; a below p, V / R = 16. */
CUZK_FN_INLINE void F(lane_product)(LV *r, const LV *a, const LV *b)
{
    LV t;
    UNROLL for (int k = 4; k > 0; k--)
        t.limb[k] = a->limb[k] << 4 | a->limb[k - 1] >> (LIMB_BITS - 4);
    t.limb[0] = a->limb[0] << 4;
    L(mul)(r, &t, b);
}

/* a = a b - c, without a radix; all below 4 p.  The product is below 1.5 p, so that 16 of it less c is below 28 p. */
CUZK_FN_INLINE void F(lane_difference)(LV *a, const LV *b, const LV *c)
{
    static const uint64_t ratio[5] = { 16 };
    LV t;
    L(mul)(&t, a, b);
    UNROLL for (int k = 0; k < 5; k++)
        t.limb[k] <<= 4;
    L(sub)(&t, &t, c, 4);
    L(mul_all)(a, &t, ratio);
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

static struct F(lane_factors) F(lane_factors_of)(const struct F(ntt_pass) *p)
{
    struct F(lane_factors) f = { .z = p->z };
    F(neg)(&f.minus_one, &p->z[0]);
    return f;
}

static void F(lane_strip_in)(LV *buffer, const fr *x, size_t rows, size_t stride, size_t width)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < width; i++)
            F(lane_read)(&buffer[r * width + i], x + r * stride + i * LANES);
}

static void F(lane_strip_out)(fr *x, const LV *buffer, size_t rows, size_t stride, size_t width)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < width; i++)
            F(lane_write)(x + r * stride + i * LANES, &buffer[r * width + i]);
}

static void F(ntt_lane_strip_task)(void *context, size_t task, size_t worker)
{
    const struct F(ntt_pass) *p = context;
    const struct F(lane_factors) f = F(lane_factors_of)(p);
    uint32_t levels = p->to - p->from;
    size_t rows = (size_t)1 << levels, stride = (size_t)1 << (p->log2 - p->to), strips = stride / p->columns;
    size_t block = task / strips, at = block * (rows * stride) + task % strips * p->columns;
    size_t width = p->columns / LANES, product = p->steps & F(NTT_PRODUCT) ? 1 : 0;
    LV buffer[3][NTT_STRIP / LANES];

    (void)worker;
    for (size_t k = 0; k < p->arrays - product; k++)
        F(lane_strip_in)(buffer[k], p->x[k] + at, rows, stride, width);
    if (product)
        for (size_t i = 0; i < rows * width; i++)
            F(lane_product)(&buffer[2][i], &buffer[0][i], &buffer[1][i]);
    for (size_t k = 0; k < p->arrays; k++) {
        if (p->steps & F(NTT_DOWN)) {
            F(lane_down_rows)(buffer[k], levels, width, &f, block);
            F(lane_shrink_all)(buffer[k], rows * width);
        } else {
            F(lane_up_rows)(buffer[k], levels, width, &f, block);
        }
    }
    if (p->steps & F(NTT_QUOTIENT))
        for (size_t i = 0; i < rows * width; i++)
            F(lane_difference)(&buffer[0][i], &buffer[1][i], &buffer[2][i]);
    for (size_t k = 0; k < (p->steps & F(NTT_QUOTIENT) ? 1 : p->arrays); k++)
        F(lane_strip_out)(p->x[k] + at, buffer[k], rows, stride, width);
}

/* The levels inside vectors, and what comes between down and up, for all groups of a block. */
static void F(lane_groups)(LV *x, const struct F(ntt_pass) *p, const struct F(lane_factors) *f, size_t first,
                           size_t count)
{
    struct F(lane_powers) powers;
    fr above = { { 0 } };
    if (p->powers != NULL) {
        F(lane_powers_init)(&powers, p->powers);
        F(lane_above)(&above, p->powers, first);
    }
    for (size_t at = 0; at < count; at += NTT_GROUP) {
        LV *group = x + at / LANES;
        F(lane_transpose)(group);
        if (p->steps & F(NTT_DOWN))
            F(lane_down_8)(group, f, (first + at) / LANES);
        if (p->powers != NULL)
            F(lane_scale)(group, &powers, first + at, &above);
        if (p->steps & F(NTT_UP))
            F(lane_up_8)(group, f, (first + at) / LANES);
        F(lane_transpose)(group);
    }
}

static void F(ntt_lane_block_task)(void *context, size_t task, size_t worker)
{
    const struct F(ntt_pass) *p = context;
    const struct F(lane_factors) f = F(lane_factors_of)(p);
    uint32_t levels = p->to - p->from - 3;
    size_t count = (size_t)1 << (p->to - p->from), vectors = count / LANES;
    LV buffer[(1 << NTT_BLOCK_LOG2) / LANES];

    (void)worker;
    for (size_t k = 0; k < p->arrays; k++) {
        fr *x = p->x[k] + task * count;
        uint32_t bound = 1;
        for (size_t i = 0; i < vectors; i++)
            F(lane_read)(&buffer[i], x + i * LANES);
        if (p->steps & F(NTT_DOWN))
            bound = F(lane_down_rows)(buffer, levels, 1, &f, task);
        if (bound + 6 > NTT_BOUND_MAX)
            F(lane_shrink_all)(buffer, vectors);
        F(lane_groups)(buffer, p, &f, task * count, count);
        if (p->steps & F(NTT_UP))
            F(lane_up_rows)(buffer, levels, 1, &f, task);
        else
            F(lane_shrink_all)(buffer, vectors);
        for (size_t i = 0; i < vectors; i++)
            F(lane_write)(x + i * LANES, &buffer[i]);
    }
}

#undef NTT_GROUP
#undef LV
#undef L
