/* tests/unit/test_log.c - log lines: what they look like, when they are held back, what hostile values cannot do. */
#define _GNU_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "wire/json.h"

#define THREADS 4
#define ROUNDS  2000

static int  ends[2]; /* of a pipe: the log writes to ends[1] */
static char got[1 << 20];

static int pipe_open(void **state)
{
    (void)state;
    (void)unsetenv("JOURNAL_STREAM");
    (void)signal(SIGPIPE, SIG_IGN);
    return pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 ? 0 : -1;
}

static int pipe_close(void **state)
{
    (void)state;
    log_start(-1, LOG_LOGFMT, LEVEL_INFO);
    (void)close(ends[0]);
    (void)close(ends[1]);
    return 0;
}

/* All that is in the pipe, as a string. */
static const char *take(void)
{
    ssize_t n = read(ends[0], got, sizeof got - 1);

    got[n > 0 ? n : 0] = '\0';
    return got;
}

static void assert_matches(const char *text, const char *pattern)
{
    regex_t regex;

    assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    if (regexec(&regex, text, 0, NULL, 0) != 0)
        fail_msg("%s does not match %s", text, pattern);
    regfree(&regex);
}

/* What follows the event's name in a logfmt line with one value. */
static const char *shown(const char *value)
{
    static struct log_event event = LOG_EVENT("seen", LEVEL_INFO, 0);
    struct log_line         l;

    assert_true(log_begin(&l, &event));
    log_text(&l, "v", value);
    log_end(&l);
    return strstr(take(), " seen v=") + strlen(" seen v=");
}

static void one_of_each(void)
{
    static struct log_event event = LOG_EVENT("job_done", LEVEL_INFO, 0);
    static const uint8_t    digest[3] = { 0x0a, 0xff, 0x10 };
    struct log_line         l;

    assert_true(log_begin(&l, &event));
    log_text(&l, "job", "7f3a");
    log_u64(&l, "parts", UINT64_MAX);
    log_i64(&l, "delta", INT64_MIN);
    log_ms(&l, "took_ms", 1234567890);
    log_bool(&l, "verified", true);
    log_digest(&l, "content", digest, sizeof digest);
    log_text(&l, "text", "two \"words\"");
    log_end(&l);
}

static void a_line_is_time_level_event_and_values(void **state)
{
    (void)state;
    log_start(ends[1], LOG_LOGFMT, LEVEL_INFO);
    one_of_each();
    assert_matches(take(), "^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9:]{8}\\.[0-9]{6}Z info job_done job=7f3a "
                           "parts=18446744073709551615 delta=-9223372036854775808 took_ms=1234\\.567 verified=true "
                           "content=0aff10 text=\"two \\\\\"words\\\\\"\"\n$");
}

static void a_json_line_is_one_object(void **state)
{
    static const char *const names[] = { "time", "level", "event", "job", "parts", "took_ms", "verified", "text" };
    struct json              j;
    struct json_value        root, v[8];
    char                     text[64];
    uint64_t                 parts;

    (void)state;
    log_start(ends[1], LOG_JSON, LEVEL_INFO);
    one_of_each();
    (void)take();
    assert_int_equal(json_open(&j, &root, got, strlen(got), "log", NULL, NULL), CUZK_OK);
    assert_int_equal(json_members(v, names, 8, &j, &root, NULL), CUZK_OK);
    assert_true(json_string_copy(text, sizeof text, &j, &v[2]));
    assert_string_equal(text, "job_done");
    assert_true(json_u64(&parts, &j, &v[4]) && parts == UINT64_MAX);
    assert_int_equal(v[5].kind, JSON_NUMBER);
    assert_int_equal(v[6].kind, JSON_TRUE);
    assert_true(json_string_copy(text, sizeof text, &j, &v[7]));
    assert_string_equal(text, "two \"words\"");
    assert_int_equal(got[strlen(got) - 1], '\n');
}

static void the_journal_gets_a_priority_and_no_time(void **state)
{
    static struct log_event event = LOG_EVENT("bad", LEVEL_ERROR, 0);
    struct stat             info;
    struct log_line         l;
    char                    stream[64];

    (void)state;
    assert_int_equal(fstat(ends[1], &info), 0);
    (void)snprintf(stream, sizeof stream, "%llu:%llu", (unsigned long long)info.st_dev,
                   (unsigned long long)info.st_ino);
    assert_int_equal(setenv("JOURNAL_STREAM", stream, 1), 0);
    log_start(ends[1], LOG_LOGFMT, LEVEL_INFO);
    assert_true(log_begin(&l, &event));
    log_u64(&l, "n", 1);
    log_end(&l);
    assert_string_equal(take(), "<3>bad n=1\n");
    log_start(ends[1], LOG_JSON, LEVEL_INFO);
    assert_true(log_begin(&l, &event));
    log_end(&l);
    assert_matches(take(), "^<3>\\{\"time\":\".*\",\"level\":\"error\",\"event\":\"bad\"\\}\n$");
    assert_int_equal(setenv("JOURNAL_STREAM", "1:1", 1), 0); /* somebody else's */
    log_start(ends[1], LOG_LOGFMT, LEVEL_INFO);
    assert_true(log_begin(&l, &event));
    log_end(&l);
    assert_matches(take(), "^20.* error bad\n$");
    (void)unsetenv("JOURNAL_STREAM");
}

