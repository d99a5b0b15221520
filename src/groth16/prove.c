/* groth16/prove.c - start: five sums on a device; finish: blinding, assembly, verification. */
#include "groth16/prove.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"

const char *const prove_stage_name[STAGE_COUNT] = {
    [STAGE_EVAL] = "evaluate", [STAGE_QUOTIENT] = "quotient", [STAGE_MSM_H] = "sum h",
    [STAGE_MSM_A] = "sum a",   [STAGE_MSM_B1] = "sum b1",     [STAGE_MSM_B2] = "sum b2",
    [STAGE_MSM_C] = "sum c",   [STAGE_FINISH] = "finish",     [STAGE_VERIFY] = "verify",
};

struct prover {
    struct device           *device;
    const struct device_ops *ops;
    const struct key        *key;
    struct device_key       *device_key;
    struct device_part      *part;
    point                    sum[BASES_COUNT];
    fr                      *publics; /* of the proof that is being made, canonical */
    bool                     started;
    struct prove_times       times;
};

static struct device_key_args key_args(const struct key *k)
{
    return (struct device_key_args){
        .curve = k->curve,
        .domain_log2 = k->domain_log2,
        .wires = k->wires,
        .a = k->matrices.a,
        .b = k->matrices.b,
        .bases = {
            [BASES_H]  = { k->h, (size_t)1 << k->domain_log2, false },
            [BASES_A]  = { k->a, k->wires, false },
            [BASES_B1] = { k->b1, k->wires, false },
            [BASES_B2] = { k->b2, k->wires, true },
            [BASES_C]  = { k->c, k->wires - k->publics - 1, false },
        },
    };
}

cuzk_status prover_open(struct prover **out, struct device *device, const struct key *key, struct cuzk_err *err)
{
    cuzk_status st;
    struct device_key_args args = key_args(key);
    struct prover *p = mem_new(1, sizeof *p);

    *out = NULL;
    if (p == NULL)
        FAIL(CUZK_E_IO, "no memory for a prover");
    p->device = device;
    p->ops = device->ops;
    p->key = key;
    cuzk_check(p->ops->version == DEVICE_OPS_VERSION);
    p->publics = mem_new((size_t)key->publics + 1, sizeof(fr));
    if (p->publics == NULL)
        FAIL(CUZK_E_IO, "no memory for %u public values", key->publics);
    TRY(p->ops->key_upload(&p->device_key, device, &args, err));
    TRY(p->ops->part_open(&p->part, p->device_key, err));
    *out = p;
    return CUZK_OK;
out:
    prover_close(p);
    return st;
}

void prover_close(struct prover *p)
{
    if (p == NULL)
        return;
    p->ops->part_close(p->part);
    p->ops->key_drop(p->device_key);
    mem_free(p->publics);
    mem_wipe_free(p, sizeof *p);
}

cuzk_status prover_start(struct prover *p, const struct witness *w, struct cuzk_err *err)
{
    cuzk_status st;
    const struct key *k = p->key;
    struct device_times times;

    p->started = false;
    if (w->curve->id != k->curve->id)
        FAIL(CUZK_E_INPUT, "the witness is of %s, the key of %s", w->curve->name, k->curve->name);
    if (w->count != k->wires)
        FAIL(CUZK_E_INPUT, "the witness has %u values, the key %u wires", w->count, k->wires);
    memcpy(p->publics, w->value + 1, k->publics * sizeof(fr));
    p->ops->eval(p->part, w->value);
    p->ops->quotient(p->part);
    for (enum device_bases i = 0; i < BASES_COUNT; i++)
        p->ops->msm(p->part, &p->sum[i], i, i == BASES_C ? (size_t)k->publics + 1 : 0);
    TRY(p->ops->wait(p->part, err));
    times = p->ops->times(p->part);
    p->times.ns[STAGE_EVAL] = times.eval_ns;
    p->times.ns[STAGE_QUOTIENT] = times.quotient_ns;
    for (enum device_bases i = 0; i < BASES_COUNT; i++)
        p->times.ns[STAGE_MSM_H + i] = times.msm_ns[i];
    p->started = true;
    st = CUZK_OK;
out:
    return st;
}

#ifdef TEST_HOOKS
/* CUZK_TEST_RS=R:S, 64 hexadecimal digits each, big-endian, below r: a proof that can be compared byte for byte. */
static bool fixed_secrets(fr *r, fr *s, const struct fr_ops *f)
{
    const char *text = getenv("CUZK_TEST_RS");
    fr *const value[2] = { r, s };
    char digits[17] = { 0 };

    if (text == NULL || strlen(text) != 129 || text[64] != ':')
        return false;
    for (size_t i = 0; i < 8; i++) {
        memcpy(digits, text + (i / 4) * 65 + (i % 4) * 16, 16);
        value[i / 4]->limb[3 - i % 4] = strtoull(digits, NULL, 16);
    }
    cuzk_check(f->is_reduced(r) && f->is_reduced(s));
    return true;
}
#endif

