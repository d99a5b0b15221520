/* tests/unit/test_binfile.c - the iden3 container and the checked cursor. */
#include "container.h"

#include "circuit/binfile.h"

static const char *const names[BINFILE_SECTION_ID_MAX + 1] = { [1] = "one", [2] = "two", [16] = "last" };

/* A map that ends where memory does: a read past the end is a SIGSEGV. */
static void *walled, *wall;

static struct file_map map_at_wall(const void *data, size_t bytes)
{
    long page = sysconf(_SC_PAGESIZE);

    if (walled == NULL) {
        walled = mmap(NULL, (size_t)page * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(walled != MAP_FAILED);
        wall = (char *)walled + page;
        assert_int_equal(mprotect(wall, (size_t)page, PROT_NONE), 0);
    }
    assert_true(bytes <= (size_t)page);
    uint8_t *at = (uint8_t *)wall - bytes;
    memmove(at, data, bytes);
    return (struct file_map){ .data = at, .size = bytes, .role = "key", .path = "p" };
}

static cuzk_status index_text(struct binfile *out, struct file_map *map, const struct text *t, size_t bytes,
                              struct cuzk_err *err)
{
    *map = map_at_wall(t->data, bytes);
    return binfile_index(out, map, "test", 1, 2, names, err);
}

static void put_sample(struct text *t)
{
    put_head(t, "test", 2, 5);
    put_section(t, 2, "abc", 3);
    put_section(t, 77, "unknown", 7);
    put_section(t, 16, "", 0);
    put_section(t, 77, "unknown twice", 13);
    put_section(t, 1, "\1\0\0\0\2\0\0\0\0\0\0\0xyz", 15);
}

static void sections_are_found_in_any_order_and_unknown_ones_skipped(void **state)
{
    struct text     t;
    struct file_map map;
    struct binfile  f;
    struct reader   r;
    struct cuzk_err err;

    (void)state;
    put_sample(&t);
    assert_int_equal(index_text(&f, &map, &t, t.size, &err), CUZK_OK);
    assert_int_equal(f.version, 2);
    assert_int_equal(binfile_section(&r, &f, 2, &err), CUZK_OK);
    assert_int_equal(r.end - r.pos, 3);
    assert_memory_equal(map.data + r.pos, "abc", 3);
    assert_string_equal(r.section, "two");
    assert_int_equal(binfile_section(&r, &f, 16, &err), CUZK_OK);
    assert_int_equal(r.end - r.pos, 0);
    assert_int_equal(binfile_section(&r, &f, 1, &err), CUZK_OK);
    assert_int_equal(r.end - r.pos, 15);
}

static void a_missing_section_is_named(void **state)
{
    struct text     t;
    struct file_map map;
    struct binfile  f;
    struct reader   r;
    struct cuzk_err err;

    (void)state;
    put_head(&t, "test", 1, 1);
    put_section(&t, 1, "", 0);
    assert_int_equal(index_text(&f, &map, &t, t.size, &err), CUZK_OK);
    assert_int_equal(binfile_section(&r, &f, 2, &err), CUZK_E_INPUT);
    assert_string_equal(err.place.section, "two");
    assert_int_equal(err.place.offset, t.size);
    assert_int_equal(r.end - r.pos, 0);
}

static void no_part_of_a_container_is_one_and_nothing_past_its_end_is_read(void **state)
{
    struct text     t;
    struct file_map map;
    struct binfile  f;
    struct cuzk_err err;

    (void)state;
    put_sample(&t);
    for (size_t bytes = 0; bytes < t.size; bytes++) {
        assert_int_equal(index_text(&f, &map, &t, bytes, &err), CUZK_E_INPUT);
        assert_string_equal(err.place.role, "key");
        assert_non_null(err.place.field);
        assert_true(err.place.offset <= bytes);
    }
    put(&t, "", 1);
    assert_int_equal(index_text(&f, &map, &t, t.size, &err), CUZK_E_INPUT);
    assert_string_equal(err.place.field, "end of file");
    assert_int_equal(err.place.offset, t.size - 1);
}

/* Every byte of the frame with every value: what is indexed lies in the file, and what is not is INPUT. */
static void any_byte_changed_gives_sections_within_the_file_or_an_error(void **state)
{
    struct text     t;
    struct file_map map;
    struct binfile  f;
    struct reader   r;
    struct cuzk_err err;

    (void)state;
    put_sample(&t);
    for (size_t at = 0; at < t.size; at++)
        for (int value = 0; value < 256; value++) {
            uint8_t old = t.data[at];
            t.data[at] = (uint8_t)value;
            cuzk_status st = index_text(&f, &map, &t, t.size, &err);
            t.data[at] = old;
            if (value == old)
                assert_int_equal(st, CUZK_OK);
            if (st != CUZK_OK) {
                assert_int_equal(st, CUZK_E_INPUT);
                continue;
            }
            for (uint32_t id = 0; id <= BINFILE_SECTION_ID_MAX; id++)
                if (f.section[id].present) {
                    assert_non_null(names[id]);
                    assert_int_equal(binfile_section(&r, &f, id, &err), CUZK_OK);
                    assert_true(r.pos <= r.end && r.end <= map.size);
                }
        }
}

static void sizes_near_the_ends_of_their_types_are_refused_where_they_stand(void **state)
{
    static const uint64_t sizes[] = { 4,          1ull << 31, UINT32_MAX, 1ull << 32, INT64_MAX,
                                      1ull << 63, -24ull,     -12ull,     -3ull,      UINT64_MAX };
    static const uint32_t counts[] = { 3, 1u << 31, UINT32_MAX };
    struct text           t;
    struct file_map       map;
    struct binfile        f;
    struct cuzk_err       err;

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        put_head(&t, "test", 1, 2);
        put_section(&t, 1, "", 0);
        put_u32(&t, 2);
        put_u64(&t, sizes[i]);
        put(&t, "abc", 3);
        assert_int_equal(index_text(&f, &map, &t, t.size, &err), CUZK_E_INPUT);
        assert_string_equal(err.place.field, "section size");
        assert_int_equal(err.place.index, 1);
        assert_int_equal(err.place.offset, 12 + 12 + 4);
    }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        put_head(&t, "test", 1, counts[i]);
        put_section(&t, 1, "", 0);
        put_section(&t, 2, "", 0);
        assert_int_equal(index_text(&f, &map, &t, t.size, &err), CUZK_E_INPUT);
        assert_string_equal(err.place.field, "section count");
        assert_int_equal(err.place.offset, 8);
    }
}

