/* device/cpu/cpu.c - the CPU as a device: every operation is done in its call, on the device's pool. */
#include <pthread.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "device/device.h"

struct cpu_device {
    struct device base;
    struct pool  *pool;

    /* lock: the pool's one runner.  Keys are made ready beside parts that run: upload <-> operations.  Leaf; held for one
     * operation. */
    pthread_mutex_t lock;
};

struct device_key {
    struct cpu_device     *device;
    struct device_key_args args;
    struct ntt_domain     *domain;
};

struct device_part {
    struct device_key  *key;
    size_t              domain;
    fr                 *abc; /* 3 * domain; h replaces a */
    const fr           *witness;
    struct msm_plan     plan[BASES_COUNT];
    void               *scratch; /* the largest of the plans; operations run one after the other */
    size_t              scratch_bytes;
    struct device_times times;
};

static const struct group_ops *bases_group(const struct device_key_args *args, enum device_bases which)
{
    return args->bases[which].g2 ? &args->curve->g2 : &args->curve->g1;
}

static cuzk_status cpu_open(struct device **out, uint32_t ordinal, size_t threads, struct cuzk_err *err)
{
    cuzk_status st;
    struct cpu_device *d = NULL;

    *out = NULL;
    if (ordinal != 0)
        FAIL(CUZK_E_DEVICE, "cpu device %u: there is only number 0", ordinal);
    d = mem_new(1, sizeof *d);
    if (d == NULL)
        FAIL(CUZK_E_IO, "no memory for a device");
    d->base.ops = &device_cpu_ops;
    TRY(pool_open(&d->pool, threads, err));
    cuzk_check(pthread_mutex_init(&d->lock, NULL) == 0);
    *out = &d->base;
    return CUZK_OK;
out:
    mem_free(d);
    return st;
}

static void cpu_close(struct device *base)
{
    struct cpu_device *d = (struct cpu_device *)base;

    if (d == NULL)
        return;
    pool_close(d->pool);
    (void)pthread_mutex_destroy(&d->lock);
    mem_free(d);
}

static struct pool *cpu_pool(struct device *base) { return ((struct cpu_device *)base)->pool; }

static size_t cpu_key_bytes(const struct device_key_args *args)
{
    return args->curve->ntt.domain_bytes(args->domain_log2);
}

/* Scratch of the largest sum; plans too if asked for. */
static size_t plan_sums(struct msm_plan plan[BASES_COUNT], const struct device_key_args *args, size_t threads)
{
    size_t largest = 0;

    for (enum device_bases i = 0; i < BASES_COUNT; i++) {
        plan[i] = bases_group(args, i)->msm_plan(args->bases[i].count, threads);
        if (plan[i].scratch_bytes > largest)
            largest = plan[i].scratch_bytes;
    }
    return largest;
}

static size_t cpu_part_bytes(const struct device *base, const struct device_key_args *args)
{
    const struct cpu_device *d = (const struct cpu_device *)base;
    struct msm_plan plan[BASES_COUNT];

    return (3 * sizeof(fr) << args->domain_log2) + plan_sums(plan, args, pool_threads(d->pool));
}

static cuzk_status cpu_key_upload(struct device_key **out, struct device *base, const struct device_key_args *args,
                                  struct cuzk_err *err)
{
    cuzk_status st;
    struct device_key *k = mem_new(1, sizeof *k);

    *out = NULL;
    if (k == NULL)
        FAIL(CUZK_E_IO, "no memory for a key");
    k->device = (struct cpu_device *)base;
    k->args = *args;
    (void)pthread_mutex_lock(&k->device->lock);
    st = args->curve->ntt.domain_open(&k->domain, args->domain_log2, ROOT_SNARKJS, k->device->pool, err);
    (void)pthread_mutex_unlock(&k->device->lock);
    TRY(st);
    *out = k;
    return CUZK_OK;
out:
    mem_free(k);
    return st;
}

static void cpu_key_drop(struct device_key *k)
{
    if (k == NULL)
        return;
    k->args.curve->ntt.domain_close(k->domain);
    mem_free(k);
}

