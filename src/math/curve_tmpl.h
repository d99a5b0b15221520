/* math/curve_tmpl.h - everything of one curve: towers, groups, sums, transforms, pairing, and the table that shows them.
 * In      C_NAME with its fields C_NAME_fp and C_NAME_fr made, C_ID, C_LABEL, C_LABEL_SNARKJS, P_TWIST_D or P_TWIST_M,
 *         CUZK_PATH (portable, adx, ifma)
 * Out     const struct curve C_NAME_CUZK_PATH */
#include "math/cat.h"

#define C(name) CAT3(C_NAME, _, name)

#define E_NAME C(fp2)
#define E_BASE C(fp)
#include "math/ext2_tmpl.h"

#define G_NAME C(g1)
#define G_FIELD C(fp)
#include "math/group_tmpl.h"
#define G_NAME C(g2)
#define G_FIELD C(fp2)
#include "math/group_tmpl.h"

#define F_NAME C(fr)
#include "math/ntt_tmpl.h"
#define F_NAME C(fr)
#include "math/sparse_tmpl.h"
#define F_NAME C(fr)
#include "math/fr_ops_tmpl.h"
