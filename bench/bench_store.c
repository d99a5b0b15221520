/* bench/bench_store.c - what durability costs: bench_store [folder [seconds a row]] prints rows
 *
 *   case,in_flight,changes,changes_per_s,median_us,p99_us
 *
 * submit: a payload of 64 KiB from its first byte to the answer; part: a proof of 192 bytes, the commonest of a job's
 * changes.  The folder should lie on the disk that the daemon's will: the time is that of its syncs. */
#define _GNU_SOURCE 1

#include <ftw.h>
#include <inttypes.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/mem.h"
#include "store/store.h"

#define PAYLOAD_BYTES ((size_t)64 << 10)
#define SAMPLES_MAX   ((size_t)1 << 20)
#define FLIGHT_MAX    64

static struct store  *store;
static uint64_t      *samples_ns;
static _Atomic size_t sample_count;
static sem_t          room; /* changes that may still be asked */

struct slot {
    uint64_t begin_ns;
};
static struct slot slots[FLIGHT_MAX];
static _Atomic int free_slots[FLIGHT_MAX];
static char        many_parts[STORE_ID_BYTES]; /* id of the first job */

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench_store: %s\n", what);
    exit(9);
}

static struct slot *slot_take(void)
{
    for (;;)
        for (int i = 0; i < FLIGHT_MAX; i++)
            if (atomic_exchange(&free_slots[i], 0))
                return &slots[i];
}

static void on_answer(void *context, const struct store_answer *a)
{
    struct slot *slot = context;
    size_t       n = atomic_fetch_add(&sample_count, 1);

    if (a->status != CUZK_OK)
        die(a->err.text);
    if (n < SAMPLES_MAX)
        samples_ns[n] = now_ns() - slot->begin_ns;
    if (!many_parts[0]) /* the first answer comes before anything else is asked */
        memcpy(many_parts, a->job.id, sizeof many_parts);
    atomic_store(&free_slots[slot - slots], 1);
    sem_post(&room);
}

static void ask_submit(struct slot *slot)
{
    static uint8_t        data[PAYLOAD_BYTES];
    struct store_request  request = { .tenant = "bench", .kind = "circuit", .circuit = "c", .parts = UINT32_MAX };
    struct store_payload *payload;
    struct cuzk_err       err;

    if (store_payload_begin(&payload, store, &err) != CUZK_OK ||
        store_payload_write(payload, data, sizeof data, &err) != CUZK_OK)
        die(err.text);
    store_submit(store, &payload, &request, on_answer, slot);
}

/* A row and an update each: all of one job, which has as many parts as there can be. */
static void ask_part(struct slot *slot)
{
    static const uint8_t proof[192];
    static uint32_t      part;

    store_part(store, many_parts, part++, proof, sizeof proof, on_answer, slot);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void row(const char *name, void (*ask)(struct slot *slot), int in_flight, uint64_t run_ns)
{
    uint64_t begin = now_ns(), end;
    size_t   count;

    atomic_store(&sample_count, 0);
    sem_init(&room, 0, (unsigned)in_flight);
    while (now_ns() - begin < run_ns) {
        struct slot *slot;

        sem_wait(&room);
        slot = slot_take();
        slot->begin_ns = now_ns();
        ask(slot);
    }
    for (int i = 0; i < in_flight; i++)
        sem_wait(&room);
    end = now_ns();
    count = atomic_load(&sample_count);
    count = count < SAMPLES_MAX ? count : SAMPLES_MAX;
    qsort(samples_ns, count, sizeof *samples_ns, by_value);
    printf("%s,%d,%zu,%.0f,%.0f,%.0f\n", name, in_flight, count, (double)count * 1e9 / (double)(end - begin),
           (double)samples_ns[count / 2] / 1e3, (double)samples_ns[count * 99 / 100] / 1e3);
    (void)fflush(stdout);
}

static int remove_one(const char *name, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(name);
}

int main(int argc, char **argv)
{
    char                folder[512], path[530];
    uint64_t            run_ns = (argc > 2 ? strtoull(argv[2], NULL, 10) : 2) * 1000000000u;
    struct store_config config = { .dir = path };
    struct cuzk_err     err;

    (void)snprintf(folder, sizeof folder, "%s/bench-store-XXXXXX", argc > 1 ? argv[1] : "/tmp");
    samples_ns = mem_new(SAMPLES_MAX, sizeof *samples_ns);
    if (!samples_ns || !mkdtemp(folder))
        die("no memory or folder");
    (void)snprintf(path, sizeof path, "%s/state", folder);
    if (store_open(&store, &config, &err) != CUZK_OK)
        die(err.text);
    for (int i = 0; i < FLIGHT_MAX; i++)
        free_slots[i] = 1;
    printf("case,in_flight,changes,changes_per_s,median_us,p99_us\n");
    row("submit_64k", ask_submit, 1, run_ns);
    row("submit_64k", ask_submit, FLIGHT_MAX, run_ns);
    row("part", ask_part, 1, run_ns);
    row("part", ask_part, FLIGHT_MAX, run_ns);
    store_close(store);
    (void)nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return 0;
}
