/* tests/mutations/mutate_paths.c - places that are no files, outputs in bad places, keys that change after a check. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/check.h"
#include "groth16/zkey_sections.h"
#include "mutation.h"

#define NOT_A_FILE(role_) REFUSED(role_, "", "", ERR_NONE, ERR_NONE)
#define NOT_FOUND(role_) \
    ((struct expected){  \
        .status = 4, .role = (role_), .section = "", .field = "", .index = ERR_NONE, .offset = ERR_NONE })
#define STATUS(status_) ((struct expected){ .status = (status_), .index = ANY, .offset = ANY })

static void put_good(const struct tiny *t)
{
    folder_make(CASE_FOLDER);
    bytes_write(CASE_FOLDER "/key", &t->key);
    bytes_write(CASE_FOLDER "/wtns", &t->wtns);
}

static void run_there(struct run *r, const char *const arguments[])
{
    const char *broken;

    cuzk_check(chdir(CASE_FOLDER) == 0);
    tool_run(r, arguments);
    cuzk_check(chdir("..") == 0);
    broken = run_breaks_rules(r);
    if (broken != NULL)
        case_fail("%s: %s", broken, r->text);
}

static void prove_there(struct run *r, const char *key, const char *wtns, const char *proof, const char *publics)
{
    run_there(r, (const char *[]){ "prove", key, wtns, proof, publics, "--json", "--threads", "1", NULL });
}

static void expect_no_output(void)
{
    if (access(CASE_FOLDER "/proof.json", F_OK) == 0 || access(CASE_FOLDER "/public.json", F_OK) == 0)
        case_fail("an output file is there");
}

/* --- places that are no files ------------------------------------------------------------------------------------ */

static void socket_make(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int                s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    cuzk_check(s >= 0 && bind(s, (const struct sockaddr *)&address, sizeof address) == 0 && close(s) == 0);
}

static void mutate_inputs(const struct tiny *t)
{
    static char long_name[300];
    static const struct {
        const char *path, *what;
        int         status;
    } rows[] = {
        {".",          "a folder",                  2},
        { "pipe",      "a pipe that nobody writes", 2},
        { "socket",    "a socket",                  2},
        { "/dev/zero", "a device without end",      2},
        { "/dev/null", "a device without bytes",    2},
        { "absent",    "a name that is not there",  4},
        { "",          "an empty name",             4},
        { "key/more",  "a name below a file",       4},
        { "dangling",  "a link to nothing",         4},
        { "loop",      "a link to itself",          9},
        { long_name,   "a name that is too long",   9},
    };
    struct run r;

    memset(long_name, 'x', sizeof long_name - 1);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        for (int witness = 0; witness < 2; witness++) {
            const char     *role = witness ? "witness" : "key";
            struct expected e = rows[i].status == 2   ? NOT_A_FILE(role)
                                : rows[i].status == 4 ? NOT_FOUND(role)
                                                      : STATUS(rows[i].status);
            case_begin("%s, %s: %s: status %d", t->curve->name, role, rows[i].what, rows[i].status);
            put_good(t);
            cuzk_check(mkfifo(CASE_FOLDER "/pipe", 0600) == 0);
            cuzk_check(symlink("nothing", CASE_FOLDER "/dangling") == 0 && symlink("loop", CASE_FOLDER "/loop") == 0);
            socket_make(CASE_FOLDER "/socket");
            prove_there(&r, witness ? "key" : rows[i].path, witness ? rows[i].path : "wtns", "proof.json",
                        "public.json");
            case_expect(&r, &e);
            expect_no_output();
            case_end();
        }
}

static void mutate_outputs(const struct tiny *t)
{
    static const struct {
        const char *proof, *publics, *what;
        int         status;
    } rows[] = {
        {"same",        "same",               "one name for both outputs",               1},
        { "key",        "public.json",        "the key as an output",                    1},
        { "proof.json", "link",               "a link to the witness as an output",      1},
        { "folder",     "public.json",        "a folder as an output",                   2},
        { "proof.json", "absent/public.json", "an output in a folder that is not there", 4},
    };
    struct run r;

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        static const char *const left[] = { "key", "wtns", "link", "folder", NULL };
        const char              *name;
        struct bytes             key, wtns;

        case_begin("%s, outputs: %s: refused, nothing changes", t->curve->name, rows[i].what);
        put_good(t);
        cuzk_check(symlink("wtns", CASE_FOLDER "/link") == 0 && mkdir(CASE_FOLDER "/folder", 0700) == 0);
        prove_there(&r, "key", "wtns", rows[i].proof, rows[i].publics);
        if (r.status == 0)
            case_fail("status 0");
        name = folder_differs(CASE_FOLDER, left);
        if (name != NULL)
            case_fail("in the folder: %s", name);
        key = bytes_read(CASE_FOLDER "/key");
        wtns = bytes_read(CASE_FOLDER "/wtns");
        if (key.size != t->key.size || memcmp(key.data, t->key.data, key.size) != 0 || wtns.size != t->wtns.size ||
            memcmp(wtns.data, t->wtns.data, wtns.size) != 0)
            case_fail("an input has changed");
        bytes_free(&key);
        bytes_free(&wtns);
        case_end();
    }
}

/* --- keys that change after they passed -------------------------------------------------------------------------- */