static void cpu_part_close(struct device_part *p)
{
    if (p == NULL)
        return;
    mem_wipe_free(p->abc, 3 * p->domain * sizeof(fr));
    mem_wipe_free(p->scratch, p->scratch_bytes);
    mem_free(p);
}

static cuzk_status cpu_part_open(struct device_part **out, struct device_key *k, struct cuzk_err *err)
{
    cuzk_status st;
    struct device_part *p = mem_new(1, sizeof *p);

    *out = NULL;
    if (p == NULL)
        FAIL(CUZK_E_IO, "no memory for a part");
    p->key = k;
    p->domain = (size_t)1 << k->args.domain_log2;
    p->scratch_bytes = plan_sums(p->plan, &k->args, pool_threads(k->device->pool));
    p->abc = mem_new(3 * p->domain, sizeof(fr));
    p->scratch = mem_new(1, p->scratch_bytes);
    if (p->abc == NULL || p->scratch == NULL)
        FAIL(CUZK_E_IO, "no memory for a part: %zu bytes", cpu_part_bytes(&k->device->base, &k->args));
    *out = p;
    return CUZK_OK;
out:
    cpu_part_close(p);
    return st;
}

static void cpu_eval(struct device_part *p, const fr *witness)
{
    const struct device_key_args *args = &p->key->args;
    struct pool *pool = p->key->device->pool;
    uint64_t begin_ns = now_ns();

    p->witness = witness;
    (void)pthread_mutex_lock(&p->key->device->lock);
    args->curve->sparse_mul(p->abc, p->domain, &args->a, witness, pool);
    args->curve->sparse_mul(p->abc + p->domain, p->domain, &args->b, witness, pool);
    (void)pthread_mutex_unlock(&p->key->device->lock);
    p->times.eval_ns = now_ns() - begin_ns;
}

static void cpu_quotient(struct device_part *p)
{
    const struct device_key_args *args = &p->key->args;
    fr *a = p->abc, *b = a + p->domain, *c = b + p->domain;
    uint64_t begin_ns = now_ns();

    (void)pthread_mutex_lock(&p->key->device->lock);
    args->curve->ntt.quotient_snarkjs(a, b, c, p->key->domain, p->key->device->pool);
    (void)pthread_mutex_unlock(&p->key->device->lock);
    p->times.quotient_ns = now_ns() - begin_ns;
}

static void cpu_msm(struct device_part *p, point *out, enum device_bases which, size_t scalar_start)
{
    const struct device_key_args *args = &p->key->args;
    struct msm_args sum = {
        .points = args->bases[which].points,
        .scalars = which == BASES_H ? p->abc : p->witness + scalar_start,
        .count = args->bases[which].count,
        .canonical = true,
    };
    uint64_t begin_ns = now_ns();

    cuzk_check(which == BASES_H || scalar_start + sum.count <= args->wires);
    (void)pthread_mutex_lock(&p->key->device->lock);
    bases_group(args, which)->msm(out, &sum, &p->plan[which], p->scratch, p->key->device->pool);
    (void)pthread_mutex_unlock(&p->key->device->lock);
    p->times.msm_ns[which] = now_ns() - begin_ns;
}

static cuzk_status cpu_wait(struct device_part *p, struct cuzk_err *err)
{
    (void)p;
    (void)err;
    return CUZK_OK;
}

static struct device_times cpu_times(const struct device_part *p) { return p->times; }

const struct device_ops device_cpu_ops = {
    .version = DEVICE_OPS_VERSION,
    .name = "cpu",
    .open = cpu_open,
    .close = cpu_close,
    .pool = cpu_pool,
    .key_bytes = cpu_key_bytes,
    .part_bytes = cpu_part_bytes,
    .key_upload = cpu_key_upload,
    .key_drop = cpu_key_drop,
    .part_open = cpu_part_open,
    .part_close = cpu_part_close,
    .eval = cpu_eval,
    .quotient = cpu_quotient,
    .msm = cpu_msm,
    .wait = cpu_wait,
    .times = cpu_times,
};
