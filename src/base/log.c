/* base/log.c - log lines; any thread. */
#include "base/log.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/utf8.h"

#define END_BYTES 64 /* kept free for what log_end adds */

const char *const log_level_name[LEVEL_COUNT] = { "error", "warn", "info", "debug", "trace" };
const char *const log_format_name[LOG_FORMAT_COUNT] = { "logfmt", "json" };

static const int syslog_priority[LEVEL_COUNT] = { 3, 4, 6, 7, 7 };

/* fd, format and journal are written by log_start only. */
static struct {
    int              fd;
    enum log_format  format;
    bool             journal;
    _Atomic int      level;
    _Atomic uint64_t dropped;          /* in all */
    _Atomic uint64_t dropped_untold;   /* since a line told */
} log_state = { .fd = -1 };

/* The journal says in JOURNAL_STREAM which file is its own. */
static bool is_journal(int fd)
{
    const char        *text = getenv("JOURNAL_STREAM");
    unsigned long long device, inode;
    struct stat        info;

    return text && sscanf(text, "%llu:%llu", &device, &inode) == 2 && fstat(fd, &info) == 0 &&
           info.st_dev == device && info.st_ino == inode;
}

void log_start(int fd, enum log_format format, enum log_level level)
{
    log_state.fd = fd;
    log_state.format = format;
    log_state.journal = fd >= 0 && is_journal(fd);
    atomic_store(&log_state.dropped, 0);
    atomic_store(&log_state.dropped_untold, 0);
    log_set_level(level);
}

void log_set_level(enum log_level level)
{
    atomic_store_explicit(&log_state.level, (int)level, memory_order_relaxed);
}

enum log_level log_get_level(void)
{
    return (enum log_level)atomic_load_explicit(&log_state.level, memory_order_relaxed);
}

uint64_t log_dropped(void)
{
    return atomic_load(&log_state.dropped);
}

/* ---- which lines ---- */

/* The count of a second that is just beginning may be reset by two threads at once: a few lines more, no harm. */
static bool event_may_speak(struct log_event *event)
{
    uint64_t second;

    if (!event->per_second)
        return true;
    second = now_ns() / 1000000000u;
    if (atomic_exchange_explicit(&event->second, second, memory_order_relaxed) != second)
        atomic_store_explicit(&event->lines, 0, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&event->lines, 1, memory_order_relaxed) < event->per_second)
        return true;
    atomic_fetch_add_explicit(&event->suppressed, 1, memory_order_relaxed);
    return false;
}

/* ---- a line under construction ----
 *
 * A value goes in whole or not at all: what does not fit is taken back and the line says cut. */

static bool put(struct log_line *l, const char *text, size_t bytes)
{
    if (bytes > sizeof l->text - END_BYTES - l->used)
        return false;
    memcpy(l->text + l->used, text, bytes);
    l->used += (uint32_t)bytes;
    return true;
}

static bool put_text(struct log_line *l, const char *text)
{
    return put(l, text, strlen(text));
}

/* One character of a quoted text; *text moves past it. */
static bool put_quoted(struct log_line *l, const char **text)
{
    static const char names[] = "\"\\nrt", values[] = "\"\\\n\r\t";
    unsigned char     c = (unsigned char)**text, next = c ? (unsigned char)(*text)[1] : 0;
    size_t            bytes = utf8_bytes(*text);
    const char       *named = strchr(values, c);
    char              escape[8];

    if (named)
        (void)snprintf(escape, sizeof escape, "\\%c", names[named - values]);
    else if (c < 0x20 || c == 0x7f)
        (void)snprintf(escape, sizeof escape, "\\u%04x", c);
    else if (c == 0xc2 && bytes == 2 && next < 0xa0) /* control characters again, which terminals obey */
        (void)snprintf(escape, sizeof escape, "\\u%04x", next);
    else if (!bytes)
        (void)snprintf(escape, sizeof escape, "\xef\xbf\xbd"); /* U+FFFD: not UTF-8 */
    else {
        const char *start = *text;

        *text += bytes;
        return put(l, start, bytes);
    }
    *text += bytes ? bytes : 1;
    return put_text(l, escape);
}

/* Does the value need no quotes? */
static bool is_plain(const char *value)
{
    for (const char *p = value; *p; p++) {
        unsigned char c = (unsigned char)*p;

        if (c <= ' ' || c >= 0x7f || strchr("\"\\=", c) || p - value == LOG_VALUE_BYTES)
            return false;
    }
    return value[0] != '\0';
}

static bool put_value(struct log_line *l, const char *value)
{
    const char *p = value;
    bool        fits;

    if (log_state.format == LOG_LOGFMT && is_plain(value))
        return put_text(l, value);
    fits = put(l, "\"", 1);
    while (fits && *p && p - value < LOG_VALUE_BYTES)
        fits = put_quoted(l, &p);
    return fits && put_text(l, *p ? "...\"" : "\"");
}

