/* tests/unit/test_witness.c - .wtns files. */
#include "container.h"

#include "circuit/witness.h"

#define VALUES_AT (12 + 12 + 40 + 12)

static void put_wtns(struct text *t, const struct curve *c, uint32_t count)
{
    put_head(t, "wtns", 2, 2);
    put_u32(t, 1);
    put_u64(t, 40);
    put_u32(t, FR_BYTES);
    put(t, &c->fr.modulus, FR_BYTES);
    put_u32(t, count);
    put_u32(t, 2);
    put_u64(t, (uint64_t)count * FR_BYTES);
    for (uint32_t i = 0; i < count; i++) {
        fr v = { { i + 1 } };
        put(t, &v, sizeof v);
    }
}

static cuzk_status read_text(struct witness *out, const struct text *t, size_t bytes, const struct curve *c,
                             uint32_t count, struct cuzk_err *err)
{
    struct memory_file f;
    cuzk_status        st;

    memory_file_open(&f, t->data, bytes);
    st = witness_read(out, f.path, c, count, err);
    memory_file_close(&f);
    return st;
}

static void values_are_read_on_both_curves_whether_curve_and_count_are_known_or_not(void **state)
{
    struct text     t;
    struct witness  w;
    struct cuzk_err err;

    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++)
        for (uint32_t count = 1; count <= 20; count++)
            for (int known = 0; known < 4; known++) {
                const struct curve *c = curve_get(id);
                put_wtns(&t, c, count);
                assert_int_equal(read_text(&w, &t, t.size, known & 1 ? c : NULL, known & 2 ? count : 0, &err), CUZK_OK);
                assert_ptr_equal(w.curve, c);
                assert_int_equal(w.count, count);
                assert_memory_equal(w.value, t.data + VALUES_AT, count * FR_BYTES);
                witness_free(&w);
                assert_null(w.value);
                witness_free(&w);
            }
}

static void no_part_of_a_witness_is_one(void **state)
{
    struct text     t;
    struct witness  w;
    struct cuzk_err err;

    (void)state;
    put_wtns(&t, curve_get(CURVE_BN254), 3);
    for (size_t bytes = 0; bytes < t.size; bytes++) {
        assert_int_equal(read_text(&w, &t, bytes, NULL, 0, &err), CUZK_E_INPUT);
        assert_string_equal(err.place.role, "witness");
        assert_null(w.value);
    }
}

/* Largest canonical value, smallest that is not, and what only a sloppy comparison takes. */
static void a_value_is_canonical_or_refused_at_its_place_and_never_shown(void **state)
{
    struct text     t;
    struct witness  w;
    struct cuzk_err err;
    char            line[1024];

    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++)
        for (uint32_t wire = 1; wire < 4; wire++)
            for (int limb = -2; limb < 4; limb++) {
                const struct curve *c = curve_get(id);
                fr                  v = c->fr.modulus;
                bool                good = limb == -2;
                if (good)
                    v.limb[0]--;
                else if (limb >= 0)
                    v.limb[limb]++;
                put_wtns(&t, c, 4);
                memcpy(t.data + VALUES_AT + wire * FR_BYTES, &v, sizeof v);
                assert_int_equal(read_text(&w, &t, t.size, c, 4, &err), good ? CUZK_OK : CUZK_E_INPUT);
                witness_free(&w);
                if (good)
                    continue;
                assert_string_equal(err.place.section, "values");
                assert_int_equal(err.place.index, wire);
                assert_int_equal(err.place.offset, VALUES_AT + wire * FR_BYTES);
                (void)err_format(line, sizeof line, &err);
                assert_null(
                    strstr(line, "21888242871839275222246405745257275088548364400416034343698204186575808495617"));
            }
}

static void wire_0_is_1_and_only_that(void **state)
{
    const struct curve *c = curve_get(CURVE_BLS12_381);
    struct text         t;
    struct witness      w;
    struct cuzk_err     err;

    (void)state;
    for (size_t byte = 0; byte < FR_BYTES - 1; byte++)
        for (int bit = 0; bit < 8; bit++) {
            put_wtns(&t, c, 2);
            t.data[VALUES_AT + byte] ^= (uint8_t)(1 << bit);
            assert_int_equal(read_text(&w, &t, t.size, c, 2, &err), CUZK_E_INPUT);
            assert_int_equal(err.place.index, 0);
            assert_int_equal(err.place.offset, VALUES_AT);
        }
}

static void counts_and_curves_that_do_not_fit_are_refused_before_any_memory_is_taken(void **state)
{
    static const uint32_t counts[] = { 0, 1, 3, 1u << 27, 1u << 31, UINT32_MAX };
    const struct curve   *bn = curve_get(CURVE_BN254), *bls = curve_get(CURVE_BLS12_381);
    struct text           t;
    struct witness        w;
    struct cuzk_err       err;

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        put_wtns(&t, bn, 2);
        memcpy(t.data + 12 + 12 + 36, &counts[i], 4);
        assert_int_equal(read_text(&w, &t, t.size, bn, 2, &err), CUZK_E_INPUT);
        assert_string_equal(err.place.section, "header");
        assert_int_equal(read_text(&w, &t, t.size, NULL, 0, &err), CUZK_E_INPUT); /* the section is the judge */
        assert_string_equal(err.place.section, counts[i] == 0 ? "header" : "values");
    }
    put_wtns(&t, bn, 2);
    assert_int_equal(read_text(&w, &t, t.size, bls, 2, &err), CUZK_E_INPUT);
    assert_string_equal(err.place.field, "prime");
    assert_int_equal(read_text(&w, &t, t.size, bn, 3, &err), CUZK_E_INPUT);
    assert_string_equal(err.place.field, "values");
    t.data[12 + 12 + 4] ^= 1;
    assert_int_equal(read_text(&w, &t, t.size, NULL, 0, &err), CUZK_E_INPUT);
    assert_string_equal(err.place.field, "prime");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read_on_both_curves_whether_curve_and_count_are_known_or_not),
        cmocka_unit_test(no_part_of_a_witness_is_one),
        cmocka_unit_test(a_value_is_canonical_or_refused_at_its_place_and_never_shown),
        cmocka_unit_test(wire_0_is_1_and_only_that),
        cmocka_unit_test(counts_and_curves_that_do_not_fit_are_refused_before_any_memory_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
