/* math/tower_tmpl.h - F_p6 = F_p2[v]/(v^3 - xi) and F_p12 = F_p6[w]/(w^2 - v).  Each inclusion makes one tower.
 * In      P_NAME with its field P_NAME_fp2 (ext2_tmpl.h) made; constants XI_REAL (xi = XI_REAL + i), FROB1 .. FROB3
 * Alias   r may be a or b everywhere.
 * Sources Karatsuba products and inverses: Devegili, O hEigeartaigh, Scott, Dahab 2006 (eprint 2006/471);
 *         squares of F_p12 by the complex method, same paper; squares in the cyclotomic subgroup: Granger, Scott 2010
 *         (eprint 2009/565), section 3.2; Frobenius: Beuchat et al. 2010 (eprint 2010/354). */
#include <assert.h>

#include "math/cat.h"

#define P(name) CAT3(P_NAME, _, name)
#define FP P(fp)
#define FP2 P(fp2)
#define FP6 P(fp6)
#define FP12 P(fp12)

typedef struct { FP2 c0, c1, c2; } FP6;
typedef struct { FP6 c0, c1; } FP12;

static_assert(P(XI_REAL) == 1 || P(XI_REAL) == 9, "mul_xi makes these factors by additions");

/* (s + i)(a0 + a1 i) = s a0 - a1 + (s a1 + a0) i. */
CUZK_FN void P(fp2_mul_xi)(FP2 *r, const FP2 *a)
{
    FP2 scaled = *a;
    FP  a0 = a->c0;
    if (P(XI_REAL) == 9) {
        P(fp2_dbl)(&scaled, &scaled);
        P(fp2_dbl)(&scaled, &scaled);
        P(fp2_dbl)(&scaled, &scaled);
        P(fp2_add)(&scaled, &scaled, a);
    }
    P(fp_sub)(&r->c0, &scaled.c0, &a->c1);
    P(fp_add)(&r->c1, &scaled.c1, &a0);
}

/* --- F_p6 --- */

CUZK_FN bool P(fp6_eq)(const FP6 *a, const FP6 *b)
{
    return P(fp2_eq)(&a->c0, &b->c0) && P(fp2_eq)(&a->c1, &b->c1) && P(fp2_eq)(&a->c2, &b->c2);
}

CUZK_FN void P(fp6_add)(FP6 *r, const FP6 *a, const FP6 *b)
{
    P(fp2_add)(&r->c0, &a->c0, &b->c0);
    P(fp2_add)(&r->c1, &a->c1, &b->c1);
    P(fp2_add)(&r->c2, &a->c2, &b->c2);
}

CUZK_FN void P(fp6_sub)(FP6 *r, const FP6 *a, const FP6 *b)
{
    P(fp2_sub)(&r->c0, &a->c0, &b->c0);
    P(fp2_sub)(&r->c1, &a->c1, &b->c1);
    P(fp2_sub)(&r->c2, &a->c2, &b->c2);
}

CUZK_FN void P(fp6_neg)(FP6 *r, const FP6 *a)
{
    P(fp2_neg)(&r->c0, &a->c0);
    P(fp2_neg)(&r->c1, &a->c1);
    P(fp2_neg)(&r->c2, &a->c2);
}

/* v (a0 + a1 v + a2 v^2) = xi a2 + a0 v + a1 v^2. */
CUZK_FN void P(fp6_mul_v)(FP6 *r, const FP6 *a)
{
    FP2 top = a->c2;
    r->c2 = a->c1;
    r->c1 = a->c0;
    P(fp2_mul_xi)(&r->c0, &top);
}

CUZK_FN void P(fp6_mul_fp2)(FP6 *r, const FP6 *a, const FP2 *b)
{
    P(fp2_mul)(&r->c0, &a->c0, b);
    P(fp2_mul)(&r->c1, &a->c1, b);
    P(fp2_mul)(&r->c2, &a->c2, b);
}

/* (x0 + x1)(y0 + y1) - m0 - m1 with m0 = x0 y0, m1 = x1 y1: x0 y1 + x1 y0. */
CUZK_FN void P(fp2_cross)(FP2 *r, const FP2 *x0, const FP2 *x1, const FP2 *y0, const FP2 *y1, const FP2 *m0,
                          const FP2 *m1)
{
    FP2 x, y;
    P(fp2_add)(&x, x0, x1);
    P(fp2_add)(&y, y0, y1);
    P(fp2_mul)(&x, &x, &y);
    P(fp2_sub)(&x, &x, m0);
    P(fp2_sub)(r, &x, m1);
}

