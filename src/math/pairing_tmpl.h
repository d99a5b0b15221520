/* math/pairing_tmpl.h - the optimal ate pairing.  Each inclusion makes the pairing of one curve.
 * In      P_NAME with P_NAME_fp, _fp2, _g1, _g2 and tower_tmpl.h made; constants X, PSI_X, PSI_Y; one of
 *           P_TWIST_D  a Barreto-Naehrig curve, x > 0, G2 on the twist y^2 = x^3 + b/xi
 *           P_TWIST_M  a BLS12 curve, x < 0, G2 on the twist y^2 = x^3 + b xi
 *         (they stay defined, as parameters of all templates of a curve)
 * Out     P_NAME_product_is_one, P_NAME_pair, the contract of struct pairing_ops in curve.h
 * Method
 *   loop  optimal ate (Vercauteren, eprint 2008/096): f_{6x+2,Q}(P) with two lines more through psi(Q) and
 *         -psi^2(Q) (BN), f_{x,Q}(P) (BLS12); squarings are shared by all pairs of a product (Granger, Smart, eprint
 *         2006/172).
 *   lines T in homogeneous coordinates on the twist, lines scaled by factors of F_p2, which the final exponentiation
 *         removes (Costello, Lange, Naehrig, eprint 2009/615; Aranha et al., eprint 2010/526)
 *   exponent, first part (p^6 - 1)(p^2 + 1), then (p^4 - p^2 + 1)/r times a factor that is prime to r:
 *         2x (6x^2 + 3x + 1) for BN (Fuentes-Castaneda, Knapp, Rodriguez-Henriquez, "Faster hashing to G2", SAC 2011),
 *         3 for BLS12 (Hayashida, Hayasaka, Teruya, eprint 2020/875).  snarkjs and @noble/curves take the same factors,
 *         so that values of GT are equal to theirs. */
#include "math/cat.h"

#define P(name) CAT3(P_NAME, _, name)
#define FP P(fp)
#define FP2 P(fp2)
#define FP12 P(fp12)
#define G1A P(g1_affine)
#define G2A P(g2_affine)

#if defined(P_TWIST_D) == defined(P_TWIST_M)
#error "one of P_TWIST_D and P_TWIST_M"
#endif

/* A point (X/Z, Y/Z) of the twist. */
typedef struct { FP2 x, y, z; } P(projective);

/* A line through points of G2: the coefficients of 1, of x_P and of y_P. */
typedef struct { FP2 constant, x, y; } P(line);

/* One pair on its way through the loop. */
typedef struct {
    FP            px, py;
    G2A           q, minus_q;
    P(projective) t;
} P(miller_pair);

#define MILLER_BATCH 8 /* pairs that share squarings; bounds the stack */

/* f = f * line(P).  P is (x_P, y_P); untwisting puts the three coefficients at these powers of w, after a scaling. */
CUZK_FN void P(mul_line)(FP12 *f, const P(line) *l, const P(miller_pair) *pair)
{
    FP2 x, y;
    P(fp2_mul_base)(&x, &l->x, &pair->px);
    P(fp2_mul_base)(&y, &l->y, &pair->py);
#ifdef P_TWIST_D
    P(fp12_mul_034)(f, f, &y, &x, &l->constant);
#else
    P(fp12_mul_014)(f, f, &l->constant, &x, &y);
#endif
}

/* t = 2 t and the tangent at t.  Formulas of Aranha et al., coordinates times 4 so that nothing is halved:
 * B = Y^2, E = 3 b' Z^2, F = 3 E, H = 2 Y Z; X' = 2 X Y (B - F), Y' = (B + F)^2 - 12 E^2, Z' = 4 B H;
 * line (E - B) + 3 X^2 x_P - H y_P. */
