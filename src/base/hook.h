/* base/hook.h - planted failures: in builds with -DTEST_HOOKS the n-th call of a kind fails, n from the environment.
 * A hit says so on stderr, so a test that counts n upwards knows when n is past the last call. */
#ifndef CUZK_BASE_HOOK_H
#define CUZK_BASE_HOOK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef TEST_HOOKS
#include <stdio.h>
#include <stdlib.h>

/* True in the n-th call with this counter, n the number in the environment variable `name`; never if it is unset. */
static inline bool hook_fails(_Atomic uint64_t *counter, const char *name)
{
    const char *text = getenv(name);
    uint64_t    call = atomic_fetch_add_explicit(counter, 1, memory_order_relaxed) + 1;

    if (!text || call != strtoull(text, NULL, 10))
        return false;
    fprintf(stderr, "planted failure %s=%s\n", name, text);
    return true;
}
#else
static inline bool hook_fails(_Atomic uint64_t *counter, const char *name)
{
    (void)counter;
    (void)name;
    return false;
}
#endif

#endif
