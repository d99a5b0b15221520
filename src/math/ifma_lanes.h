/* math/ifma_lanes.h - eight 64-bit lanes: 52-bit products, eight field elements of 64-bit words turned into eight lanes
 * of 52-bit limbs and back.
 *
 * Lane i belongs to element i.  "Words" are the 64-bit limbs of the scalar code, word k of all elements in one vector;
 * "limbs" have 52 bits, limb k of all elements in one vector. */
#ifndef CUZK_MATH_IFMA_LANES_H
#define CUZK_MATH_IFMA_LANES_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "math/cat.h"

#define LANES     8
#define LIMB_BITS 52
#define LIMB_MASK ((UINT64_C(1) << LIMB_BITS) - 1)

#define CUZK_FN_INLINE static inline __attribute__((unused, always_inline))

typedef uint64_t lanes __attribute__((vector_size(64)));
typedef int64_t  lanes_signed __attribute__((vector_size(64)));

CUZK_FN_INLINE lanes lanes_all(uint64_t v) { return (lanes)_mm512_set1_epi64((long long)v); }

/* A table that compilers cannot see through: they would build each constant from immediates, two instructions more. */
CUZK_FN_INLINE const uint64_t *lanes_table(const uint64_t *table)
{
    __asm__("" : "+r"(table));
    return table;
}

/* Low and high 52 bits of the product of the low 52 bits of a and b, added to t. */
CUZK_FN_INLINE lanes lanes_low(lanes t, lanes a, lanes b)
{
    return (lanes)_mm512_madd52lo_epu64((__m512i)t, (__m512i)a, (__m512i)b);
}

CUZK_FN_INLINE lanes lanes_high(lanes t, lanes a, lanes b)
{
    return (lanes)_mm512_madd52hi_epu64((__m512i)t, (__m512i)a, (__m512i)b);
}

/* floor(a / 2^52) of signed lanes. */
CUZK_FN_INLINE lanes lanes_carry(lanes a) { return (lanes)((lanes_signed)a >> LIMB_BITS); }

CUZK_FN_INLINE lanes lanes_select(__mmask8 take_b, lanes a, lanes b)
{
    return (lanes)_mm512_mask_blend_epi64(take_b, (__m512i)a, (__m512i)b);
}

/* a - b in the lanes of `which`, b in the others. */
CUZK_FN_INLINE lanes lanes_sub_from(__mmask8 which, lanes a, lanes b)
{
    return (lanes)_mm512_mask_sub_epi64((__m512i)b, which, (__m512i)a, (__m512i)b);
}

/* Lane i takes lane i ^ bit. */
CUZK_FN_INLINE lanes lanes_swap(lanes a, const long long bit)
{
    __m512i index = _mm512_xor_si512(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(bit));
    return (lanes)_mm512_permutexvar_epi64(index, (__m512i)a);
}

CUZK_FN_INLINE __mmask8 lanes_eq(lanes a, lanes b) { return _mm512_cmpeq_epi64_mask((__m512i)a, (__m512i)b); }
CUZK_FN_INLINE __mmask8 lanes_negative(lanes a) { return _mm512_movepi64_mask((__m512i)a); }
CUZK_FN_INLINE __mmask8 lanes_zero(lanes a) { return _mm512_testn_epi64_mask((__m512i)a, (__m512i)a); }

/* Bits [52 k, 52 k + 52) of n words, for each limb k; the last limb takes all that is left. */
CUZK_FN_INLINE void lanes_to_limbs(lanes *limb, const lanes *word, const int limbs, const int words)
{
    UNROLL for (int k = 0; k < limbs; k++) {
        int at = LIMB_BITS * k / 64, shift = LIMB_BITS * k % 64;
        lanes t = word[at] >> shift;
        if (shift + LIMB_BITS > 64 && at + 1 < words)
            t |= word[at + 1] << (64 - shift);
        limb[k] = k + 1 < limbs ? t & LIMB_MASK : t;
    }
}