/* c0 = a0 b0 + xi (a1 b2 + a2 b1), c1 = a0 b1 + a1 b0 + xi a2 b2, c2 = a0 b2 + a2 b0 + a1 b1. */
CUZK_FN_NOINLINE void P(fp6_mul)(FP6 *r, const FP6 *a, const FP6 *b)
{
    FP2 m0, m1, m2, c0, c1, c2, t;
    P(fp2_mul)(&m0, &a->c0, &b->c0);
    P(fp2_mul)(&m1, &a->c1, &b->c1);
    P(fp2_mul)(&m2, &a->c2, &b->c2);
    P(fp2_cross)(&c0, &a->c1, &a->c2, &b->c1, &b->c2, &m1, &m2);
    P(fp2_cross)(&c1, &a->c0, &a->c1, &b->c0, &b->c1, &m0, &m1);
    P(fp2_cross)(&c2, &a->c0, &a->c2, &b->c0, &b->c2, &m0, &m2);
    P(fp2_mul_xi)(&c0, &c0);
    P(fp2_add)(&r->c0, &c0, &m0);
    P(fp2_mul_xi)(&t, &m2);
    P(fp2_add)(&r->c1, &c1, &t);
    P(fp2_add)(&r->c2, &c2, &m1);
}

/* r = a (b0 + b1 v): five products. */
CUZK_FN_NOINLINE void P(fp6_mul_01)(FP6 *r, const FP6 *a, const FP2 *b0, const FP2 *b1)
{
    FP2 m0, m1, c0, c1, c2;
    P(fp2_mul)(&m0, &a->c0, b0);
    P(fp2_mul)(&m1, &a->c1, b1);
    P(fp2_mul)(&c0, &a->c2, b1);
    P(fp2_mul)(&c2, &a->c2, b0);
    P(fp2_cross)(&c1, &a->c0, &a->c1, b0, b1, &m0, &m1);
    P(fp2_mul_xi)(&c0, &c0);
    P(fp2_add)(&r->c0, &c0, &m0);
    r->c1 = c1;
    P(fp2_add)(&r->c2, &c2, &m1);
}

/* 1/a = (A + B v + C v^2) / F: A = a0^2 - xi a1 a2, B = xi a2^2 - a0 a1, C = a1^2 - a0 a2,
 * F = a0 A + xi (a2 B + a1 C).  0 for 0. */
CUZK_FN_NOINLINE void P(fp6_inv)(FP6 *r, const FP6 *a)
{
    FP2 ca, cb, cc, f, t;
    P(fp2_sqr)(&ca, &a->c0);
    P(fp2_mul)(&t, &a->c1, &a->c2);
    P(fp2_mul_xi)(&t, &t);
    P(fp2_sub)(&ca, &ca, &t);
    P(fp2_sqr)(&cb, &a->c2);
    P(fp2_mul_xi)(&cb, &cb);
    P(fp2_mul)(&t, &a->c0, &a->c1);
    P(fp2_sub)(&cb, &cb, &t);
    P(fp2_sqr)(&cc, &a->c1);
    P(fp2_mul)(&t, &a->c0, &a->c2);
    P(fp2_sub)(&cc, &cc, &t);

    P(fp2_mul)(&f, &a->c2, &cb);
    P(fp2_mul)(&t, &a->c1, &cc);
    P(fp2_add)(&f, &f, &t);
    P(fp2_mul_xi)(&f, &f);
    P(fp2_mul)(&t, &a->c0, &ca);
    P(fp2_add)(&f, &f, &t);
    P(fp2_inv)(&f, &f);

    P(fp2_mul)(&r->c0, &ca, &f);
    P(fp2_mul)(&r->c1, &cb, &f);
    P(fp2_mul)(&r->c2, &cc, &f);
}

/* --- F_p12 --- */

CUZK_FN bool P(fp12_eq)(const FP12 *a, const FP12 *b) { return P(fp6_eq)(&a->c0, &b->c0) && P(fp6_eq)(&a->c1, &b->c1); }

CUZK_FN void P(fp12_set_one)(FP12 *r)
{
    memset(r, 0, sizeof *r);
    P(fp2_set_one)(&r->c0.c0);
}

