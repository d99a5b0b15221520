/* cli/prove.c - cuzk prove.
 *
 *   key, witness, [r1cs] -> checks -> temporaries for both outputs -> prove and verify -> both outputs appear
 *
 * Whatever fails on the way, no output appears or changes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/mem.h"
#include "circuit/r1cs.h"
#include "cli.h"
#include "cli_key.h"
#include "groth16/json.h"
#include "groth16/prove.h"

enum prove_step { STEP_KEY_OPEN, STEP_WITNESS_READ, STEP_R1CS, STEP_POINTS, STEP_PREPARE, STEP_PROVE, STEP_WRITE,
                  STEP_COUNT };

static const char *const step_name[STEP_COUNT] = {
    [STEP_KEY_OPEN] = "key_open",   [STEP_WITNESS_READ] = "witness_read", [STEP_R1CS] = "r1cs_check",
    [STEP_POINTS] = "points_check", [STEP_PREPARE] = "prepare",           [STEP_PROVE] = "prove",
    [STEP_WRITE] = "write",
};

static const char *const step_text[STEP_COUNT] = {
    [STEP_KEY_OPEN] = "opening the key",
    [STEP_WITNESS_READ] = "reading the witness",
    [STEP_R1CS] = "checking the witness against the circuit",
    [STEP_POINTS] = "checking the key's points (first use)",
    [STEP_PREPARE] = "preparing",
    [STEP_PROVE] = "proving",
    [STEP_WRITE] = "writing",
};

/* All that one run holds. */
struct prove_run {
    struct cli      *cli;
    const char      *key_path, *witness_path, *output_path[2]; /* proof, public */
    struct key       key;
    struct witness   witness;
    struct file_out *output[2];
    struct pool     *pool;
    struct device   *device;
    struct prover   *prover;
    struct proof     proof;
    bool             key_is_open;
    bool             points_known; /* an earlier run has checked them */
    uint64_t         begin_ns, step_begin_ns, step_ns[STEP_COUNT];
};

static void step_begin(struct prove_run *run, enum prove_step step)
{
    progress_stage(step_text[step], -1);
    run->step_begin_ns = now_ns();
}

static void step_end(struct prove_run *run, enum prove_step step)
{
    run->step_ns[step] = now_ns() - run->step_begin_ns;
}

/* The .r1cs names the first constraint that fails. */
static cuzk_status check_r1cs(struct prove_run *run, struct cuzk_err *err)
{
    static const struct err_place r1cs_place = { .role = "r1cs", .index = ERR_NONE, .offset = ERR_NONE };
    struct err_place              place = { .role = "witness", .section = "constraints", .offset = ERR_NONE };
    const char                   *path = run->cli->r1cs;
    struct r1cs                   r1cs;
    uint32_t                      first;
    cuzk_status                   st = r1cs_open(&r1cs, path, err);

    if (st != CUZK_OK)
        return st;
    if (r1cs.curve->id != run->key.curve->id || r1cs.wires != run->key.wires ||
        r1cs_publics(&r1cs) != run->key.publics) {
        st = err_set_at(err, CUZK_E_INPUT, &r1cs_place, path, "the circuit of the key",
                        "%s, %" PRIu32 " wires, %" PRIu32 " public: the key has %s, %" PRIu32 ", %" PRIu32,
                        r1cs.curve->name, r1cs.wires, r1cs_publics(&r1cs), run->key.curve->name, run->key.wires,
                        run->key.publics);
    } else {
        first = r1cs_first_unsatisfied(&r1cs, run->witness.value);
        place.index = first;
        if (first != UINT32_MAX)
            st = err_set_at(err, CUZK_E_UNSATISFIED, &place, run->witness_path, NULL,
                            "constraint %" PRIu32 " of %" PRIu32 " is not satisfied (counted from 0)", first,
                            r1cs.constraints);
    }
    r1cs_close(&r1cs);
    return st;
}

static cuzk_status read_inputs(struct prove_run *run, struct cuzk_err *err)
{
    cuzk_status st;

    step_begin(run, STEP_KEY_OPEN);
    TRY(key_open(&run->key, run->key_path, err));
    run->key_is_open = true;
    step_end(run, STEP_KEY_OPEN);
    TRY(key_warn(run->cli, &run->key, err));
    step_begin(run, STEP_WITNESS_READ);
    TRY(witness_read(&run->witness, run->witness_path, run->key.curve, run->key.wires, err));
    step_end(run, STEP_WITNESS_READ);
    if (run->cli->r1cs) {
        step_begin(run, STEP_R1CS);
        TRY(check_r1cs(run, err));
        step_end(run, STEP_R1CS);
    }
out:
    return st;
}

