/* base/mem.c - memory with checked sizes, wiping, random bytes.
 *
 * Every block has a header in the 64 bytes before it, so that freeing needs no size from the caller:
 *
 *   small   posix_memalign:   | header 64 | block ... |
 *   large   mmap:             | page, header in its last 64 bytes | block, 2 MiB aligned ... |
 *
 * Large blocks come from fresh pages: zeroing them costs nothing until they are touched, and freeing them gives the
 * memory back to the system at once. */
#include "base/mem.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "base/check.h"
#include "base/hook.h"

#define BLOCK_ALIGN  64u
#define PAGE_BYTES   4096u
#define LARGE_BYTES  ((size_t)2 << 20)
#define BLOCK_MAGIC  0x6b6c623a6b7a7563u /* "cuzk:blk" */

/* Sanitizers see into the heap but not into maps: there all blocks are small ones. */
#if defined(__SANITIZE_ADDRESS__)
#define MAPS_LARGE 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define MAPS_LARGE 0
#endif
#endif
#ifndef MAPS_LARGE
#define MAPS_LARGE 1
#endif

struct block_header {
    uint64_t magic;
    size_t   map_bytes; /* 0: from the heap */
    size_t   padding[6];
};
_Static_assert(sizeof(struct block_header) == BLOCK_ALIGN, "the header keeps the block aligned");

static struct block_header *header_of(void *p)
{
    return (struct block_header *)p - 1;
}

static void *block_from_heap(size_t bytes)
{
    void  *start;
    size_t total;

    if (!size_add(&total, bytes, BLOCK_ALIGN) || total > PTRDIFF_MAX ||
        posix_memalign(&start, BLOCK_ALIGN, total) != 0)
        return NULL;
    memset(start, 0, total);
    ((struct block_header *)start)->magic = BLOCK_MAGIC;
    return (uint8_t *)start + BLOCK_ALIGN;
}

static void *block_from_map(size_t bytes)
{
    size_t    rounded, reserve;
    uint8_t  *start, *block, *end;
    uintptr_t aligned;

    /* Reserve enough that an aligned block with a page before it fits somewhere, then give back both ends. */
    if (!size_add(&rounded, bytes, PAGE_BYTES - 1))
        return NULL;
    rounded &= ~(size_t)(PAGE_BYTES - 1);
    if (!size_add(&reserve, rounded, LARGE_BYTES + PAGE_BYTES) || reserve > PTRDIFF_MAX)
        return NULL;
    start = mmap(NULL, reserve, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    aligned = ((uintptr_t)start + PAGE_BYTES + LARGE_BYTES - 1) & ~(uintptr_t)(LARGE_BYTES - 1);
    block = start + (aligned - (uintptr_t)start);
    end = start + reserve;
    if (block - PAGE_BYTES > start)
        (void)munmap(start, (size_t)(block - PAGE_BYTES - start));
    if (block + rounded < end)
        (void)munmap(block + rounded, (size_t)(end - (block + rounded)));
    (void)madvise(block, rounded, MADV_HUGEPAGE); /* advice: a kernel without huge pages says EINVAL */
    *header_of(block) = (struct block_header){ .magic = BLOCK_MAGIC, .map_bytes = PAGE_BYTES + rounded };
    return block;
}

void *mem_new(size_t count, size_t size)
{
    static _Atomic uint64_t calls;
    size_t                  bytes;

    if (hook_fails(&calls, "CUZK_FAIL_ALLOC") || !size_mul(&bytes, count, size))
        return NULL;
    return MAPS_LARGE && bytes >= LARGE_BYTES ? block_from_map(bytes) : block_from_heap(bytes);
}

void mem_free(void *p)
{
    struct block_header *header;
    size_t               map_bytes;

    if (!p)
        return;
    header = header_of(p);
    cuzk_check(header->magic == BLOCK_MAGIC); /* not ours, or freed before */
    header->magic = 0;
    map_bytes = header->map_bytes;
    if (map_bytes)
        (void)munmap((uint8_t *)p - PAGE_BYTES, map_bytes);
    else
        free(header);
}

void mem_wipe(void *p, size_t bytes)
{
    if (bytes)
        explicit_bzero(p, bytes);
}

void mem_wipe_free(void *p, size_t bytes)
{
    if (!p)
        return;
    mem_wipe(p, bytes);
    mem_free(p);
}

void random_bytes(void *out, size_t bytes)
{
    uint8_t *next = out;

    while (bytes) {
        ssize_t n = getrandom(next, bytes, 0);

        if (n < 0 && errno == EINTR)
            continue;
        cuzk_check(n > 0);
        next += n;
        bytes -= (size_t)n;
    }
}
