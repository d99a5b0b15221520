/* tests/unit/test_store.c - what the store promises of a job: its life and moves, who attaches to it, restart. */
#define _GNU_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "store/moves.h"
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

static enum job_state state_of(const char *id)
{
    struct store_job job;

    assert_int_equal(store_get(b.store, id, &job, NULL), CUZK_OK);
    return job.state;
}

/* ---- a job's life ---- */

static void the_folder_is_private_and_one_stores_only(void **state)
{
    struct stat     info;
    struct store   *second;
    struct cuzk_err err;
    char            path[128];

    (void)state;
    assert_int_equal(stat(b.path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s/store.db%s", b.path, i ? "-wal" : "");
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_mode & 0777, 0600);
    }
    assert_int_equal(store_open(&second, &b.config, &err), CUZK_E_IO);
    assert_non_null(strstr(err.text, "in use"));
    assert_null(second);
}

static void an_accepted_job_is_what_was_asked_and_its_payload_is_there(void **state)
{
    struct store_request request = request_for("r-1");
    struct store_answer  a;
    struct store_job     job;
    char                 path[512], found[32] = "";
    FILE                *f;

    (void)state;
    request.priority = PRIORITY_HIGH;
    request.parts = 3;
    request.deadline_ms = 77;
    request.detached = true;
    a = submit(b.store, &request, "payload", 7);
    assert_int_equal(a.status, CUZK_OK);
    assert_true(a.changed && !a.attached && !a.superseded[0]);
    assert_int_equal(strlen(a.job.id), 36);
    bench_reopen(&b);
    assert_int_equal(store_get(b.store, a.job.id, &job, NULL), CUZK_OK);
    assert_memory_equal(&job, &a.job, sizeof job);
    assert_string_equal(job.tenant, "tenant");
    assert_string_equal(job.request_id, "r-1");
    assert_string_equal(job.kind, "circuit");
    assert_string_equal(job.circuit, "multiplier");
    assert_true(job.state == JOB_ACCEPTED && job.priority == PRIORITY_HIGH && job.parts == 3 && job.detached);
    assert_true(job.payload_bytes == 7 && job.submitted_ms == 1000000 && job.deadline_ms == 77 && job.sequence > 0);
    assert_int_equal(store_payload_path(b.store, job.id, path, sizeof path, NULL), CUZK_OK);
    f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(found, 1, sizeof found, f), 7);
    (void)fclose(f);
    assert_string_equal(found, "payload");
}

static void a_done_job_has_its_result_and_nothing_else(void **state)
{
    struct store_answer a = submit_text(b.store, "r", "x"), f;
    struct store_job    job;
    uint8_t            *result;
    size_t              bytes;
    char                path[512];

    (void)state;
    assert_int_equal(store_result(b.store, a.job.id, &result, &bytes, NULL), CUZK_E_NOT_FOUND);
    b.now_ms += 5;
    assert_true(running(b.store, a.job.id).changed);
    b.now_ms += 7;
    f = done(b.store, a.job.id, "proof");
    assert_true(f.status == CUZK_OK && f.changed);
    bench_reopen(&b);
    assert_int_equal(store_get(b.store, a.job.id, &job, NULL), CUZK_OK);
    assert_memory_equal(&job, &f.job, sizeof job);
    assert_true(job.state == JOB_DONE && job.started_ms == 1000005 && job.finished_ms == 1000012);
    assert_true(job.synth_ns == 1 && job.device_ns == 2 && job.finish_ns == 3 && job.parts_done == 1);
    assert_int_equal(store_result(b.store, a.job.id, &result, &bytes, NULL), CUZK_OK);
    assert_int_equal(bytes, 5);
    assert_memory_equal(result, "proof", 5);
    mem_free(result);
    assert_int_equal(store_payload_path(b.store, a.job.id, path, sizeof path, NULL), CUZK_E_NOT_FOUND);
    assert_int_equal(bench_files(&b, "payloads"), 0);
    assert_int_equal(store_counts(b.store).payload_bytes, 0);
}

