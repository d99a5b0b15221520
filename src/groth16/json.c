/* groth16/json.c - snarkjs' JSON files (docs/formats.md); any thread; wire/json, math/curve.
 *
 *   number   decimal string, plain (not Montgomery), no sign, no leading zero, below the modulus
 *   G1       ["x", "y", "1"], the identity ["0", "1", "0"]
 *   G2       [["x0", "x1"], ["y0", "y1"], ["1", "0"]], the identity [["0", "0"], ["1", "0"], ["0", "0"]] */
#include "groth16/json.h"

#include <inttypes.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "wire/json.h"

#define DIGITS_MAX  116 /* of 2^384 - 1 */
#define LIMBS_MAX   (FP_BYTES_MAX / 8)
#define TEN_19      10000000000000000000u /* the largest power of ten in 64 bits */
#define COORDINATES 2 /* of an affine point; the third is 1 or 0 */

__extension__ typedef unsigned __int128 uint128;

/* ---- decimal numbers ---- */

/* le: bytes, a multiple of 8, at most FP_BYTES_MAX. */
static void decimal_from_le(char out[DIGITS_MAX + 1], const uint8_t *le, size_t bytes)
{
    uint64_t limb[LIMBS_MAX] = { 0 };
    char     digits[DIGITS_MAX + 20];
    size_t   start = sizeof digits, limbs = bytes / 8;

    memcpy(limb, le, bytes);
    while (limbs && !limb[limbs - 1])
        limbs--;
    /* Nineteen digits at a time, lowest first. */
    while (limbs) {
        uint64_t rest = 0;

        for (size_t i = limbs; i-- > 0;) {
            uint128 value = (uint128)rest << 64 | limb[i];

            limb[i] = (uint64_t)(value / TEN_19);
            rest = (uint64_t)(value % TEN_19);
        }
        while (limbs && !limb[limbs - 1])
            limbs--;
        for (int i = 0; i < 19 && (limbs || rest); i++, rest /= 10)
            digits[--start] = (char)('0' + rest % 10);
    }
    if (start == sizeof digits)
        digits[--start] = '0';
    memcpy(out, digits + start, sizeof digits - start);
    out[sizeof digits - start] = '\0';
}

/* False if text is not a plain decimal number without leading zeros, or does not fit. */
static bool decimal_to_le(uint8_t *le, size_t bytes, const char *text)
{
    uint64_t limb[LIMBS_MAX] = { 0 };
    size_t   limbs = bytes / 8;

    if (!text[0] || (text[0] == '0' && text[1]))
        return false;
    for (; *text; text++) {
        uint64_t carry = (uint64_t)(*text - '0');

        if (*text < '0' || *text > '9')
            return false;
        for (size_t i = 0; i < limbs; i++) {
            uint128 value = (uint128)limb[i] * 10 + carry;

            limb[i] = (uint64_t)value;
            carry = (uint64_t)(value >> 64);
        }
        if (carry)
            return false;
    }
    memcpy(le, limb, bytes);
    return true;
}

/* ---- reading ---- */

/* Where a value stands: for errors, and for the curve's arithmetic. */
struct context {
    const struct json  *json;
    const struct curve *curve;
    const char         *field;
    uint64_t            index; /* ERR_NONE: none */
    struct cuzk_err    *err;
};

static cuzk_status fail_value(const struct context *c, const struct json_value *value, const char *expected,
                              const char *what)
{
    return json_fail(c->json, value->start, c->field, c->index, expected, c->err, "%s", what);
}

static cuzk_status read_number(uint8_t *le, size_t bytes, const struct context *c, const struct json_value *value)
{
    char text[DIGITS_MAX + 1];

    if (!json_string_copy(text, sizeof text, c->json, value) || !decimal_to_le(le, bytes, text))
        return fail_value(c, value, "a decimal number in quotes, below the modulus", "not a number of the field");
    return CUZK_OK;
}

