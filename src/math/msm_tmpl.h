/* math/msm_tmpl.h - multi-scalar multiplication: sum of scalar[i] * point[i].  Each inclusion makes it for one group.
 * In      G_NAME, G_FIELD, G_SCALAR (a field of field_tmpl.h with F_TYPE fr), with the seam of affine_batch_tmpl.h made
 * Out     G(msm_plan), G(msm): the contract of struct group_ops in curve.h
 * Method  buckets (Pippenger 1976; Bernstein, Doumen, Lange, Oosterwijk, eprint 2012/549, section 4) over signed digits:
 *         1  digits   scalar or r - scalar, whichever is smaller, in windows of c bits, digits -2^(c-1) .. 2^(c-1) - 1;
 *                     all windows, two bytes a digit, in parallel over the points
 *         2  a task a window and part of the points:
 *              sort   the points with a digit that is not zero, by bucket |digit|: a counting sort of index and sign
 *              trees  each bucket to one point by rounds of affine additions of pairs.  Any skew is the same work: a round
 *                     halves each bucket.  Buckets are taken in runs whose points stay in the second-level cache.
 *              fold   sum over b of b B_b, b = u 2^h + v: row sums and column sums by the same trees, 2 additions a
 *                     bucket, then running sums over 2^h values each
 *         3  windows from the top: c doublings and one addition each
 * Cost    additions = digits that are not zero + 2 buckets a window: zero scalars cost nothing, ones one addition. */
#include <stdatomic.h>

#include "math/affine_batch.h"
#include "math/msm.h"

#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)
#define S(name) CAT3(G_SCALAR, _, name)

/* --- trees: many sums at once -------------------------------------------------------------------------------------- */

/* Pairs and single points on their way to one block. */
struct G(lanes) {
    size_t    pairs, singles;
    uint32_t  left[PAIRS_MAX], right[PAIRS_MAX], single[PAIRS_MAX];
    G(work)  *sum[PAIRS_MAX], *copy[PAIRS_MAX];
};

/* What one worker needs. */
struct G(worker) {
    struct G(block) block;
    struct G(lanes) lanes;
    struct segment  segment[RUN_ENTRIES_MAX]; /* sums in progress */
    G(work)         ping[RUN_ENTRIES_MAX / 2 + RUN_ENTRIES_MAX / 4], pong[RUN_ENTRIES_MAX / 2];
};

CUZK_FN void G(flush)(struct G(worker) *w, const uint8_t *points, bool raw)
{
    struct G(lanes) *l = &w->lanes;
    if (l->pairs > 0)
        G(add_block)(l->sum, points, raw, l->left, l->right, l->pairs, &w->block);
    if (l->singles > 0)
        G(copy_block)(l->copy, points, raw, l->single, l->singles);
    l->pairs = l->singles = 0;
}

CUZK_FN void G(push_pair)(struct G(worker) *w, G(work) *out, uint32_t left, uint32_t right, const uint8_t *points,
                          bool raw)
{
    struct G(lanes) *l = &w->lanes;
    l->left[l->pairs] = left;
    l->right[l->pairs] = right;
    l->sum[l->pairs++] = out;
    if (l->pairs == PAIRS_MAX)
        G(flush)(w, points, raw);
}

CUZK_FN void G(push_single)(struct G(worker) *w, G(work) *out, uint32_t entry, const uint8_t *points, bool raw)
{
    struct G(lanes) *l = &w->lanes;
    l->single[l->singles] = entry;
    l->copy[l->singles++] = out;
    if (l->singles == PAIRS_MAX)
        G(flush)(w, points, raw);
}

/* One round: segment s of `count` entries from `first` becomes ceil(count/2) points of `next`, or its result if that is one.
 * entry: NULL for entries that are their own index.  Keeps the segments that are not done; returns their number. */
