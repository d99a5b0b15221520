/* tests/unit/test_config.c - settings: defaults, file, environment, flags, and everything that must be refused. */
#define _GNU_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "config/config.h"
#include "config/config_table.h"

#define GIB ((uint64_t)1 << 30)

static char file_path[] = "/tmp/cuzk-test-config-XXXXXX";

static char   notes[4096]; /* one a line */
static size_t note_count;

static void take_note(void *context, const char *text)
{
    size_t used = strlen(notes);

    assert_ptr_equal(context, notes);
    (void)snprintf(notes + used, sizeof notes - used, "%s\n", text);
    note_count++;
}

static void put_file(const char *text)
{
    FILE *f = fopen(file_path, "w");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

static cuzk_status read_text(struct config *c, const char *text, struct cuzk_err *err)
{
    notes[0] = '\0';
    note_count = 0;
    put_file(text);
    config_init(c);
    return config_read_file(c, file_path, take_note, notes, err);
}

static void assert_reads(struct config *c, const char *text)
{
    struct cuzk_err err;
    char            line[1024];

    if (read_text(c, text, &err) != CUZK_OK) {
        (void)err_format(line, sizeof line, &err);
        fail_msg("%s: %s", text, line);
    }
}

/* Refused when read or when finished, with all of this in the message. */
static void assert_refused(const char *text, const char *place, const char *message)
{
    struct config   c;
    struct cuzk_err err;
    char            line[1024];
    cuzk_status     st = read_text(&c, text, &err);

    if (st == CUZK_OK)
        st = config_finish(&c, &err);
    if (st != CUZK_E_INPUT)
        fail_msg("status %d for %s", st, text);
    (void)err_format(line, sizeof line, &err);
    if (!strstr(line, file_path) || !strstr(line, place) || !strstr(line, message))
        fail_msg("%s: %s; wanted %s and %s", text, line, place, message);
    config_fini(&c);
}

static void nothing_set_is_all_defaults(void **state)
{
    struct config   c;
    struct cuzk_err err;

    (void)state;
    assert_reads(&c, "");
    assert_string_equal(c.listen, "unix:///run/curio/cuzk.sock");
    assert_string_equal(c.status_listen, "");
    assert_false(c.insecure_tcp);
    assert_true(c.drain_limit_ms == 300000);
    assert_true(c.message_bytes_max == GIB / 2);
    assert_true(c.payload_bytes_max == CONFIG_AUTO && c.memory_bytes == CONFIG_AUTO);
    assert_true(c.memory_margin_bytes == 5 * GIB);
    assert_true(c.result_age_ms == (uint64_t)7 * 86400000);
    assert_int_equal(c.gpu_devices.count, 0);
    assert_int_equal(c.circuits_preload.count, 0);
    assert_int_equal(c.log_level, LEVEL_INFO);
    assert_int_equal(c.log_format, LOG_LOGFMT);
    assert_int_equal(config_finish(&c, &err), CUZK_OK);
    assert_int_equal(note_count, 0);
    config_fini(&c);
    config_fini(&c);
}

static void a_file_sets_every_type(void **state)
{
    struct config   c;
    struct cuzk_err err;

    (void)state;
    assert_reads(&c, "logging.level = \"trace\"\nlogging.format = 'json'\n"
                     "[daemon]\nlisten = \"[::1]:9820\"\nstatus_listen = \"unix:///run/cuzk/http.sock\"\n"
                     "insecure_tcp = true\ndrain_limit = 90\nmessage_max = 1_048_576\n"
                     "[store]\ndir = \"/srv/cuzk\"\nresult_age = \"36h\"\nresults_max = 0\npayload_budget = \"1 TB\"\n"
                     "[circuits]\npreload = [\"a\", \"b\"]\n[gpus]\ndevices = [1, 0]\ngpu_threads = 32\n"
                     "[memory]\ntotal_budget = \"256GiB\"\nsafety_margin = \"0\"\neviction_min_idle = \"300\"\n");
    assert_int_equal(config_finish(&c, &err), CUZK_OK);
    assert_string_equal(c.listen, "[::1]:9820");
    assert_true(c.insecure_tcp);
    assert_true(c.drain_limit_ms == 90000 && c.message_bytes_max == 1 << 20);
    assert_string_equal(c.store_dir, "/srv/cuzk");
    assert_true(c.result_age_ms == 36 * 3600000 && c.results_max == 0 && c.payload_bytes_max == 1000000000000);
    assert_int_equal(c.circuits_preload.count, 2);
    assert_string_equal(c.circuits_preload.value[1], "b");
    assert_int_equal(c.gpu_devices.count, 2);
    assert_int_equal(c.gpu_devices.value[0], 1);
    assert_int_equal(c.gpu_threads, 32);
    assert_true(c.memory_bytes == 256 * GIB && c.memory_margin_bytes == 0 && c.eviction_idle_ms == 300000);
    assert_int_equal(c.log_level, LEVEL_TRACE);
    assert_int_equal(c.log_format, LOG_JSON);
    config_fini(&c);
}

static void the_words_of_the_log_are_those_of_its_header(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LEVEL_COUNT; i++) {
        uint32_t index = LEVEL_COUNT;

        assert_true(config_parse_word(&index, config_options[OPT_ID_logging_level].words, log_level_name[i]));
        assert_int_equal(index, i);
    }
    for (uint32_t i = 0; i < LOG_FORMAT_COUNT; i++) {
        uint32_t index = LOG_FORMAT_COUNT;

        assert_true(config_parse_word(&index, config_options[OPT_ID_logging_format].words, log_format_name[i]));
        assert_int_equal(index, i);
    }
}