static void a_value_cannot_break_its_line(void **state)
{
    (void)state;
    log_start(ends[1], LOG_LOGFMT, LEVEL_INFO);
    assert_string_equal(shown("plain-1.5/x"), "plain-1.5/x\n");
    assert_string_equal(shown(""), "\"\"\n");
    assert_string_equal(shown("a=b"), "\"a=b\"\n");
    assert_string_equal(shown("a\nb\r\t\\"), "\"a\\nb\\r\\t\\\\\"\n");
    assert_string_equal(shown("\x1b[31m\x7f"), "\"\\u001b[31m\\u007f\"\n");
    assert_string_equal(shown("\xc3\xa9"), "\"\xc3\xa9\"\n");
    assert_string_equal(shown("\xc2\x9b" "31m"), "\"\\u009b31m\"\n"); /* the 8-bit form of escape [ */
    assert_string_equal(shown("a\xff\xc3"), "\"a\xef\xbf\xbd\xef\xbf\xbd\"\n");
}

static void long_values_are_cut_and_lines_say_so(void **state)
{
    static struct log_event event = LOG_EVENT("long", LEVEL_INFO, 0);
    struct log_line         l;
    char                    value[4096];

    (void)state;
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    log_start(ends[1], LOG_LOGFMT, LEVEL_INFO);
    assert_string_equal(strstr(shown(value), "x..."), "x...\"\n");
    value[LOG_VALUE_BYTES] = '\0';
    assert_int_equal(strlen(shown(value)), LOG_VALUE_BYTES + 1); /* just fits: no quotes, no dots */
    for (int format = 0; format < LOG_FORMAT_COUNT; format++) {
        log_start(ends[1], (enum log_format)format, LEVEL_INFO);
        assert_true(log_begin(&l, &event));
        log_text(&l, "a", value);
        log_text(&l, "b", value);
        log_text(&l, "c", value); /* no room for all of it: none */
        log_u64(&l, "d", 1);      /* would fit, but a hole would mislead */
        log_end(&l);
        assert_null(strstr(take(), format == LOG_JSON ? "\"c\"" : " c="));
        assert_non_null(strstr(got, format == LOG_JSON ? ",\"cut\":true}\n" : " cut=true\n"));
        assert_null(strstr(got, format == LOG_JSON ? "\"d\"" : " d="));
        assert_true(strlen(got) <= LOG_LINE_BYTES);
    }
}

static void the_level_can_change_while_it_runs(void **state)
{
    static struct log_event debug = LOG_EVENT("detail", LEVEL_DEBUG, 0), error = LOG_EVENT("bad", LEVEL_ERROR, 0);
    struct log_line         l;

    (void)state;
    log_start(ends[1], LOG_LOGFMT, LEVEL_INFO);
    assert_false(log_begin(&l, &debug));
    log_set_level(LEVEL_DEBUG);
    assert_int_equal(log_get_level(), LEVEL_DEBUG);
    assert_true(log_begin(&l, &debug));
    log_end(&l);
    log_set_level(LEVEL_ERROR);
    assert_false(log_begin(&l, &debug));
    assert_true(log_begin(&l, &error));
    log_end(&l);
    assert_matches(take(), "^[^\n]* debug detail\n[^\n]* error bad\n$");
    log_start(-1, LOG_LOGFMT, LEVEL_TRACE);
    assert_false(log_begin(&l, &error));
}

static void an_event_that_repeats_is_held_back_and_counted(void **state)
{
    static struct log_event event = LOG_EVENT("again", LEVEL_WARN, 3), other = LOG_EVENT("other", LEVEL_WARN, 3);
    struct log_line         l;
    uint64_t                written = 0, held_back = 0;

    (void)state;
    log_start(ends[1], LOG_LOGFMT, LEVEL_INFO);
    for (int i = 0; i < 100; i++) {
        if (log_begin(&l, &event)) {
            written++;
            log_end(&l);
        }
    }
    assert_in_range(written, 3, 6); /* the second may turn once */
    assert_true(log_begin(&l, &other));
    log_end(&l);
    (void)take();
    usleep(1100000);
    assert_true(log_begin(&l, &event));
    log_end(&l);
    assert_non_null(strstr(take(), " again suppressed="));
    held_back = strtoull(strchr(got, '=') + 1, NULL, 10);
    assert_true(held_back > 0 && held_back <= 100 - written);
}

