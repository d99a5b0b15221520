/* device/device.h - one table of operations that every device offers.  Knows bases, matrices and scalars, nothing of
 * proofs. */
#ifndef CUZK_DEVICE_DEVICE_H
#define CUZK_DEVICE_DEVICE_H

#include "base/err.h"
#include "base/pool.h"
#include "math/curve.h"

#define DEVICE_OPS_VERSION 1

enum device_bases { BASES_H, BASES_A, BASES_B1, BASES_B2, BASES_C, BASES_COUNT };

/* What a device keeps resident for one circuit.  Host memory, borrowed until key_drop. */
struct device_key_args {
    const struct curve *curve;
    uint32_t            domain_log2, wires;
    struct sparse       a, b;
    struct { const uint8_t *points; size_t count; bool g2; } bases[BASES_COUNT];
};

struct device;
struct device_key;    /* bases, matrices, domain: resident */
struct device_part;   /* buffers for one proof: a, b, c, scratch */

struct device_times { uint64_t eval_ns, quotient_ns, msm_ns[BASES_COUNT]; };

/* Everything is queued on the part in order; wait reports the first failure.  Arguments stay valid until wait returns.
 * A backend that has no queue does the work in the call. */
struct device_ops {
    uint32_t    version;
    const char *name; /* "cpu" */

    cuzk_status (*open)(struct device **out, uint32_t ordinal, size_t threads, struct cuzk_err *err);
    void (*close)(struct device *d);

    /* Host threads that belong to the device, for work beside it; idle unless an operation runs. */
    struct pool *(*pool)(struct device *d);

    /* Pure functions of sizes: bytes that key_upload and part_open take on the device, and on the host. */
    size_t (*key_bytes)(const struct device_key_args *args);
    size_t (*part_bytes)(const struct device *d, const struct device_key_args *args);

    cuzk_status (*key_upload)(struct device_key **out, struct device *d, const struct device_key_args *args,
                              struct cuzk_err *err);
    void (*key_drop)(struct device_key *k);
    cuzk_status (*part_open)(struct device_part **out, struct device_key *k, struct cuzk_err *err);
    void (*part_close)(struct device_part *p); /* wipes */

    /* a = A w, b = B w.  witness: canonical, key's wires; kept on the device until the next eval. */
    void (*eval)(struct device_part *p, const fr *witness);
    /* h from a, b and c = a b; math/curve.h, quotient_snarkjs. */
    void (*quotient)(struct device_part *p);
    /* sum over bases: scalars are h for BASES_H, else the witness from scalar_start on. */
    void (*msm)(struct device_part *p, point *out, enum device_bases which, size_t scalar_start);
    cuzk_status (*wait)(struct device_part *p, struct cuzk_err *err);

    /* Duration of the last eval, quotient and each msm, ns. */
    struct device_times (*times)(const struct device_part *p);
};

struct device { const struct device_ops *ops; }; /* first member of each backend's own device */

extern const struct device_ops device_cpu_ops;

#endif
