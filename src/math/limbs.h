/* math/limbs.h - numbers of 64-bit limbs: sums, and Montgomery rows in portable C or with MULX/ADCX/ADOX.
 *
 * limbs_montgomery_N(t, a, b, p, n0): t = a b / 2^(64 N) mod p, below 2p.   p < 2^(64 N - 1), b < p, n0 = -1/p mod 2^64;
 * a is any value.  Row i adds a[i] b, then m p with m = t[0] n0, and drops one limb: with t < 2p + b before,
 * (t + (2^64 - 1)(b + p)) / 2^64 < 2p after, so that a row needs one limb above N and leaves none ("CIOS", Koc, Acar,
 * Kaliski 1996; without the second carry limb, since p has a spare bit). */
#ifndef CUZK_MATH_LIMBS_H
#define CUZK_MATH_LIMBS_H

#include <stdint.h>

#include "math/cat.h"

__extension__ typedef unsigned __int128 uint128;

/* r = a + b; returns the carry. */
CUZK_FN uint64_t limbs_add(uint64_t *r, const uint64_t *a, const uint64_t *b, int n)
{
    unsigned char carry = 0;
    UNROLL for (int i = 0; i < n; i++) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
        unsigned long long sum;
        carry = __builtin_ia32_addcarryx_u64(carry, a[i], b[i], &sum);
        r[i] = sum;
#else
        uint128 sum = (uint128)a[i] + b[i] + carry;
        r[i] = (uint64_t)sum;
        carry = (unsigned char)(sum >> 64);
#endif
    }
    return carry;
}

/* r = a - b; returns the borrow. */
CUZK_FN uint64_t limbs_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, int n)
{
    unsigned char borrow = 0;
    UNROLL for (int i = 0; i < n; i++) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
        unsigned long long rest;
        borrow = __builtin_ia32_sbb_u64(borrow, a[i], b[i], &rest);
        r[i] = rest;
#else
        uint128 rest = (uint128)a[i] - b[i] - borrow;
        r[i] = (uint64_t)rest;
        borrow = (unsigned char)((uint64_t)(rest >> 64) & 1);
#endif
    }
    return borrow;
}

/* t + a b + carry_in as (carry, low): never more than 2^128 - 1. */
CUZK_FN uint64_t limb_mul_add(uint64_t *carry, uint64_t t, uint64_t a, uint64_t b)
{
    uint128 sum = (uint128)a * b + t + *carry;
    *carry = (uint64_t)(sum >> 64);
    return (uint64_t)sum;
}

CUZK_FN void limbs_montgomery_portable(uint64_t *t, const uint64_t *a, const uint64_t *b, const uint64_t *p,
                                       uint64_t n0, const int n)
{
    uint64_t acc[9] = { 0 };
    UNROLL for (int i = 0; i < n; i++) {
        uint64_t carry = 0;
        UNROLL for (int j = 0; j < n; j++)
            acc[j] = limb_mul_add(&carry, acc[j], a[i], b[j]);
        acc[n] = carry;
        uint64_t m = acc[0] * n0;
        carry = 0;
        (void)limb_mul_add(&carry, acc[0], m, p[0]);
        UNROLL for (int j = 1; j < n; j++)
            acc[j - 1] = limb_mul_add(&carry, acc[j], m, p[j]);
        acc[n - 1] = acc[n] + carry;
    }
    UNROLL for (int j = 0; j < n; j++)
        t[j] = acc[j];
}

CUZK_FN void limbs_montgomery_1(uint64_t t[1], const uint64_t a[1], const uint64_t b[1], const uint64_t p[1],
                                uint64_t n0)
{
    limbs_montgomery_portable(t, a, b, p, n0, 1);
}

#if defined(__ADX__) && defined(__BMI2__)

/* One row: the carry chains of the low halves (CF, adcx) and of the high halves (OF, adox) run side by side.  In the
 * first half t[N] is the top limb; in the second each sum is written one limb down.  rdx: a[i], then m. */
#define ROW_FIRST "xorl %k[lo], %k[lo]\n\t"
#define ROW_MUL(off, j, k)                                          \
    "mulxq " off "(%[b]), %[lo], %[hi]\n\t adcxq %[lo], %[t" j "]\n\t" \
    "adoxq %[hi], %[t" k "]\n\t"
