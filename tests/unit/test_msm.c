/* tests/unit/test_msm.c - sums of multiples: everything on toy groups, the case table on the real ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constants_toy1.h"
#include "constants_toy1s.h"
#include "constants_toy2x.h"
#include "constants_toy4.h"
#include "constants_toy6.h"

#include "../cases/msm.h"
#include "base/mem.h"
#include "base/pool.h"

#define T_NAME toy1
#define T_LIMBS 1
#define T_POINT toy1_fp
#include "toy_msm_tmpl.h"
#define T_NAME toy1s
#define T_LIMBS 1
#define T_POINT toy1s_fp
#include "toy_msm_tmpl.h"
#define T_NAME toy4
#define T_LIMBS 4
#define T_POINT toy4_fp
#include "toy_msm_tmpl.h"
#define T_NAME toy6
#define T_LIMBS 6
#define T_POINT toy6_fp
#include "toy_msm_tmpl.h"
#define T_NAME toy2x
#define T_LIMBS 4
#define T_POINT toy2x_fp2
#define T_EXTENDED
#include "toy_msm_tmpl.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define THREADS_MAX     3

static struct pool *pools[THREADS_MAX + 1]; /* [n] has n threads; [0] is none */

static int open_pools(void **state)
{
    struct cuzk_err err;
    (void)state;
    for (size_t n = 1; n <= THREADS_MAX; n++)
        if (pool_open(&pools[n], n, &err) != CUZK_OK)
            return -1;
    return 0;
}

static int close_pools(void **state)
{
    (void)state;
    for (size_t n = 1; n <= THREADS_MAX; n++)
        pool_close(pools[n]);
    return 0;
}

/* The sum as affine bytes, in dirty scratch of exactly the planned size. */
static void sum_bytes(uint8_t *out, const struct group_ops *group, const struct msm_input *in, bool canonical,
                      size_t threads)
{
    struct msm_args args = { in->points, canonical ? in->canon : in->mont, in->count, canonical };
    struct msm_plan plan = group->msm_plan(in->count, threads == 0 ? 1 : threads);
    void *scratch = NULL;
    point sum;

    assert_int_equal(posix_memalign(&scratch, 64, plan.scratch_bytes + (plan.scratch_bytes == 0)), 0);
    memset(scratch, 0xa5, plan.scratch_bytes);
    group->msm(&sum, &args, &plan, scratch, pools[threads]);
    group->to_affine(out, &sum);
    free(scratch);
}

static const struct group_ops *group_of(const struct curve *curve, bool g2) { return g2 ? &curve->g2 : &curve->g1; }

static struct msm_known known_of(enum curve_id id, bool g2, size_t distinct)
{
    const struct curve *curve = curve_get(id);
    struct msm_known known;
    assert_true(msm_known_open(&known, distinct, curve, group_of(curve, g2), pools[2]));
    return known;
}

/* One case on every path: the right point, so all paths agree bit for bit. */
static void check_case(const struct msm_case *c, const struct msm_known *known, enum curve_id id, bool g2, size_t turn)
{
    const struct curve *first = curve_get(id);
    uint8_t expected[AFFINE_BYTES_MAX], found[AFFINE_BYTES_MAX];
    struct msm_input in;

    assert_true(msm_case_open(&in, c, known, first, group_of(first, g2)));
    group_of(first, g2)->to_affine(expected, &in.sum);
    for (enum cpu_path path = 0; path < CPU_PATH_COUNT; path++) {
        const struct curve *curve = curve_get_path(id, path);
        if (curve == NULL)
            continue;
        size_t threads = (turn + path) % (THREADS_MAX + 1);
        bool canonical = turn / (THREADS_MAX + 1) % 2 == 0;
        sum_bytes(found, group_of(curve, g2), &in, canonical, threads);
        if (memcmp(expected, found, group_of(curve, g2)->affine_bytes) != 0)
            fail_msg("%s %s, %s: %zu points, bases %s, scalars %s, %zu threads, %s", curve->name, g2 ? "g2" : "g1",
                     cpu_path_name(path), c->count, msm_bases_names[c->bases], msm_scalars_names[c->scalars], threads,
                     canonical ? "canonical" : "montgomery");
    }
    msm_case_close(&in);
}

static void check_all_cases(enum curve_id id, bool g2)
{
    struct msm_known known = known_of(id, g2, msm_counts[COUNT_OF(msm_counts) - 1]);
    size_t turn = 0;
    for (size_t i = 0; i < COUNT_OF(msm_counts); i++)
        for (enum msm_scalars s = 0; s < MSM_SCALARS_COUNT; s++)
            for (enum msm_bases b = 0; b < MSM_BASES_COUNT; b++) {
                struct msm_case c = { msm_counts[i], s, b };
                if (c.count > 200 && (i + s + b) % (g2 ? 6 : 3) != 0)
                    continue; /* to take seconds only; each kind is there with several of the other */
                check_case(&c, &known, id, g2, turn++);
            }
    msm_known_close(&known);
}

static void bn254_g1_sums_every_kind_of_case_on_every_path(void **state)
{
    (void)state;
    check_all_cases(CURVE_BN254, false);
}

