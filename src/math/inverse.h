/* math/inverse.h - the inverse modulo an odd number, in a small part of the time of a power.  Time depends on
 * the value.
 *
 * The division steps of Bernstein and Yang ("Fast constant-time gcd computation and modular inversion", TCHES 2019), in
 * the variable-time form of Wuille and Dettman (libsecp256k1, doc/safegcd_implementation.md): 62 steps on the low words
 * of f and g give a matrix t / 2^62, which is then applied to f, g and, modulo p, to d, e with d x = f, e x = g. */
#ifndef CUZK_MATH_INVERSE_H
#define CUZK_MATH_INVERSE_H

#include <stdbool.h>
#include <string.h>

#include "math/cat.h"
#include "math/limbs.h"

__extension__ typedef __int128 int128;

#define STEP_BITS        62
#define STEP_MASK        (UINT64_MAX >> 2)
#define STEP_LIMBS_MAX   7 /* 384 bits: 62 * 6 = 372 < 381, and a sign */
#define STEP_LIMBS(words) ((64 * (words) + 1 + STEP_BITS - 1) / STEP_BITS)

/* Signed limbs of 62 bits; the last one holds the sign. */
struct steps_number { int64_t limb[STEP_LIMBS_MAX + 1]; };

/* (f, g) -> (u f + v g, q f + r g) / 2^62. */
struct steps_matrix { int64_t u, v, q, r; };

