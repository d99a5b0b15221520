/* config/config.c - settings from a file, the environment and flags; the caller's thread. */
#include "config/config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file.h"
#include "base/mem.h"
#include "config_table.h"

#define DAYS(n)    ((uint64_t)(n) * 86400000)
#define MIB(n)     ((uint64_t)(n) << 20)
#define MILLION(n) ((uint64_t)(n) * 1000000)
#define NO_LIMIT   (UINT64_MAX - 1) /* CONFIG_AUTO is no size */

#define ROLE   "configuration"
#define PREFIX "CUZKD_"

/* ---- the table ---- */

const struct option config_options[OPTION_COUNT] = {
#define TABLE(name, help)
#define OPTION(type_, table_, key_, member, preset_, min_, max_, flag_, help_)                                       \
    [OPT_ID_##table_##_##key_] = { .table = #table_, .key = #key_, .name = #table_ "." #key_, .type = OPTION_##type_, \
                                   .offset = offsetof(struct config, member), .preset = (preset_), .min = (min_),    \
                                   .max = (max_), .flag = (flag_), .help = (help_) },
#define CHOICE(table_, key_, member, preset_, words_, flag_, help_)                                                  \
    [OPT_ID_##table_##_##key_] = { .table = #table_, .key = #key_, .name = #table_ "." #key_, .type = OPTION_CHOICE, \
                                   .offset = offsetof(struct config, member), .preset = (preset_),                   \
                                   .words = (words_), .flag = (flag_), .help = (help_) },
#define OBSOLETE(type_, table_, key_, instead_)                                                                      \
    [OPT_ID_##table_##_##key_] = { .table = #table_, .key = #key_, .name = #table_ "." #key_, .type = OPTION_##type_, \
                                   .max = NO_LIMIT, .instead = (instead_) },
#include "options.def"
#undef TABLE
#undef OPTION
#undef CHOICE
#undef OBSOLETE
};

const struct config_table config_tables[] = {
#define TABLE(name, help) { #name, help },
#define OPTION(type, table, key, member, preset, min, max, flag, help)
#define CHOICE(table, key, member, preset, words, flag, help)
#define OBSOLETE(type, table, key, instead)
#include "options.def"
#undef TABLE
#undef OPTION
#undef CHOICE
#undef OBSOLETE
};
const size_t config_table_count = sizeof config_tables / sizeof config_tables[0];

void config_variable(char out[CONFIG_VARIABLE_BYTES], const struct option *o)
{
    (void)snprintf(out, CONFIG_VARIABLE_BYTES, PREFIX "%s_%s", o->table, o->key);
    for (char *p = out; *p; p++)
        *p = (char)toupper((unsigned char)*p);
}

static bool has_table(const char *name)
{
    for (size_t i = 0; i < config_table_count; i++)
        if (strcmp(config_tables[i].name, name) == 0)
            return true;
    return false;
}

/* ---- failures ---- */

/* A fault of the value of option o, wherever it was given. */
static cuzk_status fail_option(const struct config *c, const struct option *o, const char *expected,
                               struct cuzk_err *err, const char *format, ...) __attribute__((format(printf, 5, 6)));

static cuzk_status fail_option(const struct config *c, const struct option *o, const char *expected,
                               struct cuzk_err *err, const char *format, ...)
{
    const struct config_origin *origin = &c->origin[o - config_options];
    struct err_place            place = { .role = ROLE, .field = o->name, .index = ERR_NONE, .offset = ERR_NONE };
    char                        what[256], variable[CONFIG_VARIABLE_BYTES];
    va_list                     args;

    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    config_variable(variable, o);
    switch (origin->from) {
    case FROM_FILE:
        return toml_fail(&c->doc, origin->at, o->name, expected, err, "%s", what);
    case FROM_ENVIRONMENT:
        return err_set_at(err, CUZK_E_INPUT, &place, NULL, expected, "variable %s: %s", variable, what);
    case FROM_FLAG:
        return err_set_at(err, CUZK_E_USAGE, &place, NULL, expected, "flag --%s: %s", o->flag ? o->flag : "set", what);
    case FROM_DEFAULT:
        break;
    }
    return err_set_at(err, CUZK_E_INPUT, &place, c->path, expected, "%s", what);
}

