/* config/config_table.h - the table of options as rows; for the files of this room. */
#ifndef CUZK_CONFIG_CONFIG_TABLE_H
#define CUZK_CONFIG_CONFIG_TABLE_H

#include "config/config.h"

struct config_table {
    const char *name, *help;
};

struct option {
    const char      *table, *key;
    const char      *name;   /* table.key */
    enum option_type type;
    size_t           offset; /* of the member in struct config */
    const char      *preset; /* the default, as text */
    uint64_t         min, max;
    const char      *words;   /* OPTION_CHOICE: word|word */
    const char      *flag;    /* NULL: only --set */
    const char      *help;
    const char      *instead; /* not NULL: obsolete; there is no member */
};

extern const struct option       config_options[OPTION_COUNT];
extern const struct config_table config_tables[];
extern const size_t              config_table_count;

#define CONFIG_VARIABLE_BYTES 64

/* "CUZKD_TABLE_KEY" */
void config_variable(char out[CONFIG_VARIABLE_BYTES], const struct option *o);

/* ---- config_value.c: text to values; false if the text is none.  Neither says why: `expected` does ---- */

bool config_parse_u64(uint64_t *out, const char *text);
bool config_parse_bytes(uint64_t *out, const char *text);    /* 5GiB */
bool config_parse_duration(uint64_t *out, const char *text); /* 5m, in milliseconds */
bool config_parse_word(uint32_t *out, const char *words, const char *text);
bool config_is_address(const char *text);

/* What the option takes: "a number from 1 to 16". */
void config_expected(char *out, size_t out_bytes, const struct option *o);

/* A number of the option's unit as a person writes it: 5GiB, 5m, 12. */
void config_format(char *out, size_t out_bytes, enum option_type type, uint64_t value);

/* Edits (insert, delete, change, swap neighbours) from a to b, both shorter than 64 bytes; else 64. */
uint32_t config_distance(const char *a, const char *b);

#endif
