/* base/utf8.h - one well-formed UTF-8 character (RFC 3629). */
#ifndef CUZK_BASE_UTF8_H
#define CUZK_BASE_UTF8_H

#include <stddef.h>

/* Bytes of the character at text; 0: none (stray, overlong, surrogate, above U+10FFFF).  text ends with a NUL, which is
 * itself a character of one byte. */
static inline size_t utf8_bytes(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t               count;

    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xc2 || p[0] > 0xf4)
        return 0;
    count = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    for (size_t i = 1; i < count; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0; /* a NUL too: never read past it */
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
        (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return count;
}

#endif
