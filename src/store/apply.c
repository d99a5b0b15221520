/* store/apply.c - what each change does to the rows; store thread only.
 *
 * Reads first, refuses if it must, and only then writes: so a refusal leaves no trace in the transaction that it shares
 * with other changes. */
#include "store/apply.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "store/moves.h"

cuzk_status ledger_load(struct ledger *l, struct cuzk_err *err)
{
    struct tally tally;
    cuzk_status  st;

    TRY(rows_count(l->rows, tally.jobs, err));
    TRY(rows_totals_get(l->rows, &tally.totals, err));
    l->tally = tally;
out:
    return st;
}

/* ---- one job ---- */

/* The move, what it frees, and the row; the caller knows that it is allowed. */
static cuzk_status move(struct ledger *l, struct change *c, struct job_row *row, enum job_state to,
                        struct cuzk_err *err)
{
    struct store_totals *totals = &l->tally.totals;
    cuzk_status          st = CUZK_OK;

    l->tally.jobs[row->job.state]--;
    cuzk_check(job_move(&row->job, to, l->now_ms));
    l->tally.jobs[to]++;
    totals->completed += to == JOB_DONE;
    totals->failed += to == JOB_FAILED;
    totals->cancelled += to == JOB_CANCELLED;
    if (job_is_final(to)) {
        c->freed.place = PLACE_PAYLOADS;
        memcpy(c->freed.name, row->payload, sizeof c->freed.name);
        row->payload[0] = '\0';
        TRY(rows_parts_drop(l->rows, row->job.sequence, err));
    }
    TRY(rows_job_update(l->rows, row, err));
    c->answer.changed = true;
out:
    return st;
}

static cuzk_status find(struct ledger *l, struct change *c, struct job_row *row, bool *found, struct cuzk_err *err)
{
    cuzk_status st = rows_job_get(l->rows, row, found, c->asked.id, err);

    if (st == CUZK_OK && *found)
        c->answer.job = row->job;
    else if (st == CUZK_OK)
        c->answer.status = err_set(&c->answer.err, CUZK_E_NOT_FOUND, "there is no job %.64s", c->asked.id);
    return st;
}

static cuzk_status apply_running(struct ledger *l, struct change *c, struct cuzk_err *err)
{
    struct job_row row;
    cuzk_status    st;
    bool           found;

    TRY(find(l, c, &row, &found, err));
    if (!found || !job_may_move(row.job.state, JOB_RUNNING))
        goto out;
    TRY(move(l, c, &row, JOB_RUNNING, err));
    c->answer.job = row.job;
out:
    return st;
}

static cuzk_status apply_part(struct ledger *l, struct change *c, struct cuzk_err *err)
{
    struct job_row row;
    cuzk_status    st;
    bool           found;

    TRY(find(l, c, &row, &found, err));
    if (!found || job_is_final(row.job.state))
        goto out;
    if (c->part >= row.job.parts) {
        c->answer.status =
            err_set(&c->answer.err, CUZK_E_INPUT, "part %" PRIu32 " of a job of %" PRIu32, c->part, row.job.parts);
        goto out;
    }
    TRY(rows_part_put(l->rows, &c->answer.changed, row.job.sequence, c->part, c->data, c->bytes, err));
    if (!c->answer.changed)
        goto out;
    row.job.parts_done++;
    TRY(rows_job_update(l->rows, &row, err));
    c->answer.job = row.job;
out:
    return st;
}

static cuzk_status apply_finish(struct ledger *l, struct change *c, struct cuzk_err *err)
{
    const struct store_job *asked = &c->asked;
    struct job_row          row;
    struct store_job       *job = &row.job;
    cuzk_status             st;
    bool                    found;

    TRY(find(l, c, &row, &found, err));
    if (!found || job_is_final(job->state))
        goto out;
    if (job->state == JOB_ACCEPTED) /* that it ran was not stored: the proof is none the worse */
        TRY(move(l, c, &row, JOB_RUNNING, err));
    job->error = asked->error;
    memcpy(job->error_text, asked->error_text, sizeof job->error_text);
    job->synth_ns = asked->synth_ns;
    job->device_ns = asked->device_ns;
    job->finish_ns = asked->finish_ns;
    if (asked->state == JOB_DONE) {
        job->parts_done = job->parts;
        job->result_bytes = c->bytes;
        TRY(rows_result_put(l->rows, job->sequence, c->data, c->bytes, err));
    }
    TRY(move(l, c, &row, asked->state, err));
    c->answer.job = *job;
out:
    return st;
}

