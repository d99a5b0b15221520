/* tests/unit/toy_ntt_tmpl.h - a toy scalar field with its transforms.
 * In      T_NAME such as toy1
 * Out     T(field) of struct field */
#define T(name) CAT3(T_NAME, _, name)

#define F_NAME T(fr)
#define F_LIMBS 4
#define F_TYPE fr
#include "math/field_tmpl.h"
#define F_NAME T(fr)
#include "math/ntt_tmpl.h"
#define F_NAME T(fr)
#include "math/fr_ops_tmpl.h"

static const struct field T(field) = {
    .name = "toy",
    .fr = FR_OPS(T(fr)),
    .ntt = { .domain_bytes = T(fr_ntt_domain_bytes), .domain_open = T(fr_ntt_domain_open),
             .domain_close = T(fr_ntt_domain_close), .forward = T(fr_ntt_forward), .inverse = T(fr_ntt_inverse),
             .to_coset = T(fr_ntt_to_coset), .quotient_snarkjs = T(fr_ntt_quotient_snarkjs) },
};

#undef T_NAME
#undef T
