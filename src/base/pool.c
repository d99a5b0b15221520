/* base/pool.c - a fixed set of threads; workers: run pool_run's loop; caller: one at a time.
 *
 * Each worker has one word, its state, and looks at the job only while that word is WORKING:
 *
 *   IDLE --worker, after a short spin--> SLEEPING
 *   IDLE, SLEEPING --pool_run--> WORKING --worker, no task left--> IDLE
 *   IDLE, SLEEPING --pool_close--> QUITTING
 *
 * A run signals only as many workers as it has tasks for, and waits until each of those is IDLE again.  Tasks are
 * claimed one by one from a counter, so uneven tasks spread evenly. */
#define _GNU_SOURCE 1 /* CPU_ALLOC, CPU_COUNT_S */

#include "base/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"

#define POOL_THREADS_MAX 4096
#define SPINS            256 /* about 10 us: longer than the gap between two loops of one computation */
#define CACHE_LINE       64

enum worker_state { IDLE, SLEEPING, WORKING, QUITTING };

struct worker {
    _Alignas(CACHE_LINE) _Atomic uint32_t state;
    struct pool *pool;
    size_t       index;
    pthread_t    thread;
};

struct pool {
    size_t threads;
    size_t started; /* workers with a thread, from 1 on */

    /* The job: written by pool_run while no worker is WORKING. */
    size_t tasks;
    void (*work)(void *context, size_t task, size_t worker);
    void  *context;

    _Alignas(CACHE_LINE) _Atomic size_t next;     /* task to claim */
    _Alignas(CACHE_LINE) _Atomic uint32_t active; /* workers still WORKING */
    _Atomic uint32_t running;                     /* a pool_run is on */

    struct worker worker[]; /* [0] is the caller */
};

static void futex_wait(_Atomic uint32_t *word, uint32_t value)
{
    (void)syscall(SYS_futex, (uint32_t *)word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wake_all(_Atomic uint32_t *word)
{
    (void)syscall(SYS_futex, (uint32_t *)word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

static void cpu_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void run_tasks(struct pool *pool, size_t worker)
{
    for (;;) {
        size_t task = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);

        if (task >= pool->tasks)
            return;
        pool->work(pool->context, task, worker);
    }
}

/* WORKING or QUITTING. */
static uint32_t worker_await(struct worker *w)
{
    for (int i = 0; i < SPINS; i++) {
        uint32_t state = atomic_load_explicit(&w->state, memory_order_acquire);

        if (state >= WORKING)
            return state;
        cpu_relax();
    }
    for (;;) {
        uint32_t state = IDLE;

        if (!atomic_compare_exchange_strong(&w->state, &state, SLEEPING) && state >= WORKING)
            return state;
        futex_wait(&w->state, SLEEPING);
    }
}

static void *worker_main(void *argument)
{
    struct worker *w = argument;
    struct pool   *pool = w->pool;

    while (worker_await(w) == WORKING) {
        run_tasks(pool, w->index);
        atomic_store_explicit(&w->state, IDLE, memory_order_relaxed); /* before the run can end and the next begin */
        if (atomic_fetch_sub_explicit(&pool->active, 1, memory_order_acq_rel) == 1)
            futex_wake_all(&pool->active);
    }
    return NULL;
}

static void worker_signal(struct worker *w, uint32_t state)
{
    if (atomic_exchange_explicit(&w->state, state, memory_order_acq_rel) == SLEEPING)
        futex_wake_all(&w->state);
}

static void await_workers(struct pool *pool)
{
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&pool->active, memory_order_acquire) == 0)
            return;
        cpu_relax();
    }
    for (;;) {
        uint32_t active = atomic_load_explicit(&pool->active, memory_order_acquire);

        if (active == 0)
            return;
        futex_wait(&pool->active, active);
    }
}

void pool_run(struct pool *pool, size_t tasks, void (*work)(void *context, size_t task, size_t worker), void *context)
{
    size_t helpers;

    if (!pool || pool->threads == 1 || tasks <= 1) {
        for (size_t task = 0; task < tasks; task++)
            work(context, task, 0);
        return;
    }
    cuzk_check(atomic_exchange(&pool->running, 1) == 0);
    helpers = tasks < pool->threads ? tasks - 1 : pool->threads - 1;
    pool->tasks = tasks;
    pool->work = work;
    pool->context = context;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->active, (uint32_t)helpers, memory_order_relaxed);
    for (size_t i = 1; i <= helpers; i++)
        worker_signal(&pool->worker[i], WORKING);
    run_tasks(pool, 0);
    await_workers(pool);
    atomic_store(&pool->running, 0);
}

size_t pool_threads(const struct pool *pool)
{
    return pool ? pool->threads : 1;
}

