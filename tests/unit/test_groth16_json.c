/* tests/unit/test_groth16_json.c - snarkjs' proof, public and verification key JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "groth16/json.h"

#define G2_X0 "10857046999023057135944570762232829481370756359578518086990519993285655852781"
#define G2_X1 "11559732032986387107991004021392285783925812861821192530917403151452391805634"
#define G2_Y0 "8495653923123431417604973247489272438418190587263600148770280649306958101930"
#define G2_Y1 "4082367875863433681332203403145435568316851327593401208105741076214120093531"
#define BN_R  "21888242871839275222246405745257275088548364400416034343698204186575808495617"
#define BN_P  "21888242871839275222246405745257275088696311157297823662689037894645226208583"

#define PI_A "\"pi_a\":[\"1\",\"2\",\"1\"]"
#define PI_B "\"pi_b\":[[\"" G2_X0 "\",\"" G2_X1 "\"],[\"" G2_Y0 "\",\"" G2_Y1 "\"],[\"1\",\"0\"]]"
#define PI_C "\"pi_c\":[\"0\",\"1\",\"0\"]"
#define TAIL "\"protocol\":\"groth16\",\"curve\":\"bn128\""

static void proof_fill(struct proof *p, const struct curve *curve)
{
    memset(p, 0, sizeof *p);
    curve->g1.generator(p->a);
    curve->g2.generator(p->b);
}

static void a_proof_is_written_as_snarkjs_writes_it(void **state)
{
    const struct curve *curve = curve_get(CURVE_BN254);
    struct proof        p;
    char               *text;

    (void)state;
    proof_fill(&p, curve);
    assert_int_equal(proof_to_json(&text, curve, &p, NULL), CUZK_OK);
    assert_string_equal(text, "{\n \"pi_a\": [\n  \"1\",\n  \"2\",\n  \"1\"\n ],\n"
                              " \"pi_b\": [\n  [\n   \"" G2_X0 "\",\n   \"" G2_X1 "\"\n  ],\n"
                              "  [\n   \"" G2_Y0 "\",\n   \"" G2_Y1 "\"\n  ],\n  [\n   \"1\",\n   \"0\"\n  ]\n ],\n"
                              " \"pi_c\": [\n  \"0\",\n  \"1\",\n  \"0\"\n ],\n"
                              " \"protocol\": \"groth16\",\n \"curve\": \"bn128\"\n}");
    mem_free(text);
}

static void proofs_come_back_on_both_curves(void **state)
{
    (void)state;
    for (int id = 0; id < CURVE_COUNT; id++) {
        const struct curve *curve = curve_get((enum curve_id)id);
        struct proof        p, back;
        char               *text;

        proof_fill(&p, curve);
        assert_int_equal(proof_to_json(&text, curve, &p, NULL), CUZK_OK);
        assert_int_equal(proof_from_json(&back, curve, text, "p", NULL), CUZK_OK);
        assert_memory_equal(&p, &back, sizeof p);
        mem_free(text);
    }
}

static void compact_proofs_without_curve_or_with_more_members_are_taken(void **state)
{
    static const char *const texts[] = {
        "{" PI_A "," PI_B "," PI_C "," TAIL "}",
        "{" PI_A "," PI_B "," PI_C ",\"protocol\":\"groth16\"}",
        "{" PI_C "," PI_B "," PI_A "}",
        "{" PI_A "," PI_B "," PI_C ",\"curve\":\"BN-254\",\"note\":{\"pi_a\":[]}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct proof    p;
        struct cuzk_err err;

        if (proof_from_json(&p, curve_get(CURVE_BN254), texts[i], "p", &err) != CUZK_OK)
            fail_msg("%zu: %s", i, err.text);
    }
}

static void bad_proofs_are_refused_with_their_field(void **state)
{
    static const struct { const char *text, *field; } cases[] = {
        { "[]", NULL },
        { "{" PI_A "," PI_B "," TAIL "}", "pi_c" },
        { "{" PI_A "," PI_A "," PI_B "," PI_C "," TAIL "}", NULL },
        { "{" PI_A "," PI_B "," PI_C ",\"protocol\":\"plonk\"}", "protocol" },
        { "{" PI_A "," PI_B "," PI_C ",\"curve\":\"bls12381\"}", "curve" },
        { "{" PI_A "," PI_B "," PI_C ",\"curve\":\"secp256k1\"}", "curve" },
        { "{" PI_A "," PI_B "," PI_C ",\"curve\":null}", "curve" },
        { "{\"pi_a\":[\"1\",\"3\",\"1\"]," PI_B "," PI_C "}", "pi_a" },            /* off the curve */
        { "{\"pi_a\":[\"0\",\"0\",\"1\"]," PI_B "," PI_C "}", "pi_a" },            /* not the identity inside */
        { "{\"pi_a\":[\"0\",\"0\",\"0\"]," PI_B "," PI_C "}", "pi_a" },
        { "{\"pi_a\":[\"1\",\"2\",\"0\"]," PI_B "," PI_C "}", "pi_a" },
        { "{\"pi_a\":[\"1\",\"2\",\"2\"]," PI_B "," PI_C "}", "pi_a" },
        { "{\"pi_a\":[\"1\",\"2\"]," PI_B "," PI_C "}", "pi_a" },
        { "{\"pi_a\":[\"1\",\"2\",\"1\",\"0\"]," PI_B "," PI_C "}", "pi_a" },
        { "{\"pi_a\":[1,\"2\",\"1\"]," PI_B "," PI_C "}", "pi_a" },
        { "{\"pi_a\":[\"01\",\"2\",\"1\"]," PI_B "," PI_C "}", "pi_a" },
        { "{\"pi_a\":[\"+1\",\"2\",\"1\"]," PI_B "," PI_C "}", "pi_a" },
        { "{\"pi_a\":[\"-1\",\"2\",\"1\"]," PI_B "," PI_C "}", "pi_a" },
        { "{\"pi_a\":[\" 1\",\"2\",\"1\"]," PI_B "," PI_C "}", "pi_a" },
        { "{\"pi_a\":[\"0x1\",\"2\",\"1\"]," PI_B "," PI_C "}", "pi_a" },
        { "{\"pi_a\":[\"\",\"2\",\"1\"]," PI_B "," PI_C "}", "pi_a" },
        { "{\"pi_a\":[\"" BN_P "\",\"2\",\"1\"]," PI_B "," PI_C "}", "pi_a" },     /* p: zero, not canonical */
        { "{\"pi_a\":[\"9" BN_P "\",\"2\",\"1\"]," PI_B "," PI_C "}", "pi_a" },    /* over 2^256 */
        { "{\"pi_a\":[\"1\",\"2\",\"115792089237316195423570985008687907853269984665640564039457584007913129639937\"],"
          PI_B "," PI_C "}", "pi_a" },                                             /* 2^256 + 1 is not 1 */
        { "{" PI_A ",\"pi_b\":[\"1\",\"2\",\"1\"]," PI_C "}", "pi_b" },
        { "{" PI_A ",\"pi_b\":[[\"" G2_X1 "\",\"" G2_X0 "\"],[\"" G2_Y1 "\",\"" G2_Y0 "\"],[\"1\",\"0\"]]," PI_C "}",
          "pi_b" },                                                                /* swapped as in call data */
        { "{" PI_A ",\"pi_b\":[[\"" G2_X0 "\",\"" G2_X1 "\"],[\"" G2_Y0 "\",\"" G2_Y1 "\"],[\"1\",\"1\"]]," PI_C "}",
          "pi_b" },
        { "{" PI_A "," PI_B ",\"pi_c\":{}}", "pi_c" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct proof    p;
        struct cuzk_err err;

        if (proof_from_json(&p, curve_get(CURVE_BN254), cases[i].text, "p", &err) != CUZK_E_INPUT)
            fail_msg("taken: %s", cases[i].text);
        assert_string_equal(err.place.role, "proof");
        assert_true(err.place.offset != ERR_NONE);
        if (cases[i].field) {
            assert_non_null(err.place.field);
            assert_string_equal(err.place.field, cases[i].field);
        }
    }
}

