/* tests/unit/test_pool.c - every task once, no worker twice at once, runs back to back. */
#define _GNU_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/pool.h"

#define TASKS_MAX   1000
#define THREADS_MAX 9

struct record {
    _Atomic uint32_t done[TASKS_MAX];
    _Atomic uint32_t busy[THREADS_MAX];
    _Atomic uint32_t faults;
    size_t           threads;
};

static void record_task(void *context, size_t task, size_t worker)
{
    struct record *r = context;

    if (worker >= r->threads || task >= TASKS_MAX) {
        r->faults++;
        return;
    }
    r->faults += atomic_exchange(&r->busy[worker], 1);
    r->done[task]++;
    if (task % 64 == 0)
        sched_yield();
    atomic_store(&r->busy[worker], 0);
}

static void every_task_runs_once_for_every_thread_and_task_count(void **state)
{
    static const size_t counts[] = { 0, 1, 2, 3, 8, 9, 10, 100, TASKS_MAX };
    struct record      *r = mem_new(1, sizeof *r);

    (void)state;
    assert_non_null(r);
    for (size_t threads = 1; threads <= THREADS_MAX; threads++) {
        struct pool *pool;

        assert_int_equal(pool_open(&pool, threads, NULL), CUZK_OK);
        assert_int_equal(pool_threads(pool), threads);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            memset(r, 0, sizeof *r);
            r->threads = threads;
            pool_run(pool, counts[i], record_task, r);
            assert_int_equal(r->faults, 0);
            for (size_t task = 0; task < TASKS_MAX; task++)
                assert_int_equal(r->done[task], task < counts[i]);
        }
        pool_close(pool);
    }
    mem_free(r);
}

static void add_task(void *context, size_t task, size_t worker)
{
    uint64_t *sums = context;

    sums[worker * 8] += task; /* no atomic: the pool must order runs, and workers have their own */
}

static void thousands_of_short_runs_lose_nothing(void **state)
{
    uint64_t     sums[4 * 8] = { 0 }, total = 0;
    struct pool *pool;

    (void)state;
    assert_int_equal(pool_open(&pool, 4, NULL), CUZK_OK);
    for (int run = 0; run < 5000; run++) {
        pool_run(pool, 5, add_task, sums);
        if (run % 500 == 0)
            (void)usleep(2000); /* lets the workers fall asleep */
    }
    for (size_t i = 0; i < 4; i++)
        total += sums[i * 8];
    assert_int_equal(total, 5000 * 10);
    pool_close(pool);
}

static void no_pool_runs_here(void **state)
{
    uint64_t sum[8] = { 0 };

    (void)state;
    assert_int_equal(pool_threads(NULL), 1);
    pool_run(NULL, 4, add_task, sum);
    assert_int_equal(sum[0], 6);
    pool_close(NULL);
}

static void zero_threads_means_the_cpus_of_this_process(void **state)
{
    cpu_set_t    before, one;
    struct pool *pool;

    (void)state;
    assert_int_equal(pool_open(&pool, 0, NULL), CUZK_OK);
    assert_in_range(pool_threads(pool), 1, 4096);
    pool_close(pool);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &before)) {
            CPU_SET(i, &one);
            break;
        }
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(pool_open(&pool, 0, NULL), CUZK_OK);
    assert_int_equal(pool_threads(pool), 1);
    pool_close(pool);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

static void absurd_thread_counts_are_refused(void **state)
{
    struct cuzk_err err;
    struct pool    *pool;

    (void)state;
    assert_int_equal(pool_open(&pool, SIZE_MAX, &err), CUZK_E_USAGE);
    assert_null(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once_for_every_thread_and_task_count),
        cmocka_unit_test(thousands_of_short_runs_lose_nothing),
        cmocka_unit_test(no_pool_runs_here),
        cmocka_unit_test(zero_threads_means_the_cpus_of_this_process),
        cmocka_unit_test(absurd_thread_counts_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