/* Canonical r, s, uniform and fresh. */
static void draw_secrets(fr *r, fr *s, const struct fr_ops *f)
{
#ifdef TEST_HOOKS
    if (fixed_secrets(r, s, f))
        return;
#endif
    f->random(r);
    f->random(s);
    f->to_canon(r, r);
    f->to_canon(s, s);
}

/* *out = base + sum + secret * delta. */
static void blind(point *out, const struct group_ops *g, const uint8_t *base, const point *sum, const uint8_t *delta,
                  const fr *secret)
{
    point t;

    g->from_affine(out, delta);
    g->mul(out, out, secret);
    g->add(out, out, sum);
    g->from_affine(&t, base);
    g->add(out, out, &t);
    mem_wipe(&t, sizeof t);
}

/* A = alpha + sum a + r delta;  B = beta + sum b + s delta, in both groups;
 * C = sum c + sum h + s A + r B1 - r s delta. */
static void assemble(struct proof *out, const struct key *k, const point sum[BASES_COUNT], const fr *r, const fr *s)
{
    const struct group_ops *g1 = &k->curve->g1, *g2 = &k->curve->g2;
    const struct fr_ops *f = &k->curve->fr;
    point a, b1, b2, c, t;
    fr rs;

    blind(&a, g1, k->vk.alpha1, &sum[BASES_A], k->delta1, r);
    blind(&b1, g1, k->beta1, &sum[BASES_B1], k->delta1, s);
    blind(&b2, g2, k->vk.beta2, &sum[BASES_B2], k->vk.delta2, s);
    g1->add(&c, &sum[BASES_C], &sum[BASES_H]);
    g1->mul(&t, &a, s);
    g1->add(&c, &c, &t);
    g1->mul(&t, &b1, r);
    g1->add(&c, &c, &t);
    f->to_mont(&rs, r);
    f->mul(&rs, &rs, s); /* canonical r s */
    g1->from_affine(&t, k->delta1);
    g1->mul(&t, &t, &rs);
    g1->neg(&t, &t);
    g1->add(&c, &c, &t);
    memset(out, 0, sizeof *out);
    g1->to_affine(out->a, &a);
    g2->to_affine(out->b, &b2);
    g1->to_affine(out->c, &c);
    mem_wipe(&rs, sizeof rs);
    mem_wipe(&t, sizeof t);
    mem_wipe(&b1, sizeof b1);
}

/* Pairings do not see what a point of G1 has outside of the subgroup, but other verifiers look; and it would show the
 * witness modulo small numbers.  Only a point of the key can have brought it there: that one is the error. */
static cuzk_status check_subgroup(const struct prover *p, const struct proof *proof, struct cuzk_err *err)
{
    const struct group_ops *g1 = &p->key->curve->g1, *g2 = &p->key->curve->g2;
    cuzk_status st;

    if (g1->is_in_subgroup(proof->a) && g2->is_in_subgroup(proof->b) && g1->is_in_subgroup(proof->c))
        return CUZK_OK;
    st = key_check_points(p->key, true, p->ops->pool(p->device), err);
    return st != CUZK_OK ? st : err_set(err, CUZK_E_BUG, "a proof outside of the subgroup from a good key");
}

cuzk_status prover_finish(struct prover *p, struct proof *out, struct cuzk_err *err)
{
    cuzk_status st;
    struct proof proof;
    uint64_t begin_ns = now_ns(), verify_ns;
    fr r, s;

    memset(out, 0, sizeof *out);
    if (!p->started)
        FAIL(CUZK_E_BUG, "prover_finish without prover_start");
    p->started = false;
    draw_secrets(&r, &s, &p->key->curve->fr);
    assemble(&proof, p->key, p->sum, &r, &s);
    mem_wipe(&r, sizeof r);
    mem_wipe(&s, sizeof s);
    mem_wipe(p->sum, sizeof p->sum);
    verify_ns = now_ns();
    p->times.ns[STAGE_FINISH] = verify_ns - begin_ns;
    TRY(check_subgroup(p, &proof, err));
    bool good = groth16_verify(&p->key->vk, &proof, p->publics, p->ops->pool(p->device));
    p->times.ns[STAGE_VERIFY] = now_ns() - verify_ns;
    if (!good)
        FAIL(CUZK_E_UNSATISFIED, "the proof does not verify: the witness does not satisfy this key's circuit, "
                                 "or the key is damaged");
    *out = proof;
    st = CUZK_OK;
out:
    return st;
}

const struct prove_times *prover_times(const struct prover *p) { return &p->times; }
