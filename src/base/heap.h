/* base/heap.h - an ordered set of nodes that lie in other structures: no memory of its own, so adding cannot fail. */
#ifndef CUZK_BASE_HEAP_H
#define CUZK_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEAP_ORDER 4

/* order: compared word by word, smaller first; fixed while the node is held.  The rest is the heap's: zero at first. */
struct heap_node {
    uint64_t          order[HEAP_ORDER];
    void             *item; /* the structure that it lies in; the owner sets it */
    struct heap_node *child, *next, *prev;
    bool              held;
};

/* A pairing heap (Fredman, Sedgewick, Sleator, Tarjan 1986): push O(1), pop and remove O(log n) amortized. */
struct heap {
    struct heap_node *root;
    size_t            count;
};

bool heap_before(const struct heap_node *a, const struct heap_node *b);
void heap_push(struct heap *h, struct heap_node *n);
/* NULL when empty. */
struct heap_node *heap_first(const struct heap *h);
struct heap_node *heap_pop(struct heap *h);
/* A node that is not held is nothing. */
void heap_remove(struct heap *h, struct heap_node *n);

#endif
