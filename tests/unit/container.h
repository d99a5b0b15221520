/* tests/unit/container.h - iden3 containers built in memory, and files without a disk. */
#ifndef CUZK_TESTS_CONTAINER_H
#define CUZK_TESTS_CONTAINER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* memfd_create */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define TEXT_MAX 16384

struct text {
    uint8_t data[TEXT_MAX];
    size_t  size;
};

static inline void put(struct text *t, const void *data, size_t bytes)
{
    assert_true(bytes <= TEXT_MAX - t->size);
    memcpy(t->data + t->size, data, bytes);
    t->size += bytes;
}

static inline void put_u32(struct text *t, uint32_t v) { put(t, &v, sizeof v); }
static inline void put_u64(struct text *t, uint64_t v) { put(t, &v, sizeof v); }

static inline void put_head(struct text *t, const char *magic, uint32_t version, uint32_t sections)
{
    t->size = 0;
    put(t, magic, 4);
    put_u32(t, version);
    put_u32(t, sections);
}

static inline void put_section(struct text *t, uint32_t id, const void *data, size_t bytes)
{
    put_u32(t, id);
    put_u64(t, bytes);
    put(t, data, bytes);
}

struct memory_file {
    int  fd;
    char path[64];
};

static inline void memory_file_open(struct memory_file *f, const void *data, size_t bytes)
{
    f->fd = memfd_create("test", MFD_CLOEXEC);
    assert_true(f->fd >= 0);
    assert_int_equal(write(f->fd, data, bytes), bytes);
    (void)snprintf(f->path, sizeof f->path, "/proc/self/fd/%d", f->fd);
}

static inline void memory_file_close(struct memory_file *f) { assert_int_equal(close(f->fd), 0); }

#endif
