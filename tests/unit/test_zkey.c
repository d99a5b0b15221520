/* tests/unit/test_zkey.c - the coefficient section as matrices, and the opening of a .zkey. */
#include "container.h"

#include <stdlib.h>

#include "base/mem.h"
#include "groth16/key.h"
#include "groth16/setup.h"

#define ROWS  8
#define WIRES 6

struct entry {
    uint32_t matrix, row, signal;
    uint64_t value;
};

/* v R^2 mod r. */
static fr doubly_montgomery(const struct curve *c, uint64_t v)
{
    fr out;

    c->fr.from_u64(&out, v);
    c->fr.to_mont(&out, &out);
    return out;
}

static void put_entry(struct text *t, const struct curve *c, const struct entry *e)
{
    fr v = doubly_montgomery(c, e->value);

    put_u32(t, e->matrix);
    put_u32(t, e->row);
    put_u32(t, e->signal);
    put(t, &v, sizeof v);
}

static cuzk_status build(struct matrices *out, struct text *t, const struct curve *c, struct cuzk_err *err)
{
    struct file_map map = { .data = t->data, .size = t->size, .role = "key", .path = "k" };
    struct reader   r = { .file = &map, .section = "coefficients", .pos = 0, .end = t->size };

    return matrices_from_zkey(out, &r, c, ROWS, WIRES, err);
}

/* Random entries, many at the same place: A w and B w are the sums in plain integers, whatever their order. */
static void any_entries_in_any_order_multiply_as_plain_integers(void **state)
{
    struct text    *t = mem_new(1, sizeof *t);
    struct cuzk_err err;

    (void)state;
    assert_non_null(t);
    for (unsigned seed = 0; seed < 60; seed++) {
        const struct curve *c = curve_get(seed % CURVE_COUNT);
        uint64_t            plain[2][ROWS] = { { 0 } }, w[WIRES];
        fr                  witness[WIRES], out[ROWS], canon;
        struct matrices     m;
        uint32_t            count = (uint32_t)(seed * 5), rows[2] = { 0, 0 };

        srand(seed);
        for (size_t i = 0; i < WIRES; i++)
            witness[i] = (fr){ { w[i] = i == 0 ? 1 : (uint64_t)rand() } };
        t->size = 0;
        put_u32(t, count);
        for (uint32_t i = 0; i < count; i++) {
            struct entry e = { (uint32_t)rand() % 2, (uint32_t)rand() % ROWS, (uint32_t)rand() % WIRES,
                               (uint64_t)(rand() % (seed % 2 ? 3 : 100000)) };
            put_entry(t, c, &e);
            plain[e.matrix][e.row] += e.value * w[e.signal];
            rows[e.matrix] = rows[e.matrix] > e.row ? rows[e.matrix] : e.row + 1;
        }
        assert_int_equal(build(&m, t, c, &err), CUZK_OK);
        assert_int_equal(m.a.rows, rows[0]);
        assert_int_equal(m.b.rows, rows[1]);
        for (size_t matrix = 0; matrix < 2; matrix++) {
            c->sparse_mul(out, ROWS, matrix == 0 ? &m.a : &m.b, witness, NULL);
            for (size_t row = 0; row < ROWS; row++) {
                c->fr.to_canon(&canon, &out[row]);
                assert_true(canon.limb[0] == plain[matrix][row] && canon.limb[1] == 0);
            }
        }
        matrices_free(&m);
    }
    mem_free(t);
}

static void the_dictionary_begins_with_one_and_minus_one_and_holds_each_value_once(void **state)
{
    struct text     t = { .size = 0 };
    struct matrices m;
    struct cuzk_err err;
    fr              sum;

    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++) {
        const struct curve *c = curve_get(id);
        const fr            one = doubly_montgomery(c, 1), zero = { { 0 } };
        t.size = 0;
        put_u32(&t, 40);
        for (uint32_t i = 0; i < 40; i++)
            put_entry(&t, c, &(struct entry){ i % 2, i % ROWS, i % WIRES, i % 5 });
        assert_int_equal(build(&m, &t, c, &err), CUZK_OK);
        assert_int_equal(m.a.dictionary_count, 2 + 4); /* 0, 2, 3, 4 */
        assert_memory_equal(&m.a.dictionary[0], &one, sizeof one);
        c->fr.add(&sum, &m.a.dictionary[0], &m.a.dictionary[1]);
        assert_memory_equal(&sum, &zero, sizeof zero);
        matrices_free(&m);
    }
}

