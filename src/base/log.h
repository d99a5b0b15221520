/* base/log.h - lines about what happens, for people and for their tools:
 *
 *   2026-12-01T05:56:27.123456Z info job_done job=7f3a parts=10 text="two words"            LOG_LOGFMT
 *   {"time":"2026-12-01T05:56:27.123456Z","level":"info","event":"job_done","job":"7f3a","parts":10}   LOG_JSON
 *   <6>job_done job=7f3a parts=10 text="two words"          where the journal reads: it knows the time by itself
 *
 * A line is made on the caller's stack and leaves in one write: no lock, no allocation, no thread.  When the reader is
 * behind (a full pipe) lines are dropped and counted rather than waited for; the next line that fits says how many.
 * (Two threads that write at the very moment when one page is left may still wait.)
 *
 * Never a secret, never a payload: there is no way to log bytes but as a digest of at most 32. */
#ifndef CUZK_BASE_LOG_H
#define CUZK_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define LOG_LINE_BYTES  2048 /* below PIPE_BUF: a line is never torn */
#define LOG_VALUE_BYTES 768  /* of a text value; the rest is cut off and shown as ... */

enum log_level { LEVEL_ERROR, LEVEL_WARN, LEVEL_INFO, LEVEL_DEBUG, LEVEL_TRACE, LEVEL_COUNT };
extern const char *const log_level_name[LEVEL_COUNT]; /* error warn info debug trace */

enum log_format { LOG_LOGFMT, LOG_JSON, LOG_FORMAT_COUNT };
extern const char *const log_format_name[LOG_FORMAT_COUNT]; /* logfmt json */

/* One a kind of line, static.  At most per_second lines a second, 0: any number; the first line after some were held
 * back says how many (`suppressed`). */
struct log_event {
    const char      *name; /* lower case words with _ */
    enum log_level   level;
    uint32_t         per_second;
    _Atomic uint64_t second;     /* since start, in which `lines` were written */
    _Atomic uint32_t lines;
    _Atomic uint64_t suppressed; /* since the last line */
};
#define LOG_EVENT(name_, level_, per_second_) { .name = (name_), .level = (level_), .per_second = (per_second_) }

/* Before there are threads.  fd is borrowed: 2, usually; -1: no lines.  Until then, and with -1, nothing is logged. */
void log_start(int fd, enum log_format format, enum log_level level);

/* At any time, from any thread, also a signal handler. */
void           log_set_level(enum log_level level);
enum log_level log_get_level(void);

/* Lines dropped because the reader was behind, since log_start. */
uint64_t log_dropped(void);

struct log_line {
    bool     cut;    /* values are missing at the end */
    uint32_t used;
    uint64_t untold; /* dropped lines that this one tells of */
    char     text[LOG_LINE_BYTES];
};

/* False: nobody wants this line now; skip the rest.  Otherwise any number of values, then log_end.  Keys are literals
 * of lower case letters and _. */
bool log_begin(struct log_line *l, struct log_event *event);
void log_text(struct log_line *l, const char *key, const char *value); /* any bytes: a line stays a line */
void log_u64(struct log_line *l, const char *key, uint64_t value);
void log_i64(struct log_line *l, const char *key, int64_t value);
void log_ms(struct log_line *l, const char *key, uint64_t ns); /* three decimals */
void log_bool(struct log_line *l, const char *key, bool value);
void log_digest(struct log_line *l, const char *key, const uint8_t *digest, size_t bytes); /* hexadecimal; at most 32 */
void log_err(struct log_line *l, const struct cuzk_err *err);                              /* class=, error= */
void log_end(struct log_line *l);

#endif
