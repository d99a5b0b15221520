/* groth16/key.h - proving keys and verifying keys. */
#ifndef CUZK_GROTH16_KEY_H
#define CUZK_GROTH16_KEY_H

#include "base/file.h"
#include "circuit/matrices.h"
#include "math/curve.h"

#define VK_PUBLICS_MAX (1u << 24)

/* Points are affine bytes (math/curve.h), borrowed from the key's map or owned by the vk. */
struct vk {
    const struct curve *curve;
    uint32_t            publics;
    uint8_t alpha1[AFFINE_BYTES_MAX / 2], beta2[AFFINE_BYTES_MAX], gamma2[AFFINE_BYTES_MAX], delta2[AFFINE_BYTES_MAX];
    const uint8_t *ic;       /* publics + 1 points of G1 */
    uint8_t       *ic_owned; /* NULL, or what ic points to */
};

/* A Groth16 proving key of an iden3 .zkey, mapped. */
struct key {
    struct file_map     map;
    const struct curve *curve;
    uint32_t            wires, publics, domain_log2;
    uint32_t            constraints;  /* highest row used, less the public rows */
    uint64_t            coefficients; /* entries of section 4 */
    uint8_t             beta1[AFFINE_BYTES_MAX / 2], delta1[AFFINE_BYTES_MAX / 2];
    struct vk           vk;
    struct matrices     matrices;
    const uint8_t      *a, *b1, *b2; /* wires points */
    const uint8_t      *c;           /* wires - publics - 1 */
    const uint8_t      *h;           /* domain */
    bool                forgeable;   /* gamma2 == delta2: no ceremony, anyone can forge */
    bool                development; /* made by `cuzk setup`: section 10 says so */
    uint32_t            contributions; /* of section 10; 0 if absent */
};

/* Opens a .zkey and makes every check that costs no pass over the points: sections and their sizes, header, matrices.
 * The points of the header (alpha, beta, gamma, delta) are checked in full, subgroup included; gamma2, delta2 not the
 * identity.  path must outlive the key.  A key of 2^20 constraints opens in well under a second. */
cuzk_status key_open(struct key *out, const char *path, struct cuzk_err *err);
void        key_close(struct key *k);

/* What a key will take, from its header alone: reads a few hundred bytes, checks no point of the sections.  host_bytes:
 * the map and the most that the matrices can need. */
struct key_sizes {
    const struct curve *curve;
    uint32_t            wires, publics, domain_log2;
    uint64_t            host_bytes;
};
cuzk_status key_sizes_read(struct key_sizes *out, const char *path, struct cuzk_err *err);
/* The same of an open key; host_bytes is what it has taken. */
void key_sizes_of(struct key_sizes *out, const struct key *k);

/* Every point reduced and on its curve, in parallel; with subgroup also in the subgroup.  The first bad point in err. */
cuzk_status key_check_points(const struct key *k, bool subgroup, struct pool *pool, struct cuzk_err *err);

/* key_check_points without subgroup, skipped (*skipped) if a record under the user's cache folder says that a file with
 * this identity, or with this SHA-256, has passed before.  A cache that cannot be read or written is no error. */
cuzk_status key_check_points_once(const struct key *k, struct pool *pool, bool *skipped, struct cuzk_err *err);

/* What pairings can tell: beta1 and beta2, delta1 and delta2, and all of B1 and B2 (one random combination) belong
 * together.  Points checked before, subgroup included. */
cuzk_status key_check_relations(const struct key *k, struct pool *pool, struct cuzk_err *err);

void vk_free(struct vk *vk);

#endif
