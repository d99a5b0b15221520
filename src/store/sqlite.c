/* store/sqlite.c - connections, transactions, statements.  Each connection on one thread at a time: no mutex inside. */
#include "store/sqlite.h"

#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"
#include "store/fault.h"

#define DATABASE    "store.db"
#define LOCK_MS_MAX 5000 /* only a person with a shell of SQLite could hold a lock */

static const struct {
    const char *name, *text;
} sql_of[SQL_COUNT] = {
#define SQL(name, text) [SQL_##name] = { #name, text },
#include "store/sqlite_sql.def"
#undef SQL
};

/* The log is synced at each commit, and cut when a burst has made it long. */
static const char settings_write[] = "PRAGMA synchronous = FULL;"
                                     "PRAGMA foreign_keys = ON;"
                                     "PRAGMA trusted_schema = OFF;"
                                     "PRAGMA cell_size_check = ON;"
                                     "PRAGMA journal_size_limit = 67108864;";
static const char settings_read[] = "PRAGMA query_only = ON;"
                                    "PRAGMA trusted_schema = OFF;"
                                    "PRAGMA cell_size_check = ON;";

cuzk_status sqlite_fail(struct rows *r, int code, const char *what, struct cuzk_err *err)
{
    const char *text = r->db && sqlite3_extended_errcode(r->db) == code ? sqlite3_errmsg(r->db) : sqlite3_errstr(code);
    int class = code & 0xff;

    return err_set(err,
                   class == SQLITE_FULL         ? CUZK_E_BUSY
                   : class == SQLITE_CONSTRAINT ? CUZK_E_BUG
                                                : CUZK_E_IO,
                   "%s, %s: %s (SQLite %d)", DATABASE, what, text, code);
}

/* ---- statements ---- */

static int bind(sqlite3_stmt *s, int index, const struct sql_value *v)
{
    switch (v->kind) {
    case SQL_IS_INT:
        return sqlite3_bind_int64(s, index, v->number);
    case SQL_IS_TEXT:
        return sqlite3_bind_text(s, index, v->data, -1, SQLITE_STATIC);
    case SQL_IS_BLOB:
        return sqlite3_bind_blob64(s, index, v->data ? v->data : "", v->bytes, SQLITE_STATIC);
    }
    return SQLITE_MISUSE;
}

static int prepare(struct rows *r, enum sql which)
{
    if (r->statement[which])
        return SQLITE_OK;
    if (store_fails())
        return SQLITE_IOERR;
    return sqlite3_prepare_v3(r->db, sql_of[which].text, -1, SQLITE_PREPARE_PERSISTENT, &r->statement[which], NULL);
}

void query_begin(struct query *q, struct rows *r, enum sql which, const struct sql_value *values, size_t count,
                 struct cuzk_err *err)
{
    int code = prepare(r, which);

    *q = (struct query){ .rows = r, .which = which, .s = r->statement[which], .st = CUZK_OK, .err = err };
    cuzk_check(code != SQLITE_OK || !sqlite3_stmt_busy(q->s));
    for (size_t i = 0; i < count && code == SQLITE_OK; i++)
        code = bind(q->s, (int)i + 1, &values[i]);
    if (code != SQLITE_OK)
        q->st = sqlite_fail(r, code, sql_of[which].name, err);
}

bool query_row(struct query *q)
{
    int code;

    if (q->st != CUZK_OK)
        return false;
    code = store_fails() ? SQLITE_IOERR : sqlite3_step(q->s);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        q->st = sqlite_fail(q->rows, code, sql_of[q->which].name, q->err);
    return false;
}

cuzk_status query_end(struct query *q)
{
    if (q->s) { /* what these return is the failure of the step before */
        (void)sqlite3_reset(q->s);
        (void)sqlite3_clear_bindings(q->s);
    }
    return q->st;
}

cuzk_status sql_run(struct rows *r, enum sql which, const struct sql_value *values, size_t count, struct cuzk_err *err)
{
    struct query q;

    query_begin(&q, r, which, values, count, err);
    while (query_row(&q))
        ; /* to the end: only then is a statement with RETURNING done */
    return query_end(&q);
}

cuzk_status sql_any(struct rows *r, bool *out, enum sql which, const struct sql_value *values, size_t count,
                    struct cuzk_err *err)
{
    struct query q;

    query_begin(&q, r, which, values, count, err);
    *out = query_row(&q);
    return query_end(&q);
}

/* ---- columns ---- */

bool column_text(char *out, size_t out_bytes, sqlite3_stmt *s, int column)
{
    const unsigned char *text = sqlite3_column_text(s, column);
    size_t               bytes = (size_t)sqlite3_column_bytes(s, column);

    if (!text || bytes >= out_bytes || memchr(text, '\0', bytes))
        return false;
    memcpy(out, text, bytes + 1);
    return true;
}

