/* groth16/setup.h - development keys: whoever runs it knows the trapdoor. */
#ifndef CUZK_GROTH16_SETUP_H
#define CUZK_GROTH16_SETUP_H

#include "base/pool.h"
#include "circuit/r1cs.h"

/* Writes a .zkey for r1cs to path (atomically).  Secrets from the kernel, or from seed when it is not NULL (same seed,
 * same file).  Section 10 holds one contribution marked as a development key.  Progress: a line of text and a share in
 * [0, 1]; may be NULL. */
cuzk_status groth16_setup(const struct r1cs *r1cs, const char *path, const uint64_t *seed, struct pool *pool,
                          void (*progress)(void *context, const char *stage, double share), void *context,
                          struct cuzk_err *err);

#endif
