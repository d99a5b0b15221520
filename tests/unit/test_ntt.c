/* tests/unit/test_ntt.c - transforms against their definition: everything on toy fields, every size to 2^16 on the real
 * ones, one deeper size. */
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
#include "constants_toy6.h"

#include "../cases/ntt.h"
#include "base/pool.h"

/* What these tests use of a curve; toy fields have nothing else. */
struct field {
    const char    *name;
    struct fr_ops  fr;
    struct ntt_ops ntt;
};

#define T_NAME toy1
#include "toy_ntt_tmpl.h"
#define T_NAME toy1s
#include "toy_ntt_tmpl.h"
#define T_NAME toy2x
#include "toy_ntt_tmpl.h"
#define T_NAME toy6
#include "toy_ntt_tmpl.h"

static const struct field *const toys[] = { &toy1_field, &toy1s_field, &toy2x_field, &toy6_field };

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

/* Calls check for each curve on each path that this CPU has. */
static void for_real_fields(void (*check)(const struct field *f))
{
    for (enum curve_id id = 0; id < CURVE_COUNT; id++)
        for (enum cpu_path path = 0; path < CPU_PATH_COUNT; path++) {
            const struct curve *curve = curve_get_path(id, path);
            if (curve != NULL) {
                struct field f = { .name = curve->name, .fr = curve->fr, .ntt = curve->ntt };
                check(&f);
            }
        }
}

static fr *values_new(size_t count)
{
    fr *a = malloc(count * sizeof *a); /* exactly: the sanitizer sees one value more */
    assert_non_null(a);
    return a;
}

static fr *values_copy(const fr *a, size_t count)
{
    fr *copy = values_new(count);
    memcpy(copy, a, count * sizeof *a);
    return copy;
}

#define assert_fr_equal(a, b) assert_memory_equal((a), (b), sizeof(fr))

static struct ntt_domain *domain_of(const struct field *f, uint32_t log2, enum root_kind kind, struct pool *pool)
{
    struct ntt_domain *d;
    struct cuzk_err err;
    assert_int_equal(f->ntt.domain_open(&d, log2, kind, pool, &err), CUZK_OK);
    assert_non_null(d);
    return d;
}

static size_t probes_of(uint32_t log2) { return log2 > NTT_CASE_LOG2_MAX ? 3 : 8; }

/* --- one size ----------------------------------------------------------------------------------------------------- */

/* forward by definition on probes, inverse undoes it in both orders, to_coset by definition. */
static void check_size(const struct field *f, uint32_t log2, enum root_kind kind, struct pool *pool)
{
    const struct fr_ops *ops = &f->fr;
    size_t m = (size_t)1 << log2;
    struct ntt_domain *d = domain_of(f, log2, kind, pool);
    uint64_t state = log2 + 100 * (uint64_t)kind;
    fr *a = values_new(m), *b, root, shift = case_random_fr(&state, ops), x, expected;

    ops->root(&root, kind, log2);
    ntt_case_fill(a, m, &state, ops);
    b = values_copy(a, m);
    f->ntt.forward(b, d, pool);
    for (size_t i = 0; i < probes_of(log2); i++) {
        size_t p = ntt_case_probe(i, log2, &state);
        x = ntt_case_power(&root, p, ops);
        expected = ntt_case_value(a, m, &x, ops);
        assert_fr_equal(&b[p], &expected);
    }
    f->ntt.inverse(b, d, pool);
    assert_memory_equal(a, b, m * sizeof *a);
    f->ntt.inverse(b, d, pool);
    f->ntt.forward(b, d, pool);
    assert_memory_equal(a, b, m * sizeof *a);

    f->ntt.forward(b, d, pool);
    f->ntt.to_coset(b, d, &shift, pool);
    for (size_t i = 0; i < probes_of(log2); i++) {
        size_t p = ntt_case_probe(i, log2, &state);
        x = ntt_case_power(&root, p, ops);
        ops->mul(&x, &x, &shift);
        expected = ntt_case_value(a, m, &x, ops);
        assert_fr_equal(&b[p], &expected);
    }
    free(a);
    free(b);
    f->ntt.domain_close(d);
}

/* The primitive 2m-th root, or the square of the smallest non-residue where there is none; only a toy field's domain is
 * ever that large. */
