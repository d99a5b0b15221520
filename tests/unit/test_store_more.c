/* tests/unit/test_store_more.c - circuits, databases that are not ours or damaged, closing, many threads at once. */
#define _GNU_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sqlite3.h>

#include "store_test.h"

static struct bench b;

static int setup(void **state)
{
    (void)state;
    return bench_make(&b) && bench_open(&b, NULL) == CUZK_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    bench_remove(&b);
    return 0;
}

/* ---- circuits ---- */

static cuzk_status add_owned(struct store_circuit *c, const char *name, const char *key, bool replace)
{
    struct store_payload *p;

    *c = (struct store_circuit){ .preload = true };
    (void)snprintf(c->name, sizeof c->name, "%s", name);
    assert_int_equal(store_payload_begin(&p, b.store, NULL), CUZK_OK);
    assert_int_equal(store_payload_write(p, key, strlen(key), NULL), CUZK_OK);
    return store_circuit_add(b.store, &p, c, replace, NULL);
}

static cuzk_status add_path(struct store_circuit *c, const char *name, const char *path, uint8_t digest, bool replace)
{
    struct store_payload *none = NULL;

    *c = (struct store_circuit){ .digest = { digest }, .bytes = 9 };
    (void)snprintf(c->name, sizeof c->name, "%s", name);
    (void)snprintf(c->path, sizeof c->path, "%s", path);
    return store_circuit_add(b.store, &none, c, replace, NULL);
}

static bool file_is(const char *path, const char *text)
{
    char   found[64] = "";
    FILE  *f = fopen(path, "rb");
    size_t bytes;

    if (!f)
        return false;
    bytes = fread(found, 1, sizeof found - 1, f);
    (void)fclose(f);
    return bytes == strlen(text) && strcmp(found, text) == 0;
}

static void a_key_that_arrives_is_kept_and_goes_with_its_circuit(void **state)
{
    /* SHA-256 of "key" */
    static const uint8_t digest[4] = { 0x2c, 0x70, 0xe1, 0x2b };
    struct store_circuit c, found;

    (void)state;
    assert_int_equal(add_owned(&c, "mul", "key", false), CUZK_OK);
    assert_true(c.owned && c.preload && c.bytes == 3 && c.added_ms == 1000000);
    assert_memory_equal(c.digest, digest, sizeof digest);
    assert_true(file_is(c.path, "key"));
    assert_int_equal(store_counts(b.store).payload_bytes, 0);
    bench_close(&b);
    assert_int_equal(bench_open(&b, NULL), CUZK_OK);
    assert_int_equal(store_circuit_get(b.store, "mul", &found, NULL), CUZK_OK);
    assert_memory_equal(&found, &c, sizeof c);
    assert_int_equal(store_check(b.store, NULL), CUZK_OK);
    assert_int_equal(store_circuit_remove(b.store, "mul", NULL), CUZK_OK);
    assert_int_not_equal(access(c.path, F_OK), 0);
    assert_int_equal(store_circuit_get(b.store, "mul", &found, NULL), CUZK_E_NOT_FOUND);
    assert_int_equal(store_circuit_remove(b.store, "mul", NULL), CUZK_E_NOT_FOUND);
}

static void a_circuit_is_replaced_only_when_that_is_said(void **state)
{
    struct store_circuit first, c, found;

    (void)state;
    assert_int_equal(add_owned(&first, "mul", "key", false), CUZK_OK);
    assert_int_equal(add_owned(&c, "mul", "key", false), CUZK_OK); /* the same: the first file stays */
    assert_string_equal(c.path, first.path);
    assert_int_equal(add_owned(&c, "mul", "other", false), CUZK_E_INPUT);
    assert_true(file_is(first.path, "key"));
    assert_int_equal(add_owned(&c, "mul", "other", true), CUZK_OK);
    assert_true(file_is(c.path, "other"));
    assert_int_not_equal(access(first.path, F_OK), 0);
    assert_int_equal(add_path(&found, "mul", "/keys/mul.zkey", 7, true), CUZK_OK);
    assert_int_not_equal(access(c.path, F_OK), 0);
    assert_int_equal(store_circuit_get(b.store, "mul", &found, NULL), CUZK_OK);
    assert_true(!found.owned && found.bytes == 9 && found.digest[0] == 7);
    assert_string_equal(found.path, "/keys/mul.zkey");
    assert_int_equal(store_check(b.store, NULL), CUZK_OK);
}

static void names_and_paths_of_circuits_are_checked(void **state)
{
    struct store_circuit c;
    char                 name[STORE_NAME_BYTES + 1];

    (void)state;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(add_path(&c, "", "/x", 1, false), CUZK_E_INPUT);
    assert_int_equal(add_path(&c, "\xff", "/x", 1, false), CUZK_E_INPUT);
    assert_int_equal(add_path(&c, "x", "relative", 1, false), CUZK_E_INPUT);
    assert_int_equal(add_path(&c, "x", "", 1, false), CUZK_E_INPUT);
    assert_int_equal(store_circuit_remove(b.store, name, NULL), CUZK_E_NOT_FOUND);
    assert_int_equal(store_circuit_get(b.store, name, &c, NULL), CUZK_E_NOT_FOUND);
}

