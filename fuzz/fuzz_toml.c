/* fuzz/fuzz_toml.c - what is taken must be within its limits and come back the same when it is written as one table of
 * inline values and read again. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "wire/toml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* ---- writing ---- */

static void write_value(FILE *out, const struct toml_value *v);

static void write_string(FILE *out, const struct toml_string *s)
{
    cuzk_check(s->text[s->bytes] == '\0');
    fputc('"', out);
    for (size_t i = 0; i < s->bytes; i++) {
        unsigned char c = (unsigned char)s->text[i];

        cuzk_check((c & 0xc0) == 0x80 || utf8_bytes(s->text + i));
        if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
            fprintf(out, "\\u%04X", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void write_members(FILE *out, const struct toml_table *table, const char *between)
{
    size_t count = 0;

    cuzk_check(table->depth <= TOML_DEPTH_MAX && table->count <= TOML_MEMBERS_MAX);
    for (const struct toml_member *m = table->first; m; m = m->next, count++) {
        cuzk_check(toml_find(table, m->key.text, m->key.bytes) == m);
        write_string(out, &m->key);
        fputs(" = ", out);
        write_value(out, &m->value);
        fputs(m->next ? between : "", out);
    }
    cuzk_check(count == table->count);
}

static void write_array(FILE *out, const struct toml_array *array)
{
    size_t count = 0;

    cuzk_check(array->depth <= TOML_DEPTH_MAX);
    fputc('[', out);
    for (const struct toml_item *item = array->first; item; item = item->next, count++) {
        write_value(out, &item->value);
        fputs(item->next ? "," : "", out);
    }
    fputc(']', out);
    cuzk_check(count == array->count);
}

static void write_real(FILE *out, double real)
{
    char text[40];

    (void)snprintf(text, sizeof text, "%.17g", real);
    fprintf(out, "%s%s", text, isfinite(real) && !strpbrk(text, ".e") ? ".0" : "");
}

static void write_time(FILE *out, const struct toml_value *v)
{
    const struct toml_time *t = &v->time;
    int                     offset = abs(t->offset_minutes);

    if (v->kind != TOML_LOCAL_TIME)
        fprintf(out, "%04u-%02u-%02u", t->year, t->month, t->day);
    if (v->kind == TOML_OFFSET_DATETIME || v->kind == TOML_LOCAL_DATETIME)
        fputc('T', out);
    if (v->kind != TOML_LOCAL_DATE)
        fprintf(out, "%02u:%02u:%02u.%09" PRIu32, t->hour, t->minute, t->second, t->nanosecond);
    if (v->kind == TOML_OFFSET_DATETIME)
        fprintf(out, "%c%02d:%02d", t->offset_minutes < 0 ? '-' : '+', offset / 60, offset % 60);
}

static void write_value(FILE *out, const struct toml_value *v)
{
    switch (v->kind) {
    case TOML_STRING:  write_string(out, &v->string); break;
    case TOML_INTEGER: fprintf(out, "%" PRId64, v->integer); break;
    case TOML_FLOAT:   write_real(out, v->real); break;
    case TOML_BOOLEAN: fputs(v->boolean ? "true" : "false", out); break;
    case TOML_ARRAY:   write_array(out, v->array); break;
    case TOML_TABLE:
        fputc('{', out);
        write_members(out, v->table, ",");
        fputc('}', out);
        break;
    case TOML_OFFSET_DATETIME:
    case TOML_LOCAL_DATETIME:
    case TOML_LOCAL_DATE:
    case TOML_LOCAL_TIME:
        write_time(out, v);
        break;
    case TOML_NONE: cuzk_check(v->kind != TOML_NONE); break;
    }
}

static char *write_document(const struct toml *doc, size_t *bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);

    cuzk_check(out);
    write_members(out, &doc->root, "\n");
    cuzk_check(fclose(out) == 0);
    return text;
}

/* ---- trying ---- */

/* Written, read and written again is the same: all that the text says is in the tree. */
static void try_again(const struct toml *doc)
{
    struct toml     again;
    struct cuzk_err err;
    size_t          bytes, again_bytes;
    char           *text = write_document(doc, &bytes), *again_text;

    if (bytes <= TOML_BYTES_MAX) {
        cuzk_check(toml_open(&again, text, bytes, "document", "again.toml", &err) == CUZK_OK);
        again_text = write_document(&again, &again_bytes);
        cuzk_check(bytes == again_bytes && memcmp(text, again_text, bytes) == 0);
        free(again_text);
        toml_close(&again);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct toml     doc;
    struct cuzk_err err;
    char           *text = mem_new(bytes + 1, 1); /* the text and a NUL: a read past it shows */

    if (!text)
        return 0;
    if (bytes)
        memcpy(text, data, bytes);
    if (toml_open(&doc, text, bytes, "document", "a.toml", &err) == CUZK_OK) {
        try_again(&doc);
        toml_close(&doc);
    } else {
        cuzk_check(err.status == CUZK_E_INPUT && err.text[0] && err.place.offset <= bytes);
    }
    mem_free(text);
    return 0;
}