static size_t G(round)(struct G(worker) *w, size_t segments, const uint8_t *points, bool raw, const uint32_t *entry,
                       G(work) *next, G(work) *result)
{
    size_t kept = 0;
    uint32_t used = 0;
    for (size_t k = 0; k < segments; k++) {
        struct segment s = w->segment[k];
        uint32_t half = (s.count + 1) / 2;
        G(work) *out = half == 1 ? &result[s.result] : next + used;
        for (uint32_t i = 0; i + 1 < s.count; i += 2) {
            uint32_t left = s.first + i, right = left + 1;
            G(push_pair)(w, out + i / 2, entry != NULL ? entry[left] : left, entry != NULL ? entry[right] : right,
                         points, raw);
        }
        if (s.count & 1) {
            uint32_t last = s.first + s.count - 1;
            G(push_single)(w, out + half - 1, entry != NULL ? entry[last] : last, points, raw);
        }
        if (half > 1) {
            w->segment[kept++] = (struct segment){ used, half, s.result };
            used += half;
        }
    }
    G(flush)(w, points, raw);
    return kept;
}

/* result[s.result] = sum of the points of each segment; every count is at least 1, all together RUN_ENTRIES_MAX at most. */
static void G(trees)(struct G(worker) *w, size_t segments, const uint8_t *points, bool raw, const uint32_t *entry,
                     G(work) *result)
{
    G(work) *next = w->ping, *other = w->pong;
    segments = G(round)(w, segments, points, raw, entry, next, result);
    while (segments > 0) {
        G(work) *from = next;
        next = other;
        other = from;
        segments = G(round)(w, segments, (const uint8_t *)from, false, NULL, next, result);
    }
}

/* result = sum over entries[0, count), more than a run holds: run by run, then over the sums of runs (heavy). */
static void G(heavy)(struct G(worker) *w, const uint8_t *points, const uint32_t *entry, size_t count, G(work) *heavy,
                     G(work) *result)
{
    size_t runs = 0;
    for (size_t i = 0; i < count; i += RUN_ENTRIES_MAX, runs++) {
        size_t left = count - i;
        w->segment[0] = (struct segment){ 0, (uint32_t)(left < RUN_ENTRIES_MAX ? left : RUN_ENTRIES_MAX),
                                          (uint32_t)runs };
        G(trees)(w, 1, points, true, entry + i, heavy);
    }
    w->segment[0] = (struct segment){ 0, (uint32_t)runs, 0 };
    G(trees)(w, 1, (const uint8_t *)heavy, false, NULL, result);
}

/* --- one window ---------------------------------------------------------------------------------------------------- */

/* Scratch of one worker in a task, after struct worker; sizes in G(msm_plan). */
struct G(window) {
    struct G(worker) *worker;
    uint32_t         *start; /* buckets + 1 */
    uint32_t         *entry; /* points of a part, and at least buckets */
    G(work)          *bucket, *heavy;
};

/* entry[start[b] .. start[b+1]) = points of bucket b, magnitude b + 1. */
static void G(sort)(struct G(window) *w, const int16_t *digit, size_t first, size_t count, uint32_t buckets)
{
    memset(w->start, 0, (buckets + 1) * sizeof *w->start);
    for (size_t i = 0; i < count; i++) {
        uint32_t magnitude = (uint32_t)(digit[i] < 0 ? -digit[i] : digit[i]);
        w->start[magnitude]++; /* of bucket magnitude - 1, shifted by one: start[0] counts zeros */
    }
    w->start[0] = 0;
    for (uint32_t b = 1, sum = 0; b <= buckets; b++) {
        uint32_t size = w->start[b];
        w->start[b] = sum;
        sum += size;
    }
    for (size_t i = 0; i < count; i++) {
        if (digit[i] == 0)
            continue;
        uint32_t negative = digit[i] < 0 ? ENTRY_NEGATIVE : 0;
        uint32_t magnitude = (uint32_t)(digit[i] < 0 ? -digit[i] : digit[i]);
        w->entry[w->start[magnitude]++] = (uint32_t)(first + i) | negative;
    }
}

