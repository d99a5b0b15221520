/* math/field_tmpl.h - a prime field in Montgomery form.  No include guard: each inclusion makes one field.
 * In      F_NAME, F_LIMBS (64-bit), constants F_NAME_MOD .. of tools/gen_constants.py; F_TYPE: an existing struct with
 *         member limb[F_LIMBS] to use as the element, else one is made.
 * Bounds  every value lives in [0, p), and p < 2^(64 F_LIMBS - 1): no sum of two values carries out.
 * Alias   r may be a or b everywhere. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/check.h"
#include "math/cat.h"
#include "math/inverse.h"
#include "math/limbs.h"

#define F(name) CAT3(F_NAME, _, name)

#ifdef F_TYPE
typedef F_TYPE F_NAME;
#else
typedef struct { uint64_t limb[F_LIMBS]; } F_NAME;
#endif

CUZK_FN bool F(is_zero)(const F_NAME *a)
{
    uint64_t any = 0;
    UNROLL for (int i = 0; i < F_LIMBS; i++)
        any |= a->limb[i];
    return any == 0;
}

CUZK_FN bool F(eq)(const F_NAME *a, const F_NAME *b)
{
    uint64_t any = 0;
    UNROLL for (int i = 0; i < F_LIMBS; i++)
        any |= a->limb[i] ^ b->limb[i];
    return any == 0;
}

/* a < p as plain limbs. */
CUZK_FN bool F(is_reduced)(const F_NAME *a)
{
    uint64_t rest[F_LIMBS];
    return limbs_sub(rest, a->limb, F(MOD), F_LIMBS) != 0;
}

CUZK_FN void F(set_zero)(F_NAME *r) { memset(r, 0, sizeof *r); }
CUZK_FN void F(set_one)(F_NAME *r) { memcpy(r->limb, F(ONE), sizeof *r); }

/* Little-endian bytes of the Montgomery limbs, any alignment. */
CUZK_FN void F(load)(F_NAME *r, const uint8_t *bytes) { memcpy(r, bytes, sizeof *r); }
CUZK_FN void F(store)(uint8_t *bytes, const F_NAME *a) { memcpy(bytes, a, sizeof *a); }

/* r = t if t < p, else t - p; t < 2p. */
CUZK_FN void F(reduce_once)(F_NAME *r, const uint64_t t[F_LIMBS])
{
    uint64_t less[F_LIMBS];
    uint64_t keep = 0 - limbs_sub(less, t, F(MOD), F_LIMBS);
    UNROLL for (int i = 0; i < F_LIMBS; i++)
        r->limb[i] = (t[i] & keep) | (less[i] & ~keep);
}

CUZK_FN void F(add)(F_NAME *r, const F_NAME *a, const F_NAME *b)
{
    uint64_t t[F_LIMBS];
    CUZK_VERIFY(F(is_reduced)(a) && F(is_reduced)(b));
    limbs_add(t, a->limb, b->limb, F_LIMBS); /* < 2p: no carry out */
    F(reduce_once)(r, t);
}

CUZK_FN void F(dbl)(F_NAME *r, const F_NAME *a) { F(add)(r, a, a); }

CUZK_FN void F(sub)(F_NAME *r, const F_NAME *a, const F_NAME *b)
{
    uint64_t t[F_LIMBS], back[F_LIMBS];
    CUZK_VERIFY(F(is_reduced)(a) && F(is_reduced)(b));
    uint64_t borrow = 0 - limbs_sub(t, a->limb, b->limb, F_LIMBS);
    UNROLL for (int i = 0; i < F_LIMBS; i++)
        back[i] = F(MOD)[i] & borrow;
    limbs_add(r->limb, t, back, F_LIMBS);
}

CUZK_FN void F(neg)(F_NAME *r, const F_NAME *a)
{
    F_NAME zero = { { 0 } };
    F(sub)(r, &zero, a);
}

/* r = a b / R mod p.  a may be any value of F_LIMBS limbs, b < p: the row sums stay below 2p + b (limbs.h). */
CUZK_FN void F(mul)(F_NAME *r, const F_NAME *a, const F_NAME *b)
{
    uint64_t t[F_LIMBS];
    CUZK_VERIFY(F(is_reduced)(b));
    CAT(limbs_montgomery_, F_LIMBS)(t, a->limb, b->limb, F(MOD), F(N0));
    F(reduce_once)(r, t);
}

CUZK_FN void F(sqr)(F_NAME *r, const F_NAME *a) { F(mul)(r, a, a); }

CUZK_FN void F(to_mont)(F_NAME *r, const F_NAME *canon)
{
    F_NAME r2;
    memcpy(r2.limb, F(R2), sizeof r2);
    F(mul)(r, canon, &r2); /* also right for canon >= p */
}

CUZK_FN void F(to_canon)(F_NAME *r, const F_NAME *mont)
{
    F_NAME one = { { 1 } };
    F(mul)(r, mont, &one);
}

CUZK_FN void F(from_u64)(F_NAME *r, uint64_t v)
{
    F_NAME t = { { v } };
    F(to_mont)(r, &t);
}

/* r = a^e, e of `limbs` 64-bit limbs; variable time in e.  Windows of four bits from the top. */
CUZK_FN_NOINLINE void F(pow)(F_NAME *r, const F_NAME *a, const uint64_t *e, size_t limbs)
{
    F_NAME table[16], t;
    F(set_one)(&table[0]);
    for (int i = 1; i < 16; i++)
        F(mul)(&table[i], &table[i - 1], a);
    F(set_one)(&t);
    for (size_t i = 16 * limbs; i-- > 0;) {
        for (int k = 0; k < 4; k++)
            F(sqr)(&t, &t);
        uint64_t digit = e[i / 16] >> (4 * (i % 16)) & 15;
        if (digit != 0)
            F(mul)(&t, &t, &table[digit]);
    }
    *r = t;
}

/* r = 1/a, 0 for 0; time depends on a.  a stands for x R: 1/(x R) R^3 / R = 1/x R.  Callers with many values use
 * batch_inv. */
CUZK_FN void F(inv)(F_NAME *r, const F_NAME *a)
{
    F_NAME cube;
    memcpy(&cube, F(R3), sizeof cube);
    limbs_inverse(r->limb, a->limb, F(MOD), F(N0), F_LIMBS);
    F(mul)(r, r, &cube);
}

/* a[i] = 1/a[i] for every i, zeros stay zero (Montgomery 1987: 3 products an element and one inversion).
 * scratch: count elements. */
CUZK_FN void F(batch_inv)(F_NAME *a, F_NAME *scratch, size_t count)
{
    F_NAME product, inverse;
    F(set_one)(&product);
    for (size_t i = 0; i < count; i++) {
        scratch[i] = product;
        if (!F(is_zero)(&a[i]))
            F(mul)(&product, &product, &a[i]);
    }
    F(inv)(&inverse, &product);
    for (size_t i = count; i-- > 0;) {
        F_NAME value = a[i];
        if (F(is_zero)(&value))
            continue;
        F(mul)(&a[i], &inverse, &scratch[i]);
        F(mul)(&inverse, &inverse, &value);
    }
}

#undef F_NAME
#undef F_LIMBS
#undef F_TYPE
#undef F
