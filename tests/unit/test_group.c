/* tests/unit/test_group.c - groups: toy groups completely, the real ones by their laws, their orders and cofactors.
 * Compiled once for each CPU path. */
#include "math_test.h"

#include "constants_bls12_381.h"
#include "constants_bn254.h"
#include "constants_toy1.h"
#include "constants_toy2x.h"
#include "constants_toy4.h"
#include "constants_toy6.h"

/* --- the library under test --- */

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
#define F_NAME bn254_fp
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define F_NAME bls12_381_fp
#define F_LIMBS 6
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

#define E_NAME toy2x_fp2
#define E_BASE toy2x_fp
#include "math/ext2_tmpl.h"
#define E_NAME bn254_fp2
#define E_BASE bn254_fp
#include "math/ext2_tmpl.h"
#define E_NAME bls12_381_fp2
#define E_BASE bls12_381_fp
#include "math/ext2_tmpl.h"
#define E_NAME toy2x_fp2
#define E_BASE toy2x_fp
#include "math/sqrt2_tmpl.h"
#define E_NAME bn254_fp2
#define E_BASE bn254_fp
#include "math/sqrt2_tmpl.h"
#define E_NAME bls12_381_fp2
#define E_BASE bls12_381_fp
#include "math/sqrt2_tmpl.h"

#define G_NAME toy1_g
#define G_FIELD toy1_fp
#include "math/group_tmpl.h"
#define G_NAME toy4_g
#define G_FIELD toy4_fp
#include "math/group_tmpl.h"
#define G_NAME toy6_g
#define G_FIELD toy6_fp
#include "math/group_tmpl.h"
#define G_NAME toy2x_g
#define G_FIELD toy2x_fp2
#include "math/group_tmpl.h"
#define G_NAME bn254_g1
#define G_FIELD bn254_fp
#include "math/group_tmpl.h"
#define G_NAME bn254_g2
#define G_FIELD bn254_fp2
#include "math/group_tmpl.h"
#define G_NAME bls12_381_g1
#define G_FIELD bls12_381_fp
#include "math/group_tmpl.h"
#define G_NAME bls12_381_g2
#define G_FIELD bls12_381_fp2
#include "math/group_tmpl.h"

#define G_NAME toy1_g
#define G_FIELD toy1_fp
#include "math/from_x_tmpl.h"
#define G_NAME toy4_g
#define G_FIELD toy4_fp
#include "math/from_x_tmpl.h"
#define G_NAME toy6_g
#define G_FIELD toy6_fp
#include "math/from_x_tmpl.h"
#define G_NAME toy2x_g
#define G_FIELD toy2x_fp2
#include "math/from_x_tmpl.h"
#define G_NAME bn254_g1
#define G_FIELD bn254_fp
#include "math/from_x_tmpl.h"
#define G_NAME bn254_g2
#define G_FIELD bn254_fp2
#include "math/from_x_tmpl.h"
#define G_NAME bls12_381_g1
#define G_FIELD bls12_381_fp
#include "math/from_x_tmpl.h"
#define G_NAME bls12_381_g2
#define G_FIELD bls12_381_fp2
#include "math/from_x_tmpl.h"

#define P_NAME bn254
#define P_TWIST_D
#include "math/subgroup_tmpl.h"
#undef P_TWIST_D
#define P_NAME bls12_381
#define P_TWIST_M
#include "math/subgroup_tmpl.h"
#undef P_TWIST_M

/* --- the reference: F_p2 = F_p[i]/(i^2 + 1) for small p, affine points, slopes; c1 stays 0 over F_p --- */

struct small_number {
    int c0, c1;
};

struct small_point {
    struct small_number x, y;
    int                 is_identity;
};

static struct small_number small_add(struct small_number a, struct small_number b, int p)
{
    return (struct small_number){ (a.c0 + b.c0) % p, (a.c1 + b.c1) % p };
}

