/* store/inner.h - the store as its own files see it. */
#ifndef CUZK_STORE_INNER_H
#define CUZK_STORE_INNER_H

#include "store/apply.h"

#define READERS_IDLE_MAX 8

/* Connections for reading: one a call, kept for the next. */
struct readers {
    pthread_mutex_t lock; /* any thread; protects the two below.  Leaf, O(1). */
    struct rows    *idle[READERS_IDLE_MAX];
    size_t          count;
};

/* store/read.c */
void readers_init(struct readers *r);
void readers_fini(struct readers *r);

struct store {
    struct store_config config;
    struct folder       folder;
    struct mailbox      box;    /* changes, in the order in which they are made */
    _Atomic bool        closed; /* what comes now is answered CANCELLED, and then the thread ends */
    struct change      *close;  /* ready, so that closing needs no memory */
    _Atomic uint64_t    queued; /* gauge: asked and not answered */
    struct readers      readers;
    pthread_t           thread;

    /* Store thread only; before it starts and after it ends, the one that opens and closes. */
    struct ledger ledger;
    bool          stale;     /* a transaction failed: the figures are to be counted anew */
    bool          started;   /* store_start came */
    uint64_t      delivered; /* by store_start: up to this sequence */
    uint64_t      expire_next_ns;

    /* Gauges: store thread writes, anyone reads; a reader may be one load behind. */
    _Atomic uint64_t jobs[JOB_STATE_COUNT], completed, failed, cancelled;
};

/* Ownership moves to the store thread. */
void store_push(struct store *s, struct change *c);

#endif
