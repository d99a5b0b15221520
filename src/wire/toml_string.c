/* wire/toml_string.c - TOML: strings, bare keys, comments. */
#include <string.h>

#include "base/utf8.h"
#include "toml_scan.h"

/* All strings of a document lie one after the other in doc->strings.  It has room for them without a check: an escape
 * is longer than what it stands for, quotes make room for the NUL, and so does what must follow a bare key. */

static char *string_begin(struct toml_scan *s)
{
    return s->doc->strings + s->doc->strings_used;
}

static void string_end(struct toml_scan *s, struct toml_string *out, char *end)
{
    out->text = string_begin(s);
    out->bytes = (size_t)(end - out->text);
    *end = '\0';
    s->doc->strings_used += out->bytes + 1;
}

/* Moves past one character as it stands: a tab, or anything that is no control character. */
static cuzk_status scan_character(struct toml_scan *s, const char *expected)
{
    unsigned char c = (unsigned char)s->text[s->pos];
    size_t        bytes = utf8_bytes(s->text + s->pos);

    if ((c < 0x20 && c != '\t') || c == 0x7f) /* the end as well */
        return toml_fail_here(s, expected);
    if (!bytes)
        return toml_fail_here(s, "UTF-8");
    s->pos += bytes;
    return CUZK_OK;
}

/* The same, copied to *end. */
static cuzk_status copy_character(struct toml_scan *s, char **end, const char *expected)
{
    size_t      start = s->pos;
    cuzk_status st = scan_character(s, expected);

    memcpy(*end, s->text + start, s->pos - start);
    *end += s->pos - start;
    return st;
}

cuzk_status toml_scan_comment(struct toml_scan *s)
{
    cuzk_status st = CUZK_OK;

    while (st == CUZK_OK && s->pos < s->doc->bytes && !toml_newline_bytes(s->text + s->pos))
        st = scan_character(s, "a comment without control characters");
    return st;
}

static bool is_bare(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

cuzk_status toml_scan_bare_key(struct toml_scan *s, struct toml_string *out)
{
    char *end = string_begin(s);

    if (!is_bare(s->text[s->pos]))
        return toml_fail_here(s, "a key");
    while (is_bare(s->text[s->pos]))
        *end++ = s->text[s->pos++];
    string_end(s, out, end);
    return CUZK_OK;
}

/* ---- escapes ---- */

static char *put_utf8(char *out, uint32_t code)
{
    size_t bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

    if (bytes == 1) {
        *out = (char)code;
        return out + 1;
    }
    for (size_t i = bytes - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(code | (bytes == 2 ? 0xc0u : bytes == 3 ? 0xe0u : 0xf0u));
    return out + bytes;
}

/* pos at the backslash of \u or \U. */
static cuzk_status scan_code(struct toml_scan *s, char **end)
{
    bool     is_long = s->text[s->pos + 1] == 'U';
    uint32_t code = 0;

    for (int i = 0; i < (is_long ? 8 : 4); i++) {
        char     c = s->text[s->pos + 2 + i];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : 16;

        if (digit == 16) /* a NUL too: never read past it */
            return toml_fail_here(s, is_long ? "eight hexadecimal digits after \\U"
                                             : "four hexadecimal digits after \\u");
        code = code * 16 + digit;
    }
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return toml_fail_here(s, "the code of a character");
    *end = put_utf8(*end, code);
    s->pos += is_long ? 10 : 6;
    return CUZK_OK;
}

/* A backslash at the end of a line: nothing up to the next character that is no space.  False if pos is not at one. */
static bool skip_line_break(struct toml_scan *s)
{
    size_t start = s->pos, newline;

    s->pos++;
    toml_skip_space(s);
    newline = toml_newline_bytes(s->text + s->pos);
    if (!newline) {
        s->pos = start;
        return false;
    }
    for (; newline; newline = toml_newline_bytes(s->text + s->pos)) {
        s->pos += newline;
        toml_skip_space(s);
    }
    return true;
}

/* pos at the backslash. */
static cuzk_status scan_escape(struct toml_scan *s, char **end)
{
    static const char names[] = "btnfr\"\\", values[] = "\b\t\n\f\r\"\\";
    char              c = s->text[s->pos + 1];
    const char       *name = c ? strchr(names, c) : NULL;

    if (c == 'u' || c == 'U')
        return scan_code(s, end);
    if (!name)
        return toml_fail_here(s, "an escape of TOML");
    *(*end)++ = values[name - names];
    s->pos += 2;
    return CUZK_OK;
}

/* ---- strings ---- */

static cuzk_status scan_line_string(struct toml_scan *s, char **end, char quote)
{
    cuzk_status st = CUZK_OK;

    s->pos++;
    while (st == CUZK_OK && s->text[s->pos] != quote) {
        if (quote == '"' && s->text[s->pos] == '\\')
            st = scan_escape(s, end);
        else
            st = copy_character(s, end, quote == '"' ? "a closing \"" : "a closing '");
    }
    if (st == CUZK_OK)
        s->pos++;
    return st;
}

/* In three quotes; up to two more of them may stand right before the closing ones. */
static cuzk_status scan_lines_string(struct toml_scan *s, char **end, char quote)
{
    cuzk_status st = CUZK_OK;

    s->pos += 3;
    s->pos += toml_newline_bytes(s->text + s->pos);
    while (st == CUZK_OK) {
        const char *p = s->text + s->pos;
        size_t      quotes = 0, newline = toml_newline_bytes(p);

        while (quotes < 5 && p[quotes] == quote)
            quotes++;
        if (quotes >= 3) {
            memcpy(*end, p, quotes - 3);
            *end += quotes - 3;
            s->pos += quotes;
            break;
        }
        if (newline) {
            s->pos += newline;
            *(*end)++ = '\n';
        } else if (quote == '"' && *p == '\\') {
            st = skip_line_break(s) ? CUZK_OK : scan_escape(s, end);
        } else {
            st = copy_character(s, end, quote == '"' ? "a closing \"\"\"" : "a closing '''");
        }
    }
    return st;
}

cuzk_status toml_scan_string(struct toml_scan *s, struct toml_string *out, bool lines)
{
    const char *p = s->text + s->pos;
    char       *end = string_begin(s);
    cuzk_status st;

    st = lines && p[1] == p[0] && p[2] == p[0] ? scan_lines_string(s, &end, p[0]) : scan_line_string(s, &end, p[0]);
    if (st == CUZK_OK)
        string_end(s, out, end);
    return st;
}