/* All keys of the existing daemon's file. */
static void an_older_file_is_taken_and_its_dead_keys_are_noted(void **state)
{
    struct config   c;
    struct cuzk_err err;

    (void)state;
    assert_reads(&c,
                 "[daemon]\nlisten = \"unix:///run/curio/cuzk.sock\"\nstatus_listen = \"\"\n"
                 "[srs]\nparam_cache = \"/data/params\"\npreload = [\"porep-32g\"]\n"
                 "[memory]\ntotal_budget = \"auto\"\nsafety_margin = \"5GiB\"\neviction_min_idle = \"5m\"\n"
                 "pinned_budget = \"50GiB\"\nworking_memory_budget = \"auto\"\n"
                 "[gpus]\ndevices = []\ngpu_threads = 32\ngpu_workers_per_device = 2\n"
                 "[scheduler]\nmax_batch_size = 1\nmax_batch_wait_ms = 10000\nsort_by_type = true\n"
                 "[synthesis]\nthreads = 0\npartition_workers = 4\n"
                 "[pipeline]\nenabled = true\nsynthesis_lookahead = 1\nsynthesis_concurrency = 1\n"
                 "max_parallel_synthesis = 18\nslot_size = 0\nmax_gpu_queue_depth = 8\n[logging]\nlevel = \"info\"\n");
    assert_int_equal(config_finish(&c, &err), CUZK_OK);
    assert_int_equal(note_count, 11);
    assert_non_null(strstr(notes, "memory.pinned_budget has no effect any more; instead: memory.total_budget\n"));
    assert_non_null(strstr(notes, "srs.preload has no effect any more; instead: circuits.preload\n"));
    assert_string_equal(c.param_cache, "/data/params");
    assert_int_equal(c.ready_parts_max, 8);
    config_fini(&c);
}

