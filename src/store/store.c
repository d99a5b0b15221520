/* store/store.c - the store thread: takes all changes that wait, makes one transaction of them, syncs, answers. */
#include "store/inner.h"

#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/thread.h"

#define EXPIRE_EVERY_NS ((uint64_t)60 * 1000000000u)

static int64_t clock_ms(const struct store *s)
{
    struct timespec t;
    int64_t         ms;

    if (s->config.now_ms) {
        ms = s->config.now_ms(s->config.context);
    } else {
        (void)clock_gettime(CLOCK_REALTIME, &t);
        ms = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
    }
    return ms > 0 ? ms : 1; /* 0 is "not yet" */
}

static void gauges_set(struct store *s)
{
    const struct tally *t = &s->ledger.tally;

    for (int i = 0; i < JOB_STATE_COUNT; i++)
        atomic_store_explicit(&s->jobs[i], t->jobs[i], memory_order_relaxed);
    atomic_store_explicit(&s->completed, t->totals.completed, memory_order_relaxed);
    atomic_store_explicit(&s->failed, t->totals.failed, memory_order_relaxed);
    atomic_store_explicit(&s->cancelled, t->totals.cancelled, memory_order_relaxed);
}

struct store_counts store_counts(const struct store *s)
{
    struct store_counts counts = {
        .completed = atomic_load_explicit(&s->completed, memory_order_relaxed),
        .failed = atomic_load_explicit(&s->failed, memory_order_relaxed),
        .cancelled = atomic_load_explicit(&s->cancelled, memory_order_relaxed),
        .payload_bytes = atomic_load_explicit(&s->folder.payload_bytes, memory_order_relaxed),
        .queued = atomic_load_explicit(&s->queued, memory_order_relaxed),
    };

    for (int i = 0; i < JOB_STATE_COUNT; i++)
        counts.jobs[i] = atomic_load_explicit(&s->jobs[i], memory_order_relaxed);
    return counts;
}

/* ---- one batch ---- */

/* The names of new files are on the disk before the rows that say them: one sync a place for all. */
static cuzk_status sync_files(const struct store *s, const struct change *first, struct cuzk_err *err)
{
    bool        wanted[PLACE_COUNT] = { false };
    cuzk_status st = CUZK_OK;

    for (const struct change *c = first; c; c = change_next(c))
        if (!c->over && c->file.name[0])
            wanted[c->file.place] = true;
    for (int i = 0; i < PLACE_COUNT; i++)
        if (wanted[i])
            TRY(folder_sync(&s->folder, (enum folder_place)i, err));
out:
    return st;
}

static cuzk_status commit(struct store *s, struct change *first, bool *in_doubt, struct cuzk_err *err)
{
    struct ledger      *l = &s->ledger;
    struct store_totals before;
    cuzk_status         st;

    *in_doubt = false;
    TRY(sync_files(s, first, err));
    if (s->stale)
        TRY(ledger_load(l, err));
    s->stale = false;
    l->now_ms = clock_ms(s);
    before = l->tally.totals;
    TRY(rows_begin(l->rows, err));
    for (struct change *c = first; c; c = change_next(c))
        if (!c->over)
            TRY(change_apply(l, c, err));
    if (memcmp(&before, &l->tally.totals, sizeof before) != 0)
        TRY(rows_totals_put(l->rows, &l->tally.totals, err));
    TRY(rows_commit(l->rows, in_doubt, err));
out:
    if (st != CUZK_OK) {
        rows_rollback(l->rows);
        if (st == CUZK_E_BUSY)
            rows_relieve(l->rows);
        s->stale = true;
    }
    return st;
}

static cuzk_status deliver_one(void *context, const struct job_row *row, struct cuzk_err *err)
{
    struct store *s = context;

    (void)err;
    s->config.deliver(s->config.context, &row->job);
    s->delivered = row->job.sequence; /* a second store_start after a failure goes on behind it */
    return CUZK_OK;
}

/* The work of a change that follows its commit. */
static cuzk_status follow(struct store *s, const struct change *c, struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;

    if (c->kind == CHANGE_CHECK) {
        st = ledger_check(&s->ledger, err);
    } else if (c->kind == CHANGE_START && !s->started) {
        st = rows_jobs_unfinished(s->ledger.rows, s->delivered, deliver_one, s, err);
        s->started = st == CUZK_OK;
    }
    return st;
}

/* Files first: who has the answer to a finish finds the payload's bytes free. */
static void answer(struct store *s, struct change *c, cuzk_status st, bool in_doubt, const struct cuzk_err *err)
{
    if (st != CUZK_OK && !c->over)
        c->answer = (struct store_answer){ .status = st, .err = *err };
    if (st == CUZK_OK && c->freed.name[0])
        folder_remove(&s->folder, c->freed.place, c->freed.name);
    /* A commit whose sync failed may be found whole after a crash.  Its files stay until the next open, which knows. */
    if (c->file.name[0] && !(st == CUZK_OK ? c->file_used : in_doubt))
        folder_remove(&s->folder, c->file.place, c->file.name);
    if (st == CUZK_OK && !c->over) {
        cuzk_status followed = follow(s, c, &c->answer.err);

        if (followed != CUZK_OK)
            c->answer.status = followed;
    }
    atomic_fetch_sub(&s->queued, 1);
    if (c->done)
        c->done(c->context, &c->answer);
    if (c->kind == CHANGE_SUBMIT && c->answer.status == CUZK_OK && !c->answer.attached && s->started)
        s->config.deliver(s->config.context, &c->answer.job);
}

