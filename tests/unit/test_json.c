/* tests/unit/test_json.c - the JSON reader and writer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "wire/json.h"

static cuzk_status open_text(const char *text, struct json *j, struct json_value *root, struct cuzk_err *err)
{
    return json_open(j, root, text, strlen(text), "proof", "p.json", err);
}

static void valid_texts_are_taken(void **state)
{
    static const char *const texts[] = {
        "0", "-0", "1.5e-3", "1E+2", "\"\"", "true", " null\r\n\t", "[]", "{}", "[ ]", "{ }", "[1,2]", "[[],{}]",
        "{\"a\":[{\"b\":\"c\"}],\"d\":null}", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", "\"\\ud83d\\ude00\"",
        "\"\xc3\xa9\"",
        "\"\x7f\"",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct json       j;
        struct json_value root;

        if (open_text(texts[i], &j, &root, NULL) != CUZK_OK)
            fail_msg("refused: %s", texts[i]);
        assert_int_not_equal(root.kind, JSON_NONE);
    }
}

static void invalid_texts_are_refused_with_their_place(void **state)
{
    static const struct { const char *text; uint64_t offset; } cases[] = {
        { "", 0 },           { "  ", 2 },          { "[", 1 },           { "]", 0 },          { "[1", 2 },
        { "[1,]", 3 },       { "[,1]", 1 },        { "{\"a\"}", 4 },     { "{\"a\":}", 5 },   { "{\"a\":1,}", 7 },
        { "{a:1}", 1 },      { "{1:1}", 1 },       { "[1}", 2 },         { "{\"a\":1]", 6 },  { "[1 2]", 3 },
        { "1 2", 2 },        { "01", 1 },          { "-", 1 },           { "1.", 2 },         { ".5", 0 },
        { "1e", 2 },         { "+1", 0 },          { "tru", 0 },         { "truex", 4 },      { "NaN", 0 },
        { "\"", 1 },         { "\"a\nb\"", 2 },    { "\"\\x\"", 1 },     { "\"\\u12g4\"", 1 },
        { "\"\\ud800\"", 7 }, { "\"\\udc00\"", 1 }, { "\"\\ud800\\u0041\"", 7 },
        { "\"\xff\"", 1 },   { "\"\xc3\"", 1 },    { "\"\xed\xa0\x80\"", 1 }, { "'a'", 0 },   { "[1]x", 3 },
        { "/**/1", 0 },      { "\xef\xbb\xbf" "1", 0 }, { "{\"a\":1 \"b\":2}", 7 }, { "\"\\", 1 }, { "\"\\u", 1 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct json       j;
        struct json_value root;
        struct cuzk_err   err;

        if (open_text(cases[i].text, &j, &root, &err) != CUZK_E_INPUT)
            fail_msg("taken: %s", cases[i].text);
        if (err.place.offset != cases[i].offset)
            fail_msg("%s: offset %d", cases[i].text, (int)err.place.offset);
        assert_string_equal(err.place.role, "proof");
        assert_string_equal(err.path, "p.json");
        assert_int_equal(root.kind, JSON_NONE);
    }
}

static void every_prefix_of_a_text_is_refused(void **state)
{
    static const char text[] = "{\"a\": [1.5e3, \"\\u00e9\\ud83d\\ude00\xc3\xa9\", true, false, null, {}], \"b\": -2}";
    char              part[sizeof text];
    struct json       j;
    struct json_value root;

    (void)state;
    for (size_t bytes = 0; bytes < sizeof text - 1; bytes++) {
        memcpy(part, text, bytes);
        part[bytes] = '\0';
        assert_int_equal(json_open(&j, &root, part, bytes, "vk", "p", NULL), CUZK_E_INPUT);
    }
    assert_int_equal(json_open(&j, &root, text, sizeof text - 1, "vk", "p", NULL), CUZK_OK);
}

static void errors_name_line_and_column(void **state)
{
    struct json       j;
    struct json_value root;
    struct cuzk_err   err;

    (void)state;
    assert_int_equal(open_text("{\n \"a\": 1,\n  x\n}", &j, &root, &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "line 3, column 3: "));
    assert_int_equal(err.place.offset, 13);
}

static void a_nul_does_not_end_a_text_early(void **state)
{
    struct json       j;
    struct json_value root;

    (void)state;
    assert_int_equal(json_open(&j, &root, "1\0garbage", 9, "vk", "p", NULL), CUZK_E_INPUT);
}