CUZK_FN_NOINLINE void P(double_step)(P(projective) *t, P(line) *l)
{
    FP2 xy, b, c, e, f, h, s, curve_b;
    P(fp2_mul)(&xy, &t->x, &t->y);
    P(fp2_sqr)(&b, &t->y);
    P(fp2_sqr)(&c, &t->z);
    P(fp2_add)(&h, &t->y, &t->z);
    P(fp2_sqr)(&h, &h);
    P(fp2_sub)(&h, &h, &b);
    P(fp2_sub)(&h, &h, &c);
    P(g2_curve_b)(&curve_b);
    P(fp2_dbl)(&e, &c);
    P(fp2_add)(&e, &e, &c);
    P(fp2_mul)(&e, &e, &curve_b);
    P(fp2_dbl)(&f, &e);
    P(fp2_add)(&f, &f, &e);

    P(fp2_sub)(&l->constant, &e, &b);
    P(fp2_sqr)(&s, &t->x);
    P(fp2_dbl)(&l->x, &s);
    P(fp2_add)(&l->x, &l->x, &s);
    P(fp2_neg)(&l->y, &h);

    P(fp2_sub)(&s, &b, &f);
    P(fp2_mul)(&s, &s, &xy);
    P(fp2_dbl)(&t->x, &s);
    P(fp2_add)(&s, &b, &f);
    P(fp2_sqr)(&s, &s);
    P(fp2_dbl)(&e, &e); /* 12 E^2 = 3 (2 E)^2 */
    P(fp2_sqr)(&e, &e);
    P(fp2_sub)(&s, &s, &e);
    P(fp2_sub)(&s, &s, &e);
    P(fp2_sub)(&t->y, &s, &e);
    P(fp2_mul)(&s, &b, &h);
    P(fp2_dbl)(&s, &s);
    P(fp2_dbl)(&t->z, &s);
}

/* t = t + q and the line through both, t != +-q: theta = Y - y Z, lambda = X - x Z, E = lambda^3, G = X lambda^2,
 * H = E + Z theta^2 - 2 G; X' = lambda H, Y' = theta (G - H) - E Y, Z' = Z E; line (theta x - lambda y) - theta x_P +
 * lambda y_P. Costello, Lange, Naehrig. */
CUZK_FN_NOINLINE void P(add_step)(P(projective) *t, P(line) *l, const G2A *q)
{
    FP2 theta, lambda, d, e, g, h, s;
    P(fp2_mul)(&theta, &q->y, &t->z);
    P(fp2_sub)(&theta, &t->y, &theta);
    P(fp2_mul)(&lambda, &q->x, &t->z);
    P(fp2_sub)(&lambda, &t->x, &lambda);

    P(fp2_mul)(&l->constant, &theta, &q->x);
    P(fp2_mul)(&s, &lambda, &q->y);
    P(fp2_sub)(&l->constant, &l->constant, &s);
    P(fp2_neg)(&l->x, &theta);
    l->y = lambda;

    P(fp2_sqr)(&d, &lambda);
    P(fp2_mul)(&e, &lambda, &d);
    P(fp2_mul)(&g, &t->x, &d);
    P(fp2_sqr)(&h, &theta);
    P(fp2_mul)(&h, &h, &t->z);
    P(fp2_add)(&h, &h, &e);
    P(fp2_sub)(&h, &h, &g);
    P(fp2_sub)(&h, &h, &g);
    P(fp2_mul)(&t->x, &lambda, &h);
    P(fp2_sub)(&g, &g, &h);
    P(fp2_mul)(&g, &g, &theta);
    P(fp2_mul)(&s, &e, &t->y);
    P(fp2_sub)(&t->y, &g, &s);
    P(fp2_mul)(&t->z, &t->z, &e);
}

/* Signed binary digits: digit i is +1, -1 or 0 as bit i of plus, of minus or of none. */
struct P(digits) {
    uint128 plus, minus;
    int     top; /* the highest digit, +1 */
};

/* The number |x| that the hard part raises to, and the length of the loop.  BN: non-adjacent form (bits of 3n and n
 * compared; Reitwiesner 1960).  BLS12: |x| has six bits set, so plain binary. */
CUZK_FN struct P(digits) P(digits_of)(uint128 n)
{
    struct P(digits) d = { .plus = n };
#ifdef P_TWIST_D
    d.plus = (3 * n & ~n) >> 1;
    d.minus = (n & ~(3 * n)) >> 1;
#endif
    for (uint128 rest = d.plus >> 1; rest != 0; rest >>= 1)
        d.top++;
    return d;
}

CUZK_FN int P(digit)(const struct P(digits) *d, int i) { return (int)(d->plus >> i & 1) - (int)(d->minus >> i & 1); }

CUZK_FN void P(add_pair)(FP12 *f, P(miller_pair) *pair, const G2A *q)
{
    P(line) l;
    P(add_step)(&pair->t, &l, q);
    P(mul_line)(f, &l, pair);
}

#ifdef P_TWIST_D
/* psi of the twist: conjugate both coordinates, times PSI_X, PSI_Y; [p] on the subgroup. */
CUZK_FN void P(pairing_psi)(G2A *r, const G2A *q)
{
    FP2 factor;
    memcpy(&factor, P(PSI_X), sizeof factor);
    P(fp2_conj)(&r->x, &q->x);
    P(fp2_mul)(&r->x, &r->x, &factor);
    memcpy(&factor, P(PSI_Y), sizeof factor);
    P(fp2_conj)(&r->y, &q->y);
    P(fp2_mul)(&r->y, &r->y, &factor);
}
#endif

