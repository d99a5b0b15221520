/* tests/unit/test_field.c - prime fields and quadratic extensions: toy fields completely, real fields against plain
 * integers.  Compiled once for each CPU path; both must agree with the same reference limb by limb. */
#include "math_test.h"

#include "constants_bls12_381.h"
#include "constants_bn254.h"
#include "constants_toy1.h"
#include "constants_toy2x.h"
#include "constants_toy4.h"
#include "constants_toy6.h"

#define F_NAME toy1_fp
#define F_LIMBS 1
#include "math/field_tmpl.h"
#define F_NAME toy4_fp
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define F_NAME toy6_fp
#define F_LIMBS 6
#include "math/field_tmpl.h"
#define F_NAME toy2x_fp
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define F_NAME toy1_fr
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define F_NAME toy6_fr
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define F_NAME toy2x_fr
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define F_NAME bn254_fp
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define F_NAME bn254_fr
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define F_NAME bls12_381_fp
#define F_LIMBS 6
#include "math/field_tmpl.h"
#define F_NAME bls12_381_fr
#define F_LIMBS 4
#include "math/field_tmpl.h"

#define F_NAME toy1_fp
#include "math/sqrt_tmpl.h"
#define F_NAME toy4_fp
#include "math/sqrt_tmpl.h"
#define F_NAME toy6_fp
#include "math/sqrt_tmpl.h"
#define F_NAME toy2x_fp
#include "math/sqrt_tmpl.h"
#define F_NAME bn254_fp
#include "math/sqrt_tmpl.h"
#define F_NAME bls12_381_fp
#include "math/sqrt_tmpl.h"

#define E_NAME toy1_fp2
#define E_BASE toy1_fp
#include "math/ext2_tmpl.h"
#define E_NAME toy6_fp2
#define E_BASE toy6_fp
#include "math/ext2_tmpl.h"
#define E_NAME toy2x_fp2
#define E_BASE toy2x_fp
#include "math/ext2_tmpl.h"
#define E_NAME bn254_fp2
#define E_BASE bn254_fp
#include "math/ext2_tmpl.h"
#define E_NAME bls12_381_fp2
#define E_BASE bls12_381_fp
#include "math/ext2_tmpl.h"

#define E_NAME toy1_fp2
#define E_BASE toy1_fp
#include "math/sqrt2_tmpl.h"
#define E_NAME toy6_fp2
#define E_BASE toy6_fp
#include "math/sqrt2_tmpl.h"
#define E_NAME toy2x_fp2
#define E_BASE toy2x_fp
#include "math/sqrt2_tmpl.h"
#define E_NAME bn254_fp2
#define E_BASE bn254_fp
#include "math/sqrt2_tmpl.h"
#define E_NAME bls12_381_fp2
#define E_BASE bls12_381_fp
#include "math/sqrt2_tmpl.h"

/* The primes again, as literals: the constants of the generator are under test as well. */
#define F_NAME toy1_fp
#define F_LIMBS 1
#define F_SMALL 79
#define F_ROOTS
#include "field_cases_tmpl.h"
#define F_NAME toy4_fp
#define F_LIMBS 4
#define F_SMALL 79
#define F_ROOTS
#include "field_cases_tmpl.h"
#define F_NAME toy6_fp
#define F_LIMBS 6
#define F_SMALL 43
#define F_ROOTS
#include "field_cases_tmpl.h"
#define F_NAME toy2x_fp
#define F_LIMBS 4
#define F_SMALL 7
#define F_ROOTS
#include "field_cases_tmpl.h"
#define F_NAME toy1_fr
#define F_LIMBS 4
#define F_SMALL 97
#include "field_cases_tmpl.h"
#define F_NAME toy6_fr
#define F_LIMBS 4
#define F_SMALL 31
#include "field_cases_tmpl.h"
#define F_NAME toy2x_fr
#define F_LIMBS 4
#define F_SMALL 61
#include "field_cases_tmpl.h"
#define F_NAME bn254_fp
#define F_LIMBS 4
#define F_ROOTS
#include "field_cases_tmpl.h"
#define F_NAME bn254_fr
#define F_LIMBS 4
#include "field_cases_tmpl.h"
#define F_NAME bls12_381_fp
#define F_LIMBS 6
#define F_ROOTS
#include "field_cases_tmpl.h"
#define F_NAME bls12_381_fr
#define F_LIMBS 4
#include "field_cases_tmpl.h"

#define E_NAME toy1_fp2
#define E_BASE toy1_fp
#include "ext2_cases_tmpl.h"
#define E_NAME toy6_fp2
#define E_BASE toy6_fp
#include "ext2_cases_tmpl.h"
#define E_NAME toy2x_fp2
#define E_BASE toy2x_fp
#include "ext2_cases_tmpl.h"
#define E_NAME bn254_fp2
#define E_BASE bn254_fp
#include "ext2_cases_tmpl.h"
#define E_NAME bls12_381_fp2
#define E_BASE bls12_381_fp
#include "ext2_cases_tmpl.h"

