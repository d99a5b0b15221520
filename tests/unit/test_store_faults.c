/* tests/unit/test_store_faults.c - one scripted run in which the n-th call fails, for every n until none does: file and
 * SQLite calls of the store, allocations, SQLite's own reads, writes and syncs; and a disk that is full for a while.
 *
 * The run is a child process that writes each OK into shared memory; a second child opens the folder again and looks
 * for the effect of every one.  A run goes on after a failure, or ends at once as in a crash. */
#define _GNU_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "store_test.h"

#define JOBS_MAX    32
#define GROUP       8
#define BIG_BYTES   3000
#define CHILD_BAD   100 /* exit statuses */
#define CHILD_ENDED 101

/* What was acknowledged: shared with the children. */
struct acked {
    struct { char id[STORE_ID_BYTES]; int state; bool part; } job[JOBS_MAX]; /* state -1: in doubt */
    size_t jobs;
    int    circuit[2]; /* 1: there, 0: not there, -1: in doubt */
    bool   done;       /* the script came to its end */
    char   complaint[200];
};
static struct acked *acked;

static struct bench b;

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            (void)snprintf(acked->complaint, sizeof acked->complaint, "line %d: %s", __LINE__, #condition);            \
            _exit(CHILD_BAD);                                                                                          \
        }                                                                                                              \
    } while (0)

/* ---- SQLite's own files ---- */

static sqlite3_vfs               *real_vfs;
static const sqlite3_io_methods  *real_methods; /* of a database: what is called of it here, other files share */
static _Atomic uint64_t           vfs_calls;
static uint64_t                   vfs_fail_at;
static int                        vfs_fail_with; /* by a write; SQLITE_FULL: by each while disk_full */
static _Atomic bool               disk_full;

static bool vfs_fails(bool writes)
{
    uint64_t call = atomic_fetch_add(&vfs_calls, 1) + 1;

    if (vfs_fail_with == SQLITE_FULL)
        return writes && disk_full;
    if (call != vfs_fail_at)
        return false;
    fprintf(stderr, "planted failure\n");
    return true;
}

static int fail_read(sqlite3_file *f, void *data, int bytes, sqlite3_int64 at)
{
    return vfs_fails(false) ? SQLITE_IOERR_READ : real_methods->xRead(f, data, bytes, at);
}

static int fail_write(sqlite3_file *f, const void *data, int bytes, sqlite3_int64 at)
{
    if (!vfs_fails(true))
        return real_methods->xWrite(f, data, bytes, at);
    (void)real_methods->xWrite(f, data, bytes / 2, at); /* as far as it went */
    return vfs_fail_with;
}

static int fail_truncate(sqlite3_file *f, sqlite3_int64 bytes)
{
    return vfs_fails(false) ? SQLITE_IOERR_TRUNCATE : real_methods->xTruncate(f, bytes);
}

static int fail_sync(sqlite3_file *f, int flags)
{
    return vfs_fails(false) ? SQLITE_IOERR_FSYNC : real_methods->xSync(f, flags);
}

static int fail_map(sqlite3_file *f, int page, int bytes, int extend, void volatile **out)
{
    return vfs_fails(false) ? SQLITE_IOERR_SHMMAP : real_methods->xShmMap(f, page, bytes, extend, out);
}

static int fail_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *flags_out)
{
    static sqlite3_io_methods table[2];
    sqlite3_io_methods       *methods;
    int                       code;

    (void)vfs;
    if (vfs_fails(false))
        return SQLITE_CANTOPEN;
    code = real_vfs->xOpen(real_vfs, name, f, flags, flags_out);
    if (code != SQLITE_OK)
        return code;
    methods = &table[(flags & SQLITE_OPEN_MAIN_DB) != 0]; /* others are not locked, and close in another way */
    if (!methods->xRead) {
        *methods = *f->pMethods;
        if (flags & SQLITE_OPEN_MAIN_DB)
            real_methods = f->pMethods;
        methods->xRead = fail_read;
        methods->xWrite = fail_write;
        methods->xTruncate = fail_truncate;
        methods->xSync = fail_sync;
        methods->xShmMap = fail_map;
    }
    f->pMethods = methods;
    return code;
}

