/* base/err.h - an error as a value: class, place in a file, text; written once, where it happened. */
#ifndef CUZK_BASE_ERR_H
#define CUZK_BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cuzk/status.h"

#define ERR_NONE UINT64_MAX /* a place member that does not apply */

/* Where in an outside file the fault lies.  Strings are literals or outlive the error. */
struct err_place {
    const char *role;    /* "key", "witness", "r1cs", "proof", "public", "vk"; NULL: no file concerned */
    const char *section; /* name of the section, such as "coefficients"; NULL: none */
    const char *field;   /* name of the field, such as "signal"; NULL: none */
    uint64_t    index;   /* element within the section, ERR_NONE: none */
    uint64_t    offset;  /* byte offset in the file, ERR_NONE: none */
};

struct cuzk_err {
    cuzk_status      status;
    struct err_place place;
    char             path[256];     /* the file, shortened at the front when longer; empty: none */
    char             expected[128]; /* what would have been right; empty: not said */
    char             text[320];     /* one sentence for people; never a witness value */
};

/* Sets status and text; place, path and expected are emptied.  Returns status. */
cuzk_status err_set(struct cuzk_err *err, cuzk_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with a place and what was expected (may be NULL). */
cuzk_status err_set_at(struct cuzk_err *err, cuzk_status status, const struct err_place *place, const char *path,
                       const char *expected, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* One line without newline: "key circuit.zkey, section coefficients, field signal, index 7, offset 0x1c4:
 * signal is 12 (expected below 12)".  Returns what snprintf would. */
int err_format(char *out, size_t out_bytes, const struct cuzk_err *err);

/* One JSON object: class, role, path, section, field, index, offset, expected, text; members that do not apply are
 * left out.  Returns what snprintf would. */
int err_format_json(char *out, size_t out_bytes, const struct cuzk_err *err);

/* For functions that have `cuzk_status st;`, `struct cuzk_err *err` and a label `out:`. */
#define FAIL(status, ...)                          \
    do {                                           \
        st = err_set(err, (status), __VA_ARGS__);  \
        goto out;                                  \
    } while (0)
#define TRY(call)            \
    do {                     \
        st = (call);         \
        if (st != CUZK_OK)   \
            goto out;        \
    } while (0)

#endif
