/* math/msm_tmpl.h - provisional: the simplest correct version, to be replaced. */
#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)
#define S(name) CAT3(G_SCALAR, _, name)
static struct msm_plan G(msm_plan)(size_t count, size_t threads)
{ (void)threads; return (struct msm_plan){ .count = count, .threads = 1, .window_bits = 8, .windows = 32, .scratch_bytes = 256 * sizeof(G_NAME) }; }
static void G(msm)(G_NAME *out, const struct msm_args *args, const struct msm_plan *plan, void *scratch, struct pool *pool)
{
    G_NAME *bucket = scratch; (void)plan; (void)pool;
    G(set_identity)(out);
    for (int w = 31; w >= 0; w--) {
        for (int k = 0; k < 8; k++) G(dbl)(out, out);
        memset(bucket, 0, 256 * sizeof *bucket);
        for (size_t i = 0; i < args->count; i++) {
            fr s = args->scalars[i]; if (!args->canonical) S(to_canon)(&s, &s);
            unsigned d = (unsigned)(s.limb[w / 8] >> (8 * (w % 8)) & 255);
            if (!d) continue;
            G(affine) p; K(load)(&p.x, args->points + i * sizeof p); K(load)(&p.y, args->points + i * sizeof p + sizeof p.x);
            G(add_affine)(&bucket[d], &bucket[d], &p);
        }
        G_NAME run, sum; G(set_identity)(&run); G(set_identity)(&sum);
        for (int d = 255; d > 0; d--) { G(add)(&run, &run, &bucket[d]); G(add)(&sum, &sum, &run); }
        G(add)(out, out, &sum);
    }
}
#undef G
#undef K
#undef S
#undef G_NAME
#undef G_FIELD
#undef G_SCALAR
