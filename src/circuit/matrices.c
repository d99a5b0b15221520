/* circuit/matrices.c - the coefficient section of a .zkey to rows and a dictionary.
 *
 * Three passes over the mapped entries, {u32 matrix | u32 row | u32 signal | value}:
 *   1  check every entry, count the entries of each row
 *   2  prefix sums: where each row starts (all of A, then all of B, in one array)
 *   3  place every entry; the number of its value comes from a table of the values met so far */
#include "circuit/matrices.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"

#define ENTRY_BYTES   (12 + FR_BYTES)
#define PROBES        8
#define SLOTS_LOG2    20
#define VALUES_MIN    64

struct entry { uint32_t matrix, row, signal; fr value; };

static struct entry entry_at(const uint8_t *entries, uint64_t i)
{
    struct entry e;
    const uint8_t *p = entries + i * ENTRY_BYTES;

    memcpy(&e.matrix, p, 4);
    memcpy(&e.row, p + 4, 4);
    memcpy(&e.signal, p + 8, 4);
    memcpy(&e.value, p + 12, sizeof e.value);
    return e;
}

/* Distinct values, found through a table of slots that hold number + 1.  A value whose PROBES slots are taken by others
 * is stored again: that costs memory the file has paid for, but no file can make the search long. */
struct dictionary {
    fr       *value;
    uint32_t  count, room;
    uint32_t *slot;
    uint32_t  slots_log2;
};