/* " key=" or ",\"key\":" */
static bool put_key(struct log_line *l, const char *key)
{
    return log_state.format == LOG_JSON ? put(l, ",\"", 2) && put_text(l, key) && put(l, "\":", 2)
                                        : put(l, " ", 1) && put_text(l, key) && put(l, "=", 1);
}

static void put_member(struct log_line *l, const char *key, const char *value, bool is_text)
{
    uint32_t used = l->used;

    if (l->cut)
        return;
    if (!put_key(l, key) || !(is_text ? put_value(l, value) : put_text(l, value))) {
        l->used = used;
        l->cut = true;
    }
}

static void put_time(struct log_line *l)
{
    struct timespec now;
    struct tm       tm;
    char            text[40];
    size_t          bytes;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)gmtime_r(&now.tv_sec, &tm);
    bytes = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
    (void)snprintf(text + bytes, sizeof text - bytes, ".%06ldZ", now.tv_nsec / 1000);
    (void)put_text(l, text);
}

static void put_head(struct log_line *l, const struct log_event *event)
{
    bool json = log_state.format == LOG_JSON;
    char priority[8];

    if (log_state.journal) {
        (void)snprintf(priority, sizeof priority, "<%d>", syslog_priority[event->level]);
        (void)put_text(l, priority);
    }
    if (json || !log_state.journal) {
        (void)put_text(l, json ? "{\"time\":\"" : "");
        put_time(l);
        (void)put_text(l, json ? "\",\"level\":\"" : " ");
        (void)put_text(l, log_level_name[event->level]);
        (void)put_text(l, json ? "\",\"event\":\"" : " ");
    }
    (void)put_text(l, event->name);
    (void)put_text(l, json ? "\"" : "");
}

bool log_begin(struct log_line *l, struct log_event *event)
{
    uint64_t held_back, dropped;

    if (log_state.fd < 0 || event->level > log_get_level() || !event_may_speak(event))
        return false;
    l->cut = false;
    l->used = 0;
    put_head(l, event);
    held_back = atomic_exchange_explicit(&event->suppressed, 0, memory_order_relaxed);
    if (held_back)
        log_u64(l, "suppressed", held_back);
    dropped = atomic_exchange_explicit(&log_state.dropped_untold, 0, memory_order_relaxed);
    if (dropped)
        log_u64(l, "dropped", dropped);
    l->untold = dropped;
    return true;
}

void log_text(struct log_line *l, const char *key, const char *value)
{
    put_member(l, key, value, true);
}

void log_u64(struct log_line *l, const char *key, uint64_t value)
{
    char text[24];

    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    put_member(l, key, text, false);
}

void log_i64(struct log_line *l, const char *key, int64_t value)
{
    char text[24];

    (void)snprintf(text, sizeof text, "%" PRId64, value);
    put_member(l, key, text, false);
}

void log_ms(struct log_line *l, const char *key, uint64_t ns)
{
    char     text[32];
    uint64_t us = ns / 1000;

    (void)snprintf(text, sizeof text, "%" PRIu64 ".%03" PRIu64, us / 1000, us % 1000);
    put_member(l, key, text, false);
}

void log_bool(struct log_line *l, const char *key, bool value)
{
    put_member(l, key, value ? "true" : "false", false);
}

void log_digest(struct log_line *l, const char *key, const uint8_t *digest, size_t bytes)
{
    char text[65] = "";

    cuzk_check(bytes <= 32);
    for (size_t i = 0; i < bytes; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", digest[i]);
    put_member(l, key, text, true);
}

void log_err(struct log_line *l, const struct cuzk_err *err)
{
    char text[1024];

    (void)err_format(text, sizeof text, err);
    log_text(l, "class", cuzk_status_name(err->status));
    log_text(l, "error", text);
}

/* ---- leaving ---- */

/* All of it or nothing.  Below PIPE_BUF a pipe takes it whole; a file or socket does as well, but for a full disk. */
static bool write_line(const char *text, size_t bytes)
{
    struct pollfd ready = { .fd = log_state.fd, .events = POLLOUT };
    ssize_t       n;

    if (poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT))
        return false;
    do
        n = write(log_state.fd, text, bytes);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)bytes;
}

void log_end(struct log_line *l)
{
    static const char *const tails[LOG_FORMAT_COUNT][2] = { { "\n", " cut=true\n" }, { "}\n", ",\"cut\":true}\n" } };
    const char              *tail = tails[log_state.format][l->cut];
    int                      saved = errno; /* a line between a failed call and its report changes nothing */

    memcpy(l->text + l->used, tail, strlen(tail));
    if (!write_line(l->text, l->used + strlen(tail))) {
        atomic_fetch_add_explicit(&log_state.dropped, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&log_state.dropped_untold, l->untold + 1, memory_order_relaxed);
    }
    errno = saved;
}