/* The inverse; limbs must be below 2^52. */
CUZK_FN_INLINE void lanes_to_words(lanes *word, const lanes *limb, const int limbs, const int words)
{
    UNROLL for (int k = 0; k < words; k++) {
        int at = 64 * k / LIMB_BITS, shift = 64 * k % LIMB_BITS;
        lanes t = limb[at] >> shift;
        if (at + 1 < limbs)
            t |= limb[at + 1] << (LIMB_BITS - shift);
        if (at + 2 < limbs && 2 * LIMB_BITS - shift < 64)
            t |= limb[at + 2] << (2 * LIMB_BITS - shift);
        word[k] = t;
    }
}

/* v[i] lane k <-> v[k] lane i. */
CUZK_FN_INLINE void lanes_transpose(lanes v[8])
{
    __m512i s[8], t[8];
    UNROLL for (int i = 0; i < 8; i += 2) {
        s[i] = _mm512_unpacklo_epi64((__m512i)v[i], (__m512i)v[i + 1]);
        s[i + 1] = _mm512_unpackhi_epi64((__m512i)v[i], (__m512i)v[i + 1]);
    }
    UNROLL for (int i = 0; i < 2; i++) { /* pairs of lanes: 0 2 | 4 6 and 1 3 | 5 7 of rows 0 .. 3 and 4 .. 7 */
        t[i] = _mm512_shuffle_i64x2(s[i], s[i + 2], 0x88);
        t[i + 2] = _mm512_shuffle_i64x2(s[i], s[i + 2], 0xdd);
        t[i + 4] = _mm512_shuffle_i64x2(s[i + 4], s[i + 6], 0x88);
        t[i + 6] = _mm512_shuffle_i64x2(s[i + 4], s[i + 6], 0xdd);
    }
    UNROLL for (int i = 0; i < 4; i++) {
        v[i] = (lanes)_mm512_shuffle_i64x2(t[i], t[i + 4], 0x88);
        v[i + 4] = (lanes)_mm512_shuffle_i64x2(t[i], t[i + 4], 0xdd);
    }
}

CUZK_FN_INLINE __m512i lanes_halves(const uint8_t *low, const uint8_t *high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)low)),
                              _mm256_loadu_si256((const __m256i *)(const void *)high), 1);
}

/* word[k] of lane i = the 64 bits at from[i] + at + 8 k, k < 4.  Rows hold elements r and r + 4 in their halves; two
 * rounds of shuffles inside the halves transpose both 4 x 4 blocks. */
CUZK_FN_INLINE void lanes_load_4(lanes word[4], const uint8_t *const from[LANES], const size_t at)
{
    const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    __m512i r0 = lanes_halves(from[0] + at, from[4] + at), r1 = lanes_halves(from[1] + at, from[5] + at);
    __m512i r2 = lanes_halves(from[2] + at, from[6] + at), r3 = lanes_halves(from[3] + at, from[7] + at);
    __m512i s0 = _mm512_unpacklo_epi64(r0, r1), s1 = _mm512_unpackhi_epi64(r0, r1);
    __m512i s2 = _mm512_unpacklo_epi64(r2, r3), s3 = _mm512_unpackhi_epi64(r2, r3);
    word[0] = (lanes)_mm512_permutex2var_epi64(s0, even, s2);
    word[1] = (lanes)_mm512_permutex2var_epi64(s1, even, s3);
    word[2] = (lanes)_mm512_permutex2var_epi64(s0, odd, s2);
    word[3] = (lanes)_mm512_permutex2var_epi64(s1, odd, s3);
}

CUZK_FN_INLINE void lanes_store_halves(uint8_t *low, uint8_t *high, __m512i v)
{
    _mm256_storeu_si256((__m256i *)(void *)low, _mm512_castsi512_si256(v));
    _mm256_storeu_si256((__m256i *)(void *)high, _mm512_extracti64x4_epi64(v, 1));
}

