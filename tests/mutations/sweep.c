/* tests/mutations/sweep.c - one flipped bit in each byte of a file, bit i mod 8 in byte i, by two processes. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "mutation.h"

#define WORKERS       2
#define FAILURES_TOLD 5

/* Runs the tool on t's files, `damaged` in place of one; fails the case. */
typedef void judge_fn(const struct tiny *t, const struct bytes *damaged, size_t byte);

static void judge_prove(const struct tiny *t, const struct bytes *key, const struct bytes *wtns, size_t byte)
{
    struct run r;

    prove_files(&r, t, key, wtns);
    if (r.status != 0 && r.status != 2 && r.status != 3)
        case_fail("byte %zu: status %d: %s", byte, r.status, r.text);
    if (r.status != 0 && strstr(r.text, "{\"error\":{\"class\":") == NULL)
        case_fail("byte %zu: no error is told: %s", byte, r.text);
}

static void judge_key(const struct tiny *t, const struct bytes *damaged, size_t byte)
{
    judge_prove(t, damaged, NULL, byte);
}

static void judge_wtns(const struct tiny *t, const struct bytes *damaged, size_t byte)
{
    judge_prove(t, NULL, damaged, byte);
}

/* A circuit is taken whole or not at all: the key that comes of it passes its own check. */
static void judge_r1cs(const struct tiny *t, const struct bytes *damaged, size_t byte)
{
    static const char *const before[] = { "r1cs", NULL }, *const after[] = { "r1cs", "out.zkey", NULL };
    const char *broken, *name;
    struct run  r, check = { .status = 0 };

    (void)t;
    folder_make(CASE_FOLDER);
    bytes_write(CASE_FOLDER "/r1cs", damaged);
    cuzk_check(chdir(CASE_FOLDER) == 0);
    tool_run(&r, (const char *[]){ "setup", "r1cs", "out.zkey", "--seed", "1", "--json", "--threads", "1", NULL });
    if (r.status == 0)
        tool_run(&check, (const char *[]){ "key", "check", "out.zkey", "--threads", "1", NULL });
    cuzk_check(chdir("..") == 0);
    broken = run_breaks_rules(&r);
    if (broken != NULL)
        case_fail("byte %zu: %s", byte, broken);
    name = folder_differs(CASE_FOLDER, r.status == 0 ? after : before);
    if (name != NULL)
        case_fail("byte %zu: status %d, and in the folder: %s", byte, r.status, name);
    if (check.status != 0 || (r.status != 0 && r.status != 2))
        case_fail("byte %zu: setup %d, key check %d: %s%s", byte, r.status, check.status, r.text, check.text);
}

/* verify: a digit that is another one never leaves a valid proof, except in what a verifier does not read. */
static void judge_verify(const struct tiny *t, const char *vk, const char *publics, const char *proof,
                         const struct bytes *good, const struct bytes *damaged, size_t byte)
{
    const char *unread = strstr((const char *)good->data, "\"vk_alphabeta_12\"");
    const char *read_again = unread != NULL ? strstr(unread, "\"IC\"") : NULL;
    const char *at = (const char *)good->data + byte;
    const char *broken;
    struct run  r;

    (void)t;
    folder_make(CASE_FOLDER);
    bytes_write(CASE_FOLDER "/damaged", damaged);
    cuzk_check(chdir(CASE_FOLDER) == 0);
    tool_run(&r, (const char *[]){ "verify", vk, publics, proof, "--json", "--threads", "1", NULL });
    cuzk_check(chdir("..") == 0);
    broken = run_breaks_rules(&r);
    if (broken != NULL)
        case_fail("byte %zu: %s", byte, broken);
    if (r.status < 0 || r.status > 2)
        case_fail("byte %zu: status %d: %s", byte, r.status, r.text);
    if (r.status == 0 && *at >= '0' && *at <= '9' && !(unread != NULL && at > unread && at < read_again))
        case_fail("byte %zu: VALID WITH ANOTHER DIGIT", byte);
}

static void judge_vk(const struct tiny *t, const struct bytes *damaged, size_t byte)
{
    judge_verify(t, "damaged", "../good.public", "../good.proof", &t->vk, damaged, byte);
}

static void judge_public(const struct tiny *t, const struct bytes *damaged, size_t byte)
{
    judge_verify(t, "../good.vk", "damaged", "../good.proof", &t->publics, damaged, byte);
}

static void judge_proof(const struct tiny *t, const struct bytes *damaged, size_t byte)
{
    judge_verify(t, "../good.vk", "../good.public", "damaged", &t->proof, damaged, byte);
}

/* Every WORKERS-th of the bytes; the exit status says whether a case failed. */
static int work(const struct tiny *t, const struct bytes *good, judge_fn *judge, size_t worker, size_t stride)
{
    char folder[32];

    (void)snprintf(folder, sizeof folder, "worker-%zu", worker);
    (void)mkdir(folder, 0700);
    cuzk_check(chdir(folder) == 0);
    bytes_write("good.vk", &t->vk);
    bytes_write("good.public", &t->publics);
    bytes_write("good.proof", &t->proof);
    for (size_t byte = worker * stride; byte < good->size && case_failures_now() < FAILURES_TOLD;
         byte += WORKERS * stride) {
        struct bytes damaged = bytes_copy(good);
        damaged.data[byte] ^= (uint8_t)(1u << byte % 8);
        judge(t, &damaged, byte);
        bytes_free(&damaged);
    }
    return case_failures_now() == 0 ? 0 : 1;
}

static void sweep(const struct tiny *t, const char *name, const struct bytes *good, judge_fn *judge, size_t stride)
{
    pid_t child[WORKERS];
    int   status;

    case_begin("%s, %s: one flipped bit in each of %zu of its %zu bytes", t->curve->name, name,
               (good->size + stride - 1) / stride, good->size);
    (void)fflush(stdout);
    for (size_t i = 0; i < WORKERS; i++) {
        child[i] = fork();
        cuzk_check(child[i] >= 0);
        if (child[i] == 0) {
            int failed = work(t, good, judge, i, stride);
            (void)fflush(stdout);
            _exit(failed);
        }
    }
    for (size_t i = 0; i < WORKERS; i++) {
        cuzk_check(waitpid(child[i], &status, 0) == child[i]);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            case_fail("worker %zu found damage that broke a rule", i);
    }
    case_end();
}

void sweep_bits(const struct tiny *t, bool all)
{
    const size_t some = all ? 1 : 7, few = all ? 1 : 29; /* odd, so that all eight bits have their turn */

    sweep(t, "key", &t->key, judge_key, t->curve->id == CURVE_BN254 ? 1 : some);
    sweep(t, "witness", &t->wtns, judge_wtns, 1);
    sweep(t, "circuit", &t->r1cs, judge_r1cs, some);
    sweep(t, "proof", &t->proof, judge_proof, some);
    sweep(t, "public values", &t->publics, judge_public, 1);
    sweep(t, "verification key", &t->vk, judge_vk, few);
}