CUZK_FN int64_t steps_run(struct steps_matrix *t, int64_t eta, uint64_t f, uint64_t g)
{
    uint64_t u = 1, v = 0, q = 0, r = 1, swap, mask, w;
    int left = STEP_BITS;
    for (;;) {
        int zeros = __builtin_ctzll(g | UINT64_MAX << left);
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= zeros;
        left -= zeros;
        if (left == 0)
            break;
        bool exchange = eta < 0;
        if (exchange) {
            eta = -eta;
            swap = f, f = g, g = 0 - swap;
            swap = u, u = q, q = 0 - swap;
            swap = v, v = r, r = 0 - swap;
        }
        /* w f + g = 0 modulo as many bits as may be cleared at once: up to 6 after an exchange, else 4. */
        int limit = (int)eta + 1 > left ? left : (int)eta + 1;
        mask = UINT64_MAX >> (64 - limit) & (exchange ? 63 : 15);
        w = (exchange ? f * g * (f * f - 2) : 0 - (f + (((f + 1) & 4) << 1)) * g) & mask;
        g += f * w;
        q += u * w;
        r += v * w;
    }
    *t = (struct steps_matrix){ (int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r };
    return eta;
}

CUZK_FN void steps_apply(struct steps_number *f, struct steps_number *g, const struct steps_matrix *t, int limbs)
{
    int128 cf = 0, cg = 0;
    for (int i = 0; i < limbs; i++) {
        int64_t fi = f->limb[i], gi = g->limb[i];
        cf += (int128)t->u * fi + (int128)t->v * gi;
        cg += (int128)t->q * fi + (int128)t->r * gi;
        if (i > 0) {
            f->limb[i - 1] = (int64_t)((uint64_t)cf & STEP_MASK);
            g->limb[i - 1] = (int64_t)((uint64_t)cg & STEP_MASK);
        }
        cf >>= STEP_BITS;
        cg >>= STEP_BITS;
    }
    f->limb[limbs - 1] = (int64_t)cf;
    g->limb[limbs - 1] = (int64_t)cg;
}

/* The same modulo p: multiples of p make the low 62 bits zero.  d, e in (-2 p, p) before and after. */
CUZK_FN void steps_apply_mod(struct steps_number *d, struct steps_number *e, const struct steps_matrix *t,
                             const struct steps_number *p, uint64_t p_inverse, const int limbs)
{
    int64_t sd = d->limb[limbs - 1] >> 63, se = e->limb[limbs - 1] >> 63;
    int64_t md = (t->u & sd) + (t->v & se), me = (t->q & sd) + (t->r & se);
    int128 cd = (int128)t->u * d->limb[0] + (int128)t->v * e->limb[0];
    int128 ce = (int128)t->q * d->limb[0] + (int128)t->r * e->limb[0];
    md -= (int64_t)((p_inverse * (uint64_t)cd + (uint64_t)md) & STEP_MASK);
    me -= (int64_t)((p_inverse * (uint64_t)ce + (uint64_t)me) & STEP_MASK);
    cd = (cd + (int128)p->limb[0] * md) >> STEP_BITS;
    ce = (ce + (int128)p->limb[0] * me) >> STEP_BITS;
    UNROLL for (int i = 1; i < limbs; i++) {
        int64_t di = d->limb[i], ei = e->limb[i];
        cd += (int128)t->u * di + (int128)t->v * ei + (int128)p->limb[i] * md;
        ce += (int128)t->q * di + (int128)t->r * ei + (int128)p->limb[i] * me;
        d->limb[i - 1] = (int64_t)((uint64_t)cd & STEP_MASK);
        e->limb[i - 1] = (int64_t)((uint64_t)ce & STEP_MASK);
        cd >>= STEP_BITS;
        ce >>= STEP_BITS;
    }
    d->limb[limbs - 1] = (int64_t)cd;
    e->limb[limbs - 1] = (int64_t)ce;
}

/* d = sign d + n p with carries; |n| <= 1. */
CUZK_FN void steps_fix(struct steps_number *d, bool negate, bool add, const struct steps_number *p, int limbs)
{
    int64_t carry = 0;
    for (int i = 0; i < limbs; i++) {
        int64_t x = (negate ? -d->limb[i] : d->limb[i]) + (add ? p->limb[i] : 0) + carry;
        carry = x >> STEP_BITS;
        d->limb[i] = i + 1 < limbs ? (int64_t)((uint64_t)x & STEP_MASK) : x;
    }
}

CUZK_FN void steps_from_words(struct steps_number *r, const uint64_t *a, int words, int limbs)
{
    memset(r, 0, sizeof *r);
    for (int i = 0; i < limbs; i++) {
        int at = STEP_BITS * i / 64, shift = STEP_BITS * i % 64;
        uint64_t x = at < words ? a[at] >> shift : 0;
        if (shift > 2 && at + 1 < words)
            x |= a[at + 1] << (64 - shift);
        r->limb[i] = (int64_t)(x & STEP_MASK);
    }
}

/* r = 1/a mod p, 0 for 0; a < p of `words` words, p < 2^(64 words - 1) prime, n0 = -1/p mod 2^64.  r may be a. */
CUZK_FN void limbs_inverse(uint64_t *r, const uint64_t *a, const uint64_t *p, uint64_t n0, const int words)
{
    const int limbs = STEP_LIMBS(words);
    struct steps_number d = { { 0 } }, e = { { 1 } }, f, g, mod;
    int64_t eta = -1;
    int used = limbs;
    steps_from_words(&mod, p, words, limbs);
    steps_from_words(&g, a, words, limbs);
    f = mod;
    for (;;) {
        struct steps_matrix t;
        uint64_t any = 0;
        eta = steps_run(&t, eta, (uint64_t)f.limb[0] | (uint64_t)f.limb[1] << STEP_BITS,
                        (uint64_t)g.limb[0] | (uint64_t)g.limb[1] << STEP_BITS);
        steps_apply_mod(&d, &e, &t, &mod, 0 - n0, limbs);
        steps_apply(&f, &g, &t, used);
        for (int i = 0; i < used; i++)
            any |= (uint64_t)g.limb[i];
        if (any == 0)
            break;
        int64_t fn = f.limb[used - 1], gn = g.limb[used - 1];
        if (used > 2 && (fn ^ fn >> 63) == 0 && (gn ^ gn >> 63) == 0) { /* the last limbs are signs only */
            f.limb[used - 2] |= (int64_t)((uint64_t)fn << STEP_BITS);
            g.limb[used - 2] |= (int64_t)((uint64_t)gn << STEP_BITS);
            used--;
        }
    }
    steps_fix(&d, false, d.limb[limbs - 1] < 0, &mod, limbs);        /* (-p, p) */
    steps_fix(&d, f.limb[used - 1] < 0, false, &mod, limbs);         /* f = 1 or -1 */
    steps_fix(&d, false, d.limb[limbs - 1] < 0, &mod, limbs);        /* [0, p) */
    for (int k = 0; k < words; k++) {
        int at = 64 * k / STEP_BITS, shift = 64 * k % STEP_BITS;
        r[k] = (uint64_t)d.limb[at] >> shift;
        if (at + 1 < limbs)
            r[k] |= (uint64_t)d.limb[at + 1] << (STEP_BITS - shift);
    }
}

#endif
