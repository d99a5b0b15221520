/* math/ext2_tmpl.h - the quadratic extension F_p2 = F_p[i]/(i^2 + 1), p = 3 mod 4.  Each inclusion makes one.
 * In      E_NAME, E_BASE (a field of field_tmpl.h)
 * Alias   r may be a or b everywhere. */
#include "math/cat.h"

#define E(name) CAT3(E_NAME, _, name)
#define B(name) CAT3(E_BASE, _, name)

typedef struct { E_BASE c0, c1; } E_NAME;

CUZK_FN bool E(is_zero)(const E_NAME *a) { return B(is_zero)(&a->c0) && B(is_zero)(&a->c1); }
CUZK_FN bool E(eq)(const E_NAME *a, const E_NAME *b) { return B(eq)(&a->c0, &b->c0) && B(eq)(&a->c1, &b->c1); }
CUZK_FN bool E(is_reduced)(const E_NAME *a) { return B(is_reduced)(&a->c0) && B(is_reduced)(&a->c1); }
CUZK_FN void E(set_zero)(E_NAME *r) { memset(r, 0, sizeof *r); }
CUZK_FN void E(load)(E_NAME *r, const uint8_t *bytes) { memcpy(r, bytes, sizeof *r); }
CUZK_FN void E(store)(uint8_t *bytes, const E_NAME *a) { memcpy(bytes, a, sizeof *a); }

CUZK_FN void E(set_one)(E_NAME *r)
{
    B(set_one)(&r->c0);
    B(set_zero)(&r->c1);
}

CUZK_FN void E(add)(E_NAME *r, const E_NAME *a, const E_NAME *b)
{
    B(add)(&r->c0, &a->c0, &b->c0);
    B(add)(&r->c1, &a->c1, &b->c1);
}

CUZK_FN void E(dbl)(E_NAME *r, const E_NAME *a) { E(add)(r, a, a); }

CUZK_FN void E(sub)(E_NAME *r, const E_NAME *a, const E_NAME *b)
{
    B(sub)(&r->c0, &a->c0, &b->c0);
    B(sub)(&r->c1, &a->c1, &b->c1);
}

CUZK_FN void E(neg)(E_NAME *r, const E_NAME *a)
{
    B(neg)(&r->c0, &a->c0);
    B(neg)(&r->c1, &a->c1);
}

CUZK_FN void E(conj)(E_NAME *r, const E_NAME *a)
{
    r->c0 = a->c0;
    B(neg)(&r->c1, &a->c1);
}

/* Karatsuba: c1 = (a0 + a1)(b0 + b1) - a0 b0 - a1 b1. */
CUZK_FN void E(mul)(E_NAME *r, const E_NAME *a, const E_NAME *b)
{
    E_BASE low, high, sum_a, sum_b;
    B(add)(&sum_a, &a->c0, &a->c1);
    B(add)(&sum_b, &b->c0, &b->c1);
    B(mul)(&low, &a->c0, &b->c0);
    B(mul)(&high, &a->c1, &b->c1);
    B(mul)(&sum_a, &sum_a, &sum_b);
    B(sub)(&r->c0, &low, &high);
    B(sub)(&sum_a, &sum_a, &low);
    B(sub)(&r->c1, &sum_a, &high);
}

/* (a0 + a1)(a0 - a1), 2 a0 a1. */
CUZK_FN void E(sqr)(E_NAME *r, const E_NAME *a)
{
    E_BASE sum, rest, cross;
    B(add)(&sum, &a->c0, &a->c1);
    B(sub)(&rest, &a->c0, &a->c1);
    B(mul)(&cross, &a->c0, &a->c1);
    B(mul)(&r->c0, &sum, &rest);
    B(dbl)(&r->c1, &cross);
}

/* b must not lie in r. */
CUZK_FN void E(mul_base)(E_NAME *r, const E_NAME *a, const E_BASE *b)
{
    B(mul)(&r->c0, &a->c0, b);
    B(mul)(&r->c1, &a->c1, b);
}

CUZK_FN void E(to_mont)(E_NAME *r, const E_NAME *canon)
{
    B(to_mont)(&r->c0, &canon->c0);
    B(to_mont)(&r->c1, &canon->c1);
}

CUZK_FN void E(to_canon)(E_NAME *r, const E_NAME *mont)
{
    B(to_canon)(&r->c0, &mont->c0);
    B(to_canon)(&r->c1, &mont->c1);
}

/* 1/a = conj(a) / (a0^2 + a1^2), 0 for 0. */
CUZK_FN void E(inv)(E_NAME *r, const E_NAME *a)
{
    E_BASE norm, t;
    B(sqr)(&norm, &a->c0);
    B(sqr)(&t, &a->c1);
    B(add)(&norm, &norm, &t);
    B(inv)(&norm, &norm);
    E(conj)(r, a);
    E(mul_base)(r, r, &norm);
}

#undef E_NAME
#undef E_BASE
#undef E
#undef B