/* (4, y) on y^2 = x^3 + 4 of BLS12-381: of order r times a factor of the cofactor. */
static void points_outside_the_subgroup_are_refused(void **state)
{
    const struct curve *curve = curve_get(CURVE_BLS12_381);
    uint8_t             x[FP_BYTES_MAX] = { 0 };
    struct proof        p, back;
    struct cuzk_err     err;
    char               *text;

    (void)state;
    proof_fill(&p, curve);
    do
        x[0]++;
    while (!curve->g1.from_x(p.a, x, false) || curve->g1.is_in_subgroup(p.a));
    assert_int_equal(proof_to_json(&text, curve, &p, NULL), CUZK_OK);
    assert_int_equal(proof_from_json(&back, curve, text, "p", &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "subgroup"));
    mem_free(text);
}

static void public_values_are_canonical_decimals(void **state)
{
    static const struct { const char *text; size_t count, index; } cases[] = {
        { "[]", 0, 0 },
        { "[\"0\",\"1\",\"21888242871839275222246405745257275088548364400416034343698204186575808495616\"]", 3, 0 },
        { "[\"\\u0031\"]", 1, 0 },
        { "[\"0\",\"" BN_R "\"]", SIZE_MAX, 1 },
        { "[1]", SIZE_MAX, 0 },
        { "[\"0\",\"0\",\"00\"]", SIZE_MAX, 2 },
        { "[[\"1\"]]", SIZE_MAX, 0 },
        { "[\"1e3\"]", SIZE_MAX, 0 },
        { "{\"0\":\"1\"}", SIZE_MAX, SIZE_MAX },
        { "\"1\"", SIZE_MAX, SIZE_MAX },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr             *values;
        size_t          count;
        struct cuzk_err err;
        cuzk_status     st = public_from_json(&values, &count, curve_get(CURVE_BN254), cases[i].text, "p", &err);

        if (cases[i].count != SIZE_MAX) {
            assert_int_equal(st, CUZK_OK);
            assert_int_equal(count, cases[i].count);
        } else {
            if (st != CUZK_E_INPUT)
                fail_msg("taken: %s", cases[i].text);
            assert_null(values);
            assert_true(err.place.index == (cases[i].index == SIZE_MAX ? ERR_NONE : cases[i].index));
        }
        mem_free(values);
    }
}