static cuzk_status fail_value(const struct config *c, const struct option *o, const char *shown, struct cuzk_err *err)
{
    char expected[128];

    config_expected(expected, sizeof expected, o);
    return fail_option(c, o, expected, err, "is %.100s", shown);
}

static void note_obsolete(const struct option *o, config_note *note, void *context)
{
    char text[256];

    (void)snprintf(text, sizeof text, "%s has no effect any more; instead: %s", o->name, o->instead);
    if (note)
        note(context, text);
}

/* ---- near misses ---- */

/* The best of the names tried so far, if it is near enough to be what was meant. */
struct guess {
    const char *name; /* NULL: none */
    uint32_t    distance;
    char        text[CONFIG_VARIABLE_BYTES + 24];
};

static void guess_try(struct guess *g, const char *wrong, const char *name, const char *shown)
{
    uint32_t distance = config_distance(wrong, name);

    if ((!g->name || distance < g->distance) && distance <= (strlen(name) < 6 ? 2 : strlen(name) / 3 + 1)) {
        g->distance = distance;
        g->name = shown;
    }
}

/* ": did you mean NAME?" or nothing */
static const char *guess_text(struct guess *g)
{
    if (!g->name)
        return "";
    (void)snprintf(g->text, sizeof g->text, ": did you mean %s?", g->name);
    return g->text;
}

/* ---- setting a member ---- */

static void *member(struct config *c, const struct option *o)
{
    return (uint8_t *)c + o->offset;
}

/* The number in text, by the option's unit. */
static bool parse_number(uint64_t *out, const struct option *o, const char *text)
{
    switch (o->type) {
    case OPTION_SIZE_OR_AUTO:
        if (strcmp(text, "auto") == 0) {
            *out = CONFIG_AUTO;
            return true;
        }
        return config_parse_bytes(out, text) && *out != CONFIG_AUTO;
    case OPTION_SIZE:     return config_parse_bytes(out, text);
    case OPTION_DURATION: return config_parse_duration(out, text);
    default:              return config_parse_u64(out, text);
    }
}

static bool in_range(const struct option *o, uint64_t value)
{
    return (value >= o->min && value <= o->max) || (value == CONFIG_AUTO && o->type == OPTION_SIZE_OR_AUTO);
}

static bool set_number(struct config *c, const struct option *o, uint64_t value)
{
    if (!in_range(o, value) || (o->type == OPTION_U32 && value > UINT32_MAX))
        return false;
    if (o->instead)
        return true;
    if (o->type == OPTION_U32)
        *(uint32_t *)member(c, o) = (uint32_t)value;
    else
        *(uint64_t *)member(c, o) = value;
    return true;
}

static bool set_string(struct config *c, const struct option *o, const char *text)
{
    size_t bytes = strlen(text);

    if (bytes < o->min || bytes > o->max)
        return false;
    if (o->type == OPTION_ADDRESS && bytes && !config_is_address(text))
        return false;
    if (!o->instead)
        *(const char **)member(c, o) = text;
    return true;
}

static bool set_bool(struct config *c, const struct option *o, bool value)
{
    if (!o->instead)
        *(bool *)member(c, o) = value;
    return true;
}

static bool add_number(struct config_numbers *list, const struct option *o, uint64_t value)
{
    if (!in_range(o, value) || list->count == CONFIG_LIST_MAX)
        return false;
    for (size_t i = 0; i < list->count; i++)
        if (list->value[i] == value)
            return false;
    list->value[list->count++] = (uint32_t)value;
    return true;
}

