/* wire/json.h - JSON (RFC 8259): a strict reader without copies, and a writer.
 *
 * The reader is our own rather than jansson's: every error, also one about meaning found later, needs line and byte
 * offset of the value; a verification key may hold millions of strings, for which a tree of heap nodes costs ten times
 * the text; and nothing here recurses or allocates, so hostile text costs time linear in its size and no memory.
 *
 * json_open walks the whole text once and checks syntax, UTF-8, depth and surrogate pairs.  After that a value is a
 * range of checked text, and walking cannot fail. */
#ifndef CUZK_WIRE_JSON_H
#define CUZK_WIRE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define JSON_DEPTH_MAX   64
#define JSON_MEMBERS_MAX 256 /* of an object that json_members reads */
#define JSON_NAME_BYTES_MAX 256 /* of their names, as written: comparing them all stays cheap */

/* ---- reading ---- */

enum json_kind { JSON_NONE, JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* A checked text; role and path go into errors.  All three are borrowed. */
struct json {
    const char *text;
    size_t      bytes;
    const char *role, *path;
};

struct json_value {
    enum json_kind kind;       /* JSON_NONE: absent */
    size_t         start, end; /* in the text, quotes and brackets included */
};

/* text[bytes] must be NUL.  INPUT with line, column and offset unless the text is exactly one JSON value. */
cuzk_status json_open(struct json *out, struct json_value *root, const char *text, size_t bytes, const char *role,
                      const char *path, struct cuzk_err *err);

/* Steps through an array: first *pos = 0, then false at the end. */
bool json_item(struct json_value *item, const struct json *j, const struct json_value *array, size_t *pos);

size_t json_items(const struct json *j, const struct json_value *array); /* how many */

/* out[i] = the member called names[i], JSON_NONE if absent; others are ignored.  INPUT unless value is an object within
 * the limits above, no two members of the same name. */
cuzk_status json_members(struct json_value *out, const char *const *names, size_t count, const struct json *j,
                         const struct json_value *value, struct cuzk_err *err);

/* Decodes a string into out, NUL-terminated; false if value is no string, is longer, or holds a NUL. */
bool json_string_copy(char *out, size_t out_bytes, const struct json *j, const struct json_value *value);

/* A number written as a plain integer from 0 to 2^64 - 1; false otherwise. */
bool json_u64(uint64_t *out, const struct json *j, const struct json_value *value);

/* The INPUT failure at offset `at` of the text; the message begins with "line N, column M: ".  field, expected may be
 * NULL, index ERR_NONE. */
cuzk_status json_fail(const struct json *j, size_t at, const char *field, uint64_t index, const char *expected,
                      struct cuzk_err *err, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* ---- writing ---- */

/* One space of indentation a level, laid out as snarkjs does; or all on one line. */
enum json_layout { JSON_SNARKJS, JSON_COMPACT };

/* A shortage of memory is kept and reported once, by json_writer_take. */
struct json_writer {
    enum json_layout layout;
    char            *text;
    size_t           used, room;
    bool             failed;
    uint32_t         depth;
    bool             nonempty[JSON_DEPTH_MAX];
    char             closing[JSON_DEPTH_MAX];
};

void json_writer_init(struct json_writer *w, enum json_layout layout);

/* name: the member's name within an object, NULL within an array or at the top. */
void json_begin_object(struct json_writer *w, const char *name);
void json_begin_array(struct json_writer *w, const char *name);
void json_end(struct json_writer *w);
void json_put_string(struct json_writer *w, const char *name, const char *value); /* ill-formed UTF-8 becomes U+FFFD */
void json_put_u64(struct json_writer *w, const char *name, uint64_t value);
void json_put_ms(struct json_writer *w, const char *name, uint64_t ns); /* a number of milliseconds, three decimals */
void json_put_bool(struct json_writer *w, const char *name, bool value);
void json_put_null(struct json_writer *w, const char *name);

/* *out: the text, NUL-terminated, mem_free; the writer is empty afterwards, whatever happened. */
cuzk_status json_writer_take(char **out, size_t *out_bytes, struct json_writer *w, struct cuzk_err *err);

#endif
