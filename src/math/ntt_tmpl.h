/* math/ntt_tmpl.h - number-theoretic transforms over one scalar field.
 * In      F_NAME, a field of field_tmpl.h made with F_TYPE fr; constants TWO_ADICITY, ROOT_SNARKJS, ROOT_GNARK, SHIFT_TOP
 * Out     the functions of struct ntt_ops: F(ntt_domain_bytes) .. F(ntt_quotient_snarkjs)
 *
 * Two transforms of m = 2^L values, each L levels of butterflies in place, w a primitive m-th root:
 *
 *   down  natural order -> bit-reversed order, root 1/w:  (x, y) -> (x + t y, x - t y),  blocks of m, m/2, .. 2
 *   up    bit-reversed order -> natural order, root w:    (x, y) -> (x + y, (x - y) / t), blocks of 2, 4, .. m
 *
 * so that values -> coefficients -> values needs no permutation: up undoes down but for the factor m.  All butterflies of
 * one block share one factor: block i of any level has t = 1/z[i], z[i] = w^reverse(i), reverse() of L - 1 bits.  One
 * table of m/2 entries serves every level in both directions: with n = 3 2^j - 1 - i for 2^j <= i < 2^(j+1) ("mirror",
 * the complement of all bits below the top one), 1/z[i] = -z[n], because reverse(i) + reverse(n) = m/2.
 *
 * Memory  Levels are done in passes.  A pass over levels [from, to) treats m >> from contiguous values as 2^(to-from) rows
 *         and takes a strip of a few columns through all its levels in a buffer that fits the first-level cache; the
 *         last pass has one column and contiguous blocks.  2^13 .. 2^20 values: two passes, to 2^28: three.
 * Alias   a, b, c distinct. */
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "math/cat.h"
#include "math/ntt_types.h"

#ifndef CUZK_MATH_NTT_ONCE
#define CUZK_MATH_NTT_ONCE

#define NTT_STRIP      2048 /* values in a strip: 64 KiB */
#define NTT_STRIP_LOG2 8    /* levels in a pass over strips, at most */
#define NTT_BLOCK_LOG2 12   /* levels in the last pass, at most: three blocks of 128 KiB stay in the second-level cache */
#define NTT_WHOLE_LOG2 6    /* so many levels or fewer: one pass, one task */
#define NTT_POWERS     256  /* powers of the coset's shift that are kept at hand */
#define NTT_PASSES_MAX 5
#define NTT_LANES_LOG2 12   /* from here on with lanes, where the path has them */
#if defined(__AVX512IFMA__)
#define NTT_LANES(log2) ((log2) >= NTT_LANES_LOG2)
#else
#define NTT_LANES(log2) ((void)(log2), false)
#endif

/* Pass i does levels [from[i], from[i + 1]). */
struct ntt_passes {
    uint32_t count;
    uint32_t from[NTT_PASSES_MAX + 1];
};

static inline __attribute__((unused)) struct ntt_passes ntt_passes_of(uint32_t log2)
{
    struct ntt_passes p = { .count = 1, .from = { 0, log2 } };
    if (log2 <= NTT_WHOLE_LOG2)
        return p;
    uint32_t last = log2 / 2 < NTT_BLOCK_LOG2 ? log2 / 2 : NTT_BLOCK_LOG2;
    if (log2 - last > NTT_STRIP_LOG2 && log2 <= NTT_STRIP_LOG2 + NTT_BLOCK_LOG2)
        last = log2 - NTT_STRIP_LOG2;
    uint32_t rest = log2 - last;
    p.count = (rest + NTT_STRIP_LOG2 - 1) / NTT_STRIP_LOG2 + 1;
    for (uint32_t i = 0; i < p.count; i++)
        p.from[i] = rest * i / (p.count - 1);
    p.from[p.count] = log2;
    return p;
}

#endif

#define F(name) CAT3(F_NAME, _, name)

/* --- domains ------------------------------------------------------------------------------------------------------- */

static size_t F(ntt_domain_bytes)(uint32_t log2)
{
    return sizeof(struct ntt_domain) + (((size_t)1 << log2) / 2 + 1) * sizeof(fr);
}

CUZK_FN void F(ntt_root)(fr *r, enum root_kind kind, uint32_t log2)
{
    memcpy(r, kind == ROOT_SNARKJS ? F(ROOT_SNARKJS) : F(ROOT_GNARK), sizeof *r);
    for (uint32_t k = F(TWO_ADICITY); k > log2; k--)
        F(sqr)(r, r);
}

