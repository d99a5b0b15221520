/* base/queue.h - handing things from thread to thread: a mailbox (any writers, one reader, in order of arrival) and a
 * queue (any writers and readers, smallest order first).  Both are lists of nodes that lie in what is handed over, so a
 * push can neither fail nor block. */
#ifndef CUZK_BASE_QUEUE_H
#define CUZK_BASE_QUEUE_H

#include <pthread.h>

#include "base/heap.h"

struct mail {
    struct mail *next;
};

struct mailbox {
    pthread_mutex_t lock; /* protects first and last.  Leaf; held for a few instructions */
    pthread_cond_t  more;
    struct mail    *first, *last;
};

void mailbox_init(struct mailbox *box);
void mailbox_fini(struct mailbox *box);
void mailbox_push(struct mailbox *box, struct mail *mail);
/* All that is there, first to last, linked by next; waits until there is some or now_ns() >= until_ns: then NULL. */
struct mail *mailbox_take(struct mailbox *box, uint64_t until_ns);

struct queue {
    pthread_mutex_t lock; /* protects heap and closed.  Leaf; held for O(log n) */
    pthread_cond_t  more;
    struct heap     heap;
    bool            closed;
};

void queue_init(struct queue *q);
void queue_fini(struct queue *q);
void queue_push(struct queue *q, struct heap_node *node);
/* The first node once its order[0] is at most order_max; waits for one.  NULL: the queue was closed. */
struct heap_node *queue_pop(struct queue *q, uint64_t order_max);
/* Lets all readers go, now and from now on; what is queued stays. */
void queue_close(struct queue *q);

#endif