/* An array of exactly `count` items. */
static cuzk_status read_items(struct json_value *items, size_t count, const struct context *c,
                              const struct json_value *value, const char *expected)
{
    size_t            pos = 0, seen = 0;
    struct json_value item;

    if (value->kind != JSON_ARRAY)
        return fail_value(c, value, expected, "not an array");
    while (json_item(&item, c->json, value, &pos)) {
        if (seen == count)
            return fail_value(c, value, expected, "too many items");
        items[seen++] = item;
    }
    if (seen < count)
        return fail_value(c, value, expected, "too few items");
    return CUZK_OK;
}

static bool le_is(const uint8_t *le, size_t bytes, uint8_t small)
{
    uint8_t sum = 0;

    for (size_t i = 1; i < bytes; i++)
        sum |= le[i];
    return le[0] == small && sum == 0;
}

/* A point of g as affine bytes, checked.  parts: 1 in G1, 2 in G2. */
static cuzk_status read_point(uint8_t *out, const struct group_ops *g, const struct context *c,
                              const struct json_value *value)
{
    const char       *shape = g == &c->curve->g1 ? "[x, y, \"1\"]" : "[[x0, x1], [y0, y1], [\"1\", \"0\"]]";
    size_t            width = g->coordinate_bytes, part_bytes = c->curve->fp_bytes;
    uint8_t           canon[3 * 2 * FP_BYTES_MAX];
    struct json_value coordinate[3], part[2];
    const uint8_t    *z = canon + COORDINATES * width;
    cuzk_status       st = CUZK_OK;

    TRY(read_items(coordinate, 3, c, value, shape));
    for (size_t i = 0; i < 3; i++) {
        if (width == part_bytes) {
            TRY(read_number(canon + i * width, part_bytes, c, &coordinate[i]));
            continue;
        }
        TRY(read_items(part, 2, c, &coordinate[i], shape));
        for (size_t k = 0; k < 2; k++)
            TRY(read_number(canon + i * width + k * part_bytes, part_bytes, c, &part[k]));
    }
    if (le_is(z, width, 0) && le_is(canon, width, 0) && le_is(canon + width, width, 1)) {
        memset(out, 0, g->affine_bytes);
        return CUZK_OK;
    }
    if (!le_is(z, width, 1))
        return fail_value(c, value, shape, "the third coordinate is not 1");
    /* x = y = 0 is no point, but how we write the identity inside. */
    if ((le_is(canon, width, 0) && le_is(canon + width, width, 0)) || !g->from_canon(out, canon))
        return fail_value(c, value, "a point of the curve, coordinates below the modulus", "not a point");
    if (!g->is_on_curve(out))
        return fail_value(c, value, "a point of the curve", "not on the curve");
    if (!g->is_in_subgroup(out))
        return fail_value(c, value, "a point of order r", "not in the subgroup");
out:
    return st;
}

static bool is_identity(const uint8_t *affine, size_t bytes)
{
    return le_is(affine, bytes, 0);
}

/* The curve named by value; INPUT if it is unknown, or not `wanted` where that is not NULL. */
static cuzk_status read_curve(const struct curve **out, const struct curve *wanted, const struct context *c,
                              const struct json_value *value)
{
    char name[64];

    *out = json_string_copy(name, sizeof name, c->json, value) ? curve_by_name(name) : NULL;
    if (!*out)
        return fail_value(c, value, "\"bn128\" or \"bls12381\"", "not a known curve");
    if (wanted && (*out)->id != wanted->id)
        return fail_value(c, value, wanted->name_snarkjs, "another curve than the key's");
    return CUZK_OK;
}

static cuzk_status read_protocol(const struct context *c, const struct json_value *value)
{
    char name[16];

    if (!json_string_copy(name, sizeof name, c->json, value) || strcmp(name, "groth16") != 0)
        return fail_value(c, value, "\"groth16\"", "not the protocol of this tool");
    return CUZK_OK;
}

/* INPUT if a member that must be there is absent. */
static cuzk_status need(const struct context *c, const struct json_value *object, const struct json_value *value)
{
    if (value->kind == JSON_NONE)
        return fail_value(c, object, c->field, "a member is missing");
    return CUZK_OK;
}

