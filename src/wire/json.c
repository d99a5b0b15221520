/* wire/json.c - JSON; any thread; base only. */
#include "wire/json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/utf8.h"

/* ---- failures ---- */

cuzk_status json_fail(const struct json *j, size_t at, const char *field, uint64_t index, const char *expected,
                      struct cuzk_err *err, const char *format, ...)
{
    struct err_place place = { .role = j->role, .field = field, .index = index, .offset = at };
    char             what[256];
    size_t           line = 1, line_start = 0;
    va_list          args;

    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    for (size_t i = 0; i < at && i < j->bytes; i++)
        if (j->text[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    return err_set_at(err, CUZK_E_INPUT, &place, j->path, expected, "line %zu, column %zu: %s", line,
                      at - line_start + 1, what);
}

/* ---- the check of a whole text ----
 *
 * One loop over tokens with a stack of bits for the open brackets.  `expect` says what may come next. */

enum expect {
    VALUE,         /* a value must come */
    VALUE_OR_END,  /* just after [ */
    NAME,          /* after , in an object */
    NAME_OR_END,   /* just after { */
    COMMA_OR_END,  /* after a value in a bracket */
    NOTHING,       /* after the outermost value */
};

struct scanner {
    const struct json *j;
    size_t             pos;
    struct cuzk_err   *err;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(struct scanner *s)
{
    while (is_space(s->j->text[s->pos])) /* the NUL at the end is none */
        s->pos++;
}

static cuzk_status fail_here(struct scanner *s, const char *expected)
{
    if (s->pos >= s->j->bytes)
        return json_fail(s->j, s->pos, NULL, ERR_NONE, expected, s->err, "the text ends here");
    return json_fail(s->j, s->pos, NULL, ERR_NONE, expected, s->err, "not JSON");
}

/* The four digits at p as a number; -1 if they are not hexadecimal. */
static int32_t hex4(const char *p)
{
    int32_t value = 0;

    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int  digit = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                                                                        : -1;

        if (digit < 0)
            return -1; /* a NUL too: never read past it */
        value = value * 16 + digit;
    }
    return value;
}

static bool is_high_surrogate(int32_t v)
{
    return v >= 0xd800 && v <= 0xdbff;
}

static bool is_low_surrogate(int32_t v)
{
    return v >= 0xdc00 && v <= 0xdfff;
}

/* pos at the backslash. */
static cuzk_status scan_escape(struct scanner *s)
{
    const char *p = s->j->text + s->pos;
    int32_t     value;

    if (p[1] != '\0' && strchr("\"\\/bfnrt", p[1])) {
        s->pos += 2;
        return CUZK_OK;
    }
    if (p[1] != 'u' || (value = hex4(p + 2)) < 0)
        return fail_here(s, "an escape of JSON");
    if (is_low_surrogate(value))
        return fail_here(s, "a high surrogate before a low one");
    s->pos += 6;
    if (!is_high_surrogate(value))
        return CUZK_OK;
    if (p[6] != '\\' || p[7] != 'u' || !is_low_surrogate(hex4(p + 8)))
        return fail_here(s, "a low surrogate after a high one");
    s->pos += 6;
    return CUZK_OK;
}

/* pos at the opening quote. */
static cuzk_status scan_string(struct scanner *s)
{
    cuzk_status st = CUZK_OK;

    s->pos++;
    for (;;) {
        char   c = s->j->text[s->pos];
        size_t bytes;

        if (c == '"') {
            s->pos++;
            return CUZK_OK;
        }
        if (c == '\\') {
            st = scan_escape(s);
            if (st != CUZK_OK)
                return st;
            continue;
        }
        if ((unsigned char)c < 0x20) /* the end as well */
            return fail_here(s, "a closing quote or an escape");
        bytes = utf8_bytes(s->j->text + s->pos);
        if (!bytes)
            return fail_here(s, "UTF-8");
        s->pos += bytes;
    }
}

static bool scan_digits(struct scanner *s)
{
    size_t start = s->pos;

    while (is_digit(s->j->text[s->pos]))
        s->pos++;
    return s->pos > start;
}

static cuzk_status scan_number(struct scanner *s)
{
    const char *text = s->j->text;

    if (text[s->pos] == '-')
        s->pos++;
    if (text[s->pos] == '0')
        s->pos++; /* no digit may follow: what comes next will say so */
    else if (!scan_digits(s))
        return fail_here(s, "a digit");
    if (text[s->pos] == '.') {
        s->pos++;
        if (!scan_digits(s))
            return fail_here(s, "a digit");
    }
    if (text[s->pos] == 'e' || text[s->pos] == 'E') {
        s->pos++;
        if (text[s->pos] == '+' || text[s->pos] == '-')
            s->pos++;
        if (!scan_digits(s))
            return fail_here(s, "a digit");
    }
    return CUZK_OK;
}

static cuzk_status scan_word(struct scanner *s, const char *word)
{
    size_t bytes = strlen(word);

    if (strncmp(s->j->text + s->pos, word, bytes) != 0)
        return fail_here(s, "a JSON value");
    s->pos += bytes;
    return CUZK_OK;
}

static cuzk_status scan_scalar(struct scanner *s)
{
    switch (s->j->text[s->pos]) {
    case '"': return scan_string(s);
    case 't': return scan_word(s, "true");
    case 'f': return scan_word(s, "false");
    case 'n': return scan_word(s, "null");
    case '-': case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9':
        return scan_number(s);
    default:
        return fail_here(s, "a JSON value");
    }
}

/* pos at the name's quote; afterwards past the colon. */
static cuzk_status scan_name(struct scanner *s)
{
    cuzk_status st;

    if (s->j->text[s->pos] != '"')
        return fail_here(s, "a member's name");
    st = scan_string(s);
    if (st != CUZK_OK)
        return st;
    skip_space(s);
    if (s->j->text[s->pos] != ':')
        return fail_here(s, "a colon");
    s->pos++;
    return CUZK_OK;
}

static cuzk_status scan_document(struct scanner *s)
{
    uint64_t    objects = 0; /* bit 0: the innermost open bracket is { */
    uint32_t    depth = 0;
    enum expect expect = VALUE;

    _Static_assert(JSON_DEPTH_MAX <= 64, "one bit a bracket");
    for (;;) {
        cuzk_status st = CUZK_OK;
        char        c;

        skip_space(s);
        c = s->j->text[s->pos];
        if (expect == NOTHING)
            return s->pos == s->j->bytes ? CUZK_OK : fail_here(s, "the end of the text");
        if (expect != VALUE && expect != NAME && (c == ']' || c == '}')) {
            if (c != (objects & 1 ? '}' : ']'))
                return fail_here(s, objects & 1 ? "}" : "]");
            s->pos++;
            objects >>= 1;
            expect = --depth ? COMMA_OR_END : NOTHING;
        } else if (expect == COMMA_OR_END) {
            if (c != ',')
                return fail_here(s, objects & 1 ? "a comma or }" : "a comma or ]");
            s->pos++;
            expect = objects & 1 ? NAME : VALUE;
        } else if (expect == NAME || expect == NAME_OR_END) {
            st = scan_name(s);
            expect = VALUE;
        } else if (c == '[' || c == '{') {
            if (depth == JSON_DEPTH_MAX)
                return json_fail(s->j, s->pos, NULL, ERR_NONE, NULL, s->err, "nested deeper than %d", JSON_DEPTH_MAX);
            s->pos++;
            depth++;
            objects = objects << 1 | (c == '{');
            expect = c == '{' ? NAME_OR_END : VALUE_OR_END;
        } else {
            st = scan_scalar(s);
            expect = depth ? COMMA_OR_END : NOTHING;
        }
        if (st != CUZK_OK)
            return st;
    }
}

/* ---- walking checked text ---- */

static size_t space_end(const char *text, size_t pos)
{
    while (is_space(text[pos]))
        pos++;
    return pos;
}

static size_t string_end(const char *text, size_t pos)
{
    for (pos++; text[pos] != '"'; pos++)
        if (text[pos] == '\\')
            pos++;
    return pos + 1;
}

/* The value that starts at pos. */
static struct json_value value_at(const char *text, size_t pos)
{
    struct json_value v = { .start = pos, .end = pos };
    uint32_t          depth = 0;

    switch (text[pos]) {
    case '"': v.kind = JSON_STRING; break;
    case '[': v.kind = JSON_ARRAY;  break;
    case '{': v.kind = JSON_OBJECT; break;
    case 't': v.kind = JSON_TRUE;   break;
    case 'f': v.kind = JSON_FALSE;  break;
    case 'n': v.kind = JSON_NULL;   break;
    default:  v.kind = JSON_NUMBER; break;
    }
    do {
        char c = text[v.end];

        if (c == '"') {
            v.end = string_end(text, v.end);
            continue;
        }
        if (c == '[' || c == '{')
            depth++;
        else if (c == ']' || c == '}')
            depth--;
        v.end++;
    } while (depth);
    if (v.kind == JSON_NUMBER || v.kind == JSON_TRUE || v.kind == JSON_FALSE || v.kind == JSON_NULL)
        while (text[v.end] != '\0' && !strchr(" \t\r\n,]}", text[v.end]))
            v.end++;
    return v;
}

cuzk_status json_open(struct json *out, struct json_value *root, const char *text, size_t bytes, const char *role,
                      const char *path, struct cuzk_err *err)
{
    struct scanner s = { .j = out, .err = err };
    cuzk_status    st;

    *out = (struct json){ .text = text, .bytes = bytes, .role = role, .path = path };
    *root = (struct json_value){ .kind = JSON_NONE };
    cuzk_check(text[bytes] == '\0');
    st = scan_document(&s);
    if (st == CUZK_OK)
        *root = value_at(text, space_end(text, 0));
    return st;
}

bool json_item(struct json_value *item, const struct json *j, const struct json_value *array, size_t *pos)
{
    size_t next = space_end(j->text, *pos ? *pos : array->start + 1);

    if (j->text[next] == ']') {
        *item = (struct json_value){ .kind = JSON_NONE };
        return false;
    }
    *item = value_at(j->text, next);
    next = space_end(j->text, item->end);
    *pos = j->text[next] == ',' ? next + 1 : next;
    return true;
}

size_t json_items(const struct json *j, const struct json_value *array)
{
    struct json_value item;
    size_t            pos = 0, count = 0;

    while (json_item(&item, j, array, &pos))
        count++;
    return count;
}

/* One character of a string's inside as up to four bytes of UTF-8; *pos moves past it. */
static size_t string_char(char out[4], const char *text, size_t *pos)
{
    static const char names[] = "bfnrt", values[] = "\b\f\n\r\t";
    size_t            bytes;
    int32_t           code;
    const char       *name;

    if (text[*pos] != '\\') {
        bytes = utf8_bytes(text + *pos);
        memcpy(out, text + *pos, bytes);
        *pos += bytes;
        return bytes;
    }
    if (text[*pos + 1] != 'u') {
        name = strchr(names, text[*pos + 1]);
        out[0] = name ? values[name - names] : text[*pos + 1];
        *pos += 2;
        return 1;
    }
    code = hex4(text + *pos + 2);
    *pos += 6;
    if (is_high_surrogate(code)) {
        code = 0x10000 + ((code - 0xd800) << 10) + (hex4(text + *pos + 2) - 0xdc00);
        *pos += 6;
    }
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    bytes = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = bytes - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(code | (bytes == 2 ? 0xc0 : bytes == 3 ? 0xe0 : 0xf0));
    return bytes;
}

bool json_string_copy(char *out, size_t out_bytes, const struct json *j, const struct json_value *value)
{
    size_t pos = value->start + 1, used = 0;

    if (value->kind != JSON_STRING)
        return false;
    while (j->text[pos] != '"') {
        char   c[4];
        size_t bytes = string_char(c, j->text, &pos);

        if (bytes >= out_bytes - used || c[0] == '\0')
            return false;
        memcpy(out + used, c, bytes);
        used += bytes;
    }
    out[used] = '\0';
    return true;
}

/* Are the strings at a and b (of their quotes) the same text? */
static bool strings_equal(const char *text, size_t a, size_t b)
{
    a++;
    b++;
    while (text[a] != '"' && text[b] != '"') {
        char   x[4], y[4];
        size_t x_bytes = string_char(x, text, &a), y_bytes = string_char(y, text, &b);

        if (x_bytes != y_bytes || memcmp(x, y, x_bytes) != 0)
            return false;
    }
    return text[a] == text[b];
}

cuzk_status json_members(struct json_value *out, const char *const *names, size_t count, const struct json *j,
                         const struct json_value *value, struct cuzk_err *err)
{
    size_t seen[JSON_MEMBERS_MAX], seen_count = 0, pos = value->start + 1;

    for (size_t i = 0; i < count; i++)
        out[i] = (struct json_value){ .kind = JSON_NONE };
    if (value->kind != JSON_OBJECT)
        return json_fail(j, value->start, NULL, ERR_NONE, "an object", err, "not an object");
    for (;;) {
        struct json_value name, member;
        char              text[64];

        pos = space_end(j->text, pos);
        if (j->text[pos] == '}')
            return CUZK_OK;
        if (seen_count == JSON_MEMBERS_MAX)
            return json_fail(j, pos, NULL, ERR_NONE, NULL, err, "more than %d members", JSON_MEMBERS_MAX);
        name = value_at(j->text, pos);
        if (name.end - name.start - 2 > JSON_NAME_BYTES_MAX)
            return json_fail(j, pos, NULL, ERR_NONE, NULL, err, "a name of more than %d bytes", JSON_NAME_BYTES_MAX);
        member = value_at(j->text, space_end(j->text, space_end(j->text, name.end) + 1)); /* past the colon */
        for (size_t i = 0; i < seen_count; i++)
            if (strings_equal(j->text, seen[i], name.start))
                return json_fail(j, name.start, NULL, ERR_NONE, NULL, err, "a second member of this name");
        seen[seen_count++] = name.start;
        if (json_string_copy(text, sizeof text, j, &name))
            for (size_t i = 0; i < count; i++)
                if (strcmp(names[i], text) == 0)
                    out[i] = member;
        pos = space_end(j->text, member.end);
        if (j->text[pos] == ',')
            pos++;
    }
}

bool json_u64(uint64_t *out, const struct json *j, const struct json_value *value)
{
    uint64_t v = 0;

    if (value->kind != JSON_NUMBER)
        return false;
    for (size_t i = value->start; i < value->end; i++) {
        char c = j->text[i];

        if (!is_digit(c) || __builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(c - '0'), &v))
            return false;
    }
    *out = v;
    return true;
}

/* ---- writing ---- */

void json_writer_init(struct json_writer *w, enum json_layout layout)
{
    *w = (struct json_writer){ .layout = layout };
}

static void put(struct json_writer *w, const char *text, size_t bytes)
{
    if (w->failed)
        return;
    if (bytes >= w->room - w->used) {
        size_t room;
        char  *grown = NULL;

        if (size_add(&room, w->used, bytes) && size_mul(&room, room, 2) && size_add(&room, room, 256))
            grown = mem_new(room, 1);
        if (!grown) {
            w->failed = true;
            return;
        }
        if (w->used)
            memcpy(grown, w->text, w->used);
        mem_free(w->text);
        w->text = grown;
        w->room = room;
    }
    memcpy(w->text + w->used, text, bytes);
    w->used += bytes;
}

static void put_text(struct json_writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static void put_quoted(struct json_writer *w, const char *text)
{
    put_text(w, "\"");
    while (*text) {
        size_t bytes = utf8_bytes(text);
        char   escape[8];

        if ((unsigned char)*text < 0x20) {
            (void)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*text);
            put_text(w, escape);
        } else if (bytes) {
            if (*text == '"' || *text == '\\')
                put_text(w, "\\");
            put(w, text, bytes);
        } else {
            put_text(w, "\\ufffd");
        }
        text += bytes ? bytes : 1;
    }
    put_text(w, "\"");
}

static void put_line(struct json_writer *w)
{
    if (w->layout == JSON_COMPACT)
        return;
    put_text(w, "\n");
    for (uint32_t i = 0; i < w->depth; i++)
        put_text(w, " ");
}

/* What comes before a value: comma, line, name. */
static void put_before(struct json_writer *w, const char *name)
{
    if (w->depth) {
        if (w->nonempty[w->depth - 1])
            put_text(w, ",");
        w->nonempty[w->depth - 1] = true;
        put_line(w);
    }
    cuzk_check((name != NULL) == (w->depth && w->closing[w->depth - 1] == '}'));
    if (name) {
        put_quoted(w, name);
        put_text(w, w->layout == JSON_COMPACT ? ":" : ": ");
    }
}

static void begin(struct json_writer *w, const char *name, const char *opening, char closing)
{
    put_before(w, name);
    put_text(w, opening);
    cuzk_check(w->depth < JSON_DEPTH_MAX);
    w->nonempty[w->depth] = false;
    w->closing[w->depth++] = closing;
}

void json_begin_object(struct json_writer *w, const char *name)
{
    begin(w, name, "{", '}');
}

void json_begin_array(struct json_writer *w, const char *name)
{
    begin(w, name, "[", ']');
}

void json_end(struct json_writer *w)
{
    cuzk_check(w->depth > 0);
    w->depth--;
    put_line(w); /* also when empty, as snarkjs does */
    put(w, &w->closing[w->depth], 1);
}

void json_put_string(struct json_writer *w, const char *name, const char *value)
{
    put_before(w, name);
    put_quoted(w, value);
}

void json_put_u64(struct json_writer *w, const char *name, uint64_t value)
{
    char text[24];

    put_before(w, name);
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    put_text(w, text);
}

void json_put_ms(struct json_writer *w, const char *name, uint64_t ns)
{
    char text[40];

    put_before(w, name);
    (void)snprintf(text, sizeof text, "%" PRIu64 ".%03" PRIu64, ns / 1000000, ns / 1000 % 1000);
    put_text(w, text);
}

void json_put_bool(struct json_writer *w, const char *name, bool value)
{
    put_before(w, name);
    put_text(w, value ? "true" : "false");
}

void json_put_null(struct json_writer *w, const char *name)
{
    put_before(w, name);
    put_text(w, "null");
}

cuzk_status json_writer_take(char **out, size_t *out_bytes, struct json_writer *w, struct cuzk_err *err)
{
    cuzk_check(w->depth == 0);
    put(w, "", 0); /* makes room for the NUL even of nothing */
    *out = NULL;
    if (out_bytes)
        *out_bytes = 0;
    if (w->failed) {
        mem_free(w->text);
        json_writer_init(w, w->layout);
        return err_set(err, CUZK_E_IO, "no memory for a JSON text");
    }
    w->text[w->used] = '\0';
    *out = w->text;
    if (out_bytes)
        *out_bytes = w->used;
    json_writer_init(w, w->layout);
    return CUZK_OK;
}
