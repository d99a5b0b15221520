/* tests/crash/store_kill.c - kill -9 at random moments: store_kill [rounds [seed]]; prints TAP
 *
 * A writer opens the store, submits and finishes jobs as fast as it can, and says through a pipe what was answered.  It
 * is killed, the store opened again and compared with what was said: no acknowledged job, part, result or cancel is
 * lost, no job has a second result, no request a second job, store_check is clean.  The folder lives through all
 * rounds. */
#define _GNU_SOURCE 1

#include <ftw.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "store/store.h"

#define ROUNDS      200
#define LIFE_US_MAX 30000
#define JOBS_MAX    ((size_t)1 << 20)
#define SUBMITTERS  2
#define FLIGHT_MAX  16 /* submits of one thread that wait for their answer */
#define PAYLOAD_MAX 5000
#define ID_BYTES    40
#define FULL_EVERY  50 /* rounds; all jobs are looked at, not only those of the round */

enum said { SAID_SUBMITTED, SAID_PART, SAID_DONE, SAID_CANCELLED };

/* One write of less than PIPE_BUF: whole or not at all. */
struct word {
    enum said said;
    char      id[ID_BYTES];
    uint64_t  number; /* of the request; SAID_DONE: the result */
};

/* What is known of the job of a request. */
struct known {
    char     id[ID_BYTES];
    uint64_t result;
    bool     part, has_result, cancelled;
    bool     settled; /* found final since it was last spoken of */
};

static char            folder[] = "/tmp/cuzk-store-kill-XXXXXX", path[64];
static struct known   *known; /* by number */
static _Atomic size_t *next;  /* number; shared with the writer, so that none is used for two contents */
static int             pipe_in = -1;
static uint64_t        seed;

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static _Noreturn void fail(const char *what, const char *id)
{
    printf("not ok 1 - %s%s%s (seed %" PRIu64 ", folder %s)\n", what, id ? ": job " : "", id ? id : "", seed, folder);
    exit(1);
}

/* ---- the writer: one life ---- */

static struct store  *store;
static _Atomic size_t flight[SUBMITTERS];

static void say(enum said said, const struct store_answer *a, uint64_t number)
{
    struct word word = { .said = said, .number = number };

    (void)snprintf(word.id, sizeof word.id, "%.39s", a->job.id);
    if (write(pipe_in, &word, sizeof word) != sizeof word)
        _exit(2);
}

static void on_part(void *context, const struct store_answer *a)
{
    (void)context;
    if (a->status == CUZK_OK && a->changed)
        say(SAID_PART, a, 0);
}

static void on_done(void *context, const struct store_answer *a)
{
    if (a->status == CUZK_OK && a->changed)
        say(SAID_DONE, a, (uint64_t)(uintptr_t)context);
}

static void on_cancelled(void *context, const struct store_answer *a)
{
    (void)context;
    if (a->status == CUZK_OK && a->changed)
        say(SAID_CANCELLED, a, 0);
}

/* Proves at once; a job in eight is cancelled, one in eight is left for the next life.  Each is finished twice. */
static void on_deliver(void *context, const struct store_job *job)
{
    (void)context;
    store_running(store, job->id, NULL, NULL);
    store_part(store, job->id, 0, "part", 4, on_part, NULL);
    if (job->content[0] % 8 == 0) {
        store_cancel(store, job->id, "a test", on_cancelled, NULL);
    } else if (job->content[0] % 8 != 1 || job->state == JOB_RUNNING) {
        for (int i = 0; i < 2; i++) {
            uint64_t             result;
            struct store_outcome outcome = { .state = JOB_DONE, .result = &result, .result_bytes = sizeof result };

            random_bytes(&result, sizeof result);
            result >>= 8;
            store_finish(store, job->id, &outcome, on_done, (void *)(uintptr_t)result);
        }
    }
}

struct sent {
    uint64_t number;
    size_t   submitter;
};

static void on_submitted(void *context, const struct store_answer *a)
{
    struct sent *sent = context;

    if (a->status == CUZK_OK)
        say(SAID_SUBMITTED, a, sent->number);
    atomic_fetch_sub(&flight[sent->submitter], 1);
    mem_free(sent);
}

