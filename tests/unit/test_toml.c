/* tests/unit/test_toml.c - the TOML reader: values, places of errors, who may define what, limits.  Whole documents are
 * compared with another reader in tests/e2e/toml.test.py. */
#define _GNU_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "wire/toml.h"

static cuzk_status open_text(struct toml *doc, const char *text, struct cuzk_err *err)
{
    return toml_open(doc, text, strlen(text), "configuration", "a.toml", err);
}

/* The value at a path of plain keys a.b.c. */
static const struct toml_value *at(const struct toml *doc, const char *path)
{
    const struct toml_table *table = &doc->root;

    for (;;) {
        size_t                    bytes = strcspn(path, ".");
        const struct toml_member *m = toml_find(table, path, bytes);

        if (!m)
            fail_msg("%s is not there", path);
        if (!path[bytes])
            return &m->value;
        assert_int_equal(m->value.kind, TOML_TABLE);
        table = m->value.table;
        path += bytes + 1;
    }
}

static void every_kind_of_value_is_read(void **state)
{
    struct toml              doc;
    const struct toml_value *v;

    (void)state;
    assert_int_equal(open_text(&doc,
                               "s = \"a\\u00e9\\U0001F600\\n\"\nl = 'C:\\x'\nm = \"\"\"\n\\\n  one\r\ntwo\"\"\"\"\"\n"
                               "n = '''\n'q'''''\ni = -9_223_372_036_854_775_808\n"
                               "h = 0xDEAD_beef\no = 0o17\nb = 0b101\n"
                               "f = -1_0.5e+1_0\ninf = -inf\nnan = +nan\nt = true\n"
                               "d = 1979-05-27 07:32:01.1234567899-07:30\nz = \"a\\u0000b\"\narr = [1, [2], 'x',]\n"
                               "tab = { a.b = 1, c = {} }",
                               NULL),
                     CUZK_OK);
    assert_string_equal(at(&doc, "s")->string.text, "a\xc3\xa9\xf0\x9f\x98\x80\n");
    assert_string_equal(at(&doc, "l")->string.text, "C:\\x");
    assert_string_equal(at(&doc, "m")->string.text, "one\ntwo\"\"");
    assert_string_equal(at(&doc, "n")->string.text, "'q''");
    assert_true(at(&doc, "i")->integer == INT64_MIN);
    assert_int_equal(at(&doc, "h")->integer, 0xdeadbeef);
    assert_int_equal(at(&doc, "o")->integer, 15);
    assert_int_equal(at(&doc, "b")->integer, 5);
    assert_true(at(&doc, "f")->real == -10.5e10);
    assert_true(at(&doc, "inf")->real == -(double)INFINITY);
    assert_true(isnan(at(&doc, "nan")->real));
    assert_true(at(&doc, "t")->boolean);
    v = at(&doc, "d");
    assert_int_equal(v->kind, TOML_OFFSET_DATETIME);
    assert_int_equal(v->time.year, 1979);
    assert_int_equal(v->time.second, 1);
    assert_int_equal(v->time.nanosecond, 123456789);
    assert_int_equal(v->time.offset_minutes, -450);
    assert_int_equal(at(&doc, "z")->string.bytes, 3);
    assert_memory_equal(at(&doc, "z")->string.text, "a\0b", 4);
    assert_int_equal(at(&doc, "arr")->array->count, 3);
    assert_int_equal(at(&doc, "tab.a.b")->integer, 1);
    assert_int_equal(at(&doc, "tab.c")->table->count, 0);
    toml_close(&doc);
    toml_close(&doc);
}

static void values_know_their_place(void **state)
{
    struct toml doc;

    (void)state;
    assert_int_equal(open_text(&doc, "\n[t]\nkey =  17\n", NULL), CUZK_OK);
    assert_int_equal(at(&doc, "t.key")->start, 12);
    assert_int_equal(toml_line(&doc, 12), 3);
    assert_int_equal(at(&doc, "t")->start, 2);
    toml_close(&doc);
}

