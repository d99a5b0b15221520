/* wire/toml.c - TOML: statements, tables and who may define them, arrays; any thread; base only. */
#include "wire/toml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "toml_scan.h"

#define CHUNK_BYTES ((size_t)16 << 10)

/* ---- failures ---- */

size_t toml_line(const struct toml *doc, size_t at)
{
    size_t line = 1;

    for (size_t i = 0; i < at && i < doc->bytes; i++)
        line += doc->text[i] == '\n';
    return line;
}

cuzk_status toml_fail(const struct toml *doc, size_t at, const char *field, const char *expected, struct cuzk_err *err,
                      const char *format, ...)
{
    struct err_place place = { .role = doc->role, .field = field, .index = ERR_NONE, .offset = at };
    char             what[256];
    size_t           column = 1;
    va_list          args;

    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    while (column <= at && doc->text[at - column] != '\n')
        column++;
    return err_set_at(err, CUZK_E_INPUT, &place, doc->path, expected, "line %zu, column %zu: %s", toml_line(doc, at),
                      column, what);
}

cuzk_status toml_fail_here(struct toml_scan *s, const char *expected)
{
    const char *what = s->pos >= s->doc->bytes                ? "the text ends here"
                       : toml_newline_bytes(s->text + s->pos) ? "the line ends here"
                                                              : "not TOML";

    return toml_fail(s->doc, s->pos, NULL, expected, s->err, "%s", what);
}

const char *toml_kind_name(enum toml_kind kind)
{
    static const char *const names[] = {
        [TOML_NONE] = "nothing",
        [TOML_STRING] = "a string",
        [TOML_INTEGER] = "an integer",
        [TOML_FLOAT] = "a float",
        [TOML_BOOLEAN] = "a boolean",
        [TOML_OFFSET_DATETIME] = "a date and time",
        [TOML_LOCAL_DATETIME] = "a date and time",
        [TOML_LOCAL_DATE] = "a date",
        [TOML_LOCAL_TIME] = "a time",
        [TOML_ARRAY] = "an array",
        [TOML_TABLE] = "a table",
    };

    return names[kind];
}

/* ---- the tree ---- */

struct toml_chunk {
    struct toml_chunk *next;
    size_t             used;
    _Alignas(16) uint8_t data[CHUNK_BYTES];
};

/* A node of the tree, zeroed; NULL without memory. */
static void *node_new(struct toml *doc, size_t bytes)
{
    struct toml_chunk *chunk = doc->chunks;
    void              *node;

    bytes = (bytes + 15) & ~(size_t)15;
    if (!chunk || chunk->used + bytes > CHUNK_BYTES) {
        chunk = mem_new(1, sizeof *chunk);
        if (!chunk)
            return NULL;
        chunk->next = doc->chunks;
        doc->chunks = chunk;
    }
    node = chunk->data + chunk->used;
    chunk->used += bytes;
    return node;
}

static cuzk_status no_memory(struct toml_scan *s)
{
    struct err_place place = { .role = s->doc->role, .index = ERR_NONE, .offset = ERR_NONE };

    (void)err_set_at(s->err, CUZK_E_IO, &place, s->doc->path, NULL, "no memory for its values");
    return CUZK_E_IO;
}

static cuzk_status check_depth(struct toml_scan *s, uint32_t depth, size_t at)
{
    if (depth > TOML_DEPTH_MAX)
        return toml_fail(s->doc, at, NULL, NULL, s->err, "nested deeper than %d", TOML_DEPTH_MAX);
    return CUZK_OK;
}

/* Makes *out an empty table. */
static cuzk_status table_new(struct toml_scan *s, struct toml_value *out, uint32_t depth, enum toml_maker maker,
                             size_t start)
{
    struct toml_table *table;
    cuzk_status        st;

    TRY(check_depth(s, depth, start));
    table = node_new(s->doc, sizeof *table);
    if (!table)
        return no_memory(s);
    table->depth = depth;
    table->maker = maker;
    *out = (struct toml_value){ .kind = TOML_TABLE, .start = start, .table = table };
out:
    return st;
}