/* 49 elements: all sums, differences and products against integers mod 7. */
static void toy2x_fp2_every_pair_equals_plain_integers(void **state)
{
    (void)state;
    for (uint64_t x = 0; x < 49; x++)
        for (uint64_t y = 0; y < 49; y++) {
            uint64_t  x0 = x % 7, x1 = x / 7, y0 = y % 7, y1 = y / 7;
            toy2x_fp2 a = { toy2x_fp_of(x0), toy2x_fp_of(x1) }, b = { toy2x_fp_of(y0), toy2x_fp_of(y1) }, r;
            toy2x_fp2_mul(&r, &a, &b);
            assert_int_equal(toy2x_fp_to(&r.c0), (x0 * y0 + 49 - x1 * y1) % 7);
            assert_int_equal(toy2x_fp_to(&r.c1), (x0 * y1 + x1 * y0) % 7);
            toy2x_fp2_add(&r, &a, &b);
            assert_int_equal(toy2x_fp_to(&r.c0), (x0 + y0) % 7);
            assert_int_equal(toy2x_fp_to(&r.c1), (x1 + y1) % 7);
            toy2x_fp2_sub(&r, &a, &b);
            assert_int_equal(toy2x_fp_to(&r.c0), (x0 + 7 - y0) % 7);
            assert_int_equal(toy2x_fp_to(&r.c1), (x1 + 7 - y1) % 7);
            toy2x_fp2_check_pair(&a, &b);
        }
}

/* Inverses, roots and "larger" of every element: all branches of the complex method. */
#define EVERY_ELEMENT(field, base, p)                                                                    \
    static void field##_every_element_has_the_right_inverse_and_root(void **state)                       \
    {                                                                                                    \
        uint64_t squares = 0;                                                                            \
        (void)state;                                                                                     \
        for (uint64_t x = 0; x < (p) * (p); x++) {                                                       \
            field a = { base##_of(x % (p)), base##_of(x / (p)) }, r;                                     \
            field##_check_element(&a);                                                                   \
            field##_check_root(&a);                                                                      \
            field##_check_larger(&a);                                                                    \
            squares += field##_sqrt(&r, &a);                                                             \
        }                                                                                                \
        assert_int_equal(squares, ((p) * (p) + 1) / 2);                                                  \
    }
EVERY_ELEMENT(toy1_fp2, toy1_fp, 79)
EVERY_ELEMENT(toy6_fp2, toy6_fp, 43)
EVERY_ELEMENT(toy2x_fp2, toy2x_fp, 7)

#define FIELD_TESTS(field)                                                                             \
    cmocka_unit_test(field##_edges_and_random_values_equal_the_reference),                             \
        cmocka_unit_test(field##_product_takes_any_limbs_on_its_left),                                 \
        cmocka_unit_test(field##_both_cpu_paths_give_identical_limbs),                                 \
        cmocka_unit_test(field##_only_values_below_the_prime_are_reduced),                             \
        cmocka_unit_test(field##_bytes_may_lie_at_any_address), cmocka_unit_test(field##_power_laws_hold), \
        cmocka_unit_test(field##_batch_inversion_keeps_zeros)
#define TOY_TESTS(field)                                             \
    cmocka_unit_test(field##_every_pair_equals_plain_integers),      \
        cmocka_unit_test(field##_every_element_and_every_power_equals_plain_integers), FIELD_TESTS(field)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TOY_TESTS(toy1_fp),
        TOY_TESTS(toy4_fp),
        TOY_TESTS(toy6_fp),
        TOY_TESTS(toy2x_fp),
        TOY_TESTS(toy1_fr),
        TOY_TESTS(toy6_fr),
        TOY_TESTS(toy2x_fr),
        FIELD_TESTS(bn254_fp),
        FIELD_TESTS(bn254_fr),
        FIELD_TESTS(bls12_381_fp),
        FIELD_TESTS(bls12_381_fr),
        cmocka_unit_test(toy2x_fp2_every_pair_equals_plain_integers),
        cmocka_unit_test(toy2x_fp2_every_element_has_the_right_inverse_and_root),
        cmocka_unit_test(toy1_fp2_every_element_has_the_right_inverse_and_root),
        cmocka_unit_test(toy6_fp2_every_element_has_the_right_inverse_and_root),
        cmocka_unit_test(toy1_fp2_random_elements_obey_the_field_laws),
        cmocka_unit_test(toy6_fp2_random_elements_obey_the_field_laws),
        cmocka_unit_test(toy2x_fp2_random_elements_obey_the_field_laws),
        cmocka_unit_test(bn254_fp2_random_elements_obey_the_field_laws),
        cmocka_unit_test(bls12_381_fp2_random_elements_obey_the_field_laws),
    };
    return cpu_skips() ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
