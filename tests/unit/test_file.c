/* tests/unit/test_file.c - maps, texts, and outputs that appear whole or not at all. */
#define _GNU_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

static char folder[] = "/tmp/cuzk-test-file-XXXXXX";

static void put(const char *name, const char *text)
{
    FILE *f = fopen(name, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

static int holds(const char *name, const char *text)
{
    char   found[256];
    size_t bytes;
    FILE  *f = fopen(name, "rb");

    if (!f)
        return 0;
    bytes = fread(found, 1, sizeof found, f);
    (void)fclose(f);
    return bytes == strlen(text) && memcmp(found, text, bytes) == 0;
}

static int exists(const char *name)
{
    struct stat info;

    return lstat(name, &info) == 0;
}

static void mute_stderr(void)
{
    if (!freopen("/dev/null", "w", stderr))
        _exit(1);
}

/* Names in the folder that are no test's own. */
static int leftovers(void)
{
    DIR           *d = opendir(".");
    struct dirent *entry;
    int            count = 0;

    assert_non_null(d);
    while ((entry = readdir(d)))
        count += strncmp(entry->d_name, ".cuzk-", 6) == 0;
    (void)closedir(d);
    return count;
}

static int folder_make(void **state)
{
    (void)state;
    (void)umask(022);
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int folder_remove(void **state)
{
    DIR           *d = opendir(".");
    struct dirent *entry;

    (void)state;
    while (d && (entry = readdir(d)))
        if (unlink(entry->d_name) != 0)
            (void)rmdir(entry->d_name);
    (void)closedir(d);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static cuzk_status write_both(const char *a, const char *b, struct cuzk_err *err)
{
    struct file_out *f[2] = { NULL, NULL };
    cuzk_status      st;

    TRY(file_out_open(&f[0], a, err));
    TRY(file_out_open(&f[1], b, err));
    TRY(file_out_write(f[0], "new a", 5, err));
    TRY(file_out_write(f[1], "new b", 5, err));
    TRY(file_out_commit_all(f, 2, err));
out:
    file_out_abandon(&f[0]);
    file_out_abandon(&f[1]);
    return st;
}

#ifdef TEST_HOOKS
/* The n-th file call or allocation fails, for every n until none does; first in the group: calls are counted from the
 * start of the process. */
static void sweep(const char *hook, const char *b_before)
{
    for (int n = 1;; n++) {
        char  text[16];
        int   status;
        pid_t child;

        put("a", "old a");
        (void)unlink("b");
        if (b_before)
            put("b", b_before);
        (void)snprintf(text, sizeof text, "%d", n);
        child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct cuzk_err err;

            mute_stderr();
            (void)setenv(hook, text, 1);
            _exit(write_both("a", "b", &err));
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(leftovers(), 0);
        if (WEXITSTATUS(status) == CUZK_OK) {
            assert_true(n > 1 && holds("a", "new a") && holds("b", "new b"));
            break;
        }
        assert_int_equal(WEXITSTATUS(status), CUZK_E_IO);
        if (!holds("a", "old a") || (b_before ? !holds("b", b_before) : exists("b")))
            fail_msg("%s=%d: a file has changed", hook, n);
        assert_true(n < 200);
    }
}

static void any_failing_call_leaves_both_files_as_they_were(void **state)
{
    (void)state;
    sweep("CUZK_FAIL_IO", "old b");
    sweep("CUZK_FAIL_IO", NULL);
    sweep("CUZK_FAIL_ALLOC", "old b");
}
#endif

static void a_map_shows_the_bytes_and_identity(void **state)
{
    struct file_map map;
    struct cuzk_err err;
    struct stat     info;

    (void)state;
    put("m", "hello");
    assert_int_equal(file_map_open(&map, "m", "key", &err), CUZK_OK);
    assert_int_equal(map.size, 5);
    assert_memory_equal(map.data, "hello", 5);
    assert_int_equal(stat("m", &info), 0);
    assert_true(map.inode == info.st_ino && map.device == info.st_dev);
    file_map_close(&map);
    file_map_close(&map);
    put("m", "");
    assert_int_equal(file_map_open(&map, "m", "key", &err), CUZK_OK);
    assert_int_equal(map.size, 0);
    assert_non_null(map.data);
    file_map_close(&map);
}

static void what_is_no_regular_file_is_not_mapped(void **state)
{
    struct file_map map;
    struct cuzk_err err;

    (void)state;
    assert_int_equal(file_map_open(&map, "absent", "key", &err), CUZK_E_NOT_FOUND);
    assert_null(map.data);
    assert_string_equal(err.place.role, "key");
    assert_string_equal(err.path, "absent");
    assert_int_equal(file_map_open(&map, ".", "key", &err), CUZK_E_INPUT);
    assert_int_equal(file_map_open(&map, "/dev/null", "key", &err), CUZK_E_INPUT);
    (void)unlink("pipe");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(file_map_open(&map, "pipe", "key", &err), CUZK_E_INPUT); /* and does not block */
    assert_null(map.data);
}

static void a_file_that_shrinks_ends_the_process_with_the_io_status(void **state)
{
    int   status;
    pid_t child;

    (void)state;
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct file_map  map;
        struct file_out *out;

        mute_stderr();
        file_map_guard();
        put("shrinks", "12345");
        if (file_map_open(&map, "shrinks", "key", NULL) != CUZK_OK || file_out_open(&out, "never", NULL) != CUZK_OK ||
            truncate("shrinks", 0) != 0)
            _exit(1);
        _exit(*(const volatile uint8_t *)map.data == '1' ? 2 : 3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), CUZK_E_IO);
    assert_int_equal(leftovers(), 0);
    assert_false(exists("never"));
}

static void an_output_appears_at_commit_only(void **state)
{
    struct file_out *f;
    struct stat      info;

    (void)state;
    (void)unlink("o");
    assert_int_equal(file_out_open(&f, "o", NULL), CUZK_OK);
    assert_int_equal(file_out_write(f, "abc", 3, NULL), CUZK_OK);
    assert_int_equal(file_out_sync(f, NULL), CUZK_OK);
    assert_false(exists("o"));
    assert_int_equal(leftovers(), 1);
    assert_int_equal(file_out_write(f, "def", 3, NULL), CUZK_OK);
    assert_int_equal(file_out_tell(f), 6);
    assert_int_equal(file_out_write_at(f, 1, "BC", 2, NULL), CUZK_OK);
    assert_int_equal(file_out_tell(f), 6);
    assert_int_equal(file_out_commit(&f, NULL), CUZK_OK);
    assert_null(f);
    assert_true(holds("o", "aBCdef"));
    assert_int_equal(stat("o", &info), 0);
    assert_int_equal(info.st_mode & 07777, 0644);
    assert_int_equal(leftovers(), 0);
}

static void abandoning_leaves_nothing(void **state)
{
    struct file_out *f;

    (void)state;
    put("kept", "old");
    assert_int_equal(file_out_open(&f, "kept", NULL), CUZK_OK);
    assert_int_equal(file_out_write(f, "new", 3, NULL), CUZK_OK);
    file_out_abandon(&f);
    assert_null(f);
    file_out_abandon(&f);
    assert_true(holds("kept", "old"));
    assert_int_equal(leftovers(), 0);
}

static void stopping_removes_the_temporaries(void **state)
{
    struct file_out *f;

    (void)state;
    assert_int_equal(file_out_open(&f, "s", NULL), CUZK_OK);
    assert_int_equal(leftovers(), 1);
    file_out_remove_all();
    assert_int_equal(leftovers(), 0);
    file_out_abandon(&f);
}

static void writes_of_any_size_arrive_in_order(void **state)
{
    static const size_t sizes[] = { 0, 1, 1000, 256 << 10, (256 << 10) - 1, (256 << 10) + 1, 7, 1 << 20, 3 };
    size_t              total = 0, at = 0;
    uint8_t            *data = mem_new(3 << 20, 1);
    struct file_out    *f;
    struct file_map     map;

    (void)state;
    assert_non_null(data);
    for (size_t i = 0; i < (3 << 20); i++)
        data[i] = (uint8_t)(i * 2654435761u >> 13);
    assert_int_equal(file_out_open(&f, "big", NULL), CUZK_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++, at += sizes[i - 1])
        assert_int_equal(file_out_write(f, data + at, sizes[i], NULL), CUZK_OK);
    total = at;
    assert_int_equal(file_out_tell(f), total);
    assert_int_equal(file_out_commit(&f, NULL), CUZK_OK);
    assert_int_equal(file_map_open(&map, "big", "key", NULL), CUZK_OK);
    assert_int_equal(map.size, total);
    assert_memory_equal(map.data, data, total);
    file_map_close(&map);
    mem_free(data);
}

static void a_link_is_replaced_not_followed(void **state)
{
    struct cuzk_err err;
    struct stat     info;

    (void)state;
    put("victim", "old");
    (void)unlink("link");
    assert_int_equal(symlink("victim", "link"), 0);
    assert_int_equal(write_both("link", "b", &err), CUZK_OK);
    assert_true(holds("victim", "old"));
    assert_true(holds("link", "new a"));
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISREG(info.st_mode));
}

static void folders_and_missing_folders_are_no_targets(void **state)
{
    struct file_out *f;
    struct cuzk_err  err;

    (void)state;
    assert_int_equal(file_out_open(&f, ".", &err), CUZK_E_INPUT);
    assert_int_equal(file_out_open(&f, "", &err), CUZK_E_INPUT);
    assert_int_equal(file_out_open(&f, "./", &err), CUZK_E_INPUT);
    assert_int_equal(file_out_open(&f, "..", &err), CUZK_E_INPUT);
    assert_int_equal(file_out_open(&f, "no/such", &err), CUZK_E_NOT_FOUND);
    assert_null(f);
    assert_int_equal(file_out_open(&f, "/dev/full", &err), CUZK_OK);
    assert_int_equal(file_out_write(f, "x", 1, &err), CUZK_OK);
    assert_int_equal(file_out_commit(&f, &err), CUZK_E_IO);
    assert_null(f);
}

static void a_pipe_or_stdout_gets_the_bytes_at_commit(void **state)
{
    int   ends[2], status;
    char  text[16];
    pid_t child;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char  path[64];
        int   saved = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        cuzk_status st;

        (void)snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
        if (write(saved, "before ", 7) != 7)
            _exit(1);
        (void)dup2(saved, 1); /* stdout a regular file: the link /dev/stdout stays, and what is in the file too */
        st = write_both(path, "/dev/stdout", NULL);
        _exit(st);
    }
    (void)close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(read(ends[0], text, sizeof text), 5);
    assert_memory_equal(text, "new a", 5);
    (void)close(ends[0]);
    assert_true(holds("stdout", "before new b"));
    assert_true(exists("/dev/stdout"));
}

static void texts_are_bounded_terminated_and_without_nul(void **state)
{
    struct cuzk_err err;
    char           *text;
    size_t          bytes;

    (void)state;
    put("t", "12345");
    assert_int_equal(file_read_text(&text, &bytes, "t", "proof", 5, &err), CUZK_OK);
    assert_int_equal(bytes, 5);
    assert_string_equal(text, "12345");
    mem_free(text);
    assert_int_equal(file_read_text(&text, &bytes, "t", "proof", 4, &err), CUZK_E_INPUT);
    assert_null(text);
    put("t", "");
    assert_int_equal(file_read_text(&text, &bytes, "t", "proof", 4, &err), CUZK_OK);
    assert_string_equal(text, "");
    mem_free(text);
    assert_int_equal(file_read_text(&text, &bytes, ".", "proof", 4, &err), CUZK_E_INPUT);
    assert_int_equal(file_read_text(&text, &bytes, "absent", "proof", 4, &err), CUZK_E_NOT_FOUND);
    assert_int_equal(file_read_text(&text, &bytes, "/dev/zero", "proof", 1 << 20, &err), CUZK_E_INPUT);
    assert_int_equal(file_read_text(&text, &bytes, "/proc/self/status", "proof", 1 << 20, &err), CUZK_OK);
    assert_true(bytes > 100 && strlen(text) == bytes); /* a file that says it is empty */
    mem_free(text);
    put("t", "ab");
    assert_int_equal(truncate("t", 3), 0);
    assert_int_equal(file_read_text(&text, &bytes, "t", "proof", 100, &err), CUZK_E_INPUT);
    assert_int_equal(err.place.offset, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef TEST_HOOKS
        cmocka_unit_test(any_failing_call_leaves_both_files_as_they_were),
#endif
        cmocka_unit_test(a_map_shows_the_bytes_and_identity),
        cmocka_unit_test(what_is_no_regular_file_is_not_mapped),
        cmocka_unit_test(a_file_that_shrinks_ends_the_process_with_the_io_status),
        cmocka_unit_test(an_output_appears_at_commit_only),
        cmocka_unit_test(abandoning_leaves_nothing),
        cmocka_unit_test(stopping_removes_the_temporaries),
        cmocka_unit_test(writes_of_any_size_arrive_in_order),
        cmocka_unit_test(a_link_is_replaced_not_followed),
        cmocka_unit_test(folders_and_missing_folders_are_no_targets),
        cmocka_unit_test(a_pipe_or_stdout_gets_the_bytes_at_commit),
        cmocka_unit_test(texts_are_bounded_terminated_and_without_nul),
    };

    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
