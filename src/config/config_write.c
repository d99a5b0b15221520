/* config/config_write.c - the table of options as a TOML file, as documentation, as help; settings as JSON. */
#include <string.h>

#include "config_table.h"

static bool is_list(const struct option *o)
{
    return o->type == OPTION_NUMBERS || o->type == OPTION_STRINGS;
}

static bool is_of(const struct option *o, const struct config_table *table)
{
    return !o->instead && strcmp(o->table, table->name) == 0;
}

static bool is_obsolete(const struct config_table *table)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (is_of(&config_options[i], table))
            return false;
    return true;
}

/* The default as it stands in a file. */
static void write_preset(FILE *out, const struct option *o)
{
    bool bare = o->type == OPTION_BOOL || o->type == OPTION_U32 || o->type == OPTION_U64 || is_list(o);

    fprintf(out, bare ? "%s" : "\"%s\"", o->preset);
}

/* ---- an example ---- */

/* Comment lines of at most this many bytes. */
#define COMMENT_BYTES 100

static void write_comment(FILE *out, const char *text)
{
    while (*text) {
        size_t bytes = strlen(text);

        if (bytes > COMMENT_BYTES)
            for (bytes = COMMENT_BYTES; text[bytes] != ' '; bytes--)
                ;
        fprintf(out, "# %.*s\n", (int)bytes, text);
        text += bytes + (text[bytes] == ' ');
    }
}

static void write_example_option(FILE *out, const struct option *o)
{
    char expected[128], variable[CONFIG_VARIABLE_BYTES];

    config_expected(expected, sizeof expected, o);
    config_variable(variable, o);
    fputc('\n', out);
    write_comment(out, o->help);
    fprintf(out, "# %s; %s\n#%s = ", expected, variable, o->key);
    write_preset(out, o);
    fputc('\n', out);
}

void config_write_example(FILE *out)
{
    fputs("# Settings of cuzkd.  Each line that begins with #key shows the default: take the # away to change it.\n"
          "# The variable named above an option goes before this file, and flags go before both.\n"
          "# `cuzk config check FILE` says what is wrong with a file.\n",
          out);
    for (size_t t = 0; t < config_table_count; t++) {
        if (is_obsolete(&config_tables[t]))
            continue;
        fprintf(out, "\n# %s\n[%s]\n", config_tables[t].help, config_tables[t].name);
        for (size_t i = 0; i < OPTION_COUNT; i++)
            if (is_of(&config_options[i], &config_tables[t]))
                write_example_option(out, &config_options[i]);
    }
}

/* ---- documentation ---- */

/* | ends a cell. */
static void write_cell(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
}

static void write_markdown_row(FILE *out, const struct option *o)
{
    char expected[128], variable[CONFIG_VARIABLE_BYTES];

    config_expected(expected, sizeof expected, o);
    config_variable(variable, o);
    fprintf(out, "| `%s` | `", o->key);
    write_preset(out, o);
    fputs("` | ", out);
    write_cell(out, expected);
    fputs(" | ", out);
    write_cell(out, o->help);
    fprintf(out, " | `%s`", variable);
    if (o->flag)
        fprintf(out, ", `--%s`", o->flag);
    fputs(" |\n", out);
}

static void write_markdown_table(FILE *out, const struct config_table *table)
{
    if (is_obsolete(table))
        return;
    fprintf(out, "\n## [%s]: %s\n\n| key | default | takes | meaning | also |\n|---|---|---|---|---|\n", table->name,
            table->help);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (is_of(&config_options[i], table))
            write_markdown_row(out, &config_options[i]);
}

void config_write_markdown(FILE *out)
{
    fputs("# Configuration of cuzkd\n\n"
          "Made by `cuzk config options` from the table of options; `cuzk config print` prints the same as a file to\n"
          "begin with.\n\n"
          "Settings come from a TOML 1.0 file (`cuzkd --config FILE`); a variable of the environment goes before\n"
          "the file, and a flag before both. Every option has a variable, `CUZKD_TABLE_KEY`, and can be set with\n"
          "`--set table.key=value`; some have a flag of their own. In variables and flags a list is written\n"
          "`a,b,c`.\n\n"
          "An unknown key or table, a value of the wrong kind or out of range, and settings that contradict each\n"
          "other are errors that name file, line and key; `cuzk config check FILE` finds them without starting\n"
          "anything. A variable `CUZKD_...` that no option has is a warning.\n\n"
          "- A size is a number with `B`, `KiB`, `MiB`, `GiB`, `TiB` (powers of 1024) or `kB`, `MB`, `GB`, `TB`\n"
          "  (powers of 1000); without a unit it is in bytes.\n"
          "- A time is a number with `ms`, `s`, `m`, `h` or `d`; without a unit it is in seconds.\n"
          "- An address is `unix:///PATH` or `HOST:PORT`, where HOST is a name, an IPv4 address, or an IPv6 address\n"
          "  in brackets. `HOST:PORT` needs TLS (`tls.certificate`, `tls.key`) or `daemon.insecure_tcp = true`.\n",
          out);
    for (size_t t = 0; t < config_table_count; t++)
        write_markdown_table(out, &config_tables[t]);
    fputs("\n## Keys of older files\n\n"
          "They are taken, checked for their kind, noted when the daemon starts, and have no effect.\n\n"
          "| key | instead |\n|---|---|\n",
          out);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (config_options[i].instead) {
            fprintf(out, "| `%s` | ", config_options[i].name);
            write_cell(out, config_options[i].instead);
            fputs(" |\n", out);
        }
}