static void an_entry_out_of_range_is_refused_at_its_place(void **state)
{
    static const struct {
        size_t      at;
        uint32_t    value;
        const char *field;
    } rows[] = {
        {0,  2,          "matrix"    },
        { 0, UINT32_MAX, "matrix"    },
        { 4, ROWS,       "constraint"},
        { 4, UINT32_MAX, "constraint"},
        { 8, WIRES,      "signal"    },
        { 8, UINT32_MAX, "signal"    },
    };
    struct text     t = { .size = 0 };
    struct matrices m;
    struct cuzk_err err;

    (void)state;
    for (uint32_t index = 0; index < 3; index++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            t.size = 0;
            put_u32(&t, 3);
            for (uint32_t k = 0; k < 3; k++)
                put_entry(&t, curve_get(CURVE_BN254), &(struct entry){ 1, ROWS - 1, WIRES - 1, 7 });
            memcpy(t.data + 4 + 44 * index + rows[i].at, &rows[i].value, 4);
            assert_int_equal(build(&m, &t, curve_get(CURVE_BN254), &err), CUZK_E_INPUT);
            assert_string_equal(err.place.field, rows[i].field);
            assert_int_equal(err.place.index, index);
            assert_int_equal(err.place.offset, 4 + 44 * index + rows[i].at);
            assert_null(m.row_start_a);
        }
}

static void a_count_of_entries_is_what_the_section_holds(void **state)
{
    static const uint32_t counts[] = { 0, 2, 4, 97612894, 1u << 31, UINT32_MAX };
    struct text           t = { .size = 0 };
    struct matrices       m;
    struct cuzk_err       err;

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        t.size = 0;
        put_u32(&t, counts[i]);
        for (uint32_t k = 0; k < 3; k++)
            put_entry(&t, curve_get(CURVE_BN254), &(struct entry){ 0, k, k, 1 });
        assert_int_equal(build(&m, &t, curve_get(CURVE_BN254), &err), CUZK_E_INPUT);
        assert_string_equal(err.place.field, "coefficients");
        assert_int_equal(err.place.offset, 4);
    }
    t.size = 3;
    assert_int_equal(build(&m, &t, curve_get(CURVE_BN254), &err), CUZK_E_INPUT);
    assert_string_equal(err.place.field, "coefficient count");
}

/* --- whole keys -------------------------------------------------------------------------------------------------- */

/* x x = out, one public wire, an unused wire. */
static void put_circuit(struct text *t, const struct curve *c)
{
    const fr one = { { 1 } };

    put_head(t, "r1cs", 1, 2);
    put_u32(t, 1);
    put_u64(t, 64);
    put_u32(t, FR_BYTES);
    put(t, &c->fr.modulus, FR_BYTES);
    for (size_t i = 0; i < 4; i++)
        put_u32(t, (const uint32_t[]){ 4, 1, 0, 1 }[i]);
    put_u64(t, 4);
    put_u32(t, 1);
    put_u32(t, 2);
    put_u64(t, 3 * 40);
    for (size_t side = 0; side < 3; side++) {
        put_u32(t, 1);
        put_u32(t, side == 2 ? 1 : 2);
        put(t, &one, sizeof one);
    }
}

static void make_key(struct text *key, const struct curve *c)
{
    struct memory_file f;
    struct r1cs        r1cs;
    struct cuzk_err    err;
    char               path[64];
    FILE              *in;

    (void)snprintf(path, sizeof path, "/tmp/cuzk-test-zkey-%d", (int)getpid());
    put_circuit(key, c);
    memory_file_open(&f, key->data, key->size);
    assert_int_equal(r1cs_open(&r1cs, f.path, &err), CUZK_OK);
    assert_int_equal(groth16_setup(&r1cs, path, &(uint64_t){ 1 }, NULL, NULL, NULL, &err), CUZK_OK);
    r1cs_close(&r1cs);
    memory_file_close(&f);
    in = fopen(path, "rb");
    assert_non_null(in);
    key->size = fread(key->data, 1, TEXT_MAX, in);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(unlink(path), 0);
}