enum { P_A, P_B, P_C, P_PROTOCOL, P_CURVE, P_COUNT };
static const char *const proof_names[P_COUNT] = { "pi_a", "pi_b", "pi_c", "protocol", "curve" };

cuzk_status proof_from_json(struct proof *out, const struct curve *curve, const char *text, const char *path,
                            struct cuzk_err *err)
{
    struct json         json;
    struct json_value   root, v[P_COUNT];
    const struct curve *named;
    struct context      c = { .json = &json, .curve = curve, .index = ERR_NONE, .err = err };
    cuzk_status         st = CUZK_OK;

    memset(out, 0, sizeof *out);
    TRY(json_open(&json, &root, text, strlen(text), "proof", path, err));
    TRY(json_members(v, proof_names, P_COUNT, &json, &root, err));
    for (size_t i = P_A; i <= P_C; i++) {
        c.field = proof_names[i];
        TRY(need(&c, &root, &v[i]));
    }
    c.field = proof_names[P_PROTOCOL];
    if (v[P_PROTOCOL].kind != JSON_NONE)
        TRY(read_protocol(&c, &v[P_PROTOCOL]));
    c.field = proof_names[P_CURVE];
    if (v[P_CURVE].kind != JSON_NONE)
        TRY(read_curve(&named, curve, &c, &v[P_CURVE]));
    c.field = proof_names[P_A];
    TRY(read_point(out->a, &curve->g1, &c, &v[P_A]));
    c.field = proof_names[P_B];
    TRY(read_point(out->b, &curve->g2, &c, &v[P_B]));
    c.field = proof_names[P_C];
    TRY(read_point(out->c, &curve->g1, &c, &v[P_C]));
out:
    return st;
}

cuzk_status public_from_json(fr **out, size_t *count, const struct curve *curve, const char *text, const char *path,
                             struct cuzk_err *err)
{
    struct json       json;
    struct json_value root, item;
    struct context    c = { .json = &json, .curve = curve, .index = ERR_NONE, .err = err };
    size_t            pos = 0, items;
    fr               *value = NULL;
    cuzk_status       st = CUZK_OK;

    *out = NULL;
    *count = 0;
    TRY(json_open(&json, &root, text, strlen(text), "public", path, err));
    if (root.kind != JSON_ARRAY) {
        st = fail_value(&c, &root, "an array of decimal numbers in quotes", "not an array");
        goto out;
    }
    items = json_items(&json, &root);
    value = mem_new(items, sizeof *value);
    if (!value)
        FAIL(CUZK_E_IO, "no memory for %zu public values", items);
    for (c.index = 0; json_item(&item, &json, &root, &pos); c.index++) {
        uint8_t le[FR_BYTES];

        TRY(read_number(le, sizeof le, &c, &item));
        memcpy(&value[c.index], le, sizeof le);
        if (!curve->fr.is_reduced(&value[c.index])) {
            st = fail_value(&c, &item, "a number below the order of the scalar field", "not a number of the field");
            goto out;
        }
    }
    *out = value;
    *count = items;
    value = NULL;
out:
    mem_free(value);
    return st;
}

enum { V_PROTOCOL, V_CURVE, V_PUBLICS, V_ALPHA, V_BETA, V_GAMMA, V_DELTA, V_IC, V_COUNT };
static const char *const vk_names[V_COUNT] = { "protocol",   "curve",      "nPublic",    "vk_alpha_1",
                                               "vk_beta_2",  "vk_gamma_2", "vk_delta_2", "IC" };

