/* tests/unit/math_test.h - what the tests of src/math share: seeded numbers, plain integers as the reference, and a
 * main that skips a build for instructions that this CPU lacks. */
#ifndef CUZK_MATH_TEST_H
#define CUZK_MATH_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#if defined(__ADX__) && defined(__BMI2__)
#include <cpuid.h>
#endif

#include "math/cat.h"

/* SplitMix64 (Steele, Lea, Flood 2014), the same numbers in every run. */
static uint64_t seeded_state;

CUZK_FN void seeded_start(uint64_t seed) { seeded_state = seed; }

CUZK_FN uint64_t seeded_next(void)
{
    uint64_t z = seeded_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* --- plain non-negative integers below 2^1024, one bit or one 32-bit word at a time: slow and simple on purpose --- */

#define NAT_WORDS 32

struct nat {
    uint32_t word[NAT_WORDS];
};

CUZK_FN struct nat nat_of(const uint64_t *limb, int limbs)
{
    struct nat r = { { 0 } };
    for (int i = 0; i < limbs; i++) {
        r.word[2 * i] = (uint32_t)limb[i];
        r.word[2 * i + 1] = (uint32_t)(limb[i] >> 32);
    }
    return r;
}

CUZK_FN int nat_compare(const struct nat *a, const struct nat *b)
{
    for (int i = NAT_WORDS; i-- > 0;)
        if (a->word[i] != b->word[i])
            return a->word[i] < b->word[i] ? -1 : 1;
    return 0;
}

CUZK_FN struct nat nat_add(const struct nat *a, const struct nat *b)
{
    struct nat r;
    uint64_t   carry = 0;
    for (int i = 0; i < NAT_WORDS; i++) {
        carry += (uint64_t)a->word[i] + b->word[i];
        r.word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return r;
}

CUZK_FN struct nat nat_sub(const struct nat *a, const struct nat *b)
{
    struct nat r;
    int64_t    borrow = 0;
    for (int i = 0; i < NAT_WORDS; i++) {
        borrow += (int64_t)a->word[i] - b->word[i];
        r.word[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
    return r;
}

CUZK_FN struct nat nat_mul(const struct nat *a, const struct nat *b)
{
    struct nat r = { { 0 } };
    for (int i = 0; i < NAT_WORDS; i++) {
        uint64_t carry = 0;
        for (int k = 0; a->word[i] != 0 && i + k < NAT_WORDS; k++) {
            carry += (uint64_t)a->word[i] * b->word[k] + r.word[i + k];
            r.word[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return r;
}

/* a 2^(64 limbs). */
CUZK_FN struct nat nat_shift(const struct nat *a, int limbs)
{
    struct nat r = { { 0 } };
    for (int i = 2 * limbs; i < NAT_WORDS; i++)
        r.word[i] = a->word[i - 2 * limbs];
    return r;
}

/* a mod p, bit by bit. */
CUZK_FN struct nat nat_mod(const struct nat *a, const struct nat *p)
{
    struct nat rest = { { 0 } };
    int        top = NAT_WORDS;
    while (top > 0 && a->word[top - 1] == 0)
        top--;
    for (int i = 32 * top; i-- > 0;) {
        rest = nat_add(&rest, &rest);
        rest.word[0] |= a->word[i / 32] >> (i % 32) & 1;
        if (nat_compare(&rest, p) >= 0)
            rest = nat_sub(&rest, p);
    }
    return rest;
}

/* --- the CPU that this file was compiled for --- */

CUZK_FN bool cpu_is_able(void)
{
#if defined(__ADX__) && defined(__BMI2__)
    unsigned int a, b, c, d; /* leaf 7: EBX bit 8 BMI2, bit 19 ADX; clang 14 has no __builtin_cpu_supports("adx") */
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 8 & 1) && (b >> 19 & 1);
#else
    return true;
#endif
}

/* For main: prints what TAP wants of a program without tests. */
CUZK_FN bool cpu_skips(void)
{
    if (cpu_is_able())
        return false;
    printf("1..0 # SKIP this CPU has no BMI2 and ADX\n");
    return true;
}

#endif