static void magic_version_and_doubled_sections_are_refused_where_they_stand(void **state)
{
    struct text     t;
    struct file_map map;
    struct binfile  f;
    struct cuzk_err err;

    (void)state;
    put_head(&t, "tesT", 1, 0);
    assert_int_equal(index_text(&f, &map, &t, t.size, &err), CUZK_E_INPUT);
    assert_string_equal(err.place.field, "magic");
    assert_string_equal(err.expected, "\"test\"");
    for (uint32_t version = 0; version < 5; version++) {
        put_head(&t, "test", version, 0);
        assert_int_equal(index_text(&f, &map, &t, t.size, &err), version == 1 || version == 2 ? CUZK_OK : CUZK_E_INPUT);
    }
    assert_string_equal(err.place.field, "version");
    assert_int_equal(err.place.offset, 4);
    put_head(&t, "test", 1, 3);
    put_section(&t, 16, "a", 1);
    put_section(&t, 2, "", 0);
    put_section(&t, 16, "a", 1);
    assert_int_equal(index_text(&f, &map, &t, t.size, &err), CUZK_E_INPUT);
    assert_string_equal(err.place.field, "section id");
    assert_int_equal(err.place.index, 2);
    assert_int_equal(err.place.offset, 12 + 13 + 12);
}

