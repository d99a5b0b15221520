/* groth16/proof.h - a proof, and its verification. */
#ifndef CUZK_GROTH16_PROOF_H
#define CUZK_GROTH16_PROOF_H

#include "groth16/key.h"

struct proof {
    uint8_t a[AFFINE_BYTES_MAX / 2], b[AFFINE_BYTES_MAX], c[AFFINE_BYTES_MAX / 2]; /* affine */
};

/* e(A, B) = e(alpha, beta) * e(sum publics[i] * IC[i+1] + IC[0], gamma) * e(C, delta)?
 * publics: vk->publics canonical values.  Points of vk and proof are in the subgroup (readers and provers see to it). */
bool groth16_verify(const struct vk *vk, const struct proof *proof, const fr *publics, struct pool *pool);

#endif
