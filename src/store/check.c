/* store/check.c - the laws that rows, files and figures obey between two transactions; store thread only. */
#include <inttypes.h>

#include "store/apply.h"

struct check {
    const struct folder *folder;
    uint64_t             jobs[JOB_STATE_COUNT];
    uint64_t             payload_bytes;
};

static cuzk_status file_has(const struct folder *f, enum folder_place place, const char *name, uint64_t bytes,
                            struct cuzk_err *err)
{
    uint64_t    found;
    cuzk_status st;

    TRY(folder_file_bytes(&found, f, place, name, err));
    if (found != bytes)
        FAIL(CUZK_E_IO, "store: %s/%s has %" PRIu64 " bytes, its row says %" PRIu64, folder_place_name[place], name,
             found, bytes);
out:
    return st;
}

/* That the row by itself is sound was checked when it was read. */
static cuzk_status check_job(void *context, const struct job_row *row, struct cuzk_err *err)
{
    struct check *k = context;

    k->jobs[row->job.state]++;
    if (!row->payload[0])
        return CUZK_OK;
    k->payload_bytes += row->job.payload_bytes;
    return file_has(k->folder, PLACE_PAYLOADS, row->payload, row->job.payload_bytes, err);
}

static cuzk_status check_circuit(void *context, const struct circuit_row *row, struct cuzk_err *err)
{
    const struct check *k = context;

    return row->circuit.owned ? file_has(k->folder, PLACE_CIRCUITS, row->file, row->circuit.bytes, err) : CUZK_OK;
}

cuzk_status ledger_check(struct ledger *l, struct cuzk_err *err)
{
    static const struct store_filter all = { .state = -1 };
    struct check                     k = { .folder = l->folder };
    uint64_t                         counted;
    cuzk_status                      st;

    TRY(rows_check(l->rows, err));
    TRY(rows_jobs_list(l->rows, &all, check_job, &k, err));
    TRY(rows_circuits(l->rows, check_circuit, &k, err));
    for (int i = 0; i < JOB_STATE_COUNT; i++)
        if (k.jobs[i] != l->tally.jobs[i])
            FAIL(CUZK_E_IO, "store: %" PRIu64 " jobs are %s, the figures say %" PRIu64, k.jobs[i], job_state_name[i],
                 l->tally.jobs[i]);
    counted = atomic_load(&l->folder->payload_bytes);
    if (counted < k.payload_bytes)
        FAIL(CUZK_E_IO, "store: payloads have %" PRIu64 " bytes, the figures say %" PRIu64, k.payload_bytes, counted);
out:
    return st;
}