#define NTT_FILL_CHUNK 4096

struct F(ntt_fill) {
    fr    *z;
    fr     factor;
    size_t half;
};

static void F(ntt_fill_task)(void *context, size_t task, size_t worker)
{
    const struct F(ntt_fill) *f = context;
    size_t begin = task * NTT_FILL_CHUNK, end = begin + NTT_FILL_CHUNK < f->half ? begin + NTT_FILL_CHUNK : f->half;
    (void)worker;
    for (size_t i = begin; i < end; i++)
        F(mul)(&f->z[f->half + i], &f->z[i], &f->factor);
}

/* z[2^j + i] = z[i] w_(2^(j+2)): bit j of the index is bit L-2-j of the exponent.  All are 16 times as large for lanes,
 * which is their change of radix. */
static void F(ntt_fill_twiddles)(struct ntt_domain *d, enum root_kind kind, struct pool *pool)
{
    F(set_one)(&d->twiddles[0]);
    for (int k = 0; k < 4 && NTT_LANES(d->log2); k++)
        F(dbl)(&d->twiddles[0], &d->twiddles[0]);
    for (uint32_t j = 0; j + 1 < d->log2; j++) {
        struct F(ntt_fill) f = { .z = d->twiddles, .half = (size_t)1 << j };
        F(ntt_root)(&f.factor, kind, j + 2);
        pool_run(pool, (f.half + NTT_FILL_CHUNK - 1) / NTT_FILL_CHUNK, F(ntt_fill_task), &f);
    }
}

static void F(ntt_domain_close)(struct ntt_domain *d)
{
    if (d == NULL)
        return;
    mem_free(d->twiddles);
    mem_free(d->path_tables);
    mem_free(d);
}

static cuzk_status F(ntt_domain_open)(struct ntt_domain **out, uint32_t log2, enum root_kind kind, struct pool *pool,
                                      struct cuzk_err *err)
{
    cuzk_status st;
    struct ntt_domain *d = NULL;
    fr two;

    *out = NULL;
    if (log2 > F(TWO_ADICITY))
        FAIL(CUZK_E_INPUT, "a domain of 2^%u points: this field has roots of unity up to 2^%d", log2, F(TWO_ADICITY));
    d = mem_new(1, sizeof *d);
    if (d != NULL)
        d->twiddles = mem_new(((size_t)1 << log2) / 2 + 1, sizeof(fr));
    if (d == NULL || d->twiddles == NULL)
        FAIL(CUZK_E_IO, "no memory for a domain of 2^%u points", log2);
    d->log2 = log2;
    F(ntt_root)(&d->root, kind, log2);
    F(inv)(&d->root_inv, &d->root);
    F(from_u64)(&two, 2);
    F(inv)(&two, &two);
    F(set_one)(&d->size_inv);
    for (uint32_t i = 0; i < log2; i++)
        F(mul)(&d->size_inv, &d->size_inv, &two);
    if (log2 < F(TWO_ADICITY))
        F(ntt_root)(&d->coset, kind, log2 + 1);
    else
        memcpy(&d->coset, F(SHIFT_TOP), sizeof d->coset);
    F(ntt_fill_twiddles)(d, kind, pool);
    *out = d;
    return CUZK_OK;
out:
    F(ntt_domain_close)(d);
    return st;
}

/* --- butterflies --------------------------------------------------------------------------------------------------- */

/* x + s y, x - s y with s = -t: the sums change places. */
CUZK_FN void F(ntt_down_2)(fr *x, fr *y, const fr *s)
{
    fr t;
    F(mul)(&t, y, s);
    F(add)(y, x, &t);
    F(sub)(x, x, &t);
}

CUZK_FN void F(ntt_sum_2)(fr *x, fr *y)
{
    fr t = *x;
    F(add)(x, &t, y);
    F(sub)(y, &t, y);
}

/* x - y + p < 2p needs no comparison before the product. */
CUZK_FN void F(ntt_up_2)(fr *x, fr *y, const fr *t)
{
    fr d;
    limbs_sub(d.limb, F(MOD), y->limb, 4);
    limbs_add(d.limb, d.limb, x->limb, 4);
    F(add)(x, x, y);
    F(mul)(y, &d, t);
}