static void depth_is_bounded_and_costs_no_stack(void **state)
{
    static char       text[1 << 20];
    struct json       j;
    struct json_value root;

    (void)state;
    memset(text, '[', sizeof text - 1);
    assert_int_equal(json_open(&j, &root, text, sizeof text - 1, "vk", "p", NULL), CUZK_E_INPUT);
    memset(text, '[', JSON_DEPTH_MAX);
    memset(text + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
    text[2 * JSON_DEPTH_MAX] = '\0';
    assert_int_equal(open_text(text, &j, &root, NULL), CUZK_OK);
    assert_int_equal(root.end, 2 * JSON_DEPTH_MAX);
    memset(text, '[', JSON_DEPTH_MAX + 1);
    memset(text + JSON_DEPTH_MAX + 1, ']', JSON_DEPTH_MAX + 1);
    assert_int_equal(open_text(text, &j, &root, NULL), CUZK_E_INPUT);
}

static void items_are_walked_in_order(void **state)
{
    static const enum json_kind kinds[] = { JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT, JSON_NULL, JSON_TRUE,
                                            JSON_FALSE };
    struct json       j;
    struct json_value root, item;
    size_t            pos = 0, i = 0;

    (void)state;
    assert_int_equal(open_text(" [ 1 , \"]\\\"[\" ,[2, [3]],{\"x\":[]}, null,true,false ] ", &j, &root, NULL), CUZK_OK);
    assert_int_equal(json_items(&j, &root), 7);
    for (; json_item(&item, &j, &root, &pos); i++)
        assert_int_equal(item.kind, kinds[i]);
    assert_int_equal(i, 7);
    assert_int_equal(item.kind, JSON_NONE);
}

static void members_are_found_by_their_decoded_name(void **state)
{
    static const char *const names[] = { "curve", "x", "absent" };
    struct json       j;
    struct json_value root, v[3];
    char              text[16];
    uint64_t          number;

    (void)state;
    assert_int_equal(open_text("{\"c\\u0075rve\" : \"bn128\", \"y\": {\"x\": 1}, \"x\":7}", &j, &root, NULL), CUZK_OK);
    assert_int_equal(json_members(v, names, 3, &j, &root, NULL), CUZK_OK);
    assert_true(json_string_copy(text, sizeof text, &j, &v[0]));
    assert_string_equal(text, "bn128");
    assert_true(json_u64(&number, &j, &v[1]) && number == 7);
    assert_int_equal(v[2].kind, JSON_NONE);
}

static void doubled_members_are_refused_however_written(void **state)
{
    static const char *const texts[] = { "{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":2,\"\\u0061\":1}", "{\"\":1,\"\":2}",
                                         "{\"\\ud83d\\ude00\":1,\"\xf0\x9f\x98\x80\":2}" };
    static const char *const names[] = { "b" };
    struct json       j;
    struct json_value root, v;
    struct cuzk_err   err;

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(open_text(texts[i], &j, &root, NULL), CUZK_OK);
        assert_int_equal(json_members(&v, names, 1, &j, &root, &err), CUZK_E_INPUT);
        assert_non_null(strstr(err.text, "second member"));
    }
    assert_int_equal(open_text("{\"a\":1,\"ab\":1,\"b\\\"\":1,\"b\\\\\":2}", &j, &root, NULL), CUZK_OK);
    assert_int_equal(json_members(&v, names, 1, &j, &root, &err), CUZK_OK);
    assert_int_equal(open_text("[]", &j, &root, NULL), CUZK_OK);
    assert_int_equal(json_members(&v, names, 1, &j, &root, &err), CUZK_E_INPUT);
}

static void many_or_long_names_are_refused_quickly(void **state)
{
    static char              text[1 << 16];
    static const char *const names[] = { "b" };
    struct json              j;
    struct json_value        root, v;
    size_t                   used = 0;

    (void)state;
    for (int i = 0; i <= JSON_MEMBERS_MAX; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%c\"n%d\":0", i ? ',' : '{', i);
    (void)snprintf(text + used, sizeof text - used, "}");
    assert_int_equal(open_text(text, &j, &root, NULL), CUZK_OK);
    assert_int_equal(json_members(&v, names, 1, &j, &root, NULL), CUZK_E_INPUT);
    (void)snprintf(text, sizeof text, "{\"%0*d\":0}", JSON_NAME_BYTES_MAX + 1, 0);
    assert_int_equal(open_text(text, &j, &root, NULL), CUZK_OK);
    assert_int_equal(json_members(&v, names, 1, &j, &root, NULL), CUZK_E_INPUT);
    (void)snprintf(text, sizeof text, "{\"%0*d\":0}", JSON_NAME_BYTES_MAX, 0);
    assert_int_equal(open_text(text, &j, &root, NULL), CUZK_OK);
    assert_int_equal(json_members(&v, names, 1, &j, &root, NULL), CUZK_OK);
}