static void vfs_plant(uint64_t n, int code)
{
    static sqlite3_vfs vfs;

    real_vfs = sqlite3_vfs_find(NULL);
    vfs = *real_vfs;
    vfs.zName = "failing";
    vfs.xOpen = fail_open;
    vfs_fail_at = n;
    vfs_fail_with = code;
    REQUIRE(sqlite3_vfs_register(&vfs, 1) == SQLITE_OK);
}

/* ---- the script ---- */

static bool ends_at_failure;

static bool ok(cuzk_status st)
{
    if (st == CUZK_OK)
        return true;
    REQUIRE(st == CUZK_E_IO || st == CUZK_E_BUSY);
    if (ends_at_failure)
        _exit(CHILD_ENDED);
    return false;
}

/* A number of the job, or JOBS_MAX. */
static size_t take_submit(const struct store_answer *a)
{
    size_t n = acked->jobs;

    if (!ok(a->status))
        return JOBS_MAX;
    REQUIRE(n < JOBS_MAX && a->job.id[0]);
    if (a->superseded[0])
        for (size_t i = 0; i < n; i++)
            if (strcmp(acked->job[i].id, a->superseded) == 0)
                acked->job[i].state = JOB_SUPERSEDED;
    memcpy(acked->job[n].id, a->job.id, sizeof acked->job[n].id);
    acked->job[n].state = JOB_ACCEPTED;
    acked->jobs = n + 1;
    return n;
}

static size_t do_submit(const char *request_id, char fill)
{
    struct store_request request = request_for(request_id);
    struct store_answer  a;
    char                 bytes[BIG_BYTES];

    memset(bytes, fill, sizeof bytes);
    a = submit(b.store, &request, bytes, sizeof bytes);
    return take_submit(&a);
}

typedef struct store_answer change_with(struct store *s, const char *id, const char *text);

static struct store_answer take(size_t n, int state, change_with *change, const char *text)
{
    struct store_answer a = { .status = CUZK_E_NOT_FOUND };

    if (n == JOBS_MAX)
        return a;
    acked->job[n].state = -1;
    a = change(b.store, acked->job[n].id, text);
    if (ok(a.status))
        acked->job[n].state = state;
    return a;
}

static struct store_answer run_it(struct store *s, const char *id, const char *text)
{
    (void)text;
    return running(s, id);
}

static struct store_answer part_it(struct store *s, const char *id, const char *text)
{
    struct store_answer a = part(s, id, 0, text);

    if (a.status == CUZK_OK)
        for (size_t i = 0; i < acked->jobs; i++)
            if (strcmp(acked->job[i].id, id) == 0)
                acked->job[i].part = true;
    return a;
}

static void do_circuits(void)
{
    struct store_circuit  owned = { .name = "owned" }, plain = { .name = "plain", .path = "/a/key", .bytes = 5 }, c;
    struct store_payload *p = NULL;

    acked->circuit[1] = -1;
    if (ok(store_circuit_add(b.store, &p, &plain, false, NULL)))
        acked->circuit[1] = 1;
    acked->circuit[0] = -1;
    if (ok(store_payload_begin(&p, b.store, NULL))) {
        (void)ok(store_payload_write(p, "key", 3, NULL));
        if (ok(store_circuit_add(b.store, &p, &owned, false, NULL)))
            acked->circuit[0] = 1;
        REQUIRE(!p);
    }
    if (acked->circuit[0] != 1)
        return;
    if (ok(store_circuit_get(b.store, "owned", &c, NULL)))
        REQUIRE(c.owned && c.bytes == 3 && access(c.path, R_OK) == 0);
    acked->circuit[0] = -1;
    if (ok(store_circuit_remove(b.store, "owned", NULL)))
        acked->circuit[0] = 0;
}

/* Several at once: one transaction, whose failure is the failure of each. */
static void do_group(void)
{
    struct reply reply[GROUP];

    for (int i = 0; i < GROUP; i++) {
        struct store_request  request = request_for("");
        struct store_payload *p;

        reply[i] = (struct reply)REPLY;
        if (!ok(store_payload_begin(&p, b.store, NULL))) {
            reply[i].here = true;
            reply[i].answer.status = CUZK_E_IO;
            continue;
        }
        (void)store_payload_write(p, "x", 1, NULL);
        store_submit(b.store, &p, &request, reply_set, &reply[i]);
    }
    for (int i = 0; i < GROUP; i++) {
        struct store_answer a = reply_wait(&reply[i]);

        (void)take_submit(&a);
    }
}

