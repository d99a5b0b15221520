/* groth16/setup.c - a development key: the trapdoor is drawn here and thrown away, but nobody can prove that it was.
 *
 * With L_j the Lagrange basis of the domain {w^j}, m = 2^log2 rows (constraints, then one row per public wire with A = 1),
 *   A_i = sum over rows j of A[j][i] L_j(tau), B_i, C_i alike
 *   IC_i = (beta A_i + alpha B_i + C_i) G1 for i <= publics (gamma = 1), else C point i = the same / delta
 *   H_i = L'_(2i+1)(tau) / delta G1, L' the basis of the domain of 2m points: the .zkey convention, docs/formats.md */
#include "groth16/setup.h"

#include <string.h>

#include <inttypes.h>
#include <openssl/evp.h>

#include "base/check.h"
#include "base/mem.h"
#include "groth16/zkey_write.h"

#define CHUNK 4096 /* values a task: one inversion each */

enum secret { TAU, ALPHA, BETA, DELTA, SECRET_COUNT };

struct setup {
    const struct curve *curve;
    const struct r1cs  *r1cs;
    struct pool        *pool;
    uint32_t            domain_log2;
    size_t              domain;
    fr                  secret[SECRET_COUNT]; /* Montgomery */
    fr                 *lagrange;             /* 2m: first m L_j(tau), then H scalars; Montgomery */
    fr                 *a, *b, *c;            /* wires: A_i, B_i; then c becomes IC and C scalars */
};

/* Secrets from the kernel, or SHA-512("cuzk development key" | seed | number of the secret), all little-endian. */
static void draw_secrets(struct setup *s, const uint64_t *seed)
{
    static const char label[] = "cuzk development key";
    uint8_t text[sizeof label + 16], digest[64];

    for (uint64_t i = 0; i < SECRET_COUNT; i++) {
        if (seed == NULL) {
            s->curve->fr.random(&s->secret[i]);
            continue;
        }
        memcpy(text, label, sizeof label);
        memcpy(text + sizeof label, seed, 8);
        memcpy(text + sizeof label + 8, &i, 8);
        cuzk_check(EVP_Digest(text, sizeof text, digest, NULL, EVP_sha512(), NULL) == 1);
        s->curve->fr.reduce_512(&s->secret[i], digest);
    }
    mem_wipe(digest, sizeof digest);
}

/* What one pass over the roots w^start, w^(start + step), ... needs. */
struct basis_pass {
    const struct fr_ops *f;
    fr                  *out;
    size_t               count;
    fr                   root, start; /* out[i] belongs to the point start * root^i */
    fr                   factor;      /* (tau^n - 1) / n, over delta for H */
    fr                   tau;
};

static void fr_pow(fr *out, const struct fr_ops *f, const fr *base, uint64_t e)
{
    fr b = *base, r = f->one;

    for (; e != 0; e >>= 1) {
        if (e & 1)
            f->mul(&r, &r, &b);
        f->mul(&b, &b, &b);
    }
    *out = r;
}

/* out[i] = factor * x / (tau - x), x = start * root^i: the i-th Lagrange value (with factor as above). */
static void basis_chunk(void *context, size_t task, size_t worker)
{
    const struct basis_pass *p = context;
    size_t begin = task * CHUNK, count = p->count - begin < CHUNK ? p->count - begin : CHUNK;
    fr x[CHUNK], scratch[CHUNK], *out = p->out + begin;

    (void)worker;
    fr_pow(&x[0], p->f, &p->root, begin);
    p->f->mul(&x[0], &x[0], &p->start);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            p->f->mul(&x[i], &x[i - 1], &p->root);
        p->f->sub(&out[i], &p->tau, &x[i]);
    }
    p->f->batch_inv(out, scratch, count);
    for (size_t i = 0; i < count; i++) {
        p->f->mul(&out[i], &out[i], &x[i]);
        p->f->mul(&out[i], &out[i], &p->factor);
    }
}

/* (tau^n - 1) / n for n = 2^log2; zero if tau is in the domain. */
static void vanishing_over_size(fr *out, const struct fr_ops *f, const fr *tau, uint32_t log2)
{
    fr n;

    fr_pow(out, f, tau, (uint64_t)1 << log2);
    f->sub(out, out, &f->one);
    f->from_u64(&n, (uint64_t)1 << log2);
    f->inv(&n, &n);
    f->mul(out, out, &n);
}