static void strings_decode_into_a_bounded_room(void **state)
{
    struct json       j;
    struct json_value root;
    char              text[16];

    (void)state;
    assert_int_equal(open_text("\"a\\n\\u00e9\\u20ac\\ud83d\\ude00\"", &j, &root, NULL), CUZK_OK);
    assert_true(json_string_copy(text, sizeof text, &j, &root));
    assert_string_equal(text, "a\n\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    assert_true(json_string_copy(text, 12, &j, &root));
    for (size_t room = 1; room < 12; room++)
        assert_false(json_string_copy(text, room, &j, &root));
    assert_int_equal(open_text("\"a\\u0000b\"", &j, &root, NULL), CUZK_OK);
    assert_false(json_string_copy(text, sizeof text, &j, &root));
    assert_int_equal(open_text("12", &j, &root, NULL), CUZK_OK);
    assert_false(json_string_copy(text, sizeof text, &j, &root));
}

static void numbers_are_plain_integers_within_64_bits(void **state)
{
    static const struct { const char *text; bool good; uint64_t value; } cases[] = {
        { "0", true, 0 }, { "18446744073709551615", true, UINT64_MAX }, { "18446744073709551616", false, 0 },
        { "99999999999999999999", false, 0 }, { "-0", false, 0 }, { "-1", false, 0 }, { "1.0", false, 0 },
        { "1e1", false, 0 }, { "\"1\"", false, 0 }, { "true", false, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct json       j;
        struct json_value root;
        uint64_t          value = 0;

        assert_int_equal(open_text(cases[i].text, &j, &root, NULL), CUZK_OK);
        assert_int_equal(json_u64(&value, &j, &root), cases[i].good);
        assert_true(value == cases[i].value);
    }
}

static void write_sample(struct json_writer *w, enum json_layout layout)
{
    json_writer_init(w, layout);
    json_begin_object(w, NULL);
    json_begin_array(w, "pi_a");
    json_put_string(w, NULL, "1");
    json_put_string(w, NULL, "2");
    json_end(w);
    json_put_u64(w, "n", UINT64_MAX);
    json_begin_array(w, "e");
    json_end(w);
    json_begin_object(w, "o");
    json_end(w);
    json_put_string(w, "q\"", "a\\\n\xff\xc3\xa9");
    json_put_bool(w, "b", true);
    json_put_null(w, "z");
    json_put_ms(w, "ms", 1234567890);
    json_end(w);
}

static void the_writer_lays_out_as_snarkjs(void **state)
{
    struct json_writer w;
    char              *text;
    size_t             bytes;

    (void)state;
    write_sample(&w, JSON_SNARKJS);
    assert_int_equal(json_writer_take(&text, &bytes, &w, NULL), CUZK_OK);
    assert_string_equal(text, "{\n \"pi_a\": [\n  \"1\",\n  \"2\"\n ],\n \"n\": 18446744073709551615,\n \"e\": [\n ],\n"
                              " \"o\": {\n },\n \"q\\\"\": \"a\\\\\\u000a\\ufffd\xc3\xa9\",\n \"b\": true,\n"
                              " \"z\": null,\n \"ms\": 1234.567\n}");
    assert_int_equal(bytes, strlen(text));
    mem_free(text);
    write_sample(&w, JSON_COMPACT);
    assert_int_equal(json_writer_take(&text, NULL, &w, NULL), CUZK_OK);
    assert_string_equal(text, "{\"pi_a\":[\"1\",\"2\"],\"n\":18446744073709551615,\"e\":[],\"o\":{},"
                              "\"q\\\"\":\"a\\\\\\u000a\\ufffd\xc3\xa9\",\"b\":true,\"z\":null,\"ms\":1234.567}");
    mem_free(text);
}

static void what_is_written_can_be_read(void **state)
{
    struct json_writer w;
    struct json        j;
    struct json_value  root, item;
    size_t             pos = 0, bytes, i = 1;
    char              *text, written[130], found[130];

    (void)state;
    json_writer_init(&w, JSON_SNARKJS);
    json_begin_array(&w, NULL);
    for (int c = 1; c < 128; c++) {
        (void)snprintf(written, sizeof written, "%c%0*d", c, c, 0);
        json_put_string(&w, NULL, written);
    }
    json_end(&w);
    assert_int_equal(json_writer_take(&text, &bytes, &w, NULL), CUZK_OK);
    assert_int_equal(json_open(&j, &root, text, bytes, "vk", "p", NULL), CUZK_OK);
    for (; json_item(&item, &j, &root, &pos); i++) {
        (void)snprintf(written, sizeof written, "%c%0*d", (int)i, (int)i, 0);
        assert_true(json_string_copy(found, sizeof found, &j, &item));
        assert_string_equal(found, written);
    }
    assert_int_equal(i, 128);
    mem_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_texts_are_taken),
        cmocka_unit_test(invalid_texts_are_refused_with_their_place),
        cmocka_unit_test(every_prefix_of_a_text_is_refused),
        cmocka_unit_test(errors_name_line_and_column),
        cmocka_unit_test(a_nul_does_not_end_a_text_early),
        cmocka_unit_test(depth_is_bounded_and_costs_no_stack),
        cmocka_unit_test(items_are_walked_in_order),
        cmocka_unit_test(members_are_found_by_their_decoded_name),
        cmocka_unit_test(doubled_members_are_refused_however_written),
        cmocka_unit_test(many_or_long_names_are_refused_quickly),
        cmocka_unit_test(strings_decode_into_a_bounded_room),
        cmocka_unit_test(numbers_are_plain_integers_within_64_bits),
        cmocka_unit_test(the_writer_lays_out_as_snarkjs),
        cmocka_unit_test(what_is_written_can_be_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
