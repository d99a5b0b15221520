/* math/curve.h - what other rooms see of a curve: one table of functions a curve and a CPU path.
 *
 * Elements
 *   fr        any scalar field: 4 limbs of 64 bits, little-endian, less than r.  Montgomery with R = 2^256 unless the
 *             name says canon.
 *   affine    bytes of a point as in a .zkey: x | y, each coordinate little-endian Montgomery (R = 2^256 for 32-byte
 *             fields, 2^384 for BLS12-381 Fp), G2 coordinates c0 | c1; the identity is all zero bytes.  No alignment is
 *             needed.  Size: group->affine_bytes.
 *   point     a point in XYZZ coordinates (Explicit-Formulas Database, "xyzz"), opaque; the same type for all groups.
 * All tables are constant; every function may run on any number of threads at once. */
#ifndef CUZK_MATH_CURVE_H
#define CUZK_MATH_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/pool.h"

#define FR_BYTES         32
#define FP_BYTES_MAX     48
#define AFFINE_BYTES_MAX (4 * FP_BYTES_MAX)

typedef struct { uint64_t limb[4]; } fr;
typedef struct { uint64_t limb[4 * 2 * 6]; } point;

enum curve_id { CURVE_BN254, CURVE_BLS12_381, CURVE_COUNT };
enum cpu_path { CPU_PORTABLE, CPU_ADX, CPU_IFMA, CPU_PATH_COUNT };

/* How the 2^k-th roots of unity are chosen: w_s = g^((r-1)/2^s), s the two-adicity. */
enum root_kind {
    ROOT_SNARKJS, /* g = smallest non-residue: 5, 5 */
    ROOT_GNARK,   /* g = 5 (BN254), 7 (BLS12-381): bellman, gnark, arkworks */
};

/* Scalars and results of an MSM. */
struct msm_args {
    const uint8_t *points;  /* count affine */
    const fr      *scalars; /* count */
    size_t         count;
    bool           canonical; /* scalars are canonical; false: Montgomery */
};

/* A pure function of sizes.  scratch_bytes is all the memory that msm uses. */
struct msm_plan {
    size_t   count;
    size_t   threads;
    uint32_t window_bits;
    uint32_t windows;
    size_t   scratch_bytes;
};

struct group_ops {
    size_t coordinate_bytes; /* 32, 48; twice that in G2 */
    size_t affine_bytes;     /* 2 * coordinate_bytes */

    void (*generator)(uint8_t *out_affine);
    void (*identity)(point *out);
    void (*from_affine)(point *out, const uint8_t *affine); /* affine on the curve or identity */
    void (*to_affine)(uint8_t *out_affine, const point *p);
    void (*add)(point *out, const point *a, const point *b); /* complete: any a, b; out may alias */
    void (*neg)(point *out, const point *p);
    void (*mul)(point *out, const point *p, const fr *canon); /* not constant time */
    bool (*equal)(const point *a, const point *b);
    bool (*is_identity)(const point *p);

    /* Coordinates less than p?  On the curve (identity counts)?  In the subgroup of order r (point on the curve)? */
    bool (*is_reduced)(const uint8_t *affine);
    bool (*is_on_curve)(const uint8_t *affine);
    bool (*is_in_subgroup)(const uint8_t *affine);

    /* Coordinates to and from canonical little-endian bytes, x | y, both coordinate_bytes wide.  from_canon: false if a
     * coordinate is not less than p.  The identity is all zero on both sides. */
    void (*to_canon)(uint8_t *out, const uint8_t *affine);
    bool (*from_canon)(uint8_t *out_affine, const uint8_t *canon);

    /* y with the given parity of "larger" (y > p - y, c1 first in Fp2); false if x is not on the curve or not reduced.
     * x canonical little-endian. */
    bool (*from_x)(uint8_t *out_affine, const uint8_t *x_canon, bool larger);

    /* *out = sum of scalar[i] * point[i]; identity for count 0.  scratch: plan->scratch_bytes, 64-byte aligned. */
    struct msm_plan (*msm_plan)(size_t count, size_t threads);
    void (*msm)(point *out, const struct msm_args *args, const struct msm_plan *plan, void *scratch,
                struct pool *pool);

    /* out[i] = scalar[i] * base for a fixed base; affine results.  Montgomery scalars.  Own memory; IO when short. */
    cuzk_status (*mul_fixed)(uint8_t *out_affine, const uint8_t *base_affine, const fr *scalars, size_t count,
                             struct pool *pool, struct cuzk_err *err);
};

struct fr_ops {
    fr       modulus;    /* plain limbs */
    fr       one;        /* Montgomery 1 */
    uint32_t bits;       /* of the modulus: 254, 255 */
    uint32_t two_adicity; /* 28, 32 */