/* Every bucket to one point; an empty one is the identity. */
static void G(fill_buckets)(struct G(window) *w, const uint8_t *points, uint32_t buckets)
{
    size_t segments = 0;
    uint32_t run = 0; /* where the entries of the run begin */
    for (uint32_t b = 0; b < buckets; b++) {
        uint32_t begin = w->start[b], size = w->start[b + 1] - begin;
        if (begin + size - run > RUN_ENTRIES_MAX) {
            G(trees)(w->worker, segments, points, true, w->entry + run, w->bucket);
            segments = 0;
            run = begin;
        }
        if (size > RUN_ENTRIES_MAX) {
            G(heavy)(w->worker, points, w->entry + begin, size, w->heavy, &w->bucket[b]);
            run = begin + size;
        } else if (size == 0) {
            memset(&w->bucket[b], 0, sizeof w->bucket[b]);
        } else {
            w->worker->segment[segments++] = (struct segment){ begin - run, size, b };
        }
    }
    if (segments > 0)
        G(trees)(w->worker, segments, points, true, w->entry + run, w->bucket);
}

/* Sum over v of (v + first) X_v by running sums, v < count; two additions a value. */
static void G(weighted)(G_NAME *r, const G(work) *x, uint32_t count, uint32_t first)
{
    G_NAME run;
    G(affine) value;
    G(set_identity)(&run);
    G(set_identity)(r);
    for (uint32_t v = count; v-- > 0;) {
        G(affine_from_work)(&value, &x[v]);
        G(add_affine)(&run, &run, &value);
        if (v > 0 || first > 0)
            G(add)(r, r, &run);
    }
    for (uint32_t i = 1; i < first; i++)
        G(add)(r, r, &run);
}

/* Sums of `count` equal segments of `size` values of bucket, value j of segment k at k * far + j * near. */
static void G(line_sums)(struct G(window) *w, G(work) *out, uint32_t count, uint32_t size, uint32_t far, uint32_t near)
{
    uint32_t per_run = RUN_ENTRIES_MAX / size;
    for (uint32_t k = 0; k < count; k += per_run) {
        uint32_t segments = count - k < per_run ? count - k : per_run, used = 0;
        for (uint32_t s = 0; s < segments; s++) {
            w->worker->segment[s] = (struct segment){ used, size, k + s };
            for (uint32_t j = 0; j < size; j++)
                w->entry[used++] = (k + s) * far + j * near;
        }
        G(trees)(w->worker, segments, (const uint8_t *)w->bucket, false, w->entry, out);
    }
}

/* sum over b of (b + 1) B_b, b = u 2^h + v: 2^h sum u R_u + sum (v + 1) C_v. */
static void G(fold)(G_NAME *r, struct G(window) *w, uint32_t buckets_log2)
{
    uint32_t h = buckets_log2 / 2, columns = 1u << h, rows = 1u << (buckets_log2 - h);
    G_NAME high;
    G(work) *line = w->heavy; /* room for rows: see G(msm_plan) */
    G(line_sums)(w, line, rows, columns, columns, 1);
    G(weighted)(&high, line, rows, 0);
    for (uint32_t i = 0; i < h; i++)
        G(dbl)(&high, &high);
    G(line_sums)(w, line, columns, rows, 1, columns);
    G(weighted)(r, line, columns, 1);
    G(add)(r, r, &high);
}

/* --- digits -------------------------------------------------------------------------------------------------------- */

/* Canonical; smaller of s and r - s, *negative if the latter; below 2^(bits - 1). */
CUZK_FN void G(magnitude)(fr *out, bool *negative, const fr *scalar, bool canonical)
{
    fr zero = { { 0 } }, opposite;
    *out = *scalar;
    if (!canonical)
        S(to_canon)(out, out);
    S(sub)(&opposite, &zero, out);
    uint64_t rest[4];
    *negative = limbs_sub(rest, opposite.limb, out->limb, 4) != 0 && !S(is_zero)(out);
    if (*negative)
        *out = opposite;
}

/* Digits of one scalar, least significant window first, `stride` apart, each in [-2^(c-1), 2^(c-1)).  Before the sign of a
 * negative scalar is put on them they are in (-2^(c-1), 2^(c-1)].  Returns how many windows are needed. */
