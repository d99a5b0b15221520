/* tests/unit/test_mem.c - blocks: size, alignment, zeros, wiping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "cuzk/status.h"

#define MIB ((size_t)1 << 20)

/* Under sanitizers every block comes from the heap. */
#if defined(__SANITIZE_ADDRESS__)
#define LARGE_ALIGN 64
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define LARGE_ALIGN 64
#endif
#endif
#ifndef LARGE_ALIGN
#define LARGE_ALIGN (2 * MIB)
#endif

static void blocks_are_aligned_zero_and_fully_usable(void **state)
{
    static const size_t sizes[] = { 0,           1,       63,          64,             65, 4096, 100000,
                                    2 * MIB - 1, 2 * MIB, 2 * MIB + 1, 5 * MIB + 12345 };

    (void)state;
    for (int round = 0; round < 3; round++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            size_t   bytes = sizes[i];
            uint8_t *p = mem_new(bytes, 1);

            assert_non_null(p);
            assert_int_equal((uintptr_t)p % (bytes >= 2 * MIB ? LARGE_ALIGN : 64), 0);
            for (size_t k = 0; k < bytes; k++)
                if (p[k])
                    fail_msg("byte %zu of %zu is not zero", k, bytes);
            memset(p, 0xa5, bytes); /* seen by the next round if blocks came back unwiped */
            mem_free(p);
        }
}

static void sizes_that_overflow_are_refused(void **state)
{
    size_t sum;

    (void)state;
    assert_null(mem_new(SIZE_MAX, 2));
    assert_null(mem_new(SIZE_MAX, 1));
    assert_null(mem_new(SIZE_MAX / 2 + 1, 2));
    assert_null(mem_new(SIZE_MAX - 4096, 1));
    assert_null(mem_new((size_t)PTRDIFF_MAX, 1));
    assert_false(size_mul(&sum, SIZE_MAX, 2));
    assert_false(size_add(&sum, SIZE_MAX, 1));
    assert_true(size_add(&sum, SIZE_MAX, 0) && sum == SIZE_MAX);
}

static void nothing_is_freed_for_null(void **state)
{
    (void)state;
    mem_free(NULL);
    mem_wipe_free(NULL, 10);
    mem_wipe(NULL, 0);
}

static void wipe_zeroes_exactly_its_range(void **state)
{
    uint8_t bytes[16];

    (void)state;
    memset(bytes, 1, sizeof bytes);
    mem_wipe(bytes + 4, 8);
    for (size_t i = 0; i < sizeof bytes; i++)
        assert_int_equal(bytes[i], i < 4 || i >= 12);
}

static void a_foreign_pointer_ends_the_process_with_the_status_of_a_bug(void **state)
{
    int   status;
    pid_t child = fork();

    (void)state;
    assert_true(child >= 0);
    if (child == 0) {
        static uint64_t not_a_block[32];

        (void)close(STDERR_FILENO);
        mem_free(not_a_block + 16);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true((WIFEXITED(status) && WEXITSTATUS(status) == CUZK_E_BUG) ||
                (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT));
}

static void random_bytes_differ_and_fill_all(void **state)
{
    static uint8_t a[100000], b[100000];
    uint32_t       count[256] = { 0 };

    (void)state;
    random_bytes(a, sizeof a);
    random_bytes(b, sizeof b);
    assert_memory_not_equal(a, b, 32);
    assert_memory_not_equal(a + sizeof a - 32, b + sizeof b - 32, 32);
    for (size_t i = 0; i < sizeof a; i++)
        count[a[i]]++;
    for (size_t i = 0; i < 256; i++) /* 391 on average, standard deviation 20 */
        assert_in_range(count[i], 200, 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_zero_and_fully_usable),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(nothing_is_freed_for_null),
        cmocka_unit_test(wipe_zeroes_exactly_its_range),
        cmocka_unit_test(a_foreign_pointer_ends_the_process_with_the_status_of_a_bug),
        cmocka_unit_test(random_bytes_differ_and_fill_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