static cuzk_status compute_bases(struct setup *s, struct cuzk_err *err)
{
    const struct fr_ops *f = &s->curve->fr;
    struct basis_pass p = { .f = f, .out = s->lagrange, .count = s->domain, .start = f->one, .tau = s->secret[TAU] };
    size_t tasks = (s->domain + CHUNK - 1) / CHUNK;
    fr delta_inv, zero = { { 0 } }, w;

    vanishing_over_size(&p.factor, f, &p.tau, s->domain_log2 + 1);
    if (memcmp(&p.factor, &zero, sizeof zero) == 0 || memcmp(&s->secret[DELTA], &zero, sizeof zero) == 0)
        return err_set(err, CUZK_E_BUG, "a secret has no inverse: use another seed");
    f->inv(&delta_inv, &s->secret[DELTA]);
    f->mul(&p.factor, &p.factor, &delta_inv);
    f->root(&w, ROOT_SNARKJS, s->domain_log2 + 1);
    p.start = w;
    f->root(&p.root, ROOT_SNARKJS, s->domain_log2);
    p.out = s->lagrange + s->domain;
    pool_run(s->pool, tasks, basis_chunk, &p);

    vanishing_over_size(&p.factor, f, &p.tau, s->domain_log2);
    p.start = f->one;
    p.out = s->lagrange;
    pool_run(s->pool, tasks, basis_chunk, &p);
    return CUZK_OK;
}

/* a, b, c: sums over the terms of each wire, canonical (canonical coefficient times Montgomery basis value). */
static void sum_columns(struct setup *s)
{
    const struct fr_ops *f = &s->curve->fr;
    fr *const column[3] = { s->a, s->b, s->c };
    struct r1cs_cursor cursor;
    struct r1cs_term term;
    fr value;

    r1cs_begin(&cursor, s->r1cs);
    for (uint32_t row = 0; row < s->r1cs->constraints; row++)
        for (int side = 0; side < 3; side++)
            for (uint32_t left = r1cs_row(&cursor); left > 0; left--) {
                r1cs_term(&cursor, &term);
                memcpy(&value, term.value_le, sizeof value);
                f->mul(&value, &value, &s->lagrange[row]);
                f->add(&column[side][term.wire], &column[side][term.wire], &value);
            }
    for (uint32_t i = 0; i <= r1cs_publics(s->r1cs); i++) {
        f->to_canon(&value, &s->lagrange[s->r1cs->constraints + i]);
        f->add(&s->a[i], &s->a[i], &value);
    }
}

/* a, b to Montgomery; c = (beta a + alpha b + c), over delta for private wires. */
static void combine_chunk(void *context, size_t task, size_t worker)
{
    struct setup *s = context;
    const struct fr_ops *f = &s->curve->fr;
    size_t end = (task + 1) * CHUNK < s->r1cs->wires ? (task + 1) * CHUNK : s->r1cs->wires;
    fr t, delta_inv;

    (void)worker;
    f->inv(&delta_inv, &s->secret[DELTA]);
    for (size_t i = task * CHUNK; i < end; i++) {
        f->to_mont(&s->a[i], &s->a[i]);
        f->to_mont(&s->b[i], &s->b[i]);
        f->to_mont(&s->c[i], &s->c[i]);
        f->mul(&t, &s->secret[BETA], &s->a[i]);
        f->add(&s->c[i], &s->c[i], &t);
        f->mul(&t, &s->secret[ALPHA], &s->b[i]);
        f->add(&s->c[i], &s->c[i], &t);
        if (i > r1cs_publics(s->r1cs))
            f->mul(&s->c[i], &s->c[i], &delta_inv);
    }
    mem_wipe(&delta_inv, sizeof delta_inv);
}

/* out = scalar * generator. */
static void times_generator(uint8_t *out, const struct group_ops *g, const struct fr_ops *f, const fr *scalar)
{
    point p;
    fr canon;

    f->to_canon(&canon, scalar);
    g->generator(out);
    g->from_affine(&p, out);
    g->mul(&p, &p, &canon);
    g->to_affine(out, &p);
    mem_wipe(&canon, sizeof canon);
}

static void fill_header(struct zkey_header *h, const struct setup *s)
{
    const struct group_ops *g1 = &s->curve->g1, *g2 = &s->curve->g2;
    const struct fr_ops *f = &s->curve->fr;

    *h = (struct zkey_header){ .curve = s->curve, .wires = s->r1cs->wires, .publics = r1cs_publics(s->r1cs),
                               .domain_log2 = s->domain_log2 };
    times_generator(h->alpha1, g1, f, &s->secret[ALPHA]);
    times_generator(h->beta1, g1, f, &s->secret[BETA]);
    times_generator(h->beta2, g2, f, &s->secret[BETA]);
    g2->generator(h->gamma2);
    times_generator(h->delta1, g1, f, &s->secret[DELTA]);
    times_generator(h->delta2, g2, f, &s->secret[DELTA]);
}

struct progress {
    void (*call)(void *context, const char *stage, double share);
    void *context;
};

static void report(const struct progress *p, const char *stage, double share)
{
    if (p->call != NULL)
        p->call(p->context, stage, share);
}

