/* tests/unit/test_store_limits.c - what the store keeps and for how long, what it takes as a name, how it lists. */
#define _GNU_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

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
    return bench_end(&b) ? 0 : -1;
}

/* ---- limits ---- */

static void finished_jobs_go_by_age(void **state)
{
    struct store_answer a[3], open_job;
    struct store_job    job;

    (void)state;
    bench_close(&b);
    b.config.result_age_ms = 1000;
    assert_int_equal(bench_open(&b, NULL), CUZK_OK);
    open_job = submit_text(b.store, "", "open");
    for (int i = 0; i < 3; i++) {
        a[i] = submit_text(b.store, "", "x");
        (void)(i == 0   ? done(b.store, a[i].job.id, "r")
               : i == 1 ? failed(b.store, a[i].job.id, "f")
                        : cancel(b.store, a[i].job.id, "c"));
        b.now_ms += 500;
    }
    b.now_ms = 1000000 + 1000; /* the first is exactly old enough to stay */
    assert_false(expire_now(b.store).changed);
    b.now_ms += 1;
    assert_true(expire_now(b.store).changed);
    assert_int_equal(store_get(b.store, a[0].job.id, &job, NULL), CUZK_E_NOT_FOUND);
    assert_int_equal(store_get(b.store, a[1].job.id, &job, NULL), CUZK_OK);
    b.now_ms += 100000;
    bench_reopen(&b); /* expires too */
    assert_int_equal(store_get(b.store, a[1].job.id, &job, NULL), CUZK_E_NOT_FOUND);
    assert_int_equal(store_get(b.store, a[2].job.id, &job, NULL), CUZK_E_NOT_FOUND);
    assert_int_equal(store_get(b.store, open_job.job.id, &job, NULL), CUZK_OK);
    assert_int_equal(job.state, JOB_ACCEPTED);
    assert_int_equal(store_counts(b.store).completed, 1); /* what was done stays counted */
    a[0] = submit_text(b.store, "", "x");
    assert_true(a[0].job.sequence > a[2].job.sequence);
}

static void finished_jobs_go_by_count_oldest_first(void **state)
{
    struct store_answer a[5];
    struct store_job    job;

    (void)state;
    bench_close(&b);
    b.config.results_max = 2;
    assert_int_equal(bench_open(&b, NULL), CUZK_OK);
    for (int i = 0; i < 5; i++)
        a[i] = submit_text(b.store, "", "x");
    for (int i = 0; i < 4; i++) { /* finished in another order than they came: 3 0 1 2 */
        b.now_ms++;
        (void)done(b.store, a[(i + 3) % 4].job.id, "r");
    }
    assert_true(expire_now(b.store).changed);
    for (int i = 0; i < 5; i++)
        assert_int_equal(store_get(b.store, a[i].job.id, &job, NULL),
                         i == 3 || i == 0 ? CUZK_E_NOT_FOUND : CUZK_OK);
    assert_int_equal(store_counts(b.store).jobs[JOB_DONE], 2);
    assert_false(expire_now(b.store).changed);
}

static void payload_bytes_have_a_budget(void **state)
{
    struct store_payload *p, *q;
    struct store_answer   a;
    struct store_request  request = request_for("r");
    struct reply          r = REPLY;
    struct cuzk_err       err;
    char                  bytes[101] = { 0 };

    (void)state;
    bench_close(&b);
    b.config.payload_bytes_max = 100;
    assert_int_equal(bench_open(&b, NULL), CUZK_OK);
    a = submit(b.store, &request, bytes, 60);
    assert_int_equal(a.status, CUZK_OK);
    assert_int_equal(store_payload_begin(&p, b.store, NULL), CUZK_OK);
    assert_int_equal(store_payload_begin(&q, b.store, NULL), CUZK_OK);
    assert_int_equal(store_payload_write(p, bytes, 40, &err), CUZK_OK);
    assert_int_equal(store_payload_write(q, bytes, 1, &err), CUZK_E_BUSY);
    assert_non_null(strstr(err.text, "100"));
    assert_int_equal(store_payload_bytes(p), 40);
    store_payload_abandon(&p);
    assert_null(p);
    assert_int_equal(store_payload_write(q, bytes, 1, &err), CUZK_E_BUSY); /* bytes are missing: it stays refused */
    store_submit(b.store, &q, &request, reply_set, &r);
    assert_null(q);
    assert_int_equal(reply_wait(&r).status, CUZK_E_BUSY);
    assert_int_equal(store_counts(b.store).payload_bytes, 60);
    assert_int_equal(submit(b.store, &request, bytes, 101).status, CUZK_E_INPUT); /* never fits */
    assert_int_equal(submit(b.store, &request, bytes, 41).status, CUZK_E_BUSY);   /* now */
    bench_reopen(&b);
    assert_int_equal(store_counts(b.store).payload_bytes, 60);
    assert_int_equal(cancel(b.store, a.job.id, NULL).status, CUZK_OK);
    assert_int_equal(submit(b.store, &request, bytes, 100).status, CUZK_OK);
}