bool column_digest(uint8_t out[STORE_DIGEST_BYTES], sqlite3_stmt *s, int column)
{
    const void *data = sqlite3_column_blob(s, column);

    if (!data || sqlite3_column_bytes(s, column) != STORE_DIGEST_BYTES)
        return false;
    memcpy(out, data, STORE_DIGEST_BYTES);
    return true;
}

bool column_u32(uint32_t *out, sqlite3_stmt *s, int column)
{
    int64_t value = sqlite3_column_int64(s, column);

    *out = (uint32_t)value;
    return value >= 0 && value <= UINT32_MAX;
}

/* ---- transactions ---- */

cuzk_status rows_begin(struct rows *r, struct cuzk_err *err) { return sql_run(r, SQL_BEGIN, NO_VALUES, err); }

cuzk_status rows_commit(struct rows *r, bool *in_doubt, struct cuzk_err *err)
{
    cuzk_status st = sql_run(r, SQL_COMMIT, NO_VALUES, err);

    *in_doubt = st != CUZK_OK && st != CUZK_E_BUSY; /* on a full disk the record that commits was not written */
    return st;
}

void rows_rollback(struct rows *r)
{
    /* Where SQLite has rolled back by itself there is nothing to do, and where this fails nothing more can be done: the
     * next rows_begin says so. */
    if (!sqlite3_get_autocommit(r->db))
        (void)sql_run(r, SQL_ROLLBACK, NO_VALUES, NULL);
}

void rows_relieve(struct rows *r)
{
    (void)sql_run(r, SQL_CHECKPOINT, NO_VALUES,
                  NULL); /* where the database cannot grow either, nothing is lost by it */
}

/* ---- connections ---- */

static cuzk_status set_up(struct rows *r, const char *settings, struct cuzk_err *err)
{
    int code = store_fails() ? SQLITE_IOERR : sqlite3_exec(r->db, settings, NULL, NULL, NULL);

    return code == SQLITE_OK ? CUZK_OK : sqlite_fail(r, code, "settings", err);
}

static cuzk_status use_log(struct rows *r, struct cuzk_err *err)
{
    struct query q;

    query_begin(&q, r, SQL_WAL, NO_VALUES, err);
    if (query_row(&q) && strcmp((const char *)sqlite3_column_text(q.s, 0), "wal") != 0)
        q.st = err_set(err, CUZK_E_IO, "%s: the file system of this folder allows no write-ahead log", DATABASE);
    return query_end(&q);
}

/* An empty file is an empty database; SQLite would make it readable for others. */
static cuzk_status make_file(const struct folder *folder, struct cuzk_err *err)
{
    int fd = store_fails() ? -1 : openat(folder->fd, DATABASE, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0)
        return folder_fail(folder, err, "make", DATABASE);
    (void)close(fd); /* before SQLite has locks on the file, which this would drop */
    return folder_sync_top(folder, err);
}

cuzk_status rows_open(struct rows **out, const struct folder *folder, enum rows_use use, struct cuzk_err *err)
{
    struct rows *r = mem_new(1, sizeof *r);
    cuzk_status  st = CUZK_OK;
    char         path[FOLDER_PATH_BYTES + sizeof DATABASE + 1];
    int          code;

    *out = NULL;
    if (!r)
        FAIL(CUZK_E_IO, "no memory for a connection to %s", DATABASE);
    if (use == ROWS_WRITE)
        TRY(make_file(folder, err));
    (void)snprintf(path, sizeof path, "%s/%s", folder->path, DATABASE); /* absolute: never taken for a URI */
    code = store_fails() ? SQLITE_CANTOPEN
                         : sqlite3_open_v2(path, &r->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_extended_result_codes(r->db, 1);
    if (code == SQLITE_OK)
        code = sqlite3_busy_timeout(r->db, LOCK_MS_MAX);
    if (code != SQLITE_OK) {
        st = sqlite_fail(r, code, "open", err);
        goto out;
    }
    if (use == ROWS_WRITE) {
        TRY(use_log(r, err));
        TRY(set_up(r, settings_write, err));
        TRY(schema_migrate(r, err));
    } else {
        TRY(set_up(r, settings_read, err));
    }
    *out = r;
    r = NULL;
out:
    rows_close(r);
    return st;
}

void rows_close(struct rows *r)
{
    if (!r)
        return;
    for (int i = 0; i < SQL_COUNT; i++)
        (void)sqlite3_finalize(r->statement[i]);
    cuzk_check(sqlite3_close(r->db) == SQLITE_OK); /* it fails only while a statement is open */
    mem_free(r);
}