static cuzk_status array_new(struct toml_scan *s, struct toml_value *out, uint32_t depth, bool of_tables, size_t start)
{
    struct toml_array *array;
    cuzk_status        st;

    TRY(check_depth(s, depth, start));
    array = node_new(s->doc, sizeof *array);
    if (!array)
        return no_memory(s);
    array->depth = depth;
    array->of_tables = of_tables;
    *out = (struct toml_value){ .kind = TOML_ARRAY, .start = start, .array = array };
out:
    return st;
}

/* One more item at the end, empty; NULL without memory. */
static struct toml_item *array_add(struct toml *doc, struct toml_array *array)
{
    struct toml_item *item = node_new(doc, sizeof *item);

    if (!item)
        return NULL;
    if (array->last)
        array->last->next = item;
    else
        array->first = item;
    array->last = item;
    array->count++;
    return item;
}

/* One step of a key: its text and where it stands. */
struct key {
    struct toml_string name;
    size_t             start;
};

static cuzk_status table_add(struct toml_scan *s, struct toml_member **out, struct toml_table *table,
                             const struct key *key)
{
    struct toml_member *member;

    if (table->count == TOML_MEMBERS_MAX) {
        (void)toml_fail(s->doc, key->start, NULL, NULL, s->err, "a table of more than %d members", TOML_MEMBERS_MAX);
        return CUZK_E_INPUT; /* said here for the analyzer, which does not look into toml_fail */
    }
    member = node_new(s->doc, sizeof *member);
    if (!member)
        return no_memory(s);
    member->key = key->name;
    member->key_start = key->start;
    if (table->last)
        table->last->next = member;
    else
        table->first = member;
    table->last = member;
    table->count++;
    *out = member;
    return CUZK_OK;
}

static struct toml_member *table_find(const struct toml_table *table, const char *key, size_t key_bytes)
{
    for (struct toml_member *m = table->first; m; m = m->next)
        if (m->key.bytes == key_bytes && memcmp(m->key.text, key, key_bytes) == 0)
            return m;
    return NULL;
}

const struct toml_member *toml_find(const struct toml_table *table, const char *key, size_t key_bytes)
{
    return table_find(table, key, key_bytes);
}

/* ---- keys ---- */

static cuzk_status fail_defined(struct toml_scan *s, const struct key *key, const struct toml_member *before)
{
    return toml_fail(s->doc, key->start, NULL, NULL, s->err, "%.64s is defined already, on line %zu", key->name.text,
                     toml_line(s->doc, before->key_start));
}

static cuzk_status scan_key(struct toml_scan *s, struct key *out)
{
    char c = s->text[s->pos];

    out->start = s->pos;
    return c == '"' || c == '\'' ? toml_scan_string(s, &out->name, false) : toml_scan_bare_key(s, &out->name);
}

/* After a step of a key: is there another? */
static bool scan_dot(struct toml_scan *s)
{
    toml_skip_space(s);
    if (s->text[s->pos] != '.')
        return false;
    s->pos++;
    toml_skip_space(s);
    return true;
}

/* From *table to the table called key, a step within a dotted key, made if it is not there. */
static cuzk_status step_dotted(struct toml_scan *s, struct toml_table **table, const struct key *key)
{
    struct toml_member *member = table_find(*table, key->name.text, key->name.bytes);
    cuzk_status         st;

    if (!member) {
        TRY(table_add(s, &member, *table, key));
        TRY(table_new(s, &member->value, (*table)->depth + 1, TOML_BY_DOTS, key->start));
    } else if (member->value.kind != TOML_TABLE || member->value.table->maker == TOML_BY_HEADER ||
               member->value.table->maker == TOML_INLINE) {
        TRY(fail_defined(s, key, member));
    } else {
        member->value.table->maker = TOML_BY_DOTS;
    }
    *table = member->value.table;
    st = CUZK_OK;
out:
    return st;
}

/* The same for a step within a header: through the last element of an array of tables. */
static cuzk_status step_header(struct toml_scan *s, struct toml_table **table, const struct key *key)
{
    struct toml_member *member = table_find(*table, key->name.text, key->name.bytes);
    cuzk_status         st = CUZK_OK;

    if (!member) {
        TRY(table_add(s, &member, *table, key));
        TRY(table_new(s, &member->value, (*table)->depth + 1, TOML_BY_PATH, key->start));
    }
    if (member->value.kind == TOML_TABLE && member->value.table->maker != TOML_INLINE)
        *table = member->value.table;
    else if (member->value.kind == TOML_ARRAY && member->value.array->of_tables)
        *table = member->value.array->last->value.table;
    else
        TRY(fail_defined(s, key, member));
out:
    return st;
}