static void batch(struct store *s, struct change *first)
{
    struct cuzk_err err;
    bool            in_doubt;
    cuzk_status     st = commit(s, first, &in_doubt, &err);

    if (st == CUZK_OK)
        gauges_set(s);
    while (first) {
        struct change *c = first;

        first = change_next(c);
        answer(s, c, st, in_doubt, &err);
        mem_free(c);
    }
}

/* Nobody asks, nobody hears: if it fails now, it comes again in a minute. */
static void expire(struct store *s)
{
    struct change *c = change_new(CHANGE_EXPIRE, NULL, 0, NULL, NULL);

    s->expire_next_ns = now_ns() + EXPIRE_EVERY_NS;
    if (!c)
        return;
    atomic_fetch_add(&s->queued, 1);
    batch(s, c);
}

/* ---- the store thread ---- */

void store_push(struct store *s, struct change *c)
{
    if (atomic_load(&s->closed) && !c->over) {
        c->over = true;
        c->answer.status = err_set(&c->answer.err, CUZK_E_CANCELLED, "the store is closing");
    }
    atomic_fetch_add(&s->queued, 1);
    mailbox_push(&s->box, &c->mail);
}

/* A batch of the list, which ends with the first change whose work follows the commit; *list is the rest. */
static struct change *cut(struct change **list)
{
    struct change *first = *list, *c = first;

    while (change_next(c) && c->kind < CHANGE_START)
        c = change_next(c);
    *list = change_next(c);
    c->mail.next = NULL;
    return first;
}

static void *store_main(void *context)
{
    struct store  *s = context;
    struct change *list;

    for (;;) { /* once closed, until nothing is left */
        list = (struct change *)mailbox_take(&s->box, atomic_load(&s->closed) ? 0 : s->expire_next_ns);
        if (!list && atomic_load(&s->closed))
            return NULL;
        while (list)
            batch(s, cut(&list));
        if (now_ns() >= s->expire_next_ns)
            expire(s);
    }
}

/* ---- opening and closing ---- */

static cuzk_status payload_named(void *context, bool *yes, const char *name, struct cuzk_err *err)
{
    return rows_payload_named(context, yes, name, err);
}

static cuzk_status circuit_named(void *context, bool *yes, const char *name, struct cuzk_err *err)
{
    return rows_circuit_file_named(context, yes, name, err);
}

/* The answer to CHANGE_CLOSE. */
static void on_close(void *context, const struct store_answer *done)
{
    struct store *s = context;

    (void)done;
    atomic_store(&s->closed, true);
}

static void store_free(struct store *s)
{
    mem_free(s->close);
    readers_fini(&s->readers);
    rows_close(s->ledger.rows); /* the last connection: SQLite empties its log */
    folder_close(&s->folder);
    mailbox_fini(&s->box);
    mem_free(s);
}

cuzk_status store_open(struct store **out, const struct store_config *config, struct cuzk_err *err)
{
    struct store *s = mem_new(1, sizeof *s);
    cuzk_status   st;

    *out = NULL;
    if (!s)
        return err_set(err, CUZK_E_IO, "no memory for the store");
    st = folder_open(&s->folder, config->dir, config->payload_bytes_max, err);
    if (st != CUZK_OK) {
        mem_free(s);
        return st;
    }
    s->config = *config;
    s->config.dir = s->folder.path;
    s->ledger = (struct ledger){ .config = &s->config, .folder = &s->folder };
    s->stale = true;
    mailbox_init(&s->box);
    readers_init(&s->readers);
    TRY(rows_open(&s->ledger.rows, &s->folder, ROWS_WRITE, err));
    TRY(ledger_load(&s->ledger, err));
    s->stale = false;
    TRY(folder_sweep(&s->folder, PLACE_PAYLOADS, payload_named, s->ledger.rows, err));
    TRY(folder_sweep(&s->folder, PLACE_CIRCUITS, circuit_named, s->ledger.rows, err));
    expire(s);
    gauges_set(s);
    s->close = change_new(CHANGE_CLOSE, NULL, 0, on_close, s);
    if (!s->close)
        FAIL(CUZK_E_IO, "no memory for the store");
    TRY(thread_start(&s->thread, "store", store_main, s, err));
    *out = s;
    s = NULL;
out:
    if (s)
        store_free(s);
    return st;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    store_push(s, s->close);
    s->close = NULL;
    (void)pthread_join(s->thread, NULL);
    cuzk_check(atomic_load(&s->folder.payloads_open) == 0);
    store_free(s);
}
