/* wire/toml.h - a reader of TOML 1.0: a checked tree of values, each with its place in the text.
 *
 * Complete: all strings, numbers, dates and times, arrays, inline tables, dotted keys, arrays of tables, and the rules
 * on what may be defined twice.  A mark of byte order at the start is skipped; the end of a line within a string is \n.
 *
 * Nothing here trusts the text.  It is at most TOML_BYTES_MAX long, a table has at most TOML_MEMBERS_MAX members and
 * nothing is nested deeper than TOML_DEPTH_MAX: then a search through all members is cheap enough to need no hash, and
 * no text makes the tree larger than 50 times itself. */
#ifndef CUZK_WIRE_TOML_H
#define CUZK_WIRE_TOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define TOML_BYTES_MAX   ((size_t)256 << 10)
#define TOML_MEMBERS_MAX 1024
#define TOML_DEPTH_MAX   64

enum toml_kind {
    TOML_NONE,
    TOML_STRING,
    TOML_INTEGER,
    TOML_FLOAT,
    TOML_BOOLEAN,
    TOML_OFFSET_DATETIME,
    TOML_LOCAL_DATETIME,
    TOML_LOCAL_DATE,
    TOML_LOCAL_TIME,
    TOML_ARRAY,
    TOML_TABLE,
};

/* UTF-8, NUL-terminated; a NUL may also be inside ("\u0000"): then strlen(text) < bytes. */
struct toml_string {
    const char *text;
    size_t      bytes;
};

/* Members that the kind does not have are 0. */
struct toml_time {
    uint16_t year;
    uint8_t  month, day, hour, minute, second;
    uint32_t nanosecond;     /* further digits are cut off */
    int16_t  offset_minutes; /* east of UTC */
};

struct toml_value {
    enum toml_kind kind;
    size_t         start; /* where it stands in the text; of a table: its header, or the key that made it */
    union {
        struct toml_string string;
        int64_t            integer;
        double             real;
        bool               boolean;
        struct toml_time   time;
        struct toml_array *array;
        struct toml_table *table;
    };
};

struct toml_item {
    struct toml_item *next;
    struct toml_value value;
};

struct toml_array {
    struct toml_item *first, *last;
    size_t            count;
    uint32_t          depth;
    bool              of_tables; /* made by [[name]] */
};

struct toml_member {
    struct toml_member *next;
    struct toml_string  key;
    size_t              key_start;
    struct toml_value   value;
};

/* Who made a table, so who may add to it. */
enum toml_maker {
    TOML_BY_PATH,   /* as a step of a [header]: may get a header of its own */
    TOML_BY_HEADER, /* by its own header */
    TOML_BY_DOTS,   /* as a step of a dotted key */
    TOML_INLINE,    /* complete as it stands */
};

struct toml_table {
    struct toml_member *first, *last; /* in the order of the text */
    size_t              count;
    uint32_t            depth;
    enum toml_maker     maker;
};

struct toml_chunk;

struct toml {
    const char        *text; /* text, role and path are borrowed */
    size_t             bytes;
    const char        *role, *path;
    struct toml_table  root;
    struct toml_chunk *chunks;  /* what the tree is made of */
    char              *strings; /* one block for all strings: none is longer than what it was written as */
    size_t             strings_used;
};

/* text[bytes] must be NUL.  INPUT with line, column, offset and what was expected unless the text is TOML; IO without
 * memory.  After a failure *out needs no toml_close. */
cuzk_status toml_open(struct toml *out, const char *text, size_t bytes, const char *role, const char *path,
                      struct cuzk_err *err);
void        toml_close(struct toml *doc); /* twice is nothing */

/* The member of this name, NULL if there is none. */
const struct toml_member *toml_find(const struct toml_table *table, const char *key, size_t key_bytes);

/* "an integer", "a table"; for messages. */
const char *toml_kind_name(enum toml_kind kind);

size_t toml_line(const struct toml *doc, size_t at); /* of the text, from 1 */

/* The INPUT failure at offset `at` of the text; the message begins with "line N, column M: " (bytes, from 1).  field
 * and expected may be NULL. */
cuzk_status toml_fail(const struct toml *doc, size_t at, const char *field, const char *expected, struct cuzk_err *err,
                      const char *format, ...) __attribute__((format(printf, 6, 7)));

#endif