static void an_empty_payload_and_an_empty_result_are_kept(void **state)
{
    struct store_request request = request_for("r");
    struct store_answer  a = submit(b.store, &request, "", 0);
    uint8_t             *result;
    size_t               bytes = 1;

    (void)state;
    assert_int_equal(a.status, CUZK_OK);
    assert_int_equal(done(b.store, a.job.id, "").status, CUZK_OK);
    assert_int_equal(store_result(b.store, a.job.id, &result, &bytes, NULL), CUZK_OK);
    assert_int_equal(bytes, 0);
    mem_free(result);
}

/* ---- moves ---- */

static void the_table_allows_these_moves_and_no_other(void **state)
{
    static const char *const rows[JOB_STATE_COUNT] = {
        /* to  ARDFCS */
        [JOB_ACCEPTED] = ".x..xx",  [JOB_RUNNING] = "..xxxx",    [JOB_DONE] = "......",
        [JOB_FAILED] = "......",    [JOB_CANCELLED] = "......",  [JOB_SUPERSEDED] = "......",
    };

    (void)state;
    for (int from = 0; from < JOB_STATE_COUNT; from++)
        for (int to = 0; to < JOB_STATE_COUNT; to++) {
            bool             allowed = rows[from][to] == 'x', final = from >= JOB_DONE;
            struct store_job job = { .id = "x", .parts = 1, .submitted_ms = 5, .state = (enum job_state)from };

            job.started_ms = from == JOB_ACCEPTED ? 0 : 6;
            job.finished_ms = final ? 7 : 0;
            job.parts_done = from == JOB_DONE || to == JOB_DONE;
            job.error = from == JOB_FAILED || (allowed && to == JOB_FAILED) ? CUZK_E_IO : CUZK_OK;
            assert_int_equal(job_may_move((enum job_state)from, (enum job_state)to), allowed);
            assert_int_equal(job_move(&job, (enum job_state)to, 1), allowed);
            assert_int_equal(job.state, allowed ? to : from);
            assert_true(job_is_sound(&job));
            assert_true(job.finished_ms == 0 || job.finished_ms >= job.started_ms); /* though the clock was set back */
        }
}

typedef struct store_answer change_on(const char *id);

static struct store_answer on_running(const char *id) { return running(b.store, id); }
static struct store_answer on_part(const char *id) { return part(b.store, id, 0, "p"); }
static struct store_answer on_done(const char *id) { return done(b.store, id, "result"); }
static struct store_answer on_failed(const char *id) { return failed(b.store, id, "why"); }
static struct store_answer on_cancel(const char *id) { return cancel(b.store, id, "client left"); }
static struct store_answer on_other(const char *id) /* other content under the same request id */
{
    struct store_answer a = submit_text(b.store, "r", "other");

    assert_int_equal(a.status, CUZK_OK);
    assert_true(!a.superseded[0] || strcmp(a.superseded, id) == 0);
    a.changed = a.superseded[0] != '\0';
    assert_int_equal(cancel(b.store, a.job.id, NULL).status, CUZK_OK);
    assert_int_equal(store_get(b.store, id, &a.job, NULL), CUZK_OK);
    return a;
}

