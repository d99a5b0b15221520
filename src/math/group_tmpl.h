/* math/group_tmpl.h - points of y^2 = x^3 + b.  Each inclusion makes one group.
 * In      G_NAME, G_FIELD (field_tmpl.h or ext2_tmpl.h); constants G_NAME_B, G_NAME_GEN
 * Forms   G_affine  (x, y), the identity is (0, 0), which is on no curve with b != 0
 *         G_NAME    XYZZ: x = X/ZZ, y = Y/ZZZ, ZZ^3 = ZZZ^2; the identity has ZZ = 0.  Formulas of the
 *                   Explicit-Formulas Database, "xyzz", with a = 0.
 * All functions take any points of the curve, equal, opposite and the identity included.  r may alias. */
#include <assert.h>

#include "math/cat.h"

#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)

typedef struct { G_FIELD x, y; } G(affine);
typedef struct { G_FIELD x, y, zz, zzz; } G_NAME;

CUZK_FN bool G(affine_is_identity)(const G(affine) *p) { return K(is_zero)(&p->x) && K(is_zero)(&p->y); }
CUZK_FN bool G(is_identity)(const G_NAME *p) { return K(is_zero)(&p->zz); }
CUZK_FN void G(set_identity)(G_NAME *p) { memset(p, 0, sizeof *p); }

CUZK_FN void G(from_affine)(G_NAME *r, const G(affine) *p)
{
    if (G(affine_is_identity)(p)) {
        G(set_identity)(r);
        return;
    }
    r->x = p->x;
    r->y = p->y;
    K(set_one)(&r->zz);
    K(set_one)(&r->zzz);
}

/* 1/ZZ = ZZ^2 / ZZZ^2, 1/ZZZ = one inversion. */
CUZK_FN void G(to_affine)(G(affine) *r, const G_NAME *p)
{
    G_FIELD inverse, t;
    if (G(is_identity)(p)) {
        memset(r, 0, sizeof *r);
        return;
    }
    K(inv)(&inverse, &p->zzz);
    K(mul)(&r->y, &p->y, &inverse);
    K(mul)(&t, &inverse, &p->zz);
    K(sqr)(&t, &t);
    K(mul)(&r->x, &p->x, &t);
}

CUZK_FN void G(neg)(G_NAME *r, const G_NAME *p)
{
    *r = *p;
    K(neg)(&r->y, &p->y);
}

CUZK_FN bool G(eq)(const G_NAME *p, const G_NAME *q)
{
    G_FIELD s, t;
    if (G(is_identity)(p) || G(is_identity)(q))
        return G(is_identity)(p) && G(is_identity)(q);
    K(mul)(&s, &p->x, &q->zz);
    K(mul)(&t, &q->x, &p->zz);
    if (!K(eq)(&s, &t))
        return false;
    K(mul)(&s, &p->y, &q->zzz);
    K(mul)(&t, &q->y, &p->zzz);
    return K(eq)(&s, &t);
}

/* b of y^2 = x^3 + b. */
CUZK_FN void G(curve_b)(G_FIELD *r)
{
    static_assert(sizeof *r == sizeof G(B), "one constant a coordinate");
    memcpy(r, G(B), sizeof *r);
}

CUZK_FN void G(generator)(G(affine) *r)
{
    static_assert(sizeof *r == sizeof G(GEN), "two coordinates");
    memcpy(r, G(GEN), sizeof *r);
}

CUZK_FN bool G(is_on_curve)(const G(affine) *p)
{
    G_FIELD left, right, b;
    if (G(affine_is_identity)(p))
        return true;
    G(curve_b)(&b);
    K(sqr)(&left, &p->y);
    K(sqr)(&right, &p->x);
    K(mul)(&right, &right, &p->x);
    K(add)(&right, &right, &b);
    return K(eq)(&left, &right);
}

/* "dbl-2008-s-1" for a = 0.  A point with Y = 0 (order two) gives V = 0, so ZZ = 0: the identity. */
CUZK_FN void G(dbl)(G_NAME *r, const G_NAME *p)
{
    G_FIELD u, v, w, s, m, t;
    K(dbl)(&u, &p->y);
    K(sqr)(&v, &u);
    K(mul)(&w, &u, &v);
    K(mul)(&s, &p->x, &v);
    K(sqr)(&t, &p->x);
    K(dbl)(&m, &t);
    K(add)(&m, &m, &t);
    K(mul)(&t, &w, &p->y);
    K(sqr)(&r->x, &m);
    K(sub)(&r->x, &r->x, &s);
    K(sub)(&r->x, &r->x, &s);
    K(sub)(&s, &s, &r->x);
    K(mul)(&s, &s, &m);
    K(sub)(&r->y, &s, &t);
    K(mul)(&r->zz, &v, &p->zz);
    K(mul)(&r->zzz, &w, &p->zzz);
}

