/* bench/bench_ifma.c - nanoseconds a product, square and pair addition in eight lanes, beside the bound of the unit.
 * bound = counted 52-bit multiply-adds * the measured time of one / 8 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "constants_bls12_381.h"
#include "constants_bn254.h"
#include "math/curve.h"

#define F_NAME bn254_fp
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define E_NAME bn254_fp2
#define E_BASE bn254_fp
#include "math/ext2_tmpl.h"
#define V_NAME bn254_fp_v
#define V_FIELD bn254_fp
#include "math/ifma_field_tmpl.h"
#define W_NAME bn254_fp2_v
#define W_BASE bn254_fp_v
#define W_FIELD bn254_fp2
#define W_COORDINATE bn254_fp
#include "math/ifma_ext2_tmpl.h"
#define G_NAME bn254_g1
#define G_FIELD bn254_fp
#include "math/group_tmpl.h"
#define G_NAME bn254_g1
#define G_FIELD bn254_fp
#define G_LANES bn254_fp_v
#define G_BASE bn254_fp
#include "math/ifma_affine_tmpl.h"
#define G_NAME bn254_g2
#define G_FIELD bn254_fp2
#include "math/group_tmpl.h"
#define G_NAME bn254_g2
#define G_FIELD bn254_fp2
#define G_LANES bn254_fp2_v
#define G_BASE bn254_fp
#include "math/ifma_affine_tmpl.h"
#define F_NAME bls12_381_fp
#define F_LIMBS 6
#include "math/field_tmpl.h"
#define E_NAME bls12_381_fp2
#define E_BASE bls12_381_fp
#include "math/ext2_tmpl.h"
#define V_NAME bls12_381_fp_v
#define V_FIELD bls12_381_fp
#include "math/ifma_field_tmpl.h"
#define W_NAME bls12_381_fp2_v
#define W_BASE bls12_381_fp_v
#define W_FIELD bls12_381_fp2
#define W_COORDINATE bls12_381_fp
#include "math/ifma_ext2_tmpl.h"
#define G_NAME bls12_381_g1
#define G_FIELD bls12_381_fp
#include "math/group_tmpl.h"
#define G_NAME bls12_381_g1
#define G_FIELD bls12_381_fp
#define G_LANES bls12_381_fp_v
#define G_BASE bls12_381_fp
#include "math/ifma_affine_tmpl.h"
#define G_NAME bls12_381_g2
#define G_FIELD bls12_381_fp2
#include "math/group_tmpl.h"
#define G_NAME bls12_381_g2
#define G_FIELD bls12_381_fp2
#define G_LANES bls12_381_fp2_v
#define G_BASE bls12_381_fp
#include "math/ifma_affine_tmpl.h"

static double thread_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* other processes may share the core */
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* One multiply-add: sixteen chains, so that the latency does not show. */
static double madd_ns(void)
{
    const long rounds = 10000000;
    double best = 1e9;
    for (int k = 0; k < 5; k++) {
        long n = rounds;
        double begin = thread_ns();
#define M(r) "vpmadd52luq %%zmm30, %%zmm31, %%zmm" #r "\n\t"
        __asm__ volatile("1:\n\t" M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)
                         "dec %0\n\t jnz 1b" : "+r"(n) : : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
                         "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
        double ns = (thread_ns() - begin) / (double)rounds / 16;
        best = ns < best ? ns : best;
    }
    return best;
}

#define CHAINS 4
#define BENCH_FIELD(v, op, call)                                                \
    static __attribute__((noinline)) double v##_##op##_ns(v *x, long rounds)    \
    {                                                                           \
        double best = 1e9;                                                      \
        for (int k = 0; k < 5; k++) {                                           \
            double begin = thread_ns();                                            \
            for (long i = 0; i < rounds; i++)                                   \
                for (int c = 0; c < CHAINS; c++)                                \
                    call;                                                       \
            double ns = (thread_ns() - begin) / (double)rounds / CHAINS / LANES;   \
            best = ns < best ? ns : best;                                       \
        }                                                                       \
        return best;                                                            \
    }
BENCH_FIELD(bn254_fp_v, mul, bn254_fp_v_mul(&x[c], &x[c], &x[CHAINS]))
BENCH_FIELD(bn254_fp_v, sqr, bn254_fp_v_sqr(&x[c], &x[c]))
BENCH_FIELD(bls12_381_fp_v, mul, bls12_381_fp_v_mul(&x[c], &x[c], &x[CHAINS]))
BENCH_FIELD(bls12_381_fp_v, sqr, bls12_381_fp_v_sqr(&x[c], &x[c]))

static double madd;

