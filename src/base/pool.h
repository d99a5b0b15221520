/* base/pool.h - a fixed set of threads that run one loop at a time. */
#ifndef CUZK_BASE_POOL_H
#define CUZK_BASE_POOL_H

#include <stddef.h>

#include "base/err.h"

struct pool;

/* threads counts the caller, which works too; 1 makes no thread.  0: one a CPU that this process may run on. */
cuzk_status pool_open(struct pool **out, size_t threads, struct cuzk_err *err);
void        pool_close(struct pool *pool); /* NULL is nothing */
size_t      pool_threads(const struct pool *pool);

/* Calls work(context, task, worker) for each task in [0, tasks), in any order, spread over the threads; worker is in
 * [0, pool_threads()), no two calls run with the same worker at once.  Returns when all are done.  One thread at a
 * time may run a pool; work must not call pool_run on the same pool.  pool == NULL runs all here as worker 0. */
void pool_run(struct pool *pool, size_t tasks, void (*work)(void *context, size_t task, size_t worker), void *context);

#endif