static cuzk_status read_ic(struct vk *out, struct context *c, const struct json_value *value)
{
    const struct group_ops *g1 = &c->curve->g1;
    struct json_value       item;
    size_t                  pos = 0, items;
    cuzk_status             st = CUZK_OK;

    if (value->kind != JSON_ARRAY)
        return fail_value(c, value, "an array of points", "not an array");
    items = json_items(c->json, value); /* before any memory is taken on nPublic's word */
    if (items != (size_t)out->publics + 1)
        return json_fail(c->json, value->start, c->field, ERR_NONE, "nPublic + 1 points", c->err,
                         "%zu points for %" PRIu32 " public values", items, out->publics);
    out->ic_owned = mem_new(items, g1->affine_bytes);
    if (!out->ic_owned)
        return err_set(c->err, CUZK_E_IO, "no memory for %zu points", items);
    out->ic = out->ic_owned;
    for (c->index = 0; json_item(&item, c->json, value, &pos); c->index++)
        TRY(read_point(out->ic_owned + c->index * g1->affine_bytes, g1, c, &item));
    c->index = ERR_NONE;
out:
    return st;
}

static cuzk_status read_vk_points(struct vk *out, struct context *c, const struct json_value v[V_COUNT])
{
    const struct curve *curve = c->curve;
    const struct {
        int                     member;
        const struct group_ops *g;
        uint8_t                *out;
    } points[] = { { V_ALPHA, &curve->g1, out->alpha1 },
                   { V_BETA, &curve->g2, out->beta2 },
                   { V_GAMMA, &curve->g2, out->gamma2 },
                   { V_DELTA, &curve->g2, out->delta2 } };
    cuzk_status st = CUZK_OK;

    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const struct json_value *value = &v[points[i].member];

        c->field = vk_names[points[i].member];
        TRY(read_point(points[i].out, points[i].g, c, value));
        /* With such a gamma or delta a proof says nothing. */
        if ((points[i].member == V_GAMMA || points[i].member == V_DELTA) &&
            is_identity(points[i].out, points[i].g->affine_bytes)) {
            st = fail_value(c, value, "a point other than the identity", "the identity");
            goto out;
        }
    }
out:
    return st;
}

cuzk_status vk_from_json(struct vk *out, const char *text, const char *path, struct cuzk_err *err)
{
    struct json       json;
    struct json_value root, v[V_COUNT];
    struct context    c = { .json = &json, .index = ERR_NONE, .err = err };
    uint64_t          publics;
    cuzk_status       st = CUZK_OK;

    memset(out, 0, sizeof *out);
    TRY(json_open(&json, &root, text, strlen(text), "vk", path, err));
    TRY(json_members(v, vk_names, V_COUNT, &json, &root, err));
    for (size_t i = 0; i < V_COUNT; i++) {
        c.field = vk_names[i];
        TRY(need(&c, &root, &v[i]));
    }
    c.field = vk_names[V_PROTOCOL];
    TRY(read_protocol(&c, &v[V_PROTOCOL]));
    c.field = vk_names[V_CURVE];
    TRY(read_curve(&c.curve, NULL, &c, &v[V_CURVE]));
    out->curve = c.curve;
    c.field = vk_names[V_PUBLICS];
    if (!json_u64(&publics, &json, &v[V_PUBLICS]) || publics > VK_PUBLICS_MAX) {
        st = fail_value(&c, &v[V_PUBLICS], "a number up to 2^24", "not a count of public values");
        goto out;
    }
    out->publics = (uint32_t)publics;
    TRY(read_vk_points(out, &c, v));
    c.field = vk_names[V_IC];
    TRY(read_ic(out, &c, &v[V_IC]));
out:
    if (st != CUZK_OK) {
        vk_free(out);
        memset(out, 0, sizeof *out);
    }
    return st;
}

/* ---- writing ---- */

static void write_number(struct json_writer *w, const uint8_t *le, size_t bytes)
{
    char text[DIGITS_MAX + 1];

    decimal_from_le(text, le, bytes);
    json_put_string(w, NULL, text);
}

/* A coordinate: a number, or a pair of them. */
static void write_coordinate(struct json_writer *w, const uint8_t *canon, size_t width, size_t part_bytes)
{
    if (width == part_bytes) {
        write_number(w, canon, part_bytes);
        return;
    }
    json_begin_array(w, NULL);
    for (size_t at = 0; at < width; at += part_bytes)
        write_number(w, canon + at, part_bytes);
    json_end(w);
}

