/* store/rows.h - what the store asks of a database: jobs, parts, results, circuits as rows.  sqlite*.c answers.
 *
 * A connection is used by one thread at a time; one connection of a store writes.  Changes stand between rows_begin and
 * rows_commit; after any failure there rows_rollback undoes them all.  BUSY is a full disk, IO all else that is wrong
 * with disk or file. */
#ifndef CUZK_STORE_ROWS_H
#define CUZK_STORE_ROWS_H

#include "store/folder.h"
#include "store/store.h"

struct rows;

/* A job with what only the store knows of it. */
struct job_row {
    struct store_job job;
    char             payload[UUID_BYTES]; /* file in PLACE_PAYLOADS; empty once the job is final */
};

struct circuit_row {
    struct store_circuit circuit;          /* path is empty if owned */
    char                 file[UUID_BYTES]; /* in PLACE_CIRCUITS; empty unless owned */
};

struct store_totals { uint64_t completed, failed, cancelled; }; /* since the store was made */

enum rows_use { ROWS_WRITE, ROWS_READ };
/* Writing makes or migrates the tables; those of a newer version are refused. */
cuzk_status rows_open(struct rows **out, const struct folder *folder, enum rows_use use, struct cuzk_err *err);
void        rows_close(struct rows *r); /* NULL is nothing */

cuzk_status rows_begin(struct rows *r, struct cuzk_err *err);
/* Synced.  After a failure *in_doubt says that a crash may yet bring the changes back: their sync failed. */
cuzk_status rows_commit(struct rows *r, bool *in_doubt, struct cuzk_err *err);
void        rows_rollback(struct rows *r);
/* After a rollback for want of space: makes what space the log has free for the next transaction, so that jobs can end
 * and give back more. */
void        rows_relieve(struct rows *r);

/* --- jobs; *found is false and *out untouched if there is none ---------------------------------------------------- */

cuzk_status rows_job_get(struct rows *r, struct job_row *out, bool *found, const char *id, struct cuzk_err *err);
/* The unfinished job of a request id: there is one at most. */
cuzk_status rows_job_live(struct rows *r, struct job_row *out, bool *found, const char *tenant, const char *request_id,
                          struct cuzk_err *err);
/* The newest DONE job of a request id with this content. */
cuzk_status rows_job_proved(struct rows *r, struct job_row *out, bool *found, const char *tenant,
                            const char *request_id, const uint8_t content[STORE_DIGEST_BYTES], struct cuzk_err *err);
cuzk_status rows_job_insert(struct rows *r, struct job_row *row, struct cuzk_err *err); /* sets its sequence */
/* Writes what may change: state, priority, times, error, sums, detached, payload. */
cuzk_status rows_job_update(struct rows *r, const struct job_row *row, struct cuzk_err *err);

typedef cuzk_status rows_each_job(void *context, const struct job_row *row, struct cuzk_err *err);
/* Unfinished ones above a sequence, oldest first. */
cuzk_status rows_jobs_unfinished(struct rows *r, uint64_t after, rows_each_job *each, void *context,
                                 struct cuzk_err *err);
cuzk_status rows_jobs_list(struct rows *r, const struct store_filter *filter, rows_each_job *each, void *context,
                           struct cuzk_err *err);
cuzk_status rows_payload_named(struct rows *r, bool *out, const char *name, struct cuzk_err *err);
/* Removes final jobs that ended before `before_ms`, and the oldest beyond `keep` (0: any number); adds to gone. */
cuzk_status rows_jobs_expire(struct rows *r, uint64_t gone[JOB_STATE_COUNT], int64_t before_ms, uint64_t keep,
                             struct cuzk_err *err);

/* --- parts and results -------------------------------------------------------------------------------------------- */

/* *fresh is false if the part was there: the first one stays. */
cuzk_status rows_part_put(struct rows *r, bool *fresh, uint64_t job, uint32_t part, const void *proof, size_t bytes,
                          struct cuzk_err *err);
cuzk_status rows_parts_drop(struct rows *r, uint64_t job, struct cuzk_err *err);
cuzk_status rows_parts(struct rows *r, const char *id,
                       void (*each)(void *context, uint32_t part, const void *proof, size_t bytes), void *context,
                       struct cuzk_err *err);
cuzk_status rows_result_put(struct rows *r, uint64_t job, const void *result, size_t bytes, struct cuzk_err *err);
/* mem_free(*out) */
cuzk_status rows_result_get(struct rows *r, uint8_t **out, size_t *bytes, bool *found, uint64_t job,
                            struct cuzk_err *err);

/* --- circuits ----------------------------------------------------------------------------------------------------- */

cuzk_status rows_circuit_get(struct rows *r, struct circuit_row *out, bool *found, const char *name,
                             struct cuzk_err *err);
cuzk_status rows_circuit_put(struct rows *r, const struct circuit_row *row, struct cuzk_err *err); /* replaces */
cuzk_status rows_circuit_drop(struct rows *r, const char *name, struct cuzk_err *err);
typedef cuzk_status rows_each_circuit(void *context, const struct circuit_row *row, struct cuzk_err *err);
cuzk_status rows_circuits(struct rows *r, rows_each_circuit *each, void *context, struct cuzk_err *err); /* by name */
cuzk_status rows_circuit_file_named(struct rows *r, bool *out, const char *name, struct cuzk_err *err);

/* --- the whole ---------------------------------------------------------------------------------------------------- */

cuzk_status rows_count(struct rows *r, uint64_t jobs[JOB_STATE_COUNT], struct cuzk_err *err);
cuzk_status rows_totals_get(struct rows *r, struct store_totals *out, struct cuzk_err *err);
cuzk_status rows_totals_put(struct rows *r, const struct store_totals *totals, struct cuzk_err *err);
/* The database's own check, and that parts, results and jobs fit together. */
cuzk_status rows_check(struct rows *r, struct cuzk_err *err);

#endif