static void count_one(void *context, const struct store_job *job)
{
    size_t *count = context;

    *count += job->id[0] != '\0';
}

static void do_reads(size_t n)
{
    struct store_filter filter = { .state = -1 };
    struct store_job    job;
    uint8_t            *result;
    size_t              bytes, listed = 0;

    if (n == JOBS_MAX || acked->job[n].state != JOB_DONE)
        return;
    if (ok(store_get(b.store, acked->job[n].id, &job, NULL)))
        REQUIRE(job.state == JOB_DONE && job.error == CUZK_OK);
    if (ok(store_result(b.store, acked->job[n].id, &result, &bytes, NULL))) {
        REQUIRE(bytes == 6 && memcmp(result, "result", 6) == 0);
        mem_free(result);
    }
    if (ok(store_list(b.store, &filter, count_one, &listed, NULL)))
        REQUIRE(listed >= acked->jobs);
}

static int times_delivered(const char *id)
{
    int count = 0;

    for (uint32_t i = 0; i < b.delivered_count; i++)
        count += strcmp(b.delivered[i].id, id) == 0;
    return count;
}

static void script(void)
{
    size_t a, c, last = JOBS_MAX;

    if (!ok(bench_open(&b, NULL)))
        REQUIRE(bench_open(&b, NULL) == CUZK_OK);
    a = do_submit("a", 'a');
    c = do_submit("", 'b');
    if (!ok(store_start(b.store, NULL)))
        REQUIRE(store_start(b.store, NULL) == CUZK_OK);
    (void)take(a, JOB_RUNNING, run_it, NULL);
    (void)take(a, JOB_RUNNING, part_it, "proof");
    (void)take(a, JOB_DONE, done, "result");
    (void)take(c, JOB_CANCELLED, cancel, "reason");
    (void)do_submit("c", '1');
    (void)do_submit("c", '2');
    c = do_submit("", 'd');
    (void)take(c, JOB_FAILED, failed, "why");
    c = do_submit("", 'e');
    (void)take(c, JOB_ACCEPTED, part_it, "proof");
    do_circuits();
    do_reads(a);
    do_group();
    (void)ok(expire_now(b.store).status);
    for (int i = 0; i < 2 && last == JOBS_MAX; i++) /* one call has failed: what comes now works */
        last = do_submit("last", 'z');
    REQUIRE(last != JOBS_MAX);
    if (!ok(store_check(b.store, NULL)))
        REQUIRE(store_check(b.store, NULL) == CUZK_OK);
    bench_close(&b);
    for (size_t i = 0; i < acked->jobs; i++)
        REQUIRE(times_delivered(acked->job[i].id) == 1);
    acked->done = true;
    _exit(0);
}

/* ---- what is there afterwards ---- */

static void see_part(void *context, uint32_t index, const void *proof, size_t bytes)
{
    bool *seen = context;

    *seen = index == 0 && bytes == 5 && memcmp(proof, "proof", 5) == 0;
}

static void verify(void)
{
    struct store_counts counts;
    struct cuzk_err     err;

    if (bench_open(&b, &err) != CUZK_OK || store_check(b.store, &err) != CUZK_OK) {
        (void)snprintf(acked->complaint, sizeof acked->complaint, "%.190s", err.text);
        _exit(CHILD_BAD);
    }
    for (size_t i = 0; i < acked->jobs; i++) {
        struct store_job job;
        bool             seen = false;

        REQUIRE(store_get(b.store, acked->job[i].id, &job, NULL) == CUZK_OK);
        REQUIRE(acked->job[i].state < 0 || (int)job.state == acked->job[i].state ||
                (acked->job[i].state == JOB_ACCEPTED && job.state == JOB_SUPERSEDED));
        REQUIRE(store_parts(b.store, job.id, see_part, &seen, NULL) == CUZK_OK);
        REQUIRE(!acked->job[i].part || seen || job.state >= JOB_DONE);
        if (job.state == JOB_DONE) {
            uint8_t *result;
            size_t   bytes;

            REQUIRE(store_result(b.store, job.id, &result, &bytes, NULL) == CUZK_OK);
            REQUIRE(bytes == 6 && memcmp(result, "result", 6) == 0);
            mem_free(result);
        }
    }
    for (int i = 0; i < 2; i++) {
        struct store_circuit c;
        cuzk_status          st = store_circuit_get(b.store, i ? "plain" : "owned", &c, NULL);

        REQUIRE(acked->circuit[i] != 1 || st == CUZK_OK);
        REQUIRE(acked->circuit[i] != 0 || st == CUZK_E_NOT_FOUND || i == 1);
    }
    counts = store_counts(b.store);
    REQUIRE((uint64_t)bench_files(&b, "payloads") == counts.jobs[JOB_ACCEPTED] + counts.jobs[JOB_RUNNING]);
    bench_close(&b);
    _exit(0);
}

