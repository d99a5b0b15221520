/* config/config_value.c - texts of settings and what they mean; any thread. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>

#include "base/check.h"
#include "config_table.h"

/* ---- numbers with units ---- */

struct unit {
    const char *name;
    uint64_t    factor;
};

/* Largest binary and decimal ones first: config_format takes the first that divides. */
static const struct unit size_units[] = {
    { "TiB", (uint64_t)1 << 40 }, { "GiB", (uint64_t)1 << 30 }, { "MiB", (uint64_t)1 << 20 }, { "KiB", 1024 },
    { "TB", 1000000000000 },      { "GB", 1000000000 },         { "MB", 1000000 },            { "kB", 1000 },
    { "KB", 1000 },               { "B", 1 },                   { "", 1 },
};
static const struct unit duration_units[] = {
    { "d", 86400000 }, { "h", 3600000 }, { "m", 60000 }, { "s", 1000 }, { "ms", 1 }, { "", 1000 },
};
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* Digits at the start of text; *rest: what follows. */
static bool parse_digits(uint64_t *out, const char **rest, const char *text)
{
    uint64_t value = 0;

    *rest = text;
    for (; **rest >= '0' && **rest <= '9'; (*rest)++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(**rest - '0'), &value))
            return false;
    *out = value;
    return *rest != text;
}

static bool parse_with_unit(uint64_t *out, const char *text, const struct unit *units, size_t count)
{
    uint64_t    value;
    const char *unit;

    if (!parse_digits(&value, &unit, text))
        return false;
    while (*unit == ' ')
        unit++;
    for (size_t i = 0; i < count; i++)
        if (strcmp(unit, units[i].name) == 0)
            return !__builtin_mul_overflow(value, units[i].factor, out);
    return false;
}

bool config_parse_u64(uint64_t *out, const char *text)
{
    const char *rest;

    return parse_digits(out, &rest, text) && *rest == '\0';
}

bool config_parse_bytes(uint64_t *out, const char *text)
{
    return parse_with_unit(out, text, size_units, COUNT(size_units));
}

bool config_parse_duration(uint64_t *out, const char *text)
{
    return parse_with_unit(out, text, duration_units, COUNT(duration_units));
}

void config_format(char *out, size_t out_bytes, enum option_type type, uint64_t value)
{
    bool               is_size = type == OPTION_SIZE || type == OPTION_SIZE_OR_AUTO, is_time = type == OPTION_DURATION;
    const struct unit *units = is_size ? size_units : duration_units;
    size_t             count = is_size ? 4 : 5; /* binary sizes only */

    for (size_t i = 0; (is_size || is_time) && value && i < count; i++)
        if (value % units[i].factor == 0) {
            (void)snprintf(out, out_bytes, "%" PRIu64 "%s", value / units[i].factor, units[i].name);
            return;
        }
    (void)snprintf(out, out_bytes, "%" PRIu64, value);
}

/* ---- words ---- */

bool config_parse_word(uint32_t *out, const char *words, const char *text)
{
    size_t   bytes = strlen(text);
    uint32_t index = 0;

    for (const char *word = words;; index++) {
        size_t word_bytes = strcspn(word, "|");

        if (word_bytes == bytes && memcmp(word, text, bytes) == 0) {
            *out = index;
            return true;
        }
        if (word[word_bytes] == '\0')
            return false;
        word += word_bytes + 1;
    }
}

/* ---- addresses ---- */

bool config_is_tcp(const char *address)
{
    return address[0] != '\0' && strncmp(address, "unix:", 5) != 0;
}

