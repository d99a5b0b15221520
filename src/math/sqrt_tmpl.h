/* math/sqrt_tmpl.h - square roots in a prime field, p = 3 mod 4.  Adds to a field of field_tmpl.h.
 * In      F_NAME, constants MOD, SQRT_EXP = (p + 1)/4, HALF_EXP = (p - 1)/2
 * Alias   r may be a. */
#include "math/cat.h"

#define F(name) CAT3(F_NAME, _, name)

/* r = a^((p+1)/4), whose square is a or -a.  False, and r not to be used, if a is no square. */
CUZK_FN bool F(sqrt)(F_NAME *r, const F_NAME *a)
{
    F_NAME value = *a, square;
    F(pow)(r, &value, F(SQRT_EXP), sizeof value / sizeof value.limb[0]);
    F(sqr)(&square, r);
    return F(eq)(&square, &value);
}

/* a > p - a as canonical integers, that is a > (p-1)/2. */
CUZK_FN bool F(is_larger)(const F_NAME *a)
{
    F_NAME canon;
    F(to_canon)(&canon, a);
    uint64_t rest[sizeof canon / sizeof canon.limb[0]];
    return limbs_sub(rest, F(HALF_EXP), canon.limb, sizeof canon / sizeof canon.limb[0]) != 0;
}

/* r = a/2: an odd representative becomes even by p, which is odd; the sum has no carry (p < 2^(bits - 1)). */
CUZK_FN void F(half)(F_NAME *r, const F_NAME *a)
{
    const int limbs = sizeof a->limb / sizeof a->limb[0];
    uint64_t  t[sizeof a->limb / sizeof a->limb[0]], add[sizeof a->limb / sizeof a->limb[0]];
    uint64_t  odd = 0 - (a->limb[0] & 1);
    for (int i = 0; i < limbs; i++)
        add[i] = F(MOD)[i] & odd;
    limbs_add(t, a->limb, add, limbs);
    for (int i = 0; i < limbs; i++)
        r->limb[i] = t[i] >> 1 | (i + 1 < limbs ? t[i + 1] << 63 : 0);
}

#undef F_NAME
#undef F