/* ---- values ---- */

static cuzk_status scan_value(struct toml_scan *s, struct toml_value *out, uint32_t depth);

/* key = value within *table, keys dotted or not. */
static cuzk_status scan_assignment(struct toml_scan *s, struct toml_table *table)
{
    struct toml_member *member;
    struct key          key;
    cuzk_status         st;

    TRY(scan_key(s, &key));
    while (scan_dot(s)) {
        TRY(step_dotted(s, &table, &key));
        TRY(scan_key(s, &key));
    }
    if (s->text[s->pos] != '=')
        return toml_fail_here(s, "= after a key");
    s->pos++;
    toml_skip_space(s);
    member = table_find(table, key.name.text, key.name.bytes);
    if (member)
        return fail_defined(s, &key, member);
    TRY(table_add(s, &member, table, &key));
    TRY(scan_value(s, &member->value, table->depth + 1));
out:
    return st;
}

/* Between what stands in an array: space, ends of lines, comments. */
static cuzk_status skip_lines(struct toml_scan *s)
{
    for (;;) {
        size_t newline;

        toml_skip_space(s);
        newline = toml_newline_bytes(s->text + s->pos);
        s->pos += newline;
        if (!newline && s->text[s->pos] != '#')
            return CUZK_OK;
        if (!newline) {
            cuzk_status st = toml_scan_comment(s);

            if (st != CUZK_OK)
                return st;
        }
    }
}

/* pos at [ */
static cuzk_status scan_array(struct toml_scan *s, struct toml_value *out, uint32_t depth)
{
    struct toml_item *item;
    cuzk_status       st;

    TRY(array_new(s, out, depth, false, s->pos));
    s->pos++;
    for (;;) {
        TRY(skip_lines(s));
        if (s->text[s->pos] == ']')
            break;
        item = array_add(s->doc, out->array);
        if (!item)
            return no_memory(s);
        TRY(scan_value(s, &item->value, depth + 1));
        TRY(skip_lines(s));
        if (s->text[s->pos] == ']')
            break;
        if (s->text[s->pos] != ',')
            return toml_fail_here(s, "a comma or ]");
        s->pos++;
    }
    s->pos++;
out:
    return st;
}

/* pos at {: on one line, no comma at the end. */
static cuzk_status scan_inline_table(struct toml_scan *s, struct toml_value *out, uint32_t depth)
{
    cuzk_status st;

    TRY(table_new(s, out, depth, TOML_INLINE, s->pos));
    s->pos++;
    toml_skip_space(s);
    if (s->text[s->pos] == '}') {
        s->pos++;
        return CUZK_OK;
    }
    for (;;) {
        TRY(scan_assignment(s, out->table));
        toml_skip_space(s);
        if (s->text[s->pos] == '}')
            break;
        if (s->text[s->pos] != ',')
            return toml_fail_here(s, "a comma or }");
        s->pos++;
        toml_skip_space(s);
    }
    s->pos++;
out:
    return st;
}

/* Recursion ends at TOML_DEPTH_MAX. */
static cuzk_status scan_value(struct toml_scan *s, struct toml_value *out, uint32_t depth)
{
    size_t      start = s->pos;
    cuzk_status st;

    switch (s->text[s->pos]) {
    case '[': return scan_array(s, out, depth);
    case '{': return scan_inline_table(s, out, depth);
    case '"':
    case '\'':
        out->kind = TOML_STRING;
        st = toml_scan_string(s, &out->string, true);
        break;
    default:
        st = toml_scan_scalar(s, out);
        break;
    }
    out->start = start;
    return st;
}

/* ---- statements ---- */

/* [name]: the table that the following lines fill. */
static cuzk_status open_table(struct toml_scan *s, struct toml_table **table, const struct key *key)
{
    struct toml_member *member = table_find(*table, key->name.text, key->name.bytes);
    cuzk_status         st;

    if (!member) {
        TRY(table_add(s, &member, *table, key));
        TRY(table_new(s, &member->value, (*table)->depth + 1, TOML_BY_HEADER, key->start));
    } else if (member->value.kind != TOML_TABLE || member->value.table->maker != TOML_BY_PATH) {
        TRY(fail_defined(s, key, member));
    } else {
        member->value.table->maker = TOML_BY_HEADER;
        member->value.start = member->key_start = key->start;
    }
    *table = member->value.table;
    st = CUZK_OK;
out:
    return st;
}