#define ROW_MUL_TOP(off, j, k)                                       \
    "mulxq " off "(%[b]), %[lo], %[t" k "]\n\t adcxq %[lo], %[t" j "]\n\t" \
    "movl $0, %k[lo]\n\t adoxq %[lo], %[t" k "]\n\t adcxq %[lo], %[t" k "]\n\t"
#define ROW_RED_FIRST                                                     \
    "movq %[n0], %%rdx\n\t imulq %[t0], %%rdx\n\t xorl %k[lo], %k[lo]\n\t" \
    "mulxq (%[p]), %[lo], %[hi]\n\t adcxq %[t0], %[lo]\n\t movq %[hi], %[t0]\n\t"
#define ROW_RED(off, i, j)                                             \
    "adcxq %[t" j "], %[t" i "]\n\t mulxq " off "(%[p]), %[lo], %[t" j "]\n\t" \
    "adoxq %[lo], %[t" i "]\n\t"
#define ROW_RED_TOP(j, k) "movl $0, %k[lo]\n\t adcxq %[lo], %[t" j "]\n\t adoxq %[t" k "], %[t" j "]\n\t"

CUZK_FN void limbs_montgomery_4(uint64_t t[4], const uint64_t a[4], const uint64_t b[4], const uint64_t p[4],
                                uint64_t n0)
{
    uint64_t t0 = 0, t1 = 0, t2 = 0, t3 = 0, t4, lo, hi;
    UNROLL for (int i = 0; i < 4; i++) {
        uint64_t d = a[i];
        __asm__(ROW_FIRST ROW_MUL("0", "0", "1") ROW_MUL("8", "1", "2") ROW_MUL("16", "2", "3")
                    ROW_MUL_TOP("24", "3", "4") ROW_RED_FIRST ROW_RED("8", "0", "1") ROW_RED("16", "1", "2")
                        ROW_RED("24", "2", "3") ROW_RED_TOP("3", "4")
                : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [t4] "=&r"(t4), [lo] "=&r"(lo),
                  [hi] "=&r"(hi), [d] "+&d"(d)
                : [b] "r"(b), [p] "r"(p), [n0] "rm"(n0), "m"(*(const uint64_t(*)[4])b),
                  "m"(*(const uint64_t(*)[4])p)
                : "cc");
    }
    t[0] = t0, t[1] = t1, t[2] = t2, t[3] = t3;
}

CUZK_FN void limbs_montgomery_6(uint64_t t[6], const uint64_t a[6], const uint64_t b[6], const uint64_t p[6],
                                uint64_t n0)
{
    uint64_t t0 = 0, t1 = 0, t2 = 0, t3 = 0, t4 = 0, t5 = 0, t6, lo, hi;
    UNROLL for (int i = 0; i < 6; i++) {
        uint64_t d = a[i];
        __asm__(ROW_FIRST ROW_MUL("0", "0", "1") ROW_MUL("8", "1", "2") ROW_MUL("16", "2", "3")
                    ROW_MUL("24", "3", "4") ROW_MUL("32", "4", "5") ROW_MUL_TOP("40", "5", "6") ROW_RED_FIRST
                        ROW_RED("8", "0", "1") ROW_RED("16", "1", "2") ROW_RED("24", "2", "3") ROW_RED("32", "3", "4")
                            ROW_RED("40", "4", "5") ROW_RED_TOP("5", "6")
                : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [t4] "+&r"(t4), [t5] "+&r"(t5),
                  [t6] "=&r"(t6), [lo] "=&r"(lo), [hi] "=&r"(hi), [d] "+&d"(d)
                : [b] "r"(b), [p] "r"(p), [n0] "m"(n0), "m"(*(const uint64_t(*)[6])b),
                  "m"(*(const uint64_t(*)[6])p)
                : "cc");
    }
    t[0] = t0, t[1] = t1, t[2] = t2, t[3] = t3, t[4] = t4, t[5] = t5;
}

#else

CUZK_FN void limbs_montgomery_4(uint64_t t[4], const uint64_t a[4], const uint64_t b[4], const uint64_t p[4],
                                uint64_t n0)
{
    limbs_montgomery_portable(t, a, b, p, n0, 4);
}

CUZK_FN void limbs_montgomery_6(uint64_t t[6], const uint64_t a[6], const uint64_t b[6], const uint64_t p[6],
                                uint64_t n0)
{
    limbs_montgomery_portable(t, a, b, p, n0, 6);
}

#endif

#endif
