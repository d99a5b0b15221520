/* store/sqlite_schema.c - the tables, and the way to them from every older version.
 *
 *   jobs      one row a job; its payload is a file, its result a row elsewhere, so that lists stay small
 *   parts     proofs of the parts of unfinished jobs
 *   results   of DONE jobs
 *   circuits  registered keys
 *   totals    one row: what has happened since the store was made
 *
 * States, priorities and errors are the numbers of store.h and cuzk/status.h, which therefore never change. */
#include "store/sqlite.h"

#include "store/fault.h"

/* Step n leads from version n to n + 1; one that was released is never edited. */
static const char *const steps[] = {
    "CREATE TABLE jobs ("
    "  sequence      INTEGER PRIMARY KEY AUTOINCREMENT," /* never used again, also when the newest row goes */
    "  id            TEXT NOT NULL UNIQUE,"
    "  tenant        TEXT NOT NULL,"
    "  request_id    TEXT NOT NULL,"
    "  kind          TEXT NOT NULL,"
    "  circuit       TEXT NOT NULL,"
    "  content       BLOB NOT NULL CHECK (length(content) = 32),"
    "  priority      INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 3),"
    "  state         INTEGER NOT NULL CHECK (state BETWEEN 0 AND 5),"
    "  parts         INTEGER NOT NULL CHECK (parts > 0),"
    "  parts_done    INTEGER NOT NULL CHECK (parts_done BETWEEN 0 AND parts),"
    "  payload       TEXT NOT NULL CHECK ((payload <> '') = (state IN (0, 1))),"
    "  payload_bytes INTEGER NOT NULL,"
    "  submitted_ms  INTEGER NOT NULL,"
    "  started_ms    INTEGER NOT NULL,"
    "  finished_ms   INTEGER NOT NULL CHECK ((finished_ms = 0) = (state IN (0, 1))),"
    "  deadline_ms   INTEGER NOT NULL,"
    "  detached      INTEGER NOT NULL,"
    "  error         INTEGER NOT NULL CHECK ((error <> 0) = (state = 3)),"
    "  error_text    TEXT NOT NULL,"
    "  synth_ns      INTEGER NOT NULL,"
    "  device_ns     INTEGER NOT NULL,"
    "  finish_ns     INTEGER NOT NULL,"
    "  result_bytes  INTEGER NOT NULL"
    ") STRICT;"
    "CREATE UNIQUE INDEX jobs_live ON jobs (tenant, request_id) WHERE request_id <> '' AND state IN (0, 1);"
    "CREATE UNIQUE INDEX jobs_payload ON jobs (payload) WHERE payload <> '';"
    "CREATE INDEX jobs_proved ON jobs (tenant, request_id, content) WHERE state = 2;"
    "CREATE INDEX jobs_unfinished ON jobs (sequence) WHERE state IN (0, 1);"
    "CREATE INDEX jobs_finished ON jobs (finished_ms) WHERE state > 1;"
    "CREATE TABLE parts ("
    "  job   INTEGER NOT NULL REFERENCES jobs (sequence) ON DELETE CASCADE,"
    "  part  INTEGER NOT NULL,"
    "  proof BLOB NOT NULL,"
    "  PRIMARY KEY (job, part)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE TABLE results ("
    "  job    INTEGER PRIMARY KEY REFERENCES jobs (sequence) ON DELETE CASCADE,"
    "  result BLOB NOT NULL"
    ") STRICT;"
    "CREATE TABLE circuits ("
    "  name     TEXT PRIMARY KEY NOT NULL,"
    "  path     TEXT NOT NULL,"
    "  file     TEXT NOT NULL CHECK ((file = '') <> (path = '')),"
    "  digest   BLOB NOT NULL CHECK (length(digest) = 32),"
    "  bytes    INTEGER NOT NULL,"
    "  added_ms INTEGER NOT NULL,"
    "  preload  INTEGER NOT NULL"
    ") STRICT;"
    "CREATE TABLE totals ("
    "  only      INTEGER PRIMARY KEY CHECK (only = 1),"
    "  completed INTEGER NOT NULL,"
    "  failed    INTEGER NOT NULL,"
    "  cancelled INTEGER NOT NULL"
    ") STRICT;"
    "INSERT INTO totals VALUES (1, 0, 0, 0);"
    "PRAGMA user_version = 1;",
};
#define VERSION ((int64_t)(sizeof steps / sizeof steps[0]))

static cuzk_status version_get(struct rows *r, int64_t *out, struct cuzk_err *err)
{
    struct query q;

    *out = 0;
    query_begin(&q, r, SQL_VERSION_GET, NO_VALUES, err);
    while (query_row(&q))
        *out = sqlite3_column_int64(q.s, 0);
    return query_end(&q);
}

static cuzk_status step_run(struct rows *r, int64_t version, struct cuzk_err *err)
{
    int code = store_fails() ? SQLITE_IOERR : sqlite3_exec(r->db, steps[version], NULL, NULL, NULL);

    return code == SQLITE_OK ? CUZK_OK : sqlite_fail(r, code, "making the tables", err);
}

cuzk_status schema_migrate(struct rows *r, struct cuzk_err *err)
{
    cuzk_status st;
    int64_t     version;
    bool        in_doubt;

    TRY(version_get(r, &version, err));
    if (version < 0 || version > VERSION)
        FAIL(CUZK_E_IO, "store.db has version %lld, this program knows up to %lld: a newer one made it",
             (long long)version, (long long)VERSION);
    if (version == VERSION)
        return CUZK_OK;
    TRY(rows_begin(r, err));
    for (; version < VERSION && st == CUZK_OK; version++)
        st = step_run(r, version, err);
    if (st == CUZK_OK)
        st = rows_commit(r, &in_doubt, err);
    if (st != CUZK_OK)
        rows_rollback(r);
out:
    return st;
}
