/* store/change.c - changes in memory. */
#include "store/change.h"

#include <string.h>

#include "base/mem.h"

_Static_assert(offsetof(struct change, mail) == 0, "a change is its mail");

struct change *change_new(enum change_kind kind, const void *data, size_t bytes, store_done *done, void *context)
{
    struct change *c;
    size_t         size;

    if (!size_add(&size, sizeof *c, bytes))
        return NULL;
    c = mem_new(1, size);
    if (!c)
        return NULL;
    c->kind = kind;
    c->done = done;
    c->context = context;
    c->bytes = bytes;
    if (bytes)
        memcpy(c->data, data, bytes);
    return c;
}

struct change *change_next(const struct change *c) { return (struct change *)c->mail.next; }
