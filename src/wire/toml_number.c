/* wire/toml_number.c - TOML: integers, floats, booleans, dates and times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toml_scan.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static uint32_t digit_value(char c)
{
    return is_digit(c)            ? (uint32_t)(c - '0')
           : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
           : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                  : 16;
}

/* If the word stands at pos, moves past it. */
static bool scan_word(struct toml_scan *s, const char *word)
{
    size_t bytes = strlen(word);

    if (strncmp(s->text + s->pos, word, bytes) != 0)
        return false;
    s->pos += bytes;
    return true;
}

/* Digits, with an underscore between any two. */
static cuzk_status scan_digits(struct toml_scan *s, uint32_t base)
{
    for (;;) {
        if (digit_value(s->text[s->pos]) >= base)
            return toml_fail_here(s, base == 2   ? "a binary digit"
                                     : base == 8 ? "an octal digit"
                                     : base == 16 ? "a hexadecimal digit"
                                                  : "a digit");
        while (digit_value(s->text[s->pos]) < base)
            s->pos++;
        if (s->text[s->pos] != '_')
            return CUZK_OK;
        s->pos++;
    }
}

/* ---- integers ---- */

/* The digits from start to pos, already checked. */
static cuzk_status read_integer(struct toml_scan *s, int64_t *out, size_t start, uint32_t base, bool negative)
{
    uint64_t limit = (uint64_t)INT64_MAX + negative, value = 0;

    for (size_t i = start; i < s->pos; i++)
        if (s->text[i] != '_' && (__builtin_mul_overflow(value, base, &value) ||
                                  __builtin_add_overflow(value, digit_value(s->text[i]), &value) || value > limit))
            return toml_fail(s->doc, start, NULL, "a number from -2^63 to 2^63 - 1", s->err, "an integer out of range");
    *out = (int64_t)(negative ? 0 - value : value);
    return CUZK_OK;
}

/* 0x, 0o or 0b. */
static cuzk_status scan_based(struct toml_scan *s, struct toml_value *out)
{
    char        c = s->text[s->pos + 1];
    uint32_t    base = c == 'x' ? 16 : c == 'o' ? 8 : 2;
    size_t      start;
    cuzk_status st;

    s->pos += 2;
    start = s->pos;
    out->kind = TOML_INTEGER;
    TRY(scan_digits(s, base));
    TRY(read_integer(s, &out->integer, start, base, false));
out:
    return st;
}

/* ---- floats ---- */

/* The checked text from start to pos.  Without its underscores and with a NUL it fits where the next string will go: no
 * more of that has been used than of the text. */
static double read_float(struct toml_scan *s, size_t start)
{
    char *copy = s->doc->strings + s->doc->strings_used, *end = copy;

    for (size_t i = start; i < s->pos; i++)
        if (s->text[i] != '_')
            *end++ = s->text[i];
    *end = '\0';
    return strtod(copy, NULL); /* these programs stay in the C locale: the point is a point */
}

/* pos past the digits before the point or exponent. */
static cuzk_status scan_float(struct toml_scan *s, struct toml_value *out, size_t start)
{
    cuzk_status st;

    if (s->text[s->pos] == '.') {
        s->pos++;
        TRY(scan_digits(s, 10));
    }
    if (s->text[s->pos] == 'e' || s->text[s->pos] == 'E') {
        s->pos++;
        if (s->text[s->pos] == '+' || s->text[s->pos] == '-')
            s->pos++;
        TRY(scan_digits(s, 10));
    }
    out->kind = TOML_FLOAT;
    out->real = read_float(s, start);
    st = CUZK_OK;
out:
    return st;
}

/* A decimal integer or a float. */
static cuzk_status scan_decimal(struct toml_scan *s, struct toml_value *out)
{
    size_t      start = s->pos, digits;
    bool        negative = s->text[s->pos] == '-';
    cuzk_status st;

    if (negative || s->text[s->pos] == '+')
        s->pos++;
    if (scan_word(s, "inf") || scan_word(s, "nan")) {
        out->kind = TOML_FLOAT;
        out->real = copysign(s->text[s->pos - 1] == 'f' ? (double)INFINITY : (double)NAN, negative ? -1.0 : 1.0);
        return CUZK_OK;
    }
    digits = s->pos;
    TRY(scan_digits(s, 10));
    if (s->text[digits] == '0' && s->pos > digits + 1) {
        s->pos = digits;
        return toml_fail_here(s, "a number without a leading zero");
    }
    if (s->text[s->pos] == '.' || s->text[s->pos] == 'e' || s->text[s->pos] == 'E')
        return scan_float(s, out, start);
    out->kind = TOML_INTEGER;
    TRY(read_integer(s, &out->integer, digits, 10, negative));
out:
    return st;
}

/* ---- dates and times ---- */

/* Exactly this many digits, a number from min to max. */
static cuzk_status scan_field(struct toml_scan *s, uint32_t *out, int digits, uint32_t min, uint32_t max,
                              const char *expected)
{
    size_t   start = s->pos;
    uint32_t value = 0;

    *out = min; /* in range, whatever happens */
    for (int i = 0; i < digits; i++, s->pos++) {
        if (!is_digit(s->text[s->pos]))
            return toml_fail_here(s, expected);
        value = value * 10 + digit_value(s->text[s->pos]);
    }
    if (value < min || value > max) {
        s->pos = start;
        return toml_fail_here(s, expected);
    }
    *out = value;
    return CUZK_OK;
}