static bool add_string(struct config_strings *list, const struct option *o, const char *text)
{
    if (strlen(text) > o->max || !text[0] || list->count == CONFIG_LIST_MAX)
        return false;
    list->value[list->count++] = text;
    return true;
}

/* ---- from text: defaults, variables, flags ---- */

static void set_list(struct config *c, const struct option *o, const struct config_numbers *numbers,
                     const struct config_strings *strings)
{
    if (o->instead)
        return;
    if (o->type == OPTION_NUMBERS)
        *(struct config_numbers *)member(c, o) = *numbers;
    else
        *(struct config_strings *)member(c, o) = *strings;
}

/* A list is written a,b,c; an empty one, which needs no memory, as nothing or []. */
static cuzk_status set_list_text(struct config *c, const struct option *o, const char *text, struct cuzk_err *err)
{
    struct config_numbers numbers = { .count = 0 };
    struct config_strings strings = { .count = 0 };
    size_t                bytes = strlen(text) + 1;
    char                **words = &c->words[o - config_options];
    cuzk_status           st = CUZK_OK;

    set_list(c, o, &numbers, &strings);
    mem_free(*words);
    *words = NULL;
    if (!text[0] || strcmp(text, "[]") == 0)
        return CUZK_OK;
    *words = mem_new(bytes, 1);
    if (!*words)
        FAIL(CUZK_E_IO, "no memory for %s", o->name);
    memcpy(*words, text, bytes);
    for (char *word = *words, *next; word; word = next) {
        uint64_t value;

        next = strchr(word, ',');
        if (next)
            *next++ = '\0';
        if (o->type == OPTION_NUMBERS ? !config_parse_u64(&value, word) || !add_number(&numbers, o, value)
                                      : !add_string(&strings, o, word))
            return fail_value(c, o, text, err);
    }
    set_list(c, o, &numbers, &strings);
out:
    return st;
}

static cuzk_status set_text(struct config *c, const struct option *o, const char *text, struct cuzk_err *err)
{
    uint64_t value = 0;
    uint32_t index;
    bool     good = false;

    switch (o->type) {
    case OPTION_BOOL:
        good = (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) && set_bool(c, o, text[0] == 't');
        break;
    case OPTION_U32:
    case OPTION_U64:
    case OPTION_SIZE:
    case OPTION_SIZE_OR_AUTO:
    case OPTION_DURATION:
        good = parse_number(&value, o, text) && set_number(c, o, value);
        break;
    case OPTION_ADDRESS:
    case OPTION_PATH:
        good = set_string(c, o, text);
        break;
    case OPTION_CHOICE:
        good = config_parse_word(&index, o->words, text);
        if (good)
            *(uint32_t *)member(c, o) = index;
        break;
    case OPTION_NUMBERS:
    case OPTION_STRINGS:
        return set_list_text(c, o, text, err);
    }
    return good ? CUZK_OK : fail_value(c, o, text[0] ? text : "empty", err);
}

void config_init(struct config *c)
{
    *c = (struct config){ .path = NULL };
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (!config_options[i].instead)
            cuzk_check(set_text(c, &config_options[i], config_options[i].preset, NULL) == CUZK_OK);
}

void config_fini(struct config *c)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        mem_free(c->words[i]);
    toml_close(&c->doc);
    mem_free(c->text);
    *c = (struct config){ .path = NULL };
}

/* ---- from a file ---- */

/* value as the text that set_text takes, for kinds that have one; false for the others. */
static bool value_as_text(char *buffer, size_t buffer_bytes, const char **out, const struct option *o,
                          const struct toml_value *v)
{
    bool is_number = o->type == OPTION_U32 || o->type == OPTION_U64;

    *out = buffer;
    if (v->kind == TOML_STRING) {
        *out = v->string.text;
        return strlen(v->string.text) == v->string.bytes && !is_number && o->type != OPTION_BOOL;
    }
    if (v->kind == TOML_INTEGER) {
        (void)snprintf(buffer, buffer_bytes, "%lld", (long long)v->integer);
        return is_number || o->type == OPTION_SIZE || o->type == OPTION_SIZE_OR_AUTO || o->type == OPTION_DURATION;
    }
    if (v->kind == TOML_BOOLEAN) {
        (void)snprintf(buffer, buffer_bytes, "%s", v->boolean ? "true" : "false");
        return o->type == OPTION_BOOL;
    }
    return false;
}

