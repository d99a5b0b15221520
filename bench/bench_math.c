/* bench/bench_math.c - what arithmetic costs: bench_math [threads [largest log2]] prints rows
 *
 *   curve,path,case,count,threads,ns_per_op,total_ms
 *
 * an operation being a product, a point of a sum, a value of a transform.  The best of four runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "math/curve.h"

#define RUNS         4
#define PRODUCTS     1000000
#define MSM_LOG2_MIN 14
#define MSM_LOG2_MAX 20
#define NTT_LOG2_MIN 16
#define NTT_LOG2_MAX 22

static struct pool *pool;

static void row(const struct curve *curve, const char *name, size_t count, uint64_t ns)
{
    printf("%s,%s,%s,%zu,%zu,%.2f,%.3f\n", curve->name, cpu_path_name(curve->path), name, count, pool_threads(pool),
           (double)ns / (double)count, (double)ns / 1e6);
    fflush(stdout);
}

static void *values(size_t count, size_t size)
{
    void *p = mem_new(count, size);
    if (p == NULL) {
        fprintf(stderr, "bench_math: no memory for %zu values of %zu bytes\n", count, size);
        exit(9);
    }
    return p;
}

static void fill(fr *a, size_t count, const struct fr_ops *ops)
{
    for (size_t i = 0; i < count && i < 1024; i++)
        ops->random(&a[i]);
    for (size_t i = 1024; i < count; i++)
        ops->mul(&a[i], &a[i - 1024], &a[i - 1023]);
}

static void bench_product(const struct curve *curve)
{
    uint64_t best = UINT64_MAX;
    fr a, b;

    curve->fr.random(&a);
    curve->fr.random(&b);
    for (int run = 0; run < RUNS; run++) {
        uint64_t begin = now_ns(), ns;
        for (size_t i = 0; i < PRODUCTS; i++)
            curve->fr.mul(&a, &a, &b);
        ns = now_ns() - begin;
        best = ns < best ? ns : best;
    }
    row(curve, "fr mul, one after the other", PRODUCTS, best);
}

static void bench_msm(const struct curve *curve, const struct group_ops *group, const char *name, uint32_t log2_max)
{
    size_t most = (size_t)1 << log2_max;
    uint8_t *points = values(most, group->affine_bytes), generator[AFFINE_BYTES_MAX];
    fr *scalars = values(most, sizeof *scalars);
    struct cuzk_err err;
    uint64_t begin;

    fill(scalars, most, &curve->fr);
    group->generator(generator);
    begin = now_ns();
    if (group->mul_fixed(points, generator, scalars, most, pool, &err) != CUZK_OK)
        exit(9);
    row(curve, "mul_fixed", most, now_ns() - begin);
    for (size_t i = 0; i < most; i++)
        curve->fr.to_canon(&scalars[i], &scalars[i]);
    for (uint32_t log2 = MSM_LOG2_MIN; log2 <= log2_max; log2 += 2) {
        size_t count = (size_t)1 << log2;
        struct msm_plan plan = group->msm_plan(count, pool_threads(pool));
        struct msm_args args = { points, scalars, count, true };
        void *scratch = values(1, plan.scratch_bytes);
        uint64_t best = UINT64_MAX;
        point sum;
        for (int run = 0; run < RUNS; run++) {
            uint64_t ns;
            begin = now_ns();
            group->msm(&sum, &args, &plan, scratch, pool);
            ns = now_ns() - begin;
            best = ns < best ? ns : best;
        }
        row(curve, name, count, best);
        mem_free(scratch);
    }
    mem_free(points);
    mem_free(scalars);
}

static void bench_ntt(const struct curve *curve, uint32_t log2)
{
    size_t m = (size_t)1 << log2;
    fr *a = values(3 * m, sizeof *a);
    uint64_t forward = UINT64_MAX, quotient = UINT64_MAX;
    struct ntt_domain *d;
    struct cuzk_err err;

    fill(a, 2 * m, &curve->fr);
    if (curve->ntt.domain_open(&d, log2, ROOT_SNARKJS, pool, &err) != CUZK_OK)
        exit(9);
    for (int run = 0; run < RUNS; run++) {
        uint64_t begin = now_ns(), middle, end;
        curve->ntt.forward(a, d, pool);
        middle = now_ns();
        curve->ntt.quotient_snarkjs(a, a + m, a + 2 * m, d, pool);
        end = now_ns();
        forward = middle - begin < forward ? middle - begin : forward;
        quotient = end - middle < quotient ? end - middle : quotient;
    }
    row(curve, "ntt forward", m, forward);
    row(curve, "quotient (six transforms)", m, quotient);
    curve->ntt.domain_close(d);
    mem_free(a);
}

int main(int argc, char **argv)
{
    size_t threads = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    uint32_t log2_max = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : NTT_LOG2_MAX;
    struct cuzk_err err;

    if (log2_max < NTT_LOG2_MIN || log2_max > 26 || pool_open(&pool, threads, &err) != CUZK_OK) {
        fprintf(stderr, "usage: bench_math [threads [largest log2, 16 to 26]]\n");
        return 1;
    }
    printf("curve,path,case,count,threads,ns_per_op,total_ms\n");
    for (enum curve_id id = 0; id < CURVE_COUNT; id++) {
        for (enum cpu_path path = 0; path < CPU_PATH_COUNT; path++)
            if (curve_get_path(id, path) != NULL)
                bench_product(curve_get_path(id, path));
        const struct curve *curve = curve_get(id);
        for (uint32_t log2 = NTT_LOG2_MIN; log2 <= log2_max; log2 += 2)
            bench_ntt(curve, log2);
        bench_msm(curve, &curve->g1, "msm g1", log2_max < MSM_LOG2_MAX ? log2_max : MSM_LOG2_MAX);
        bench_msm(curve, &curve->g2, "msm g2", log2_max < MSM_LOG2_MAX - 2 ? log2_max : MSM_LOG2_MAX - 2);
    }
    pool_close(pool);
    return 0;
}
