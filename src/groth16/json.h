/* groth16/json.h - snarkjs' proof.json, public.json and verification_key.json. */
#ifndef CUZK_GROTH16_JSON_H
#define CUZK_GROTH16_JSON_H

#include "groth16/key.h"
#include "groth16/proof.h"

/* Readers: whole text in memory (NUL-terminated); decimal strings only, canonical, below the modulus; points checked to
 * be on the curve and in the subgroup; "curve" may be missing in a proof (then the curve of vk), unknown members are
 * ignored, doubled members refused. role is for errors: "proof", "public", "vk". */
cuzk_status vk_from_json(struct vk *out, const char *text, const char *path, struct cuzk_err *err);
cuzk_status proof_from_json(struct proof *out, const struct curve *curve, const char *text, const char *path,
                            struct cuzk_err *err);
/* *out: count canonical values, mem_free. */
cuzk_status public_from_json(fr **out, size_t *count, const struct curve *curve, const char *text, const char *path,
                             struct cuzk_err *err);

/* Writers: text as snarkjs writes it (one space of indentation); heap string, mem_free.  CUZK_E_IO when memory is short. */
cuzk_status vk_to_json(char **out, const struct vk *vk, struct cuzk_err *err);
cuzk_status proof_to_json(char **out, const struct curve *curve, const struct proof *p, struct cuzk_err *err);
cuzk_status public_to_json(char **out, const struct curve *curve, const fr *canon, size_t count, struct cuzk_err *err);

#endif
