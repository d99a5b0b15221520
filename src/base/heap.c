/* base/heap.c - a pairing heap; no threads, the caller's lock or thread protects it.
 *
 * A node's children are a list by next; prev is the sibling before, or the parent for the first child. */
#include "base/heap.h"

#include "base/check.h"

bool heap_before(const struct heap_node *a, const struct heap_node *b)
{
    for (size_t i = 0; i < HEAP_ORDER; i++)
        if (a->order[i] != b->order[i])
            return a->order[i] < b->order[i];
    return false;
}

/* Two roots to one; either may be NULL. */
static struct heap_node *meld(struct heap_node *a, struct heap_node *b)
{
    struct heap_node *top, *below;

    if (a == NULL || b == NULL)
        return a != NULL ? a : b;
    top = heap_before(b, a) ? b : a;
    below = top == a ? b : a;
    below->prev = top;
    below->next = top->child;
    if (top->child != NULL)
        top->child->prev = below;
    top->child = below;
    return top;
}

/* A list of siblings to one root: pairs from the left, then all from the right. */
static struct heap_node *meld_list(struct heap_node *list)
{
    struct heap_node *pairs = NULL, *root = NULL, *pair;

    while (list != NULL) {
        struct heap_node *a = list, *b = a->next;

        list = b != NULL ? b->next : NULL;
        a->next = a->prev = NULL;
        if (b != NULL)
            b->next = b->prev = NULL;
        pair = meld(a, b);
        pair->next = pairs;
        pairs = pair;
    }
    while (pairs != NULL) {
        pair = pairs;
        pairs = pair->next;
        pair->next = NULL;
        root = meld(root, pair);
    }
    return root;
}

void heap_push(struct heap *h, struct heap_node *n)
{
    cuzk_check(!n->held);
    n->child = n->next = n->prev = NULL;
    n->held = true;
    h->root = meld(h->root, n);
    h->count++;
}

struct heap_node *heap_first(const struct heap *h) { return h->root; }

struct heap_node *heap_pop(struct heap *h)
{
    struct heap_node *n = h->root;

    if (n != NULL)
        heap_remove(h, n);
    return n;
}

void heap_remove(struct heap *h, struct heap_node *n)
{
    struct heap_node *below;

    if (!n->held)
        return;
    if (n != h->root) { /* out of its list of siblings */
        if (n->prev->child == n)
            n->prev->child = n->next;
        else
            n->prev->next = n->next;
        if (n->next != NULL)
            n->next->prev = n->prev;
    }
    below = meld_list(n->child);
    h->root = n == h->root ? below : meld(h->root, below);
    h->count--;
    n->child = n->next = n->prev = NULL;
    n->held = false;
}
