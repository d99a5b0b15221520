/* groth16/prove.h - one proof in two phases over a device.
 *
 * start   a, b, c = A w, B w, A w * B w; h; five sums on the device (Groth16 2016, section 3.2; .zkey convention of
 *         docs/formats.md: h in the Lagrange basis of the odd coset)
 * finish  r, s; A = alpha + sum a_i + r delta; B; C; verification with the key's own vk; only then is *out written */
#ifndef CUZK_GROTH16_PROVE_H
#define CUZK_GROTH16_PROVE_H

#include "circuit/witness.h"
#include "device/device.h"
#include "groth16/proof.h"

enum prove_stage { STAGE_EVAL, STAGE_QUOTIENT, STAGE_MSM_H, STAGE_MSM_A, STAGE_MSM_B1, STAGE_MSM_B2, STAGE_MSM_C,
                   STAGE_FINISH, STAGE_VERIFY, STAGE_COUNT };
extern const char *const prove_stage_name[STAGE_COUNT];

struct prover;       /* a key made ready on a device: device key, scratch for one proof */

struct prove_times { uint64_t ns[STAGE_COUNT]; };

/* The key and device must outlive it.  One proof at a time. */
cuzk_status prover_open(struct prover **out, struct device *device, const struct key *key, struct cuzk_err *err);
void        prover_close(struct prover *p);

/* witness must have the key's curve and count.  Fails UNSATISFIED when the proof does not verify though the key's
 * points and the witness are well formed; deterministic r and s only with -Dtest_hooks (CUZK_TEST_RS=hex:hex). */
cuzk_status prover_start(struct prover *p, const struct witness *w, struct cuzk_err *err);
cuzk_status prover_finish(struct prover *p, struct proof *out, struct cuzk_err *err);
const struct prove_times *prover_times(const struct prover *p);

/* The phases apart, so that the device works on the next proof while this one is finished: what start leaves for finish,
 * in host memory.  The key must outlive it. */
struct prover_sums;

cuzk_status prover_sums_open(struct prover_sums **out, const struct key *key, struct cuzk_err *err);
void        prover_sums_close(struct prover_sums *s); /* wipes; NULL is nothing */
cuzk_status prover_start_to(struct prover *p, struct prover_sums *out, const struct witness *w, struct cuzk_err *err);
/* On any thread, on pool, which may be NULL; neither prover nor device is used.  Fails as prover_finish. */
cuzk_status prover_sums_finish(struct prover_sums *s, struct proof *out, struct pool *pool, struct cuzk_err *err);

/* Bytes that a prover takes, on the device and (a device without memory of its own) on the host: from the sizes alone. */
cuzk_status prover_bytes(uint64_t *out, const struct device *device, const struct key_sizes *sizes, struct cuzk_err *err);

#endif
