/* groth16/zkey_write.c - writing a .zkey (docs/formats.md). */
#include "groth16/zkey_write.h"

#include <string.h>

#include "base/check.h"
#include "base/file.h"
#include "base/mem.h"

#define SECTIONS     10
#define ENTRY_BYTES  (12 + FR_BYTES)
#define BUFFER_BYTES ((size_t)ENTRY_BYTES * 8192)

struct zkey_writer {
    struct file_out    *file;
    const struct curve *curve;
    uint32_t            publics;
    size_t              used;
    uint8_t             buffer[BUFFER_BYTES];
};

static cuzk_status put(struct zkey_writer *z, const void *data, size_t bytes, struct cuzk_err *err)
{
    return file_out_write(z->file, data, bytes, err);
}

static cuzk_status put_u32(struct zkey_writer *z, uint32_t v, struct cuzk_err *err) { return put(z, &v, sizeof v, err); }

static cuzk_status begin_section(struct zkey_writer *z, uint32_t id, uint64_t bytes, struct cuzk_err *err)
{
    cuzk_status st;

    TRY(put_u32(z, id, err));
    TRY(put(z, &bytes, sizeof bytes, err));
out:
    return st;
}

static cuzk_status put_header(struct zkey_writer *z, const struct zkey_header *h, struct cuzk_err *err)
{
    cuzk_status st;
    const struct curve *c = h->curve;
    const size_t n1 = c->g1.affine_bytes, n2 = c->g2.affine_bytes;
    const struct { const uint8_t *data; size_t bytes; } points[] = {
        { h->alpha1, n1 }, { h->beta1, n1 }, { h->beta2, n2 }, { h->gamma2, n2 }, { h->delta1, n1 }, { h->delta2, n2 },
    };

    TRY(begin_section(z, ZKEY_HEADER, 4 + c->fp_bytes + 4 + FR_BYTES + 12 + 3 * n1 + 3 * n2, err));
    TRY(put_u32(z, c->fp_bytes, err));
    TRY(put(z, c->fp_modulus, c->fp_bytes, err));
    TRY(put_u32(z, FR_BYTES, err));
    TRY(put(z, &c->fr.modulus, FR_BYTES, err));
    TRY(put_u32(z, h->wires, err));
    TRY(put_u32(z, h->publics, err));
    TRY(put_u32(z, (uint32_t)1 << h->domain_log2, err));
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        TRY(put(z, points[i].data, points[i].bytes, err));
out:
    return st;
}

cuzk_status zkey_write_open(struct zkey_writer **out, const char *path, const struct zkey_header *header,
                            struct cuzk_err *err)
{
    cuzk_status st;
    struct zkey_writer *z = mem_new(1, sizeof *z);

    *out = NULL;
    if (z == NULL)
        FAIL(CUZK_E_IO, "no memory to write a key");
    z->curve = header->curve;
    z->publics = header->publics;
    TRY(file_out_open(&z->file, path, err));
    TRY(put(z, "zkey", 4, err));
    TRY(put_u32(z, 1, err));
    TRY(put_u32(z, SECTIONS, err));
    TRY(begin_section(z, ZKEY_PROTOCOL, 4, err));
    TRY(put_u32(z, 1, err)); /* groth16 */
    TRY(put_header(z, header, err));
    *out = z;
    return CUZK_OK;
out:
    zkey_write_abandon(&z);
    return st;
}

cuzk_status zkey_write_section(struct zkey_writer *z, uint32_t id, const void *data, size_t bytes,
                               struct cuzk_err *err)
{
    cuzk_status st;

    TRY(begin_section(z, id, bytes, err));
    TRY(put(z, data, bytes, err));
out:
    return st;
}

static cuzk_status flush_entries(struct zkey_writer *z, struct cuzk_err *err)
{
    size_t bytes = z->used;

    z->used = 0;
    return put(z, z->buffer, bytes, err);
}

/* value: canonical; the file holds value R^2. */
static cuzk_status put_entry(struct zkey_writer *z, uint32_t matrix, uint32_t row, uint32_t wire, const fr *value,
                             struct cuzk_err *err)
{
    const uint32_t place[3] = { matrix, row, wire };
    fr scaled;

