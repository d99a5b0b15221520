/* store/fault.c - one counter for all file and SQLite calls of the room. */
#include "store/fault.h"

#include <errno.h>

#include "base/hook.h"

bool store_fails(void)
{
    static _Atomic uint64_t calls;

    if (!hook_fails(&calls, "CUZK_FAIL_STORE"))
        return false;
    errno = EIO;
    return true;
}