CUZK_FN size_t F(ntt_mirror)(size_t i) { return i == 0 ? 0 : ((size_t)3 << (63 - __builtin_clzll(i))) - 1 - i; }

/* One level: `rows` rows of `columns` values, one block. */
CUZK_FN void F(ntt_down_rows_2)(fr *x, size_t rows, size_t columns, const fr *z, size_t block)
{
    size_t half = rows / 2 * columns, n = F(ntt_mirror)(block);
    if (block == 0)
        for (size_t i = 0; i < half; i++)
            F(ntt_sum_2)(&x[i], &x[i + half]);
    else
        for (size_t i = 0; i < half; i++)
            F(ntt_down_2)(&x[i], &x[i + half], &z[n]);
}

CUZK_FN void F(ntt_up_rows_2)(fr *x, size_t rows, size_t columns, const fr *z, size_t block)
{
    size_t half = rows / 2 * columns;
    if (block == 0)
        for (size_t i = 0; i < half; i++)
            F(ntt_sum_2)(&x[i], &x[i + half]);
    else
        for (size_t i = 0; i < half; i++)
            F(ntt_up_2)(&x[i], &x[i + half], &z[block]);
}

/* Two levels at once: block i, then blocks 2i and 2i + 1, whose mirrors are 2n + 1 and 2n. */
CUZK_FN void F(ntt_down_rows_4)(fr *x, size_t rows, size_t columns, const fr *z, size_t block)
{
    size_t q = rows / 4 * columns, n = F(ntt_mirror)(block);
    if (block == 0) {
        for (size_t i = 0; i < q; i++) {
            fr *a = &x[i];
            F(ntt_sum_2)(&a[0], &a[2 * q]);
            F(ntt_sum_2)(&a[q], &a[3 * q]);
            F(ntt_sum_2)(&a[0], &a[q]);
            F(ntt_down_2)(&a[2 * q], &a[3 * q], &z[1]);
        }
        return;
    }
    for (size_t i = 0; i < q; i++) {
        fr *a = &x[i];
        F(ntt_down_2)(&a[0], &a[2 * q], &z[n]);
        F(ntt_down_2)(&a[q], &a[3 * q], &z[n]);
        F(ntt_down_2)(&a[0], &a[q], &z[2 * n + 1]);
        F(ntt_down_2)(&a[2 * q], &a[3 * q], &z[2 * n]);
    }
}

CUZK_FN void F(ntt_up_rows_4)(fr *x, size_t rows, size_t columns, const fr *z, size_t block)
{
    size_t q = rows / 4 * columns;
    if (block == 0) {
        for (size_t i = 0; i < q; i++) {
            fr *a = &x[i];
            F(ntt_sum_2)(&a[0], &a[q]);
            F(ntt_up_2)(&a[2 * q], &a[3 * q], &z[1]);
            F(ntt_sum_2)(&a[0], &a[2 * q]);
            F(ntt_sum_2)(&a[q], &a[3 * q]);
        }
        return;
    }
    for (size_t i = 0; i < q; i++) {
        fr *a = &x[i];
        F(ntt_up_2)(&a[0], &a[q], &z[2 * block]);
        F(ntt_up_2)(&a[2 * q], &a[3 * q], &z[2 * block + 1]);
        F(ntt_up_2)(&a[0], &a[2 * q], &z[block]);
        F(ntt_up_2)(&a[q], &a[3 * q], &z[block]);
    }
}

/* `levels` levels on 2^levels rows of `columns` values, which are block `block` of the level they begin with. */
CUZK_FN_NOINLINE void F(ntt_down_rows)(fr *x, uint32_t levels, size_t columns, const fr *z, size_t block)
{
    uint32_t k = 0;
    if (levels % 2 == 1) {
        F(ntt_down_rows_2)(x, (size_t)1 << levels, columns, z, block);
        k = 1;
    }
    for (; k < levels; k += 2) {
        size_t rows = (size_t)1 << (levels - k);
        for (size_t i = 0; i < (size_t)1 << k; i++)
            F(ntt_down_rows_4)(x + i * rows * columns, rows, columns, z, (block << k) + i);
    }
}