static void see_circuit(void *context, const struct store_circuit *c)
{
    char *names = context;

    (void)snprintf(names + strlen(names), 64 - strlen(names), "%s ", c->name);
}

static void circuits_are_listed_by_name(void **state)
{
    struct store_circuit c;
    char                 names[64] = "";

    (void)state;
    assert_int_equal(add_path(&c, "c", "/c", 1, false), CUZK_OK);
    assert_int_equal(add_owned(&c, "a", "key", false), CUZK_OK);
    assert_int_equal(add_path(&c, "b '\"", "/b", 1, false), CUZK_OK);
    assert_int_equal(store_circuits(b.store, see_circuit, names, NULL), CUZK_OK);
    assert_string_equal(names, "a b '\" c ");
}

/* ---- what someone else did to the folder ---- */

static void run_sql(const char *sql)
{
    char     path[128];
    sqlite3 *db;

    (void)snprintf(path, sizeof path, "%s/store.db", b.path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void the_tables_of_a_newer_version_are_refused(void **state)
{
    struct cuzk_err err;

    (void)state;
    bench_close(&b);
    run_sql("PRAGMA user_version = 99");
    assert_int_equal(bench_open(&b, &err), CUZK_E_IO);
    assert_non_null(strstr(err.text, "99"));
    run_sql("PRAGMA user_version = 1");
    assert_int_equal(bench_open(&b, &err), CUZK_OK);
}

static void a_file_that_is_no_database_is_refused_and_left_alone(void **state)
{
    struct cuzk_err err;
    char            path[128];
    FILE           *f;

    (void)state;
    bench_close(&b);
    (void)snprintf(path, sizeof path, "%s/store.db", b.path);
    f = fopen(path, "wb");
    assert_non_null(f);
    for (int i = 0; i < 300; i++)
        assert_true(fputs("this is not a database ", f) >= 0);
    (void)fclose(f);
    assert_int_equal(bench_open(&b, &err), CUZK_E_IO);
    assert_non_null(strstr(err.text, "not a database"));
    f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fgetc(f), 't');
    (void)fclose(f);
}

static void the_check_names_what_is_damaged(void **state)
{
    static const struct {
        const char *damage, *says;
    } cases[] = {
        {"UPDATE jobs SET parts_done = 0 WHERE id = 'running'",                           "as many parts"  },
        { "DELETE FROM results",                                                          "no result"      },
        { "UPDATE results SET result = x'00'",                                            "no result"      },
        { "INSERT INTO results SELECT sequence, x'00' FROM jobs WHERE id = 'running'",    "not done"       },
        { "INSERT INTO parts SELECT sequence, 0, x'00' FROM jobs WHERE id = 'done'",      "should not have"},
        { "INSERT INTO parts VALUES (999, 0, x'00')",                                     "not there"      },
        { "UPDATE jobs SET payload_bytes = 7 WHERE id = 'running'",                       "its row says 7" },
        { "UPDATE jobs SET payload = 'gone' WHERE id = 'running'",                        "gone"           },
        { "UPDATE jobs SET started_ms = 0 WHERE id = 'running'",                          "damaged"        },
        { "UPDATE jobs SET id = '' WHERE id = 'running'",                                 "damaged"        },
        { "DELETE FROM results; UPDATE jobs SET error = 99, state = 3 WHERE id = 'done'", "damaged"        },
        { "UPDATE circuits SET bytes = 4",                                                "its row says 4" },
    };
    struct store_request request = request_for("");
    struct store_circuit circuit;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cuzk_err err = { .status = CUZK_OK };
        cuzk_status     st;

        bench_remove(&b);
        assert_true(bench_make(&b));
        assert_int_equal(bench_open(&b, NULL), CUZK_OK);
        assert_int_equal(add_owned(&circuit, "mul", "key", false), CUZK_OK);
        request.parts = 2;
        request.job_id = "running";
        assert_int_equal(submit(b.store, &request, "xx", 2).status, CUZK_OK);
        assert_int_equal(running(b.store, "running").status, CUZK_OK);
        assert_int_equal(part(b.store, "running", 0, "proof").status, CUZK_OK);
        request.job_id = "done";
        assert_int_equal(submit(b.store, &request, "xx", 2).status, CUZK_OK);
        assert_int_equal(done(b.store, "done", "proof").status, CUZK_OK);
        assert_int_equal(store_check(b.store, NULL), CUZK_OK);
        run_sql(cases[i].damage);
        st = store_check(b.store, &err);
        if (st != CUZK_E_IO || !strstr(err.text, cases[i].says))
            fail_msg("%s: status %d, %s", cases[i].damage, st, err.text);
        assert_int_equal(submit_text(b.store, "", "still works").status, CUZK_OK);
    }
}

/* ---- closing ---- */

static void see_status(void *context, const struct store_answer *a)
{
    int *status = context;

    *status = (int)a->status;
}

static int late_status;

static void ask_late(void *context, const struct store_answer *a)
{
    (void)context;
    assert_int_equal(a->status, CUZK_OK);
    store_cancel(b.store, a->job.id, "too late", see_status, &late_status);
}

