/* base/queue.c - mailbox and ordered queue; any thread. */
#include "base/queue.h"

#include <time.h>

#include "base/check.h"
#include "base/clock.h"

static void lock_init(pthread_mutex_t *lock, pthread_cond_t *more)
{
    pthread_condattr_t attributes;

    cuzk_check(pthread_condattr_init(&attributes) == 0);
    cuzk_check(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
    cuzk_check(pthread_mutex_init(lock, NULL) == 0);
    cuzk_check(pthread_cond_init(more, &attributes) == 0);
    (void)pthread_condattr_destroy(&attributes);
}

static void lock_fini(pthread_mutex_t *lock, pthread_cond_t *more)
{
    (void)pthread_cond_destroy(more);
    (void)pthread_mutex_destroy(lock);
}

void mailbox_init(struct mailbox *box)
{
    *box = (struct mailbox){ .first = NULL };
    lock_init(&box->lock, &box->more);
}

void mailbox_fini(struct mailbox *box) { lock_fini(&box->lock, &box->more); }

void mailbox_push(struct mailbox *box, struct mail *mail)
{
    mail->next = NULL;
    (void)pthread_mutex_lock(&box->lock);
    if (box->first == NULL)
        box->first = mail;
    else
        box->last->next = mail;
    box->last = mail;
    (void)pthread_cond_signal(&box->more);
    (void)pthread_mutex_unlock(&box->lock);
}

struct mail *mailbox_take(struct mailbox *box, uint64_t until_ns)
{
    struct timespec until = { .tv_sec = (time_t)(until_ns / 1000000000u), .tv_nsec = (long)(until_ns % 1000000000u) };
    struct mail    *first;

    (void)pthread_mutex_lock(&box->lock);
    while (box->first == NULL && now_ns() < until_ns)
        (void)pthread_cond_timedwait(&box->more, &box->lock, &until);
    first = box->first;
    box->first = box->last = NULL;
    (void)pthread_mutex_unlock(&box->lock);
    return first;
}

void queue_init(struct queue *q)
{
    *q = (struct queue){ .closed = false };
    lock_init(&q->lock, &q->more);
}

void queue_fini(struct queue *q) { lock_fini(&q->lock, &q->more); }

void queue_push(struct queue *q, struct heap_node *node)
{
    (void)pthread_mutex_lock(&q->lock);
    heap_push(&q->heap, node);
    (void)pthread_cond_broadcast(&q->more); /* readers differ in what they take */
    (void)pthread_mutex_unlock(&q->lock);
}

struct heap_node *queue_pop(struct queue *q, uint64_t order_max)
{
    struct heap_node *first;

    (void)pthread_mutex_lock(&q->lock);
    while (!q->closed) {
        first = heap_first(&q->heap);
        if (first != NULL && first->order[0] <= order_max)
            break;
        (void)pthread_cond_wait(&q->more, &q->lock);
    }
    first = q->closed ? NULL : heap_pop(&q->heap);
    (void)pthread_mutex_unlock(&q->lock);
    return first;
}

void queue_close(struct queue *q)
{
    (void)pthread_mutex_lock(&q->lock);
    q->closed = true;
    (void)pthread_cond_broadcast(&q->more);
    (void)pthread_mutex_unlock(&q->lock);
}