/* ---- sweeps ---- */

enum plant { PLANT_NONE, PLANT_STORE, PLANT_ALLOC, PLANT_SQLITE };

static void in_child(void (*run)(void), enum plant plant, unsigned n)
{
    int   status;
    pid_t child;

    (void)fflush(stdout);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char text[96];

        (void)signal(SIGSEGV, SIG_DFL); /* cmocka's handler would go on with the tests in the child */
        (void)signal(SIGABRT, SIG_DFL);
        (void)snprintf(text, sizeof text, "%s/hit", b.dir);
        if (plant && !freopen(text, "w", stderr))
            _exit(CHILD_BAD);
        (void)setvbuf(stderr, NULL, _IONBF, 0);
        (void)snprintf(text, sizeof text, "%u", n);
        if (plant == PLANT_SQLITE)
            vfs_plant(n, SQLITE_IOERR_WRITE);
        else if (plant)
            (void)setenv(plant == PLANT_STORE ? "CUZK_FAIL_STORE" : "CUZK_FAIL_ALLOC", text, 1);
        run();
        _exit(CHILD_BAD);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status))
        fail_msg("call %u: ended by signal %d", n, WTERMSIG(status));
    if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != CHILD_ENDED)
        fail_msg("call %u, %s: exit status %d, %s", n, plant ? "the run" : "afterwards", WEXITSTATUS(status),
                 acked->complaint);
}

