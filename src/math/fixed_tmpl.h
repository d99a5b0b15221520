/* math/fixed_tmpl.h - many multiples of one point.  Each inclusion makes it for one group.
 * In      G_NAME, G_FIELD, G_SCALAR, with msm_tmpl.h made
 * Out     G(mul_fixed): the contract of struct group_ops in curve.h
 * Method  a table of j 2^(c w) base for every window w and j = 1 .. 2^(c-1) (Brickell, Gordon, McCurley, Wilson 1992),
 *         signed digits, and one tree of affine additions a scalar: digits - 1 additions. */
#include "base/mem.h"
#include "math/cat.h"

#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)
#define S(name) CAT3(G_SCALAR, _, name)

#define SCALARS_CHUNK    512 /* of one task */
#define FIXED_BITS_MIN   4
#define FIXED_DIGITS_MAX (S(BITS) / FIXED_BITS_MIN + 1)

static_assert(SCALARS_CHUNK * FIXED_DIGITS_MAX <= RUN_ENTRIES_MAX + SCALARS_CHUNK, "a chunk is one run of trees");

struct G(fixed_worker) {
    struct G(worker) trees;
    uint32_t         entry[SCALARS_CHUNK * FIXED_DIGITS_MAX];
    G(work)          sum[SCALARS_CHUNK];
};

struct G(fixed) {
    uint32_t          window_bits, windows, half; /* half: 2^(c-1) points a window */
    const uint8_t    *base;                       /* affine */
    uint8_t          *table;                      /* affine bytes, [window][half] */
    uint8_t          *out;
    const fr         *scalars;
    size_t            count;

    struct G(fixed_worker) *workers; /* one a thread */
};

CUZK_FN void G(store_affine)(uint8_t *out, const G(affine) *p)
{
    K(store)(out, &p->x);
    K(store)(out + sizeof p->x, &p->y);
}

/* The multiples of one window. */
static void G(fixed_window)(void *context, size_t window, size_t worker)
{
    const struct G(fixed) *f = context;
    uint8_t *out = f->table + window * f->half * sizeof(G(affine));
    G_NAME base, p;
    G(affine) a;
    (void)worker;
    K(load)(&a.x, f->base);
    K(load)(&a.y, f->base + sizeof a.x);
    G(from_affine)(&base, &a);
    for (uint32_t k = 0; k < window * f->window_bits; k++)
        G(dbl)(&base, &base);
    p = base;
    for (uint32_t j = 0; j < f->half; j++) {
        G(to_affine)(&a, &p);
        G(store_affine)(out + j * sizeof a, &a);
        G(add)(&p, &p, &base);
    }
}

/* Entries of one chunk of scalars, a segment for each that is not zero; returns the segments. */
static size_t G(fixed_entries)(const struct G(fixed) *f, uint32_t *entry, struct segment *segment, size_t first,
                               size_t count)
{
    int16_t digit[FIXED_DIGITS_MAX];
    uint32_t used = 0;
    size_t segments = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t begin = used, windows = G(recode)(digit, 1, &f->scalars[first + i], false, f->window_bits, f->windows);
        for (uint32_t w = 0; w < windows; w++) {
            if (digit[w] == 0)
                continue;
            uint32_t magnitude = (uint32_t)(digit[w] < 0 ? -digit[w] : digit[w]);
            entry[used++] = (w * f->half + magnitude - 1) | (digit[w] < 0 ? ENTRY_NEGATIVE : 0);
        }
        if (used > begin)
            segment[segments++] = (struct segment){ begin, used - begin, (uint32_t)i };
    }
    return segments;
}

static void G(fixed_chunk)(void *context, size_t task, size_t worker)
{
    const struct G(fixed) *f = context;
    size_t first = task * SCALARS_CHUNK, count = f->count - first < SCALARS_CHUNK ? f->count - first : SCALARS_CHUNK;
    struct G(fixed_worker) *w = &f->workers[worker];
    G(affine) a;
    memset(w->sum, 0, sizeof w->sum);
    size_t segments = G(fixed_entries)(f, w->entry, w->trees.segment, first, count);
    G(trees)(&w->trees, segments, f->table, true, w->entry, w->sum);
    for (size_t i = 0; i < count; i++) {
        G(affine_from_work)(&a, &w->sum[i]);
        G(store_affine)(f->out + (first + i) * sizeof a, &a);
    }
}

/* Window bits: the table (half points a window, about five additions each) against an addition a window and scalar. */
CUZK_FN uint32_t G(fixed_bits)(size_t count)
{
    uint32_t best = FIXED_BITS_MIN;
    double best_cost = 0;
    for (uint32_t c = FIXED_BITS_MIN; c <= 14; c++) {
        double cost = (S(BITS) / c + 1) * ((double)count + 400.0 * (1u << (c - 1)));
        if (c == FIXED_BITS_MIN || cost < best_cost) {
            best = c;
            best_cost = cost;
        }
    }
    return best;
}

static cuzk_status G(mul_fixed)(uint8_t *out, const uint8_t *base, const fr *scalars, size_t count, struct pool *pool,
                                struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;
    uint32_t c = G(fixed_bits)(count);
    struct G(fixed) f = { .window_bits = c, .windows = S(BITS) / c + 1, .half = 1u << (c - 1), .base = base, .out = out,
                          .scalars = scalars, .count = count };
    f.table = mem_new((size_t)f.windows * f.half, sizeof(G(affine)));
    f.workers = mem_new(pool != NULL ? pool_threads(pool) : 1, sizeof *f.workers);
    if (f.table == NULL || f.workers == NULL) {
        st = err_set(err, CUZK_E_IO, "no memory for a table of %u windows of %u points", f.windows, f.half);
    } else {
        pool_run(pool, f.windows, G(fixed_window), &f);
        pool_run(pool, (count + SCALARS_CHUNK - 1) / SCALARS_CHUNK, G(fixed_chunk), &f);
    }
    mem_free(f.table);
    mem_free(f.workers);
    return st;
}

#undef SCALARS_CHUNK
#undef FIXED_BITS_MIN
#undef FIXED_DIGITS_MAX
#undef G_NAME
#undef G_FIELD
#undef G_SCALAR
#undef G
#undef K
#undef S