static void what_is_wrong_is_refused_with_line_and_key(void **state)
{
    static const struct { const char *text, *place, *message; } cases[] = {
        /* unknown */
        { "[deamon]\n", "line 1, column 2", "unknown table deamon: did you mean daemon?" },
        { "[zzzzzz]\n", "line 1, column 2", "unknown table zzzzzz" },
        { "[daemon]\nlisten_addr = 1\n", "line 2, column 1", "unknown key daemon.listen_addr" },
        { "[daemon]\n\nlsiten = 1\n", "line 3, column 1", "did you mean daemon.listen?" },
        { "[daemon]\ntotal_budget = \"1GiB\"\n", "line 2", "did you mean memory.total_budget?" },
        { "listen = \"a:1\"\n", "line 1, column 1", "did you mean daemon.listen?" },
        { "daemon = 5\n", "line 1, column 1", "daemon is an integer (expected a table)" },
        { "[[daemon]]\n", "line 1, column 3", "daemon is an array (expected a table)" },
        { "[daemon]\n\"listen\\u0000\" = 1", "line 2, column 1", "unknown key" },
        { "[daemon\n", "line 1, column 8", "] after the name" },
        /* of the wrong kind */
        { "[daemon]\nlisten = 5\n", "line 2, column 10", "field daemon.listen" },
        { "[daemon]\nlisten = 5\n", "is an integer", "(expected unix:///PATH or HOST:PORT)" },
        { "[daemon]\ninsecure_tcp = \"true\"\n", "line 2, column 16", "is a string (expected true or false)" },
        { "[gpus]\ngpu_threads = \"2\"\n", "is a string", "(expected a number from 0 to 1024)" },
        { "[gpus]\ngpu_threads = 2.0\n", "line 2", "is a float" },
        { "[gpus]\ndevices = 0\n", "line 2", "is an integer" },
        { "[gpus]\ndevices = [0, \"1\"]\n", "line 2, column 15", "a list of different numbers" },
        { "[circuits]\npreload = [\"a\", 1]\n", "line 2, column 17", "a list of strings" },
        { "[store]\ndir = \"a\\u0000b\"\n", "line 2", "is a string" },
        { "[store]\nresult_age = 1979-05-27\n", "line 2", "is a date" },
        { "[memory]\npinned_budget = true\n", "line 2", "is a boolean" },
        { "[synthesis]\npartition_workers = -1\n", "line 2", "is -1" },
        /* out of range, or not what it should be */
        { "[gpus]\ngpu_threads = 1025\n", "line 2, column 15", "is 1025 (expected a number from 0 to 1024)" },
        { "[gpus]\ngpu_threads = -1\n", "line 2", "is -1" },
        { "[gpus]\ngpu_workers_per_device = 4294967297\n", "line 2", "from 1 to 16" },
        { "[gpus]\ndevices = [0, 1, 0]\n", "line 2, column 18", "different" },
        { "[gpus]\ndevices = [1024]\n", "line 2, column 12", "1023" },
        { "[memory]\ntotal_budget = \"50 GiBs\"\n", "is 50 GiBs", "\"auto\" or a size such as \"5GiB\"" },
        { "[memory]\ntotal_budget = \"fifty\"\n", "line 2", "is fifty" },
        { "[memory]\ntotal_budget = \"\"\n", "line 2", "is empty" },
        { "[memory]\ntotal_budget = \"1MiB\"\n", "line 2", "of at least 64MiB" },
        { "[memory]\ntotal_budget = \"16777216TiB\"\n", "line 2", "is 16777216TiB" },
        { "[memory]\nsafety_margin = \"auto\"\n", "line 2", "is auto" },
        { "[memory]\nsafety_margin = \"18446744073709551615\"\n", "line 2", "is 18446744073709551615" },
        { "[memory]\neviction_min_idle = \"5 minutes\"\n", "line 2", "a time such as \"5m\"" },
        { "[daemon]\ndrain_limit = \"25h\"\n", "line 2", "from 0 to 1d" },
        { "[daemon]\nmessage_max = 5\n", "line 2", "from 1MiB to 2GiB" },
        { "[daemon]\nlisten = \"\"\n", "line 2", "is empty" },
        { "[daemon]\nlisten = \"unix://run/x\"\n", "line 2", "is unix://run/x" },
        { "[daemon]\nlisten = \"unix:///\"\n", "line 2", "unix:///PATH" },
        { "[daemon]\nlisten = \"localhost\"\n", "line 2", "is localhost" },
        { "[daemon]\nlisten = \"localhost:65536\"\n", "line 2", "HOST:PORT" },
        { "[daemon]\nlisten = \":9820\"\n", "line 2", "HOST:PORT" },
        { "[daemon]\nlisten = \"::1:9820\"\n", "line 2", "HOST:PORT" },
        { "[daemon]\nlisten = \"[::g]:9820\"\n", "line 2", "HOST:PORT" },
        { "[daemon]\nlisten = \"http://a:1\"\n", "line 2", "HOST:PORT" },
        { "[logging]\nlevel = \"loud\"\n", "line 2, column 9", "is loud (expected one of error, warn, info, debug" },
        { "[logging]\nlevel = \"error|warn\"\n", "line 2", "one of" },
        { "[circuits]\npreload = [\"\"]\n", "line 2", "a list of strings" },
        /* in contradiction */
        { "[daemon]\nlisten = \"0.0.0.0:9820\"\n", "line 2, column 10", "TCP without TLS" },
        { "[daemon]\nstatus_listen = \"127.0.0.1:9821\"\n", "daemon.status_listen", "daemon.insecure_tcp = true" },
        { "[tls]\ncertificate = \"a.pem\"\n", "line 2, column 15", "tls.key is not" },
        { "[tls]\nkey = \"a.pem\"\n", "line 2, column 7", "tls.certificate is not" },
        { "[tls]\nclient_ca = \"a.pem\"\n", "line 2", "tls.certificate is not" },
        { "daemon.insecure_tcp = true\n[tls]\ncertificate = \"a\"\nkey = \"b\"\n", "line 1", "tls.certificate is set" },
        { "[daemon]\nlisten = \"unix:///a\"\nstatus_listen = \"unix:///a\"\n", "line 3", "also that of daemon.listen" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].text, cases[i].place, cases[i].message);
}