CUZK_FN uint32_t G(recode)(int16_t *digit, size_t stride, const fr *scalar, bool canonical, uint32_t window_bits,
                           uint32_t windows)
{
    const int32_t full = 1 << window_bits;
    bool negative;
    int32_t carry = 0;
    uint32_t used = 0;
    fr s;
    G(magnitude)(&s, &negative, scalar, canonical);
    const int32_t largest = negative ? full / 2 : full / 2 - 1;
    for (uint32_t w = 0; w < windows; w++) {
        uint32_t bit = w * window_bits, limb = bit / 64, shift = bit % 64;
        uint64_t word = limb < 4 ? s.limb[limb] >> shift : 0;
        if (shift + window_bits > 64 && limb + 1 < 4)
            word |= s.limb[limb + 1] << (64 - shift);
        int32_t d = (int32_t)(word & (uint64_t)(full - 1)) + carry;
        carry = d > largest;
        d -= carry ? full : 0;
        digit[w * stride] = (int16_t)(negative ? -d : d);
        used = d != 0 ? w + 1 : used;
    }
    CUZK_VERIFY(carry == 0);
    return used;
}

/* --- the whole ----------------------------------------------------------------------------------------------------- */

/* Where everything lies in the scratch; all offsets are multiples of 64. */
struct G(layout) {
    struct msm_shape shape;
    uint32_t         buckets;
    size_t           part_count;
    size_t           digits, sums, workers; /* offsets */
    size_t           worker_start, worker_entry, worker_bucket, worker_heavy, worker_bytes; /* within one worker's */
    size_t           bytes;
};

#define ALIGN_64(bytes) (((bytes) + 63) / 64 * 64)

static struct G(layout) G(layout)(size_t count, size_t threads)
{
    struct G(layout) l = { .shape = msm_shape(count, S(BITS), threads) };
    bool small = count <= SMALL_COUNT_MAX;
    l.buckets = 1u << (l.shape.window_bits - 1);
    l.part_count = (count + l.shape.parts - 1) / l.shape.parts;
    l.sums = ALIGN_64(count * l.shape.windows * sizeof(int16_t));
    l.workers = l.sums + ALIGN_64((size_t)l.shape.windows * l.shape.parts * sizeof(G_NAME));
    if (small) {
        l.bytes = l.workers + l.buckets * sizeof(G_NAME);
        return l;
    }
    size_t entries = l.part_count > l.buckets ? l.part_count : l.buckets;
    size_t heavy = l.part_count / RUN_ENTRIES_MAX + 1;
    l.worker_start = ALIGN_64(sizeof(struct G(worker)));
    l.worker_entry = l.worker_start + ALIGN_64(((size_t)l.buckets + 1) * sizeof(uint32_t));
    l.worker_bucket = l.worker_entry + ALIGN_64(entries * sizeof(uint32_t));
    l.worker_heavy = l.worker_bucket + ALIGN_64(l.buckets * sizeof(G(work)));
    size_t lines = (size_t)1 << (l.shape.window_bits / 2); /* the larger of rows and columns */
    l.worker_bytes = l.worker_heavy + ALIGN_64((heavy > lines ? heavy : lines) * sizeof(G(work)));
    l.bytes = l.workers + threads * l.worker_bytes;
    return l;
}

CUZK_FN struct msm_plan G(msm_plan)(size_t count, size_t threads)
{
    struct G(layout) l = G(layout)(count, threads);
    cuzk_check(count < ENTRY_NEGATIVE);
    return (struct msm_plan){ .count = count, .threads = threads, .window_bits = l.shape.window_bits,
                              .windows = l.shape.windows, .scratch_bytes = l.bytes };
}

struct G(run) {
    struct G(layout)       layout;
    const struct msm_args *args;
    uint8_t               *scratch;
    int16_t               *digit; /* [window][point] */
    G_NAME                *sum;   /* [window][part] */
    _Atomic uint32_t       windows_used;
};

#define DIGITS_CHUNK 4096 /* points of one task */

static void G(digits_task)(void *context, size_t task, size_t worker)
{
    struct G(run) *run = context;
    const struct msm_args *args = run->args;
    size_t begin = task * DIGITS_CHUNK, end = begin + DIGITS_CHUNK < args->count ? begin + DIGITS_CHUNK : args->count;
    uint32_t used = 0;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        uint32_t u = G(recode)(run->digit + i, args->count, &args->scalars[i], args->canonical,
                               run->layout.shape.window_bits, run->layout.shape.windows);
        used = u > used ? u : used;
    }
    for (uint32_t known = run->windows_used; known < used;)
        if (atomic_compare_exchange_weak(&run->windows_used, &known, used))
            break;
}