/* Points of one section: scalars times the generator, `points` is the working memory of the largest. */
struct section_job { uint32_t id; bool g2; const fr *scalars; size_t count; const char *stage; double share; };

static cuzk_status write_points(struct zkey_writer *z, const struct setup *s, const struct section_job *job,
                                uint8_t *points, struct cuzk_err *err)
{
    cuzk_status st;
    const struct group_ops *g = job->g2 ? &s->curve->g2 : &s->curve->g1;
    uint8_t generator[AFFINE_BYTES_MAX];

    g->generator(generator);
    TRY(g->mul_fixed(points, generator, job->scalars, job->count, s->pool, err));
    TRY(zkey_write_section(z, job->id, points, job->count * g->affine_bytes, err));
out:
    return st;
}

static cuzk_status write_key(struct setup *s, const char *path, const struct progress *progress, struct cuzk_err *err)
{
    cuzk_status st;
    size_t wires = s->r1cs->wires, publics = r1cs_publics(s->r1cs);
    const struct section_job jobs[] = {
        { ZKEY_IC, false, s->c, publics + 1, "IC", 0.10 },
        { ZKEY_A, false, s->a, wires, "A", 0.12 },
        { ZKEY_B1, false, s->b, wires, "B in G1", 0.26 },
        { ZKEY_B2, true, s->b, wires, "B in G2", 0.40 },
        { ZKEY_C, false, s->c + publics + 1, wires - publics - 1, "C", 0.72 },
        { ZKEY_H, false, s->lagrange + s->domain, s->domain, "H", 0.86 },
    };
    size_t points_max = wires > s->domain ? wires : s->domain;
    uint8_t *points = mem_new(points_max, s->curve->g2.affine_bytes);
    struct zkey_writer *z = NULL;
    struct zkey_header header;

    if (points == NULL)
        FAIL(CUZK_E_IO, "no memory for %zu points", points_max);
    fill_header(&header, s);
    TRY(zkey_write_open(&z, path, &header, err));
    TRY(zkey_write_coefficients(z, s->r1cs, err));
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        report(progress, jobs[i].stage, jobs[i].share);
        TRY(write_points(z, s, &jobs[i], points, err));
    }
    TRY(zkey_write_contributions(z, &header, err));
    TRY(zkey_write_commit(&z, err));
out:
    zkey_write_abandon(&z);
    mem_free(points);
    return st;
}

/* Smallest power of two above constraints + publics, at least 2: as snarkjs. */
static uint32_t domain_log2_for(uint64_t rows)
{
    uint32_t log2 = 1;

    while (((uint64_t)1 << log2) < rows)
        log2++;
    return log2;
}

cuzk_status groth16_setup(const struct r1cs *r1cs, const char *path, const uint64_t *seed, struct pool *pool,
                          void (*progress)(void *context, const char *stage, double share), void *context,
                          struct cuzk_err *err)
{
    cuzk_status st;
    struct setup s = { .curve = r1cs->curve, .r1cs = r1cs, .pool = pool };
    struct progress to = { progress, context };
    uint64_t rows = (uint64_t)r1cs->constraints + r1cs_publics(r1cs) + 1;

    s.domain_log2 = domain_log2_for(rows);
    if (s.domain_log2 >= s.curve->fr.two_adicity)
        FAIL(CUZK_E_INPUT, "%" PRIu64 " rows need a domain of 2^%u; a development key on %s goes to 2^%u", rows,
             s.domain_log2, s.curve->name, s.curve->fr.two_adicity - 1);
    s.domain = (size_t)1 << s.domain_log2;
    s.lagrange = mem_new(2 * s.domain, sizeof(fr));
    s.a = mem_new(r1cs->wires, sizeof(fr));
    s.b = mem_new(r1cs->wires, sizeof(fr));
    s.c = mem_new(r1cs->wires, sizeof(fr));
    if (s.lagrange == NULL || s.a == NULL || s.b == NULL || s.c == NULL)
        FAIL(CUZK_E_IO, "no memory for a setup of %u wires", r1cs->wires);
    draw_secrets(&s, seed);
    report(&to, "bases", 0.0);
    TRY(compute_bases(&s, err));
    report(&to, "columns", 0.04);
    sum_columns(&s);
    pool_run(pool, (r1cs->wires + CHUNK - 1) / CHUNK, combine_chunk, &s);
    TRY(write_key(&s, path, &to, err));
    report(&to, "done", 1.0);
out:
    mem_wipe_free(s.lagrange, s.lagrange != NULL ? 2 * s.domain * sizeof(fr) : 0);
    mem_wipe_free(s.a, r1cs->wires * sizeof(fr));
    mem_wipe_free(s.b, r1cs->wires * sizeof(fr));
    mem_wipe_free(s.c, r1cs->wires * sizeof(fr));
    mem_wipe(s.secret, sizeof s.secret);
    return st;
}
