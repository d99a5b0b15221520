/* tests/unit/test_ifma.c - the eight-lane field and pair adder against the scalar templates, bit for bit. */
#include "constants_bls12_381.h"
#include "constants_bn254.h"
#include "constants_toy2x.h"
#include "constants_toy4.h"
#include "constants_toy6.h"
#include "math_test.h"

#if defined(__AVX512IFMA__)

#define F_NAME toy4_fp
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define V_NAME toy4_fp_v
#define V_FIELD toy4_fp
#include "math/ifma_field_tmpl.h"
#define V_NAME toy4_fp_v
#define V_FIELD toy4_fp
#include "ifma_field_cases_tmpl.h"
#define F_NAME toy6_fp
#define F_LIMBS 6
#include "math/field_tmpl.h"
#define V_NAME toy6_fp_v
#define V_FIELD toy6_fp
#include "math/ifma_field_tmpl.h"
#define V_NAME toy6_fp_v
#define V_FIELD toy6_fp
#include "ifma_field_cases_tmpl.h"
#define F_NAME bn254_fp
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define V_NAME bn254_fp_v
#define V_FIELD bn254_fp
#include "math/ifma_field_tmpl.h"
#define V_NAME bn254_fp_v
#define V_FIELD bn254_fp
#include "ifma_field_cases_tmpl.h"
#define F_NAME bn254_fr
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define V_NAME bn254_fr_v
#define V_FIELD bn254_fr
#include "math/ifma_field_tmpl.h"
#define V_NAME bn254_fr_v
#define V_FIELD bn254_fr
#include "ifma_field_cases_tmpl.h"
#define F_NAME bls12_381_fp
#define F_LIMBS 6
#include "math/field_tmpl.h"
#define V_NAME bls12_381_fp_v
#define V_FIELD bls12_381_fp
#include "math/ifma_field_tmpl.h"
#define V_NAME bls12_381_fp_v
#define V_FIELD bls12_381_fp
#include "ifma_field_cases_tmpl.h"
#define F_NAME bls12_381_fr
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define V_NAME bls12_381_fr_v
#define V_FIELD bls12_381_fr
#include "math/ifma_field_tmpl.h"
#define V_NAME bls12_381_fr_v
#define V_FIELD bls12_381_fr
#include "ifma_field_cases_tmpl.h"
#define F_NAME toy2x_fp
#define F_LIMBS 4
#include "math/field_tmpl.h"
#define V_NAME toy2x_fp_v
#define V_FIELD toy2x_fp
#include "math/ifma_field_tmpl.h"
#define V_NAME toy2x_fp_v
#define V_FIELD toy2x_fp
#include "ifma_field_cases_tmpl.h"

#define E_NAME toy2x_fp2
#define E_BASE toy2x_fp
#include "math/ext2_tmpl.h"
#define W_NAME toy2x_fp2_v
#define W_BASE toy2x_fp_v
#define W_FIELD toy2x_fp2
#define W_COORDINATE toy2x_fp
#include "math/ifma_ext2_tmpl.h"
#define E_NAME bn254_fp2
#define E_BASE bn254_fp
#include "math/ext2_tmpl.h"
#define W_NAME bn254_fp2_v
#define W_BASE bn254_fp_v
#define W_FIELD bn254_fp2
#define W_COORDINATE bn254_fp
#include "math/ifma_ext2_tmpl.h"
#define E_NAME bls12_381_fp2
#define E_BASE bls12_381_fp
#include "math/ext2_tmpl.h"
#define W_NAME bls12_381_fp2_v
#define W_BASE bls12_381_fp_v
#define W_FIELD bls12_381_fp2
#define W_COORDINATE bls12_381_fp
#include "math/ifma_ext2_tmpl.h"