static void G(window_task)(void *context, size_t task, size_t worker)
{
    struct G(run) *run = context;
    const struct G(layout) *l = &run->layout;
    size_t w = task / l->shape.parts, part = task % l->shape.parts, first = part * l->part_count;
    size_t count = run->args->count;
    uint8_t *scratch = run->scratch + l->workers + worker * l->worker_bytes;
    struct G(window) window = {
        .worker = (struct G(worker) *)scratch,
        .start = (uint32_t *)(scratch + l->worker_start),
        .entry = (uint32_t *)(scratch + l->worker_entry),
        .bucket = (G(work) *)(scratch + l->worker_bucket),
        .heavy = (G(work) *)(scratch + l->worker_heavy),
    };
    if (first >= count) {
        G(set_identity)(&run->sum[task]);
        return;
    }
    size_t part_count = count - first < l->part_count ? count - first : l->part_count;
    window.worker->lanes.pairs = window.worker->lanes.singles = 0;
    G(sort)(&window, run->digit + w * count + first, first, part_count, l->buckets);
    G(fill_buckets)(&window, run->args->points, l->buckets);
    G(fold)(&run->sum[task], &window, l->shape.window_bits - 1);
}

/* Few points: XYZZ buckets, no inversions. */
static void G(small_window)(G_NAME *r, const struct G(run) *run, uint32_t w, G_NAME *bucket)
{
    const struct msm_args *args = run->args;
    G_NAME sum;
    G(affine) p;
    memset(bucket, 0, run->layout.buckets * sizeof *bucket);
    for (size_t i = 0; i < args->count; i++) {
        int32_t d = run->digit[w * args->count + i];
        if (d == 0)
            continue;
        K(load)(&p.x, args->points + i * sizeof p);
        K(load)(&p.y, args->points + i * sizeof p + sizeof p.x);
        if (d < 0)
            K(neg)(&p.y, &p.y);
        G_NAME *b = &bucket[(d < 0 ? -d : d) - 1];
        G(add_affine)(b, b, &p);
    }
    G(set_identity)(&sum);
    G(set_identity)(r);
    for (uint32_t b = run->layout.buckets; b-- > 0;) {
        G(add)(&sum, &sum, &bucket[b]);
        G(add)(r, r, &sum);
    }
}

static void G(msm)(G_NAME *out, const struct msm_args *args, const struct msm_plan *plan, void *scratch,
                   struct pool *pool)
{
    struct G(run) run = { .layout = G(layout)(plan->count, plan->threads), .args = args, .scratch = scratch };
    const struct msm_shape shape = run.layout.shape;
    cuzk_check(args->count == plan->count && (pool == NULL || pool_threads(pool) <= plan->threads));
    run.digit = scratch;
    run.sum = (G_NAME *)(run.scratch + run.layout.sums);
    pool_run(pool, (args->count + DIGITS_CHUNK - 1) / DIGITS_CHUNK, G(digits_task), &run);
    bool small = args->count <= SMALL_COUNT_MAX;
    if (!small)
        pool_run(pool, (size_t)run.windows_used * shape.parts, G(window_task), &run);
    G(set_identity)(out);
    for (uint32_t w = run.windows_used; w-- > 0;) {
        for (uint32_t k = 0; k < shape.window_bits; k++)
            G(dbl)(out, out);
        if (small)
            G(small_window)(run.sum, &run, w, (G_NAME *)(run.scratch + run.layout.workers));
        for (uint32_t part = 0; part < (small ? 1 : shape.parts); part++)
            G(add)(out, out, &run.sum[small ? 0 : w * shape.parts + part]);
    }
}

#undef ALIGN_64
#undef DIGITS_CHUNK
#undef G_NAME
#undef G_FIELD
#undef G_SCALAR
#undef G
#undef K
#undef S
