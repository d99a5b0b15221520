/* base/uuid.h - identifiers that sort by the time of their making: UUID version 7 (RFC 9562). */
#ifndef CUZK_BASE_UUID_H
#define CUZK_BASE_UUID_H

#include <stdint.h>

#define UUID_BYTES 37 /* 36 characters and a NUL */

/* 48 bits of unix_ms, 74 random ones; lower-case text. */
void uuid_v7(char out[UUID_BYTES], int64_t unix_ms);

#endif