static cuzk_status set_list_value(struct config *c, const struct option *o, const struct toml_array *array,
                                  struct cuzk_err *err)
{
    struct config_numbers numbers = { .count = 0 };
    struct config_strings strings = { .count = 0 };

    for (const struct toml_item *item = array->first; item; item = item->next) {
        const struct toml_value *v = &item->value;
        bool                     good;

        if (o->type == OPTION_NUMBERS)
            good = v->kind == TOML_INTEGER && v->integer >= 0 && add_number(&numbers, o, (uint64_t)v->integer);
        else
            good = v->kind == TOML_STRING && strlen(v->string.text) == v->string.bytes &&
                   add_string(&strings, o, v->string.text);
        if (!good) {
            c->origin[o - config_options].at = v->start;
            return fail_value(c, o, "not such a list from here on", err);
        }
    }
    set_list(c, o, &numbers, &strings);
    return CUZK_OK;
}

static cuzk_status set_value(struct config *c, const struct option *o, const struct toml_value *v,
                             struct cuzk_err *err)
{
    const char *text;
    char        buffer[32];

    c->origin[o - config_options] = (struct config_origin){ .from = FROM_FILE, .at = v->start };
    if ((o->type == OPTION_NUMBERS || o->type == OPTION_STRINGS) && v->kind == TOML_ARRAY)
        return set_list_value(c, o, v->array, err);
    if (o->type == OPTION_NUMBERS || o->type == OPTION_STRINGS || !value_as_text(buffer, sizeof buffer, &text, o, v))
        return fail_value(c, o, toml_kind_name(v->kind), err);
    return set_text(c, o, text, err);
}

static cuzk_status fail_unknown_table(struct config *c, const struct toml_member *m, struct cuzk_err *err)
{
    struct guess guess = { .name = NULL };
    bool         is_table = m->value.kind == TOML_TABLE;

    for (size_t i = 0; i < config_table_count && is_table; i++)
        guess_try(&guess, m->key.text, config_tables[i].name, config_tables[i].name);
    for (size_t i = 0; i < OPTION_COUNT && !is_table; i++)
        guess_try(&guess, m->key.text, config_options[i].key, config_options[i].name);
    return toml_fail(&c->doc, m->key_start, NULL, NULL, err, "%s %.64s%s",
                     is_table ? "unknown table" : "outside of every table, unknown key", m->key.text,
                     guess_text(&guess));
}

static cuzk_status fail_unknown_key(struct config *c, const char *table, const struct toml_member *m,
                                    struct cuzk_err *err)
{
    struct guess guess = { .name = NULL };

    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strcmp(config_options[i].table, table) == 0)
            guess_try(&guess, m->key.text, config_options[i].key, config_options[i].name);
    for (size_t i = 0; i < OPTION_COUNT && !guess.name; i++) /* right, but in another table? */
        if (strcmp(config_options[i].key, m->key.text) == 0)
            guess.name = config_options[i].name;
    return toml_fail(&c->doc, m->key_start, NULL, NULL, err, "unknown key %s.%.64s%s", table, m->key.text,
                     guess_text(&guess));
}

static const struct option *find_option(const char *table, const char *key)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strcmp(config_options[i].table, table) == 0 && strcmp(config_options[i].key, key) == 0)
            return &config_options[i];
    return NULL;
}

static cuzk_status read_table(struct config *c, const char *table, const struct toml_table *t, config_note *note,
                              void *context, struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;

    for (const struct toml_member *m = t->first; m; m = m->next) {
        const struct option *o = find_option(table, m->key.text);

        if (!o || strlen(m->key.text) != m->key.bytes)
            return fail_unknown_key(c, table, m, err);
        TRY(set_value(c, o, &m->value, err));
        if (o->instead)
            note_obsolete(o, note, context);
    }
out:
    return st;
}

