/* store/sqlite_circuits.c - rows of circuits and totals, and the check of the whole. */
#include "store/sqlite.h"

#include <string.h>

static cuzk_status circuit_read(struct circuit_row *row, struct query *q)
{
    struct store_circuit *circuit = &row->circuit;
    sqlite3_stmt         *s = q->s;

    memset(row, 0, sizeof *row);
    if (!column_text(circuit->name, sizeof circuit->name, s, 0) ||
        !column_text(circuit->path, sizeof circuit->path, s, 1) || !column_text(row->file, sizeof row->file, s, 2) ||
        !column_digest(circuit->digest, s, 3))
        return err_set(q->err, CUZK_E_IO, "store.db: the row of a circuit is damaged");
    circuit->bytes = (uint64_t)sqlite3_column_int64(s, 4);
    circuit->added_ms = sqlite3_column_int64(s, 5);
    circuit->preload = sqlite3_column_int64(s, 6) != 0;
    circuit->owned = row->file[0] != '\0';
    return CUZK_OK;
}

cuzk_status rows_circuit_get(struct rows *r, struct circuit_row *out, bool *found, const char *name,
                             struct cuzk_err *err)
{
    struct query q;

    query_begin(&q, r, SQL_CIRCUIT_GET, VALUES(TEXT(name)), err);
    *found = query_row(&q);
    if (*found)
        q.st = circuit_read(out, &q);
    return query_end(&q);
}

cuzk_status rows_circuit_put(struct rows *r, const struct circuit_row *row, struct cuzk_err *err)
{
    const struct store_circuit *c = &row->circuit;

    return sql_run(r, SQL_CIRCUIT_PUT,
                   VALUES(TEXT(c->name), TEXT(c->owned ? "" : c->path), TEXT(row->file),
                          BLOB(c->digest, STORE_DIGEST_BYTES), INT(c->bytes), INT(c->added_ms), INT(c->preload)),
                   err);
}

cuzk_status rows_circuit_drop(struct rows *r, const char *name, struct cuzk_err *err)
{
    return sql_run(r, SQL_CIRCUIT_DROP, VALUES(TEXT(name)), err);
}

cuzk_status rows_circuits(struct rows *r, rows_each_circuit *each, void *context, struct cuzk_err *err)
{
    struct query       q;
    struct circuit_row row;

    for (query_begin(&q, r, SQL_CIRCUITS, NO_VALUES, err); query_row(&q);) {
        q.st = circuit_read(&row, &q);
        if (q.st == CUZK_OK)
            q.st = each(context, &row, err);
    }
    return query_end(&q);
}

cuzk_status rows_circuit_file_named(struct rows *r, bool *out, const char *name, struct cuzk_err *err)
{
    return sql_any(r, out, SQL_CIRCUIT_FILE_NAMED, VALUES(TEXT(name)), err);
}

/* ---- the whole ---- */

cuzk_status rows_totals_get(struct rows *r, struct store_totals *out, struct cuzk_err *err)
{
    struct query q;

    for (query_begin(&q, r, SQL_TOTALS_GET, NO_VALUES, err); query_row(&q);) {
        out->completed = (uint64_t)sqlite3_column_int64(q.s, 0);
        out->failed = (uint64_t)sqlite3_column_int64(q.s, 1);
        out->cancelled = (uint64_t)sqlite3_column_int64(q.s, 2);
    }
    return query_end(&q);
}

cuzk_status rows_totals_put(struct rows *r, const struct store_totals *totals, struct cuzk_err *err)
{
    return sql_run(r, SQL_TOTALS_PUT, VALUES(INT(totals->completed), INT(totals->failed), INT(totals->cancelled)), err);
}

cuzk_status rows_check(struct rows *r, struct cuzk_err *err)
{
    /* Each gives a row of one text for each thing that is wrong; the first for the absence of such things, too. */
    static const enum sql checks[] = {
        SQL_CHECK_INTEGRITY, SQL_CHECK_KEYS,    SQL_CHECK_PARTS_DONE,
        SQL_CHECK_PARTS_OF,  SQL_CHECK_RESULTS, SQL_CHECK_RESULTS_OF,
    };
    cuzk_status st = CUZK_OK;

    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && st == CUZK_OK; i++) {
        struct query q;

        for (query_begin(&q, r, checks[i], NO_VALUES, err); query_row(&q);) {
            const char *text = (const char *)sqlite3_column_text(q.s, 0);

            if (!text || strcmp(text, "ok") != 0)
                q.st = err_set(err, CUZK_E_IO, "store.db: %s", text ? text : "no memory for the check");
        }
        st = query_end(&q);
    }
    return st;
}