static void write_point(struct json_writer *w, const char *name, const struct curve *curve,
                        const struct group_ops *g, const uint8_t *affine)
{
    size_t  width = g->coordinate_bytes;
    uint8_t canon[3 * 2 * FP_BYTES_MAX] = { 0 };

    g->to_canon(canon, affine);
    if (is_identity(affine, g->affine_bytes))
        canon[width] = 1; /* 0, 1, 0 */
    else
        canon[COORDINATES * width] = 1;
    json_begin_array(w, name);
    for (size_t i = 0; i < 3; i++)
        write_coordinate(w, canon + i * width, width, curve->fp_bytes);
    json_end(w);
}

cuzk_status proof_to_json(char **out, const struct curve *curve, const struct proof *p, struct cuzk_err *err)
{
    struct json_writer w;

    json_writer_init(&w, JSON_SNARKJS);
    json_begin_object(&w, NULL);
    write_point(&w, proof_names[P_A], curve, &curve->g1, p->a);
    write_point(&w, proof_names[P_B], curve, &curve->g2, p->b);
    write_point(&w, proof_names[P_C], curve, &curve->g1, p->c);
    json_put_string(&w, proof_names[P_PROTOCOL], "groth16");
    json_put_string(&w, proof_names[P_CURVE], curve->name_snarkjs);
    json_end(&w);
    return json_writer_take(out, NULL, &w, err);
}

cuzk_status public_to_json(char **out, const struct curve *curve, const fr *canon, size_t count, struct cuzk_err *err)
{
    struct json_writer w;

    (void)curve; /* the numbers are canonical already */
    json_writer_init(&w, JSON_SNARKJS);
    json_begin_array(&w, NULL);
    for (size_t i = 0; i < count; i++)
        write_number(&w, (const uint8_t *)canon[i].limb, FR_BYTES);
    json_end(&w);
    return json_writer_take(out, NULL, &w, err);
}

/* e(alpha, beta) as snarkjs nests it: two of Fp6, three of Fp2, two numbers each. */
static void write_alphabeta(struct json_writer *w, const struct vk *vk)
{
    size_t  part_bytes = vk->curve->fp_bytes;
    uint8_t value[12 * FP_BYTES_MAX];

    vk->curve->pairing.pair(value, vk->alpha1, vk->beta2);
    json_begin_array(w, "vk_alphabeta_12");
    for (size_t i = 0; i < 2; i++) {
        json_begin_array(w, NULL);
        for (size_t k = 0; k < 3; k++)
            write_coordinate(w, value + (3 * i + k) * 2 * part_bytes, 2 * part_bytes, part_bytes);
        json_end(w);
    }
    json_end(w);
}

cuzk_status vk_to_json(char **out, const struct vk *vk, struct cuzk_err *err)
{
    const struct curve *curve = vk->curve;
    struct json_writer  w;

    json_writer_init(&w, JSON_SNARKJS);
    json_begin_object(&w, NULL);
    json_put_string(&w, vk_names[V_PROTOCOL], "groth16");
    json_put_string(&w, vk_names[V_CURVE], curve->name_snarkjs);
    json_put_u64(&w, vk_names[V_PUBLICS], vk->publics);
    write_point(&w, vk_names[V_ALPHA], curve, &curve->g1, vk->alpha1);
    write_point(&w, vk_names[V_BETA], curve, &curve->g2, vk->beta2);
    write_point(&w, vk_names[V_GAMMA], curve, &curve->g2, vk->gamma2);
    write_point(&w, vk_names[V_DELTA], curve, &curve->g2, vk->delta2);
    write_alphabeta(&w, vk);
    json_begin_array(&w, vk_names[V_IC]);
    for (size_t i = 0; i <= vk->publics; i++)
        write_point(&w, NULL, curve, &curve->g1, vk->ic + i * curve->g1.affine_bytes);
    json_end(&w);
    json_end(&w);
    return json_writer_take(out, NULL, &w, err);
}