static cuzk_status apply_cancel(struct ledger *l, struct change *c, struct cuzk_err *err)
{
    struct job_row row;
    cuzk_status    st;
    bool           found;

    TRY(find(l, c, &row, &found, err));
    if (!found || job_is_final(row.job.state))
        goto out;
    memcpy(row.job.error_text, c->asked.error_text, sizeof row.job.error_text);
    TRY(move(l, c, &row, JOB_CANCELLED, err));
    c->answer.job = row.job;
out:
    return st;
}

/* ---- a new job ---- */

/* What the one who attaches may rely on: the job runs at least as soon, as long and as surely as was asked. */
static cuzk_status widen(struct ledger *l, struct job_row *row, const struct store_job *asked, struct cuzk_err *err)
{
    struct store_job *job = &row->job;

    if (job_is_final(job->state))
        return CUZK_OK;
    if (asked->priority > job->priority)
        job->priority = asked->priority;
    if (asked->deadline_ms == 0 || (job->deadline_ms && asked->deadline_ms > job->deadline_ms))
        job->deadline_ms = asked->deadline_ms;
    job->detached = job->detached || asked->detached;
    return rows_job_update(l->rows, row, err);
}

static cuzk_status id_choose(struct ledger *l, struct store_job *job, struct cuzk_err *err)
{
    struct job_row holder;
    cuzk_status    st = CUZK_OK;
    bool           taken = job->id[0] == '\0';

    if (!taken)
        st = rows_job_get(l->rows, &holder, &taken, job->id, err);
    if (taken)
        uuid_v7(job->id, l->now_ms);
    return st;
}

static cuzk_status supersede(struct ledger *l, struct change *c, struct job_row *row, const char *by,
                             struct cuzk_err *err)
{
    (void)snprintf(row->job.error_text, sizeof row->job.error_text, "superseded by job %s", by);
    memcpy(c->answer.superseded, row->job.id, sizeof c->answer.superseded);
    return move(l, c, row, JOB_SUPERSEDED, err);
}

/* At most one job of a request id is unfinished, the one with the content asked for last:
 *
 *   unfinished   DONE with this content
 *   same         -                           attach to it
 *   other, none  yes                         attach to the DONE one; the other gives way
 *   other, none  no                          a new job; the other gives way */
static cuzk_status apply_submit(struct ledger *l, struct change *c, struct cuzk_err *err)
{
    struct store_job *asked = &c->asked;
    struct job_row    live, same, fresh;
    uint64_t          unfinished = l->tally.jobs[JOB_ACCEPTED] + l->tally.jobs[JOB_RUNNING];
    bool              has_live = false, has_same = false;
    cuzk_status       st = CUZK_OK;

    if (asked->request_id[0]) {
        TRY(rows_job_live(l->rows, &live, &has_live, asked->tenant, asked->request_id, err));
        if (has_live && memcmp(live.job.content, asked->content, STORE_DIGEST_BYTES) == 0) {
            same = live;
            has_same = true;
            has_live = false;
        } else {
            TRY(rows_job_proved(l->rows, &same, &has_same, asked->tenant, asked->request_id, asked->content, err));
        }
    }
    if (has_same) {
        if (has_live)
            TRY(supersede(l, c, &live, same.job.id, err));
        TRY(widen(l, &same, asked, err));
        c->answer.attached = true;
        c->answer.changed = false;
        c->answer.job = same.job;
        goto out;
    }
    if (l->config->jobs_max && unfinished - has_live >= l->config->jobs_max) {
        c->answer.status = err_set(&c->answer.err, CUZK_E_BUSY, "%" PRIu64 " jobs are unfinished, at most %" PRIu64,
                                   unfinished, l->config->jobs_max);
        goto out;
    }
    TRY(id_choose(l, asked, err));
    if (has_live)
        TRY(supersede(l, c, &live, asked->id, err));
    fresh.job = *asked;
    fresh.job.submitted_ms = l->now_ms;
    memcpy(fresh.payload, c->file.name, sizeof fresh.payload);
    TRY(rows_job_insert(l->rows, &fresh, err));
    l->tally.jobs[JOB_ACCEPTED]++;
    c->file_used = true;
    c->answer.changed = true;
    c->answer.job = fresh.job;
out:
    return st;
}

