/* store/moves.h - what a job may become, and the laws of each state; the same for every engine. */
#ifndef CUZK_STORE_MOVES_H
#define CUZK_STORE_MOVES_H

#include "store/store.h"

bool job_is_final(enum job_state state);
bool job_may_move(enum job_state from, enum job_state to);

/* The only function that changes a state.  False, and nothing changes, if the move is not in the table.  Sets
 * started_ms and finished_ms; error and parts_done are set before, as the new state wants them: checked. */
bool job_move(struct store_job *job, enum job_state to, int64_t now_ms);

/* The laws that a row must obey, whoever wrote it: values in range, times and error as its state wants them. */
bool job_is_sound(const struct store_job *job);

#endif
