/* math/group_ops_tmpl.h - struct group_ops of one group: bytes and opaque points to typed ones and back.
 * In      G_NAME, G_FIELD, with group_tmpl.h, msm_tmpl.h, fixed_tmpl.h, sqrt and subgroup templates made before
 * Out     functions that GROUP_OPS below lists; the same macro for every group */
#include <assert.h>

#include "math/cat.h"

#ifndef GROUP_OPS
#define GROUP_OPS(group, field)                                                                      \
    {                                                                                                   \
        .coordinate_bytes = sizeof(field), .affine_bytes = 2 * sizeof(field),                           \
        .generator = CAT(group, _op_generator), .identity = CAT(group, _op_identity),                 \
        .from_affine = CAT(group, _op_from_affine), .to_affine = CAT(group, _op_to_affine),           \
        .add = CAT(group, _op_add), .neg = CAT(group, _op_neg), .mul = CAT(group, _op_mul),          \
        .equal = CAT(group, _op_equal), .is_identity = CAT(group, _op_is_identity),                   \
        .is_reduced = CAT(group, _op_is_reduced), .is_on_curve = CAT(group, _op_is_on_curve),         \
        .is_in_subgroup = CAT(group, _op_is_in_subgroup), .to_canon = CAT(group, _op_to_canon),       \
        .from_canon = CAT(group, _op_from_canon), .from_x = CAT(group, _op_from_x),                   \
        .msm_plan = CAT(group, _msm_plan), .msm = CAT(group, _op_msm),                                \
        .mul_fixed = CAT(group, _mul_fixed),                                                           \
    }
#endif

#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)

static_assert(sizeof(G_NAME) <= sizeof(point), "a point holds every group");

CUZK_FN G_NAME G(get)(const point *p)
{
    G_NAME r;
    memcpy(&r, p, sizeof r);
    return r;
}

CUZK_FN void G(put)(point *out, const G_NAME *p) { memcpy(out, p, sizeof *p); }

CUZK_FN G(affine) G(get_affine)(const uint8_t *bytes)
{
    G(affine) r;
    K(load)(&r.x, bytes);
    K(load)(&r.y, bytes + sizeof r.x);
    return r;
}

CUZK_FN void G(put_affine)(uint8_t *bytes, const G(affine) *p)
{
    K(store)(bytes, &p->x);
    K(store)(bytes + sizeof p->x, &p->y);
}

static void G(op_generator)(uint8_t *out)
{
    G(affine) p;
    G(generator)(&p);
    G(put_affine)(out, &p);
}

static void G(op_identity)(point *out)
{
    G_NAME p;
    G(set_identity)(&p);
    G(put)(out, &p);
}

static void G(op_from_affine)(point *out, const uint8_t *affine)
{
    G(affine) a = G(get_affine)(affine);
    G_NAME p;
    G(from_affine)(&p, &a);
    G(put)(out, &p);
}

static void G(op_to_affine)(uint8_t *out, const point *p)
{
    G_NAME t = G(get)(p);
    G(affine) a;
    G(to_affine)(&a, &t);
    G(put_affine)(out, &a);
}

static void G(op_add)(point *out, const point *a, const point *b)
{
    G_NAME p = G(get)(a), q = G(get)(b);
    G(add)(&p, &p, &q);
    G(put)(out, &p);
}

static void G(op_neg)(point *out, const point *a)
{
    G_NAME p = G(get)(a);
    G(neg)(&p, &p);
    G(put)(out, &p);
}

static void G(op_mul)(point *out, const point *a, const fr *canon)
{
    G_NAME p = G(get)(a);
    G(mul)(&p, &p, canon->limb, 4);
    G(put)(out, &p);
}

static bool G(op_equal)(const point *a, const point *b)
{
    G_NAME p = G(get)(a), q = G(get)(b);
    return G(eq)(&p, &q);
}

static bool G(op_is_identity)(const point *a)
{
    G_NAME p = G(get)(a);
    return G(is_identity)(&p);
}

static bool G(op_is_reduced)(const uint8_t *affine)
{
    G(affine) p = G(get_affine)(affine);
    return K(is_reduced)(&p.x) && K(is_reduced)(&p.y);
}

static bool G(op_is_on_curve)(const uint8_t *affine)
{
    G(affine) p = G(get_affine)(affine);
    return G(is_on_curve)(&p);
}

static bool G(op_is_in_subgroup)(const uint8_t *affine)
{
    G(affine) p = G(get_affine)(affine);
    return G(is_in_subgroup)(&p);
}

static void G(op_to_canon)(uint8_t *out, const uint8_t *affine)
{
    G(affine) p = G(get_affine)(affine);
    K(to_canon)(&p.x, &p.x);
    K(to_canon)(&p.y, &p.y);
    G(put_affine)(out, &p);
}

static bool G(op_from_canon)(uint8_t *out, const uint8_t *canon)
{
    G(affine) p = G(get_affine)(canon);
    if (!K(is_reduced)(&p.x) || !K(is_reduced)(&p.y))
        return false;
    K(to_mont)(&p.x, &p.x);
    K(to_mont)(&p.y, &p.y);
    G(put_affine)(out, &p);
    return true;
}

static bool G(op_from_x)(uint8_t *out, const uint8_t *x_canon, bool larger)
{
    G(affine) p;
    if (!G(from_x)(&p, x_canon, larger))
        return false;
    G(put_affine)(out, &p);
    return true;
}

static void G(op_msm)(point *out, const struct msm_args *args, const struct msm_plan *plan, void *scratch,
                      struct pool *pool)
{
    G_NAME sum;
    G(msm)(&sum, args, plan, scratch, pool);
    G(put)(out, &sum);
}

#undef G_NAME
#undef G_FIELD
#undef G
#undef K