static void bn254_g2_sums_every_kind_of_case_on_every_path(void **state)
{
    (void)state;
    check_all_cases(CURVE_BN254, true);
}

static void bls12_381_g1_sums_every_kind_of_case_on_every_path(void **state)
{
    (void)state;
    check_all_cases(CURVE_BLS12_381, false);
}

static void bls12_381_g2_sums_every_kind_of_case_on_every_path(void **state)
{
    (void)state;
    check_all_cases(CURVE_BLS12_381, true);
}

static void sums_of_2_16_points_and_one_more_or_less_are_right_whatever_the_skew(void **state)
{
    static const struct { enum msm_scalars scalars; enum msm_bases bases; } kinds[] = {
        { SCALARS_RANDOM, BASES_DISTINCT }, { SCALARS_MIXED, BASES_SOME_INFINITE }, { SCALARS_ONE, BASES_DISTINCT },
        { SCALARS_EQUAL, BASES_FOUR },      { SCALARS_16_BITS, BASES_OPPOSITE },    { SCALARS_MINUS_ONE, BASES_EQUAL },
    };
    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++)
        for (int g2 = 0; g2 < 2; g2++) {
            struct msm_known known = known_of(id, g2, msm_counts_large[COUNT_OF(msm_counts_large) - 1]);
            size_t turn = 0;
            for (size_t k = 0; k < COUNT_OF(kinds); k++)
                for (size_t i = 0; i < COUNT_OF(msm_counts_large); i++) {
                    struct msm_case c = { msm_counts_large[i], kinds[k].scalars, kinds[k].bases };
                    if (i == k % 3 && (k < 3 || !g2)) /* each size with some kinds */
                        check_case(&c, &known, id, g2, turn++);
                }
            msm_known_close(&known);
        }
}

/* The answer by single multiplications and additions, without the known multiples. */
static void sums_are_what_multiplying_and_adding_one_by_one_gives(void **state)
{
    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++)
        for (int g2 = 0; g2 < 2; g2++) {
            struct msm_known known = known_of(id, g2, msm_counts[COUNT_OF(msm_counts) - 1]);
            for (size_t i = 0; i < COUNT_OF(msm_counts); i++) {
                const struct curve *curve = curve_get(id);
                const struct group_ops *group = group_of(curve, g2);
                struct msm_case c = { msm_counts[i], SCALARS_RANDOM, BASES_SOME_INFINITE };
                uint8_t naive[AFFINE_BYTES_MAX], found[AFFINE_BYTES_MAX];
                struct msm_input in;
                point sum, term;
                if (c.count > (g2 ? 257 : 1025))
                    continue;
                assert_true(msm_case_open(&in, &c, &known, curve, group));
                group->identity(&sum);
                for (size_t k = 0; k < in.count; k++) {
                    group->from_affine(&term, in.points + k * group->affine_bytes);
                    group->mul(&term, &term, &in.canon[k]);
                    group->add(&sum, &sum, &term);
                }
                group->to_affine(naive, &sum);
                sum_bytes(found, group, &in, true, 2);
                assert_memory_equal(naive, found, group->affine_bytes);
                msm_case_close(&in);
            }
            msm_known_close(&known);
        }
}

static void any_number_of_threads_gives_the_same_sum(void **state)
{
    struct msm_case c = { 9000, SCALARS_MIXED, BASES_SOME_INFINITE };
    const struct curve *curve = curve_get(CURVE_BN254);
    struct msm_known known = known_of(CURVE_BN254, false, c.count);
    uint8_t expected[AFFINE_BYTES_MAX], found[AFFINE_BYTES_MAX];
    struct msm_input in;
    (void)state;
    assert_true(msm_case_open(&in, &c, &known, curve, &curve->g1));
    msm_known_close(&known);
    curve->g1.to_affine(expected, &in.sum);
    for (size_t threads = 1; threads <= 64; threads += threads < 8 ? 1 : 14) {
        struct msm_plan plan = curve->g1.msm_plan(in.count, threads);
        struct msm_args args = { in.points, in.canon, in.count, true };
        struct cuzk_err err;
        struct pool *pool;
        void *scratch;
        point sum;
        assert_int_equal(pool_open(&pool, threads, &err), CUZK_OK);
        scratch = mem_new(1, plan.scratch_bytes);
        assert_non_null(scratch);
        curve->g1.msm(&sum, &args, &plan, scratch, pool);
        curve->g1.to_affine(found, &sum);
        assert_memory_equal(expected, found, curve->g1.affine_bytes);
        mem_free(scratch);
        pool_close(pool);
    }
    msm_case_close(&in);
}