CUZK_FN_NOINLINE void F(ntt_up_rows)(fr *x, uint32_t levels, size_t columns, const fr *z, size_t block)
{
    uint32_t k = levels;
    for (; k >= 2; k -= 2) {
        size_t rows = (size_t)1 << (levels - k + 2);
        for (size_t i = 0; i < (size_t)1 << (k - 2); i++)
            F(ntt_up_rows_4)(x + i * rows * columns, rows, columns, z, (block << (k - 2)) + i);
    }
    if (k == 1)
        F(ntt_up_rows_2)(x, (size_t)1 << levels, columns, z, block);
}

/* --- powers of a shift in bit-reversed order ------------------------------------------------------------------------ */

/* factor[i] = size_inv * shift^reverse(i): the product over the bits j of i of shift^(2^(L-1-j)).  low[i] holds the product
 * over the lowest bits, bit[j] the factors of all. */
struct F(ntt_powers) {
    uint32_t log2, low_log2;
    fr       size_inv;
    fr       bit[64];
    fr       low[NTT_POWERS];
};

static void F(ntt_powers_init)(struct F(ntt_powers) *p, const struct ntt_domain *d, const fr *shift)
{
    fr power = *shift;
    p->log2 = d->log2;
    p->low_log2 = 0;
    p->size_inv = d->size_inv;
    for (uint32_t j = d->log2; j-- > 0;) {
        p->bit[j] = power;
        F(sqr)(&power, &power);
    }
    F(set_one)(&p->low[0]);
    while (p->low_log2 < d->log2 && (size_t)2 << p->low_log2 <= NTT_POWERS) {
        size_t half = (size_t)1 << p->low_log2;
        for (size_t i = 0; i < half; i++)
            F(mul)(&p->low[half + i], &p->low[i], &p->bit[p->low_log2]);
        p->low_log2++;
    }
}

/* Multiplies values [begin, begin + count) of each of n arrays x[k] (x[k][0] is value number begin); count is a power of
 * two and divides begin. */
static void F(ntt_scale)(fr *const *x, size_t n, size_t begin, size_t count, const struct F(ntt_powers) *p)
{
    size_t step = (size_t)1 << p->low_log2 < count ? (size_t)1 << p->low_log2 : count;
    for (size_t at = 0; at < count; at += step) {
        fr high = p->size_inv, factor;
        size_t low = (begin + at) & (((size_t)1 << p->low_log2) - 1);
        for (uint32_t j = p->low_log2; j < p->log2; j++)
            if ((begin + at) >> j & 1)
                F(mul)(&high, &high, &p->bit[j]);
        for (size_t i = 0; i < step; i++) {
            F(mul)(&factor, &high, &p->low[low + i]);
            for (size_t k = 0; k < n; k++)
                F(mul)(&x[k][at + i], &x[k][at + i], &factor);
        }
    }
}

/* --- passes -------------------------------------------------------------------------------------------------------- */

enum F(ntt_step) { F(NTT_DOWN) = 1, F(NTT_UP) = 2, F(NTT_PRODUCT) = 4, F(NTT_QUOTIENT) = 8 };

/* One pass over one array, or over three with c = a b made on the way in, or (a b - c) on the way out. */
struct F(ntt_pass) {
    fr      *x[3];
    size_t   arrays;
    uint32_t steps; /* DOWN, UP or both (last pass); PRODUCT, QUOTIENT */
    uint32_t log2, from, to;
    size_t   columns; /* in a strip */
    const fr *z;
    const struct F(ntt_powers) *powers; /* between DOWN and UP */
    size_t   chunk;                     /* of the loops over single values */
};

static void F(ntt_product)(fr *c, const fr *a, const fr *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        F(mul)(&c[i], &a[i], &b[i]);
}

/* a = a b - c in canonical form. */
static void F(ntt_difference)(fr *a, const fr *b, const fr *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fr t;
        F(mul)(&t, &a[i], &b[i]);
        F(sub)(&t, &t, &c[i]);
        F(to_canon)(&a[i], &t);
    }
}

/* A strip: rows `stride` apart in memory, one after the other in the buffer, a last row of columns each. */
static void F(ntt_strip_in)(fr *buffer, const fr *x, size_t rows, size_t stride, size_t columns)
{
    for (size_t r = 0; r < rows; r++)
        memcpy(buffer + r * columns, x + r * stride, columns * sizeof *x);
}

static void F(ntt_strip_out)(fr *x, const fr *buffer, size_t rows, size_t stride, size_t columns)
{
    for (size_t r = 0; r < rows; r++)
        memcpy(x + r * stride, buffer + r * columns, columns * sizeof *x);
}