/* The common end of both additions: u1 = X1 scaled, s1 = Y1 scaled, h = U2 - U1 != 0, k = S2 - S1; scales zz, zzz. */
CUZK_FN void G(add_tail)(G_NAME *r, const G_FIELD *u1, const G_FIELD *s1, const G_FIELD *h, const G_FIELD *k)
{
    G_FIELD hh, hhh, q, t;
    K(sqr)(&hh, h);
    K(mul)(&hhh, h, &hh);
    K(mul)(&q, u1, &hh);
    K(mul)(&t, s1, &hhh);
    K(mul)(&r->zz, &r->zz, &hh);
    K(mul)(&r->zzz, &r->zzz, &hhh);
    K(sqr)(&r->x, k);
    K(sub)(&r->x, &r->x, &hhh);
    K(sub)(&r->x, &r->x, &q);
    K(sub)(&r->x, &r->x, &q);
    K(sub)(&q, &q, &r->x);
    K(mul)(&q, &q, k);
    K(sub)(&r->y, &q, &t);
}

/* "madd-2008-s": r = p + q, q affine. */
CUZK_FN void G(add_affine)(G_NAME *r, const G_NAME *p, const G(affine) *q)
{
    G_FIELD h, k, u1 = p->x, s1 = p->y;
    if (G(affine_is_identity)(q)) {
        *r = *p;
        return;
    }
    if (G(is_identity)(p)) {
        G(from_affine)(r, q);
        return;
    }
    K(mul)(&h, &q->x, &p->zz);
    K(sub)(&h, &h, &u1);
    K(mul)(&k, &q->y, &p->zzz);
    K(sub)(&k, &k, &s1);
    if (K(is_zero)(&h)) {
        if (K(is_zero)(&k))
            G(dbl)(r, p);
        else
            G(set_identity)(r);
        return;
    }
    r->zz = p->zz;
    r->zzz = p->zzz;
    G(add_tail)(r, &u1, &s1, &h, &k);
}

/* "add-2008-s": r = p + q. */
CUZK_FN_NOINLINE void G(add)(G_NAME *r, const G_NAME *p, const G_NAME *q)
{
    G_FIELD u1, s1, h, k, zz, zzz;
    if (G(is_identity)(q)) {
        *r = *p;
        return;
    }
    if (G(is_identity)(p)) {
        *r = *q;
        return;
    }
    K(mul)(&u1, &p->x, &q->zz);
    K(mul)(&s1, &p->y, &q->zzz);
    K(mul)(&h, &q->x, &p->zz);
    K(sub)(&h, &h, &u1);
    K(mul)(&k, &q->y, &p->zzz);
    K(sub)(&k, &k, &s1);
    if (K(is_zero)(&h)) {
        if (K(is_zero)(&k))
            G(dbl)(r, p);
        else
            G(set_identity)(r);
        return;
    }
    K(mul)(&zz, &p->zz, &q->zz);
    K(mul)(&zzz, &p->zzz, &q->zzz);
    r->zz = zz;
    r->zzz = zzz;
    G(add_tail)(r, &u1, &s1, &h, &k);
}

/* r = e p, e of `limbs` 64-bit limbs.  Variable time: for public data. */
CUZK_FN_NOINLINE void G(mul)(G_NAME *r, const G_NAME *p, const uint64_t *e, size_t limbs)
{
    G_NAME table[16], t;
    G(set_identity)(&table[0]);
    for (int i = 1; i < 16; i++)
        G(add)(&table[i], &table[i - 1], p);
    G(set_identity)(&t);
    for (size_t i = 16 * limbs; i-- > 0;) {
        for (int k = 0; k < 4; k++)
            G(dbl)(&t, &t);
        G(add)(&t, &t, &table[e[i / 16] >> (4 * (i % 16)) & 15]);
    }
    *r = t;
}

#undef G_NAME
#undef G_FIELD
#undef G
#undef K