/* 2^k, 2^k - 1, 10^k, 10^k - 1 and their neighbours, out and back; text against a sum done digit by digit. */
static void numbers_survive_the_way_to_decimal_and_back(void **state)
{
    const struct curve *curve = curve_get(CURVE_BLS12_381);
    fr                  values[254 * 2];
    fr                 *back;
    size_t              count = 0, back_count;
    char               *text;

    (void)state;
    memset(values, 0, sizeof values);
    for (size_t k = 0; k < 254; k++) {
        values[count++].limb[k / 64] = (uint64_t)1 << k % 64;
        for (size_t i = 0; i < k; i++)
            values[count].limb[i / 64] |= (uint64_t)1 << i % 64;
        count++;
    }
    assert_int_equal(public_to_json(&text, curve, values, count, NULL), CUZK_OK);
    assert_non_null(strstr(text, "\"18446744073709551616\""));
    assert_non_null(strstr(text, "\"18446744073709551615\""));
    assert_non_null(strstr(text, "\"340282366920938463463374607431768211456\""));
    assert_non_null(strstr(text, "\"14474011154664524427946373126085988481658748083205070504932198000989141204992\""));
    assert_int_equal(public_from_json(&back, &back_count, curve, text, "p", NULL), CUZK_OK);
    assert_int_equal(back_count, count);
    assert_memory_equal(back, values, sizeof values);
    mem_free(back);
    mem_free(text);
}

static void vk_fill(struct vk *vk, const struct curve *curve, uint32_t publics)
{
    memset(vk, 0, sizeof *vk);
    vk->curve = curve;
    vk->publics = publics;
    curve->g1.generator(vk->alpha1);
    curve->g2.generator(vk->beta2);
    curve->g2.generator(vk->gamma2);
    curve->g2.generator(vk->delta2);
    vk->ic_owned = mem_new(publics + 1, curve->g1.affine_bytes);
    assert_non_null(vk->ic_owned);
    vk->ic = vk->ic_owned;
    for (uint32_t i = 0; i < publics; i++) /* the last stays the identity */
        curve->g1.generator(vk->ic_owned + i * curve->g1.affine_bytes);
}

