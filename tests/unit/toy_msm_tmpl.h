/* tests/unit/toy_msm_tmpl.h - a toy group with every template that its sums need, and the tests that try everything.
 * In      T_NAME such as toy1, T_LIMBS, T_POINT (the group's coordinate field), T_EXTENDED if that is T_NAME_fp2
 * Out     T(table), T(pairs), T(sums_of_one), T(sums_of_two), T(sums_of_three), T(long_sums), T(fixed) */
#define T(name) CAT3(T_NAME, _, name)

#define F_NAME T(fr)
#define F_LIMBS 4
#define F_TYPE fr
#include "math/field_tmpl.h"
#define F_NAME T(fp)
#define F_LIMBS T_LIMBS
#include "math/field_tmpl.h"
#ifdef T_EXTENDED
#define E_NAME T(fp2)
#define E_BASE T(fp)
#include "math/ext2_tmpl.h"
#endif
#define G_NAME T(g)
#define G_FIELD T_POINT
#include "math/group_tmpl.h"
#define G_NAME T(g)
#define G_FIELD T_POINT
#define G_SCALAR T(fr)
#include "math/affine_batch_tmpl.h"
#define G_NAME T(g)
#define G_FIELD T_POINT
#define G_SCALAR T(fr)
#include "math/msm_tmpl.h"
#define G_NAME T(g)
#define G_FIELD T_POINT
#define G_SCALAR T(fr)
#include "math/fixed_tmpl.h"

/* Element number i of the group is i G; number 0 is the identity. */
struct T(table) {
    T(g)        element[T(ORDER)];
    T(g_affine) affine[T(ORDER)];
};

static struct T(table) T(table);

static void T(table_fill)(void)
{
    T(g) generator;
    T(g_generator)(&T(table).affine[1]);
    T(g_from_affine)(&generator, &T(table).affine[1]);
    T(g_set_identity)(&T(table).element[0]);
    for (uint32_t i = 1; i < T(ORDER); i++)
        T(g_add)(&T(table).element[i], &T(table).element[i - 1], &generator);
    for (uint32_t i = 0; i < T(ORDER); i++)
        T(g_to_affine)(&T(table).affine[i], &T(table).element[i]);
}

/* One sum with scratch of exactly the planned size, all of it dirty. */
static bool T(sum_is)(const struct msm_plan *plan, uint8_t *scratch, const T(g_affine) *points, const fr *scalars,
                      bool canonical, uint32_t expected)
{
    struct msm_args args = { (const uint8_t *)points, scalars, plan->count, canonical };
    T(g) sum;
    T(g_msm)(&sum, &args, plan, scratch, NULL);
    return T(g_eq)(&sum, &T(table).element[expected]);
}

static uint8_t *T(scratch)(const struct msm_plan *plan)
{
    void *scratch = NULL;
    assert_int_equal(posix_memalign(&scratch, 64, plan->scratch_bytes + (plan->scratch_bytes == 0)), 0);
    memset(scratch, 0xa5, plan->scratch_bytes);
    return scratch;
}

CUZK_FN_NOINLINE void T(pairs)(void **state)
{
    enum { SIDE = 2 * T(ORDER) };
    static struct T(g_block) block;
    static T(g_work) sums[PAIRS_MAX];
    static T(g_work) *out[PAIRS_MAX];
    static uint32_t left[PAIRS_MAX], right[PAIRS_MAX];
    (void)state;
    T(table_fill)();
    for (size_t begin = 0; begin < (size_t)SIDE * SIDE; begin += PAIRS_MAX) {
        size_t count = (size_t)SIDE * SIDE - begin < PAIRS_MAX ? (size_t)SIDE * SIDE - begin : PAIRS_MAX;
        for (size_t i = 0; i < count; i++) {
            size_t a = (begin + i) / SIDE, b = (begin + i) % SIDE;
            left[i] = (uint32_t)(a % T(ORDER)) | (a < T(ORDER) ? 0 : ENTRY_NEGATIVE);
            right[i] = (uint32_t)(b % T(ORDER)) | (b < T(ORDER) ? 0 : ENTRY_NEGATIVE);
            out[i] = &sums[i];
        }
        T(g_add_block)(out, (const uint8_t *)T(table).affine, true, left, right, count, &block);
        for (size_t i = 0; i < count; i++) {
            size_t a = (begin + i) / SIDE, b = (begin + i) % SIDE;
            a = a < T(ORDER) ? a : SIDE - a;
            b = b < T(ORDER) ? b : SIDE - b;
            T(g_affine) sum;
            T(g_affine_from_work)(&sum, &sums[i]);
            assert_memory_equal(&sum, &T(table).affine[(a + b) % T(ORDER)], sizeof sum);
        }
    }
}

