/* base/uuid.c - UUID version 7: 0..5 time in ms, 6..7 version and random, 8..15 variant and random. */
#include "base/uuid.h"

#include <stddef.h>

#include "base/mem.h"

void uuid_v7(char out[UUID_BYTES], int64_t unix_ms)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t          ms = (uint64_t)unix_ms;
    uint8_t           id[16];

    random_bytes(id + 6, sizeof id - 6);
    for (int i = 0; i < 6; i++)
        id[i] = (uint8_t)(ms >> (40 - 8 * i));
    id[6] = (uint8_t)(0x70 | (id[6] & 0x0f));
    id[8] = (uint8_t)(0x80 | (id[8] & 0x3f));
    for (size_t i = 0; i < sizeof id; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *out++ = '-';
        *out++ = digits[id[i] >> 4];
        *out++ = digits[id[i] & 15];
    }
    *out = '\0';
}