    z->curve->fr.to_mont(&scaled, value);
    z->curve->fr.to_mont(&scaled, &scaled);
    memcpy(z->buffer + z->used, place, sizeof place);
    memcpy(z->buffer + z->used + sizeof place, &scaled, sizeof scaled);
    z->used += ENTRY_BYTES;
    return z->used == BUFFER_BYTES ? flush_entries(z, err) : CUZK_OK;
}

/* Entries of A and B in all constraints. */
static uint64_t count_terms(const struct r1cs *r1cs)
{
    struct r1cs_cursor cursor;
    struct r1cs_term term;
    uint64_t terms = 0;

    r1cs_begin(&cursor, r1cs);
    for (uint32_t row = 0; row < r1cs->constraints; row++)
        for (int side = 0; side < 3; side++) {
            uint32_t left = r1cs_row(&cursor);
            terms += side < 2 ? left : 0;
            for (; left > 0; left--)
                r1cs_term(&cursor, &term);
        }
    return terms;
}

cuzk_status zkey_write_coefficients(struct zkey_writer *z, const struct r1cs *r1cs, struct cuzk_err *err)
{
    cuzk_status st;
    uint64_t entries = count_terms(r1cs) + z->publics + 1;
    const fr one = { { 1 } };
    struct r1cs_cursor cursor;
    struct r1cs_term term;
    fr value;

    if (entries > UINT32_MAX)
        FAIL(CUZK_E_INPUT, "the circuit has more than 2^32 - 1 coefficients: a .zkey cannot hold them");
    TRY(begin_section(z, ZKEY_COEFFICIENTS, 4 + entries * ENTRY_BYTES, err));
    TRY(put_u32(z, (uint32_t)entries, err));
    r1cs_begin(&cursor, r1cs);
    for (uint32_t row = 0; row < r1cs->constraints; row++)
        for (uint32_t side = 0; side < 3; side++)
            for (uint32_t left = r1cs_row(&cursor); left > 0; left--) {
                r1cs_term(&cursor, &term);
                memcpy(&value, term.value_le, sizeof value);
                if (side < 2)
                    TRY(put_entry(z, side, row, term.wire, &value, err));
            }
    for (uint32_t i = 0; i <= z->publics; i++)
        TRY(put_entry(z, 0, r1cs->constraints + i, i, &one, err));
    TRY(flush_entries(z, err));
out:
    return st;
}

cuzk_status zkey_write_contributions(struct zkey_writer *z, const struct zkey_header *h, struct cuzk_err *err)
{
    /* circuit hash 64 | u32 contributions | delta after G1 | s G1 | s x G1 | s p x G2 | transcript hash 64 | u32 type |
     * u32 bytes of parameters | 1 (name), length, name */
    cuzk_status st;
    static const uint8_t no_hash[64];
    static const char name[] = ZKEY_DEVELOPMENT_NAME;
    const size_t n1 = z->curve->g1.affine_bytes, n2 = z->curve->g2.affine_bytes, name_bytes = sizeof name - 1;
    const uint8_t name_head[2] = { 1, (uint8_t)name_bytes };
    uint8_t generator[AFFINE_BYTES_MAX];

    z->curve->g1.generator(generator);
    TRY(begin_section(z, ZKEY_CONTRIBUTIONS, 64 + 4 + 3 * n1 + n2 + 64 + 4 + 4 + 2 + name_bytes, err));
    TRY(put(z, no_hash, sizeof no_hash, err));
    TRY(put_u32(z, 1, err));
    TRY(put(z, h->delta1, n1, err));
    TRY(put(z, generator, n1, err));
    TRY(put(z, h->delta1, n1, err));
    TRY(put(z, h->delta2, n2, err));
    TRY(put(z, no_hash, sizeof no_hash, err));
    TRY(put_u32(z, 0, err));
    TRY(put_u32(z, (uint32_t)(2 + name_bytes), err));
    TRY(put(z, name_head, sizeof name_head, err));
    TRY(put(z, name, name_bytes, err));
out:
    return st;
}

cuzk_status zkey_write_commit(struct zkey_writer **z, struct cuzk_err *err)
{
    cuzk_status st = file_out_commit(&(*z)->file, err);

    mem_free(*z);
    *z = NULL;
    return st;
}

void zkey_write_abandon(struct zkey_writer **z)
{
    if (*z == NULL)
        return;
    file_out_abandon(&(*z)->file);
    mem_free(*z);
    *z = NULL;
}