CUZK_FN bool P(fp12_is_one)(const FP12 *a)
{
    FP12 one;
    P(fp12_set_one)(&one);
    return P(fp12_eq)(a, &one);
}

/* a^(p^6); the inverse in the cyclotomic subgroup. */
CUZK_FN void P(fp12_conj)(FP12 *r, const FP12 *a)
{
    r->c0 = a->c0;
    P(fp6_neg)(&r->c1, &a->c1);
}

CUZK_FN_NOINLINE void P(fp12_mul)(FP12 *r, const FP12 *a, const FP12 *b)
{
    FP6 low, high, x, y;
    P(fp6_mul)(&low, &a->c0, &b->c0);
    P(fp6_mul)(&high, &a->c1, &b->c1);
    P(fp6_add)(&x, &a->c0, &a->c1);
    P(fp6_add)(&y, &b->c0, &b->c1);
    P(fp6_mul)(&x, &x, &y);
    P(fp6_sub)(&x, &x, &low);
    P(fp6_sub)(&r->c1, &x, &high);
    P(fp6_mul_v)(&high, &high);
    P(fp6_add)(&r->c0, &low, &high);
}

/* With m = a0 a1: (a0 + a1)(a0 + v a1) - m - v m, 2 m. */
CUZK_FN_NOINLINE void P(fp12_sqr)(FP12 *r, const FP12 *a)
{
    FP6 m, x, y;
    P(fp6_mul)(&m, &a->c0, &a->c1);
    P(fp6_add)(&x, &a->c0, &a->c1);
    P(fp6_mul_v)(&y, &a->c1);
    P(fp6_add)(&y, &y, &a->c0);
    P(fp6_mul)(&x, &x, &y);
    P(fp6_sub)(&x, &x, &m);
    P(fp6_mul_v)(&y, &m);
    P(fp6_sub)(&r->c0, &x, &y);
    P(fp6_add)(&r->c1, &m, &m);
}

/* (a0 - a1 w) / (a0^2 - v a1^2), 0 for 0. */
CUZK_FN_NOINLINE void P(fp12_inv)(FP12 *r, const FP12 *a)
{
    FP6 norm, t;
    P(fp6_mul)(&norm, &a->c0, &a->c0);
    P(fp6_mul)(&t, &a->c1, &a->c1);
    P(fp6_mul_v)(&t, &t);
    P(fp6_sub)(&norm, &norm, &t);
    P(fp6_inv)(&norm, &norm);
    P(fp6_mul)(&r->c0, &a->c0, &norm);
    P(fp6_mul)(&t, &a->c1, &norm);
    P(fp6_neg)(&r->c1, &t);
}

/* r = a (l0 + l1 v + l4 v w), the line of a twist of type M: a0 l + a1 l' v with l = l0 + l1 v, l' = l4 v. */
CUZK_FN_NOINLINE void P(fp12_mul_014)(FP12 *r, const FP12 *a, const FP2 *l0, const FP2 *l1, const FP2 *l4)
{
    FP6 low, high, cross;
    FP2 sum;
    P(fp6_mul_01)(&low, &a->c0, l0, l1);
    P(fp6_mul_fp2)(&high, &a->c1, l4);
    P(fp6_mul_v)(&high, &high);
    P(fp2_add)(&sum, l1, l4);
    P(fp6_add)(&cross, &a->c0, &a->c1);
    P(fp6_mul_01)(&cross, &cross, l0, &sum);
    P(fp6_sub)(&cross, &cross, &low);
    P(fp6_sub)(&r->c1, &cross, &high);
    P(fp6_mul_v)(&high, &high);
    P(fp6_add)(&r->c0, &low, &high);
}

/* r = a (l0 + l3 w + l4 v w), the line of a twist of type D. */
CUZK_FN_NOINLINE void P(fp12_mul_034)(FP12 *r, const FP12 *a, const FP2 *l0, const FP2 *l3, const FP2 *l4)
{
    FP6 low, high, cross;
    FP2 sum;
    P(fp6_mul_fp2)(&low, &a->c0, l0);
    P(fp6_mul_01)(&high, &a->c1, l3, l4);
    P(fp2_add)(&sum, l0, l3);
    P(fp6_add)(&cross, &a->c0, &a->c1);
    P(fp6_mul_01)(&cross, &cross, &sum, l4);
    P(fp6_sub)(&cross, &cross, &low);
    P(fp6_sub)(&r->c1, &cross, &high);
    P(fp6_mul_v)(&high, &high);
    P(fp6_add)(&r->c0, &low, &high);
}

