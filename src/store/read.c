/* store/read.c - reading from any thread, each call on a connection of its own: no call waits for another, or for the
 * store thread. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "store/inner.h"

void readers_init(struct readers *r)
{
    *r = (struct readers){ .count = 0 };
    cuzk_check(pthread_mutex_init(&r->lock, NULL) == 0);
}

void readers_fini(struct readers *r)
{
    while (r->count)
        rows_close(r->idle[--r->count]);
    (void)pthread_mutex_destroy(&r->lock);
}

static cuzk_status reader_take(struct rows **out, struct store *s, struct cuzk_err *err)
{
    struct readers *r = &s->readers;

    *out = NULL;
    pthread_mutex_lock(&r->lock);
    if (r->count)
        *out = r->idle[--r->count];
    pthread_mutex_unlock(&r->lock);
    return *out ? CUZK_OK : rows_open(out, &s->folder, ROWS_READ, err);
}

/* One that failed is not used again. */
static void reader_give(struct store *s, struct rows *rows, bool failed)
{
    struct readers *r = &s->readers;

    if (!failed) {
        pthread_mutex_lock(&r->lock);
        if (r->count < READERS_IDLE_MAX) {
            r->idle[r->count++] = rows;
            rows = NULL;
        }
        pthread_mutex_unlock(&r->lock);
    }
    rows_close(rows);
}

/* NOT_FOUND if there is none. */
static cuzk_status job_row_get(struct job_row *out, struct rows *rows, const char *id, struct cuzk_err *err)
{
    cuzk_status st;
    bool        found;

    TRY(rows_job_get(rows, out, &found, id, err));
    if (!found)
        FAIL(CUZK_E_NOT_FOUND, "there is no job %.64s", id);
out:
    return st;
}

static bool is_failure(cuzk_status st) { return st != CUZK_OK && st != CUZK_E_NOT_FOUND; }

cuzk_status store_get(struct store *s, const char *id, struct store_job *out, struct cuzk_err *err)
{
    struct job_row row;
    struct rows   *rows;
    cuzk_status    st;

    TRY(reader_take(&rows, s, err));
    st = job_row_get(&row, rows, id, err);
    if (st == CUZK_OK)
        *out = row.job;
    reader_give(s, rows, is_failure(st));
out:
    return st;
}

static cuzk_status result_get(struct rows *rows, const char *id, uint8_t **out, size_t *bytes, struct cuzk_err *err)
{
    struct job_row row;
    cuzk_status    st;
    bool           found;

    TRY(job_row_get(&row, rows, id, err));
    if (row.job.state != JOB_DONE)
        FAIL(CUZK_E_NOT_FOUND, "job %.64s is %s: there is no result", id, job_state_name[row.job.state]);
    TRY(rows_result_get(rows, out, bytes, &found, row.job.sequence, err));
    if (!found) /* expired between the two */
        FAIL(CUZK_E_NOT_FOUND, "there is no job %.64s", id);
out:
    return st;
}

cuzk_status store_result(struct store *s, const char *id, uint8_t **out, size_t *bytes, struct cuzk_err *err)
{
    struct rows *rows;
    cuzk_status  st;

    *out = NULL;
    *bytes = 0;
    TRY(reader_take(&rows, s, err));
    st = result_get(rows, id, out, bytes, err);
    reader_give(s, rows, is_failure(st));
out:
    return st;
}

cuzk_status store_payload_path(struct store *s, const char *id, char *path, size_t path_bytes, struct cuzk_err *err)
{
    struct job_row row;
    struct rows   *rows;
    cuzk_status    st;

    TRY(reader_take(&rows, s, err));
    st = job_row_get(&row, rows, id, err);
    reader_give(s, rows, is_failure(st));
    TRY(st);
    if (!row.payload[0])
        FAIL(CUZK_E_NOT_FOUND, "job %.64s is %s: its payload is gone", id, job_state_name[row.job.state]);
    if (!folder_file_path(path, path_bytes, &s->folder, PLACE_PAYLOADS, row.payload))
        FAIL(CUZK_E_BUG, "%zu bytes are too few for the path of a payload", path_bytes);
out:
    return st;
}

cuzk_status store_parts(struct store *s, const char                                                       *id,
                        void (*each)(void *context, uint32_t part, const void *proof, size_t bytes), void *context,
                        struct cuzk_err *err)
{
    struct rows *rows;
    cuzk_status  st;

    TRY(reader_take(&rows, s, err));
    st = rows_parts(rows, id, each, context, err);
    reader_give(s, rows, is_failure(st));
out:
    return st;
}

struct list {
    void (*each)(void *context, const struct store_job *job);
    void *context;
};

static cuzk_status list_one(void *context, const struct job_row *row, struct cuzk_err *err)
{
    const struct list *list = context;

    (void)err;
    list->each(list->context, &row->job);
    return CUZK_OK;
}

cuzk_status store_list(struct store *s, const struct store_filter                     *filter,
                       void (*each)(void *context, const struct store_job *job), void *context, struct cuzk_err *err)
{
    struct list  list = { each, context };
    struct rows *rows;
    cuzk_status  st;

    TRY(reader_take(&rows, s, err));
    st = rows_jobs_list(rows, filter, list_one, &list, err);
    reader_give(s, rows, is_failure(st));
out:
    return st;
}

/* ---- circuits ---- */

cuzk_status store_circuit_get(struct store *s, const char *name, struct store_circuit *out, struct cuzk_err *err)
{
    struct circuit_row row;
    struct rows       *rows;
    cuzk_status        st;
    bool               found;

    TRY(reader_take(&rows, s, err));
    st = rows_circuit_get(rows, &row, &found, name, err);
    reader_give(s, rows, is_failure(st));
    TRY(st);
    if (!found)
        FAIL(CUZK_E_NOT_FOUND, "there is no circuit %.64s", name);
    circuit_show(out, &row, &s->folder);
out:
    return st;
}

struct circuit_list {
    const struct folder *folder;
    void (*each)(void *context, const struct store_circuit *circuit);
    void *context;
};

static cuzk_status circuit_one(void *context, const struct circuit_row *row, struct cuzk_err *err)
{
    const struct circuit_list *list = context;
    struct store_circuit       circuit;

    (void)err;
    circuit_show(&circuit, row, list->folder);
    list->each(list->context, &circuit);
    return CUZK_OK;
}

cuzk_status store_circuits(struct store *s, void (*each)(void *context, const struct store_circuit *circuit),
                           void *context, struct cuzk_err *err)
{
    struct circuit_list list = { &s->folder, each, context };
    struct rows        *rows;
    cuzk_status         st;

    TRY(reader_take(&rows, s, err));
    st = rows_circuits(rows, circuit_one, &list, err);
    reader_give(s, rows, is_failure(st));
out:
    return st;
}
