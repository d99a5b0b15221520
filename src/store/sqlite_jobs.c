/* store/sqlite_jobs.c - rows of jobs, parts and results. */
#include "store/sqlite.h"

#include <string.h>

#include "base/mem.h"
#include "store/moves.h"

/* Bytes from a file that someone may have damaged: read as strictly as those of a request. */
static cuzk_status job_read(struct job_row *row, struct query *q)
{
    struct store_job *job = &row->job;
    sqlite3_stmt     *s = q->s;
    uint32_t          priority, state, error;
    bool              good;

    memset(row, 0, sizeof *row);
    job->sequence = (uint64_t)sqlite3_column_int64(s, 0);
    good = column_text(job->id, sizeof job->id, s, 1) && column_text(job->tenant, sizeof job->tenant, s, 2) &&
           column_text(job->request_id, sizeof job->request_id, s, 3) &&
           column_text(job->kind, sizeof job->kind, s, 4) && column_text(job->circuit, sizeof job->circuit, s, 5) &&
           column_digest(job->content, s, 6) && column_u32(&priority, s, 7) && column_u32(&state, s, 8) &&
           column_u32(&job->parts, s, 9) && column_u32(&job->parts_done, s, 10) &&
           column_text(row->payload, sizeof row->payload, s, 11) && column_u32(&error, s, 18) &&
           column_text(job->error_text, sizeof job->error_text, s, 19);
    job->payload_bytes = (uint64_t)sqlite3_column_int64(s, 12);
    job->submitted_ms = sqlite3_column_int64(s, 13);
    job->started_ms = sqlite3_column_int64(s, 14);
    job->finished_ms = sqlite3_column_int64(s, 15);
    job->deadline_ms = sqlite3_column_int64(s, 16);
    job->detached = sqlite3_column_int64(s, 17) != 0;
    job->synth_ns = (uint64_t)sqlite3_column_int64(s, 20);
    job->device_ns = (uint64_t)sqlite3_column_int64(s, 21);
    job->finish_ns = (uint64_t)sqlite3_column_int64(s, 22);
    job->result_bytes = (size_t)sqlite3_column_int64(s, 23);
    if (good) {
        job->priority = (enum job_priority)priority;
        job->state = (enum job_state)state;
        job->error = (cuzk_status)error;
        good = job_is_sound(job) && (row->payload[0] != '\0') != job_is_final(job->state);
    }
    if (!good)
        return err_set(q->err, CUZK_E_IO, "store.db: the row of job %llu is damaged",
                       (unsigned long long)job->sequence);
    return CUZK_OK;
}

static cuzk_status job_one(struct rows *r, struct job_row *out, bool *found, enum sql which,
                           const struct sql_value *values, size_t count, struct cuzk_err *err)
{
    struct query q;

    query_begin(&q, r, which, values, count, err);
    *found = query_row(&q);
    if (*found)
        q.st = job_read(out, &q);
    return query_end(&q);
}

static cuzk_status job_each(struct rows *r, enum sql which, const struct sql_value *values, size_t count,
                            rows_each_job *each, void *context, struct cuzk_err *err)
{
    struct query   q;
    struct job_row row;

    for (query_begin(&q, r, which, values, count, err); query_row(&q);) {
        q.st = job_read(&row, &q);
        if (q.st == CUZK_OK)
            q.st = each(context, &row, err);
    }
    return query_end(&q);
}

cuzk_status rows_job_get(struct rows *r, struct job_row *out, bool *found, const char *id, struct cuzk_err *err)
{
    return job_one(r, out, found, SQL_JOB_GET, VALUES(TEXT(id)), err);
}

cuzk_status rows_job_live(struct rows *r, struct job_row *out, bool *found, const char *tenant, const char *request_id,
                          struct cuzk_err *err)
{
    return job_one(r, out, found, SQL_JOB_LIVE, VALUES(TEXT(tenant), TEXT(request_id)), err);
}

cuzk_status rows_job_proved(struct rows *r, struct job_row *out, bool *found, const char *tenant,
                            const char *request_id, const uint8_t content[STORE_DIGEST_BYTES], struct cuzk_err *err)
{
    return job_one(r, out, found, SQL_JOB_PROVED,
                   VALUES(TEXT(tenant), TEXT(request_id), BLOB(content, STORE_DIGEST_BYTES)), err);
}

cuzk_status rows_job_insert(struct rows *r, struct job_row *row, struct cuzk_err *err)
{
    struct store_job *job = &row->job;
    cuzk_status       st;

    TRY(sql_run(r, SQL_JOB_INSERT,
                VALUES(TEXT(job->id), TEXT(job->tenant), TEXT(job->request_id), TEXT(job->kind), TEXT(job->circuit),
                       BLOB(job->content, STORE_DIGEST_BYTES), INT(job->priority), INT(job->parts), TEXT(row->payload),
                       INT(job->payload_bytes), INT(job->submitted_ms), INT(job->deadline_ms), INT(job->detached)),
                err));
    job->sequence = (uint64_t)sqlite3_last_insert_rowid(r->db);
out:
    return st;
}

cuzk_status rows_job_update(struct rows *r, const struct job_row *row, struct cuzk_err *err)
{
    const struct store_job *job = &row->job;

    return sql_run(r, SQL_JOB_UPDATE,
                   VALUES(INT(job->sequence), INT(job->priority), INT(job->state), INT(job->parts_done),
                          TEXT(row->payload), INT(job->started_ms), INT(job->finished_ms), INT(job->deadline_ms),
                          INT(job->detached), INT(job->error), TEXT(job->error_text), INT(job->synth_ns),
                          INT(job->device_ns), INT(job->finish_ns), INT(job->result_bytes)),
                   err);
}