static struct small_number small_sub(struct small_number a, struct small_number b, int p)
{
    return (struct small_number){ (a.c0 + p - b.c0) % p, (a.c1 + p - b.c1) % p };
}

static struct small_number small_mul(struct small_number a, struct small_number b, int p)
{
    return (struct small_number){ (a.c0 * b.c0 + p * p - a.c1 * b.c1) % p, (a.c0 * b.c1 + a.c1 * b.c0) % p };
}

/* a/b, by trying. */
static struct small_number small_div(struct small_number a, struct small_number b, int p)
{
    for (int i = 0; i < p * p; i++) {
        struct small_number q = { i % p, i / p }, t = small_mul(q, b, p);
        if (t.c0 == a.c0 && t.c1 == a.c1)
            return q;
    }
    fail_msg("division by zero");
    return a;
}

static struct small_point small_point_add(struct small_point a, struct small_point b, int p)
{
    struct small_number slope;
    struct small_point  r = { { 0, 0 }, { 0, 0 }, 0 };
    if (a.is_identity)
        return b;
    if (b.is_identity)
        return a;
    if (memcmp(&a.x, &b.x, sizeof a.x) == 0) {
        struct small_number zero = small_add(a.y, b.y, p), xx = small_mul(a.x, a.x, p);
        if (zero.c0 == 0 && zero.c1 == 0) {
            r.is_identity = 1;
            return r;
        }
        slope = small_div(small_add(small_add(xx, xx, p), xx, p), small_add(a.y, a.y, p), p);
    } else {
        slope = small_div(small_sub(b.y, a.y, p), small_sub(b.x, a.x, p), p);
    }
    r.x = small_sub(small_sub(small_mul(slope, slope, p), a.x, p), b.x, p);
    r.y = small_sub(small_mul(slope, small_sub(a.x, r.x, p), p), a.y, p);
    return r;
}

#define SMALL_OVER_PRIME(field)                           \
    static field field##_small(uint64_t x0, uint64_t x1)  \
    {                                                     \
        field r;                                          \
        assert_true(x1 == 0);                             \
        field##_from_u64(&r, x0);                         \
        return r;                                         \
    }
SMALL_OVER_PRIME(toy1_fp)
SMALL_OVER_PRIME(toy4_fp)
SMALL_OVER_PRIME(toy6_fp)

static toy2x_fp2 toy2x_fp2_small(uint64_t x0, uint64_t x1)
{
    toy2x_fp2 r;
    toy2x_fp_from_u64(&r.c0, x0);
    toy2x_fp_from_u64(&r.c1, x1);
    return r;
}

#define G_NAME toy1_g
#define G_FIELD toy1_fp
#define G_P 79
#define G_DEGREE 1
#define G_ORDER 97
#include "group_toy_tmpl.h"
#define G_NAME toy4_g
#define G_FIELD toy4_fp
#define G_P 79
#define G_DEGREE 1
#define G_ORDER 97
#include "group_toy_tmpl.h"
#define G_NAME toy6_g
#define G_FIELD toy6_fp
#define G_P 43
#define G_DEGREE 1
#define G_ORDER 31
#include "group_toy_tmpl.h"
#define G_NAME toy2x_g
#define G_FIELD toy2x_fp2
#define G_P 7
#define G_DEGREE 2
#define G_ORDER 61
#include "group_toy_tmpl.h"

/* --- real groups.  Cofactors: 1; 2p - r; (x - 1)^2/3; (x^8 - 4x^7 + 5x^6 - 4x^4 + 6x^3 - 4x^2 - 4x + 13)/9.  That of
 * BN254 G2 is a product of four different primes, so its group is cyclic and a point of each order shows the check
 * right for all points. --- */

