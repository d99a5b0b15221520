/* circuit/witness.c - iden3 .wtns: read, checked, wiped. */
#include "circuit/witness.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"

enum { WTNS_HEADER = 1, WTNS_VALUES = 2 };

static const char *const section_names[BINFILE_SECTION_ID_MAX + 1] = {
    [WTNS_HEADER] = "header", [WTNS_VALUES] = "values",
};

static cuzk_status read_header(struct witness *out, struct reader *r, const struct curve *wanted, uint32_t count,
                               struct cuzk_err *err)
{
    cuzk_status st;
    uint32_t bytes;
    const uint8_t *modulus;
    size_t start = r->pos;
    char expected[32];

    TRY(reader_u32(&bytes, r, "field size", err));
    if (bytes != FR_BYTES)
        return reader_fail(r, "field size", ERR_NONE, start, "32", err, "a field of %" PRIu32 " bytes", bytes);
    start = r->pos;
    TRY(reader_bytes(&modulus, r, FR_BYTES, "prime", err));
    out->curve = curve_by_fr_modulus(modulus);
    if (out->curve == NULL)
        return reader_fail(r, "prime", ERR_NONE, start, "the scalar field of BN254 or BLS12-381", err,
                           "the prime is of no known curve");
    if (wanted != NULL && out->curve->id != wanted->id)
        return reader_fail(r, "prime", ERR_NONE, start, wanted->name, err, "the witness is of %s, the key of %s",
                           out->curve->name, wanted->name);
    start = r->pos;
    TRY(reader_u32(&out->count, r, "values", err));
    TRY(reader_expect_left(r, 0, 1, "end of section", err));
    (void)snprintf(expected, sizeof expected, "%" PRIu32, count);
    if (out->count == 0)
        return reader_fail(r, "values", ERR_NONE, start, "at least 1", err, "a witness holds at least wire 0");
    if (count != 0 && out->count != count)
        return reader_fail(r, "values", ERR_NONE, start, expected, err,
                           "the witness has %" PRIu32 " values, the circuit %" PRIu32 " wires", out->count, count);
out:
    return st;
}

static cuzk_status read_values(struct witness *out, struct reader *r, struct cuzk_err *err)
{
    cuzk_status st;
    size_t start = r->pos;
    const uint8_t *data;
    static const fr one = { { 1 } };

    TRY(reader_expect_left(r, out->count, FR_BYTES, "values", err));
    TRY(reader_bytes(&data, r, (size_t)out->count * FR_BYTES, "values", err));
    out->value = mem_new(out->count, sizeof(fr));
    if (out->value == NULL)
        FAIL(CUZK_E_IO, "no memory for a witness of %" PRIu32 " values", out->count);
    memcpy(out->value, data, (size_t)out->count * FR_BYTES);
    for (uint32_t i = 0; i < out->count; i++)
        if (!out->curve->fr.is_reduced(&out->value[i])) {
            st = reader_fail(r, "value", i, start + (size_t)i * FR_BYTES, "below the prime", err,
                             "a value is not canonical");
            goto out;
        }
    if (memcmp(&out->value[0], &one, sizeof one) != 0)
        st = reader_fail(r, "value", 0, start, "1", err, "wire 0 is not 1");
out:
    return st;
}

cuzk_status witness_read(struct witness *out, const char *path, const struct curve *curve, uint32_t count,
                         struct cuzk_err *err)
{
    cuzk_status st;
    struct file_map map = { .data = NULL };
    struct binfile f;
    struct reader r;

    *out = (struct witness){ .curve = NULL };
    TRY(file_map_open(&map, path, "witness", err));
    TRY(binfile_index(&f, &map, "wtns", 1, 2, section_names, err));
    TRY(binfile_section(&r, &f, WTNS_HEADER, err));
    TRY(read_header(out, &r, curve, count, err));
    TRY(binfile_section(&r, &f, WTNS_VALUES, err));
    TRY(read_values(out, &r, err));
out:
    file_map_close(&map);
    if (st != CUZK_OK)
        witness_free(out);
    return st;
}

void witness_free(struct witness *w)
{
    if (w->value != NULL)
        mem_wipe_free(w->value, (size_t)w->count * sizeof(fr));
    *w = (struct witness){ .curve = NULL };
}