static void a_slow_reader_costs_lines_and_no_time(void **state)
{
    static struct log_event event = LOG_EVENT("flood", LEVEL_INFO, 0);
    struct log_line         l;
    char                    expected[64];
    uint64_t                dropped;

    (void)state;
    log_start(ends[1], LOG_LOGFMT, LEVEL_INFO);
    for (int i = 0; i < 10000; i++) { /* far more than the pipe holds: would block for ever */
        assert_true(log_begin(&l, &event));
        log_text(&l, "text", "some fifty bytes of text so that the pipe fills up soon");
        log_end(&l);
    }
    dropped = log_dropped();
    assert_true(dropped > 0 && dropped < 10000);
    while (take()[0])
        ;
    assert_true(log_begin(&l, &event));
    log_end(&l);
    (void)snprintf(expected, sizeof expected, " flood dropped=%llu\n", (unsigned long long)dropped);
    assert_non_null(strstr(take(), expected));
    assert_true(log_begin(&l, &event)); /* told once */
    log_end(&l);
    assert_null(strstr(take(), "dropped"));
}

static void a_line_keeps_errno(void **state)
{
    static struct log_event event = LOG_EVENT("kept", LEVEL_INFO, 0);
    struct log_line         l;

    (void)state;
    (void)close(ends[0]);
    log_start(ends[1], LOG_LOGFMT, LEVEL_INFO);
    errno = ENOENT;
    if (log_begin(&l, &event)) {
        log_end(&l);
        assert_int_equal(errno, ENOENT);
    }
    assert_int_equal(log_dropped(), 1); /* nobody reads */
    ends[0] = -1;
}

static void an_error_is_shown_with_its_class(void **state)
{
    static struct log_event event = LOG_EVENT("refused", LEVEL_WARN, 0);
    struct cuzk_err         err;
    struct log_line         l;

    (void)state;
    log_start(ends[1], LOG_LOGFMT, LEVEL_INFO);
    (void)err_set(&err, CUZK_E_BUSY, "over budget");
    assert_true(log_begin(&l, &event));
    log_err(&l, &err);
    log_end(&l);
    assert_matches(take(), " warn refused class=busy error=\"over budget\"\n$");
}

static void *write_lines(void *argument)
{
    static struct log_event event = LOG_EVENT("line", LEVEL_INFO, 0), rare = LOG_EVENT("rare", LEVEL_INFO, 5);
    struct log_line         l;

    for (uint64_t i = 0; i < ROUNDS; i++) {
        if (log_begin(&l, &event)) {
            log_u64(&l, "thread", (uint64_t)(uintptr_t)argument);
            log_u64(&l, "i", i);
            log_end(&l);
        }
        if (log_begin(&l, &rare))
            log_end(&l);
        log_set_level(i % 2 ? LEVEL_INFO : LEVEL_DEBUG);
    }
    return NULL;
}

static void lines_of_many_threads_stay_whole(void **state)
{
    FILE     *file = tmpfile();
    pthread_t threads[THREADS];
    char      line[256];
    uint64_t  next[THREADS] = { 0 }, thread, i;

    (void)state;
    assert_non_null(file);
    log_start(fileno(file), LOG_LOGFMT, LEVEL_INFO);
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, write_lines, (void *)(uintptr_t)t), 0);
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(threads[t], NULL), 0);
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        const char *values = strstr(line, " line thread=");
        char        end;

        if (!values) {
            assert_non_null(strstr(line, " info rare"));
            continue;
        }
        assert_int_equal(sscanf(values, " line thread=%lu i=%lu%c", &thread, &i, &end), 3);
        assert_true(thread < THREADS && i == next[thread] && end == '\n');
        next[thread]++;
    }
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(next[t], ROUNDS);
    (void)fclose(file);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, pipe_open, pipe_close)
    const struct CMUnitTest tests[] = {
        CASE(a_line_is_time_level_event_and_values),
        CASE(a_json_line_is_one_object),
        CASE(the_journal_gets_a_priority_and_no_time),
        CASE(a_value_cannot_break_its_line),
        CASE(long_values_are_cut_and_lines_say_so),
        CASE(the_level_can_change_while_it_runs),
        CASE(an_event_that_repeats_is_held_back_and_counted),
        CASE(a_slow_reader_costs_lines_and_no_time),
        CASE(a_line_keeps_errno),
        CASE(an_error_is_shown_with_its_class),
        CASE(lines_of_many_threads_stay_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