static void tls_or_the_opt_out_allow_tcp(void **state)
{
    static const char *const texts[] = {
        "[daemon]\nlisten = \"0.0.0.0:9820\"\ninsecure_tcp = true\n",
        "[daemon]\nlisten = \"a-b.example:0\"\n[tls]\ncertificate = \"c\"\nkey = \"k\"\nclient_ca = \"a\"\n",
    };
    struct config   c;
    struct cuzk_err err;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_reads(&c, texts[i]);
        assert_int_equal(config_finish(&c, &err), CUZK_OK);
        assert_true(config_is_tcp(c.listen) && !config_is_tcp(c.status_listen));
        config_fini(&c);
    }
}

static void flags_go_before_variables_before_the_file(void **state)
{
    char *const variables[] = { "PATH=/bin", "CUZKD_GPUS_GPU_THREADS=2", "CUZKD_GPUS_DEVICES=3,1",
                                "CUZKD_STORE_RESULTS_MAX=5", "CUZKD=x", "CUZKD_CIRCUITS_PRELOAD=", NULL };
    struct config   c;
    struct cuzk_err err;

    (void)state;
    assert_reads(&c, "[gpus]\ngpu_threads = 1\ndevices = [7]\n[store]\nresults_max = 1\njobs_max = 1\n"
                     "[circuits]\npreload = [\"a\"]\n");
    assert_int_equal(config_read_environment(&c, variables, take_note, notes, &err), CUZK_OK);
    assert_int_equal(config_set_flag(&c, "set", "gpus.gpu_threads=3", take_note, notes, &err), CUZK_OK);
    assert_int_equal(config_set_flag(&c, "log-level", "warn", take_note, notes, &err), CUZK_OK);
    assert_int_equal(config_set_flag(&c, "listen", "unix:///tmp/a=b", take_note, notes, &err), CUZK_OK);
    assert_int_equal(config_set_flag(&c, "set", "circuits.preload=x,y", take_note, notes, &err), CUZK_OK);
    assert_int_equal(config_set_flag(&c, "set", "circuits.preload=z", take_note, notes, &err), CUZK_OK);
    assert_int_equal(config_finish(&c, &err), CUZK_OK);
    assert_int_equal(c.gpu_threads, 3);
    assert_int_equal(c.gpu_devices.count, 2);
    assert_int_equal(c.gpu_devices.value[0], 3);
    assert_true(c.results_max == 5 && c.jobs_max == 1);
    assert_int_equal(c.log_level, LEVEL_WARN);
    assert_string_equal(c.listen, "unix:///tmp/a=b");
    assert_int_equal(c.circuits_preload.count, 1);
    assert_string_equal(c.circuits_preload.value[0], "z");
    assert_int_equal(note_count, 0);
    config_fini(&c);
}