static cuzk_status try_key(const void *data, size_t bytes, struct cuzk_err *err)
{
    struct memory_file f;
    struct key         k;
    cuzk_status        st;

    memory_file_open(&f, data, bytes);
    st = key_open(&k, f.path, err);
    if (st == CUZK_OK)
        key_close(&k);
    memory_file_close(&f);
    return st;
}

static void a_key_shows_the_circuit_that_it_was_made_for(void **state)
{
    static struct text t;
    struct memory_file f;
    struct key         k;
    struct cuzk_err    err;

    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++) {
        make_key(&t, curve_get(id));
        memory_file_open(&f, t.data, t.size);
        assert_int_equal(key_open(&k, f.path, &err), CUZK_OK);
        assert_ptr_equal(k.curve, curve_get(id));
        assert_int_equal(k.wires, 4);
        assert_int_equal(k.publics, 1);
        assert_int_equal(k.constraints, 1);
        assert_int_equal(k.domain_log2, 2);
        assert_int_equal(k.coefficients, 4);
        assert_int_equal(k.contributions, 1);
        assert_true(k.development);
        assert_false(k.forgeable);
        assert_int_equal(k.matrices.a.rows, 3);
        assert_int_equal(k.matrices.b.rows, 1);
        key_close(&k);
        key_close(&k);
        memory_file_close(&f);
    }
}

static void no_part_of_a_key_is_one(void **state)
{
    static struct text t;
    struct cuzk_err    err;

    (void)state;
    make_key(&t, curve_get(CURVE_BN254));
    assert_int_equal(try_key(t.data, t.size, &err), CUZK_OK);
    for (size_t bytes = 0; bytes < t.size; bytes++) {
        assert_int_equal(try_key(t.data, bytes, &err), CUZK_E_INPUT);
        assert_string_equal(err.place.role, "key");
    }
}

/* Whatever section 10 holds, it is not needed to prove: reading it ends, within it, and never fails. */
static void any_contributions_are_taken(void **state)
{
    static struct text    t;
    static const uint64_t words[] = { 0, 1, 0xffff, UINT32_MAX, 1ull << 32, UINT64_MAX };
    struct cuzk_err       err;
    size_t                start;

    (void)state;
    make_key(&t, curve_get(CURVE_BN254));
    for (start = 12;; start += 12) { /* the last section */
        uint64_t bytes;
        memcpy(&bytes, t.data + start + 4, 8);
        if (start + 12 + bytes == t.size)
            break;
        start += bytes;
    }
    assert_int_equal(t.data[start], 10);
    const size_t size = t.size;
    for (size_t bytes = 0; start + 12 + bytes <= size; bytes++) {
        t.size = start + 4;
        put_u64(&t, bytes);
        t.size += bytes;
        assert_int_equal(try_key(t.data, t.size, &err), CUZK_OK);
    }
    for (size_t at = start + 12; at + 8 <= size; at++)
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            uint8_t old[8];
            memcpy(old, t.data + at, 8);
            memcpy(t.data + at, &words[i], 8);
            assert_int_equal(try_key(t.data, size, &err), CUZK_OK);
            memcpy(t.data + at, old, 8);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_entries_in_any_order_multiply_as_plain_integers),
        cmocka_unit_test(the_dictionary_begins_with_one_and_minus_one_and_holds_each_value_once),
        cmocka_unit_test(an_entry_out_of_range_is_refused_at_its_place),
        cmocka_unit_test(a_count_of_entries_is_what_the_section_holds),
        cmocka_unit_test(a_key_shows_the_circuit_that_it_was_made_for),
        cmocka_unit_test(no_part_of_a_key_is_one),
        cmocka_unit_test(any_contributions_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