/* ---- help ---- */

void config_write_flags(FILE *out)
{
    char left[64];

    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (config_options[i].flag) {
            const struct option *o = &config_options[i];

            (void)snprintf(left, sizeof left, "--%s %s", o->flag, o->type == OPTION_CHOICE ? "WORD" : "ADDR");
            fprintf(out, "  %-24s %s (%s)\n", left, o->help, o->name);
        }
    fprintf(out, "  %-24s %s\n", "--set TABLE.KEY=VALUE", "any option: `cuzk config options` lists them");
}

void config_write_options(struct json_writer *w)
{
    char expected[128], variable[CONFIG_VARIABLE_BYTES];

    json_begin_array(w, "options");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *o = &config_options[i];

        config_expected(expected, sizeof expected, o);
        config_variable(variable, o);
        json_begin_object(w, NULL);
        json_put_string(w, "name", o->name);
        json_put_string(w, "variable", variable);
        if (o->flag)
            json_put_string(w, "flag", o->flag);
        json_put_string(w, "takes", expected);
        if (o->instead) {
            json_put_string(w, "instead", o->instead);
        } else {
            json_put_string(w, "default", o->preset);
            json_put_string(w, "help", o->help);
        }
        json_end(w);
    }
    json_end(w);
}

/* ---- settings ---- */

static const void *member(const struct config *c, const struct option *o)
{
    return (const uint8_t *)c + o->offset;
}

static void write_word(struct json_writer *w, const struct option *o, uint32_t index)
{
    const char *word = o->words;
    char        text[32];

    for (; index; index--)
        word += strcspn(word, "|") + 1;
    (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(word, "|"), word);
    json_put_string(w, o->key, text);
}

static void write_list(struct json_writer *w, const struct config *c, const struct option *o)
{
    const struct config_numbers *numbers = member(c, o);
    const struct config_strings *strings = member(c, o);

    json_begin_array(w, o->key);
    if (o->type == OPTION_NUMBERS)
        for (size_t i = 0; i < numbers->count; i++)
            json_put_u64(w, NULL, numbers->value[i]);
    else
        for (size_t i = 0; i < strings->count; i++)
            json_put_string(w, NULL, strings->value[i]);
    json_end(w);
}

static void write_setting(struct json_writer *w, const struct config *c, const struct option *o)
{
    uint64_t number;

    switch (o->type) {
    case OPTION_BOOL:   json_put_bool(w, o->key, *(const bool *)member(c, o)); break;
    case OPTION_U32:    json_put_u64(w, o->key, *(const uint32_t *)member(c, o)); break;
    case OPTION_CHOICE: write_word(w, o, *(const uint32_t *)member(c, o)); break;
    case OPTION_U64:
    case OPTION_SIZE:
    case OPTION_SIZE_OR_AUTO:
    case OPTION_DURATION:
        number = *(const uint64_t *)member(c, o);
        if (number == CONFIG_AUTO)
            json_put_string(w, o->key, "auto");
        else
            json_put_u64(w, o->key, number);
        break;
    case OPTION_ADDRESS:
    case OPTION_PATH:
        json_put_string(w, o->key, *(const char *const *)member(c, o));
        break;
    case OPTION_NUMBERS:
    case OPTION_STRINGS:
        write_list(w, c, o);
        break;
    }
}

void config_write_json(struct json_writer *w, const struct config *c)
{
    for (size_t t = 0; t < config_table_count; t++) {
        if (is_obsolete(&config_tables[t]))
            continue;
        json_begin_object(w, config_tables[t].name);
        for (size_t i = 0; i < OPTION_COUNT; i++)
            if (is_of(&config_options[i], &config_tables[t]))
                write_setting(w, c, &config_options[i]);
        json_end(w);
    }
}
