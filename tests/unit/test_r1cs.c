/* tests/unit/test_r1cs.c - .r1cs files: what is taken can be walked, and evaluates as plain integers do. */
#include "container.h"

#include "circuit/r1cs.h"

#define WIRES       5
#define CONSTRAINTS 4

struct term {
    uint32_t wire;
    uint64_t value;
};
struct row {
    uint32_t    count;
    struct term term[2];
};

/* Wires 1, a, b, c, d:  a b = c;  (a + 3) (b + b) = d;  0 a = 0;  1 = 1. */
static const struct row rows[CONSTRAINTS][3] = {
    {{ 1, { { 1, 1 } } },            { 1, { { 2, 1 } } },           { 1, { { 3, 1 } } }},
    { { 2, { { 1, 1 }, { 0, 3 } } }, { 2, { { 2, 1 }, { 2, 1 } } }, { 1, { { 4, 1 } } }},
    { { 1, { { 3, 0 } } },           { 1, { { 1, 1 } } },           { 0, { { 0, 0 } } }},
    { { 1, { { 0, 1 } } },           { 1, { { 0, 1 } } },           { 1, { { 0, 1 } } }},
};

struct layout {
    size_t header, constraints;
}; /* where their data is */

static struct layout put_r1cs(struct text *t, const struct curve *c)
{
    struct text   body = { .size = 0 };
    struct layout at;

    for (size_t i = 0; i < CONSTRAINTS; i++)
        for (size_t side = 0; side < 3; side++) {
            put_u32(&body, rows[i][side].count);
            for (uint32_t k = 0; k < rows[i][side].count; k++) {
                fr v = { { rows[i][side].term[k].value } };
                put_u32(&body, rows[i][side].term[k].wire);
                put(&body, &v, sizeof v);
            }
        }
    put_head(t, "r1cs", 1, 2);
    put_u32(t, 1);
    put_u64(t, 64);
    at.header = t->size;
    put_u32(t, FR_BYTES);
    put(t, &c->fr.modulus, FR_BYTES);
    for (uint32_t i = 0; i < 4; i++)
        put_u32(t, (const uint32_t[]){ WIRES, 1, 1, 0 }[i]);
    put_u64(t, WIRES);
    put_u32(t, CONSTRAINTS);
    at.constraints = t->size + 12;
    put_section(t, 2, body.data, body.size);
    return at;
}

static cuzk_status open_text(struct r1cs *out, struct memory_file *f, const struct text *t, size_t bytes,
                             struct cuzk_err *err)
{
    memory_file_open(f, t->data, bytes);
    return r1cs_open(out, f->path, err);
}

static cuzk_status try_text(const struct text *t, size_t bytes, struct cuzk_err *err)
{
    struct memory_file f;
    struct r1cs        r;
    cuzk_status        st = open_text(&r, &f, t, bytes, err);

    if (st == CUZK_OK)
        r1cs_close(&r);
    memory_file_close(&f);
    return st;
}

static void terms_come_out_as_they_went_in(void **state)
{
    struct text        t;
    struct memory_file f;
    struct r1cs        r;
    struct r1cs_cursor c;
    struct r1cs_term   term;
    struct cuzk_err    err;

    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++) {
        put_r1cs(&t, curve_get(id));
        assert_int_equal(open_text(&r, &f, &t, t.size, &err), CUZK_OK);
        assert_ptr_equal(r.curve, curve_get(id));
        assert_int_equal(r.wires, WIRES);
        assert_int_equal(r1cs_publics(&r), 2);
        assert_int_equal(r.constraints, CONSTRAINTS);
        r1cs_begin(&c, &r);
        for (size_t i = 0; i < CONSTRAINTS; i++)
            for (size_t side = 0; side < 3; side++) {
                assert_int_equal(r1cs_row(&c), rows[i][side].count);
                for (uint32_t k = 0; k < rows[i][side].count; k++) {
                    fr v = { { rows[i][side].term[k].value } };
                    r1cs_term(&c, &term);
                    assert_int_equal(term.wire, rows[i][side].term[k].wire);
                    assert_memory_equal(term.value_le, &v, sizeof v);
                }
            }
        assert_int_equal(c.pos, r.constraints_end);
        r1cs_close(&r);
        memory_file_close(&f);
    }
}

static uint64_t plain(const struct row *row, const uint64_t w[WIRES])
{
    uint64_t sum = 0;

    for (uint32_t k = 0; k < row->count; k++)
        sum += row->term[k].value * w[row->term[k].wire];
    return sum;
}

/* Every witness of small numbers: the first constraint that fails is the one that fails in plain integers. */
static void the_first_unsatisfied_constraint_is_that_of_plain_integers(void **state)
{
    struct text        t;
    struct memory_file f;
    struct r1cs        r;
    struct cuzk_err    err;
    uint32_t           satisfied = 0;

    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++) {
        put_r1cs(&t, curve_get(id));
        assert_int_equal(open_text(&r, &f, &t, t.size, &err), CUZK_OK);
        for (uint64_t n = 0; n < 4 * 4 * 7 * 40; n++) {
            const uint64_t w[WIRES] = { 1, n % 4, n / 4 % 4, n / 16 % 7, n / 112 };
            fr             values[WIRES];
            uint32_t       first = 0;
            for (size_t i = 0; i < WIRES; i++)
                values[i] = (fr){ { w[i] } };
            while (first < CONSTRAINTS &&
                   plain(&rows[first][0], w) * plain(&rows[first][1], w) == plain(&rows[first][2], w))
                first++;
            satisfied += first == CONSTRAINTS;
            assert_int_equal(r1cs_first_unsatisfied(&r, values), first == CONSTRAINTS ? UINT32_MAX : first);
        }
        r1cs_close(&r);
        memory_file_close(&f);
    }
    assert_true(satisfied > 20);
}