cuzk_status config_read_file(struct config *c, const char *path, config_note *note, void *context,
                             struct cuzk_err *err)
{
    size_t      bytes;
    cuzk_status st;

    cuzk_check(!c->text); /* one file */
    c->path = path;
    TRY(file_read_text(&c->text, &bytes, path, ROLE, TOML_BYTES_MAX, err));
    TRY(toml_open(&c->doc, c->text, bytes, ROLE, path, err));
    for (const struct toml_member *m = c->doc.root.first; m; m = m->next) {
        if (!has_table(m->key.text) || strlen(m->key.text) != m->key.bytes)
            return fail_unknown_table(c, m, err);
        if (m->value.kind != TOML_TABLE)
            return toml_fail(&c->doc, m->key_start, NULL, "a table", err, "%s is %s", m->key.text,
                             m->value.kind == TOML_ARRAY ? "an array" : toml_kind_name(m->value.kind));
        TRY(read_table(c, m->key.text, m->value.table, note, context, err));
    }
out:
    return st;
}

/* ---- from the environment and the command line ---- */

static cuzk_status set_from(struct config *c, const struct option *o, const char *text,
                            const struct config_origin *from, config_note *note, void *context, struct cuzk_err *err)
{
    cuzk_status st;

    c->origin[o - config_options] = *from;
    st = set_text(c, o, text, err);
    if (st == CUZK_OK && o->instead)
        note_obsolete(o, note, context);
    return st;
}

static void note_unknown_variable(const char *name, size_t name_bytes, config_note *note, void *context)
{
    struct guess guess = { .name = NULL };
    char         wrong[CONFIG_VARIABLE_BYTES], text[256], variable[OPTION_COUNT][CONFIG_VARIABLE_BYTES];

    (void)snprintf(wrong, sizeof wrong, "%.*s", (int)(name_bytes < sizeof wrong ? name_bytes : sizeof wrong - 1), name);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        config_variable(variable[i], &config_options[i]);
        guess_try(&guess, wrong, variable[i], variable[i]);
    }
    (void)snprintf(text, sizeof text, "unknown variable %s%s", wrong, guess_text(&guess));
    if (note)
        note(context, text);
}

cuzk_status config_read_environment(struct config *c, char *const *variables, config_note *note, void *context,
                                    struct cuzk_err *err)
{
    static const struct config_origin from = { .from = FROM_ENVIRONMENT };
    cuzk_status                       st = CUZK_OK;

    for (; *variables; variables++) {
        const char *name = *variables, *value = strchr(name, '=');
        size_t      name_bytes = value ? (size_t)(value - name) : 0, i;
        char        variable[CONFIG_VARIABLE_BYTES];

        if (!value || strncmp(name, PREFIX, strlen(PREFIX)) != 0)
            continue;
        for (i = 0; i < OPTION_COUNT; i++) {
            config_variable(variable, &config_options[i]);
            if (strlen(variable) == name_bytes && memcmp(variable, name, name_bytes) == 0)
                break;
        }
        if (i < OPTION_COUNT)
            TRY(set_from(c, &config_options[i], value + 1, &from, note, context, err));
        else
            note_unknown_variable(name, name_bytes, note, context);
    }
out:
    return st;
}

cuzk_status config_set_flag(struct config *c, const char *name, const char *value, config_note *note, void *context,
                            struct cuzk_err *err)
{
    static const struct config_origin from = { .from = FROM_FLAG };
    bool                              is_set = strcmp(name, "set") == 0;
    const char                       *equals = strchr(value, '=');
    struct guess                      guess = { .name = NULL };
    char                              wrong[CONFIG_VARIABLE_BYTES];

    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *o = &config_options[i];
        size_t               bytes = strlen(o->name);