static cuzk_status prove(struct prove_run *run, struct cuzk_err *err)
{
    cuzk_status st;

    step_begin(run, STEP_POINTS);
    TRY(pool_open(&run->pool, run->cli->threads, err));
    TRY(key_check_points_once(&run->key, run->pool, &run->points_known, err));
    step_end(run, STEP_POINTS);
    step_begin(run, STEP_PREPARE);
    TRY(device_cpu_ops.open(&run->device, 0, pool_threads(run->pool), err));
    TRY(prover_open(&run->prover, run->device, &run->key, err));
    step_end(run, STEP_PREPARE);
    step_begin(run, STEP_PROVE);
    TRY(prover_start(run->prover, &run->witness, err));
    TRY(prover_finish(run->prover, &run->proof, err));
    step_end(run, STEP_PROVE);
out:
    return st;
}

/* Both outputs in full under temporary names, then both at once under their own. */
static cuzk_status write_outputs(struct prove_run *run, struct cuzk_err *err)
{
    const struct curve *curve = run->key.curve;
    char               *proof = NULL, *publics = NULL;
    cuzk_status         st;

    step_begin(run, STEP_WRITE);
    TRY(proof_to_json(&proof, curve, &run->proof, err));
    TRY(public_to_json(&publics, curve, run->witness.value + 1, run->key.publics, err));
    TRY(file_out_write(run->output[0], proof, strlen(proof), err));
    TRY(file_out_write(run->output[1], publics, strlen(publics), err));
    TRY(file_out_commit_all(run->output, 2, err));
    step_end(run, STEP_WRITE);
out:
    mem_free(proof);
    mem_free(publics);
    return st;
}

static cuzk_status report(struct prove_run *run, struct cuzk_err *err)
{
    const struct key         *key = &run->key;
    const struct prove_times *times = prover_times(run->prover);
    struct json_writer        w;

    report_json_begin(&w);
    json_put_bool(&w, "verified", true);
    json_put_string(&w, "curve", key->curve->name);
    json_put_u64(&w, "wires", key->wires);
    json_put_u64(&w, "publics", key->publics);
    json_put_u64(&w, "constraints", key->constraints);
    json_put_u64(&w, "domain", (uint64_t)1 << key->domain_log2);
    json_put_string(&w, "device", run->device->ops->name);
    json_put_u64(&w, "threads", pool_threads(run->pool));
    json_put_string(&w, "cpu", cpu_path_name(key->curve->path));
    json_put_bool(&w, "points_known", run->points_known);
    json_put_bool(&w, "forgeable", key->forgeable);
    json_put_bool(&w, "development", key->development);
    json_put_string(&w, "proof", run->output_path[0]);
    json_put_string(&w, "public", run->output_path[1]);
    json_begin_object(&w, "times_ms");
    for (size_t i = 0; i < STEP_COUNT; i++)
        json_put_ms(&w, step_name[i], run->step_ns[i]);
    json_put_ms(&w, "total", now_ns() - run->begin_ns);
    json_end(&w);
    json_begin_object(&w, "stages_ms"); /* what `prove` above is made of */
    for (size_t i = 0; i < STAGE_COUNT; i++)
        json_put_ms(&w, prove_stage_name[i], times->ns[i]);
    json_end(&w);
    return report_json_end(&w, err);
}

static cuzk_status prove_all(struct prove_run *run, struct cuzk_err *err)
{
    const char *inputs[] = { run->key_path, run->witness_path, run->cli->r1cs };
    cuzk_status st;

    TRY(outputs_distinct(run->output_path, 2, inputs, 3, err));
    TRY(read_inputs(run, err));
    for (size_t i = 0; i < 2; i++) /* before the work, so that a folder without permission shows early */
        TRY(file_out_open(&run->output[i], run->output_path[i], err));
    TRY(prove(run, err));
    TRY(write_outputs(run, err));
    progress_stop();
    if (run->cli->json)
        TRY(report(run, err));
out:
    return st;
}

cuzk_status cli_prove(struct cli *cli, struct cuzk_err *err)
{
    struct prove_run run = { .cli = cli,
                             .key_path = cli->operand[0],
                             .witness_path = cli->operand[1],
                             .output_path = { cli->operand[2], cli->operand[3] },
                             .begin_ns = now_ns() };
    cuzk_status      st;

    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }); /* a core would hold the witness */
    progress_start(cli);
    st = prove_all(&run, err);
    progress_stop();
    for (size_t i = 0; i < 2; i++)
        file_out_abandon(&run.output[i]);
    if (run.prover)
        prover_close(run.prover);
    if (run.device)
        run.device->ops->close(run.device);
    pool_close(run.pool);
    witness_free(&run.witness);
    if (run.key_is_open)
        key_close(&run.key);
    return st;
}
