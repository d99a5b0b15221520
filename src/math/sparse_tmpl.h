/* math/sparse_tmpl.h - sparse matrix times vector over one scalar field.
 * In      F_NAME, a field of field_tmpl.h made with F_TYPE fr
 * Out     F(sparse_mul), as sparse_mul of struct curve
 *
 *   out[i] = R * sum over the entries (column, v) of row i of v w[column]
 *
 * w is canonical and the dictionary holds R^2 v, so one Montgomery product gives R v w.  Most coefficients of
 * circuits are 1 and -1: their w are summed as they are, and one product by R^2 converts the sum.
 * Parallel  rows in chunks of about equal weight, an entry or a row counting one each. */
#include <string.h>

#include "base/pool.h"
#include "math/cat.h"
#include "math/curve.h"

#define F(name) CAT3(F_NAME, _, name)

#ifndef CUZK_MATH_SPARSE_ONCE
#define CUZK_MATH_SPARSE_ONCE

#define SPARSE_TASK_WEIGHT 4096 /* about 50 us */
#define SPARSE_AHEAD       16   /* entries from the one whose w is asked for to the one in work */

struct sparse_job {
    fr                  *out;
    size_t               out_count;
    const struct sparse *m;
    const fr            *w;
    size_t               tasks;
};

static inline __attribute__((unused)) uint64_t sparse_weight(const struct sparse *m, size_t row)
{
    return row + (m->rows == 0 ? 0 : m->row_start[row < m->rows ? row : m->rows] - m->row_start[0]);
}

/* The first row of a task: the least with weight at least task / tasks of all. */
static inline __attribute__((unused)) size_t sparse_first_row(const struct sparse_job *j, size_t task)
{
    uint64_t total = sparse_weight(j->m, j->out_count);
    uint64_t wanted = total / j->tasks * task + total % j->tasks * task / j->tasks;
    size_t low = 0, high = j->out_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sparse_weight(j->m, middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif

CUZK_FN void F(sparse_row)(fr *out, const struct sparse *m, const fr *w, uint64_t begin, uint64_t end, uint64_t last)
{
    fr units = { { 0 } }, sum = { { 0 } }, t;
    for (uint64_t e = begin; e < end; e++) {
        const fr *x = &w[m->column[e]];
        uint32_t value = m->value[e];
        __builtin_prefetch(&w[m->column[e + SPARSE_AHEAD < last ? e + SPARSE_AHEAD : e]]);
        if (value == 0) {
            F(add)(&units, &units, x);
        } else if (value == 1) {
            F(sub)(&units, &units, x);
        } else {
            F(mul)(&t, x, &m->dictionary[value]);
            F(add)(&sum, &sum, &t);
        }
    }
    F(to_mont)(&units, &units);
    F(add)(out, &sum, &units);
}

static void F(sparse_task)(void *context, size_t task, size_t worker)
{
    const struct sparse_job *j = context;
    size_t begin = sparse_first_row(j, task), end = sparse_first_row(j, task + 1);

    (void)worker;
    if (task + 1 == j->tasks)
        end = j->out_count;
    for (size_t row = begin; row < end; row++) {
        if (row < j->m->rows)
            F(sparse_row)(&j->out[row], j->m, j->w, j->m->row_start[row], j->m->row_start[row + 1],
                          j->m->row_start[j->m->rows]);
        else
            F(set_zero)(&j->out[row]);
    }
}

static void F(sparse_mul)(fr *out, size_t out_count, const struct sparse *m, const fr *w_canon, struct pool *pool)
{
    struct sparse_job j = { .out = out, .out_count = out_count, .m = m, .w = w_canon };
    j.tasks = (size_t)(sparse_weight(m, out_count) / SPARSE_TASK_WEIGHT) + 1;
    pool_run(pool, j.tasks, F(sparse_task), &j);
}

#undef F_NAME
#undef F