CUZK_FN_INLINE void lanes_store_4(uint8_t *const to[LANES], const lanes word[4], const size_t at)
{
    const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    __m512i s0 = _mm512_unpacklo_epi64((__m512i)word[0], (__m512i)word[1]);
    __m512i s1 = _mm512_unpackhi_epi64((__m512i)word[0], (__m512i)word[1]);
    __m512i s2 = _mm512_unpacklo_epi64((__m512i)word[2], (__m512i)word[3]);
    __m512i s3 = _mm512_unpackhi_epi64((__m512i)word[2], (__m512i)word[3]);
    lanes_store_halves(to[0] + at, to[4] + at, _mm512_permutex2var_epi64(s0, even, s2));
    lanes_store_halves(to[1] + at, to[5] + at, _mm512_permutex2var_epi64(s1, even, s3));
    lanes_store_halves(to[2] + at, to[6] + at, _mm512_permutex2var_epi64(s0, odd, s2));
    lanes_store_halves(to[3] + at, to[7] + at, _mm512_permutex2var_epi64(s1, odd, s3));
}

CUZK_FN_INLINE __m512i lanes_quarters(const uint8_t *a, const uint8_t *b, const uint8_t *c, const uint8_t *d)
{
    __m512i t = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)a));
    t = _mm512_inserti64x2(t, _mm_loadu_si128((const __m128i *)(const void *)b), 1);
    t = _mm512_inserti64x2(t, _mm_loadu_si128((const __m128i *)(const void *)c), 2);
    return _mm512_inserti64x2(t, _mm_loadu_si128((const __m128i *)(const void *)d), 3);
}

CUZK_FN_INLINE void lanes_store_quarters(uint8_t *a, uint8_t *b, uint8_t *c, uint8_t *d, __m512i v)
{
    _mm_storeu_si128((__m128i *)(void *)a, _mm512_castsi512_si128(v));
    _mm_storeu_si128((__m128i *)(void *)b, _mm512_extracti64x2_epi64(v, 1));
    _mm_storeu_si128((__m128i *)(void *)c, _mm512_extracti64x2_epi64(v, 2));
    _mm_storeu_si128((__m128i *)(void *)d, _mm512_extracti64x2_epi64(v, 3));
}

/* The same for two words. */
CUZK_FN_INLINE void lanes_load_2(lanes word[2], const uint8_t *const from[LANES], const size_t at)
{
    __m512i even = lanes_quarters(from[0] + at, from[2] + at, from[4] + at, from[6] + at);
    __m512i odd = lanes_quarters(from[1] + at, from[3] + at, from[5] + at, from[7] + at);
    word[0] = (lanes)_mm512_unpacklo_epi64(even, odd);
    word[1] = (lanes)_mm512_unpackhi_epi64(even, odd);
}

CUZK_FN_INLINE void lanes_store_2(uint8_t *const to[LANES], const lanes word[2], const size_t at)
{
    __m512i even = _mm512_unpacklo_epi64((__m512i)word[0], (__m512i)word[1]);
    __m512i odd = _mm512_unpackhi_epi64((__m512i)word[0], (__m512i)word[1]);
    lanes_store_quarters(to[0] + at, to[2] + at, to[4] + at, to[6] + at, even);
    lanes_store_quarters(to[1] + at, to[3] + at, to[5] + at, to[7] + at, odd);
}

/* n = 4 or 6 words. */
CUZK_FN_INLINE void lanes_load(lanes *word, const uint8_t *const from[LANES], const size_t at, const int n)
{
    lanes_load_4(word, from, at);
    if (n > 4)
        lanes_load_2(word + 4, from, at + 32);
}

CUZK_FN_INLINE void lanes_store(uint8_t *const to[LANES], const lanes *word, const size_t at, const int n)
{
    lanes_store_4(to, word, at);
    if (n > 4)
        lanes_store_2(to, word + 4, at + 32);
}

#endif
