/* tests/unit/test_err.c - error values and their two outside forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"

static const struct err_place full = { .role = "key", .section = "coefficients", .field = "signal", .index = 7,
                                       .offset = 0x1c4 };

static void line_names_every_part_of_the_place(void **state)
{
    struct cuzk_err err;
    char            text[512];
    int             length;

    (void)state;
    assert_int_equal(err_set_at(&err, CUZK_E_INPUT, &full, "circuit.zkey", "below 12", "signal is %d", 12),
                     CUZK_E_INPUT);
    length = err_format(text, sizeof text, &err);
    assert_int_equal(length, strlen(text));
    assert_string_equal(text, "key circuit.zkey, section coefficients, field signal, index 7, offset 0x1c4: "
                              "signal is 12 (expected below 12)");
}

static void line_without_a_place_is_the_text(void **state)
{
    struct cuzk_err err;
    char            text[512];

    (void)state;
    assert_int_equal(err_set(&err, CUZK_E_IO, "no memory for %d points", 3), CUZK_E_IO);
    (void)err_format(text, sizeof text, &err);
    assert_string_equal(text, "no memory for 3 points");
}

static void json_leaves_out_what_does_not_apply(void **state)
{
    struct cuzk_err err;
    char            text[512];

    (void)state;
    (void)err_set(&err, CUZK_E_USAGE, "x");
    (void)err_format_json(text, sizeof text, &err);
    assert_string_equal(text, "{\"class\":\"usage\",\"text\":\"x\"}");
    (void)err_set_at(&err, CUZK_E_INPUT, &full, "a\"b\\c", "e", "t");
    (void)err_format_json(text, sizeof text, &err);
    assert_string_equal(text, "{\"class\":\"input\",\"role\":\"key\",\"path\":\"a\\\"b\\\\c\","
                              "\"section\":\"coefficients\","
                              "\"field\":\"signal\",\"index\":7,\"offset\":452,\"expected\":\"e\",\"text\":\"t\"}");
}

static void hostile_bytes_neither_reach_a_terminal_nor_break_json(void **state)
{
    struct cuzk_err err;
    char            text[512];

    (void)state;
    (void)err_set_at(&err, CUZK_E_INPUT, NULL, "a\x1b[2J\nb", NULL, "bad \xff\xc3\xa9");
    (void)err_format(text, sizeof text, &err);
    assert_string_equal(text, "a?[2J?b: bad \xff\xc3\xa9");
    (void)err_format_json(text, sizeof text, &err);
    assert_string_equal(text, "{\"class\":\"input\",\"path\":\"a\\u001b[2J\\u000ab\","
                              "\"text\":\"bad \\ufffd\xc3\xa9\"}");
}

static void long_paths_keep_their_end(void **state)
{
    struct cuzk_err err;
    char            path[1000];

    (void)state;
    memset(path, 'x', sizeof path);
    memcpy(path + sizeof path - 5, ".key", 5);
    (void)err_set_at(&err, CUZK_E_INPUT, NULL, path, NULL, "t");
    assert_int_equal(strlen(err.path), sizeof err.path - 1);
    assert_memory_equal(err.path, "...x", 4);
    assert_string_equal(err.path + strlen(err.path) - 5, "x.key");
}

static void any_room_is_respected_and_the_full_length_returned(void **state)
{
    struct cuzk_err err;
    char            whole[512], part[512];
    int             length;

    (void)state;
    (void)err_set_at(&err, CUZK_E_INPUT, &full, "p", "e", "t");
    length = err_format_json(whole, sizeof whole, &err);
    for (size_t room = 0; room < (size_t)length + 2; room++) {
        memset(part, '#', sizeof part);
        assert_int_equal(err_format_json(part, room, &err), length);
        assert_int_equal(part[room], '#');
        if (room)
            assert_int_equal(strncmp(part, whole, room - 1) == 0 && strlen(part) <= room - 1, 1);
    }
}

static void an_error_may_be_rewritten_from_its_own_text(void **state)
{
    struct cuzk_err err;

    (void)state;
    (void)err_set(&err, CUZK_E_IO, "inner");
    (void)err_set(&err, CUZK_E_IO, "outer: %s", err.text);
    assert_string_equal(err.text, "outer: inner");
    assert_int_equal(err_set(NULL, CUZK_E_BUSY, "nobody listens"), CUZK_E_BUSY);
}

static void every_status_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(cuzk_status_name(CUZK_OK), "ok");
    assert_string_equal(cuzk_status_name(CUZK_E_NOT_FOUND), "not_found");
    assert_string_equal(cuzk_status_name((cuzk_status)1234), "bug");
}

/* Every sequence of up to three bytes against a decoder of the definition. */
static void utf8_accepts_exactly_the_well_formed(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 1u << 24; v++) {
        char     text[4] = { (char)(v >> 16), (char)(v >> 8), (char)v, '\0' };
        uint32_t a = v >> 16, b = v >> 8 & 0xff, c = v & 0xff, code;
        size_t   want = 0;

        if (a < 0x80) {
            want = 1;
        } else if (a >> 5 == 6 && b >> 6 == 2) {
            code = (a & 31) << 6 | (b & 63);
            want = code >= 0x80 ? 2 : 0;
        } else if (a >> 4 == 14 && b >> 6 == 2 && c >> 6 == 2) {
            code = (a & 15) << 12 | (b & 63) << 6 | (c & 63);
            want = code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 3 : 0;
        }
        if (utf8_bytes(text) != want)
            fail_msg("%06x", v);
    }
    assert_int_equal(utf8_bytes("\xf0\x90\x80\x80"), 4);
    assert_int_equal(utf8_bytes("\xf0\x8f\xbf\xbf"), 0);
    assert_int_equal(utf8_bytes("\xf4\x8f\xbf\xbf"), 4);
    assert_int_equal(utf8_bytes("\xf4\x90\x80\x80"), 0);
    assert_int_equal(utf8_bytes("\xf5\x80\x80\x80"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_names_every_part_of_the_place),
        cmocka_unit_test(line_without_a_place_is_the_text),
        cmocka_unit_test(json_leaves_out_what_does_not_apply),
        cmocka_unit_test(hostile_bytes_neither_reach_a_terminal_nor_break_json),
        cmocka_unit_test(long_paths_keep_their_end),
        cmocka_unit_test(any_room_is_respected_and_the_full_length_returned),
        cmocka_unit_test(an_error_may_be_rewritten_from_its_own_text),
        cmocka_unit_test(every_status_has_a_name),
        cmocka_unit_test(utf8_accepts_exactly_the_well_formed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