/* Every call in every state, through the store: what it makes of the job, or JOB_STATE_COUNT: nothing changes. */
static void every_call_in_every_state_does_what_the_table_says(void **state)
{
    enum { A = JOB_ACCEPTED, R = JOB_RUNNING, D = JOB_DONE, F = JOB_FAILED, C = JOB_CANCELLED, S = JOB_SUPERSEDED,
           N = JOB_STATE_COUNT };
    static change_on *const into[JOB_STATE_COUNT] = { NULL, on_running, on_done, on_failed, on_cancel, on_other };
    static const struct { change_on *call; int becomes[JOB_STATE_COUNT]; } cases[] = {
        { on_running, { R, N, N, N, N, N } }, { on_part, { A, R, N, N, N, N } },   { on_done, { D, D, N, N, N, N } },
        { on_failed, { F, F, N, N, N, N } },  { on_cancel, { C, C, N, N, N, N } }, { on_other, { S, S, N, N, N, N } },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int from = 0; from < JOB_STATE_COUNT; from++) {
            char                payload[32];
            struct store_job    before, after;
            struct store_answer a;
            int                 becomes = cases[i].becomes[from];

            (void)snprintf(payload, sizeof payload, "%zu %d", i, from);
            a = submit_text(b.store, "r", payload);
            assert_int_equal(a.status, CUZK_OK);
            if (into[from])
                assert_int_equal(into[from](a.job.id).status, CUZK_OK);
            assert_int_equal(store_get(b.store, a.job.id, &before, NULL), CUZK_OK);
            assert_int_equal(before.state, from);
            a = cases[i].call(before.id);
            assert_int_equal(a.status, CUZK_OK);
            assert_int_equal(a.changed, becomes != N);
            assert_int_equal(store_get(b.store, before.id, &after, NULL), CUZK_OK);
            assert_memory_equal(&after, &a.job, sizeof after);
            if (becomes == N)
                assert_memory_equal(&after, &before, sizeof after);
            else
                assert_int_equal(after.state, becomes);
            (void)cancel(b.store, before.id, NULL);
        }
}

static void a_job_that_is_not_there_is_not_found(void **state)
{
    char                long_id[400];
    uint8_t            *result;
    size_t              bytes;
    struct store_job    job;
    char                path[64];

    (void)state;
    memset(long_id, 'x', sizeof long_id);
    long_id[sizeof long_id - 1] = '\0';
    for (int i = 0; i < 3; i++) {
        const char *id = i == 0 ? "no" : i == 1 ? "" : long_id;

        assert_int_equal(running(b.store, id).status, CUZK_E_NOT_FOUND);
        assert_int_equal(part(b.store, id, 0, "p").status, CUZK_E_NOT_FOUND);
        assert_int_equal(done(b.store, id, "r").status, CUZK_E_NOT_FOUND);
        assert_int_equal(cancel(b.store, id, "r").status, CUZK_E_NOT_FOUND);
        assert_int_equal(store_get(b.store, id, &job, NULL), CUZK_E_NOT_FOUND);
        assert_int_equal(store_result(b.store, id, &result, &bytes, NULL), CUZK_E_NOT_FOUND);
        assert_int_equal(store_payload_path(b.store, id, path, sizeof path, NULL), CUZK_E_NOT_FOUND);
    }
}

static void the_first_result_stands(void **state)
{
    struct store_answer a = submit_text(b.store, "r", "x");
    uint8_t            *result;
    size_t              bytes;

    (void)state;
    assert_true(done(b.store, a.job.id, "first").changed);
    assert_false(done(b.store, a.job.id, "second").changed);
    assert_false(failed(b.store, a.job.id, "late").changed);
    assert_int_equal(store_result(b.store, a.job.id, &result, &bytes, NULL), CUZK_OK);
    assert_int_equal(bytes, 5);
    assert_memory_equal(result, "first", 5);
    mem_free(result);
}

/* ---- idempotency ---- */

