/* tests/unit/test_pairing.c - towers against schoolbook products and plain powers; pairings by their laws and by known
 * values.  Compiled once for each CPU path. */
#include "math_test.h"

#include "constants_bls12_381.h"
#include "constants_bn254.h"

#define F_NAME bn254_fp
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define E_NAME bn254_fp2
#define E_BASE bn254_fp
#include "math/ext2_tmpl.h"
#define G_NAME bn254_g1
#define G_FIELD bn254_fp
#include "math/group_tmpl.h"
#define G_NAME bn254_g2
#define G_FIELD bn254_fp2
#include "math/group_tmpl.h"
#define P_TWIST_D
#define P_NAME bn254
#include "math/tower_tmpl.h"
#define P_NAME bn254
#include "math/pairing_tmpl.h"
#undef P_TWIST_D

#define F_NAME bls12_381_fp
#define F_LIMBS 6
#include "math/field_tmpl.h"
#define E_NAME bls12_381_fp2
#define E_BASE bls12_381_fp
#include "math/ext2_tmpl.h"
#define G_NAME bls12_381_g1
#define G_FIELD bls12_381_fp
#include "math/group_tmpl.h"
#define G_NAME bls12_381_g2
#define G_FIELD bls12_381_fp2
#include "math/group_tmpl.h"
#define P_TWIST_M
#define P_NAME bls12_381
#include "math/tower_tmpl.h"
#define P_NAME bls12_381
#include "math/pairing_tmpl.h"
#undef P_TWIST_M

/* e(G1, G2), in the order of pairing_ops.pair.  From @noble/curves 2.4.0; ffjavascript gives the same:
 *   const e = bn254.pairing(bn254.G1.Point.BASE, bn254.G2.Point.BASE);     (bls12_381 alike)
 *   [e.c0, e.c1].flatMap((x) => [x.c0, x.c1, x.c2]).flatMap((x) => [x.c0, x.c1]).map((x) => x.toString(16)); */
static const char *const bn254_known[12] = {
    "262b253feda94cfe0da01bde280a3ed6f87e5feb898578b55e1f63739d870e95",
    "02e02d2cc795a2000a1b1f823879abbd397c4dea0918ed66b49d34b48efb8a4a",
    "13a9f2d6e29b128da5b1ad44b31977935fd2957387ecb1fc4e135402fdbd1de0",
    "040ba9fa500f1a5c4b31984a74e68659c4b420bd699ce630b130b08a6ea1162b",
    "0afc2f3fd870678fbe359d7f9873f052478f590b211ce30bf5e3eeaef89eafdb",
    "1c54a530398c9064bdc662d929e645cadda9a712cc5a8243f9cddbd2d98dd1f0",
    "095c0fbf5d5a1ac023794a0d856f92591ba990ecfd4b7aef5c0d58c5dc2429fe",
    "14d3d6ca72d8a950a31dc10f7b4053c9e9ad9ebb590cb4a60f8215d4b99f2b4a",
    "1dc0e7bbc3d70e6689dc206b4b91c85759dc1a23043c585fdfaf545838ca7429",
    "0b53320e5a6488cb98a855ffc837d2a75ab90d61ac16cc1b7ab2cd3ed5e22b97",
    "13a8afd3085dae4c6c91476ef36cd1d318ce07bac42a9c0f9bd7fddaf5ebd723",
    "00f97b5221474526b601f3730a3afa965ceee1b343940c383e5314859e762c97",
};

static const char *const bls12_381_known[12] = {
    "1250ebd871fc0a92a7b2d83168d0d727272d441befa15c503dd8e90ce98db3e7b6d194f60839c508a84305aaca1789b6",
    "089a1c5b46e5110b86750ec6a532348868a84045483c92b7af5af689452eafabf1a8943e50439f1d59882a98eaa0170f",
    "1368bb445c7c2d209703f239689ce34c0378a68e72a6b3b216da0e22a5031b54ddff57309396b38c881c4c849ec23e87",
    "193502b86edb8857c273fa075a50512937e0794e1e65a7617c90d8bd66065b1fffe51d7a579973b1315021ec3c19934f",
    "01b2f522473d171391125ba84dc4007cfbf2f8da752f7c74185203fcca589ac719c34dffbbaad8431dad1c1fb597aaa5",
    "018107154f25a764bd3c79937a45b84546da634b8f6be14a8061e55cceba478b23f7dacaa35c8ca78beae9624045b4b6",
    "19f26337d205fb469cd6bd15c3d5a04dc88784fbb3d0b2dbdea54d43b2b73f2cbb12d58386a8703e0f948226e47ee89d",
    "06fba23eb7c5af0d9f80940ca771b6ffd5857baaf222eb95a7d2809d61bfe02e1bfd1b68ff02f0b8102ae1c2d5d5ab1a",
    "11b8b424cd48bf38fcef68083b0b0ec5c81a93b330ee1a677d0d15ff7b984e8978ef48881e32fac91b93b47333e2ba57",
    "03350f55a7aefcd3c31b4fcb6ce5771cc6a0e9786ab5973320c806ad360829107ba810c5a09ffdd9be2291a0c25a99a2",
    "04c581234d086a9902249b64728ffd21a189e87935a954051c7cdba7b3872629a4fafc05066245cb9108f0242d0fe3ef",
    "0f41e58663bf08cf068672cbd01a7ec73baca4d72ca93544deff686bfd6df543d48eaa24afe47e1efde449383b676631",
};

#define P_NAME bn254
#include "pairing_cases_tmpl.h"
#define P_NAME bls12_381
#include "pairing_cases_tmpl.h"

#define PAIRING_TESTS(curve)                                                              \
    cmocka_unit_test(curve##_fp6_products_equal_the_schoolbook),                          \
        cmocka_unit_test(curve##_fp12_products_equal_the_schoolbook),                     \
        cmocka_unit_test(curve##_inverses_multiply_to_one),                               \
        cmocka_unit_test(curve##_frobenius_equals_the_power_by_p),                        \
        cmocka_unit_test(curve##_cyclotomic_square_and_power_equal_the_plain_ones),       \
        cmocka_unit_test(curve##_pairing_of_the_generators_equals_noble_and_snarkjs),     \
        cmocka_unit_test(curve##_pairing_is_bilinear),                                    \
        cmocka_unit_test(curve##_pairing_has_order_r_and_identities_give_one),            \
        cmocka_unit_test(curve##_product_is_one_exactly_when_the_exponents_cancel),       \
        cmocka_unit_test(curve##_bytes_of_points_may_lie_at_any_address)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAIRING_TESTS(bn254),
        PAIRING_TESTS(bls12_381),
    };
    return cpu_skips() ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
