/* fuzz/fuzz_json.c - the first byte picks the document (vk, proof, public) and the curve; what is taken must come back
 * the same after writing and reading again. */
#include <stdint.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "groth16/json.h"
#include "wire/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void fuzz_vk(const char *text)
{
    struct cuzk_err err;
    struct vk       vk, back;
    char           *written;

    if (vk_from_json(&vk, text, "vk.json", &err) != CUZK_OK) {
        cuzk_check(err.status != CUZK_OK && err.text[0]);
        return;
    }
    cuzk_check(vk_to_json(&written, &vk, &err) == CUZK_OK);
    cuzk_check(vk_from_json(&back, written, "vk.json", &err) == CUZK_OK);
    cuzk_check(back.publics == vk.publics && memcmp(back.gamma2, vk.gamma2, sizeof vk.gamma2) == 0);
    cuzk_check(memcmp(back.ic, vk.ic, (vk.publics + (size_t)1) * vk.curve->g1.affine_bytes) == 0);
    mem_free(written);
    vk_free(&back);
    vk_free(&vk);
}

static void fuzz_proof(const struct curve *curve, const char *text)
{
    struct cuzk_err err;
    struct proof    p, back;
    char           *written;

    if (proof_from_json(&p, curve, text, "proof.json", &err) != CUZK_OK)
        return;
    cuzk_check(proof_to_json(&written, curve, &p, &err) == CUZK_OK);
    cuzk_check(proof_from_json(&back, curve, written, "proof.json", &err) == CUZK_OK);
    cuzk_check(memcmp(&p, &back, sizeof p) == 0);
    mem_free(written);
}

static void fuzz_public(const struct curve *curve, const char *text)
{
    struct cuzk_err err;
    fr             *values, *back;
    size_t          count, back_count;
    char           *written;

    if (public_from_json(&values, &count, curve, text, "public.json", &err) != CUZK_OK)
        return;
    cuzk_check(public_to_json(&written, curve, values, count, &err) == CUZK_OK);
    cuzk_check(public_from_json(&back, &back_count, curve, written, "public.json", &err) == CUZK_OK);
    cuzk_check(count == back_count && memcmp(values, back, count * sizeof *values) == 0);
    mem_free(written);
    mem_free(values);
    mem_free(back);
}

/* The bare reader, with a NUL anywhere in the text. */
static void fuzz_text(const char *text, size_t bytes)
{
    static const char *const names[] = { "curve", "IC" };
    struct json              j;
    struct json_value        root, item, member[2];
    struct cuzk_err          err;
    size_t                   pos = 0;
    char                     copy[64], line[1024];

    if (json_open(&j, &root, text, bytes, "vk", "vk.json", &err) != CUZK_OK) {
        (void)err_format_json(line, sizeof line, &err);
        cuzk_check(err.place.offset <= bytes);
        return;
    }
    cuzk_check(root.end <= bytes);
    (void)json_string_copy(copy, sizeof copy, &j, &root);
    (void)json_members(member, names, 2, &j, &root, &err);
    if (root.kind == JSON_ARRAY)
        while (json_item(&item, &j, &root, &pos))
            cuzk_check(item.end > item.start && item.end < root.end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const struct curve *curve;
    char               *text;

    if (bytes < 1)
        return 0;
    text = mem_new(bytes, 1); /* the rest and a NUL: a read past it shows */
    if (!text)
        return 0;
    memcpy(text, data + 1, bytes - 1);
    curve = curve_get(data[0] & 4 ? CURVE_BLS12_381 : CURVE_BN254);
    switch (data[0] & 3) {
    case 0: fuzz_vk(text); break;
    case 1: fuzz_proof(curve, text); break;
    case 2: fuzz_public(curve, text); break;
    case 3: fuzz_text(text, bytes - 1); break;
    }
    mem_free(text);
    return 0;
}
