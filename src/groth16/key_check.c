/* groth16/key_check.c - every point of a key, in parallel; and the record that lets a second use skip it. */
#include "groth16/key.h"

#include <stdatomic.h>
#include <string.h>

#include "base/mem.h"
#include "groth16/key_record.h"

#define CHUNK 1024 /* points a task */

struct section_points { const char *name; const uint8_t *points; size_t count; const struct group_ops *g; };

#define SECTIONS 5

static void list_sections(struct section_points out[SECTIONS], const struct key *k)
{
    const struct group_ops *g1 = &k->curve->g1, *g2 = &k->curve->g2;

    out[0] = (struct section_points){ "A", k->a, k->wires, g1 };
    out[1] = (struct section_points){ "B1", k->b1, k->wires, g1 };
    out[2] = (struct section_points){ "B2", k->b2, k->wires, g2 };
    out[3] = (struct section_points){ "C", k->c, k->wires - k->publics - 1, g1 };
    out[4] = (struct section_points){ "H", k->h, (size_t)1 << k->domain_log2, g1 };
}

struct scan {
    struct section_points section;
    bool                  subgroup;
    _Atomic size_t        first_bad; /* lowest index found so far; count: none */
};

static bool point_is_good(const struct section_points *s, const uint8_t *p, bool subgroup)
{
    return s->g->is_reduced(p) && s->g->is_on_curve(p) && (!subgroup || s->g->is_in_subgroup(p));
}

static void scan_chunk(void *context, size_t task, size_t worker)
{
    struct scan *scan = context;
    const struct section_points *s = &scan->section;
    size_t begin = task * CHUNK, end = s->count - begin < CHUNK ? s->count : begin + CHUNK;

    (void)worker;
    for (size_t i = begin; i < end && i < scan->first_bad; i++) {
        if (point_is_good(s, s->points + i * s->g->affine_bytes, scan->subgroup))
            continue;
        size_t known = scan->first_bad;
        while (i < known && !atomic_compare_exchange_weak(&scan->first_bad, &known, i))
            ;
        return;
    }
}

static cuzk_status point_fail(const struct key *k, const struct section_points *s, size_t index, struct cuzk_err *err)
{
    const uint8_t *p = s->points + index * s->g->affine_bytes;
    struct err_place place = { k->map.role, s->name, "point", index, (uint64_t)(p - k->map.data) };
    const char *what = !s->g->is_reduced(p)    ? "a coordinate is not reduced"
                       : !s->g->is_on_curve(p) ? "the point is not on the curve"
                                               : "the point is not in the subgroup of order r";

    return err_set_at(err, CUZK_E_INPUT, &place, k->map.path, NULL, "%s", what);
}

cuzk_status key_check_points(const struct key *k, bool subgroup, struct pool *pool, struct cuzk_err *err)
{
    struct section_points section[SECTIONS];

    list_sections(section, k);
    for (size_t i = 0; i < SECTIONS; i++) {
        struct scan scan = { .section = section[i], .subgroup = subgroup, .first_bad = section[i].count };
        pool_run(pool, (section[i].count + CHUNK - 1) / CHUNK, scan_chunk, &scan);
        if (scan.first_bad != section[i].count)
            return point_fail(k, &section[i], scan.first_bad, err);
    }
    return CUZK_OK;
}

cuzk_status key_check_points_once(const struct key *k, struct pool *pool, bool *skipped, struct cuzk_err *err)
{
    cuzk_status st;
    struct key_record record;

    *skipped = key_record_find(&record, &k->map, pool);
    if (*skipped)
        return CUZK_OK;
    TRY(key_check_points(k, false, pool, err));
    key_record_keep(&record);
out:
    return st;
}

/* 128 random bits a point: a false equation passes with probability 2^-128. */
static cuzk_status random_scalars(fr **out, size_t count, struct cuzk_err *err)
{
    *out = mem_new(count, sizeof **out);
    if (*out == NULL)
        return err_set(err, CUZK_E_IO, "no memory for %zu scalars", count);
    random_bytes(*out, count * sizeof **out);
    for (size_t i = 0; i < count; i++)
        (*out)[i].limb[2] = (*out)[i].limb[3] = 0;
    return CUZK_OK;
}

static cuzk_status sum_points(uint8_t *out_affine, const struct group_ops *g, const uint8_t *points, const fr *rho,
                              size_t count, struct pool *pool, struct cuzk_err *err)
{
    struct msm_args args = { .points = points, .scalars = rho, .count = count, .canonical = true };
    struct msm_plan plan = g->msm_plan(count, pool_threads(pool));
    void *scratch = mem_new(1, plan.scratch_bytes);
    point sum;

    if (scratch == NULL)
        return err_set(err, CUZK_E_IO, "no memory for a sum of %zu points", count);
    g->msm(&sum, &args, &plan, scratch, pool);
    g->to_affine(out_affine, &sum);
    mem_free(scratch);
    return CUZK_OK;
}

/* e(p1, G2) == e(G1, p2)? */
static bool same_discrete_log(const struct curve *c, const uint8_t *p1, const uint8_t *p2)
{
    const size_t n1 = c->g1.affine_bytes, n2 = c->g2.affine_bytes;
    uint8_t left[AFFINE_BYTES_MAX], right[2 * AFFINE_BYTES_MAX];
    point negated;

    c->g1.from_affine(&negated, p1);
    c->g1.neg(&negated, &negated);
    c->g1.to_affine(left, &negated);
    c->g2.generator(right);
    c->g1.generator(left + n1);
    memcpy(right + n2, p2, n2);
    return c->pairing.product_is_one(left, right, 2);
}

cuzk_status key_check_relations(const struct key *k, struct pool *pool, struct cuzk_err *err)
{
    cuzk_status st;
    struct err_place place = { k->map.role, "header", NULL, ERR_NONE, ERR_NONE };
    uint8_t left[AFFINE_BYTES_MAX / 2], right[AFFINE_BYTES_MAX];
    fr *rho = NULL;

    if (!same_discrete_log(k->curve, k->beta1, k->vk.beta2))
        return err_set_at(err, CUZK_E_INPUT, &place, k->map.path, NULL, "beta1 and beta2 are of different secrets");
    if (!same_discrete_log(k->curve, k->delta1, k->vk.delta2))
        return err_set_at(err, CUZK_E_INPUT, &place, k->map.path, NULL, "delta1 and delta2 are of different secrets");
    TRY(random_scalars(&rho, k->wires, err));
    TRY(sum_points(left, &k->curve->g1, k->b1, rho, k->wires, pool, err));
    TRY(sum_points(right, &k->curve->g2, k->b2, rho, k->wires, pool, err));
    place.section = "B2";
    if (!same_discrete_log(k->curve, left, right))
        st = err_set_at(err, CUZK_E_INPUT, &place, k->map.path, NULL, "sections B1 and B2 hold different points");
out:
    mem_free(rho);
    return st;
}