static fr coset_shift(const struct field *f, uint32_t log2, enum root_kind kind)
{
    const struct fr_ops *ops = &f->fr;
    fr shift, power;
    if (log2 < ops->two_adicity) {
        ops->root(&shift, kind, log2 + 1);
        return shift;
    }
    for (uint64_t g = 2;; g++) {
        ops->from_u64(&shift, g);
        power = ntt_case_power(&shift, (ops->modulus.limb[0] - 1) / 2, ops);
        if (memcmp(&power, &ops->one, sizeof power) != 0)
            break;
    }
    ops->mul(&shift, &shift, &shift);
    return shift;
}

/* Coefficients of A B mod x^m - 1, the polynomial with values a b on the domain: by schoolbook if small, else by the
 * inverse transform that check_size has tried. */
static fr *product_coefficients(const struct field *f, const fr *ca, const fr *cb, const fr *a, const fr *b,
                                const struct ntt_domain *d, uint32_t log2)
{
    const struct fr_ops *ops = &f->fr;
    size_t m = (size_t)1 << log2;
    fr *c = values_new(m), t;
    memset(c, 0, m * sizeof *c);
    if (log2 <= 6) {
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++) {
                ops->mul(&t, &ca[i], &cb[j]);
                ops->add(&c[(i + j) % m], &c[(i + j) % m], &t);
            }
        return c;
    }
    for (size_t i = 0; i < m; i++)
        ops->mul(&c[i], &a[i], &b[i]);
    f->ntt.inverse(c, d, NULL);
    return c;
}

