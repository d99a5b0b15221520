/* cli/key.c - cuzk key info, check, export-vk. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cli.h"
#include "cli_key.h"
#include "groth16/json.h"

cuzk_status key_warn(const struct cli *cli, const struct key *key, struct cuzk_err *err)
{
    static const struct err_place gamma = { .role = "key", .field = "delta2", .index = ERR_NONE, .offset = ERR_NONE };

    if (key->forgeable && cli->strict)
        return err_set_at(err, CUZK_E_INPUT, &gamma, key->map.path, "the result of a ceremony",
                          "gamma and delta are equal: anybody can forge proofs for this key");
    if (key->forgeable)
        report_warning(cli, "gamma and delta of the key are equal (no ceremony): anybody can forge proofs for it");
    if (key->development)
        report_warning(cli, "this is a development key: whoever made it can forge proofs for it");
    return CUZK_OK;
}

static void key_json(struct json_writer *w, const struct key *key)
{
    json_put_string(w, "protocol", "groth16");
    json_put_string(w, "curve", key->curve->name);
    json_put_u64(w, "bytes", key->map.size);
    json_put_u64(w, "wires", key->wires);
    json_put_u64(w, "publics", key->publics);
    json_put_u64(w, "constraints", key->constraints);
    json_put_u64(w, "domain", (uint64_t)1 << key->domain_log2);
    json_put_u64(w, "coefficients", key->coefficients);
    json_put_u64(w, "contributions", key->contributions);
    json_put_bool(w, "forgeable", key->forgeable);
    json_put_bool(w, "development", key->development);
}

static void key_print(const struct key *key)
{
    printf("file           %s (%zu bytes)\n", key->map.path, key->map.size);
    printf("protocol       groth16\n");
    printf("curve          %s\n", key->curve->name);
    printf("wires          %" PRIu32 "\n", key->wires);
    printf("public values  %" PRIu32 "\n", key->publics);
    printf("constraints    %" PRIu32 "\n", key->constraints);
    printf("domain         2^%" PRIu32 "\n", key->domain_log2);
    printf("coefficients   %" PRIu64 "\n", key->coefficients);
    printf("contributions  %" PRIu32 "\n", key->contributions);
    printf("security       %s\n", key->forgeable     ? "FORGEABLE: gamma = delta, anybody can forge proofs"
                                  : key->development ? "DEVELOPMENT KEY: whoever made it can forge proofs"
                                                     : "rests on the ceremony that made it");
}

cuzk_status cli_key_info(struct cli *cli, struct cuzk_err *err)
{
    struct key         key;
    struct json_writer w;
    cuzk_status        st = key_open(&key, cli->operand[0], err);

    if (st != CUZK_OK)
        return st;
    if (cli->json) {
        report_json_begin(&w);
        key_json(&w, &key);
        st = report_json_end(&w, err);
    } else {
        key_print(&key);
    }
    key_close(&key);
    return st;
}

cuzk_status cli_key_check(struct cli *cli, struct cuzk_err *err)
{
    struct key         key;
    struct pool       *pool = NULL;
    struct json_writer w;
    uint64_t           begin_ns = now_ns();
    cuzk_status        st = key_open(&key, cli->operand[0], err);

    if (st != CUZK_OK)
        return st;
    TRY(key_warn(cli, &key, err));
    TRY(pool_open(&pool, cli->threads, err));
    progress_start(cli);
    progress_stage("checking every point", -1);
    TRY(key_check_points(&key, true, pool, err));
    progress_stage("checking what pairings can tell", -1);
    TRY(key_check_relations(&key, pool, err));
    progress_stop();
    if (cli->json) {
        report_json_begin(&w);
        key_json(&w, &key);
        json_put_bool(&w, "checked", true);
        json_put_u64(&w, "threads", pool_threads(pool));
        json_begin_object(&w, "times_ms");
        json_put_ms(&w, "total", now_ns() - begin_ns);
        json_end(&w);
        TRY(report_json_end(&w, err));
    } else {
        printf("OK! every section, coefficient and point of %s is well formed\n", cli->operand[0]);
    }
out:
    progress_stop();
    pool_close(pool);
    key_close(&key);
    return st;
}

cuzk_status cli_key_export_vk(struct cli *cli, struct cuzk_err *err)
{
    const char        *input = cli->operand[0], *output = cli->operand[1];
    struct key         key;
    struct file_out   *file = NULL;
    struct json_writer w;
    char              *text = NULL;
    cuzk_status        st = key_open(&key, input, err);

    if (st != CUZK_OK)
        return st;
    TRY(outputs_distinct(&output, 1, &input, 1, err));
    TRY(vk_to_json(&text, &key.vk, err));
    TRY(file_out_open(&file, output, err));
    TRY(file_out_write(file, text, strlen(text), err));
    TRY(file_out_commit(&file, err));
    TRY(key_warn(cli, &key, err));
    if (cli->json) {
        report_json_begin(&w);
        key_json(&w, &key);
        json_put_string(&w, "vk", output);
        TRY(report_json_end(&w, err));
    }
out:
    file_out_abandon(&file);
    mem_free(text);
    key_close(&key);
    return st;
}
