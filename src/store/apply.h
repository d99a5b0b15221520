/* store/apply.h - what each change does to the rows; store thread only. */
#ifndef CUZK_STORE_APPLY_H
#define CUZK_STORE_APPLY_H

#include "store/change.h"
#include "store/rows.h"

/* The rows in figures: what store_counts shows and jobs_max is compared with. */
struct tally {
    uint64_t            jobs[JOB_STATE_COUNT];
    struct store_totals totals;
};

struct ledger {
    struct rows               *rows;
    const struct store_config *config;
    const struct folder       *folder;
    struct tally               tally;  /* with what the open transaction has changed */
    int64_t                    now_ms; /* of this transaction */
};

/* Counts the rows: at the start, and when a transaction has failed. */
cuzk_status ledger_load(struct ledger *l, struct cuzk_err *err);

/* Within a transaction.  OK: done, or refused in c->answer without having changed a row.  Otherwise the database fails
 * and the transaction must be undone. */
cuzk_status change_apply(struct ledger *l, struct change *c, struct cuzk_err *err);

/* A circuit as its user sees it: with the path of an owned file.  Any thread. */
void circuit_show(struct store_circuit *out, const struct circuit_row *row, const struct folder *f);

/* No transaction open: the laws of rows and files. */
cuzk_status ledger_check(struct ledger *l, struct cuzk_err *err);

#endif
