/* tests/unit/test_sparse.c - sparse matrix times vector against the definition, on every path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../cases/msm.h"
#include "base/pool.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define DICTIONARY      7

/* Arrays are exactly as large as they say. */
struct matrix {
    struct sparse s;
    uint64_t     *row_start;
    uint32_t     *column, *value;
    fr           *dictionary;
    fr            plain[DICTIONARY]; /* the coefficients, Montgomery */
    uint32_t      columns;
    fr           *w; /* canonical */
};

static void matrix_close(struct matrix *m)
{
    free(m->row_start);
    free(m->column);
    free(m->value);
    free(m->dictionary);
    free(m->w);
}

/* Coefficients 1, -1, 0, 2, -2 and two random ones. */
static void fill_dictionary(struct matrix *m, const struct fr_ops *ops, uint64_t *state)
{
    fr zero = { { 0 } };
    m->plain[0] = ops->one;
    ops->sub(&m->plain[1], &zero, &ops->one);
    m->plain[2] = zero;
    ops->add(&m->plain[3], &ops->one, &ops->one);
    ops->sub(&m->plain[4], &zero, &m->plain[3]);
    m->plain[5] = case_random_fr(state, ops);
    m->plain[6] = case_random_fr(state, ops);
    for (size_t i = 0; i < DICTIONARY; i++)
        ops->to_mont(&m->dictionary[i], &m->plain[i]);
}

/* Rows of `most` entries at most, some empty; one row of `heavy` entries in the middle. */
static void matrix_open(struct matrix *m, const struct fr_ops *ops, uint32_t rows, uint32_t columns, uint32_t most,
                        uint32_t heavy)
{
    uint64_t state = rows + ((uint64_t)most << 20) + heavy, entries = 0;

    *m = (struct matrix){ .columns = columns };
    m->row_start = malloc((rows + 1) * sizeof *m->row_start);
    m->dictionary = malloc(DICTIONARY * sizeof *m->dictionary);
    m->w = malloc(columns * sizeof *m->w + 1);
    assert_true(m->row_start != NULL && m->dictionary != NULL && m->w != NULL);
    for (uint32_t i = 0; i < rows; i++) {
        m->row_start[i] = entries;
        entries += i == rows / 2 && heavy > 0 ? heavy : case_random(&state) % (most + 1);
    }
    m->row_start[rows] = entries;
    m->column = malloc(entries * sizeof *m->column + 1);
    m->value = malloc(entries * sizeof *m->value + 1);
    assert_true(m->column != NULL && m->value != NULL);
    for (uint64_t e = 0; e < entries; e++) {
        uint64_t random = case_random(&state);
        m->column[e] = (uint32_t)(random % columns);
        m->value[e] = random >> 40 & 1 ? (uint32_t)(random >> 41 & 1) : (uint32_t)((random >> 42) % DICTIONARY);
    }
    for (uint32_t i = 0; i < columns; i++) {
        m->w[i] = msm_case_scalar(i == 0 ? SCALARS_ONE : i % 2 ? SCALARS_MIXED : SCALARS_EDGES, &state, ops);
        ops->to_canon(&m->w[i], &m->w[i]);
    }
    fill_dictionary(m, ops, &state);
    m->s = (struct sparse){ .rows = rows, .row_start = m->row_start, .column = m->column, .value = m->value,
                            .dictionary = m->dictionary, .dictionary_count = DICTIONARY };
}

static void check(const struct curve *curve, const struct matrix *m, size_t out_count, struct pool *pool)
{
    const struct fr_ops *ops = &curve->fr;
    fr *out = malloc(out_count * sizeof *out + 1), zero = { { 0 } };

    assert_non_null(out);
    memset(out, 0xff, out_count * sizeof *out);
    curve->sparse_mul(out, out_count, &m->s, m->w, pool);
    for (size_t i = 0; i < m->s.rows; i++) {
        fr sum = zero, t;
        for (uint64_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
            ops->to_mont(&t, &m->w[m->column[e]]);
            ops->mul(&t, &t, &m->plain[m->value[e]]);
            ops->add(&sum, &sum, &t);
        }
        assert_memory_equal(&sum, &out[i], sizeof sum);
    }
    for (size_t i = m->s.rows; i < out_count; i++)
        assert_memory_equal(&zero, &out[i], sizeof zero);
    free(out);
}

static const struct { uint32_t rows, columns, most, heavy; } shapes[] = {
    { 0, 1, 0, 0 },      { 1, 1, 0, 0 },        { 1, 1, 0, 1 },        { 1, 5, 0, 100000 },  { 3, 2, 4, 0 },
    { 100, 50, 3, 0 },   { 5000, 3000, 5, 0 },  { 20000, 9000, 0, 0 }, { 20000, 100, 1, 0 }, { 9, 9, 2, 30000 },
    { 4097, 70000, 40, 0 },
};

static void every_row_is_the_sum_of_its_entries_on_every_path_and_any_number_of_threads(void **state)
{
    (void)state;
    for (size_t threads = 0; threads <= 3; threads++) {
        struct pool *pool = NULL;
        struct cuzk_err err;
        if (threads > 0)
            assert_int_equal(pool_open(&pool, threads, &err), CUZK_OK);
        for (enum curve_id id = 0; id < CURVE_COUNT; id++)
            for (enum cpu_path path = 0; path < CPU_PATH_COUNT; path++)
                for (size_t k = 0; k < COUNT_OF(shapes); k++) {
                    const struct curve *curve = curve_get_path(id, path);
                    struct matrix m;
                    if (curve == NULL)
                        continue;
                    matrix_open(&m, &curve->fr, shapes[k].rows, shapes[k].columns, shapes[k].most, shapes[k].heavy);
                    check(curve, &m, shapes[k].rows, pool);
                    matrix_close(&m);
                }
        pool_close(pool);
    }
}

static void rows_above_those_of_the_matrix_become_zero(void **state)
{
    const struct curve *curve = curve_get(CURVE_BN254);
    (void)state;
    for (size_t k = 0; k < COUNT_OF(shapes); k++) {
        struct matrix m;
        matrix_open(&m, &curve->fr, shapes[k].rows, shapes[k].columns, shapes[k].most, shapes[k].heavy);
        check(curve, &m, shapes[k].rows + 1, NULL);
        check(curve, &m, shapes[k].rows + 70000, NULL);
        matrix_close(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_the_sum_of_its_entries_on_every_path_and_any_number_of_threads),
        cmocka_unit_test(rows_above_those_of_the_matrix_become_zero),
    };
    return cmocka_run_group_tests_name("sparse", tests, NULL, NULL);
}