static void what_is_queued_is_done_before_the_store_closes(void **state)
{
    struct store_answer a = submit_text(b.store, "", "x");
    int                 status[100];

    (void)state;
    for (int i = 0; i < 100; i++) {
        status[i] = -1;
        store_cancel(b.store, a.job.id, "x", see_status, &status[i]);
    }
    late_status = -1;
    store_running(b.store, a.job.id, ask_late, NULL);
    bench_close(&b);
    for (int i = 0; i < 100; i++)
        assert_int_equal(status[i], CUZK_OK);
    assert_true(late_status == CUZK_OK || late_status == CUZK_E_CANCELLED); /* answered, one way or the other */
    store_close(NULL);
}

/* ---- threads ---- */

#define WRITERS 3
#define READERS 3
#define EACH    60

struct worker {
    pthread_t thread;
    int       index;
    size_t    done;
};
static _Atomic bool    stop;
static char            last_id[WRITERS][STORE_ID_BYTES];
static pthread_mutex_t last_lock = PTHREAD_MUTEX_INITIALIZER;

static void *write_many(void *context)
{
    struct worker *w = context;

    for (int i = 0; i < EACH; i++) {
        char                request_id[32], result[32];
        struct store_answer a;

        (void)snprintf(request_id, sizeof request_id, "%d", i); /* the same for all: they attach to each other's */
        a = submit_text(b.store, request_id, request_id);
        (void)snprintf(result, sizeof result, "%.31s", a.job.id);
        pthread_mutex_lock(&last_lock);
        memcpy(last_id[w->index], a.job.id, sizeof a.job.id);
        pthread_mutex_unlock(&last_lock);
        store_running(b.store, a.job.id, NULL, NULL);
        store_part(b.store, a.job.id, 0, "p", 1, NULL, NULL);
        w->done += done(b.store, a.job.id, result).changed;
    }
    return NULL;
}

static void check_listed(void *context, const struct store_job *job)
{
    size_t *bad = context;

    *bad += job->state == JOB_DONE ? job->result_bytes != 31 : job->result_bytes != 0;
}

/* What is read is never half a change. */
static void *read_many(void *context)
{
    struct worker *w = context;

    while (!atomic_load(&stop)) {
        struct store_filter filter = { .state = -1, .limit = 20 };
        struct store_job    job;
        char                id[STORE_ID_BYTES];
        uint8_t            *result;
        size_t              bytes, bad = 0;

        pthread_mutex_lock(&last_lock);
        memcpy(id, last_id[w->index % WRITERS], sizeof id);
        pthread_mutex_unlock(&last_lock);
        if (store_list(b.store, &filter, check_listed, &bad, NULL) != CUZK_OK || bad)
            return w;
        if (store_counts(b.store).jobs[JOB_FAILED] != 0)
            return w;
        if (!id[0])
            continue;
        if (store_get(b.store, id, &job, NULL) != CUZK_OK)
            return w;
        if (job.state == JOB_DONE) {
            if (store_result(b.store, id, &result, &bytes, NULL) != CUZK_OK || bytes != 31 ||
                memcmp(result, id, 31) != 0)
                return w;
            mem_free(result);
        }
    }
    return NULL;
}

static void reading_and_writing_from_many_threads_agree(void **state)
{
    struct worker writers[WRITERS] = { { .index = 0 } }, readers[READERS] = { { .index = 0 } };
    size_t        finished = 0;

    (void)state;
    assert_int_equal(store_start(b.store, NULL), CUZK_OK);
    for (int i = 0; i < WRITERS; i++) {
        writers[i].index = i;
        assert_int_equal(pthread_create(&writers[i].thread, NULL, write_many, &writers[i]), 0);
    }
    for (int i = 0; i < READERS; i++) {
        readers[i].index = i;
        assert_int_equal(pthread_create(&readers[i].thread, NULL, read_many, &readers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        (void)pthread_join(writers[i].thread, NULL);
        finished += writers[i].done;
    }
    atomic_store(&stop, true);
    for (int i = 0; i < READERS; i++) {
        void *failure;

        (void)pthread_join(readers[i].thread, &failure);
        assert_null(failure);
    }
    assert_int_equal(store_check(b.store, NULL), CUZK_OK);
    assert_int_equal(finished, EACH); /* one job a request, finished once, whoever came first */
    assert_int_equal(store_counts(b.store).jobs[JOB_DONE], EACH);
    bench_close(&b);
    assert_int_equal(b.delivered_count, EACH);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_key_that_arrives_is_kept_and_goes_with_its_circuit),
        TEST(a_circuit_is_replaced_only_when_that_is_said),
        TEST(names_and_paths_of_circuits_are_checked),
        TEST(circuits_are_listed_by_name),
        TEST(the_tables_of_a_newer_version_are_refused),
        TEST(a_file_that_is_no_database_is_refused_and_left_alone),
        TEST(the_check_names_what_is_damaged),
        TEST(what_is_queued_is_done_before_the_store_closes),
        TEST(reading_and_writing_from_many_threads_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