static void verification_keys_come_back_on_both_curves(void **state)
{
    (void)state;
    for (int id = 0; id < CURVE_COUNT; id++)
        for (uint32_t publics = 0; publics < 3; publics++) {
            struct vk vk, back;
            char     *text;

            vk_fill(&vk, curve_get((enum curve_id)id), publics);
            assert_int_equal(vk_to_json(&text, &vk, NULL), CUZK_OK);
            assert_non_null(strstr(text, id == CURVE_BN254
                                             ? " \"curve\": \"bn128\",\n"
                                             : " \"curve\": \"bls12381\",\n"));
            assert_non_null(strstr(text, "\n \"vk_alphabeta_12\": [\n  [\n   [\n    \""));
            assert_int_equal(vk_from_json(&back, text, "vk", NULL), CUZK_OK);
            assert_ptr_equal(back.curve, vk.curve);
            assert_int_equal(back.publics, publics);
            assert_memory_equal(back.alpha1, vk.alpha1, sizeof vk.alpha1);
            assert_memory_equal(back.beta2, vk.beta2, sizeof vk.beta2);
            assert_memory_equal(back.delta2, vk.delta2, sizeof vk.delta2);
            assert_memory_equal(back.ic, vk.ic, (publics + 1) * vk.curve->g1.affine_bytes);
            vk_free(&back);
            vk_free(&vk);
            mem_free(text);
        }
}

/* One edit at a time to a good key. */
static void bad_verification_keys_are_refused_with_their_field(void **state)
{
    static const struct { const char *from, *to, *field; } edits[] = {
        { "\"groth16\"", "\"plonk\"", "protocol" },
        { "\"bn128\"", "\"bn129\"", "curve" },
        { "\"bn128\"", "\"bls12381\"", "vk_alpha_1" },
        { "\"nPublic\": 1", "\"nPublic\": 0", "IC" },
        { "\"nPublic\": 1", "\"nPublic\": 2", "IC" },
        { "\"nPublic\": 1", "\"nPublic\": 4294967297", "nPublic" },
        { "\"nPublic\": 1", "\"nPublic\": 16777216", "IC" },
        { "\"nPublic\": 1", "\"nPublic\": 16777217", "nPublic" },
        { "\"nPublic\": 1", "\"nPublic\": -1", "nPublic" },
        { "\"nPublic\": 1", "\"nPublic\": \"1\"", "nPublic" },
        { "\"vk_delta_2\"", "\"vk_delta_3\"", "vk_delta_2" },
        { "\"vk_gamma_2\": [", "\"vk_gamma_2\": [[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]], \"x\": [", "vk_gamma_2" },
        { "\"vk_delta_2\": [", "\"vk_delta_2\": [[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]], \"x\": [", "vk_delta_2" },
        { "\"IC\": [", "\"IC\": 7, \"x\": [", "IC" },
        { "\"IC\": [\n  [\n   \"1\"", "\"IC\": [\n  [\n   \"2\"", "IC" },
        { "\"vk_alphabeta_12\": [", "\"vk_alphabeta_12\": [],\"x\": [", NULL }, /* not read */
    };

    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        struct vk       vk, back;
        struct cuzk_err err;
        char           *text, *place, edited[8192];
        cuzk_status     st;

        vk_fill(&vk, curve_get(CURVE_BN254), 1);
        assert_int_equal(vk_to_json(&text, &vk, NULL), CUZK_OK);
        place = strstr(text, edits[i].from);
        assert_non_null(place);
        (void)snprintf(edited, sizeof edited, "%.*s%s%s", (int)(place - text), text, edits[i].to,
                       place + strlen(edits[i].from));
        st = vk_from_json(&back, edited, "vk", &err);
        if (st != (edits[i].field ? CUZK_E_INPUT : CUZK_OK))
            fail_msg("status %d after %s", (int)st, edits[i].to);
        if (edits[i].field) {
            assert_non_null(err.place.field);
            assert_string_equal(err.place.field, edits[i].field);
            assert_null(back.ic_owned);
        }
        vk_free(&back);
        vk_free(&vk);
        mem_free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_proof_is_written_as_snarkjs_writes_it),
        cmocka_unit_test(proofs_come_back_on_both_curves),
        cmocka_unit_test(compact_proofs_without_curve_or_with_more_members_are_taken),
        cmocka_unit_test(bad_proofs_are_refused_with_their_field),
        cmocka_unit_test(points_outside_the_subgroup_are_refused),
        cmocka_unit_test(public_values_are_canonical_decimals),
        cmocka_unit_test(numbers_survive_the_way_to_decimal_and_back),
        cmocka_unit_test(verification_keys_come_back_on_both_curves),
        cmocka_unit_test(bad_verification_keys_are_refused_with_their_field),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