static void no_part_of_a_circuit_is_one(void **state)
{
    struct text     t;
    struct cuzk_err err;

    (void)state;
    put_r1cs(&t, curve_get(CURVE_BLS12_381));
    for (size_t bytes = 0; bytes < t.size; bytes++) {
        assert_int_equal(try_text(&t, bytes, &err), CUZK_E_INPUT);
        assert_string_equal(err.place.role, "r1cs");
    }
}

/* The words of every count and index, at their limits. */
static void a_wire_or_count_out_of_range_is_refused_at_its_place(void **state)
{
    static const uint32_t values[] = { WIRES, WIRES + 1, 100, 1u << 31, UINT32_MAX };
    struct text           t;
    struct cuzk_err       err;
    struct layout         at = put_r1cs(&t, curve_get(CURVE_BN254));
    const size_t          second = at.constraints + 3 * (4 + 36);

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        (void)put_r1cs(&t, curve_get(CURVE_BN254));
        memcpy(t.data + second + 4, &values[i], 4); /* its first wire */
        assert_int_equal(try_text(&t, t.size, &err), CUZK_E_INPUT);
        assert_string_equal(err.place.field, "wire");
        assert_int_equal(err.place.index, 1);
        assert_int_equal(err.place.offset, second + 4);
        (void)put_r1cs(&t, curve_get(CURVE_BN254));
        memcpy(t.data + second, &(uint32_t){ 1000000 + values[i] % (1u << 31) }, 4); /* its count of terms */
        assert_int_equal(try_text(&t, t.size, &err), CUZK_E_INPUT);
        assert_string_equal(err.place.field, "terms");
        assert_int_equal(err.place.offset, second);
        (void)put_r1cs(&t, curve_get(CURVE_BN254));
        memcpy(t.data + at.header + 60, &(uint32_t){ values[i] | 8 }, 4); /* constraints */
        assert_int_equal(try_text(&t, t.size, &err), CUZK_E_INPUT);
        for (size_t word = 0; word < 4; word++) { /* wires grow beyond the file, the others beyond the wires */
            (void)put_r1cs(&t, curve_get(CURVE_BN254));
            memcpy(t.data + at.header + 36 + 4 * word, &(uint32_t){ values[i] | 1u << 20 }, 4);
            assert_int_equal(try_text(&t, t.size, &err), CUZK_E_INPUT);
            assert_string_equal(err.place.field, "wires");
        }
    }
}

static void a_coefficient_is_canonical_or_refused_at_its_place(void **state)
{
    struct text     t;
    struct cuzk_err err;

    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++)
        for (int limb = -1; limb < 4; limb++) {
            fr            v = curve_get(id)->fr.modulus;
            struct layout at = put_r1cs(&t, curve_get(id));
            if (limb >= 0)
                v.limb[limb]++;
            memcpy(t.data + at.constraints + 40 + 8, &v, sizeof v);
            assert_int_equal(try_text(&t, t.size, &err), CUZK_E_INPUT);
            assert_string_equal(err.place.field, "value");
            assert_int_equal(err.place.index, 0);
            assert_int_equal(err.place.offset, at.constraints + 40 + 8);
            v = curve_get(id)->fr.modulus;
            v.limb[0]--;
            memcpy(t.data + at.constraints + 40 + 8, &v, sizeof v);
            assert_int_equal(try_text(&t, t.size, &err), CUZK_OK);
        }
}

static void labels_are_none_or_one_a_wire_and_custom_gates_none(void **state)
{
    static const uint8_t zeros[64];
    struct text          t;
    struct cuzk_err      err;

    (void)state;
    for (uint32_t id = 3; id <= 5; id++)
        for (size_t bytes = 0; bytes <= 48; bytes++) {
            (void)put_r1cs(&t, curve_get(CURVE_BN254));
            t.data[8] = 3;
            put_section(&t, id, zeros, bytes);
            bool good = id == 3 ? bytes == 0 || bytes == 8 * WIRES : bytes == 4;
            assert_int_equal(try_text(&t, t.size, &err), good ? CUZK_OK : CUZK_E_INPUT);
            if (!good)
                assert_string_equal(err.place.section, id == 3   ? "labels"
                                                       : id == 4 ? "custom gates"
                                                                 : "custom gate uses");
        }
    for (uint32_t id = 4; id <= 5; id++)
        for (size_t byte = 0; byte < 4; byte++) {
            (void)put_r1cs(&t, curve_get(CURVE_BN254));
            t.data[8] = 3;
            put_section(&t, id, zeros, 4);
            t.data[t.size - 4 + byte] = 1;
            assert_int_equal(try_text(&t, t.size, &err), CUZK_E_INPUT);
            assert_string_equal(err.place.field, "count");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_come_out_as_they_went_in),
        cmocka_unit_test(the_first_unsatisfied_constraint_is_that_of_plain_integers),
        cmocka_unit_test(no_part_of_a_circuit_is_one),
        cmocka_unit_test(a_wire_or_count_out_of_range_is_refused_at_its_place),
        cmocka_unit_test(a_coefficient_is_canonical_or_refused_at_its_place),
        cmocka_unit_test(labels_are_none_or_one_a_wire_and_custom_gates_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
