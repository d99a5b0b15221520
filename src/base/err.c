/* base/err.c - error values and their two forms for the outside: a line and a JSON object. */
#include "base/err.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

const char *cuzk_status_name(cuzk_status status)
{
    switch (status) {
    case CUZK_OK:            return "ok";
    case CUZK_E_USAGE:       return "usage";
    case CUZK_E_INPUT:       return "input";
    case CUZK_E_UNSATISFIED: return "unsatisfied";
    case CUZK_E_NOT_FOUND:   return "not_found";
    case CUZK_E_DENIED:      return "denied";
    case CUZK_E_BUSY:        return "busy";
    case CUZK_E_CANCELLED:   return "cancelled";
    case CUZK_E_DEVICE:      return "device";
    case CUZK_E_IO:          return "io";
    case CUZK_E_BUG:         return "bug";
    }
    return "bug";
}

static const struct err_place place_none = { .index = ERR_NONE, .offset = ERR_NONE };

/* The end of a path says more than its start. */
static void path_copy(char *out, size_t out_bytes, const char *path)
{
    size_t length = strlen(path);

    if (length < out_bytes)
        memcpy(out, path, length + 1);
    else
        (void)snprintf(out, out_bytes, "...%s", path + length - (out_bytes - 4));
}

static void err_write(struct cuzk_err *err, cuzk_status status, const struct err_place *place, const char *path,
                      const char *expected, const char *format, va_list args)
    __attribute__((format(printf, 6, 0)));

static void err_write(struct cuzk_err *err, cuzk_status status, const struct err_place *place, const char *path,
                      const char *expected, const char *format, va_list args)
{
    struct cuzk_err e = { .status = status, .place = place ? *place : place_none };

    /* Built aside: the arguments may point into *err. */
    if (path)
        path_copy(e.path, sizeof e.path, path);
    if (expected)
        (void)snprintf(e.expected, sizeof e.expected, "%s", expected);
    (void)vsnprintf(e.text, sizeof e.text, format, args);
    *err = e;
}

cuzk_status err_set(struct cuzk_err *err, cuzk_status status, const char *format, ...)
{
    va_list args;

    if (err) {
        va_start(args, format);
        err_write(err, status, NULL, NULL, NULL, format, args);
        va_end(args);
    }
    return status;
}

cuzk_status err_set_at(struct cuzk_err *err, cuzk_status status, const struct err_place *place, const char *path,
                       const char *expected, const char *format, ...)
{
    va_list args;

    if (err) {
        va_start(args, format);
        err_write(err, status, place, path, expected, format, args);
        va_end(args);
    }
    return status;
}

/* A bounded text under construction; length counts what would have been written, as snprintf does. */
struct sink {
    char  *out;
    size_t room, length;
};

static void sink_add(struct sink *s, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++, s->length++)
        if (s->length + 1 < s->room)
            s->out[s->length] = text[i];
}

static void sink_text(struct sink *s, const char *text)
{
    sink_add(s, text, strlen(text));
}

static void sink_number(struct sink *s, const char *format, uint64_t value) __attribute__((format(printf, 2, 0)));

static void sink_number(struct sink *s, const char *format, uint64_t value)
{
    char text[32];
    int  n = snprintf(text, sizeof text, format, value);

    sink_add(s, text, n > 0 ? (size_t)n : 0);
}

static int sink_end(struct sink *s)
{
    if (s->room)
        s->out[s->length < s->room ? s->length : s->room - 1] = '\0';
    return (int)s->length;
}

/* Control bytes in a path or text must not reach a terminal. */
static void sink_printable(struct sink *s, const char *text)
{
    for (; *text; text++) {
        char c = (unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text;

        sink_add(s, &c, 1);
    }
}

int err_format(char *out, size_t out_bytes, const struct cuzk_err *err)
{
    struct sink s = { .out = out, .room = out_bytes };
    const char *between = "";

    if (err->place.role) {
        sink_text(&s, err->place.role);
        between = ", ";
    }
    if (err->path[0]) {
        sink_text(&s, err->place.role ? " " : "");
        sink_printable(&s, err->path);
        between = ", ";
    }
    if (err->place.section) {
        sink_text(&s, between);
        sink_text(&s, "section ");
        sink_text(&s, err->place.section);
        between = ", ";
    }
    if (err->place.field) {
        sink_text(&s, between);
        sink_text(&s, "field ");
        sink_text(&s, err->place.field);
        between = ", ";
    }
    if (err->place.index != ERR_NONE) {
        sink_text(&s, between);
        sink_number(&s, "index %" PRIu64, err->place.index);
        between = ", ";
    }
    if (err->place.offset != ERR_NONE) {
        sink_text(&s, between);
        sink_number(&s, "offset 0x%" PRIx64, err->place.offset);
        between = ", ";
    }
    sink_text(&s, between[0] ? ": " : "");
    sink_printable(&s, err->text);
    if (err->expected[0]) {
        sink_text(&s, " (expected ");
        sink_printable(&s, err->expected);
        sink_text(&s, ")");
    }
    return sink_end(&s);
}

static void sink_json_string(struct sink *s, const char *text)
{
    sink_text(s, "\"");
    while (*text) {
        size_t bytes = utf8_bytes(text);

        if (*text == '"' || *text == '\\')
            sink_text(s, "\\");
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            sink_number(s, "\\u%04" PRIx64, (unsigned char)*text);
        else if (bytes)
            sink_add(s, text, bytes);
        else
            sink_text(s, "\\ufffd");
        text += bytes ? bytes : 1;
    }
    sink_text(s, "\"");
}

static void sink_member(struct sink *s, const char *name, const char *value)
{
    if (!value || !value[0])
        return;
    sink_text(s, s->length > 1 ? "," : "");
    sink_json_string(s, name);
    sink_text(s, ":");
    sink_json_string(s, value);
}

static void sink_member_number(struct sink *s, const char *name, uint64_t value)
{
    if (value == ERR_NONE)
        return;
    sink_text(s, s->length > 1 ? "," : "");
    sink_json_string(s, name);
    sink_number(s, ":%" PRIu64, value);
}

int err_format_json(char *out, size_t out_bytes, const struct cuzk_err *err)
{
    struct sink s = { .out = out, .room = out_bytes };

    sink_text(&s, "{");
    sink_member(&s, "class", cuzk_status_name(err->status));
    sink_member(&s, "role", err->place.role);
    sink_member(&s, "path", err->path);
    sink_member(&s, "section", err->place.section);
    sink_member(&s, "field", err->place.field);
    sink_member_number(&s, "index", err->place.index);
    sink_member_number(&s, "offset", err->place.offset);
    sink_member(&s, "expected", err->expected);
    sink_member(&s, "text", err->text);
    sink_text(&s, "}");
    return sink_end(&s);
}
