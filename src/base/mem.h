/* base/mem.h - memory with checked sizes, wiping, random bytes. */
#ifndef CUZK_BASE_MEM_H
#define CUZK_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* count * size bytes, zeroed, 64-byte aligned; NULL if the product overflows or memory is short.  Blocks of 2 MiB and
 * more are 2 MiB aligned and advised to be huge pages.  Free with mem_free, not free. */
void *mem_new(size_t count, size_t size);
void  mem_free(void *p);                  /* NULL is nothing */

/* mem_free after zeroing the first `bytes` (secrets). */
void mem_wipe_free(void *p, size_t bytes);
void mem_wipe(void *p, size_t bytes);     /* not optimised away */

/* bytes from the kernel's generator; ends the process if it fails (it cannot on Linux >= 3.17). */
void random_bytes(void *out, size_t bytes);

/* *out = a * b, a + b; false on overflow. */
static inline bool size_mul(size_t *out, size_t a, size_t b) { return !__builtin_mul_overflow(a, b, out); }
static inline bool size_add(size_t *out, size_t a, size_t b) { return !__builtin_add_overflow(a, b, out); }

#endif
