/* tests/mutations/run_tool.c - runs the tool under bounds, holds runs to the rules, prints TAP. */
#define _GNU_SOURCE 1 /* environ, wait4 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "mutation.h"

#define CPU_MAX_S     1.0
#define PEAK_MAX_KIB  (64L << 10) /* above the run with the good files */
#define ADDRESS_MAX   ((rlim_t)512 << 20)
#define WALL_MAX_MS   10000
#define ARGUMENTS_MAX 16

static char tool_path[PATH_MAX];
static bool instrumented; /* sanitizers and valgrind take what they take */
static long base_peak_kib;

void tool_find(void)
{
    const char   *path = getenv("CUZK") != NULL ? getenv("CUZK") : "build/cuzk";
    struct rlimit limit = { ADDRESS_MAX, ADDRESS_MAX };

    if (realpath(path, tool_path) == NULL || access(tool_path, X_OK) != 0) {
        printf("Bail out! %s is not there: build first, or set CUZK\n", path);
        exit(1);
    }
    instrumented = getenv("CUZK_INSTRUMENTED") != NULL && getenv("CUZK_INSTRUMENTED")[0] != '\0';
    if (!instrumented)
        cuzk_check(setrlimit(RLIMIT_AS, &limit) == 0); /* runs inherit it: what no file backs is not there */
}

/* Reads what the run writes until it ends; false if that takes too long. */
static bool read_text(struct run *out, int fd)
{
    const uint64_t deadline = now_ns() + (uint64_t)WALL_MAX_MS * 1000000 * (instrumented ? 20 : 1);
    char           rest[4096];
    size_t         used = 0;

    for (;;) {
        struct pollfd p = { fd, POLLIN, 0 };
        uint64_t      now = now_ns();
        int           ready = now < deadline ? poll(&p, 1, (int)((deadline - now) / 1000000) + 1) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        bool    full = used + 1 == sizeof out->text;
        ssize_t n = full ? read(fd, rest, sizeof rest) : read(fd, out->text + used, sizeof out->text - 1 - used);
        if (n <= 0)
            return true;
        used += full ? 0 : (size_t)n;
        out->text[used] = '\0';
    }
}

void tool_run(struct run *out, const char *const arguments[])
{
    const char                *argv[ARGUMENTS_MAX + 2] = { tool_path };
    posix_spawn_file_actions_t actions;
    struct rusage              used;
    int                        ends[2], status;
    pid_t                      child;

    for (size_t i = 0; arguments[i] != NULL; i++) {
        cuzk_check(i < ARGUMENTS_MAX);
        argv[i + 1] = arguments[i];
    }
    memset(out, 0, sizeof *out);
    cuzk_check(pipe2(ends, O_CLOEXEC) == 0 && posix_spawn_file_actions_init(&actions) == 0);
    cuzk_check(posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0);
    cuzk_check(posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) == 0);
    cuzk_check(posix_spawn_file_actions_adddup2(&actions, ends[1], 2) == 0);
    cuzk_check(posix_spawn(&child, tool_path, &actions, NULL, (char *const *)argv, environ) == 0);
    cuzk_check(posix_spawn_file_actions_destroy(&actions) == 0 && close(ends[1]) == 0);
    out->hung = !read_text(out, ends[0]);
    if (out->hung)
        (void)kill(child, SIGKILL);
    (void)close(ends[0]);
    while (wait4(child, &status, 0, &used) < 0)
        cuzk_check(errno == EINTR);
    out->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    out->cpu_s = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                 (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    out->peak_kib = used.ru_maxrss;
}

void tool_must(const char *const arguments[])
{
    struct run r;

    tool_run(&r, arguments);
    if (r.status == 0)
        return;
    printf("Bail out! cuzk %s ended with %d: %s\n", arguments[0], r.status, r.text);
    exit(1);
}

void tool_measure_base(const char *const arguments[])
{
    struct run r;

    tool_run(&r, arguments);
    base_peak_kib = r.peak_kib;
}