        if (!is_set && o->flag && strcmp(o->flag, name) == 0)
            return set_from(c, o, value, &from, note, context, err);
        if (is_set && strncmp(value, o->name, bytes) == 0 && value[bytes] == '=')
            return set_from(c, o, value + bytes + 1, &from, note, context, err);
    }
    if (!is_set)
        return err_set(err, CUZK_E_USAGE, "unknown flag --%s", name);
    if (!equals)
        return err_set(err, CUZK_E_USAGE, "--set %.64s: not table.key=value", value);
    (void)snprintf(wrong, sizeof wrong, "%.*s", (int)(equals - value < 63 ? equals - value : 63), value);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        guess_try(&guess, wrong, config_options[i].name, config_options[i].name);
    return err_set(err, CUZK_E_USAGE, "--set: unknown option %s%s", wrong, guess_text(&guess));
}

/* ---- the whole ---- */

#define ROW(id) (&config_options[OPT_ID_##id])

static cuzk_status check_tls(const struct config *c, struct cuzk_err *err)
{
    bool has_certificate = c->tls_certificate[0], has_key = c->tls_key[0];

    if (has_certificate && !has_key)
        return fail_option(c, ROW(tls_certificate), NULL, err, "is set, but tls.key is not");
    if (has_key && !has_certificate)
        return fail_option(c, ROW(tls_key), NULL, err, "is set, but tls.certificate is not");
    if (c->tls_client_ca[0] && !has_certificate)
        return fail_option(c, ROW(tls_client_ca), NULL, err, "is set, but tls.certificate is not");
    if (c->insecure_tcp && has_certificate)
        return fail_option(c, ROW(daemon_insecure_tcp), NULL, err, "is true, but tls.certificate is set");
    return CUZK_OK;
}

static cuzk_status check_address(const struct config *c, const struct option *o, const char *address,
                                 struct cuzk_err *err)
{
    if (config_is_tcp(address) && !c->tls_certificate[0] && !c->insecure_tcp)
        return fail_option(c, o, "tls.certificate and tls.key, or daemon.insecure_tcp = true, or unix:///PATH", err,
                           "is %.100s: TCP without TLS", address);
    return CUZK_OK;
}

/* The folder of a service, of root, or of a user. */
static cuzk_status choose_store_dir(struct config *c, struct cuzk_err *err)
{
    const char *service = getenv("STATE_DIRECTORY"), *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    size_t      room = sizeof c->state_folder;
    int         n;

    if (c->store_dir[0])
        return CUZK_OK;
    if (service && service[0] == '/')
        n = snprintf(c->state_folder, room, "%.*s", (int)strcspn(service, ":"), service); /* the first of several */
    else if (geteuid() == 0)
        n = snprintf(c->state_folder, room, "/var/lib/cuzk");
    else if (state && state[0] == '/')
        n = snprintf(c->state_folder, room, "%s/cuzk", state);
    else if (home && home[0] == '/')
        n = snprintf(c->state_folder, room, "%s/.local/state/cuzk", home);
    else
        return fail_option(c, ROW(store_dir), "a path", err, "is not set, and neither is $STATE_DIRECTORY nor $HOME");
    if (n < 0 || (size_t)n >= room)
        return fail_option(c, ROW(store_dir), "a path", err, "is not set, and the state folder's name is too long");
    c->store_dir = c->state_folder;
    return CUZK_OK;
}

cuzk_status config_finish(struct config *c, struct cuzk_err *err)
{
    cuzk_status st;

    TRY(check_tls(c, err));
    TRY(check_address(c, ROW(daemon_listen), c->listen, err));
    TRY(check_address(c, ROW(daemon_status_listen), c->status_listen, err));
    if (strcmp(c->listen, c->status_listen) == 0)
        TRY(fail_option(c, ROW(daemon_status_listen), "another address", err, "is also that of daemon.listen"));
    TRY(choose_store_dir(c, err));
out:
    return st;
}