static struct timespec mtime_of(const char *path)
{
    struct stat s;

    cuzk_check(stat(path, &s) == 0);
    return s.st_mtim;
}

/* First the good key, whose check goes on record; then one point changes and all that stat shows of it is put back. */
static void mutate_after_check(const struct tiny *t, bool in_place)
{
    const size_t          h = section_at(&t->key, ZKEY_H) + t->curve->g1.affine_bytes;
    const struct expected e = REFUSED("key", "H", "point", 1, h);
    struct timespec       times[2];
    struct bytes          bad = bytes_copy(&t->key);
    struct run            r;
    int                   fd;

    case_begin("%s, key: passed once, then a point changed %s, size and time put back: refused", t->curve->name,
               in_place ? "in place" : "in a new file of that name");
    put_good(t);
    for (int i = 0; i < 2; i++) {
        prove_there(&r, "key", "wtns", "proof.json", "public.json");
        case_expect(&r, &PROVED);
    }
    cuzk_check(unlink(CASE_FOLDER "/proof.json") == 0 && unlink(CASE_FOLDER "/public.json") == 0);
    times[0] = times[1] = mtime_of(CASE_FOLDER "/key");
    bad.data[h] ^= 1;
    if (in_place) {
        fd = open(CASE_FOLDER "/key", O_WRONLY | O_CLOEXEC);
        cuzk_check(fd >= 0 && pwrite(fd, bad.data + h, 1, (off_t)h) == 1 && close(fd) == 0);
    } else {
        cuzk_check(unlink(CASE_FOLDER "/key") == 0);
        bytes_write(CASE_FOLDER "/key", &bad);
    }
    cuzk_check(utimensat(AT_FDCWD, CASE_FOLDER "/key", times, 0) == 0);
    for (int i = 0; i < 2; i++) { /* a failed check leaves no record either */
        prove_there(&r, "key", "wtns", "proof.json", "public.json");
        case_expect(&r, &e);
    }
    expect_no_output();
    bytes_free(&bad);
    case_end();
}

/* Records that others can write are worth nothing; a cache that cannot be is no error. */
static void mutate_cache(const struct tiny *t)
{
    static const struct {
        const char *what, *path;
        mode_t      mode;
    } rows[] = {
        {"is a file",                   "../good.vk",    0   },
        { "is not there and cannot be", "/proc/nothing", 0   },
        { "is relative",                "cache",         0   },
        { "is open to all",             NULL,            0777},
    };
    const size_t          h = section_at(&t->key, ZKEY_H);
    const struct expected e = REFUSED("key", "H", "point", 0, h);
    char                  before[512], path[600];
    struct bytes          bad = bytes_copy(&t->key);
    struct run            r;

    bad.data[h] ^= 1;
    (void)snprintf(before, sizeof before, "%s", getenv("XDG_CACHE_HOME"));
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        case_begin("%s, key: the cache folder %s: good keys are proved with, bad ones are not", t->curve->name,
                   rows[i].what);
        put_good(t);
        (void)snprintf(path, sizeof path, "%s", rows[i].path != NULL ? rows[i].path : before);
        cuzk_check(setenv("XDG_CACHE_HOME", path, 1) == 0);
        (void)snprintf(path, sizeof path, "%s/cuzk", before);
        if (rows[i].mode != 0)
            cuzk_check(chmod(path, rows[i].mode) == 0);
        prove_there(&r, "key", "wtns", "proof.json", "public.json");
        case_expect(&r, &PROVED);
        prove_files(&r, t, &bad, NULL);
        case_expect(&r, &e);
        if (rows[i].mode != 0)
            cuzk_check(chmod(path, 0700) == 0);
        cuzk_check(setenv("XDG_CACHE_HOME", before, 1) == 0);
        case_end();
    }
    bytes_free(&bad);
}

/* --- no ceremony ------------------------------------------------------------------------------------------------- */

static void mutate_strict(const struct tiny *t)
{
    const size_t          n1 = t->curve->g1.affine_bytes, n2 = t->curve->g2.affine_bytes;
    const size_t          head = section_at(&t->key, ZKEY_HEADER) + 52 + t->curve->fp_bytes;
    const struct expected e = REFUSED("key", NULL, "delta2", ANY, ANY);
    struct bytes          k = bytes_copy(&t->key);
    struct run            r;

    memcpy(k.data + head + 3 * n1 + 2 * n2, k.data + head + 2 * n1 + n2, n2);
    case_begin("%s, key: gamma2 is delta2: a warning, an error with --strict", t->curve->name);
    put_good(t);
    bytes_write(CASE_FOLDER "/key", &k);
    prove_there(&r, "key", "wtns", "proof.json", "public.json");
    if (strstr(r.text, "{\"warning\":\"gamma and delta") == NULL)
        case_fail("no warning: %s", r.text);
    run_there(&r, (const char *[]){ "prove", "key", "wtns", "proof.json", "public.json", "--json", "--strict", NULL });
    case_expect(&r, &e);
    expect_no_output();
    case_end();
    bytes_free(&k);
}

void mutate_paths(const struct tiny *t)
{
    mutate_inputs(t);
    mutate_outputs(t);
    mutate_after_check(t, true);
    mutate_after_check(t, false);
    mutate_cache(t);
    mutate_strict(t);
}
