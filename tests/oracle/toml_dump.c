/* tests/oracle/toml_dump.c - what our reader makes of TOML documents, for tests/e2e/toml.test.py.
 *
 * stdin: documents, each a line with its length in bytes, then the bytes.  stdout: a line each, "ok " and the document
 * as JSON with a type at each value, or "error " and the message. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "wire/toml.h"

static void dump_table(const struct toml_table *table);

static void dump_string(const struct toml_string *s)
{
    putchar('"');
    for (size_t i = 0; i < s->bytes; i++) {
        unsigned char c = (unsigned char)s->text[i];

        if (c < 0x20 || c == '"' || c == '\\')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void dump_time(const struct toml_value *v)
{
    const struct toml_time *t = &v->time;
    bool                    date = v->kind != TOML_LOCAL_TIME, time = v->kind != TOML_LOCAL_DATE;

    if (date)
        printf("%04u-%02u-%02u", t->year, t->month, t->day);
    if (time)
        printf("T%02u:%02u:%02u.%09" PRIu32, t->hour, t->minute, t->second, t->nanosecond);
    if (v->kind == TOML_OFFSET_DATETIME)
        printf("%+d", t->offset_minutes);
}

static void dump_array(const struct toml_array *array);

static void dump_value(const struct toml_value *v)
{
    static const char *const types[] = {
        [TOML_STRING] = "string",
        [TOML_INTEGER] = "integer",
        [TOML_FLOAT] = "float",
        [TOML_BOOLEAN] = "bool",
        [TOML_OFFSET_DATETIME] = "datetime",
        [TOML_LOCAL_DATETIME] = "datetime-local",
        [TOML_LOCAL_DATE] = "date-local",
        [TOML_LOCAL_TIME] = "time-local",
    };

    if (v->kind == TOML_TABLE) {
        dump_table(v->table);
        return;
    }
    if (v->kind == TOML_ARRAY) {
        dump_array(v->array);
        return;
    }
    printf("{\"type\":\"%s\",\"value\":", types[v->kind]);
    switch (v->kind) {
    case TOML_STRING:  dump_string(&v->string); break;
    case TOML_INTEGER: printf("\"%" PRId64 "\"", v->integer); break;
    case TOML_FLOAT:   printf("\"%.17g\"", v->real); break;
    case TOML_BOOLEAN: printf("\"%s\"", v->boolean ? "true" : "false"); break;
    default:
        putchar('"');
        dump_time(v);
        putchar('"');
        break;
    }
    putchar('}');
}

static void dump_array(const struct toml_array *array)
{
    putchar('[');
    for (const struct toml_item *item = array->first; item; item = item->next) {
        dump_value(&item->value);
        if (item->next)
            putchar(',');
    }
    putchar(']');
}

static void dump_table(const struct toml_table *table)
{
    putchar('{');
    for (const struct toml_member *member = table->first; member; member = member->next) {
        dump_string(&member->key);
        putchar(':');
        dump_value(&member->value);
        if (member->next)
            putchar(',');
    }
    putchar('}');
}

static void dump_document(const char *text, size_t bytes)
{
    struct toml     doc;
    struct cuzk_err err;
    char            line[2048];

    if (toml_open(&doc, text, bytes, "document", NULL, &err) != CUZK_OK) {
        (void)err_format(line, sizeof line, &err);
        printf("error %s\n", line);
        return;
    }
    printf("ok ");
    dump_table(&doc.root);
    putchar('\n');
    toml_close(&doc);
}

int main(void)
{
    char line[32];

    while (fgets(line, sizeof line, stdin)) {
        size_t bytes = strtoull(line, NULL, 10);
        char  *text = mem_new(bytes + 1, 1);

        if (!text || fread(text, 1, bytes, stdin) != bytes)
            return 1;
        dump_document(text, bytes);
        mem_free(text);
    }
    return fflush(stdout) != 0 || ferror(stdout);
}