static void F(ntt_strip_task)(void *context, size_t task, size_t worker)
{
    const struct F(ntt_pass) *p = context;
    uint32_t levels = p->to - p->from;
    size_t rows = (size_t)1 << levels, stride = (size_t)1 << (p->log2 - p->to), strips = stride / p->columns;
    size_t block = task / strips, at = block * (rows * stride) + task % strips * p->columns;
    size_t product = p->steps & F(NTT_PRODUCT) ? 1 : 0;
    fr buffer[3][NTT_STRIP];

    (void)worker;
    for (size_t k = 0; k < p->arrays - product; k++)
        F(ntt_strip_in)(buffer[k], p->x[k] + at, rows, stride, p->columns);
    if (product)
        F(ntt_product)(buffer[2], buffer[0], buffer[1], rows * p->columns);
    for (size_t k = 0; k < p->arrays; k++) {
        if (p->steps & F(NTT_DOWN))
            F(ntt_down_rows)(buffer[k], levels, p->columns, p->z, block);
        else
            F(ntt_up_rows)(buffer[k], levels, p->columns, p->z, block);
    }
    if (p->steps & F(NTT_QUOTIENT))
        F(ntt_difference)(buffer[0], buffer[1], buffer[2], rows * p->columns);
    for (size_t k = 0; k < (p->steps & F(NTT_QUOTIENT) ? 1 : p->arrays); k++)
        F(ntt_strip_out)(p->x[k] + at, buffer[k], rows, stride, p->columns);
}

static void F(ntt_block_task)(void *context, size_t task, size_t worker)
{
    const struct F(ntt_pass) *p = context;
    uint32_t levels = p->to - p->from;
    size_t count = (size_t)1 << levels;
    fr *x[3];

    (void)worker;
    for (size_t k = 0; k < p->arrays; k++)
        x[k] = p->x[k] + task * count;
    if (p->steps & F(NTT_PRODUCT))
        F(ntt_product)(x[2], x[0], x[1], count);
    if (p->steps & F(NTT_DOWN))
        for (size_t k = 0; k < p->arrays; k++)
            F(ntt_down_rows)(x[k], levels, 1, p->z, task);
    if (p->powers != NULL)
        F(ntt_scale)(x, p->arrays, task * count, count, p->powers);
    if (p->steps & F(NTT_UP))
        for (size_t k = 0; k < p->arrays; k++)
            F(ntt_up_rows)(x[k], levels, 1, p->z, task);
    if (p->steps & F(NTT_QUOTIENT))
        F(ntt_difference)(x[0], x[1], x[2], count);
}

#if defined(__AVX512IFMA__)
#include "math/ifma_ntt_tmpl.h"
#endif

/* The tasks of this path. */
CUZK_FN void F(ntt_block_tasks)(struct F(ntt_pass) *p, size_t tasks, struct pool *pool)
{
#if defined(__AVX512IFMA__)
    if (NTT_LANES(p->log2)) {
        pool_run(pool, tasks, F(ntt_lane_block_task), p);
        return;
    }
#endif
    pool_run(pool, tasks, F(ntt_block_task), p);
}

CUZK_FN void F(ntt_strip_tasks)(struct F(ntt_pass) *p, size_t tasks, struct pool *pool)
{
#if defined(__AVX512IFMA__)
    if (NTT_LANES(p->log2)) {
        pool_run(pool, tasks, F(ntt_lane_strip_task), p);
        return;
    }
#endif
    pool_run(pool, tasks, F(ntt_strip_task), p);
}

static void F(ntt_run_pass)(const struct F(ntt_pass) *pass, struct pool *pool)
{
    struct F(ntt_pass) p = *pass;
    uint32_t levels = p.to - p.from;

    if (p.to == p.log2) {
        F(ntt_block_tasks)(&p, (size_t)1 << p.from, pool);
        return;
    }
    size_t stride = (size_t)1 << (p.log2 - p.to);
    p.columns = NTT_STRIP >> levels;
    while (p.columns > 8 && stride / p.columns < 16) /* enough strips to keep threads busy */
        p.columns /= 2;
    if (p.columns > stride)
        p.columns = stride;
    F(ntt_strip_tasks)(&p, ((size_t)1 << p.from) * (stride / p.columns), pool);
}