const char *run_breaks_rules(const struct run *r)
{
    static char text[96];

    if (r->hung)
        return "it did not end and was killed";
    if (r->signal != 0) {
        (void)snprintf(text, sizeof text, "it was ended by signal %d", r->signal);
        return text;
    }
    if (instrumented)
        return r->status > 9 ? "its status is of no class that files can cause" : NULL;
    if (r->cpu_s > CPU_MAX_S) {
        (void)snprintf(text, sizeof text, "it took %.2f s of processor time", r->cpu_s);
        return text;
    }
    if (r->peak_kib > base_peak_kib + PEAK_MAX_KIB) {
        (void)snprintf(text, sizeof text, "it took %ld KiB, %ld with the good files", r->peak_kib, base_peak_kib);
        return text;
    }
    return NULL;
}

/* --- folders ----------------------------------------------------------------------------------------------------- */

/* What the folder holds and names does not, or a name that is missing; each call forgets the one before. */
const char *folder_differs(const char *path, const char *const names[])
{
    static char    found[NAME_MAX + 1];
    DIR           *folder = opendir(path);
    struct dirent *entry;
    size_t         matched = 0, wanted = 0;

    cuzk_check(folder != NULL);
    while (names[wanted] != NULL)
        wanted++;
    while ((entry = readdir(folder)) != NULL) {
        size_t i = 0;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        while (i < wanted && strcmp(names[i], entry->d_name) != 0)
            i++;
        matched += i < wanted;
        if (i == wanted) {
            (void)snprintf(found, sizeof found, "%s", entry->d_name);
            (void)closedir(folder);
            return found;
        }
    }
    (void)closedir(folder);
    return matched == wanted ? NULL : "something that should be there is not";
}

void folder_make(const char *path)
{
    char           name[PATH_MAX];
    DIR           *folder = opendir(path);
    struct dirent *entry;

    if (folder == NULL) {
        cuzk_check(mkdir(path, 0700) == 0);
        return;
    }
    while ((entry = readdir(folder)) != NULL) {
        (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            cuzk_check(unlink(name) == 0 || rmdir(name) == 0);
    }
    (void)closedir(folder);
}

/* --- cases ------------------------------------------------------------------------------------------------------- */

static size_t case_count, cases_failed, case_failures;
static char   case_name[200];

void case_begin(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(case_name, sizeof case_name, format, arguments);
    va_end(arguments);
    case_failures = 0;
    case_count++;
}

void case_fail(const char *format, ...)
{
    char    text[sizeof(struct run)];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *p = text; *p != '\0'; p++)
        if (*p == '\n')
            *p = ' ';
    printf("# %s: %s\n", case_name, text);
    case_failures++;
}

size_t case_failures_now(void) { return case_failures; }

void case_end(void)
{
    printf("%sok %zu - %s\n", case_failures != 0 ? "not " : "", case_count, case_name);
    (void)fflush(stdout);
    cases_failed += case_failures != 0;
}

int cases_close(void)
{
    printf("1..%zu\n", case_count);
    return cases_failed == 0 ? 0 : 1;
}

/* --- errors ------------------------------------------------------------------------------------------------------ */

static void expect_string(const char *error, const char *name, const char *wanted)
{
    char member[160];

    if (wanted == NULL)
        return;
    (void)snprintf(member, sizeof member, wanted[0] ? "\"%s\":\"%s\"" : "\"%s\":\"", name, wanted);
    if ((strstr(error, member) != NULL) != (wanted[0] != '\0'))
        case_fail("expected %s \"%s\": %s", name, wanted, error);
}

static void expect_number(const char *error, const char *name, uint64_t wanted)
{
    char        member[64];
    bool        absent = wanted == ERR_NONE;
    const char *found;
    size_t      length;

    if (wanted == ANY)
        return;
    length = (size_t)(absent ? snprintf(member, sizeof member, "\"%s\":", name)
                             : snprintf(member, sizeof member, "\"%s\":%llu", name, (unsigned long long)wanted));
    found = strstr(error, member);
    if (absent ? found != NULL : found == NULL || strchr("0123456789", found[length]) != NULL)
        case_fail(absent ? "expected no %s: %.0llu%s" : "expected %s %llu: %s", name, (unsigned long long)wanted,
                  error);
}

