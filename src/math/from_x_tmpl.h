/* math/from_x_tmpl.h - points from one coordinate, as in compressed files.  Adds to a group of group_tmpl.h.
 * In      G_NAME, G_FIELD with its square roots (sqrt_tmpl.h or sqrt2_tmpl.h) made */
#include "math/cat.h"

#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)

/* The point with this x (canonical little-endian) whose y is, or is not, larger than -y; contract of group_ops.from_x.
 * False, and r not to be used, if x is not reduced or there is no such point: also for y = 0, which is not larger. */
CUZK_FN_NOINLINE bool G(from_x)(G(affine) *r, const uint8_t *x_canon, bool larger)
{
    G_FIELD x, y, b;
    K(load)(&x, x_canon);
    if (!K(is_reduced)(&x))
        return false;
    K(to_mont)(&x, &x);
    G(curve_b)(&b);
    K(sqr)(&y, &x);
    K(mul)(&y, &y, &x);
    K(add)(&y, &y, &b);
    if (!K(sqrt)(&y, &y))
        return false;
    if (K(is_larger)(&y) != larger)
        K(neg)(&y, &y);
    r->x = x;
    r->y = y;
    return K(is_larger)(&y) == larger;
}

#undef G_NAME
#undef G_FIELD
#undef G
#undef K