static uint64_t hash_value(const fr *v)
{
    uint64_t h = 0;

    for (int i = 0; i < 4; i++) {
        h = (h ^ v->limb[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return h;
}

static bool dictionary_append(struct dictionary *d, const fr *v)
{
    if (d->count == d->room) {
        fr *more = mem_new(2 * (size_t)d->room, sizeof *more);
        if (more == NULL)
            return false;
        memcpy(more, d->value, d->count * sizeof *more);
        mem_free(d->value);
        d->value = more;
        d->room *= 2;
    }
    d->value[d->count++] = *v;
    return true;
}

/* *out = the number of v; false when memory is short. */
static bool dictionary_find(uint32_t *out, struct dictionary *d, const fr *v)
{
    const uint64_t mask = ((uint64_t)1 << d->slots_log2) - 1, h = hash_value(v);

    for (uint64_t probe = 0; probe < PROBES; probe++) {
        uint32_t *slot = &d->slot[(h + probe) & mask];
        if (*slot == 0) {
            if (!dictionary_append(d, v))
                return false;
            *slot = d->count;
        }
        *out = *slot - 1;
        if (memcmp(&d->value[*out], v, sizeof *v) == 0)
            return true;
    }
    *out = d->count;
    return dictionary_append(d, v);
}

/* Numbers 0 and 1 are the values 1 and -1, as R^2 and -R^2. */
static bool dictionary_open(struct dictionary *d, const struct curve *curve, uint64_t entries)
{
    fr one, minus_one, zero = { { 0 } };
    uint32_t number;

    *d = (struct dictionary){ .room = VALUES_MIN, .slots_log2 = 4 };
    while (d->slots_log2 < SLOTS_LOG2 && (uint64_t)1 << d->slots_log2 < 2 * entries)
        d->slots_log2++;
    d->value = mem_new(d->room, sizeof *d->value);
    d->slot = mem_new((size_t)1 << d->slots_log2, sizeof *d->slot);
    if (d->value == NULL || d->slot == NULL)
        return false;
    curve->fr.to_mont(&one, &curve->fr.one);
    curve->fr.sub(&minus_one, &zero, &one);
    return dictionary_find(&number, d, &one) && dictionary_find(&number, d, &minus_one);
}

static cuzk_status check_entry(const struct entry *e, const struct reader *r, size_t offset, uint64_t index,
                               const struct curve *curve, uint32_t rows_max, uint32_t wires, struct cuzk_err *err)
{
    char expected[32];

    if (e->matrix > 1)
        return reader_fail(r, "matrix", index, offset, "0 or 1", err, "matrix %" PRIu32 " does not exist", e->matrix);
    if (e->row >= rows_max) {
        (void)snprintf(expected, sizeof expected, "below %" PRIu32, rows_max);
        return reader_fail(r, "constraint", index, offset + 4, expected, err, "row %" PRIu32 " is not in the domain",
                           e->row);
    }
    if (e->signal >= wires) {
        (void)snprintf(expected, sizeof expected, "below %" PRIu32, wires);
        return reader_fail(r, "signal", index, offset + 8, expected, err, "wire %" PRIu32 " does not exist",
                           e->signal);
    }
    if (!curve->fr.is_reduced(&e->value))
        return reader_fail(r, "value", index, offset + 12, "below the prime", err, "a coefficient is not reduced");
    return CUZK_OK;
}

/* Pass 1.  start[m][row + 1] counts the entries of the row; rows[m] = highest used row + 1. */
static cuzk_status count_rows(uint64_t *const start[2], uint32_t rows[2], const struct reader *r,
                              const uint8_t *entries, uint64_t count, const struct curve *curve, uint32_t rows_max,
                              uint32_t wires, struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;

    for (uint64_t i = 0; i < count; i++) {
        struct entry e = entry_at(entries, i);
        size_t offset = (size_t)(entries - r->file->data) + i * ENTRY_BYTES;

        TRY(check_entry(&e, r, offset, i, curve, rows_max, wires, err));
        start[e.matrix][e.row + 1]++;
        if (e.row + 1 > rows[e.matrix])
            rows[e.matrix] = e.row + 1;
    }
out:
    return st;
}

/* Pass 3.  next[m][row]: where the next entry of the row goes; afterwards where the row ends. */
static bool place_entries(struct matrices *out, struct dictionary *d, uint64_t *const next[2], const uint8_t *entries,
                          uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        struct entry e = entry_at(entries, i);
        uint64_t place = next[e.matrix][e.row]++;

        out->column[place] = e.signal;
        if (!dictionary_find(&out->value[place], d, &e.value))
            return false;
    }
    return true;
}

static void show(struct sparse *m, const struct matrices *of, const uint64_t *row_start, uint32_t rows, uint32_t values)
{
    *m = (struct sparse){ .rows = rows, .row_start = row_start, .column = of->column, .value = of->value,
                          .dictionary = of->dictionary, .dictionary_count = values };
}

/* The whole build once the count is known to fit the file. */
static cuzk_status build(struct matrices *out, struct dictionary *d, const struct reader *r, const uint8_t *entries,
                         uint64_t count, const struct curve *curve, uint32_t rows_max, uint32_t wires,
                         struct cuzk_err *err)
{
    cuzk_status st;
    uint32_t rows[2] = { 0, 0 };
    uint64_t *start[2], total = 0;

    out->row_start_a = mem_new((size_t)rows_max + 1, sizeof(uint64_t));
    out->row_start_b = mem_new((size_t)rows_max + 1, sizeof(uint64_t));
    out->column = mem_new(count, sizeof(uint32_t));
    out->value = mem_new(count, sizeof(uint32_t));
    if (out->row_start_a == NULL || out->row_start_b == NULL || out->column == NULL || out->value == NULL ||
        !dictionary_open(d, curve, count))
        FAIL(CUZK_E_IO, "no memory for %" PRIu64 " coefficients", count);
    start[0] = out->row_start_a;
    start[1] = out->row_start_b;
    TRY(count_rows(start, rows, r, entries, count, curve, rows_max, wires, err));
    /* Pass 2, shifted by one row: start[row + 1] = begin of row, which placing moves to its end, the begin of row + 1. */
    for (int m = 0; m < 2; m++) {
        start[m][0] = total;
        for (uint64_t row = 0; row < rows[m]; row++) {
            uint64_t entries_of_row = start[m][row + 1];
            start[m][row + 1] = total;
            total += entries_of_row;
        }
    }
    if (!place_entries(out, d, (uint64_t *const[2]){ start[0] + 1, start[1] + 1 }, entries, count))
        FAIL(CUZK_E_IO, "no memory for %" PRIu64 " coefficients", count);
    out->dictionary = d->value;
    show(&out->a, out, out->row_start_a, rows[0], d->count);
    show(&out->b, out, out->row_start_b, rows[1], d->count);
    d->value = NULL;
    st = CUZK_OK;
out:
    return st;
}

cuzk_status matrices_from_zkey(struct matrices *out, struct reader *coefficients, const struct curve *curve,
                               uint32_t rows_max, uint32_t wires, struct cuzk_err *err)
{
    cuzk_status st;
    struct reader *r = coefficients;
    struct dictionary d = { .value = NULL };
    const uint8_t *entries;
    uint32_t count;

    *out = (struct matrices){ .column = NULL };
    TRY(reader_u32(&count, r, "coefficient count", err));
    TRY(reader_expect_left(r, count, ENTRY_BYTES, "coefficients", err));
    TRY(reader_bytes(&entries, r, (size_t)count * ENTRY_BYTES, "coefficients", err));
    TRY(build(out, &d, r, entries, count, curve, rows_max, wires, err));
out:
    mem_free(d.value);
    mem_free(d.slot);
    if (st != CUZK_OK)
        matrices_free(out);
    return st;
}

void matrices_free(struct matrices *m)
{
    mem_free(m->row_start_a);
    mem_free(m->row_start_b);
    mem_free(m->column);
    mem_free(m->value);
    mem_free(m->dictionary);
    *m = (struct matrices){ .column = NULL };
}