static cuzk_status apply_expire(struct ledger *l, struct change *c, struct cuzk_err *err)
{
    uint64_t    gone[JOB_STATE_COUNT] = { 0 };
    uint64_t    age_ms = l->config->result_age_ms;
    int64_t     before_ms = age_ms && age_ms < (uint64_t)l->now_ms ? l->now_ms - (int64_t)age_ms : 0;
    cuzk_status st = rows_jobs_expire(l->rows, gone, before_ms, l->config->results_max, err);

    for (int i = 0; i < JOB_STATE_COUNT; i++) {
        l->tally.jobs[i] -= gone[i];
        c->answer.changed = c->answer.changed || gone[i];
    }
    return st;
}

/* ---- circuits ---- */

void circuit_show(struct store_circuit *out, const struct circuit_row *row, const struct folder *f)
{
    *out = row->circuit;
    if (row->circuit.owned)
        folder_file_path(out->path, sizeof out->path, f, PLACE_CIRCUITS, row->file);
}

static void circuit_frees(struct change *c, const struct circuit_row *row)
{
    c->freed.place = PLACE_CIRCUITS;
    memcpy(c->freed.name, row->file, sizeof c->freed.name);
}

static cuzk_status apply_circuit_add(struct ledger *l, struct change *c, struct cuzk_err *err)
{
    struct store_circuit *circuit = c->circuit;
    struct circuit_row    old, fresh = { .circuit = *circuit };
    cuzk_status           st;
    bool                  found;

    TRY(rows_circuit_get(l->rows, &old, &found, circuit->name, err));
    if (found && memcmp(old.circuit.digest, circuit->digest, STORE_DIGEST_BYTES) == 0) {
        circuit_show(circuit, &old, l->folder);
        goto out;
    }
    if (found && !c->replace) {
        c->answer.status = err_set(&c->answer.err, CUZK_E_INPUT, "circuit %s is there with another key", circuit->name);
        goto out;
    }
    if (found)
        circuit_frees(c, &old);
    fresh.circuit.added_ms = l->now_ms;
    memcpy(fresh.file, c->file.name, sizeof fresh.file);
    TRY(rows_circuit_put(l->rows, &fresh, err));
    c->file_used = circuit->owned;
    c->answer.changed = true;
    circuit_show(circuit, &fresh, l->folder);
out:
    return st;
}

static cuzk_status apply_circuit_remove(struct ledger *l, struct change *c, struct cuzk_err *err)
{
    struct circuit_row old;
    cuzk_status        st;
    bool               found;

    TRY(rows_circuit_get(l->rows, &old, &found, c->circuit->name, err));
    if (!found) {
        c->answer.status = err_set(&c->answer.err, CUZK_E_NOT_FOUND, "there is no circuit %s", c->circuit->name);
        goto out;
    }
    circuit_frees(c, &old);
    TRY(rows_circuit_drop(l->rows, c->circuit->name, err));
    c->answer.changed = true;
out:
    return st;
}

/* ---- all ---- */

static cuzk_status apply_nothing(struct ledger *l, struct change *c, struct cuzk_err *err)
{
    (void)l;
    (void)c;
    (void)err;
    return CUZK_OK;
}

cuzk_status change_apply(struct ledger *l, struct change *c, struct cuzk_err *err)
{
    static cuzk_status (*const apply[CHANGE_KIND_COUNT])(struct ledger *, struct change *, struct cuzk_err *) = {
        [CHANGE_SUBMIT] = apply_submit,
        [CHANGE_RUNNING] = apply_running,
        [CHANGE_PART] = apply_part,
        [CHANGE_FINISH] = apply_finish,
        [CHANGE_CANCEL] = apply_cancel,
        [CHANGE_EXPIRE] = apply_expire,
        [CHANGE_CIRCUIT_ADD] = apply_circuit_add,
        [CHANGE_CIRCUIT_REMOVE] = apply_circuit_remove,
        [CHANGE_START] = apply_nothing,
        [CHANGE_CHECK] = apply_nothing,
        [CHANGE_CLOSE] = apply_nothing,
    };

    return apply[c->kind](l, c, err);
}