static void unfinished_jobs_have_a_limit(void **state)
{
    struct store_answer a, c;

    (void)state;
    bench_close(&b);
    b.config.jobs_max = 2;
    assert_int_equal(bench_open(&b, NULL), CUZK_OK);
    a = submit_text(b.store, "1", "x");
    assert_int_equal(submit_text(b.store, "2", "x").status, CUZK_OK);
    c = submit_text(b.store, "3", "x");
    assert_int_equal(c.status, CUZK_E_BUSY);
    assert_non_null(strstr(c.err.text, "at most 2"));
    assert_int_equal(submit_text(b.store, "1", "x").status, CUZK_OK); /* attaches */
    c = submit_text(b.store, "1", "y");                               /* takes the place of the one that gives way */
    assert_int_equal(c.status, CUZK_OK);
    assert_string_equal(c.superseded, a.job.id);
    (void)done(b.store, c.job.id, "r");
    assert_int_equal(submit_text(b.store, "3", "x").status, CUZK_OK);
    assert_int_equal(bench_files(&b, "payloads"), 2);
}

/* ---- what a job says ---- */

static void odd_strings_come_back_as_they_were(void **state)
{
    static const char *const odd[] = {
        "'; DROP TABLE jobs; --", "\"quoted\" `ticked`", "%s%n%d", "../../../etc/passwd",
        "\xf0\x9f\x94\x92 \xc3\xa9 \xe4\xb8\xad",
        "tab\tnewline\n\x01\x7f", "?1", "NULL", " ", "012345678901234567890123456789012345678901234567890123456789 63",
    };

    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        struct store_request request = { .tenant = odd[i], .request_id = odd[i], .kind = odd[i], .circuit = odd[i],
                                         .job_id = odd[i], .parts = 1 };
        struct store_answer  a = submit(b.store, &request, "x", 1);
        struct store_job     job;

        if (a.status != CUZK_OK)
            fail_msg("%s: %s", odd[i], a.err.text);
        assert_true(submit(b.store, &request, "x", 1).attached);
        assert_int_equal(failed(b.store, odd[i], odd[i]).status, CUZK_OK);
        assert_int_equal(store_get(b.store, odd[i], &job, NULL), CUZK_OK);
        assert_string_equal(job.id, odd[i]);
        assert_string_equal(job.tenant, odd[i]);
        assert_string_equal(job.request_id, odd[i]);
        assert_string_equal(job.kind, odd[i]);
        assert_string_equal(job.circuit, odd[i]);
        assert_string_equal(job.error_text, odd[i]);
        assert_int_equal(job.error, CUZK_E_UNSATISFIED);
    }
}

static void long_and_malformed_strings_are_refused(void **state)
{
    char                 text[400];
    struct store_request good = request_for("r");

    (void)state;
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 10; i++) {
        struct store_request request = good;
        struct store_answer  a;
        const char         **field = (const char **[]){ &request.tenant, &request.request_id, &request.kind,
                                                        &request.circuit, &request.job_id }[i % 5];
        size_t room = (size_t[]){ STORE_NAME_BYTES, STORE_REQUEST_BYTES, STORE_NAME_BYTES, STORE_NAME_BYTES,
                                  STORE_ID_BYTES }[i % 5];

        text[room] = '\0';
        *field = i < 5 ? text : "a\xc3";
        a = submit(b.store, &request, "x", 1);
        assert_int_equal(a.status, CUZK_E_INPUT);
        assert_string_equal(a.err.place.role, "request");
        text[room] = 'x';
    }
    for (int i = 0; i < 4; i++) {
        struct store_request request = good;

        if (i == 0)
            request.kind = "";
        else if (i == 1)
            request.parts = 0;
        else if (i == 2)
            request.deadline_ms = -1;
        else
            request.priority = PRIORITY_COUNT;
        assert_int_equal(submit(b.store, &request, "x", 1).status, CUZK_E_INPUT);
    }
    assert_int_equal(bench_files(&b, "payloads"), 0);
    assert_int_equal(store_counts(b.store).payload_bytes, 0);
}

