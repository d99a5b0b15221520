/* tests/unit/test_uuid.c - identifiers that sort by time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/uuid.h"

static void the_text_has_the_form_of_version_7(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++) {
        char id[UUID_BYTES];

        uuid_v7(id, 0x0123456789ab);
        assert_int_equal(strlen(id), UUID_BYTES - 1);
        assert_int_equal(strspn(id, "0123456789abcdef-"), UUID_BYTES - 1);
        assert_memory_equal(id, "01234567-89ab-7", 15);
        assert_true(id[18] == '-' && id[23] == '-' && strchr("89ab", id[19]));
    }
}

static void later_ones_sort_behind_earlier_ones(void **state)
{
    static const int64_t times[] = { 0, 1, 255, 256, 1700000000000, 1700000000001, ((int64_t)1 << 48) - 1 };

    (void)state;
    for (size_t i = 1; i < sizeof times / sizeof times[0]; i++) {
        char a[UUID_BYTES], b[UUID_BYTES];

        uuid_v7(a, times[i - 1]);
        uuid_v7(b, times[i]);
        assert_true(strcmp(a, b) < 0);
    }
}

static void every_random_bit_varies(void **state)
{
    char first[UUID_BYTES], id[UUID_BYTES];
    int  varied[UUID_BYTES] = { 0 };

    (void)state;
    uuid_v7(first, 7);
    for (int i = 0; i < 200; i++) {
        uuid_v7(id, 7);
        assert_string_not_equal(first, id);
        for (int k = 0; k < UUID_BYTES; k++)
            varied[k] |= first[k] ^ id[k];
    }
    for (int k = 15; k < UUID_BYTES - 1; k++)
        assert_true(varied[k] || first[k] == '-');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_has_the_form_of_version_7),
        cmocka_unit_test(later_ones_sort_behind_earlier_ones),
        cmocka_unit_test(every_random_bit_varies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
