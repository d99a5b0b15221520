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

struct prover_sums {
    const struct key  *key;
    point              sum[BASES_COUNT];
    fr                *publics; /* of the proof that is being made, canonical */
    bool               started;
    struct prove_times times;
};

struct prover {
    struct device           *device;
    const struct device_ops *ops;
    const struct key        *key;
    struct device_key       *device_key;
    struct device_part      *part;
    struct prover_sums      *sums; /* of prover_start and prover_finish */
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

cuzk_status prover_bytes(uint64_t *out, const struct device *device, const struct key_sizes *sizes, struct cuzk_err *err)
{
    const struct device_key_args args = {
        .curve = sizes->curve,
        .domain_log2 = sizes->domain_log2,
        .wires = sizes->wires,
        .bases = {
            [BASES_H]  = { NULL, (size_t)1 << sizes->domain_log2, false },
            [BASES_A]  = { NULL, sizes->wires, false },
            [BASES_B1] = { NULL, sizes->wires, false },
            [BASES_B2] = { NULL, sizes->wires, true },
            [BASES_C]  = { NULL, sizes->wires - sizes->publics - 1, false },
        },
    };

    if (__builtin_add_overflow(device->ops->key_bytes(&args), device->ops->part_bytes(device, &args), out))
        return err_set(err, CUZK_E_INPUT, "a key of 2^%u points on %s: more bytes than can be counted",
                       sizes->domain_log2, device->ops->name);
    return CUZK_OK;
}

cuzk_status prover_sums_open(struct prover_sums **out, const struct key *key, struct cuzk_err *err)
{
    struct prover_sums *s = mem_new(1, sizeof *s);

    *out = NULL;
    if (s != NULL)
        s->publics = mem_new((size_t)key->publics + 1, sizeof(fr));
    if (s == NULL || s->publics == NULL) {
        mem_free(s);
        return err_set(err, CUZK_E_IO, "no memory for a proof's sums and %u public values", key->publics);
    }
    s->key = key;
    *out = s;
    return CUZK_OK;
}

void prover_sums_close(struct prover_sums *s)
{
    if (s == NULL)
        return;
    mem_free(s->publics);
    mem_wipe_free(s, sizeof *s);
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
    TRY(prover_sums_open(&p->sums, key, err));
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
    prover_sums_close(p->sums);
    mem_free(p);
}

cuzk_status prover_start_to(struct prover *p, struct prover_sums *out, const struct witness *w, struct cuzk_err *err)
{
    cuzk_status st;
    const struct key *k = p->key;
    struct device_times times;

    out->started = false;
    if (w->curve->id != k->curve->id)
        FAIL(CUZK_E_INPUT, "the witness is of %s, the key of %s", w->curve->name, k->curve->name);
    if (w->count != k->wires)
        FAIL(CUZK_E_INPUT, "the witness has %u values, the key %u wires", w->count, k->wires);
    memcpy(out->publics, w->value + 1, k->publics * sizeof(fr));
    p->ops->eval(p->part, w->value);
    p->ops->quotient(p->part);
    for (enum device_bases i = 0; i < BASES_COUNT; i++)
        p->ops->msm(p->part, &out->sum[i], i, i == BASES_C ? (size_t)k->publics + 1 : 0);
    TRY(p->ops->wait(p->part, err));
    times = p->ops->times(p->part);
    out->times.ns[STAGE_EVAL] = times.eval_ns;
    out->times.ns[STAGE_QUOTIENT] = times.quotient_ns;
    for (enum device_bases i = 0; i < BASES_COUNT; i++)
        out->times.ns[STAGE_MSM_H + i] = times.msm_ns[i];
    out->started = true;
    st = CUZK_OK;
out:
    return st;
}

cuzk_status prover_start(struct prover *p, const struct witness *w, struct cuzk_err *err)
{
    return prover_start_to(p, p->sums, w, err);
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
static cuzk_status check_subgroup(const struct key *key, const struct proof *proof, struct pool *pool,
                                  struct cuzk_err *err)
{
    const struct group_ops *g1 = &key->curve->g1, *g2 = &key->curve->g2;
    cuzk_status st;

    if (g1->is_in_subgroup(proof->a) && g2->is_in_subgroup(proof->b) && g1->is_in_subgroup(proof->c))
        return CUZK_OK;
    st = key_check_points(key, true, pool, err);
    return st != CUZK_OK ? st : err_set(err, CUZK_E_BUG, "a proof outside of the subgroup from a good key");
}

cuzk_status prover_sums_finish(struct prover_sums *s, struct proof *out, struct pool *pool, struct cuzk_err *err)
{
    cuzk_status st;
    struct proof proof;
    uint64_t begin_ns = now_ns(), verify_ns;
    fr r_secret, s_secret;

    memset(out, 0, sizeof *out);
    if (!s->started)
        FAIL(CUZK_E_BUG, "prover_finish without prover_start");
    s->started = false;
    draw_secrets(&r_secret, &s_secret, &s->key->curve->fr);
    assemble(&proof, s->key, s->sum, &r_secret, &s_secret);
    mem_wipe(&r_secret, sizeof r_secret);
    mem_wipe(&s_secret, sizeof s_secret);
    mem_wipe(s->sum, sizeof s->sum);
    verify_ns = now_ns();
    s->times.ns[STAGE_FINISH] = verify_ns - begin_ns;
    TRY(check_subgroup(s->key, &proof, pool, err));
    bool good = groth16_verify(&s->key->vk, &proof, s->publics, pool);
    s->times.ns[STAGE_VERIFY] = now_ns() - verify_ns;
    if (!good)
        FAIL(CUZK_E_UNSATISFIED, "the proof does not verify: the witness does not satisfy this key's circuit, "
                                 "or the key is damaged");
    *out = proof;
    st = CUZK_OK;
out:
    return st;
}

cuzk_status prover_finish(struct prover *p, struct proof *out, struct cuzk_err *err)
{
    return prover_sums_finish(p->sums, out, p->ops->pool(p->device), err);
}

const struct prove_times *prover_times(const struct prover *p) { return &p->sums->times; }
