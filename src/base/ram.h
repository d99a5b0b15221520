/* base/ram.h - how much memory this process may still take. */
#ifndef CUZK_BASE_RAM_H
#define CUZK_BASE_RAM_H

#include <stdint.h>

/* The least of MemAvailable and what is left under each limit from our cgroup (version 2) up to the root, bytes.
 * root: what stands before /proc and /sys, "" except in tests.  0 if nothing can be read. */
uint64_t ram_available(const char *root);

#endif
