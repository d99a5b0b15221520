/* cli/progress.c - the progress line; its own thread writes it, since stages are single long calls. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli.h"

#define SHOW_AFTER_NS 1000000000u
#define TICK_NS       200000000u

/* lock protects all below and is held for one line of output at most. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  stopped;
static pthread_t       thread;
static bool            started, stopping, shown;
static uint64_t        start_ns;
static const char     *stage_now;
static double          share_now;

static void line_show(void)
{
    double seconds = (double)(now_ns() - start_ns) * 1e-9;

    if (share_now >= 0)
        fprintf(stderr, "\r\033[K%s: %.0f %%, %.0f s", stage_now, 100 * share_now, seconds);
    else
        fprintf(stderr, "\r\033[K%s, %.0f s", stage_now, seconds);
    fflush(stderr);
    shown = true;
}

static void *progress_main(void *argument)
{
    uint64_t next_ns = start_ns + SHOW_AFTER_NS;

    (void)argument;
    pthread_mutex_lock(&lock);
    while (!stopping) {
        struct timespec until = { .tv_sec = (time_t)(next_ns / 1000000000u), .tv_nsec = (long)(next_ns % 1000000000u) };

        if (pthread_cond_timedwait(&stopped, &lock, &until) == ETIMEDOUT) {
            if (stage_now)
                line_show();
            next_ns += TICK_NS;
        }
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

void progress_start(const struct cli *cli)
{
    pthread_condattr_t monotonic;

    if (cli->json || !isatty(STDERR_FILENO))
        return;
    start_ns = now_ns();
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&stopped, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    started = pthread_create(&thread, NULL, progress_main, NULL) == 0; /* without it there is no line: no harm */
}

void progress_stage(const char *stage, double share)
{
    if (!started)
        return;
    pthread_mutex_lock(&lock);
    stage_now = stage;
    share_now = share;
    pthread_mutex_unlock(&lock);
}

void progress_stop(void)
{
    if (!started)
        return;
    pthread_mutex_lock(&lock);
    stopping = true;
    pthread_cond_signal(&stopped);
    pthread_mutex_unlock(&lock);
    (void)pthread_join(thread, NULL);
    if (shown)
        fprintf(stderr, "\r\033[K");
    started = stopping = shown = false;
    stage_now = NULL;
}