CUZK_FN_NOINLINE void T(sums_of_one)(void **state)
{
    struct msm_plan plan = T(g_msm_plan)(1, 1);
    uint8_t *scratch = T(scratch)(&plan);
    (void)state;
    T(table_fill)();
    for (uint32_t s = 0; s < T(ORDER); s++) {
        fr canon = { { s } }, mont;
        T(fr_to_mont)(&mont, &canon);
        for (uint32_t i = 0; i < T(ORDER); i++) {
            assert_true(T(sum_is)(&plan, scratch, &T(table).affine[i], &canon, true, s * i % T(ORDER)));
            assert_true(T(sum_is)(&plan, scratch, &T(table).affine[i], &mont, false, s * i % T(ORDER)));
        }
    }
    free(scratch);
}

CUZK_FN_NOINLINE void T(sums_of_two)(void **state)
{
    struct msm_plan plan = T(g_msm_plan)(2, 1);
    uint8_t *scratch = T(scratch)(&plan);
    const uint32_t n = T(ORDER);
    (void)state;
    T(table_fill)();
    for (uint32_t s = 0; s < n * n; s++) {
        fr scalars[2] = { { { s % n } }, { { s / n } } };
        for (uint32_t i = 0; i < n * n; i++) {
            T(g_affine) points[2] = { T(table).affine[i % n], T(table).affine[i / n] };
            assert_true(T(sum_is)(&plan, scratch, points, scalars, true, (s % n * (i % n) + s / n * (i / n)) % n));
        }
    }
    free(scratch);
}

CUZK_FN_NOINLINE void T(sums_of_three)(void **state)
{
    struct msm_plan plan = T(g_msm_plan)(3, 1);
    uint8_t *scratch = T(scratch)(&plan);
    const uint32_t n = T(ORDER);
    (void)state;
    T(table_fill)();
    for (uint32_t s = 0; s < n * n * n; s++) {
        uint32_t s0 = s % n, s1 = s / n % n, s2 = s / n / n;
        fr scalars[3] = { { { s0 } }, { { s1 } }, { { s2 } } };
        for (uint32_t i = 0; i < n * n * n; i++) {
            uint32_t i0 = i % n, i1 = i / n % n, i2 = i / n / n;
            T(g_affine) points[3] = { T(table).affine[i0], T(table).affine[i1], T(table).affine[i2] };
            assert_true(T(sum_is)(&plan, scratch, points, scalars, true, (s0 * i0 + s1 * i1 + s2 * i2) % n));
        }
    }
    free(scratch);
}

/* The way of long sums: up to three terms of every kind among many that are zero, then as many terms as there are
 * elements and scalars, in a group so small that each bucket holds every element many times. */
CUZK_FN_NOINLINE void T(long_sums)(void **state)
{
    enum { COUNT_MAX = 5000 };
    static T(g_affine) points[COUNT_MAX];
    static fr scalars[COUNT_MAX];
    static const size_t counts[] = { SMALL_COUNT_MAX, SMALL_COUNT_MAX + 1, 777, COUNT_MAX };
    uint64_t random = T(ORDER);
    (void)state;
    T(table_fill)();
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        struct msm_plan plan = T(g_msm_plan)(counts[k], 1);
        uint8_t *scratch = T(scratch)(&plan);
        for (uint32_t trial = 0; trial < 400; trial++) {
            uint64_t sum = 0, kept = trial % 8 == 7 ? counts[k] : trial % 4;
            for (size_t i = 0; i < counts[k]; i++) {
                uint64_t r = case_random(&random) >> 8;
                bool full = kept == counts[k] || (r >> 40) * counts[k] < 65536 * kept; /* kept of them on average */
                uint32_t s = full ? (uint32_t)(r % T(ORDER)) : 0, e = (uint32_t)(r / T(ORDER) % T(ORDER));
                points[i] = T(table).affine[e];
                scalars[i] = (fr){ { s } };
                sum += (uint64_t)s * e;
            }
            assert_true(T(sum_is)(&plan, scratch, points, scalars, true, (uint32_t)(sum % T(ORDER))));
        }
        free(scratch);
    }
}

CUZK_FN_NOINLINE void T(fixed)(void **state)
{
    static fr scalars[3 * T(ORDER)];
    static T(g_affine) out[3 * T(ORDER)];
    struct cuzk_err err;
    (void)state;
    T(table_fill)();
    for (uint32_t i = 0; i < 3 * T(ORDER); i++) {
        fr canon = { { i % T(ORDER) } };
        T(fr_to_mont)(&scalars[i], &canon);
    }
    for (uint32_t e = 0; e < T(ORDER); e++)
        for (uint32_t count = 3 * T(ORDER); count > 0; count /= 2) {
            const uint8_t *base = (const uint8_t *)&T(table).affine[e];
            assert_int_equal(T(g_mul_fixed)((uint8_t *)out, base, scalars, count, NULL, &err), CUZK_OK);
            for (uint32_t i = 0; i < count; i++)
                assert_memory_equal(&out[i], &T(table).affine[i * e % T(ORDER)], sizeof out[i]);
        }
}

#undef T_NAME
#undef T_LIMBS
#undef T_POINT
#undef T_EXTENDED
#undef T