static void a_cursor_reads_to_its_end_and_stays_where_a_read_fails(void **state)
{
    static const uint8_t data[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    struct file_map      map = map_at_wall(data, sizeof data);
    struct reader        r = { .file = &map, .section = "two", .pos = 0, .end = sizeof data };
    const uint8_t       *bytes;
    struct cuzk_err      err;
    uint32_t             v32;
    uint64_t             v64;

    (void)state;
    assert_int_equal(reader_u32(&v32, &r, "a", &err), CUZK_OK);
    assert_int_equal(v32, 0x04030201);
    assert_int_equal(reader_u64(&v64, &r, "b", &err), CUZK_OK);
    assert_true(v64 == 0x0c0b0a0908070605);
    assert_int_equal(reader_u32(&v32, &r, "c", &err), CUZK_E_INPUT);
    assert_string_equal(err.place.section, "two");
    assert_string_equal(err.place.field, "c");
    assert_int_equal(err.place.offset, 12);
    assert_int_equal(reader_u64(&v64, &r, "d", &err), CUZK_E_INPUT);
    assert_int_equal(reader_bytes(&bytes, &r, SIZE_MAX, "e", &err), CUZK_E_INPUT);
    assert_int_equal(reader_bytes(&bytes, &r, SIZE_MAX - 11, "e", &err), CUZK_E_INPUT); /* pos + that is 0 */
    assert_int_equal(r.pos, 12);
    assert_int_equal(reader_bytes(&bytes, &r, 3, "f", &err), CUZK_OK);
    assert_memory_equal(bytes, data + 12, 3);
    assert_int_equal(reader_bytes(&bytes, &r, 0, "g", &err), CUZK_OK);
    assert_int_equal(reader_bytes(&bytes, &r, 1, "h", &err), CUZK_E_INPUT);
}

static void a_count_is_compared_without_overflow(void **state)
{
    static const uint8_t data[64];
    struct file_map      map = map_at_wall(data, sizeof data);
    struct reader        r = { .file = &map, .section = "two", .pos = 0, .end = sizeof data };
    struct cuzk_err      err;

    (void)state;
    assert_int_equal(reader_expect_left(&r, 2, 32, "n", &err), CUZK_OK);
    assert_int_equal(reader_expect_left(&r, 64, 1, "n", &err), CUZK_OK);
    assert_int_equal(reader_expect_left(&r, 1, 32, "n", &err), CUZK_E_INPUT);
    assert_int_equal(reader_expect_left(&r, 3, 32, "n", &err), CUZK_E_INPUT);
    assert_int_equal(reader_expect_left(&r, (1ull << 59) + 2, 32, "n", &err), CUZK_E_INPUT); /* 2^64 + 64 bytes */
    assert_int_equal(reader_expect_left(&r, UINT64_MAX, 192, "n", &err), CUZK_E_INPUT);
    assert_string_equal(err.place.field, "n");
    assert_int_equal(err.place.offset, 0);
    r.pos = r.end;
    assert_int_equal(reader_expect_left(&r, 0, 96, "n", &err), CUZK_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_are_found_in_any_order_and_unknown_ones_skipped),
        cmocka_unit_test(a_missing_section_is_named),
        cmocka_unit_test(no_part_of_a_container_is_one_and_nothing_past_its_end_is_read),
        cmocka_unit_test(any_byte_changed_gives_sections_within_the_file_or_an_error),
        cmocka_unit_test(sizes_near_the_ends_of_their_types_are_refused_where_they_stand),
        cmocka_unit_test(magic_version_and_doubled_sections_are_refused_where_they_stand),
        cmocka_unit_test(a_cursor_reads_to_its_end_and_stays_where_a_read_fails),
        cmocka_unit_test(a_count_is_compared_without_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
