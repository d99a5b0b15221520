/* math/sqrt2_tmpl.h - square roots in F_p2 = F_p[i]/(i^2 + 1), p = 3 mod 4.  Adds to a field of ext2_tmpl.h.
 * In      E_NAME, E_BASE with sqrt_tmpl.h made
 * Alias   r may be a.
 * Source  the complex method: Adj, Rodriguez-Henriquez, eprint 2012/685, algorithm 8 */
#include "math/cat.h"

#define E(name) CAT3(E_NAME, _, name)
#define B(name) CAT3(E_BASE, _, name)

/* c1 != 0.  With n^2 = c0^2 + c1^2 and d = (c0 + n)/2: d or d' = (c0 - n)/2 is a square, as d d' = -(c1/2)^2 and -1 is
 * none.  s = d^((p+1)/4) has s^2 = d: the root is s + c1/(2s) i; or s^2 = -d: it is c1/(2s) + s i, since
 * (c1/(2s))^2 - s^2 = d' + d = c0. */
CUZK_FN bool E(sqrt_complex)(E_NAME *r, const E_NAME *a)
{
    E_BASE norm, d, s, other, t;
    B(sqr)(&norm, &a->c0);
    B(sqr)(&t, &a->c1);
    B(add)(&norm, &norm, &t);
    if (!B(sqrt)(&norm, &norm))
        return false;
    B(add)(&d, &a->c0, &norm);
    B(half)(&d, &d); /* not zero: n^2 = c0^2 would mean c1 = 0 */
    bool real = B(sqrt)(&s, &d);
    B(dbl)(&t, &s);
    B(inv)(&t, &t);
    B(mul)(&other, &a->c1, &t);
    r->c0 = real ? s : other;
    r->c1 = real ? other : s;
    return true;
}

/* False, and r not to be used, if a is no square. */
CUZK_FN bool E(sqrt)(E_NAME *r, const E_NAME *a)
{
    E_NAME value = *a, square;
    if (!B(is_zero)(&value.c1)) {
        if (!E(sqrt_complex)(r, &value))
            return false;
    } else if (B(sqrt)(&r->c0, &value.c0)) {
        B(set_zero)(&r->c1);
    } else { /* -c0 is a square, as -1 is none: (s i)^2 = -s^2 = c0 */
        B(neg)(&square.c0, &value.c0);
        B(sqrt)(&r->c1, &square.c0);
        B(set_zero)(&r->c0);
    }
    E(sqr)(&square, r);
    return E(eq)(&square, &value);
}

/* a > -a, where the canonical c1 decides and c0 if c1 is zero. */
CUZK_FN bool E(is_larger)(const E_NAME *a)
{
    return B(is_zero)(&a->c1) ? B(is_larger)(&a->c0) : B(is_larger)(&a->c1);
}

#undef E_NAME
#undef E_BASE
#undef E
#undef B
