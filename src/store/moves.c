/* store/moves.c - the table of moves. */
#include "store/moves.h"

#include <string.h>

#include "base/check.h"

const char *const job_state_name[JOB_STATE_COUNT] = {
    [JOB_ACCEPTED] = "accepted", [JOB_RUNNING] = "running",     [JOB_DONE] = "done",
    [JOB_FAILED] = "failed",     [JOB_CANCELLED] = "cancelled", [JOB_SUPERSEDED] = "superseded",
};

const char *const job_priority_name[PRIORITY_COUNT] = {
    [PRIORITY_LOW] = "low",
    [PRIORITY_NORMAL] = "normal",
    [PRIORITY_HIGH] = "high",
    [PRIORITY_CRITICAL] = "critical",
};

#define TO(state) (1u << (state))

/* A job that is cancelled or superseded may not have started.  What is not here is final. */
static const uint32_t moves[JOB_STATE_COUNT] = {
    [JOB_ACCEPTED] = TO(JOB_RUNNING) | TO(JOB_CANCELLED) | TO(JOB_SUPERSEDED),
    [JOB_RUNNING] = TO(JOB_DONE) | TO(JOB_FAILED) | TO(JOB_CANCELLED) | TO(JOB_SUPERSEDED),
};

bool job_is_final(enum job_state state)
{
    return moves[state] == 0;
}

bool job_may_move(enum job_state from, enum job_state to)
{
    return (moves[from] & TO(to)) != 0;
}

bool job_move(struct store_job *job, enum job_state to, int64_t now_ms)
{
    if (!job_may_move(job->state, to))
        return false;
    if (now_ms < job->submitted_ms) /* the clock was set back: times of a job still rise */
        now_ms = job->submitted_ms;
    if (now_ms < job->started_ms)
        now_ms = job->started_ms;
    if (to == JOB_RUNNING)
        job->started_ms = now_ms;
    if (job_is_final(to))
        job->finished_ms = now_ms;
    job->state = to;
    cuzk_check(job_is_sound(job));
    return true;
}

static bool status_is_known(cuzk_status status)
{
    return status == CUZK_E_BUG || strcmp(cuzk_status_name(status), cuzk_status_name(CUZK_E_BUG)) != 0;
}

static bool times_are_sound(const struct store_job *job)
{
    if (job->submitted_ms <= 0 || job->started_ms < 0 || job->finished_ms < 0 || job->deadline_ms < 0)
        return false;
    if (job->started_ms && job->started_ms < job->submitted_ms)
        return false;
    if (job->finished_ms && (job->finished_ms < job->submitted_ms || job->finished_ms < job->started_ms))
        return false;
    return (job->finished_ms != 0) == job_is_final(job->state);
}

bool job_is_sound(const struct store_job *job)
{
    bool started = job->started_ms != 0;

    if ((uint32_t)job->state >= JOB_STATE_COUNT || (uint32_t)job->priority >= PRIORITY_COUNT || !job->id[0] ||
        job->parts == 0 || job->parts_done > job->parts || !status_is_known(job->error) || !times_are_sound(job) ||
        (job->error != CUZK_OK) != (job->state == JOB_FAILED))
        return false;
    switch (job->state) {
    case JOB_ACCEPTED: return !started;
    case JOB_RUNNING:
    case JOB_FAILED:   return started;
    case JOB_DONE:     return started && job->parts_done == job->parts;
    default:           return true;
    }
}