static cuzk_status scan_mark(struct toml_scan *s, char mark, const char *expected)
{
    if (s->text[s->pos] != mark)
        return toml_fail_here(s, expected);
    s->pos++;
    return CUZK_OK;
}

static uint32_t days_of_month(uint32_t year, uint32_t month)
{
    static const uint8_t days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool                 leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return days[month - 1] + (month == 2 && leap);
}

/* YYYY-MM-DD */
static cuzk_status scan_date(struct toml_scan *s, struct toml_time *out)
{
    uint32_t    year, month, day;
    cuzk_status st;

    TRY(scan_field(s, &year, 4, 0, 9999, "a year of four digits"));
    TRY(scan_mark(s, '-', "- after the year"));
    TRY(scan_field(s, &month, 2, 1, 12, "a month from 01 to 12"));
    TRY(scan_mark(s, '-', "- after the month"));
    TRY(scan_field(s, &day, 2, 1, days_of_month(year, month), "a day of that month, of two digits"));
    out->year = (uint16_t)year;
    out->month = (uint8_t)month;
    out->day = (uint8_t)day;
out:
    return st;
}

/* HH:MM:SS with a fraction or without */
static cuzk_status scan_time(struct toml_scan *s, struct toml_time *out)
{
    uint32_t    hour, minute, second;
    cuzk_status st;

    TRY(scan_field(s, &hour, 2, 0, 23, "an hour from 00 to 23"));
    TRY(scan_mark(s, ':', ": after the hour"));
    TRY(scan_field(s, &minute, 2, 0, 59, "a minute from 00 to 59"));
    TRY(scan_mark(s, ':', ": and seconds"));
    TRY(scan_field(s, &second, 2, 0, 59, "a second from 00 to 59"));
    out->hour = (uint8_t)hour;
    out->minute = (uint8_t)minute;
    out->second = (uint8_t)second;
    if (s->text[s->pos] != '.')
        return CUZK_OK;
    s->pos++;
    if (!is_digit(s->text[s->pos]))
        return toml_fail_here(s, "a digit");
    for (uint32_t unit = 100000000; is_digit(s->text[s->pos]); unit /= 10, s->pos++)
        out->nanosecond += unit * digit_value(s->text[s->pos]);
out:
    return st;
}

/* Z or +HH:MM or -HH:MM, if any. */
static cuzk_status scan_offset(struct toml_scan *s, struct toml_value *out)
{
    char        c = s->text[s->pos];
    uint32_t    hour, minute;
    cuzk_status st = CUZK_OK;

    if (c != 'Z' && c != 'z' && c != '+' && c != '-')
        return CUZK_OK;
    s->pos++;
    out->kind = TOML_OFFSET_DATETIME;
    if (c == 'Z' || c == 'z')
        return CUZK_OK;
    TRY(scan_field(s, &hour, 2, 0, 23, "an hour from 00 to 23"));
    TRY(scan_mark(s, ':', ": after the hour"));
    TRY(scan_field(s, &minute, 2, 0, 59, "a minute from 00 to 59"));
    out->time.offset_minutes = (int16_t)((int32_t)(hour * 60 + minute) * (c == '-' ? -1 : 1));
out:
    return st;
}

static cuzk_status scan_datetime(struct toml_scan *s, struct toml_value *out)
{
    char        c;
    cuzk_status st;

    out->kind = TOML_LOCAL_DATE;
    out->time = (struct toml_time){ 0 };
    TRY(scan_date(s, &out->time));
    c = s->text[s->pos];
    if (c != 'T' && c != 't' && (c != ' ' || !is_digit(s->text[s->pos + 1])))
        return CUZK_OK;
    s->pos++;
    out->kind = TOML_LOCAL_DATETIME;
    TRY(scan_time(s, &out->time));
    TRY(scan_offset(s, out));
out:
    return st;
}

/* ---- any of them ---- */

/* Bytes of text that are digits, at most 5. */
static size_t leading_digits(const char *p)
{
    size_t n = 0;

    while (n < 5 && is_digit(p[n]))
        n++;
    return n;
}

cuzk_status toml_scan_scalar(struct toml_scan *s, struct toml_value *out)
{
    const char *p = s->text + s->pos;
    size_t      digits = leading_digits(p);

    if (p[0] == 't' || p[0] == 'f') {
        out->kind = TOML_BOOLEAN;
        out->boolean = p[0] == 't';
        return scan_word(s, out->boolean ? "true" : "false") ? CUZK_OK : toml_fail_here(s, "true or false");
    }
    if (digits == 4 && p[4] == '-')
        return scan_datetime(s, out);
    if (digits == 2 && p[2] == ':') {
        out->kind = TOML_LOCAL_TIME;
        out->time = (struct toml_time){ 0 };
        return scan_time(s, &out->time);
    }
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'o' || p[1] == 'b'))
        return scan_based(s, out);
    if (digits || p[0] == '+' || p[0] == '-' || strncmp(p, "inf", 3) == 0 || strncmp(p, "nan", 3) == 0)
        return scan_decimal(s, out);
    return toml_fail_here(s, "a value");
}
