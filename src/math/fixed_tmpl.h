/* math/fixed_tmpl.h - provisional: the simplest correct version, to be replaced. */
#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)
#define S(name) CAT3(G_SCALAR, _, name)
static cuzk_status G(mul_fixed)(uint8_t *out, const uint8_t *base, const fr *scalars, size_t count, struct pool *pool, struct cuzk_err *err)
{
    (void)pool; (void)err; G(affine) b; G_NAME p, q; K(load)(&b.x, base); K(load)(&b.y, base + sizeof b.x); G(from_affine)(&p, &b);
    for (size_t i = 0; i < count; i++) { fr s; S(to_canon)(&s, &scalars[i]); G(mul)(&q, &p, s.limb, 4); G(affine) a; G(to_affine)(&a, &q); K(store)(out + i * sizeof a, &a.x); K(store)(out + i * sizeof a + sizeof a.x, &a.y); }
    return CUZK_OK;
}
#undef G
#undef K
#undef S
#undef G_NAME
#undef G_FIELD
#undef G_SCALAR