cuzk_status rows_jobs_unfinished(struct rows *r, uint64_t after, rows_each_job *each, void *context,
                                 struct cuzk_err *err)
{
    return job_each(r, SQL_JOBS_UNFINISHED, VALUES(INT(after)), each, context, err);
}

cuzk_status rows_jobs_list(struct rows *r, const struct store_filter *filter, rows_each_job *each, void *context,
                           struct cuzk_err *err)
{
    int64_t before = filter->before && filter->before < INT64_MAX ? (int64_t)filter->before : INT64_MAX;
    int64_t limit = filter->limit && filter->limit < INT64_MAX ? (int64_t)filter->limit : -1;

    return job_each(r, SQL_JOBS_LIST, VALUES(INT(before), TEXT(filter->tenant), INT(filter->state), INT(limit)), each,
                    context, err);
}

cuzk_status rows_payload_named(struct rows *r, bool *out, const char *name, struct cuzk_err *err)
{
    return sql_any(r, out, SQL_PAYLOAD_NAMED, VALUES(TEXT(name)), err);
}

/* A state that counts something; IO if the row is damaged. */
static bool column_state(enum job_state *out, struct query *q)
{
    uint32_t state;
    bool     good = column_u32(&state, q->s, 0) && state < JOB_STATE_COUNT;

    *out = good ? (enum job_state)state : JOB_ACCEPTED;
    if (!good)
        q->st = err_set(q->err, CUZK_E_IO, "store.db: a job is in state %u, which is none", state);
    return good;
}

static cuzk_status expire(struct rows *r, uint64_t gone[JOB_STATE_COUNT], enum sql which, int64_t bound,
                          struct cuzk_err *err)
{
    struct query   q;
    enum job_state state;

    for (query_begin(&q, r, which, VALUES(INT(bound)), err); query_row(&q);)
        if (column_state(&state, &q))
            gone[state]++;
    return query_end(&q);
}

cuzk_status rows_jobs_expire(struct rows *r, uint64_t gone[JOB_STATE_COUNT], int64_t before_ms, uint64_t keep,
                             struct cuzk_err *err)
{
    cuzk_status st = expire(r, gone, SQL_JOBS_EXPIRE_AGE, before_ms, err);

    if (st == CUZK_OK && keep && keep < INT64_MAX)
        st = expire(r, gone, SQL_JOBS_EXPIRE_COUNT, (int64_t)keep, err);
    return st;
}

cuzk_status rows_count(struct rows *r, uint64_t jobs[JOB_STATE_COUNT], struct cuzk_err *err)
{
    struct query   q;
    enum job_state state;

    memset(jobs, 0, JOB_STATE_COUNT * sizeof jobs[0]);
    for (query_begin(&q, r, SQL_JOBS_COUNT, NO_VALUES, err); query_row(&q);)
        if (column_state(&state, &q))
            jobs[state] = (uint64_t)sqlite3_column_int64(q.s, 1);
    return query_end(&q);
}

/* ---- parts and results ---- */

cuzk_status rows_part_put(struct rows *r, bool *fresh, uint64_t job, uint32_t part, const void *proof, size_t bytes,
                          struct cuzk_err *err)
{
    cuzk_status st = sql_run(r, SQL_PART_PUT, VALUES(INT(job), INT(part), BLOB(proof, bytes)), err);

    *fresh = st == CUZK_OK && sqlite3_changes(r->db) == 1;
    return st;
}

cuzk_status rows_parts_drop(struct rows *r, uint64_t job, struct cuzk_err *err)
{
    return sql_run(r, SQL_PARTS_DROP, VALUES(INT(job)), err);
}

cuzk_status rows_parts(struct rows *r, const char                                                        *id,
                       void (*each)(void *context, uint32_t part, const void *proof, size_t bytes), void *context,
                       struct cuzk_err *err)
{
    struct query q;

    for (query_begin(&q, r, SQL_PARTS, VALUES(TEXT(id)), err); query_row(&q);) {
        const void *proof = sqlite3_column_blob(q.s, 1);
        uint32_t    part;

        if (column_u32(&part, q.s, 0))
            each(context, part, proof ? proof : "", (size_t)sqlite3_column_bytes(q.s, 1));
        else
            q.st = err_set(err, CUZK_E_IO, "store.db: a part of job %s is damaged", id);
    }
    return query_end(&q);
}

cuzk_status rows_result_put(struct rows *r, uint64_t job, const void *result, size_t bytes, struct cuzk_err *err)
{
    return sql_run(r, SQL_RESULT_PUT, VALUES(INT(job), BLOB(result, bytes)), err);
}

cuzk_status rows_result_get(struct rows *r, uint8_t **out, size_t *bytes, bool *found, uint64_t job,
                            struct cuzk_err *err)
{
    struct query q;

    *out = NULL;
    *bytes = 0;
    query_begin(&q, r, SQL_RESULT_GET, VALUES(INT(job)), err);
    *found = query_row(&q);
    if (*found) {
        const void *data = sqlite3_column_blob(q.s, 0);
        size_t      size = (size_t)sqlite3_column_bytes(q.s, 0);

        *out = mem_new(size ? size : 1, 1);
        if (!*out || (size && !data))
            q.st = err_set(err, CUZK_E_IO, "no memory for a result of %zu bytes", size);
        else if (size)
            memcpy(*out, data, *bytes = size);
    }
    return query_end(&q);
}