/* Every n until none is hit. */
static void sweep(enum plant plant, bool ends)
{
    bool hit = true;

    ends_at_failure = ends;
    for (unsigned n = 1; hit; n++) {
        struct stat info;
        char        path[96];

        memset(acked, 0, sizeof *acked);
        assert_true(bench_make_in(&b, access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")); /* syncs fast */
        (void)snprintf(path, sizeof path, "%s/hit", b.dir);
        in_child(script, plant, n);
        assert_int_equal(stat(path, &info), 0);
        hit = info.st_size > 0;
        in_child(verify, PLANT_NONE, n);
        bench_remove(&b);
        assert_true(hit || (n > 20 && acked->done && acked->jobs == 7 + GROUP));
        if (!hit)
            print_message("# %u calls\n", n - 1);
    }
}

static void the_nth_file_or_sqlite_call_fails(void **state)
{
    (void)state;
    sweep(PLANT_STORE, false);
}

static void the_nth_file_or_sqlite_call_fails_and_the_process_ends(void **state)
{
    (void)state;
    sweep(PLANT_STORE, true);
}

static void the_nth_allocation_fails(void **state)
{
    (void)state;
    sweep(PLANT_ALLOC, false);
}

static void the_nth_call_of_sqlite_itself_fails(void **state)
{
    (void)state;
    sweep(PLANT_SQLITE, false);
}

static void the_nth_call_of_sqlite_itself_fails_and_the_process_ends(void **state)
{
    (void)state;
    sweep(PLANT_SQLITE, true);
}

/* ---- a full disk ---- */

/* The database cannot grow for a while. */
static void full_database(void)
{
    struct store_answer a, c;
    struct store_counts before, after;

    vfs_plant(0, SQLITE_FULL);
    REQUIRE(bench_open(&b, NULL) == CUZK_OK);
    a = submit_text(b.store, "a", "x");
    REQUIRE(a.status == CUZK_OK);
    before = store_counts(b.store);
    atomic_store(&disk_full, true);
    for (int i = 0; i < 3; i++) {
        c = submit_text(b.store, "b", "x");
        REQUIRE(c.status == CUZK_E_BUSY && strstr(c.err.text, "full"));
        REQUIRE(done(b.store, a.job.id, "result").status == CUZK_E_BUSY);
        REQUIRE(cancel(b.store, a.job.id, NULL).status == CUZK_E_BUSY);
    }
    after = store_counts(b.store);
    REQUIRE(memcmp(&before, &after, sizeof after) == 0);
    REQUIRE(store_get(b.store, a.job.id, &c.job, NULL) == CUZK_OK && c.job.state == JOB_ACCEPTED);
    atomic_store(&disk_full, false);
    REQUIRE(submit_text(b.store, "b", "x").status == CUZK_OK);
    REQUIRE(done(b.store, a.job.id, "result").changed);
    REQUIRE(store_check(b.store, NULL) == CUZK_OK);
    bench_close(&b);
    _exit(0);
}

static void a_database_that_cannot_grow_is_busy_and_loses_nothing(void **state)
{
    (void)state;
    memset(acked, 0, sizeof *acked);
    assert_true(bench_make(&b));
    in_child(full_database, PLANT_NONE, 0);
    in_child(verify, PLANT_NONE, 0);
    bench_remove(&b);
}

/* A file system of 2 MiB that only this process sees; false where that is not allowed. */
static bool small_file_system(void)
{
    unsigned user = getuid();

    if (unshare(CLONE_NEWNS) != 0) {
        FILE *map;

        if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !(map = fopen("/proc/self/uid_map", "w")))
            return false;
        if (fprintf(map, "0 %u 1", user) < 0 || fclose(map) != 0)
            return false;
    }
    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", b.dir, "tmpfs", 0, "size=2m") == 0;
}

/* Jobs must be able to end on it, or it stays full. */
static void full_file_system(void)
{
    static char           block[1 << 16];
    struct store_request  request = request_for("");
    struct store_answer   a;
    struct store_payload *p;
    char                  ids[64][STORE_ID_BYTES];
    int                   count = 0;

    if (!small_file_system()) {
        print_message("# no file system of its own: not tried\n");
        (void)fflush(stdout);
        _exit(CHILD_ENDED);
    }
    REQUIRE(bench_open(&b, NULL) == CUZK_OK);
    for (; count < 64; count++) {
        a = submit(b.store, &request, block, sizeof block);
        if (a.status != CUZK_OK)
            break;
        memcpy(ids[count], a.job.id, sizeof ids[count]);
    }
    REQUIRE(count > 4 && count < 64 && a.status == CUZK_E_BUSY && a.err.text[0]);
    do /* to the last page */
        a = submit(b.store, &request, block, 1000);
    while (a.status == CUZK_OK);
    REQUIRE(a.status == CUZK_E_BUSY);
    REQUIRE(store_payload_begin(&p, b.store, NULL) == CUZK_OK);
    REQUIRE(store_payload_write(p, block, sizeof block, NULL) == CUZK_E_BUSY);
    store_payload_abandon(&p);
    for (int i = 0; i < count; i++) {
        a = cancel(b.store, ids[i], NULL);
        if (a.status == CUZK_E_BUSY)
            a = cancel(b.store, ids[i], NULL);
        REQUIRE(a.status == CUZK_OK && a.changed);
    }
    REQUIRE(submit(b.store, &request, block, sizeof block).status == CUZK_OK);
    REQUIRE(store_check(b.store, NULL) == CUZK_OK);
    bench_close(&b);
    verify();
}

static void a_full_file_system_is_busy_and_loses_nothing(void **state)
{
    (void)state;
    memset(acked, 0, sizeof *acked);
    assert_true(bench_make(&b));
    in_child(full_file_system, PLANT_NONE, 0);
    bench_remove(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nth_file_or_sqlite_call_fails),
        cmocka_unit_test(the_nth_file_or_sqlite_call_fails_and_the_process_ends),
        cmocka_unit_test(the_nth_allocation_fails),
        cmocka_unit_test(the_nth_call_of_sqlite_itself_fails),
        cmocka_unit_test(the_nth_call_of_sqlite_itself_fails_and_the_process_ends),
        cmocka_unit_test(a_database_that_cannot_grow_is_busy_and_loses_nothing),
        cmocka_unit_test(a_full_file_system_is_busy_and_loses_nothing),
    };

    acked = mmap(NULL, sizeof *acked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return acked == MAP_FAILED ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