static void a_long_error_text_is_cut_between_two_characters(void **state)
{
    struct store_answer a = submit_text(b.store, "", "x"), f;
    char                text[602] = "";

    (void)state;
    for (int i = 0; i < 300; i++)
        memcpy(text + 2 * i, "\xc3\xa9", 3);
    f = failed(b.store, a.job.id, text);
    assert_int_equal(strlen(f.job.error_text), 510);
    assert_memory_equal(f.job.error_text, text, 510);
}

struct seen { uint64_t sequence[64]; size_t count; };

static void see(void *context, const struct store_job *job)
{
    struct seen *seen = context;

    seen->sequence[seen->count++] = job->sequence;
}

static void lists_are_newest_first_by_page_and_filter(void **state)
{
    struct seen         all = { .count = 0 }, paged = { .count = 0 };
    struct store_filter filter = { .state = -1 };

    (void)state;
    for (int i = 0; i < 20; i++) {
        struct store_request request = request_for("");
        struct store_answer  a;

        request.tenant = i % 2 ? "odd" : "even";
        a = submit(b.store, &request, "x", 1);
        if (i % 5 == 0)
            (void)done(b.store, a.job.id, "r");
    }
    assert_int_equal(store_list(b.store, &filter, see, &all, NULL), CUZK_OK);
    assert_int_equal(all.count, 20);
    for (size_t i = 1; i < 20; i++)
        assert_true(all.sequence[i] < all.sequence[i - 1]);
    filter.limit = 7;
    for (size_t before; before = paged.count, store_list(b.store, &filter, see, &paged, NULL) == CUZK_OK;) {
        if (paged.count == before)
            break;
        assert_true(paged.count - before <= 7);
        filter.before = paged.sequence[paged.count - 1];
    }
    assert_memory_equal(&paged, &all, sizeof all);
    filter = (struct store_filter){ .tenant = "odd", .state = -1 };
    all.count = 0;
    assert_int_equal(store_list(b.store, &filter, see, &all, NULL), CUZK_OK);
    assert_int_equal(all.count, 10);
    filter.state = JOB_DONE;
    all.count = 0;
    assert_int_equal(store_list(b.store, &filter, see, &all, NULL), CUZK_OK);
    assert_int_equal(all.count, 2);
    filter.tenant = "'";
    assert_int_equal(store_list(b.store, &filter, see, &all, NULL), CUZK_OK);
    assert_int_equal(all.count, 2);
}

static void counts_are_those_of_the_rows_and_survive(void **state)
{
    struct store_answer a[5];
    struct store_counts counts, again;

    (void)state;
    for (int i = 0; i < 5; i++)
        a[i] = submit_text(b.store, "", "xyz");
    (void)running(b.store, a[0].job.id);
    (void)done(b.store, a[1].job.id, "r");
    (void)failed(b.store, a[2].job.id, "f");
    (void)cancel(b.store, a[3].job.id, "c");
    counts = store_counts(b.store);
    for (int i = 0; i < JOB_STATE_COUNT; i++)
        assert_int_equal(counts.jobs[i], i != JOB_SUPERSEDED);
    assert_true(counts.completed == 1 && counts.failed == 1 && counts.cancelled == 1);
    assert_true(counts.payload_bytes == 6 && counts.queued == 0);
    bench_reopen(&b);
    again = store_counts(b.store);
    assert_memory_equal(&counts, &again, sizeof counts);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(finished_jobs_go_by_age),
        TEST(finished_jobs_go_by_count_oldest_first),
        TEST(payload_bytes_have_a_budget),
        TEST(unfinished_jobs_have_a_limit),
        TEST(odd_strings_come_back_as_they_were),
        TEST(long_and_malformed_strings_are_refused),
        TEST(a_long_error_text_is_cut_between_two_characters),
        TEST(lists_are_newest_first_by_page_and_filter),
        TEST(counts_are_those_of_the_rows_and_survive),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
