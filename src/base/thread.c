/* base/thread.c - threads with a name; any thread. */
#define _GNU_SOURCE 1 /* pthread_setname_np */

#include "base/thread.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* All signals blocked, save those a fault raises in the thread itself: a blocked SIGBUS would end the process without
 * file_map_guard's word. */
static void signals_left_to_others(sigset_t *out)
{
    static const int own[] = { SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT, SIGTRAP };

    (void)sigfillset(out);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        (void)sigdelset(out, own[i]);
}

cuzk_status thread_start(pthread_t *out, const char *name, void *(*run)(void *argument), void *argument,
                         struct cuzk_err *err)
{
    sigset_t blocked, before;
    char     shown[16];
    int      reason;

    signals_left_to_others(&blocked);
    (void)pthread_sigmask(SIG_SETMASK, &blocked, &before);
    reason = pthread_create(out, NULL, run, argument);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (reason)
        return err_set(err, CUZK_E_IO, "thread %s does not start: %s", name, strerror(reason));
    (void)snprintf(shown, sizeof shown, "%s", name);
    (void)pthread_setname_np(*out, shown);
    return CUZK_OK;
}