static const char *class_name(int status)
{
    return status == 2 ? "input" : status == 3 ? "unsatisfied" : status == 4 ? "not_found" : NULL;
}

void case_expect(const struct run *r, const struct expected *e)
{
    const char *error = strstr(r->text, "{\"error\":{");

    if (r->status != e->status) {
        case_fail("expected status %d, it is %d: %s", e->status, r->status, r->text);
        return;
    }
    if (e->status <= 1)
        return;
    if (error == NULL) {
        case_fail("no error is told: %s", r->text);
        return;
    }
    expect_string(error, "class", class_name(e->status));
    expect_string(error, "role", e->role);
    expect_string(error, "section", e->section);
    expect_string(error, "field", e->field);
    expect_number(error, "index", e->index);
    expect_number(error, "offset", e->offset);
}

/* A proof was written: it must be one, for the values that the good files prove. */
static void judge_proof(const struct tiny *t)
{
    static const char *const verify[] = { "verify", "../good.vk", "public.json", "proof.json", "--threads", "1", NULL };
    struct bytes             publics;
    struct run               r;

    cuzk_check(chdir(CASE_FOLDER) == 0);
    tool_run(&r, verify);
    publics = bytes_read("public.json");
    cuzk_check(chdir("..") == 0);
    if (r.status != 0)
        case_fail("STATUS 0 AND A PROOF THAT DOES NOT VERIFY: %s", r.text);
    if (publics.size != t->publics.size || memcmp(publics.data, t->publics.data, publics.size) != 0)
        case_fail("STATUS 0 AND OTHER PUBLIC VALUES");
    bytes_free(&publics);
}

void prove_files(struct run *out, const struct tiny *t, const struct bytes *key, const struct bytes *wtns)
{
    static const char *const prove[] = { "prove",  "key",       "wtns", "proof.json", "public.json",
                                         "--json", "--threads", "1",    NULL };
    static const char *const before[] = { "key", "wtns", NULL };
    static const char *const after[] = { "key", "wtns", "proof.json", "public.json", NULL };
    const char              *broken, *name;

    folder_make(CASE_FOLDER);
    bytes_write(CASE_FOLDER "/key", key != NULL ? key : &t->key);
    bytes_write(CASE_FOLDER "/wtns", wtns != NULL ? wtns : &t->wtns);
    cuzk_check(chdir(CASE_FOLDER) == 0);
    tool_run(out, prove);
    cuzk_check(chdir("..") == 0);
    broken = run_breaks_rules(out);
    if (broken != NULL)
        case_fail("%s: %s", broken, out->text);
    name = folder_differs(CASE_FOLDER, out->status == 0 ? after : before);
    if (name != NULL)
        case_fail("status %d, and in the folder: %s", out->status, name);
    else if (out->status == 0)
        judge_proof(t);
}

static void whole_case(const struct tiny *t, struct bytes *key, struct bytes *wtns, const struct expected *e,
                       const char *kind, const char *format, va_list arguments) __attribute__((format(printf, 6, 0)));

static void whole_case(const struct tiny *t, struct bytes *key, struct bytes *wtns, const struct expected *e,
                       const char *kind, const char *format, va_list arguments)
{
    static const char *const outcome[] = { "proved", "", "refused", "does not verify" };
    char                     what[128];
    struct run               r;

    (void)vsnprintf(what, sizeof what, format, arguments);
    case_begin("%s, %s: %s: %s", t->curve->name, kind, what, outcome[e->status]);
    prove_files(&r, t, key, wtns);
    case_expect(&r, e);
    case_end();
}

void key_case(const struct tiny *t, struct bytes key, struct expected e, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    whole_case(t, &key, NULL, &e, "key", format, arguments);
    va_end(arguments);
    bytes_free(&key);
}

void wtns_case(const struct tiny *t, struct bytes wtns, struct expected e, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    whole_case(t, NULL, &wtns, &e, "witness", format, arguments);
    va_end(arguments);
    bytes_free(&wtns);
}
