/* base/check.c - the end of a process that has found a bug in itself. */
#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cuzk/status.h"

_Noreturn void check_failed(const char *condition, const char *file, int line)
{
    char    text[512];
    int     n = snprintf(text, sizeof text, "cuzk: bug: check failed: %s (%s:%d)\n", condition, file, line);
    size_t  bytes = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    ssize_t written = write(STDERR_FILENO, text, bytes);

    (void)written;
#ifdef VERIFY
    abort(); /* a debugger or fuzzer wants the place */
#else
    _exit(CUZK_E_BUG); /* no core: it would hold the witness */
#endif
}
