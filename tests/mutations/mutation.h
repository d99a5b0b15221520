/* tests/mutations/mutation.h - damaged files given to the real tool, and the rules that hold for every one of them.
 *
 *   tiny circuit -> good files -> one change -> the tool in a folder of its own -> rules, then the row's expectation
 *
 * Rules   never ended by a signal; at most a second of processor time and 64 MiB more than with the good files;
 *         status 0 only with a proof that the tool's verifier takes under the good verification key; no file made
 *         otherwise.
 * Output  TAP, a case a row; a sweep of flipped bits is one case. */
#ifndef CUZK_TESTS_MUTATION_H
#define CUZK_TESTS_MUTATION_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "math/curve.h"

#define ARRAY_COUNT(a) (sizeof(a) / sizeof(a)[0])

/* --- bytes: a file in memory (tiny.c) --------------------------------------------------------------------------- */

struct bytes {
    uint8_t *data;
    size_t   size;
};

struct bytes bytes_read(const char *path);
struct bytes bytes_of(const void *data, size_t size);
struct bytes bytes_copy(const struct bytes *b);
void         bytes_free(struct bytes *b);
void         bytes_write(const char *path, const struct bytes *b);
void         bytes_insert(struct bytes *b, size_t at, const void *data, size_t size); /* data NULL: zeros */
void         bytes_remove(struct bytes *b, size_t at, size_t size);
void         bytes_add(struct bytes *b, const void *data, size_t size);
void         u32_add(struct bytes *b, uint32_t v);
void         u64_add(struct bytes *b, uint64_t v);
void         u32_put(struct bytes *b, size_t at, uint32_t v);
void         u64_put(struct bytes *b, size_t at, uint64_t v);
uint32_t     u32_get(const struct bytes *b, size_t at);
uint64_t     u64_get(const struct bytes *b, size_t at);

/* iden3 containers that are well formed. */
#define SECTION_HEADER 12
size_t section_at(const struct bytes *b, uint32_t id); /* offset of its data; it must be there */
size_t section_bytes(const struct bytes *b, uint32_t id);
void   section_grow(struct bytes *b, uint32_t id, size_t at, const void *data, size_t bytes); /* at: in the section */
void   section_shrink(struct bytes *b, uint32_t id, size_t at, size_t bytes);
void   section_drop(struct bytes *b, uint32_t id);
void   section_add(struct bytes *b, uint32_t id, const void *data, size_t bytes); /* as the last one */
void   sections_reverse(struct bytes *b);

/* --- the tiny circuit (tiny.c) ---------------------------------------------------------------------------------- */

/* Wires 1, out, k, x, y, z; out and k public.  x x = y, (2 y + 5) k = z, z 1 = out. */
#define WIRES       6
#define PUBLICS     2
#define CONSTRAINTS 3
#define DOMAIN      8

struct tiny {
    const struct curve *curve;
    struct bytes        r1cs, wtns, key, vk, proof, publics; /* good ones; proof of that witness by that key */
};

struct bytes tiny_r1cs(const struct curve *curve);
struct bytes tiny_wtns(const struct curve *curve);
/* Makes all files with the tool. */
void tiny_open(struct tiny *t, const struct curve *curve);
void tiny_close(struct tiny *t);

/* A point of the curve that is not in the subgroup: the sum of the given one (NULL: none) and one of cofactor order.
 * False where every point is in the subgroup. */
bool point_outside(uint8_t *out_affine, const struct group_ops *g, const struct curve *curve, const uint8_t *affine);

/* --- the tool (run_tool.c) -------------------------------------------------------------------------------------- */

struct run {
    int    status; /* -1: ended by a signal */
    int    signal;
    bool   hung; /* killed by us */
    double cpu_s;
    long   peak_kib;
    char   text[1 << 14]; /* of stderr, its beginning */
};

/* The folder of a case, and what belongs there before the tool ran. */
#define CASE_FOLDER "case"

void tool_find(void); /* CUZK, or build/cuzk; ends the program if it is not there */
void tool_run(struct run *out, const char *const arguments[]); /* NULL at the end; in the current folder */
void tool_must(const char *const arguments[]);                 /* ends the program unless status 0 */
void tool_measure_base(const char *const arguments[]);         /* peak memory that the rules allow 64 MiB above */

/* NULL when the rules that concern every run hold, else what does not. */
const char *run_breaks_rules(const struct run *r);

void folder_make(const char *path); /* empty, whatever was there */
/* NULL if the folder holds exactly the named files (NULL at the end), else a name too many or too few. */
const char *folder_differs(const char *path, const char *const names[]);

/* --- cases (run_tool.c) ----------------------------------------------------------------------------------------- */

/* A member NULL is not looked at, "" must be absent; ANY not looked at. */
#define ANY (UINT64_MAX - 1)
struct expected {
    int         status;
    const char *role, *section, *field;
    uint64_t    index, offset;
};

#define PROVED      ((struct expected){ .status = 0, .index = ANY, .offset = ANY })
#define UNSATISFIED ((struct expected){ .status = 3, .index = ANY, .offset = ANY })
#define REFUSED(role_, section_, field_, index_, offset_) \
    ((struct expected){ .status = 2,                      \
                        .role = (role_),                  \
                        .section = (section_),            \
                        .field = (field_),                \
                        .index = (index_),                \
                        .offset = (offset_) })

void   case_begin(const char *format, ...) __attribute__((format(printf, 1, 2)));
void   case_fail(const char *format, ...) __attribute__((format(printf, 1, 2))); /* once or more: the case has failed */
void   case_end(void);
size_t case_failures_now(void); /* calls of case_fail in this case */
int    cases_close(void);       /* prints the plan; the exit status */

/* The run against an expectation; fails the case. */
void case_expect(const struct run *r, const struct expected *e);

/* `prove` on these files in CASE_FOLDER with all rules; NULL: the good one.  Fails the case in its text. */
void prove_files(struct run *out, const struct tiny *t, const struct bytes *key, const struct bytes *wtns);

/* A whole case; frees the file. */
void key_case(const struct tiny *t, struct bytes key, struct expected e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void wtns_case(const struct tiny *t, struct bytes wtns, struct expected e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* --- the tables ------------------------------------------------------------------------------------------------- */

void mutate_key(const struct tiny *t);
void mutate_witness(const struct tiny *t);
void mutate_paths(const struct tiny *t);
void mutate_r1cs(const struct tiny *t);
void mutate_json(const struct tiny *t);
void sweep_bits(const struct tiny *t, bool all); /* all bytes of all files */

#endif