static void check_quotient(const struct field *f, uint32_t log2, enum root_kind kind, struct pool *pool)
{
    const struct fr_ops *ops = &f->fr;
    size_t m = (size_t)1 << log2, probes = m <= 64 ? m : probes_of(log2);
    struct ntt_domain *d = domain_of(f, log2, kind, pool);
    uint64_t state = log2 + 200 + 100 * (uint64_t)kind;
    fr *ca = values_new(m), *cb = values_new(m), *a, *b, *c = values_new(m), *cc;
    fr root, shift = coset_shift(f, log2, kind), x, va, vb, vc;

    ops->root(&root, kind, log2);
    ntt_case_fill(ca, m, &state, ops);
    ntt_case_fill(cb, m, &state, ops);
    a = values_copy(ca, m);
    b = values_copy(cb, m);
    f->ntt.forward(a, d, pool);
    f->ntt.forward(b, d, pool);
    cc = product_coefficients(f, ca, cb, a, b, d, log2);
    memset(c, 0xff, m * sizeof *c); /* only written */
    f->ntt.quotient_snarkjs(a, b, c, d, pool);
    for (size_t i = 0; i < probes; i++) {
        size_t p = probes == m ? i : ntt_case_probe(i, log2, &state);
        x = ntt_case_power(&root, p, ops);
        ops->mul(&x, &x, &shift);
        va = ntt_case_value(ca, m, &x, ops);
        vb = ntt_case_value(cb, m, &x, ops);
        vc = ntt_case_value(cc, m, &x, ops);
        ops->mul(&va, &va, &vb);
        ops->sub(&va, &va, &vc);
        ops->to_canon(&va, &va);
        assert_fr_equal(&a[p], &va);
    }
    free(ca);
    free(cb);
    free(cc);
    free(a);
    free(b);
    free(c);
    f->ntt.domain_close(d);
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

/* A transform is linear, so the multiples of all basis vectors are all there is. */
static void toy_fields_transform_every_multiple_of_every_basis_vector_by_definition(void **state)
{
    (void)state;
    for (size_t t = 0; t < COUNT_OF(toys); t++)
        for (uint32_t log2 = 0; log2 <= toys[t]->fr.two_adicity; log2++)
            for (enum root_kind kind = ROOT_SNARKJS; kind <= ROOT_GNARK; kind++) {
                const struct fr_ops *ops = &toys[t]->fr;
                size_t m = (size_t)1 << log2;
                struct ntt_domain *d = domain_of(toys[t], log2, kind, NULL);
                fr *a = values_new(m), root, x, expected;
                ops->root(&root, kind, log2);
                for (size_t j = 0; j < m; j++)
                    for (uint64_t s = 0; s < ops->modulus.limb[0]; s++) {
                        memset(a, 0, m * sizeof *a);
                        ops->from_u64(&a[j], s);
                        fr value = a[j];
                        toys[t]->ntt.forward(a, d, NULL);
                        for (size_t i = 0; i < m; i++) {
                            x = ntt_case_power(&root, i * j, ops);
                            ops->mul(&expected, &value, &x);
                            assert_fr_equal(&a[i], &expected);
                        }
                        toys[t]->ntt.inverse(a, d, NULL);
                        for (size_t i = 0; i < m; i++) {
                            fr zero = { { 0 } };
                            assert_fr_equal(&a[i], i == j ? &value : &zero);
                        }
                    }
                free(a);
                toys[t]->ntt.domain_close(d);
            }
}

static void toy_fields_transform_every_size_up_to_the_two_adicity(void **state)
{
    (void)state;
    for (size_t t = 0; t < COUNT_OF(toys); t++)
        for (uint32_t log2 = 0; log2 <= toys[t]->fr.two_adicity; log2++)
            for (enum root_kind kind = ROOT_SNARKJS; kind <= ROOT_GNARK; kind++) {
                check_size(toys[t], log2, kind, pools[log2 % 4]);
                check_quotient(toys[t], log2, kind, pools[log2 % 4]);
            }
}

static void check_every_size(const struct field *f)
{
    for (uint32_t log2 = 0; log2 <= NTT_CASE_LOG2_MAX; log2++)
        check_size(f, log2, log2 % 3 == 0 ? ROOT_GNARK : ROOT_SNARKJS, pools[log2 % 4]);
}

static void every_size_to_2_16_agrees_with_the_definition_and_is_undone(void **state)
{
    (void)state;
    for_real_fields(check_every_size);
}

static void check_every_quotient(const struct field *f)
{
    for (uint32_t log2 = 0; log2 <= NTT_CASE_LOG2_MAX; log2++)
        check_quotient(f, log2, log2 % 5 == 4 ? ROOT_GNARK : ROOT_SNARKJS, pools[log2 % 4]);
}

static void the_quotient_is_ab_minus_c_on_the_coset_for_every_size_to_2_16(void **state)
{
    (void)state;
    for_real_fields(check_every_quotient);
}

static void a_size_of_three_passes_agrees_with_the_definition(void **state)
{
    const struct curve *curve = curve_get(CURVE_BN254);
    struct field f = { .name = curve->name, .fr = curve->fr, .ntt = curve->ntt };
    (void)state;
    check_quotient(&f, NTT_CASE_LOG2_DEEP, ROOT_SNARKJS, pools[2]);
}

static void check_threads(const struct field *f)
{
    static const uint32_t sizes[] = { 3, 6, 7, 11, 14 };
    for (size_t k = 0; k < COUNT_OF(sizes); k++) {
        size_t m = (size_t)1 << sizes[k];
        fr *first = NULL;
        for (size_t threads = 0; threads <= THREADS_MAX; threads++) {
            struct ntt_domain *d = domain_of(f, sizes[k], ROOT_SNARKJS, pools[threads]);
            uint64_t state = sizes[k];
            fr *a = values_new(m), *b = values_new(m), *c = values_new(m);
            ntt_case_fill(a, m, &state, &f->fr);
            ntt_case_fill(b, m, &state, &f->fr);
            f->ntt.quotient_snarkjs(a, b, c, d, pools[threads]);
            if (first == NULL)
                first = values_copy(a, m);
            assert_memory_equal(first, a, m * sizeof *a);
            free(a);
            free(b);
            free(c);
            f->ntt.domain_close(d);
        }
        free(first);
    }
}

static void any_number_of_threads_gives_the_same_values(void **state)
{
    (void)state;
    for_real_fields(check_threads);
}

static void check_refusal(const struct field *f)
{
    struct ntt_domain *d = (struct ntt_domain *)f; /* anything but NULL */
    struct cuzk_err err;
    assert_int_equal(f->ntt.domain_open(&d, f->fr.two_adicity + 1, ROOT_SNARKJS, NULL, &err), CUZK_E_INPUT);
    assert_null(d);
    f->ntt.domain_close(NULL);
}

static void a_domain_above_the_two_adicity_is_refused(void **state)
{
    (void)state;
    check_refusal(&toy1_field);
    for_real_fields(check_refusal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(toy_fields_transform_every_multiple_of_every_basis_vector_by_definition),
        cmocka_unit_test(toy_fields_transform_every_size_up_to_the_two_adicity),
        cmocka_unit_test(every_size_to_2_16_agrees_with_the_definition_and_is_undone),
        cmocka_unit_test(the_quotient_is_ab_minus_c_on_the_coset_for_every_size_to_2_16),
        cmocka_unit_test(a_size_of_three_passes_agrees_with_the_definition),
        cmocka_unit_test(any_number_of_threads_gives_the_same_values),
        cmocka_unit_test(a_domain_above_the_two_adicity_is_refused),
    };
    return cmocka_run_group_tests_name("ntt", tests, open_pools, close_pools);
}