static void send_one(uint64_t number, size_t submitter)
{
    struct store_request  request = { .tenant = "t", .kind = "k", .parts = 2 };
    struct store_payload *payload;
    struct sent          *sent = mem_new(1, sizeof *sent);
    char                  id[32], bytes[PAYLOAD_MAX];

    if (!sent || store_payload_begin(&payload, store, NULL) != CUZK_OK)
        _exit(3);
    *sent = (struct sent){ number, submitter };
    memset(bytes, (int)(number % 251), sizeof bytes);
    memcpy(bytes, &number, sizeof number);
    if (store_payload_write(payload, bytes, 8 + number * 7919 % (PAYLOAD_MAX - 8), NULL) != CUZK_OK)
        _exit(3);
    (void)snprintf(id, sizeof id, "n-%" PRIu64, number);
    request.request_id = id;
    store_submit(store, &payload, &request, on_submitted, sent);
}

/* One in four is a request that was made before. */
static void *submitter_main(void *context)
{
    size_t   index = (size_t)(uintptr_t)context;
    uint64_t state;

    random_bytes(&state, sizeof state);
    state |= 1;
    for (;;) {
        size_t number = random_next(&state) % 4 ? atomic_fetch_add(next, 1) : 0;

        if (number >= JOBS_MAX)
            _exit(3);
        if (number == 0)
            number = 1 + random_next(&state) % atomic_load(next);
        if (number >= atomic_load(next))
            continue;
        while (atomic_load(&flight[index]) >= FLIGHT_MAX)
            (void)usleep(50);
        atomic_fetch_add(&flight[index], 1);
        send_one(number, index);
    }
    return NULL;
}

static void write_until_killed(void)
{
    struct store_config config = { .dir = path, .deliver = on_deliver };
    struct cuzk_err     err;
    pthread_t           thread;

    if (store_open(&store, &config, &err) != CUZK_OK || store_start(store, &err) != CUZK_OK) {
        fprintf(stderr, "# the writer: %s\n", err.text);
        _exit(4);
    }
    for (size_t i = 0; i < SUBMITTERS; i++)
        if (pthread_create(&thread, NULL, submitter_main, (void *)(uintptr_t)i) != 0)
            _exit(4);
    for (;;)
        (void)pause();
}

/* ---- what was said ---- */