/* CPUs in this thread's mask; 1 if the kernel does not say. */
static size_t cpus_allowed(void)
{
    for (size_t count = 1024; count <= (size_t)1 << 20; count *= 4) {
        cpu_set_t *set = CPU_ALLOC(count);
        size_t     bytes = CPU_ALLOC_SIZE(count);
        int        cpus = 0, failed, reason;

        if (!set)
            return 1;
        failed = sched_getaffinity(0, bytes, set);
        reason = errno;
        if (!failed)
            cpus = CPU_COUNT_S(bytes, set);
        CPU_FREE(set);
        if (!failed)
            return cpus > 0 ? (size_t)cpus : 1;
        if (reason != EINVAL) /* EINVAL: the kernel's mask is larger than ours */
            return 1;
    }
    return 1;
}

/* A small text file, cut at out_bytes - 1; false if it cannot be read. */
static bool read_small(char *out, size_t out_bytes, const char *path)
{
    int     fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n;

    if (fd < 0)
        return false;
    n = read(fd, out, out_bytes - 1);
    (void)close(fd);
    if (n < 0)
        return false;
    out[n] = '\0';
    return true;
}

/* CPUs' worth of time in one cpu.max ("max 100000" or "150000 100000"), rounded up; SIZE_MAX: no limit. */
static size_t cpu_max_of(const char *folder)
{
    char               path[4096 + 64], text[128];
    unsigned long long quota, period;
    int                n = snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", folder);

    if (n < 0 || (size_t)n >= sizeof path || !read_small(text, sizeof text, path) ||
        sscanf(text, "%llu %llu", &quota, &period) != 2 || period == 0)
        return SIZE_MAX;
    return (size_t)(quota / period + (quota % period != 0));
}

/* The least limit from our cgroup (version 2) up to the root. */
static size_t cpus_of_cgroup(void)
{
    char   text[4096], *folder, *end;
    size_t limit = SIZE_MAX;

    if (!read_small(text, sizeof text, "/proc/self/cgroup"))
        return limit;
    folder = strncmp(text, "0::", 3) == 0 ? text : strstr(text, "\n0::");
    if (!folder)
        return limit;
    folder = strchr(folder, '/');
    if (!folder)
        return limit;
    end = strchr(folder, '\n');
    if (end)
        *end = '\0';
    for (;;) {
        size_t here = cpu_max_of(folder);
        char  *slash = strrchr(folder, '/');

        limit = here < limit ? here : limit;
        if (!slash)
            return limit > 0 ? limit : 1;
        *slash = '\0'; /* "" is the root */
    }
}

static size_t threads_default(void)
{
    size_t cpus = cpus_allowed(), limit = cpus_of_cgroup();

    return limit < cpus ? limit : cpus;
}

/* Workers leave signals to the thread that made them, save those a fault raises in the worker itself: a blocked SIGBUS
 * would end the process without file_map_guard's word. */
static int worker_start(struct worker *w)
{
    sigset_t blocked, before;
    int      reason;

    (void)sigfillset(&blocked);
    (void)sigdelset(&blocked, SIGBUS);
    (void)sigdelset(&blocked, SIGSEGV);
    (void)sigdelset(&blocked, SIGFPE);
    (void)sigdelset(&blocked, SIGILL);
    (void)sigdelset(&blocked, SIGABRT);
    (void)sigdelset(&blocked, SIGTRAP);
    (void)pthread_sigmask(SIG_SETMASK, &blocked, &before);
    reason = pthread_create(&w->thread, NULL, worker_main, w);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason;
}

cuzk_status pool_open(struct pool **out, size_t threads, struct cuzk_err *err)
{
    cuzk_status  st = CUZK_OK;
    struct pool *pool = NULL;

    *out = NULL;
    if (threads == 0)
        threads = threads_default();
    if (threads > POOL_THREADS_MAX)
        FAIL(CUZK_E_USAGE, "%zu threads, at most %d", threads, POOL_THREADS_MAX);
    pool = mem_new(1, sizeof *pool + threads * sizeof pool->worker[0]);
    if (!pool)
        FAIL(CUZK_E_IO, "no memory for %zu threads", threads);
    pool->threads = threads;
    pool->started = 1;
    for (size_t i = 1; i < threads; i++) {
        struct worker *w = &pool->worker[i];
        int            reason;

        w->pool = pool;
        w->index = i;
        reason = worker_start(w);
        if (reason)
            FAIL(CUZK_E_IO, "thread %zu of %zu does not start: %s", i + 1, threads, strerror(reason));
        pool->started = i + 1;
    }
    *out = pool;
    pool = NULL;
out:
    pool_close(pool);
    return st;
}

void pool_close(struct pool *pool)
{
    if (!pool)
        return;
    for (size_t i = 1; i < pool->started; i++)
        worker_signal(&pool->worker[i], QUITTING);
    for (size_t i = 1; i < pool->started; i++)
        (void)pthread_join(pool->worker[i].thread, NULL);
    mem_free(pool);
}