static void the_same_content_attaches_unless_the_job_came_to_nothing(void **state)
{
    static const struct { change_on *call; bool attaches; } cases[] = {
        { NULL, true },       { on_running, true },  { on_done, true },
        { on_failed, false }, { on_cancel, false }, { on_other, false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char                payload[16];
        struct store_answer first, again;

        (void)snprintf(payload, sizeof payload, "same %zu", i);
        first = submit_text(b.store, "r", payload);
        assert_false(first.attached);
        if (cases[i].call)
            (void)cases[i].call(first.job.id);
        again = submit_text(b.store, "r", payload);
        assert_int_equal(again.status, CUZK_OK);
        assert_int_equal(again.attached, cases[i].attaches);
        assert_int_equal(again.changed, !cases[i].attaches);
        assert_int_equal(strcmp(first.job.id, again.job.id) == 0, cases[i].attaches);
        assert_string_equal(again.superseded, "");
        (void)cancel(b.store, again.job.id, NULL);
    }
    assert_int_equal(bench_files(&b, "payloads"), 0);
}

static void other_content_supersedes_only_what_is_unfinished(void **state)
{
    struct store_answer a = submit_text(b.store, "r", "1"), c, d;
    struct store_job    job;

    (void)state;
    c = submit_text(b.store, "r", "2");
    assert_false(c.attached);
    assert_string_equal(c.superseded, a.job.id);
    assert_int_equal(store_get(b.store, a.job.id, &job, NULL), CUZK_OK);
    assert_int_equal(job.state, JOB_SUPERSEDED);
    assert_non_null(strstr(job.error_text, c.job.id));
    assert_int_equal(done(b.store, c.job.id, "proof").status, CUZK_OK);
    d = submit_text(b.store, "r", "3");
    assert_false(d.attached);
    assert_string_equal(d.superseded, "");
    assert_int_equal(state_of(c.job.id), JOB_DONE);

    /* The content of the DONE one again: it is attached to, and what runs for other content gives way. */
    a = submit_text(b.store, "r", "2");
    assert_true(a.attached && !a.changed);
    assert_string_equal(a.job.id, c.job.id);
    assert_string_equal(a.superseded, d.job.id);
    assert_int_equal(state_of(d.job.id), JOB_SUPERSEDED);
    assert_int_equal(bench_files(&b, "payloads"), 0);
}

static void what_makes_content_the_same_is_all_of_it(void **state)
{
    static const uint8_t digest_a[STORE_DIGEST_BYTES] = { 1 }, digest_b[STORE_DIGEST_BYTES] = { 2 };
    struct store_request request = request_for("r");
    struct store_answer  a, c;

    (void)state;
    request.circuit_digest = digest_a;
    a = submit(b.store, &request, "x", 1);
    request.priority = PRIORITY_LOW; /* these are no content */
    request.parts = 9;
    request.deadline_ms = 5;
    assert_true(submit(b.store, &request, "x", 1).attached);
    for (int i = 0; i < 4; i++) {
        struct store_request other = request;

        other.circuit_digest = i == 0 ? digest_b : i == 1 ? NULL : digest_a;
        other.kind = i == 2 ? "circuitm" : "circuit";
        other.circuit = i == 2 ? "ultiplier" : "multiplier";
        c = submit(b.store, &other, i == 3 ? "xx" : "x", i == 3 ? 2 : 1);
        assert_false(c.attached);
        assert_string_equal(c.superseded, a.job.id);
        a = c;
    }
}

static void tenants_and_jobs_without_a_request_id_never_meet(void **state)
{
    struct store_request one = request_for("r"), two = request_for("r"), none = request_for("");
    struct store_answer  a, c;

    (void)state;
    two.tenant = "other";
    a = submit(b.store, &one, "x", 1);
    c = submit(b.store, &two, "x", 1);
    assert_true(!c.attached && !c.superseded[0] && strcmp(a.job.id, c.job.id) != 0);
    c = submit(b.store, &two, "y", 1);
    assert_int_equal(state_of(a.job.id), JOB_ACCEPTED);
    a = submit(b.store, &none, "x", 1);
    c = submit(b.store, &none, "x", 1);
    assert_true(!c.attached && strcmp(a.job.id, c.job.id) != 0);
    none.request_id = NULL;
    assert_false(submit(b.store, &none, "x", 1).attached);
}

static void attaching_widens_the_job_and_never_narrows_it(void **state)
{
    static const struct { int64_t has, asked, becomes; } deadlines[] = {
        { 5, 7, 7 }, { 7, 5, 7 }, { 5, 0, 0 }, { 0, 5, 0 }, { 0, 0, 0 },
    };
    struct store_request request = request_for("r");
    struct store_answer  a;

    (void)state;
    for (size_t i = 0; i < sizeof deadlines / sizeof deadlines[0]; i++) {
        request.deadline_ms = deadlines[i].has;
        a = submit(b.store, &request, &i, sizeof i);
        request.deadline_ms = deadlines[i].asked;
        a = submit(b.store, &request, &i, sizeof i);
        assert_true(a.attached && a.job.deadline_ms == deadlines[i].becomes);
    }
    request.priority = PRIORITY_HIGH;
    request.detached = true;
    a = submit_text(b.store, "s", "x");
    request.request_id = "s";
    a = submit(b.store, &request, "x", 1);
    assert_true(a.attached && a.job.priority == PRIORITY_HIGH && a.job.detached);
    a = submit_text(b.store, "s", "x");
    assert_true(a.attached && a.job.priority == PRIORITY_HIGH && a.job.detached);
    bench_reopen(&b);
    assert_int_equal(store_get(b.store, a.job.id, &a.job, NULL), CUZK_OK);
    assert_true(a.job.priority == PRIORITY_HIGH && a.job.detached);
}

static void a_fixed_id_is_kept_unless_another_job_has_it(void **state)
{
    struct store_request request = request_for("wdpost-1000-0-[1 2 3]");
    struct store_answer  a, c;

    (void)state;
    request.job_id = request.request_id;
    a = submit(b.store, &request, "x", 1);
    assert_string_equal(a.job.id, request.request_id);
    assert_string_equal(submit(b.store, &request, "x", 1).job.id, request.request_id);
    c = submit(b.store, &request, "y", 1); /* superseding: the old job keeps its id */
    assert_int_equal(strlen(c.job.id), 36);
    (void)failed(b.store, c.job.id, "x");
    request.tenant = "other";
    c = submit(b.store, &request, "x", 1);
    assert_true(c.status == CUZK_OK && strlen(c.job.id) == 36);
    assert_int_equal(state_of(a.job.id), JOB_SUPERSEDED);
}

/* ---- parts ---- */

static void see_part(void *context, uint32_t index, const void *proof, size_t bytes)
{
    char *text = context;

    (void)snprintf(text + strlen(text), 128 - strlen(text), "%u=%.*s ", (unsigned)index, (int)bytes,
                   (const char *)proof);
}

static void parts_survive_until_the_job_is_final(void **state)
{
    struct store_request request = request_for("r");
    struct store_answer  a, p;
    char                 text[128] = "";

    (void)state;
    request.parts = 12;
    a = submit(b.store, &request, "x", 1);
    assert_true(part(b.store, a.job.id, 11, "eleven").changed);
    assert_true(part(b.store, a.job.id, 2, "two").changed);
    p = part(b.store, a.job.id, 2, "again");
    assert_true(p.status == CUZK_OK && !p.changed && p.job.parts_done == 2);
    assert_int_equal(part(b.store, a.job.id, 12, "out").status, CUZK_E_INPUT);
    assert_true(part(b.store, a.job.id, 0, "").changed);
    bench_reopen(&b);
    assert_int_equal(store_parts(b.store, a.job.id, see_part, text, NULL), CUZK_OK);
    assert_string_equal(text, "0= 2=two 11=eleven ");
    assert_int_equal(done(b.store, a.job.id, "all").job.parts_done, 12);
    text[0] = '\0';
    assert_int_equal(store_parts(b.store, a.job.id, see_part, text, NULL), CUZK_OK);
    assert_string_equal(text, "");
}

static void a_proof_too_large_is_refused(void **state)
{
    struct store_answer a = submit_text(b.store, "r", "x");
    struct reply        r = REPLY;
    char                byte = 0;

    (void)state;
    store_part(b.store, a.job.id, 0, &byte, STORE_PROOF_BYTES_MAX + 1, reply_set, &r); /* refused before it is read */
    assert_int_equal(reply_wait(&r).status, CUZK_E_INPUT);
}

/* ---- restart ---- */

static void unfinished_jobs_are_delivered_oldest_first_and_then_each_new_one(void **state)
{
    struct store_answer a[6];

    (void)state;
    for (int i = 0; i < 6; i++) {
        char text[16];

        (void)snprintf(text, sizeof text, "%d", i);
        a[i] = submit_text(b.store, text, text);
    }
    (void)running(b.store, a[4].job.id);
    (void)running(b.store, a[1].job.id);
    (void)done(b.store, a[2].job.id, "proof");
    (void)cancel(b.store, a[3].job.id, "x");
    assert_int_equal(b.delivered_count, 0); /* not started */
    bench_reopen(&b);
    assert_int_equal(b.delivered_count, 0);
    a[3] = submit_text(b.store, "new", "before the start");
    assert_int_equal(store_start(b.store, NULL), CUZK_OK);
    assert_int_equal(b.delivered_count, 5);
    assert_string_equal(b.delivered[0].id, a[0].job.id);
    assert_string_equal(b.delivered[1].id, a[1].job.id);
    assert_int_equal(b.delivered[1].state, JOB_RUNNING);
    assert_string_equal(b.delivered[2].id, a[4].job.id);
    assert_string_equal(b.delivered[3].id, a[5].job.id);
    assert_string_equal(b.delivered[4].id, a[3].job.id);
    a[0] = submit_text(b.store, "newer", "after it");
    (void)submit_text(b.store, "newer", "after it"); /* attached: not delivered again */
    assert_int_equal(store_start(b.store, NULL), CUZK_OK);
    bench_close(&b);
    assert_int_equal(b.delivered_count, 6);
    assert_memory_equal(&b.delivered[5], &a[0].job, sizeof a[0].job);
}

static void what_no_row_names_goes_at_the_next_open(void **state)
{
    struct store_answer a = submit_text(b.store, "r", "x");
    static const char *const orphans[] = { "payloads/left.part", "payloads/left", "circuits/left" };

    (void)state;
    bench_close(&b);
    for (size_t i = 0; i < sizeof orphans / sizeof orphans[0]; i++) {
        char  path[128];
        FILE *f;

        (void)snprintf(path, sizeof path, "%s/%s", b.path, orphans[i]);
        f = fopen(path, "wb");
        assert_non_null(f);
        assert_int_equal(fputs("orphan", f) >= 0, 1);
        (void)fclose(f);
    }
    assert_int_equal(bench_open(&b, NULL), CUZK_OK);
    assert_int_equal(bench_files(&b, "payloads"), 1);
    assert_int_equal(bench_files(&b, "circuits"), 0);
    assert_int_equal(store_counts(b.store).payload_bytes, a.job.payload_bytes);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(the_folder_is_private_and_one_stores_only),
        TEST(an_accepted_job_is_what_was_asked_and_its_payload_is_there),
        TEST(a_done_job_has_its_result_and_nothing_else),
        TEST(an_empty_payload_and_an_empty_result_are_kept),
        cmocka_unit_test(the_table_allows_these_moves_and_no_other),
        TEST(every_call_in_every_state_does_what_the_table_says),
        TEST(a_job_that_is_not_there_is_not_found),
        TEST(the_first_result_stands),
        TEST(the_same_content_attaches_unless_the_job_came_to_nothing),
        TEST(other_content_supersedes_only_what_is_unfinished),
        TEST(what_makes_content_the_same_is_all_of_it),
        TEST(tenants_and_jobs_without_a_request_id_never_meet),
        TEST(attaching_widens_the_job_and_never_narrows_it),
        TEST(a_fixed_id_is_kept_unless_another_job_has_it),
        TEST(parts_survive_until_the_job_is_final),
        TEST(a_proof_too_large_is_refused),
        TEST(unfinished_jobs_are_delivered_oldest_first_and_then_each_new_one),
        TEST(what_no_row_names_goes_at_the_next_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
