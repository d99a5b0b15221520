/* store/sqlite.h - a connection to SQLite and the steps of a statement; shared by sqlite*.c. */
#ifndef CUZK_STORE_SQLITE_H
#define CUZK_STORE_SQLITE_H

#include <sqlite3.h>

#include "store/rows.h"

enum sql {
#define SQL(name, text) SQL_##name,
#include "store/sqlite_sql.def"
#undef SQL
    SQL_COUNT
};

struct rows {
    sqlite3      *db;
    sqlite3_stmt *statement[SQL_COUNT]; /* prepared at first use */
};

/* A value to bind; text and blobs must stay until the query ends.  TEXT(NULL) is NULL. */
struct sql_value {
    enum { SQL_IS_INT, SQL_IS_TEXT, SQL_IS_BLOB } kind;
    int64_t     number;
    const void *data;
    size_t      bytes;
};
#define INT(v)     ((struct sql_value){ .kind = SQL_IS_INT, .number = (int64_t)(v) })
#define TEXT(v)    ((struct sql_value){ .kind = SQL_IS_TEXT, .data = (v) })
#define BLOB(p, n) ((struct sql_value){ .kind = SQL_IS_BLOB, .data = (p), .bytes = (n) })
#define VALUES(...)                            \
    (const struct sql_value[]){ __VA_ARGS__ }, \
        sizeof((const struct sql_value[]){ __VA_ARGS__ }) / sizeof(struct sql_value)
#define NO_VALUES NULL, 0

/* for (query_begin(&q, ...); query_row(&q);) { columns of q.s }  st = query_end(&q);
 * A failure at any step ends the loop, is written to err, and is what query_end returns; the loop may set q.st too.
 * A query must be ended before the same statement begins again. */
struct query {
    struct rows     *rows;
    enum sql         which;
    sqlite3_stmt    *s;
    cuzk_status      st;
    struct cuzk_err *err;
};
void        query_begin(struct query *q, struct rows *r, enum sql which, const struct sql_value *values, size_t count,
                        struct cuzk_err *err);
bool        query_row(struct query *q);
cuzk_status query_end(struct query *q);

/* One that gives no rows, or whose rows do not matter. */
cuzk_status sql_run(struct rows *r, enum sql which, const struct sql_value *values, size_t count, struct cuzk_err *err);
/* Does it give a row? */
cuzk_status sql_any(struct rows *r, bool *out, enum sql which, const struct sql_value *values, size_t count,
                    struct cuzk_err *err);

/* The failure of an SQLite call by its extended code. */
cuzk_status sqlite_fail(struct rows *r, int code, const char *what, struct cuzk_err *err);

/* Columns, checked as bytes from outside are: false if the value does not fit. */
bool column_text(char *out, size_t out_bytes, sqlite3_stmt *s, int column);
bool column_digest(uint8_t out[STORE_DIGEST_BYTES], sqlite3_stmt *s, int column);
bool column_u32(uint32_t *out, sqlite3_stmt *s, int column);

/* store/sqlite_schema.c */
cuzk_status schema_migrate(struct rows *r, struct cuzk_err *err);

#endif
