/* base/thread.h - threads with a name, that leave signals to the thread that handles them. */
#ifndef CUZK_BASE_THREAD_H
#define CUZK_BASE_THREAD_H

#include <pthread.h>

#include "base/err.h"

/* Starts run(argument).  name: at most 15 characters are shown.  Join it with pthread_join.  Fails IO. */
cuzk_status thread_start(pthread_t *out, const char *name, void *(*run)(void *argument), void *argument,
                         struct cuzk_err *err);

#endif