static void invalid_texts_are_refused_with_their_place(void **state)
{
    static const struct { const char *text; unsigned line, column; const char *expected; } cases[] = {
        { "a", 1, 2, "= after a key" },
        { "a = ", 1, 5, "a value" },
        { "a = 1 b", 1, 7, "the end of the line" },
        { "\n\n a = nope", 3, 6, "a value" },
        { "a = \"x\n", 1, 7, "a closing \"" },
        { "a = '''x\n", 2, 1, "a closing '''" },
        { "a = \"\\q\"", 1, 6, "an escape of TOML" },
        { "a = \"\\ud800\"", 1, 6, "the code of a character" },
        { "a = \"\\U00110000\"", 1, 6, "the code of a character" },
        { "a = \"\\u12g4\"", 1, 6, "four hexadecimal digits after \\u" },
        { "a = \"\x01\"", 1, 6, "a closing \"" },
        { "a = \"\xff\"", 1, 6, "UTF-8" },
        { "# \xc3", 1, 3, "UTF-8" },
        { "# \x7f", 1, 3, "a comment without control characters" },
        { "a = 01", 1, 5, "a number without a leading zero" },
        { "a = 1__0", 1, 7, "a digit" },
        { "a = 0x", 1, 7, "a hexadecimal digit" },
        { "a = 1.", 1, 7, "a digit" },
        { "a = 9223372036854775808", 1, 5, "a number from -2^63 to 2^63 - 1" },
        { "a = 2023-02-29", 1, 13, "a day of that month, of two digits" },
        { "a = 2023-13-01", 1, 10, "a month from 01 to 12" },
        { "a = 24:00:00", 1, 5, "an hour from 00 to 23" },
        { "a = 07:32", 1, 10, ": and seconds" },
        { "a = [1 2]", 1, 8, "a comma or ]" },
        { "a = [1,\n", 2, 1, "a value" },
        { "a = {b = 1,}", 1, 12, "a key" },
        { "a = {b = 1\n}", 1, 11, "a comma or }" },
        { "[a", 1, 3, "] after the name" },
        { "[[a]", 1, 4, "]] after the name" },
        { "[]", 1, 2, "a key" },
        { "[a]]", 1, 4, "the end of the line" },
        { "a.\"\"\"b\"\"\" = 1", 1, 5, "= after a key" },
        { "a = 1\rb = 2", 1, 6, "the end of the line" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct toml     doc;
        struct cuzk_err err;
        unsigned        line = 0, column = 0;

        if (open_text(&doc, cases[i].text, &err) != CUZK_E_INPUT)
            fail_msg("taken: %s", cases[i].text);
        if (sscanf(err.text, "line %u, column %u: ", &line, &column) != 2 || line != cases[i].line ||
            column != cases[i].column || strcmp(err.expected, cases[i].expected) != 0)
            fail_msg("%s: %s (expected %s)", cases[i].text, err.text, err.expected);
        assert_string_equal(err.path, "a.toml");
    }
}

static void a_second_definition_is_refused_and_names_the_first(void **state)
{
    static const char *const texts[] = {
        "a = 1\na = 2",
        "a = 1\n\"a\" = 2",
        "a = 1\na.b = 2",
        "a = 1\n[a]",
        "a = 1\n[a.b]",
        "a = 1\n[[a]]",
        "[a]\n[a]",
        "[a]\n[[a]]",
        "[[a]]\n[a]",
        "a = []\n[[a]]",
        "a = [{}]\n[a.b]",
        "a = {}\na.b = 1",
        "a = {}\n[a]",
        "a = {b.c = 1}\n[a.b.d]",
        "a.b = 1\n[a]",
        "x.a.b = 1\n[x.a]",
        "[a.b]\nx = 1\n[a]\nb.y = 2",
        "[a.b.c]\n[a]\nb.c.d = 1",
        "[a.b.c]\n[a]\nb.x = 1\n[a.b]",
        "[[a.b]]\n[a]\nb.c = 1",
        "a.b = 1\na.b.c = 2",
        "x = {a = 1, a = 2}",
        "x = {a = {b = 1}, a.c = 2}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct toml     doc;
        struct cuzk_err err;

        if (open_text(&doc, texts[i], &err) != CUZK_E_INPUT)
            fail_msg("taken: %s", texts[i]);
        if (!strstr(err.text, " is defined already, on line "))
            fail_msg("%s: %s", texts[i], err.text);
    }
}

static void tables_may_be_opened_in_any_order(void **state)
{
    static const char *const texts[] = {
        "[a.b]\n[a]\n[a.c]",
        "[x.y.z]\n[x]\ny2 = 1\n[x.y]",
        "a.b = 1\na.c = 2",
        "[a]\nb.c = 1\n[a.b.d]",
        "[[a]]\nb.c = 1\n[[a]]\nb.c = 2\n[a.b.d]\n[[a.e]]\n[[a.e]]",
        "[[a.b]]\n[a]\nc = 1",
        "\"\" = 1\n'a.b' = 2\n[\"a\\u002eb2\"]",
        "",
        "\xef\xbb\xbf# begins with a mark of byte order",
        "a = 1 # no end of line",
        "a = [ # c\n1,\r\n\n2 ]",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct toml     doc;
        struct cuzk_err err;

        if (open_text(&doc, texts[i], &err) != CUZK_OK)
            fail_msg("%s: %s", texts[i], err.text);
        toml_close(&doc);
    }
}

/* count times text, on the heap */
static char *repeated(const char *before, const char *text, size_t count, const char *after)
{
    size_t bytes = strlen(text), used = strlen(before);
    char  *out = mem_new(used + count * bytes + strlen(after) + 1, 1);

    assert_non_null(out);
    memcpy(out, before, used);
    for (size_t i = 0; i < count; i++, used += bytes)
        memcpy(out + used, text, bytes);
    memcpy(out + used, after, strlen(after));
    return out;
}

static void assert_refused(char *text, const char *why)
{
    struct toml     doc;
    struct cuzk_err err;

    assert_int_equal(open_text(&doc, text, &err), CUZK_E_INPUT);
    if (!strstr(err.text, why))
        fail_msg("%s, not %s", err.text, why);
    mem_free(text);
}

static void assert_taken(char *text)
{
    struct toml     doc;
    struct cuzk_err err;

    if (open_text(&doc, text, &err) != CUZK_OK)
        fail_msg("%s", err.text);
    toml_close(&doc);
    mem_free(text);
}

static void limits_are_kept(void **state)
{
    char   line[32];
    size_t used = 0;
    char  *many = mem_new((TOML_MEMBERS_MAX + 1) * sizeof line, 1);

    (void)state;
    assert_refused(repeated("a = ", "[", TOML_DEPTH_MAX + 1, ""), "nested deeper");
    assert_refused(repeated("a = ", "[", 100000, ""), "nested deeper");
    assert_refused(repeated("a = ", "{a=", TOML_DEPTH_MAX + 1, "1"), "nested deeper");
    assert_refused(repeated("[", "a.", TOML_DEPTH_MAX + 1, "a]"), "nested deeper");
    assert_refused(repeated("", "a.", TOML_DEPTH_MAX + 1, "a = 1"), "nested deeper");
    assert_refused(repeated("#", "x", TOML_BYTES_MAX, ""), "larger than");
    assert_taken(repeated("#", "x", TOML_BYTES_MAX - 1, ""));
    assert_taken(repeated("a = [", "0,", 100000, "]"));
    assert_taken(repeated("", "[[a]]\n", 40000, ""));
    assert_non_null(many);
    for (unsigned i = 0; i <= TOML_MEMBERS_MAX; i++)
        used += (size_t)sprintf(many + used, "k%u = 1\n", i);
    assert_refused(many, "members");
}

static void a_nul_in_the_text_is_refused(void **state)
{
    static const struct { const char *text; size_t bytes; } cases[] = {
        { "a = 1\0", 6 }, { "\0a = 1", 6 }, { "# \0", 3 }, { "a = \"\0\"", 7 }, { "a\0 = 1", 6 }, { "a = [\0]", 7 },
    };
    struct toml doc;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(toml_open(&doc, cases[i].text, cases[i].bytes, NULL, NULL, NULL), CUZK_E_INPUT);
}

/* The first test: counting starts here. */
static void a_shortage_of_memory_is_an_error(void **state)
{
    char *text = repeated("a = [", "0,", 1000, "]"); /* several chunks */
    bool  failed = true;
    int   failures = 0;

    (void)state;
    for (int n = 2; failed; n++) { /* the first was the text's */
        pid_t       child = fork();
        int         status;
        char        number[16];
        struct toml doc;

        assert_true(child >= 0);
        if (child == 0) {
            struct cuzk_err err = { 0 };
            cuzk_status     st;

            (void)snprintf(number, sizeof number, "%d", n);
            (void)setenv("CUZK_FAIL_ALLOC", number, 1);
            if (!freopen("/dev/null", "w", stderr))
                _exit(3);
            st = open_text(&doc, text, &err);
            _exit(st == CUZK_OK ? 0 : st == CUZK_E_IO && err.text[0] && !doc.chunks && !doc.strings ? 1 : 2);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
        failed = WEXITSTATUS(status) == 1;
        failures += failed;
    }
    assert_in_range(failures, 3, 10);
    mem_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shortage_of_memory_is_an_error),
        cmocka_unit_test(every_kind_of_value_is_read),
        cmocka_unit_test(values_know_their_place),
        cmocka_unit_test(invalid_texts_are_refused_with_their_place),
        cmocka_unit_test(a_second_definition_is_refused_and_names_the_first),
        cmocka_unit_test(tables_may_be_opened_in_any_order),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(a_nul_in_the_text_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