    void (*add)(fr *out, const fr *a, const fr *b);
    void (*sub)(fr *out, const fr *a, const fr *b);
    void (*mul)(fr *out, const fr *a, const fr *b); /* Montgomery product a*b/R: with one canonical operand and a
                                                     * Montgomery one, the canonical product */
    void (*inv)(fr *out, const fr *a);              /* 0 -> 0 */
    void (*from_u64)(fr *out, uint64_t v);
    void (*to_mont)(fr *out, const fr *canon);
    void (*to_canon)(fr *out, const fr *mont);
    bool (*is_reduced)(const fr *a);                /* limbs < r */
    void (*random)(fr *out);                        /* uniform in [0, r), from the kernel: 512 bits reduced */
    void (*reduce_512)(fr *out, const uint8_t bytes_le[64]); /* Montgomery form of the integer mod r */

    /* Inverts every element in place, zeros stay zero; one inversion in all.  scratch: count elements. */
    void (*batch_inv)(fr *a, fr *scratch, size_t count);

    void (*root)(fr *out, enum root_kind kind, uint32_t log2); /* primitive 2^log2-th root; log2 <= two_adicity */
};

/* A domain of 2^log2 points with its twiddle tables; read only after open. */
struct ntt_domain;

struct ntt_ops {
    /* shift: the coset generator used by quotient (Montgomery).  bytes: what open allocates. */
    size_t (*domain_bytes)(uint32_t log2);
    cuzk_status (*domain_open)(struct ntt_domain **out, uint32_t log2, enum root_kind kind, struct pool *pool,
                               struct cuzk_err *err);
    void (*domain_close)(struct ntt_domain *d);

    /* In place, natural order in and out: a[i] = sum_j a[j] * w^(ij); inverse includes 1/m. */
    void (*forward)(fr *a, const struct ntt_domain *d, struct pool *pool);
    void (*inverse)(fr *a, const struct ntt_domain *d, struct pool *pool);

    /* Evaluations on the domain -> evaluations on shift * domain, for one polynomial, in place. */
    void (*to_coset)(fr *a, const struct ntt_domain *d, const fr *shift, struct pool *pool);

    /* snarkjs quotient: a, b evaluations on the domain, and with c = a b there (c is only written) afterwards a[i] =
     * (a b - c) on the i-th point of the coset by the primitive 2m-th root (the smallest non-residue squared, 25, where
     * log2 is the two-adicity), canonical form; b and c are destroyed. */
    void (*quotient_snarkjs)(fr *a, fr *b, fr *c, const struct ntt_domain *d, struct pool *pool);
};

/* A sparse matrix by rows, values from a dictionary of distinct coefficients. */
struct sparse {
    uint32_t        rows;
    const uint64_t *row_start; /* rows + 1 */
    const uint32_t *column;    /* entries */
    const uint32_t *value;     /* entries: index in the dictionary */
    const fr       *dictionary; /* [0] = 1, [1] = -1, then the rest; each R^2 * v (double Montgomery) */
    uint32_t        dictionary_count;
};

struct pairing_ops {
    /* product over i of e(g1[i], g2[i]) == 1 in GT.  Affine points in the subgroup; identities are allowed. */
    bool (*product_is_one)(const uint8_t *g1, const uint8_t *g2, size_t count);
    /* e(g1, g2)^k with the fixed k, prime to r, that snarkjs and @noble/curves have too (pairing_tmpl.h), as 12 canonical
     * coordinates, little-endian, in the order of snarkjs' vk_alphabeta_12: [c0: [a0 a1 a2], c1: [..]] with each
     * a = (c0, c1). */
    void (*pair)(uint8_t *out, const uint8_t *g1, const uint8_t *g2);
};

struct curve {
    enum curve_id id;
    enum cpu_path path;
    const char   *name;          /* "bn254", "bls12-381" */
    const char   *name_snarkjs;  /* "bn128", "bls12381" */
    uint32_t      fp_bytes;      /* 32, 48 */
    uint8_t       fp_modulus[FP_BYTES_MAX]; /* little-endian */
    struct fr_ops      fr;
    struct group_ops   g1, g2;
    struct ntt_ops     ntt;
    struct pairing_ops pairing;

    /* out[i] = sum over row i of value * w[column], Montgomery; w canonical.  Rows [rows, out_count) become 0. */
    void (*sparse_mul)(fr *out, size_t out_count, const struct sparse *m, const fr *w_canon, struct pool *pool);
};

/* The best path this CPU has.  In builds with -Dtest_hooks the environment variable CUZK_CPU (portable, adx, ifma) forces
 * one. */
const struct curve *curve_get(enum curve_id id);

/* One path; NULL if this CPU lacks it. */
const struct curve *curve_get_path(enum curve_id id, enum cpu_path path);
const char         *cpu_path_name(enum cpu_path path);

/* The curve whose scalar field has this modulus (32 bytes little-endian); NULL if none. */
const struct curve *curve_by_fr_modulus(const uint8_t modulus_le[FR_BYTES]);

/* By either name, any case and punctuation ("BN128", "alt_bn128", "BLS12-381", "bls12381"); NULL if none. */
const struct curve *curve_by_name(const char *name);

#endif
