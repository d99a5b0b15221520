/* math/curve_bn254.c - the table of BN254 for one CPU path (CUZK_PATH, chosen by the build). */
#include "constants_bn254.h"
#include "math/curve.h"

#define F_NAME bn254_fr
#define F_LIMBS 4
#define F_TYPE fr
#include "math/field_tmpl.h"

#define F_NAME bn254_fp
#define F_LIMBS 4
#include "math/field_tmpl.h"

#define C_NAME bn254
#define C_ID CURVE_BN254
#define C_LABEL "bn254"
#define C_LABEL_SNARKJS "bn128"
#define P_TWIST_D
#include "math/curve_tmpl.h"
