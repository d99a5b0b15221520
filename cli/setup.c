/* cli/setup.c - cuzk setup. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli.h"
#include "groth16/setup.h"

static void on_progress(void *context, const char *stage, double share)
{
    (void)context;
    progress_stage(stage, share);
}

static cuzk_status report(const struct cli *cli, const struct r1cs *r1cs, size_t threads, uint64_t ns,
                          struct cuzk_err *err)
{
    struct json_writer w;

    if (!cli->json) {
        printf("INSECURE development key written to %s\n"
               "Whoever ran this knows its secrets and can forge proofs for it. Never use it in production.\n",
               cli->operand[1]);
        return CUZK_OK;
    }
    report_json_begin(&w);
    json_put_bool(&w, "insecure", true);
    json_put_bool(&w, "development", true);
    json_put_bool(&w, "seeded", cli->has_seed);
    json_put_string(&w, "curve", r1cs->curve->name);
    json_put_u64(&w, "wires", r1cs->wires);
    json_put_u64(&w, "publics", r1cs_publics(r1cs));
    json_put_u64(&w, "constraints", r1cs->constraints);
    json_put_u64(&w, "threads", threads);
    json_put_string(&w, "cpu", cpu_path_name(r1cs->curve->path));
    json_put_string(&w, "key", cli->operand[1]);
    json_begin_object(&w, "times_ms");
    json_put_ms(&w, "total", ns);
    json_end(&w);
    return report_json_end(&w, err);
}

cuzk_status cli_setup(struct cli *cli, struct cuzk_err *err)
{
    const char  *input = cli->operand[0], *output = cli->operand[1];
    struct r1cs  r1cs;
    struct pool *pool = NULL;
    uint64_t     begin_ns = now_ns();
    cuzk_status  st = r1cs_open(&r1cs, input, err);

    if (st != CUZK_OK)
        return st;
    TRY(outputs_distinct(&output, 1, &input, 1, err));
    TRY(pool_open(&pool, cli->threads, err));
    progress_start(cli);
    TRY(groth16_setup(&r1cs, output, cli->has_seed ? &cli->seed : NULL, pool, on_progress, NULL, err));
    progress_stop();
    TRY(report(cli, &r1cs, pool_threads(pool), now_ns() - begin_ns, err));
out:
    progress_stop();
    pool_close(pool);
    r1cs_close(&r1cs);
    return st;
}
