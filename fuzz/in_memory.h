/* fuzz/in_memory.h - an input as a file with a path, without a disk.  Include it first: it asks for GNU functions. */
#ifndef CUZK_FUZZ_IN_MEMORY_H
#define CUZK_FUZZ_IN_MEMORY_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"

struct in_memory {
    int  fd;
    char path[64];
};

static inline void in_memory_open(struct in_memory *f, const uint8_t *data, size_t bytes)
{
    f->fd = memfd_create("input", MFD_CLOEXEC);
    cuzk_check(f->fd >= 0 && write(f->fd, data, bytes) == (ssize_t)bytes);
    (void)snprintf(f->path, sizeof f->path, "/proc/self/fd/%d", f->fd);
}

static inline void in_memory_close(struct in_memory *f) { (void)close(f->fd); }

#endif
