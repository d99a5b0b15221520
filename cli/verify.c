/* cli/verify.c - cuzk verify. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cli.h"
#include "groth16/json.h"

#define VK_BYTES_MAX     ((size_t)1 << 30)
#define PUBLIC_BYTES_MAX ((size_t)1 << 30)
#define PROOF_BYTES_MAX  ((size_t)1 << 20)

struct verify_input {
    struct vk    vk;
    struct proof proof;
    fr          *publics;
    size_t       public_count;
};

static cuzk_status read_vk(struct vk *out, const char *path, struct cuzk_err *err)
{
    char       *text;
    size_t      bytes;
    cuzk_status st;

    TRY(file_read_text(&text, &bytes, path, "vk", VK_BYTES_MAX, err));
    TRY(vk_from_json(out, text, path, err));
out:
    mem_free(text);
    return st;
}

static cuzk_status read_publics(struct verify_input *in, const char *path, struct cuzk_err *err)
{
    struct err_place place = { .role = "public", .index = ERR_NONE, .offset = ERR_NONE };
    char            *text, expected[64];
    size_t           bytes;
    cuzk_status      st;

    TRY(file_read_text(&text, &bytes, path, "public", PUBLIC_BYTES_MAX, err));
    TRY(public_from_json(&in->publics, &in->public_count, in->vk.curve, text, path, err));
    if (in->public_count != in->vk.publics) {
        (void)snprintf(expected, sizeof expected, "%" PRIu32 ", as the vk says", in->vk.publics);
        st = err_set_at(err, CUZK_E_INPUT, &place, path, expected, "%zu public values", in->public_count);
    }
out:
    mem_free(text);
    return st;
}

static cuzk_status read_proof(struct verify_input *in, const char *path, struct cuzk_err *err)
{
    char       *text;
    size_t      bytes;
    cuzk_status st;

    TRY(file_read_text(&text, &bytes, path, "proof", PROOF_BYTES_MAX, err));
    TRY(proof_from_json(&in->proof, in->vk.curve, text, path, err));
out:
    mem_free(text);
    return st;
}

cuzk_status cli_verify(struct cli *cli, struct cuzk_err *err)
{
    struct verify_input in = { .public_count = 0 };
    struct pool        *pool = NULL;
    struct json_writer  w;
    uint64_t            begin_ns = now_ns(), read_ns, verify_ns;
    bool                valid;
    cuzk_status         st;

    TRY(read_vk(&in.vk, cli->operand[0], err));
    TRY(read_publics(&in, cli->operand[1], err));
    TRY(read_proof(&in, cli->operand[2], err));
    TRY(pool_open(&pool, cli->threads, err));
    read_ns = now_ns();
    valid = groth16_verify(&in.vk, &in.proof, in.publics, pool);
    verify_ns = now_ns();
    cli->verdict = valid ? 0 : 1;
    if (cli->json) {
        report_json_begin(&w);
        json_put_bool(&w, "valid", valid);
        json_put_string(&w, "curve", in.vk.curve->name);
        json_put_u64(&w, "publics", in.vk.publics);
        json_put_u64(&w, "threads", pool_threads(pool));
        json_put_string(&w, "cpu", cpu_path_name(in.vk.curve->path));
        json_begin_object(&w, "times_ms");
        json_put_ms(&w, "read", read_ns - begin_ns);
        json_put_ms(&w, "verify", verify_ns - read_ns);
        json_end(&w);
        TRY(report_json_end(&w, err));
    } else if (valid) {
        puts("OK!");
    } else {
        fputs("Invalid proof\n", stderr);
    }
out:
    pool_close(pool);
    mem_free(in.publics);
    vk_free(&in.vk);
    return st;
}
