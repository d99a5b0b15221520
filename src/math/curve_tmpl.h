/* math/curve_tmpl.h - everything of one curve: towers, groups, sums, transforms, pairing, and the table that shows them.
 * In      C_NAME with its fields C_NAME_fp and C_NAME_fr made, C_ID, C_LABEL, C_LABEL_SNARKJS, P_TWIST_D or P_TWIST_M,
 *         CUZK_PATH (portable, adx, ifma)
 * Out     const struct curve C_NAME_CUZK_PATH */
#include "math/cat.h"

#define C(name) CAT3(C_NAME, _, name)

#define E_NAME C(fp2)
#define E_BASE C(fp)
#include "math/ext2_tmpl.h"

#define F_NAME C(fp)
#include "math/sqrt_tmpl.h"
#define E_NAME C(fp2)
#define E_BASE C(fp)
#include "math/sqrt2_tmpl.h"

#define G_NAME C(g1)
#define G_FIELD C(fp)
#include "math/group_tmpl.h"
#define G_NAME C(g2)
#define G_FIELD C(fp2)
#include "math/group_tmpl.h"

#define G_NAME C(g1)
#define G_FIELD C(fp)
#include "math/from_x_tmpl.h"
#define G_NAME C(g2)
#define G_FIELD C(fp2)
#include "math/from_x_tmpl.h"

#define P_NAME C_NAME
#include "math/tower_tmpl.h"
#define P_NAME C_NAME
#include "math/subgroup_tmpl.h"
#define P_NAME C_NAME
#include "math/pairing_tmpl.h"

/* The pair adder: eight lanes where the path has them. */
#if defined(__AVX512IFMA__)
#define V_NAME C(fp_v)
#define V_FIELD C(fp)
#include "math/ifma_field_tmpl.h"
#define W_NAME C(fp2_v)
#define W_BASE C(fp_v)
#define W_FIELD C(fp2)
#define W_COORDINATE C(fp)
#include "math/ifma_ext2_tmpl.h"
#define G_NAME C(g1)
#define G_FIELD C(fp)
#define G_LANES C(fp_v)
#define G_BASE C(fp)
#include "math/ifma_affine_tmpl.h"
#define G_NAME C(g2)
#define G_FIELD C(fp2)
#define G_LANES C(fp2_v)
#define G_BASE C(fp)
#include "math/ifma_affine_tmpl.h"
#else
#define G_NAME C(g1)
#define G_FIELD C(fp)
#include "math/affine_batch_tmpl.h"
#define G_NAME C(g2)
#define G_FIELD C(fp2)
#include "math/affine_batch_tmpl.h"
#endif

#define G_NAME C(g1)
#define G_FIELD C(fp)
#define G_SCALAR C(fr)
#include "math/msm_tmpl.h"
#define G_NAME C(g2)
#define G_FIELD C(fp2)
#define G_SCALAR C(fr)
#include "math/msm_tmpl.h"

#define G_NAME C(g1)
#define G_FIELD C(fp)
#define G_SCALAR C(fr)
#include "math/fixed_tmpl.h"
#define G_NAME C(g2)
#define G_FIELD C(fp2)
#define G_SCALAR C(fr)
#include "math/fixed_tmpl.h"

#define G_NAME C(g1)
#define G_FIELD C(fp)
#include "math/group_ops_tmpl.h"
#define G_NAME C(g2)
#define G_FIELD C(fp2)
#include "math/group_ops_tmpl.h"

#define F_NAME C(fr)
#include "math/ntt_tmpl.h"
#define F_NAME C(fr)
#include "math/sparse_tmpl.h"
#define F_NAME C(fr)
#include "math/fr_ops_tmpl.h"

#define PATH_portable CPU_PORTABLE
#define PATH_adx CPU_ADX
#define PATH_ifma CPU_IFMA

#define NTT_OPS(field)                                                                                          \
    {                                                                                                           \
        .domain_bytes = CAT(field, _ntt_domain_bytes), .domain_open = CAT(field, _ntt_domain_open),             \
        .domain_close = CAT(field, _ntt_domain_close), .forward = CAT(field, _ntt_forward),                     \
        .inverse = CAT(field, _ntt_inverse), .to_coset = CAT(field, _ntt_to_coset),                             \
        .quotient_snarkjs = CAT(field, _ntt_quotient_snarkjs),                                                  \
    }

extern const struct curve CAT3(C_NAME, _, CUZK_PATH);
const struct curve CAT3(C_NAME, _, CUZK_PATH) = {
    .id = C_ID,
    .path = CAT(PATH_, CUZK_PATH),
    .name = C_LABEL,
    .name_snarkjs = C_LABEL_SNARKJS,
    .fp_bytes = sizeof(C(fp)),
    .fp_modulus = C(fp_MOD_BYTES),
    .fr = FR_OPS(C(fr)),
    .g1 = GROUP_OPS(C(g1), C(fp)),
    .g2 = GROUP_OPS(C(g2), C(fp2)),
    .ntt = NTT_OPS(C(fr)),
    .pairing = { .product_is_one = C(product_is_one), .pair = C(pair) },
    .sparse_mul = C(fr_sparse_mul),
};