static void errors_name_the_variable_or_flag(void **state)
{
    char *const     bad[] = { "CUZKD_GPUS_GPU_THREADS=many", NULL };
    char *const     unknown[] = { "CUZKD_DEAMON_LISTEN=a:1", NULL };
    char *const     tcp[] = { "CUZKD_DAEMON_LISTEN=0.0.0.0:1", NULL };
    struct config   c;
    struct cuzk_err err;
    char            line[1024];

    (void)state;
    assert_reads(&c, "");
    assert_int_equal(config_read_environment(&c, bad, take_note, notes, &err), CUZK_E_INPUT);
    (void)err_format(line, sizeof line, &err);
    assert_string_equal(line, "configuration, field gpus.gpu_threads: variable CUZKD_GPUS_GPU_THREADS: is many "
                              "(expected a number from 0 to 1024)");
    assert_int_equal(config_read_environment(&c, unknown, take_note, notes, &err), CUZK_OK);
    assert_string_equal(notes, "unknown variable CUZKD_DEAMON_LISTEN: did you mean CUZKD_DAEMON_LISTEN?\n");
    assert_int_equal(config_set_flag(&c, "listen", "nowhere", take_note, notes, &err), CUZK_E_USAGE);
    assert_non_null(strstr(err.text, "flag --listen: is nowhere"));
    assert_int_equal(config_set_flag(&c, "set", "gpus.devices=1,x", take_note, notes, &err), CUZK_E_USAGE);
    assert_non_null(strstr(err.text, "flag --set: is 1,x"));
    assert_int_equal(config_set_flag(&c, "set", "gpu.devices=1", take_note, notes, &err), CUZK_E_USAGE);
    assert_non_null(strstr(err.text, "did you mean gpus.devices?"));
    assert_int_equal(config_set_flag(&c, "set", "gpus.devices", take_note, notes, &err), CUZK_E_USAGE);
    assert_int_equal(config_set_flag(&c, "lsiten", "a:1", take_note, notes, &err), CUZK_E_USAGE);
    assert_int_equal(config_read_environment(&c, tcp, take_note, notes, &err), CUZK_OK);
    assert_int_equal(config_finish(&c, &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "variable CUZKD_DAEMON_LISTEN: is 0.0.0.0:1: TCP without TLS"));
    config_fini(&c);
}

static void a_file_that_cannot_be_read_is_an_error(void **state)
{
    struct config   c;
    struct cuzk_err err;
    char           *large = mem_new(TOML_BYTES_MAX + 2, 1);

    (void)state;
    config_init(&c);
    assert_int_equal(config_read_file(&c, "/nonexistent/cuzkd.toml", NULL, NULL, &err), CUZK_E_NOT_FOUND);
    config_fini(&c);
    assert_non_null(large);
    memset(large, '#', TOML_BYTES_MAX + 1);
    assert_int_equal(read_text(&c, large, &err), CUZK_E_INPUT);
    config_fini(&c);
    mem_free(large);
}

static void the_store_has_a_folder_for_service_root_and_user(void **state)
{
    struct config   c;
    struct cuzk_err err;

    (void)state;
    assert_int_equal(setenv("STATE_DIRECTORY", "/var/lib/one:/var/lib/two", 1), 0);
    assert_reads(&c, "");
    assert_int_equal(config_finish(&c, &err), CUZK_OK);
    assert_string_equal(c.store_dir, "/var/lib/one");
    config_fini(&c);
    (void)unsetenv("STATE_DIRECTORY");
    (void)unsetenv("XDG_STATE_HOME");
    (void)setenv("HOME", "/home/someone", 1);
    assert_reads(&c, "");
    assert_int_equal(config_finish(&c, &err), CUZK_OK);
    assert_string_equal(c.store_dir, geteuid() == 0 ? "/var/lib/cuzk" : "/home/someone/.local/state/cuzk");
    config_fini(&c);
}

