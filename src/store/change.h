/* store/change.h - a change on its way to the store thread and back. */
#ifndef CUZK_STORE_CHANGE_H
#define CUZK_STORE_CHANGE_H

#include "base/queue.h"
#include "store/payload.h"

enum change_kind {
    CHANGE_SUBMIT,
    CHANGE_RUNNING,
    CHANGE_PART,
    CHANGE_FINISH,
    CHANGE_CANCEL,
    CHANGE_EXPIRE,
    CHANGE_CIRCUIT_ADD,
    CHANGE_CIRCUIT_REMOVE,
    CHANGE_START, /* these change no row: their work follows the commit of all that came before */
    CHANGE_CHECK,
    CHANGE_CLOSE,
    CHANGE_KIND_COUNT,
};

struct change {
    struct mail mail; /* first: the one is the other */
    store_done *done; /* NULL: nobody asks */
    void       *context;

    /* What is asked. */
    enum change_kind      kind;
    struct store_job      asked; /* id; and of a submit or finish what the new row says */
    uint32_t              part;
    struct store_circuit *circuit; /* in and out; its owner waits for the answer */
    bool                  replace;
    size_t                bytes; /* of data: a part's proof, a result */

    /* What becomes of it. */
    struct store_answer answer;
    bool                over;      /* has its answer and is not applied */
    struct payload_file file;      /* that came with it */
    bool                file_used; /* a row names it once the change is committed; else it goes */
    struct payload_file freed;     /* that no row names once the change is committed */

    uint8_t data[];
};

/* The change after c in its batch; NULL: none. */
struct change *change_next(const struct change *c);

/* NULL if memory is short. */
struct change *change_new(enum change_kind kind, const void *data, size_t bytes, store_done *done, void *context);

#endif