/* All passes: down, then scaling, then up, each step if asked for. */
static void F(ntt_run)(struct F(ntt_pass) *p, const struct ntt_domain *d, struct pool *pool)
{
    struct ntt_passes passes = ntt_passes_of(d->log2);
    uint32_t steps = p->steps, last = passes.count - 1;

    p->log2 = d->log2;
    p->z = d->twiddles;
    for (uint32_t i = 0; i < last && (steps & F(NTT_DOWN)); i++) {
        p->from = passes.from[i];
        p->to = passes.from[i + 1];
        p->steps = F(NTT_DOWN) | (i == 0 ? steps & F(NTT_PRODUCT) : 0);
        F(ntt_run_pass)(p, pool);
    }
    p->from = passes.from[last];
    p->to = d->log2;
    p->steps = last == 0 ? steps : steps & (F(NTT_DOWN) | F(NTT_UP));
    F(ntt_run_pass)(p, pool);
    for (uint32_t i = last; i-- > 0 && (steps & F(NTT_UP));) {
        p->from = passes.from[i];
        p->to = passes.from[i + 1];
        p->steps = F(NTT_UP) | (i == 0 ? steps & F(NTT_QUOTIENT) : 0);
        F(ntt_run_pass)(p, pool);
    }
}

/* --- the operations ------------------------------------------------------------------------------------------------ */

struct F(ntt_swap) {
    fr      *a;
    uint32_t log2;
    size_t   chunk;
    fr       factor; /* zero: none */
};

static void F(ntt_swap_task)(void *context, size_t task, size_t worker)
{
    const struct F(ntt_swap) *s = context;
    bool scale = !F(is_zero)(&s->factor);

    (void)worker;
    for (size_t i = task * s->chunk; i < (task + 1) * s->chunk; i++) {
        size_t j = 0;
        for (uint32_t k = 0; k < s->log2; k++)
            j |= (i >> k & 1) << (s->log2 - 1 - k);
        if (j < i)
            continue;
        fr x = s->a[i], y = s->a[j];
        if (scale) {
            F(mul)(&x, &x, &s->factor);
            F(mul)(&y, &y, &s->factor);
        }
        s->a[i] = y;
        s->a[j] = x;
    }
}

/* Bit-reversed to natural order or back, times factor unless that is zero. */
static void F(ntt_swap)(fr *a, const struct ntt_domain *d, const fr *factor, struct pool *pool)
{
    struct F(ntt_swap) s = { .a = a, .log2 = d->log2, .factor = *factor };
    size_t tasks = d->log2 < 12 ? 1 : 64;
    s.chunk = ((size_t)1 << d->log2) / tasks;
    pool_run(pool, tasks, F(ntt_swap_task), &s);
}

static void F(ntt_forward)(fr *a, const struct ntt_domain *d, struct pool *pool)
{
    struct F(ntt_pass) p = { .x = { a }, .arrays = 1, .steps = F(NTT_UP) };
    fr none = { { 0 } };
    F(ntt_swap)(a, d, &none, pool);
    F(ntt_run)(&p, d, pool);
}

static void F(ntt_inverse)(fr *a, const struct ntt_domain *d, struct pool *pool)
{
    struct F(ntt_pass) p = { .x = { a }, .arrays = 1, .steps = F(NTT_DOWN) };
    F(ntt_run)(&p, d, pool);
    F(ntt_swap)(a, d, &d->size_inv, pool);
}

static void F(ntt_to_coset)(fr *a, const struct ntt_domain *d, const fr *shift, struct pool *pool)
{
    struct F(ntt_powers) powers;
    struct F(ntt_pass) p = { .x = { a }, .arrays = 1, .steps = F(NTT_DOWN) | F(NTT_UP), .powers = &powers };
    F(ntt_powers_init)(&powers, d, shift);
    F(ntt_run)(&p, d, pool);
}

static void F(ntt_quotient_snarkjs)(fr *a, fr *b, fr *c, const struct ntt_domain *d, struct pool *pool)
{
    struct F(ntt_powers) powers;
    struct F(ntt_pass) p = {
        .x = { a, b, c },
        .arrays = 3,
        .steps = F(NTT_DOWN) | F(NTT_UP) | F(NTT_PRODUCT) | F(NTT_QUOTIENT),
        .powers = &powers,
    };
    F(ntt_powers_init)(&powers, d, &d->coset);
    F(ntt_run)(&p, d, pool);
}

#undef F_NAME
#undef F
