/* tests/unit/store_test.h - a store in a folder of its own, and changes that wait for their answer. */
#ifndef CUZK_TESTS_STORE_TEST_H
#define CUZK_TESTS_STORE_TEST_H

#include <dirent.h>
#include <ftw.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/store.h"

#define DELIVERED_MAX 64

/* What a test sees of its store; the fake clock moves only when told. */
struct bench {
    char                dir[64], path[80];
    struct store_config config;
    struct store       *store;
    _Atomic int64_t     now_ms;
    struct store_job    delivered[DELIVERED_MAX]; /* read it after an answer, or when the store is closed */
    _Atomic uint32_t    delivered_count;
};

struct reply {
    pthread_mutex_t     lock;
    pthread_cond_t      wake;
    bool                here;
    struct store_answer answer;
};
#define REPLY                                                               \
    {                                                                       \
        .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER \
    }

static inline void reply_set(void *context, const struct store_answer *answer)
{
    struct reply *r = context;

    pthread_mutex_lock(&r->lock);
    r->answer = *answer;
    r->here = true;
    pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&r->lock);
}

static inline struct store_answer reply_wait(struct reply *r)
{
    pthread_mutex_lock(&r->lock);
    while (!r->here)
        pthread_cond_wait(&r->wake, &r->lock);
    pthread_mutex_unlock(&r->lock);
    return r->answer;
}

static inline int64_t bench_now(void *context)
{
    struct bench *b = context;

    return atomic_load(&b->now_ms);
}

static inline void bench_deliver(void *context, const struct store_job *job)
{
    struct bench *b = context;
    uint32_t      n = atomic_load(&b->delivered_count);

    if (n < DELIVERED_MAX)
        b->delivered[n] = *job;
    atomic_store(&b->delivered_count, n + 1);
}

static inline int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

static inline void bench_remove(struct bench *b)
{
    if (b->store)
        store_close(b->store);
    b->store = NULL;
    (void)nftw(b->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A folder that does not exist yet, in one that does, in `in`. */
static inline bool bench_make_in(struct bench *b, const char *in)
{
    memset(b, 0, sizeof *b);
    (void)snprintf(b->dir, sizeof b->dir, "%s/cuzk-test-store-XXXXXX", in);
    if (!mkdtemp(b->dir))
        return false;
    (void)snprintf(b->path, sizeof b->path, "%s/state", b->dir);
    b->now_ms = 1000000;
    b->config = (struct store_config){ .dir = b->path, .deliver = bench_deliver, .context = b, .now_ms = bench_now };
    return true;
}

static inline bool bench_make(struct bench *b) { return bench_make_in(b, "/tmp"); }

static inline cuzk_status bench_open(struct bench *b, struct cuzk_err *err)
{
    return store_open(&b->store, &b->config, err);
}

static inline void bench_close(struct bench *b)
{
    store_close(b->store);
    b->store = NULL;
}

/* Closed and opened again: what is asked now comes from the disk. */
static inline void bench_reopen(struct bench *b)
{
    struct cuzk_err err;

    bench_close(b);
    atomic_store(&b->delivered_count, 0);
    if (bench_open(b, &err) != CUZK_OK)
        fail_msg("open again: %s", err.text);
}

/* Whatever a test did, the store is sound, and sound when it is opened again. */
static inline bool bench_end(struct bench *b)
{
    struct cuzk_err err = { .status = CUZK_OK };
    bool            sound = true;

    for (int i = 0; i < 2 && sound; i++) {
        sound = (b->store || bench_open(b, &err) == CUZK_OK) && store_check(b->store, &err) == CUZK_OK;
        if (b->store)
            bench_close(b);
    }
    if (!sound)
        print_error("%s\n", err.text);
    bench_remove(b);
    return sound;
}

/* Files in a place of the folder; -1 if it cannot be read. */
static inline int bench_files(const struct bench *b, const char *place)
{
    char           path[128];
    struct dirent *entry;
    int            count = 0;
    DIR           *d;

    (void)snprintf(path, sizeof path, "%s/%s", b->path, place);
    d = opendir(path);
    if (!d)
        return -1;
    while ((entry = readdir(d)))
        count += entry->d_name[0] != '.';
    (void)closedir(d);
    return count;
}

/* A request as most tests make it; the payload is what differs. */
static inline struct store_request request_for(const char *request_id)
{
    return (struct store_request){ .tenant = "tenant",
                                   .request_id = request_id,
                                   .kind = "circuit",
                                   .circuit = "multiplier",
                                   .priority = PRIORITY_NORMAL,
                                   .parts = 1 };
}

static inline struct store_answer submit(struct store *s, const struct store_request *request, const void *data,
                                         size_t bytes)
{
    struct reply          r = REPLY;
    struct store_payload *p;
    struct store_answer   failed = { .attached = false };

    failed.status = store_payload_begin(&p, s, &failed.err);
    if (failed.status != CUZK_OK)
        return failed;
    if (store_payload_write(p, data, bytes, NULL) != CUZK_OK)
        (void)0; /* the submit says so */
    store_submit(s, &p, request, reply_set, &r);
    return reply_wait(&r);
}

static inline struct store_answer submit_text(struct store *s, const char *request_id, const char *text)
{
    struct store_request request = request_for(request_id);

    return submit(s, &request, text, strlen(text));
}

static inline struct store_answer running(struct store *s, const char *id)
{
    struct reply r = REPLY;

    store_running(s, id, reply_set, &r);
    return reply_wait(&r);
}

static inline struct store_answer part(struct store *s, const char *id, uint32_t index, const char *proof)
{
    struct reply r = REPLY;

    store_part(s, id, index, proof, strlen(proof), reply_set, &r);
    return reply_wait(&r);
}

static inline struct store_answer done(struct store *s, const char *id, const char *result)
{
    struct reply         r = REPLY;
    struct store_outcome outcome = { .state = JOB_DONE,
                                     .result = result,
                                     .result_bytes = strlen(result),
                                     .synth_ns = 1,
                                     .device_ns = 2,
                                     .finish_ns = 3 };

    store_finish(s, id, &outcome, reply_set, &r);
    return reply_wait(&r);
}

static inline struct store_answer failed(struct store *s, const char *id, const char *text)
{
    struct reply         r = REPLY;
    struct store_outcome outcome = { .state = JOB_FAILED, .error = CUZK_E_UNSATISFIED, .error_text = text };

    store_finish(s, id, &outcome, reply_set, &r);
    return reply_wait(&r);
}

static inline struct store_answer cancel(struct store *s, const char *id, const char *reason)
{
    struct reply r = REPLY;

    store_cancel(s, id, reason, reply_set, &r);
    return reply_wait(&r);
}

static inline struct store_answer expire_now(struct store *s)
{
    struct reply r = REPLY;

    store_expire(s, reply_set, &r);
    return reply_wait(&r);
}

#endif
