/* config/config.h - the daemon's settings: defaults, then a TOML file, then the environment, then flags.
 *
 *   config_init(&c);
 *   config_read_file(&c, path, ...)     CUZKD_TABLE_KEY   --listen ADDR, --set table.key=value
 *   config_read_environment(&c, ...)    of the environment
 *   config_set_flag(&c, ...)            of the command line
 *   config_finish(&c, ...)              contradictions; the state folder
 *
 * An error names where the value stands (file, line and column; variable; flag), the option and what would be right.
 * What is taken but has no effect, and why, goes to `note`. */
#ifndef CUZK_CONFIG_CONFIG_H
#define CUZK_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "wire/json.h"
#include "wire/toml.h"

#define CONFIG_AUTO     UINT64_MAX /* a size that says "auto" */
#define CONFIG_LIST_MAX 256

struct config_numbers {
    uint32_t value[CONFIG_LIST_MAX]; /* each once */
    size_t   count;
};
struct config_strings {
    const char *value[CONFIG_LIST_MAX];
    size_t      count;
};

enum option_type {
    OPTION_BOOL,
    OPTION_U32,
    OPTION_U64,
    OPTION_SIZE,         /* bytes: 5, "5", "5MiB", "5 GB" */
    OPTION_SIZE_OR_AUTO, /* or "auto": CONFIG_AUTO */
    OPTION_DURATION,     /* milliseconds: "250ms", "5m", 5 and "5" in seconds */
    OPTION_ADDRESS,      /* checked text */
    OPTION_PATH,
    OPTION_CHOICE,       /* the place of the word in its list */
    OPTION_NUMBERS,
    OPTION_STRINGS,
};

enum option_id {
#define TABLE(name, help)
#define OPTION(type, table, key, member, preset, min, max, flag, help) OPT_ID_##table##_##key,
#define CHOICE(table, key, member, preset, words, flag, help)          OPT_ID_##table##_##key,
#define OBSOLETE(type, table, key, instead)                            OPT_ID_##table##_##key,
#include "options.def"
#undef TABLE
#undef OPTION
#undef CHOICE
#undef OBSOLETE
    OPTION_COUNT
};

/* Where a value comes from. */
struct config_origin {
    enum { FROM_DEFAULT, FROM_FILE, FROM_ENVIRONMENT, FROM_FLAG } from;
    size_t at; /* FROM_FILE: offset in it */
};

#define CONFIG_BOOL(member)         bool member;
#define CONFIG_U32(member)          uint32_t member;
#define CONFIG_U64(member)          uint64_t member;
#define CONFIG_SIZE(member)         uint64_t member;
#define CONFIG_SIZE_OR_AUTO(member) uint64_t member;
#define CONFIG_DURATION(member)     uint64_t member;
#define CONFIG_ADDRESS(member)      const char *member;
#define CONFIG_PATH(member)         const char *member;
#define CONFIG_NUMBERS(member)      struct config_numbers member;
#define CONFIG_STRINGS(member)      struct config_strings member;

struct config {
#define TABLE(name, help)
#define OPTION(type, table, key, member, preset, min, max, flag, help) CONFIG_##type(member)
#define CHOICE(table, key, member, preset, words, flag, help)          uint32_t member;
#define OBSOLETE(type, table, key, instead)
#include "options.def"
#undef TABLE
#undef OPTION
#undef CHOICE
#undef OBSOLETE
    /* The rest is config.c's. */
    struct config_origin origin[OPTION_COUNT];
    char                *text; /* of the file; doc and strings point into it */
    struct toml          doc;
    const char          *path;
    char                *words[OPTION_COUNT];  /* list elements of a variable or flag */
    char                 state_folder[4096];
};

typedef void config_note(void *context, const char *text);

void config_init(struct config *c); /* c stays where it is: strings may point into it */
void config_fini(struct config *c); /* its strings end here */

/* path must outlive c. */
cuzk_status config_read_file(struct config *c, const char *path, config_note *note, void *context,
                             struct cuzk_err *err);
/* variables: as environ, NULL at the end; they must outlive c.  Also notes CUZKD_ variables that nobody knows. */
cuzk_status config_read_environment(struct config *c, char *const *variables, config_note *note, void *context,
                                    struct cuzk_err *err);
/* name without dashes: a flag of the table, or "set" with table.key=value.  USAGE if there is no such flag. */
cuzk_status config_set_flag(struct config *c, const char *name, const char *value, config_note *note, void *context,
                            struct cuzk_err *err);
/* The settings as a whole: fails where they contradict each other. */
cuzk_status config_finish(struct config *c, struct cuzk_err *err);

/* HOST:PORT rather than unix:///PATH. */
bool config_is_tcp(const char *address);

/* config_write.c - the table of options for people. */
void config_write_example(FILE *out);  /* a TOML file that sets nothing and shows everything */
void config_write_markdown(FILE *out); /* docs/configuration.md */
void config_write_flags(FILE *out);    /* lines of --help */
void config_write_json(struct json_writer *w, const struct config *c); /* members of an open object: a table each */
void config_write_options(struct json_writer *w);                      /* a member "options" of an open object */

#endif