/* The number of the request whose job has this id, 0 if it is not known: open addressing by a hash. */
static size_t *slot_of(const char *id)
{
    static size_t *table;
    uint64_t       hash = 1469598103934665603u;

    if (!table)
        table = mem_new(2 * JOBS_MAX, sizeof *table);
    if (!table)
        fail("no memory", NULL);
    for (const char *c = id; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    while (table[hash % (2 * JOBS_MAX)] && strcmp(known[table[hash % (2 * JOBS_MAX)]].id, id) != 0)
        hash++;
    return &table[hash % (2 * JOBS_MAX)];
}

static void hear(const struct word *word)
{
    size_t       *slot = slot_of(word->id);
    struct known *k;

    if (word->said == SAID_SUBMITTED) {
        k = &known[word->number];
        k->settled = false;
        if (!k->id[0] || (k->cancelled && strcmp(k->id, word->id) != 0)) { /* cancelled: a new job was made */
            *k = (struct known){ .result = 0 };
            memcpy(k->id, word->id, sizeof k->id);
            *slot_of(word->id) = word->number;
        } else if (strcmp(k->id, word->id) != 0) {
            fail("a request has two jobs", word->id);
        }
        return;
    }
    if (*slot == 0)
        return; /* finished in a later life, its submit was never heard of */
    k = &known[*slot];
    k->settled = false;
    if (word->said == SAID_PART)
        k->part = true;
    else if (word->said == SAID_CANCELLED)
        k->cancelled = true;
    else if (k->has_result && k->result != word->number)
        fail("a job has two results", word->id);
    else {
        k->has_result = true;
        k->result = word->number;
    }
}

/* Until the writer is to be killed, and then what the pipe still holds.  Its life counts from its start, so that
 * opening is hit too, or from its first word. */
static void listen_to(int pipe_out, pid_t writer, uint64_t life_ns, bool from_first_word)
{
    uint64_t    kill_ns = from_first_word ? UINT64_MAX : now_ns() + life_ns;
    struct word word;
    bool        killed = false;

    for (;;) {
        uint64_t      now = now_ns();
        struct pollfd p = { .fd = pipe_out, .events = POLLIN };

        if (!killed && now >= kill_ns) {
            (void)kill(writer, SIGKILL);
            killed = true;
        }
        if (poll(&p, 1, killed || kill_ns == UINT64_MAX ? -1 : (int)((kill_ns - now) / 1000000 + 1)) < 0)
            fail("poll", NULL);
        if (p.revents & POLLIN) {
            if (read(pipe_out, &word, sizeof word) != sizeof word)
                fail("half a word in the pipe", NULL);
            hear(&word);
            if (kill_ns == UINT64_MAX)
                kill_ns = now_ns() + life_ns;
        } else if (p.revents & POLLHUP) {
            return;
        }
    }
}

/* ---- what is there ---- */

static void see_part(void *context, uint32_t part, const void *proof, size_t bytes)
{
    bool *seen = context;

    *seen = part == 0 && bytes == 4 && memcmp(proof, "part", 4) == 0;
}

static void check_one(struct known *k)
{
    struct store_job job;
    uint8_t         *result;
    uint64_t         value;
    size_t           bytes;
    bool             part = false;

    if (store_get(store, k->id, &job, NULL) != CUZK_OK)
        fail("an accepted job is lost", k->id);
    if (job.state == JOB_FAILED || job.state == JOB_SUPERSEDED)
        fail("a job is in a state that nobody asked for", k->id);
    if (k->has_result && job.state != JOB_DONE)
        fail("a job that was done is not", k->id);
    if (k->cancelled && job.state != JOB_CANCELLED)
        fail("a job that was cancelled is not", k->id);
    k->settled = job.state >= JOB_DONE;
    k->cancelled = job.state == JOB_CANCELLED; /* also if the answer was not heard */
    if (job.state == JOB_DONE) {
        if (store_result(store, k->id, &result, &bytes, NULL) != CUZK_OK || bytes != sizeof value)
            fail("a result is lost", k->id);
        memcpy(&value, result, sizeof value);
        mem_free(result);
        if (k->has_result && k->result != value)
            fail("a result has changed", k->id);
        k->has_result = true;
        k->result = value;
    }
    if (k->part && job.state < JOB_DONE && (store_parts(store, k->id, see_part, &part, NULL) != CUZK_OK || !part))
        fail("a part is lost", k->id);
}

static void check_all(bool settled_too)
{
    struct store_config config = { .dir = path };
    struct cuzk_err     err;

    if (store_open(&store, &config, &err) != CUZK_OK || store_check(store, &err) != CUZK_OK)
        fail(err.text, NULL);
    for (size_t i = 1; i < atomic_load(next); i++)
        if (known[i].id[0] && (settled_too || !known[i].settled))
            check_one(&known[i]);
    store_close(store);
}

static void one_round(uint64_t *state, bool full)
{
    uint64_t life_ns = random_next(state) % LIFE_US_MAX * 1000;
    int      ends[2], status;
    pid_t    writer;

    if (pipe(ends) != 0 || (writer = fork()) < 0)
        fail("fork", NULL);
    if (writer == 0) {
        (void)close(ends[0]);
        pipe_in = ends[1];
        write_until_killed();
    }
    (void)close(ends[1]);
    listen_to(ends[0], writer, life_ns, random_next(state) % 4 != 0);
    (void)close(ends[0]);
    if (waitpid(writer, &status, 0) != writer || !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
        fail("the writer ended by itself", NULL);
    check_all(full);
}

static int remove_one(const char *name, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(name);
}

int main(int argc, char **argv)
{
    size_t   rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : ROUNDS, accepted = 0, finished = 0;
    uint64_t state;

    random_bytes(&seed, sizeof seed);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 10);
    state = seed | 1;
    printf("1..1\n# seed %" PRIu64 "\n", seed);
    known = mem_new(JOBS_MAX, sizeof *known);
    next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!known || next == MAP_FAILED || !mkdtemp(folder))
        fail("no memory or folder", NULL);
    atomic_store(next, 1);
    (void)snprintf(path, sizeof path, "%s/state", folder);
    (void)fflush(stdout);
    for (size_t i = 1; i <= rounds; i++)
        one_round(&state, i % FULL_EVERY == 0 || i == rounds);
    for (size_t i = 1; i < atomic_load(next); i++) {
        accepted += known[i].id[0] != '\0';
        finished += known[i].has_result;
    }
    (void)nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    printf("ok 1 - %zu kills, %zu jobs accepted, %zu with a result: none lost, none doubled\n", rounds, accepted,
           finished);
    return 0;
}
