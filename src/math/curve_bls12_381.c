/* math/curve_bls12_381.c - the table of BLS12-381 for one CPU path (CUZK_PATH, chosen by the build). */
#include "constants_bls12_381.h"
#include "math/curve.h"

#define F_NAME bls12_381_fr
#define F_LIMBS 4
#define F_TYPE fr
#include "math/field_tmpl.h"

#define F_NAME bls12_381_fp
#define F_LIMBS 6
#include "math/field_tmpl.h"

#define C_NAME bls12_381
#define C_ID CURVE_BLS12_381
#define C_LABEL "bls12-381"
#define C_LABEL_SNARKJS "bls12381"
#define P_TWIST_M
#include "math/curve_tmpl.h"