static void row(const char *what, double ns, int madds)
{
    double bound = madds * madd / LANES;
    printf("%-28s %8.2f ns  bound %7.2f ns (%4d madd52)  %.2f of it\n", what, ns, bound, madds, bound / ns);
}

/* Pairs of working points that lie in the second-level cache, and pairs of a key of KEY_POINTS points in any order. */
#define DISTINCT   4096
#define KEY_POINTS (1u << 20)
#define BENCH_GROUP(g)                                                                                       \
    static uint8_t *g##_points(void)                                                                         \
    {                                                                                                        \
        uint8_t  *key = malloc((size_t)KEY_POINTS * sizeof(g##_affine));                                     \
        g##_affine generator, p;                                                                             \
        g sum;                                                                                        \
        cuzk_check(key != NULL);                                                                             \
        g##_generator(&generator);                                                                           \
        g##_from_affine(&sum, &generator);                                                                   \
        for (size_t i = 0; i < DISTINCT; i++) {                                                              \
            g##_to_affine(&p, &sum);                                                                         \
            for (size_t k = i; k < KEY_POINTS; k += DISTINCT)                                                \
                memcpy(key + k * sizeof p, &p, sizeof p);                                                    \
            g##_add_affine(&sum, &sum, &generator);                                                          \
        }                                                                                                    \
        return key;                                                                                          \
    }                                                                                                        \
    static double g##_ns(const uint8_t *points, bool raw, uint32_t among)                                    \
    {                                                                                                        \
        static uint32_t left[KEY_POINTS / 2], right[KEY_POINTS / 2];                                         \
        static g##_work sum[PAIRS_MAX], *out[PAIRS_MAX];                                                     \
        static struct g##_block block;                                                                       \
        uint64_t state = 1;                                                                                  \
        double best = 1e9;                                                                                   \
        for (size_t i = 0; i < KEY_POINTS / 2; i++) {                                                        \
            state = state * UINT64_C(6364136223846793005) + 1;                                               \
            left[i] = raw ? (uint32_t)(state >> 33) % among & ~1u : (uint32_t)(2 * i) % among;               \
            right[i] = raw ? (uint32_t)(state >> 43) % among | 1u : (uint32_t)(2 * i + 1) % among;           \
        }                                                                                                    \
        for (size_t i = 0; i < PAIRS_MAX; i++)                                                               \
            out[i] = &sum[i];                                                                                \
        for (int k = 0; k < 5; k++) {                                                                        \
            double begin = thread_ns();                                                                         \
            for (size_t at = 0; at < KEY_POINTS / 8; at += PAIRS_MAX)                                        \
                g##_add_block(out, points, raw, left + at, right + at, PAIRS_MAX, &block);                   \
            double ns = (thread_ns() - begin) / (KEY_POINTS / 8);                                               \
            best = ns < best ? ns : best;                                                                    \
        }                                                                                                    \
        return best;                                                                                         \
    }                                                                                                        \
    static __attribute__((noinline)) void g##_rows(int madds)                                                \
    {                                                                                                        \
        uint8_t *points = g##_points();                                                                      \
        row(#g " add, in cache", g##_ns(points, false, DISTINCT), madds);                                    \
        row(#g " add, from a key", g##_ns(points, true, KEY_POINTS), madds);                                 \
        free(points);                                                                                        \
    }


BENCH_GROUP(bn254_g1)
BENCH_GROUP(bn254_g2)
BENCH_GROUP(bls12_381_g1)
BENCH_GROUP(bls12_381_g2)

int main(void)
{
    static bn254_fp_v x[CHAINS + 1];
    static bls12_381_fp_v y[CHAINS + 1];
    for (int c = 0; c <= CHAINS; c++) {
        bn254_fp_v_set_all(&x[c], bn254_fp_V_FROM);
        bls12_381_fp_v_set_all(&y[c], bls12_381_fp_V_FROM);
    }
    madd = madd_ns();
    printf("one madd52 of 8 lanes: %.4f ns\n", madd);
    row("bn254 fp mul", bn254_fp_v_mul_ns(x, 200000), 100);
    row("bn254 fp sqr", bn254_fp_v_sqr_ns(x, 200000), 80);
    row("bls12-381 fp mul", bls12_381_fp_v_mul_ns(y, 100000), 256);
    row("bls12-381 fp sqr", bls12_381_fp_v_sqr_ns(y, 100000), 200);
    bn254_g1_rows(5 * 100 + 80);
    bn254_g2_rows(5 * 250 + 200);
    bls12_381_g1_rows(5 * 256 + 200);
    bls12_381_g2_rows(5 * 640 + 512);
    return 0;
}