/* f = f times the Miller functions of the pairs, whose t is set here. */
CUZK_FN_NOINLINE void P(miller_loop)(FP12 *f, P(miller_pair) *pairs, int count)
{
#ifdef P_TWIST_D
    struct P(digits) loop = P(digits_of)(6 * (uint128)P(X) + 2);
#else
    struct P(digits) loop = P(digits_of)(P(X));
#endif
    FP12    value;
    P(line) l;

    P(fp12_set_one)(&value);
    for (int k = 0; k < count; k++) {
        P(miller_pair) *pair = &pairs[k];
        pair->t.x = pair->q.x;
        pair->t.y = pair->q.y;
        P(fp2_set_one)(&pair->t.z);
        pair->minus_q.x = pair->q.x;
        P(fp2_neg)(&pair->minus_q.y, &pair->q.y);
    }
    for (int i = loop.top; i-- > 0;) {
        int digit = P(digit)(&loop, i);
        if (i + 1 < loop.top)
            P(fp12_sqr)(&value, &value); /* the first square is of one */
        for (int k = 0; k < count; k++) {
            P(double_step)(&pairs[k].t, &l);
            P(mul_line)(&value, &l, &pairs[k]);
            if (digit != 0)
                P(add_pair)(&value, &pairs[k], digit > 0 ? &pairs[k].q : &pairs[k].minus_q);
        }
    }
#ifdef P_TWIST_D
    for (int k = 0; k < count; k++) {
        G2A q1, q2;
        P(pairing_psi)(&q1, &pairs[k].q);
        P(pairing_psi)(&q2, &q1);
        P(fp2_neg)(&q2.y, &q2.y);
        P(add_pair)(&value, &pairs[k], &q1);
        P(add_pair)(&value, &pairs[k], &q2);
    }
#else
    /* f_{-n} = 1/f_n up to factors that the exponent removes; so is the conjugate, since its product with f_n is in
     * F_p6. */
    P(fp12_conj)(&value, &value);
#endif
    P(fp12_mul)(f, f, &value);
}

/* r = a^|x|, a in the cyclotomic subgroup. */
CUZK_FN_NOINLINE void P(cyclotomic_pow_x)(FP12 *r, const FP12 *a)
{
    struct P(digits) digits = P(digits_of)(P(X));
    FP12             base = *a, inverse, t = *a;
    P(fp12_conj)(&inverse, a);
    for (int i = digits.top; i-- > 0;) {
        int digit = P(digit)(&digits, i);
        P(fp12_cyclotomic_sqr)(&t, &t);
        if (digit != 0)
            P(fp12_mul)(&t, &t, digit > 0 ? &base : &inverse);
    }
    *r = t;
}

#ifdef P_TWIST_D
/* r = m^h, h = 2x (6x^2 + 3x + 1) (p^4 - p^2 + 1)/r = (1 + 6x + 12x^2 + 12x^3) + p (4x + 6x^2 + 12x^3)
 *   + p^2 (6x + 6x^2 + 12x^3) + p^3 (-1 + 4x + 6x^2 + 12x^3). */
CUZK_FN void P(hard_part)(FP12 *r, const FP12 *m)
{
    FP12 m2x, m6x, m6xx, m12xxx, a, b, t;
    static_assert(!P(X_NEGATIVE), "powers of x are not conjugated here");
    P(cyclotomic_pow_x)(&m2x, m);
    P(fp12_cyclotomic_sqr)(&m2x, &m2x);
    P(fp12_cyclotomic_sqr)(&t, &m2x);
    P(fp12_mul)(&m6x, &t, &m2x);
    P(cyclotomic_pow_x)(&m6xx, &m6x);
    P(fp12_cyclotomic_sqr)(&t, &m6xx);
    P(cyclotomic_pow_x)(&m12xxx, &t);

    P(fp12_mul)(&a, &m12xxx, &m6xx);
    P(fp12_conj)(&t, &m2x);
    P(fp12_mul)(&a, &a, &m6x); /* a = m^(6x + 6x^2 + 12x^3) */
    P(fp12_mul)(&b, &a, &t);   /* b = m^(4x + 6x^2 + 12x^3) */
    P(fp12_mul)(&t, &a, &m6xx);
    P(fp12_mul)(&t, &t, m); /* power 1 of p */
    P(fp12_frobenius)(&a, &a, 2);
    P(fp12_mul)(&a, &a, &t);
    P(fp12_frobenius)(&t, &b, 1);
    P(fp12_mul)(&a, &a, &t);
    P(fp12_conj)(&t, m);
    P(fp12_mul)(&b, &b, &t);
    P(fp12_frobenius)(&b, &b, 3);
    P(fp12_mul)(r, &a, &b);
}
#else
/* r = m^x, x < 0. */
CUZK_FN void P(pow_x)(FP12 *r, const FP12 *m)
{
    static_assert(P(X_NEGATIVE), "the power is conjugated");
    P(cyclotomic_pow_x)(r, m);
    P(fp12_conj)(r, r);
}

