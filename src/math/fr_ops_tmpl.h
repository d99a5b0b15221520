/* math/fr_ops_tmpl.h - struct fr_ops of one scalar field.
 * In      F_NAME, a field of field_tmpl.h made with F_TYPE fr, constants ROOT_SNARKJS, ROOT_GNARK
 * Out     functions that FR_OPS below lists */
#include "base/mem.h"
#include "math/cat.h"

#ifndef FR_OPS
#define FR_OPS(field)                                                                                         \
    {                                                                                                         \
        .modulus = { CAT(field, _MOD_LIMBS) }, .one = { CAT(field, _ONE_LIMBS) },                             \
        .bits = CAT(field, _BITS), .two_adicity = CAT(field, _TWO_ADICITY), .add = CAT(field, _op_add),       \
        .sub = CAT(field, _op_sub), .mul = CAT(field, _op_mul), .inv = CAT(field, _op_inv),                   \
        .from_u64 = CAT(field, _op_from_u64), .to_mont = CAT(field, _op_to_mont),                             \
        .to_canon = CAT(field, _op_to_canon), .is_reduced = CAT(field, _op_is_reduced),                       \
        .random = CAT(field, _op_random), .reduce_512 = CAT(field, _op_reduce_512),                           \
        .batch_inv = CAT(field, _op_batch_inv), .root = CAT(field, _op_root),                                 \
    }
#endif

#define F(name) CAT3(F_NAME, _, name)

static void F(op_add)(fr *r, const fr *a, const fr *b) { F(add)(r, a, b); }
static void F(op_sub)(fr *r, const fr *a, const fr *b) { F(sub)(r, a, b); }
static void F(op_mul)(fr *r, const fr *a, const fr *b) { F(mul)(r, a, b); }
static void F(op_inv)(fr *r, const fr *a) { F(inv)(r, a); }
static void F(op_from_u64)(fr *r, uint64_t v) { F(from_u64)(r, v); }
static void F(op_to_mont)(fr *r, const fr *canon) { F(to_mont)(r, canon); }
static void F(op_to_canon)(fr *r, const fr *mont) { F(to_canon)(r, mont); }
static bool F(op_is_reduced)(const fr *a) { return F(is_reduced)(a); }
static void F(op_batch_inv)(fr *a, fr *scratch, size_t count) { F(batch_inv)(a, scratch, count); }

/* low + high 2^256: the Montgomery forms are low R^2 / R and high R^3 / R with R = 2^256. */
static void F(op_reduce_512)(fr *r, const uint8_t bytes_le[64])
{
    fr low, high, r2, r3;
    memcpy(&low, bytes_le, sizeof low);
    memcpy(&high, bytes_le + sizeof low, sizeof high);
    memcpy(&r2, F(R2), sizeof r2);
    memcpy(&r3, F(R3), sizeof r3);
    F(mul)(&low, &low, &r2);
    F(mul)(&high, &high, &r3);
    F(add)(r, &low, &high);
}

/* 512 random bits: the distance from uniform is below 2^-256. */
static void F(op_random)(fr *r)
{
    uint8_t bytes[64];
    random_bytes(bytes, sizeof bytes);
    F(op_reduce_512)(r, bytes);
    mem_wipe(bytes, sizeof bytes);
}

static void F(op_root)(fr *r, enum root_kind kind, uint32_t log2)
{
    cuzk_check(log2 <= F(TWO_ADICITY));
    memcpy(r, kind == ROOT_SNARKJS ? F(ROOT_SNARKJS) : F(ROOT_GNARK), sizeof *r);
    for (uint32_t k = F(TWO_ADICITY); k > log2; k--)
        F(sqr)(r, r);
}

#undef F_NAME
#undef F
