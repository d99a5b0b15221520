/* tests/unit/test_queue.c - heap, queue, mailbox, threads' signals, and what memory there is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/heap.h"
#include "base/mem.h"
#include "base/queue.h"
#include "base/ram.h"
#include "base/thread.h"

#define NODES 600

static uint64_t random_state = 1;

static uint64_t draw(uint64_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % below;
}

/* Against a plain array: any mix of pushes, pops and removals gives what a search for the least would. */
static void test_a_heap_gives_the_least_after_any_mix_of_calls(void **state)
{
    static struct heap_node node[NODES];
    struct heap             h = { .root = NULL };

    (void)state;
    for (int step = 0; step < 200000; step++) {
        struct heap_node *n = &node[draw(NODES)], *least = NULL;
        size_t            held = 0;

        if (!n->held) {
            for (int i = 0; i < HEAP_ORDER; i++)
                n->order[i] = draw(4);
            heap_push(&h, n);
        } else if (draw(3) == 0) {
            heap_remove(&h, n);
            heap_remove(&h, n); /* nothing */
        }
        if (step % 16 != 0)
            continue;
        for (size_t i = 0; i < NODES; i++) {
            held += node[i].held;
            if (node[i].held && (least == NULL || heap_before(&node[i], least)))
                least = &node[i];
        }
        assert_int_equal(h.count, held);
        n = draw(2) == 0 ? heap_first(&h) : heap_pop(&h);
        assert_true((n == NULL) == (least == NULL));
        if (n != NULL)
            assert_memory_equal(n->order, least->order, sizeof n->order);
    }
    while (heap_pop(&h) != NULL)
        ;
    assert_int_equal(h.count, 0);
}

static void test_equal_pushes_pop_sorted_a_million_deep_without_recursion(void **state)
{
    struct heap_node *node = mem_new(1000000, sizeof *node), *n;
    struct heap       h = { .root = NULL };
    uint64_t          last = 0;

    (void)state;
    assert_non_null(node);
    for (uint64_t i = 0; i < 1000000; i++) {
        node[i].order[0] = 1000000 - i; /* each below the next: the deepest tree */
        heap_push(&h, &node[i]);
    }
    while ((n = heap_pop(&h)) != NULL) {
        assert_true(n->order[0] > last);
        last = n->order[0];
    }
    mem_free(node);
}

struct crew {
    struct queue     queue;
    struct mailbox   box;
    _Atomic uint32_t popped, urgent;
};

static void *pop_all(void *argument)
{
    struct crew      *c = argument;
    struct heap_node *n;

    while ((n = queue_pop(&c->queue, UINT64_MAX)) != NULL)
        c->popped++;
    return NULL;
}

static void *pop_urgent(void *argument)
{
    struct crew      *c = argument;
    struct heap_node *n;

    while ((n = queue_pop(&c->queue, 0)) != NULL) {
        if (n->order[0] != 0)
            abort();
        c->popped++;
        c->urgent++;
    }
    return NULL;
}

static void test_each_node_of_a_queue_is_popped_once_and_a_reader_takes_only_what_it_may(void **state)
{
    static struct heap_node node[20000];
    struct crew             c = { .popped = 0 };
    pthread_t               thread[3];
    struct cuzk_err         err;

    (void)state;
    queue_init(&c.queue);
    for (int i = 0; i < 3; i++)
        assert_int_equal(thread_start(&thread[i], "a name that is too long", i == 0 ? pop_urgent : pop_all, &c, &err),
                         CUZK_OK);
    for (size_t i = 0; i < 20000; i++) {
        node[i].order[0] = draw(2);
        queue_push(&c.queue, &node[i]);
    }
    while (c.popped < 20000)
        (void)usleep(1000);
    queue_close(&c.queue);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_int_equal(c.popped, 20000);
    queue_fini(&c.queue);
}

static void test_a_closed_queue_lets_its_readers_go_and_keeps_what_it_holds(void **state)
{
    struct heap_node node = { .order = { 1 } };
    struct queue     q;

    (void)state;
    queue_init(&q);
    queue_push(&q, &node);
    queue_close(&q);
    assert_null(queue_pop(&q, UINT64_MAX));
    assert_true(node.held);
    queue_fini(&q);
}

struct letter {
    struct mail mail;
    uint32_t    from, number;
};

static struct letter letters[4][5000];

static void *write_letters(void *argument)
{
    static _Atomic uint32_t writers;
    struct mailbox         *box = argument;
    uint32_t                me = writers++;

    for (uint32_t i = 0; i < 5000; i++) {
        letters[me][i].from = me;
        letters[me][i].number = i;
        mailbox_push(box, &letters[me][i].mail);
    }
    return NULL;
}