static bool is_host(const char *text, size_t bytes)
{
    struct in6_addr v6;
    char            literal[INET6_ADDRSTRLEN + 1];

    if (bytes >= 2 && text[0] == '[' && text[bytes - 1] == ']') {
        if (bytes - 2 >= sizeof literal)
            return false;
        memcpy(literal, text + 1, bytes - 2);
        literal[bytes - 2] = '\0';
        return inet_pton(AF_INET6, literal, &v6) == 1;
    }
    for (size_t i = 0; i < bytes; i++) {
        char c = text[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-'))
            return false;
    }
    return bytes > 0;
}

/* A socket's path has to fit into struct sockaddr_un. */
#define UNIX_PATH_BYTES_MAX 107

bool config_is_address(const char *text)
{
    const char *colon = strrchr(text, ':');
    uint64_t    port;

    if (strncmp(text, "unix:///", 8) == 0)
        return strlen(text + 7) > 1 && strlen(text + 7) <= UNIX_PATH_BYTES_MAX;
    return colon && is_host(text, (size_t)(colon - text)) && config_parse_u64(&port, colon + 1) && port <= 65535;
}

/* ---- what an option takes ---- */

static void expect_range(char *out, size_t out_bytes, const char *what, const struct option *o)
{
    char min[32], max[32];

    config_format(min, sizeof min, o->type, o->min);
    config_format(max, sizeof max, o->type, o->max);
    if (o->max >= UINT64_MAX - 1 && !o->min)
        (void)snprintf(out, out_bytes, "%s", what);
    else if (o->max >= UINT64_MAX - 1)
        (void)snprintf(out, out_bytes, "%s of at least %s", what, min);
    else
        (void)snprintf(out, out_bytes, "%s from %s to %s", what, min, max);
}

static void expect_word(char *out, size_t out_bytes, const char *words)
{
    size_t used = (size_t)snprintf(out, out_bytes, "one of ");

    for (; *words && used + 3 < out_bytes; words++) {
        if (*words == '|') {
            out[used++] = ',';
            out[used++] = ' ';
        } else {
            out[used++] = *words;
        }
    }
    out[used] = '\0';
}

void config_expected(char *out, size_t out_bytes, const struct option *o)
{
    switch (o->type) {
    case OPTION_BOOL:         (void)snprintf(out, out_bytes, "true or false"); break;
    case OPTION_U32:
    case OPTION_U64:          expect_range(out, out_bytes, "a number", o); break;
    case OPTION_SIZE:         expect_range(out, out_bytes, "a size such as \"5GiB\"", o); break;
    case OPTION_SIZE_OR_AUTO: expect_range(out, out_bytes, "\"auto\" or a size such as \"5GiB\"", o); break;
    case OPTION_DURATION:     expect_range(out, out_bytes, "a time such as \"5m\"", o); break;
    case OPTION_ADDRESS:
        (void)snprintf(out, out_bytes, "unix:///PATH or HOST:PORT%s", o->min ? "" : " or nothing");
        break;
    case OPTION_PATH:    (void)snprintf(out, out_bytes, "a path"); break;
    case OPTION_CHOICE:  expect_word(out, out_bytes, o->words); break;
    case OPTION_NUMBERS: expect_range(out, out_bytes, "a list of different numbers", o); break;
    case OPTION_STRINGS: (void)snprintf(out, out_bytes, "a list of strings"); break;
    }
}

/* ---- near misses ---- */

#define DISTANCE_BYTES 64

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t config_distance(const char *a, const char *b)
{
    size_t   a_bytes = strlen(a), b_bytes = strlen(b);
    uint32_t row[3][DISTANCE_BYTES + 1]; /* of this byte of a, the one before, and the one before that */

    if (a_bytes >= DISTANCE_BYTES || b_bytes >= DISTANCE_BYTES)
        return DISTANCE_BYTES;
    for (size_t k = 0; k <= b_bytes; k++)
        row[0][k] = (uint32_t)k;
    for (size_t i = 1; i <= a_bytes; i++) {
        uint32_t *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];

        now[0] = (uint32_t)i;
        for (size_t k = 1; k <= b_bytes; k++) {
            now[k] = least(least(before[k], now[k - 1]) + 1, before[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                now[k] = least(now[k], earlier[k - 2] + 1);
        }
    }
    return row[a_bytes % 3][b_bytes];
}