/* r = a^(p^k), k = 1, 2, 3: the coefficient of w^j, conjugated if k is odd, times FROBk[j]. */
CUZK_FN_NOINLINE void P(fp12_frobenius)(FP12 *r, const FP12 *a, int k)
{
    const FP2 *from[6] = { &a->c0.c0, &a->c1.c0, &a->c0.c1, &a->c1.c1, &a->c0.c2, &a->c1.c2 };
    FP2       *to[6] = { &r->c0.c0, &r->c1.c0, &r->c0.c1, &r->c1.c1, &r->c0.c2, &r->c1.c2 };
    const uint8_t *factors = (const uint8_t *)(k == 1 ? P(FROB1) : k == 2 ? P(FROB2) : P(FROB3));
    static_assert(sizeof P(FROB1) == 6 * sizeof(FP2), "one factor a coefficient");
    for (int j = 0; j < 6; j++) {
        FP2 factor, t = *from[j];
        P(fp2_load)(&factor, factors + (size_t)j * sizeof factor);
        if (k % 2 != 0)
            P(fp2_conj)(&t, &t);
        P(fp2_mul)(to[j], &t, &factor);
    }
}

/* (a + b s)^2 in F_p2[s]/(s^2 - xi): c0 = a^2 + xi b^2, c1 = 2 a b. */
CUZK_FN void P(fp4_sqr)(FP2 *c0, FP2 *c1, const FP2 *a, const FP2 *b)
{
    FP2 aa, bb, sum;
    P(fp2_sqr)(&aa, a);
    P(fp2_sqr)(&bb, b);
    P(fp2_add)(&sum, a, b);
    P(fp2_sqr)(&sum, &sum);
    P(fp2_sub)(&sum, &sum, &aa);
    P(fp2_sub)(c1, &sum, &bb);
    P(fp2_mul_xi)(&bb, &bb);
    P(fp2_add)(c0, &aa, &bb);
}

/* r = 3 t - 2 z and r = 3 t + 2 z. */
CUZK_FN void P(fp2_3t_minus_2z)(FP2 *r, const FP2 *t, const FP2 *z)
{
    FP2 d;
    P(fp2_sub)(&d, t, z);
    P(fp2_dbl)(&d, &d);
    P(fp2_add)(r, &d, t);
}

CUZK_FN void P(fp2_3t_plus_2z)(FP2 *r, const FP2 *t, const FP2 *z)
{
    FP2 d;
    P(fp2_add)(&d, t, z);
    P(fp2_dbl)(&d, &d);
    P(fp2_add)(r, &d, t);
}

/* r = a^2 for a of the cyclotomic subgroup, a^(p^4 - p^2 + 1) = 1.  As an element of F_p4[u]/(u^3 - s), a = A + B u +
 * C u^2 with A = (c0.c0, c1.c1), B = (c1.c0, c0.c2), C = (c0.c1, c1.c2); a^2 = (3 A^2 - 2 A', 3 s C^2 + 2 B',
 * 3 B^2 - 2 C'), ' the conjugate in F_p4. */
CUZK_FN_NOINLINE void P(fp12_cyclotomic_sqr)(FP12 *r, const FP12 *a)
{
    FP2 a0, a1, b0, b1, c0, c1;
    P(fp4_sqr)(&a0, &a1, &a->c0.c0, &a->c1.c1);
    P(fp4_sqr)(&b0, &b1, &a->c1.c0, &a->c0.c2);
    P(fp4_sqr)(&c0, &c1, &a->c0.c1, &a->c1.c2);
    P(fp2_mul_xi)(&c1, &c1); /* s (c0 + c1 s) = xi c1 + c0 s */
    P(fp2_3t_minus_2z)(&r->c0.c0, &a0, &a->c0.c0);
    P(fp2_3t_plus_2z)(&r->c1.c1, &a1, &a->c1.c1);
    P(fp2_3t_plus_2z)(&r->c1.c0, &c1, &a->c1.c0);
    P(fp2_3t_minus_2z)(&r->c0.c2, &c0, &a->c0.c2);
    P(fp2_3t_minus_2z)(&r->c0.c1, &b0, &a->c0.c1);
    P(fp2_3t_plus_2z)(&r->c1.c2, &b1, &a->c1.c2);
}

#undef P_NAME
#undef P
#undef FP
#undef FP2
#undef FP6
#undef FP12