static void test_mail_of_each_writer_comes_in_order_and_all_of_it(void **state)
{
    uint32_t        next[4] = { 0 }, count = 0;
    struct mailbox  box;
    pthread_t       thread[4];
    struct cuzk_err err;

    (void)state;
    mailbox_init(&box);
    for (int i = 0; i < 4; i++)
        assert_int_equal(thread_start(&thread[i], "writer", write_letters, &box, &err), CUZK_OK);
    while (count < 4 * 5000) {
        for (struct mail *m = mailbox_take(&box, UINT64_MAX / 2); m != NULL; m = m->next) {
            const struct letter *l = (const struct letter *)m;
            assert_int_equal(l->number, next[l->from]++);
            count++;
        }
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_null(mailbox_take(&box, 0));
    mailbox_fini(&box);
}

static void test_an_empty_mailbox_waits_as_long_as_it_is_told(void **state)
{
    struct mailbox box;
    uint64_t       begin_ns = now_ns();

    (void)state;
    mailbox_init(&box);
    assert_null(mailbox_take(&box, begin_ns + 30000000));
    assert_in_range(now_ns() - begin_ns, 30000000, 5000000000);
    mailbox_fini(&box);
}

static void *blocked_signals(void *argument)
{
    (void)pthread_sigmask(SIG_BLOCK, NULL, argument);
    return NULL;
}

static void test_threads_leave_signals_to_others_but_not_their_own_faults(void **state)
{
    pthread_t       thread;
    struct cuzk_err err;
    sigset_t        set;

    (void)state;
    assert_int_equal(thread_start(&thread, "signals", blocked_signals, &set, &err), CUZK_OK);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(sigismember(&set, SIGTERM), 1);
    assert_int_equal(sigismember(&set, SIGINT), 1);
    assert_int_equal(sigismember(&set, SIGBUS), 0);
    assert_int_equal(sigismember(&set, SIGSEGV), 0);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static char root[] = "/tmp/cuzk-test-ram-XXXXXX";

static void put(const char *name, const char *text)
{
    char  path[512];
    FILE *f;

    (void)snprintf(path, sizeof path, "%s%s", root, name);
    for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        (void)mkdir(path, 0700);
        *p = '/';
    }
    f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fputs(text, f) >= 0, 1);
    assert_int_equal(fclose(f), 0);
}

static void test_memory_is_the_least_of_what_the_machine_and_each_group_have_left(void **state)
{
    char command[64];

    (void)state;
    assert_non_null(mkdtemp(root));
    assert_int_equal(ram_available(root), 0); /* nothing can be read */
    put("/proc/meminfo", "MemTotal: 9000 kB\nMemFree: 1 kB\nMemAvailable:    8000 kB\n");
    assert_int_equal(ram_available(root), 8000 * 1024);
    put("/proc/self/cgroup", "1:name=x:/y\n0::/a/b\n");
    assert_int_equal(ram_available(root), 8000 * 1024); /* no limits */
    put("/sys/fs/cgroup/a/b/memory.max", "max\n");
    put("/sys/fs/cgroup/a/b/memory.current", "5\n");
    assert_int_equal(ram_available(root), 8000 * 1024);
    put("/sys/fs/cgroup/a/memory.max", "4000000\n");
    put("/sys/fs/cgroup/a/memory.current", "1000000\n");
    assert_int_equal(ram_available(root), 3000000);
    put("/sys/fs/cgroup/a/memory.stat", "anon 900000\ninactive_file 100000\n");
    assert_int_equal(ram_available(root), 3100000); /* the kernel takes its cache back */
    put("/sys/fs/cgroup/a/memory.stat", "inactive_file 18446744073709551615\n");
    assert_int_equal(ram_available(root), 4000000); /* a lie is no more than the limit */
    put("/sys/fs/cgroup/a/b/memory.max", "7000\n");
    put("/sys/fs/cgroup/a/b/memory.current", "8000\n");
    assert_int_equal(ram_available(root), 0);
    (void)snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
    assert_true(ram_available("") > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_heap_gives_the_least_after_any_mix_of_calls),
        cmocka_unit_test(test_equal_pushes_pop_sorted_a_million_deep_without_recursion),
        cmocka_unit_test(test_each_node_of_a_queue_is_popped_once_and_a_reader_takes_only_what_it_may),
        cmocka_unit_test(test_a_closed_queue_lets_its_readers_go_and_keeps_what_it_holds),
        cmocka_unit_test(test_mail_of_each_writer_comes_in_order_and_all_of_it),
        cmocka_unit_test(test_an_empty_mailbox_waits_as_long_as_it_is_told),
        cmocka_unit_test(test_threads_leave_signals_to_others_but_not_their_own_faults),
        cmocka_unit_test(test_memory_is_the_least_of_what_the_machine_and_each_group_have_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