/* Multiples of a fixed point are single multiplications, on every path, with every edge scalar. */
static void multiples_of_a_fixed_point_are_single_multiplications(void **state)
{
    static const size_t counts[] = { 0, 1, 2, 513, 1100 };
    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++)
        for (int g2 = 0; g2 < 2; g2++)
            for (enum cpu_path path = 0; path < CPU_PATH_COUNT; path++)
                for (size_t i = 0; i < COUNT_OF(counts); i++) {
                    const struct curve *curve = curve_get_path(id, path);
                    const struct group_ops *group = curve != NULL ? group_of(curve, g2) : NULL;
                    uint8_t base[AFFINE_BYTES_MAX], single[AFFINE_BYTES_MAX], *out;
                    uint64_t random = counts[i];
                    struct cuzk_err err;
                    fr *scalars, canon;
                    if (curve == NULL)
                        continue;
                    scalars = malloc(counts[i] * sizeof *scalars + 1);
                    out = malloc(counts[i] * group->affine_bytes + 1);
                    assert_true(scalars != NULL && out != NULL);
                    for (size_t k = 0; k < counts[i]; k++)
                        scalars[k] = msm_case_scalar(k % MSM_SCALARS_COUNT, &random, &curve->fr);
                    group->generator(base);
                    assert_int_equal(group->mul_fixed(out, base, scalars, counts[i], pools[i % 4], &err), CUZK_OK);
                    for (size_t k = 0; k < counts[i]; k += counts[i] > 500 ? 5 : 1) {
                        point p;
                        group->from_affine(&p, base);
                        curve->fr.to_canon(&canon, &scalars[k]);
                        group->mul(&p, &p, &canon);
                        group->to_affine(single, &p);
                        assert_memory_equal(single, out + k * group->affine_bytes, group->affine_bytes);
                    }
                    free(scalars);
                    free(out);
                }
}

static void a_plan_depends_on_sizes_only_and_grows_with_them(void **state)
{
    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++)
        for (size_t log2 = 0; log2 < 28; log2++) {
            const struct group_ops *group = &curve_get(id)->g1;
            size_t count = (size_t)1 << log2;
            struct msm_plan one = group->msm_plan(count, 2), two = group->msm_plan(count, 2);
            assert_memory_equal(&one, &two, sizeof one);
            assert_true(one.count == count && one.window_bits >= 2);
            assert_true(one.scratch_bytes < (count + 65536) * 256);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        { "toy1: every pair of points is added right", toy1_pairs, NULL, NULL, NULL },
        { "toy1s: every pair of points is added right", toy1s_pairs, NULL, NULL, NULL },
        { "toy4: every pair of points is added right", toy4_pairs, NULL, NULL, NULL },
        { "toy6: every pair of points is added right", toy6_pairs, NULL, NULL, NULL },
        { "toy2x: every pair of points is added right", toy2x_pairs, NULL, NULL, NULL },
        { "toy1: every sum of one point is right", toy1_sums_of_one, NULL, NULL, NULL },
        { "toy1s: every sum of one point is right", toy1s_sums_of_one, NULL, NULL, NULL },
        { "toy4: every sum of one point is right", toy4_sums_of_one, NULL, NULL, NULL },
        { "toy6: every sum of one point is right", toy6_sums_of_one, NULL, NULL, NULL },
        { "toy2x: every sum of one point is right", toy2x_sums_of_one, NULL, NULL, NULL },
        { "toy1s: every sum of two points is right", toy1s_sums_of_two, NULL, NULL, NULL },
        { "toy6: every sum of two points is right", toy6_sums_of_two, NULL, NULL, NULL },
        { "toy1s: every sum of three points is right", toy1s_sums_of_three, NULL, NULL, NULL },
        { "toy1: long sums are right", toy1_long_sums, NULL, NULL, NULL },
        { "toy1s: long sums are right", toy1s_long_sums, NULL, NULL, NULL },
        { "toy4: long sums are right", toy4_long_sums, NULL, NULL, NULL },
        { "toy6: long sums are right", toy6_long_sums, NULL, NULL, NULL },
        { "toy2x: long sums are right", toy2x_long_sums, NULL, NULL, NULL },
        { "toy1: every multiple of every fixed point is right", toy1_fixed, NULL, NULL, NULL },
        { "toy1s: every multiple of every fixed point is right", toy1s_fixed, NULL, NULL, NULL },
        { "toy6: every multiple of every fixed point is right", toy6_fixed, NULL, NULL, NULL },
        { "toy2x: every multiple of every fixed point is right", toy2x_fixed, NULL, NULL, NULL },
        cmocka_unit_test(a_plan_depends_on_sizes_only_and_grows_with_them),
        cmocka_unit_test(multiples_of_a_fixed_point_are_single_multiplications),
        cmocka_unit_test(sums_are_what_multiplying_and_adding_one_by_one_gives),
        cmocka_unit_test(any_number_of_threads_gives_the_same_sum),
        cmocka_unit_test(bn254_g1_sums_every_kind_of_case_on_every_path),
        cmocka_unit_test(bn254_g2_sums_every_kind_of_case_on_every_path),
        cmocka_unit_test(bls12_381_g1_sums_every_kind_of_case_on_every_path),
        cmocka_unit_test(bls12_381_g2_sums_every_kind_of_case_on_every_path),
        cmocka_unit_test(sums_of_2_16_points_and_one_more_or_less_are_right_whatever_the_skew),
    };
    return cmocka_run_group_tests_name("msm", tests, open_pools, close_pools);
}