#define G_NAME bn254_g1
#define G_FIELD bn254_fp
#define G_BASE bn254_fp
#define G_SCALAR bn254_fr
#define G_COFACTOR 1
#define G_COFACTOR_PRIMES 1
#include "group_cases_tmpl.h"
#define G_NAME bn254_g2
#define G_FIELD bn254_fp2
#define G_BASE bn254_fp
#define G_SCALAR bn254_fr
#define G_COFACTOR                                                                                 \
    UINT64_C(0x345f2299c0f9fa8d), UINT64_C(0x06ceecda572a2489), UINT64_C(0xb85045b68181585e),      \
        UINT64_C(0x30644e72e131a029)
#define G_COFACTOR_PRIMES 10069, 5864401, UINT64_C(1875725156269)
#include "group_cases_tmpl.h"
#define G_NAME bls12_381_g1
#define G_FIELD bls12_381_fp
#define G_BASE bls12_381_fp
#define G_SCALAR bls12_381_fr
#define G_COFACTOR UINT64_C(0x8c00aaab0000aaab), UINT64_C(0x396c8c005555e156)
#define G_COFACTOR_PRIMES 3, 11, 10177, 859267, 52437899
#include "group_cases_tmpl.h"
#define G_NAME bls12_381_g2
#define G_FIELD bls12_381_fp2
#define G_BASE bls12_381_fp
#define G_SCALAR bls12_381_fr
#define G_COFACTOR                                                                                 \
    UINT64_C(0xcf1c38e31c7238e5), UINT64_C(0x1616ec6e786f0c70), UINT64_C(0x21537e293a6691ae),      \
        UINT64_C(0xa628f1cb4d9e82ef), UINT64_C(0xa68a205b2e5a7ddf), UINT64_C(0xcd91de4547085aba),  \
        UINT64_C(0x091d50792876a202), UINT64_C(0x05d543a95414e7f1)
#define G_COFACTOR_PRIMES 13, 23, 2713, 11953, 262069
#include "group_cases_tmpl.h"

/* x = 0 has the points (0, +-2) of order three: the one coordinate of zero that is no identity. */
static void bls12_381_g1_point_with_x_zero_is_outside(void **state)
{
    uint8_t             zero[48] = { 0 };
    bls12_381_g1_affine a;
    bls12_381_g1        p;
    const uint64_t      three = 3;
    (void)state;
    for (int larger = 0; larger < 2; larger++) {
        assert_true(bls12_381_g1_from_x(&a, zero, larger));
        assert_false(bls12_381_g1_affine_is_identity(&a));
        assert_true(bls12_381_g1_is_on_curve(&a));
        assert_false(bls12_381_g1_is_in_subgroup(&a));
        bls12_381_g1_from_affine(&p, &a);
        bls12_381_g1_mul(&p, &p, &three, 1);
        assert_true(bls12_381_g1_is_identity(&p));
    }
}

#define TOY_TESTS(group)                                                     \
    cmocka_unit_test(group##_every_sum_equals_the_table),                    \
        cmocka_unit_test(group##_every_double_and_negative_equals_the_table), \
        cmocka_unit_test(group##_every_multiple_equals_repeated_addition),   \
        cmocka_unit_test(group##_every_coordinate_gives_its_two_points)
#define GROUP_TESTS(group)                                                            \
    cmocka_unit_test(group##_generator_has_order_r),                                  \
        cmocka_unit_test(group##_group_laws_hold_for_random_points),                  \
        cmocka_unit_test(group##_coordinates_give_back_their_points),                 \
        cmocka_unit_test(group##_subgroup_check_equals_multiplication_by_the_order),  \
        cmocka_unit_test(group##_points_of_small_order_are_outside),                  \
        cmocka_unit_test(group##_points_of_large_order_are_outside)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TOY_TESTS(toy1_g),
        TOY_TESTS(toy4_g),
        TOY_TESTS(toy6_g),
        TOY_TESTS(toy2x_g),
        GROUP_TESTS(bn254_g1),
        GROUP_TESTS(bn254_g2),
        GROUP_TESTS(bls12_381_g1),
        GROUP_TESTS(bls12_381_g2),
        cmocka_unit_test(bls12_381_g1_point_with_x_zero_is_outside),
    };
    return cpu_skips() ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