/* [[name]]: one more element. */
static cuzk_status open_element(struct toml_scan *s, struct toml_table **table, const struct key *key)
{
    struct toml_member *member = table_find(*table, key->name.text, key->name.bytes);
    struct toml_item   *item;
    cuzk_status         st;

    if (!member) {
        TRY(table_add(s, &member, *table, key));
        TRY(array_new(s, &member->value, (*table)->depth + 1, true, key->start));
    } else if (member->value.kind != TOML_ARRAY || !member->value.array->of_tables) {
        TRY(fail_defined(s, key, member));
    }
    item = array_add(s->doc, member->value.array);
    if (!item)
        return no_memory(s);
    TRY(table_new(s, &item->value, member->value.array->depth + 1, TOML_BY_HEADER, key->start));
    *table = item->value.table;
out:
    return st;
}

/* pos at [; afterwards *table is what the header names. */
static cuzk_status scan_header(struct toml_scan *s, struct toml_table **table)
{
    bool        element = s->text[s->pos + 1] == '[';
    struct key  key;
    cuzk_status st;

    *table = &s->doc->root;
    s->pos += element ? 2 : 1;
    toml_skip_space(s);
    TRY(scan_key(s, &key));
    while (scan_dot(s)) {
        TRY(step_header(s, table, &key));
        TRY(scan_key(s, &key));
    }
    if (s->text[s->pos] != ']' || (element && s->text[s->pos + 1] != ']'))
        return toml_fail_here(s, element ? "]] after the name" : "] after the name");
    s->pos += element ? 2 : 1;
    st = element ? open_element(s, table, &key) : open_table(s, table, &key);
out:
    return st;
}

static cuzk_status scan_line_end(struct toml_scan *s)
{
    cuzk_status st = CUZK_OK;

    toml_skip_space(s);
    if (s->text[s->pos] == '#')
        st = toml_scan_comment(s);
    if (st != CUZK_OK || s->pos == s->doc->bytes)
        return st;
    if (!toml_newline_bytes(s->text + s->pos))
        return toml_fail_here(s, "the end of the line");
    s->pos += toml_newline_bytes(s->text + s->pos);
    return CUZK_OK;
}

static cuzk_status scan_document(struct toml_scan *s)
{
    struct toml_table *table = &s->doc->root;
    cuzk_status        st = CUZK_OK;

    if (strncmp(s->text, "\xef\xbb\xbf", 3) == 0)
        s->pos = 3;
    while (s->pos < s->doc->bytes) {
        char c;

        toml_skip_space(s);
        c = s->text[s->pos];
        if (c == '[')
            TRY(scan_header(s, &table));
        else if (c != '#' && s->pos < s->doc->bytes && !toml_newline_bytes(s->text + s->pos))
            TRY(scan_assignment(s, table));
        TRY(scan_line_end(s));
    }
out:
    return st;
}

/* ---- the document ---- */

cuzk_status toml_open(struct toml *out, const char *text, size_t bytes, const char *role, const char *path,
                      struct cuzk_err *err)
{
    struct toml_scan s = { .doc = out, .text = text, .err = err };
    cuzk_status      st;

    *out = (struct toml){ .text = text, .bytes = bytes, .role = role, .path = path };
    out->root.maker = TOML_BY_HEADER;
    cuzk_check(text[bytes] == '\0');
    if (bytes > TOML_BYTES_MAX)
        return toml_fail(out, 0, NULL, NULL, err, "larger than %zu bytes", TOML_BYTES_MAX);
    out->strings = mem_new(bytes + 1, 1);
    st = out->strings ? scan_document(&s) : no_memory(&s);
    if (st != CUZK_OK)
        toml_close(out);
    return st;
}

void toml_close(struct toml *doc)
{
    while (doc->chunks) {
        struct toml_chunk *next = doc->chunks->next;

        mem_free(doc->chunks);
        doc->chunks = next;
    }
    mem_free(doc->strings);
    *doc = (struct toml){ .text = NULL };
}