#define G_NAME toy4_g
#define G_FIELD toy4_fp
#include "math/group_tmpl.h"
#define G_NAME toy4_g
#define G_FIELD toy4_fp
#define G_LANES toy4_fp_v
#define G_BASE toy4_fp
#include "math/ifma_affine_tmpl.h"
#define G_NAME toy4_g
#define G_FIELD toy4_fp
#include "ifma_group_cases_tmpl.h"
#define G_NAME toy6_g
#define G_FIELD toy6_fp
#include "math/group_tmpl.h"
#define G_NAME toy6_g
#define G_FIELD toy6_fp
#define G_LANES toy6_fp_v
#define G_BASE toy6_fp
#include "math/ifma_affine_tmpl.h"
#define G_NAME toy6_g
#define G_FIELD toy6_fp
#include "ifma_group_cases_tmpl.h"
#define G_NAME toy2x_g
#define G_FIELD toy2x_fp2
#include "math/group_tmpl.h"
#define G_NAME toy2x_g
#define G_FIELD toy2x_fp2
#define G_LANES toy2x_fp2_v
#define G_BASE toy2x_fp
#include "math/ifma_affine_tmpl.h"
#define G_NAME toy2x_g
#define G_FIELD toy2x_fp2
#include "ifma_group_cases_tmpl.h"
#define G_NAME bn254_g1
#define G_FIELD bn254_fp
#include "math/group_tmpl.h"
#define G_NAME bn254_g1
#define G_FIELD bn254_fp
#define G_LANES bn254_fp_v
#define G_BASE bn254_fp
#include "math/ifma_affine_tmpl.h"
#define G_NAME bn254_g1
#define G_FIELD bn254_fp
#include "ifma_group_cases_tmpl.h"
#define G_NAME bn254_g2
#define G_FIELD bn254_fp2
#include "math/group_tmpl.h"
#define G_NAME bn254_g2
#define G_FIELD bn254_fp2
#define G_LANES bn254_fp2_v
#define G_BASE bn254_fp
#include "math/ifma_affine_tmpl.h"
#define G_NAME bn254_g2
#define G_FIELD bn254_fp2
#include "ifma_group_cases_tmpl.h"
#define G_NAME bls12_381_g1
#define G_FIELD bls12_381_fp
#include "math/group_tmpl.h"
#define G_NAME bls12_381_g1
#define G_FIELD bls12_381_fp
#define G_LANES bls12_381_fp_v
#define G_BASE bls12_381_fp
#include "math/ifma_affine_tmpl.h"
#define G_NAME bls12_381_g1
#define G_FIELD bls12_381_fp
#include "ifma_group_cases_tmpl.h"
#define G_NAME bls12_381_g2
#define G_FIELD bls12_381_fp2
#include "math/group_tmpl.h"
#define G_NAME bls12_381_g2
#define G_FIELD bls12_381_fp2
#define G_LANES bls12_381_fp2_v
#define G_BASE bls12_381_fp
#include "math/ifma_affine_tmpl.h"
#define G_NAME bls12_381_g2
#define G_FIELD bls12_381_fp2
#include "ifma_group_cases_tmpl.h"

#define FIELD_TESTS(v)                                                                          \
    cmocka_unit_test(v##_test_products_match), cmocka_unit_test(v##_test_sums_match),           \
        cmocka_unit_test(v##_test_reduction_is_exact), cmocka_unit_test(v##_test_one_lane_and_back),    \
        cmocka_unit_test(v##_test_shrinks), cmocka_unit_test(v##_test_inverses)
#define GROUP_TESTS(g)                                                                            \
    cmocka_unit_test(g##_test_every_pair), cmocka_unit_test(g##_test_every_size_and_kind), /* in this order */ \
        cmocka_unit_test(g##_test_copies)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        FIELD_TESTS(toy4_fp_v),
        FIELD_TESTS(toy6_fp_v),
        FIELD_TESTS(bn254_fp_v),
        FIELD_TESTS(bn254_fr_v),
        FIELD_TESTS(bls12_381_fp_v),
        FIELD_TESTS(bls12_381_fr_v),
        FIELD_TESTS(toy2x_fp_v),
        GROUP_TESTS(toy4_g),
        GROUP_TESTS(toy6_g),
        GROUP_TESTS(toy2x_g),
        GROUP_TESTS(bn254_g1),
        GROUP_TESTS(bn254_g2),
        GROUP_TESTS(bls12_381_g1),
        GROUP_TESTS(bls12_381_g2),
    };
    if (!__builtin_cpu_supports("avx512ifma")) {
        printf("1..0 # SKIP this CPU has no AVX-512 IFMA\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    printf("1..0 # SKIP compiled without AVX-512 IFMA\n");
    return 0;
}

#endif
