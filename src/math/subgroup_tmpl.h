/* math/subgroup_tmpl.h - is a point of the curve in the subgroup of order r?  Adds to both groups of one curve.
 * In      P_NAME with P_NAME_g1, P_NAME_g2 made; constants X, PSI_X, PSI_Y, g1_BETA, g1_LAMBDA; P_TWIST_D (a
 *         Barreto-Naehrig curve, x > 0) or P_TWIST_M (a BLS12 curve, x < 0), which stays defined
 * Out     P_NAME_g1_is_in_subgroup, P_NAME_g2_is_in_subgroup: any point of the curve, the identity is in it.
 *
 * Each check is an equation in an endomorphism whose norm form gives [r]P = 0; it costs one or two multiplications by x
 * instead of one by r.
 *   BN G1     the curve has order r.
 *   BN G2     [x+1]P + psi([x]P) + psi^2([x]P) = psi^3([2x]P)    El Housni, Guillevic, Piellard, eprint 2022/352
 *   BLS12 G1  phi(P) = -[x^2]P                                   Scott, eprint 2021/1130
 *             phi^2 + phi + 1 = 0 on the whole curve, so (phi + x^2)(phi' + x^2) = x^4 - x^2 + 1 = r.
 *   BLS12 G2  psi(P) = [x]P                                      the same
 *             psi^4 - psi^2 + 1 = 0 on the whole twist, so [x^4 - x^2 + 1]P = [r]P = 0. */
#include <assert.h>

#include "math/cat.h"

#define P(name) CAT3(P_NAME, _, name)
#define FP P(fp)
#define FP2 P(fp2)
#define G1 P(g1)
#define G2 P(g2)

#if defined(P_TWIST_D) == defined(P_TWIST_M)
#error "one of P_TWIST_D and P_TWIST_M"
#endif

/* psi = untwist, Frobenius, twist: (x, y) -> (conj(x) PSI_X, conj(y) PSI_Y), so X and Y of XYZZ alike when ZZ and ZZZ
 * are conjugated.  Any point, the identity included. */
CUZK_FN void P(g2_psi)(G2 *r, const G2 *p)
{
    FP2 factor;
    static_assert(sizeof factor == sizeof P(PSI_X) && sizeof factor == sizeof P(PSI_Y), "one element each");
    memcpy(&factor, P(PSI_X), sizeof factor);
    P(fp2_conj)(&r->x, &p->x);
    P(fp2_mul)(&r->x, &r->x, &factor);
    memcpy(&factor, P(PSI_Y), sizeof factor);
    P(fp2_conj)(&r->y, &p->y);
    P(fp2_mul)(&r->y, &r->y, &factor);
    P(fp2_conj)(&r->zz, &p->zz);
    P(fp2_conj)(&r->zzz, &p->zzz);
}

/* r = [|x|]p. */
CUZK_FN void P(g2_mul_x)(G2 *r, const G2 *p)
{
    const uint64_t x[1] = { P(X) };
    P(g2_mul)(r, p, x, 1);
}

#ifdef P_TWIST_D

static_assert(!P(X_NEGATIVE), "the equation is for x > 0");

CUZK_FN bool P(g1_is_in_subgroup)(const P(g1_affine) *p)
{
    (void)p;
    return true;
}

CUZK_FN_NOINLINE bool P(g2_is_in_subgroup)(const P(g2_affine) *p)
{
    G2 generic, xp, left, right, t;
    P(g2_from_affine)(&generic, p);
    P(g2_mul_x)(&xp, &generic);
    P(g2_add)(&left, &xp, &generic);
    P(g2_psi)(&t, &xp);
    P(g2_add)(&left, &left, &t);
    P(g2_psi)(&t, &t);
    P(g2_add)(&left, &left, &t);
    P(g2_psi)(&t, &t);
    P(g2_dbl)(&right, &t);
    return P(g2_eq)(&left, &right);
}

#else

static_assert(P(X_NEGATIVE), "the sign of psi(P) = [x]P");

/* (beta x, y), with that of the two betas for which it is [-x^2] on the subgroup.  The constants hold either: LAMBDA is
 * -x^2 mod r or x^2 - 1, the latter of two limbs; then beta^2 = -1 - beta is the other. */
CUZK_FN void P(g1_phi)(G1 *r, const G1 *p)
{
    FP beta, one;
    memcpy(&beta, P(g1_BETA), sizeof beta);
    if (P(g1_LAMBDA)[2] == 0 && P(g1_LAMBDA)[3] == 0) {
        P(fp_set_one)(&one);
        P(fp_add)(&beta, &beta, &one);
        P(fp_neg)(&beta, &beta);
    }
    *r = *p;
    P(fp_mul)(&r->x, &p->x, &beta);
}

CUZK_FN_NOINLINE bool P(g1_is_in_subgroup)(const P(g1_affine) *p)
{
    const uint64_t x[1] = { P(X) };
    G1 generic, left, right;
    P(g1_from_affine)(&generic, p);
    P(g1_phi)(&left, &generic);
    P(g1_mul)(&right, &generic, x, 1);
    P(g1_mul)(&right, &right, x, 1);
    P(g1_neg)(&right, &right);
    return P(g1_eq)(&left, &right);
}

CUZK_FN_NOINLINE bool P(g2_is_in_subgroup)(const P(g2_affine) *p)
{
    G2 generic, left, right;
    P(g2_from_affine)(&generic, p);
    P(g2_psi)(&left, &generic);
    P(g2_mul_x)(&right, &generic);
    P(g2_neg)(&right, &right);
    return P(g2_eq)(&left, &right);
}

#endif

#undef P_NAME
#undef P
#undef FP
#undef FP2
#undef G1
#undef G2