/* r = m^h, h = 3 (p^4 - p^2 + 1)/r = (x - 1)^2 (x + p)(x^2 + p^2 - 1) + 3. */
CUZK_FN void P(hard_part)(FP12 *r, const FP12 *m)
{
    FP12 a, b, t;
    a = *m;
    for (int i = 0; i < 2; i++) { /* a = a^(x - 1) */
        P(pow_x)(&b, &a);
        P(fp12_conj)(&t, &a);
        P(fp12_mul)(&a, &b, &t);
    }
    P(pow_x)(&b, &a); /* a = a^(x + p) */
    P(fp12_frobenius)(&t, &a, 1);
    P(fp12_mul)(&a, &b, &t);
    P(pow_x)(&b, &a); /* b = a^(x^2 + p^2 - 1) */
    P(pow_x)(&b, &b);
    P(fp12_frobenius)(&t, &a, 2);
    P(fp12_mul)(&b, &b, &t);
    P(fp12_conj)(&t, &a);
    P(fp12_mul)(&b, &b, &t);
    P(fp12_cyclotomic_sqr)(&t, m);
    P(fp12_mul)(&t, &t, m);
    P(fp12_mul)(r, &b, &t);
}
#endif

/* r = f^((p^12 - 1)/r * factor), f != 0. */
CUZK_FN_NOINLINE void P(final_exponentiation)(FP12 *r, const FP12 *f)
{
    FP12 m, t;
    P(fp12_inv)(&t, f);
    P(fp12_conj)(&m, f);
    P(fp12_mul)(&m, &m, &t); /* f^(p^6 - 1) */
    P(fp12_frobenius)(&t, &m, 2);
    P(fp12_mul)(&m, &m, &t); /* now in the cyclotomic subgroup */
    P(hard_part)(r, &m);
}

/* r = product over the pairs of e(g1[i], g2[i]); pairs with an identity are 1. */
CUZK_FN_NOINLINE void P(pairing_product)(FP12 *r, const uint8_t *g1, const uint8_t *g2, size_t count)
{
    P(miller_pair) pairs[MILLER_BATCH];
    FP12 f;
    int  waiting = 0;

    P(fp12_set_one)(&f);
    for (size_t i = 0; i < count; i++) {
        P(miller_pair) *pair = &pairs[waiting];
        G1A p;
        memcpy(&p, g1 + i * sizeof p, sizeof p);
        memcpy(&pair->q, g2 + i * sizeof pair->q, sizeof pair->q);
        if (P(g1_affine_is_identity)(&p) || P(g2_affine_is_identity)(&pair->q))
            continue;
        pair->px = p.x;
        pair->py = p.y;
        if (++waiting == MILLER_BATCH) {
            P(miller_loop)(&f, pairs, waiting);
            waiting = 0;
        }
    }
    if (waiting > 0)
        P(miller_loop)(&f, pairs, waiting);
    P(final_exponentiation)(r, &f);
}

static __attribute__((unused)) bool P(product_is_one)(const uint8_t *g1, const uint8_t *g2, size_t count)
{
    FP12 f;
    P(pairing_product)(&f, g1, g2, count);
    return P(fp12_is_one)(&f);
}

static __attribute__((unused)) void P(pair)(uint8_t *out, const uint8_t *g1, const uint8_t *g2)
{
    FP12 f;
    P(pairing_product)(&f, g1, g2, 1);
    const FP2 *coefficients[6] = { &f.c0.c0, &f.c0.c1, &f.c0.c2, &f.c1.c0, &f.c1.c1, &f.c1.c2 };
    for (size_t i = 0; i < 6; i++) {
        FP2 t;
        P(fp2_to_canon)(&t, coefficients[i]);
        P(fp2_store)(out + i * sizeof t, &t);
    }
}

#undef MILLER_BATCH
#undef P_NAME
#undef P
#undef FP
#undef FP2
#undef FP12
#undef G1A
#undef G2A
