/* groth16/proof.c - verification: one product of four pairings. */
#include "groth16/proof.h"

#include <string.h>

#include "base/mem.h"

#define MSM_PUBLICS_MIN 64 /* below this a loop of products is as fast as planning a sum */

/* *out = IC[0] + sum of publics[i] IC[i + 1]. */
static void public_sum(point *out, const struct vk *vk, const fr *publics, struct pool *pool)
{
    const struct group_ops *g = &vk->curve->g1;
    const uint8_t *ic = vk->ic + g->affine_bytes;
    void *scratch = NULL;
    point term;

    if (vk->publics >= MSM_PUBLICS_MIN) {
        struct msm_args args = { .points = ic, .scalars = publics, .count = vk->publics, .canonical = true };
        struct msm_plan plan = g->msm_plan(args.count, pool != NULL ? pool_threads(pool) : 1);
        scratch = mem_new(1, plan.scratch_bytes);
        if (scratch != NULL)
            g->msm(out, &args, &plan, scratch, pool);
        mem_free(scratch);
    }
    if (scratch == NULL) { /* few, or memory is short: slower, but needs none */
        g->identity(out);
        for (uint32_t i = 0; i < vk->publics; i++) {
            g->from_affine(&term, ic + i * g->affine_bytes);
            g->mul(&term, &term, &publics[i]);
            g->add(out, out, &term);
        }
    }
    g->from_affine(&term, vk->ic);
    g->add(out, out, &term);
}

static void put_negated(uint8_t *out_affine, const struct group_ops *g, const point *p)
{
    point negated;

    g->neg(&negated, p);
    g->to_affine(out_affine, &negated);
}

bool groth16_verify(const struct vk *vk, const struct proof *proof, const fr *publics, struct pool *pool)
{
    /* e(A, B) e(-alpha, beta) e(-publics, gamma) e(-C, delta) = 1 */
    const struct group_ops *g1 = &vk->curve->g1, *g2 = &vk->curve->g2;
    const size_t n1 = g1->affine_bytes, n2 = g2->affine_bytes;
    uint8_t left[4 * AFFINE_BYTES_MAX / 2], right[4 * AFFINE_BYTES_MAX];
    point p;

    memcpy(left, proof->a, n1);
    memcpy(right, proof->b, n2);
    g1->from_affine(&p, vk->alpha1);
    put_negated(left + n1, g1, &p);
    memcpy(right + n2, vk->beta2, n2);
    public_sum(&p, vk, publics, pool);
    put_negated(left + 2 * n1, g1, &p);
    memcpy(right + 2 * n2, vk->gamma2, n2);
    g1->from_affine(&p, proof->c);
    put_negated(left + 3 * n1, g1, &p);
    memcpy(right + 3 * n2, vk->delta2, n2);
    return vk->curve->pairing.product_is_one(left, right, 4);
}
