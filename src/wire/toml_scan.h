/* wire/toml_scan.h - what the files of the TOML reader share; nobody else includes it. */
#ifndef CUZK_WIRE_TOML_SCAN_H
#define CUZK_WIRE_TOML_SCAN_H

#include "wire/toml.h"

struct toml_scan {
    struct toml     *doc;
    const char      *text; /* doc->text */
    size_t           pos;
    struct cuzk_err *err;
};

/* ---- toml.c ---- */

/* "not TOML" or "the text ends here", at pos. */
cuzk_status toml_fail_here(struct toml_scan *s, const char *expected);

/* Each of the following begins with pos at the first byte of what it reads and ends with pos past the last. */

/* ---- toml_string.c ---- */

/* Any string, in single or double quotes; lines: also those in three quotes. */
cuzk_status toml_scan_string(struct toml_scan *s, struct toml_string *out, bool lines);
cuzk_status toml_scan_bare_key(struct toml_scan *s, struct toml_string *out);
cuzk_status toml_scan_comment(struct toml_scan *s); /* without the end of the line */

/* ---- toml_number.c ---- */

/* A number, boolean, date or time. */
cuzk_status toml_scan_scalar(struct toml_scan *s, struct toml_value *out);

/* Bytes of the end of line at p: 1, 2 or 0 for none. */
static inline size_t toml_newline_bytes(const char *p)
{
    return p[0] == '\n' ? 1 : p[0] == '\r' && p[1] == '\n' ? 2 : 0;
}

static inline void toml_skip_space(struct toml_scan *s)
{
    while (s->text[s->pos] == ' ' || s->text[s->pos] == '\t') /* the NUL at the end is none */
        s->pos++;
}

#endif