/* What the table writes, with the # before each key or without. */
static char *example(bool all)
{
    char  *text = NULL;
    size_t bytes;
    FILE  *out = open_memstream(&text, &bytes);

    assert_non_null(out);
    config_write_example(out);
    assert_int_equal(fclose(out), 0);
    for (char *p = text; all && *p; p++)
        if (*p == '#' && (p == text || p[-1] == '\n') && p[1] != ' ')
            *p = ' ';
    return text;
}

static char *settings(const struct config *c)
{
    struct json_writer w;
    char              *text;

    json_writer_init(&w, JSON_COMPACT);
    json_begin_object(&w, NULL);
    config_write_json(&w, c);
    json_end(&w);
    assert_int_equal(json_writer_take(&text, NULL, &w, NULL), CUZK_OK);
    return text;
}

static void the_example_sets_nothing_and_its_lines_are_the_defaults(void **state)
{
    char *expected = NULL;

    (void)state;
    for (int all = -1; all <= 1; all++) {
        struct config   c;
        struct cuzk_err err;
        char           *text = all < 0 ? NULL : example(all), *got;

        assert_reads(&c, text ? text : "");
        for (size_t i = 0; i < OPTION_COUNT; i++)
            assert_int_equal(c.origin[i].from, all == 1 && !config_options[i].instead ? FROM_FILE : FROM_DEFAULT);
        assert_int_equal(note_count, 0);
        got = settings(&c);
        if (expected)
            assert_string_equal(got, expected);
        else
            expected = got;
        if (got != expected)
            mem_free(got);
        assert_int_equal(config_finish(&c, &err), CUZK_OK);
        config_fini(&c);
        free(text);
    }
    mem_free(expected);
}

static void distances_are_edits(void **state)
{
    (void)state;
    assert_int_equal(config_distance("", ""), 0);
    assert_int_equal(config_distance("", "abc"), 3);
    assert_int_equal(config_distance("kitten", "sitting"), 3);
    assert_int_equal(config_distance("listen", "lsiten"), 1);
    assert_int_equal(config_distance("ca", "abc"), 3);
    assert_int_equal(config_distance("a", "0123456789012345678901234567890123456789012345678901234567890123"), 64);
}

static void numbers_are_shown_in_their_largest_unit(void **state)
{
    static const struct { enum option_type type; uint64_t value; const char *text; } cases[] = {
        { OPTION_SIZE, 0, "0" },        { OPTION_SIZE, 1023, "1023" },      { OPTION_SIZE, 1024, "1KiB" },
        { OPTION_SIZE, 5 * GIB, "5GiB" }, { OPTION_DURATION, 250, "250ms" }, { OPTION_DURATION, 90000, "90s" },
        { OPTION_DURATION, 86400000, "1d" }, { OPTION_U64, 1024, "1024" },
    };
    char     text[32];
    uint64_t back;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        config_format(text, sizeof text, cases[i].type, cases[i].value);
        assert_string_equal(text, cases[i].text);
        assert_true(cases[i].type == OPTION_DURATION ? config_parse_duration(&back, text)
                                                     : config_parse_bytes(&back, text));
        assert_true(back == cases[i].value);
    }
}

static int make_file(void **state)
{
    int fd = mkstemp(file_path);

    (void)state;
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(file_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_set_is_all_defaults),
        cmocka_unit_test(a_file_sets_every_type),
        cmocka_unit_test(the_words_of_the_log_are_those_of_its_header),
        cmocka_unit_test(an_older_file_is_taken_and_its_dead_keys_are_noted),
        cmocka_unit_test(what_is_wrong_is_refused_with_line_and_key),
        cmocka_unit_test(tls_or_the_opt_out_allow_tcp),
        cmocka_unit_test(flags_go_before_variables_before_the_file),
        cmocka_unit_test(errors_name_the_variable_or_flag),
        cmocka_unit_test(a_file_that_cannot_be_read_is_an_error),
        cmocka_unit_test(the_store_has_a_folder_for_service_root_and_user),
        cmocka_unit_test(the_example_sets_nothing_and_its_lines_are_the_defaults),
        cmocka_unit_test(distances_are_edits),
        cmocka_unit_test(numbers_are_shown_in_their_largest_unit),
    };

    return cmocka_run_group_tests(tests, make_file, remove_file);
}
