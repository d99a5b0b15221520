/* circuit/r1cs.c - iden3 .r1cs: everything is checked at open, so that walking needs no checks. */
#include "circuit/r1cs.h"

#include <inttypes.h>
#include <string.h>

#include "base/check.h"

enum { R1CS_HEADER = 1, R1CS_CONSTRAINTS = 2, R1CS_LABELS = 3, R1CS_GATES = 4, R1CS_GATE_USES = 5 };

#define TERM_BYTES (4 + FR_BYTES)

static const char *const section_names[BINFILE_SECTION_ID_MAX + 1] = {
    [R1CS_HEADER] = "header",        [R1CS_CONSTRAINTS] = "constraints", [R1CS_LABELS] = "labels",
    [R1CS_GATES] = "custom gates", [R1CS_GATE_USES] = "custom gate uses",
};

static cuzk_status read_field(struct r1cs *out, struct reader *r, struct cuzk_err *err)
{
    cuzk_status st;
    uint32_t bytes;
    size_t start = r->pos;
    const uint8_t *modulus;

    TRY(reader_u32(&bytes, r, "field size", err));
    if (bytes != FR_BYTES)
        return reader_fail(r, "field size", ERR_NONE, start, "32", err, "a field of %" PRIu32 " bytes", bytes);
    TRY(reader_bytes(&modulus, r, FR_BYTES, "prime", err));
    out->curve = curve_by_fr_modulus(modulus);
    if (out->curve == NULL)
        st = reader_fail(r, "prime", ERR_NONE, start + 4, "the scalar field of BN254 or BLS12-381", err,
                         "the prime is of no known curve");
out:
    return st;
}

static cuzk_status read_header(struct r1cs *out, struct reader *r, struct cuzk_err *err)
{
    cuzk_status st;
    size_t start;
    uint64_t named;

    TRY(read_field(out, r, err));
    start = r->pos;
    TRY(reader_u32(&out->wires, r, "wires", err));
    TRY(reader_u32(&out->public_outputs, r, "public outputs", err));
    TRY(reader_u32(&out->public_inputs, r, "public inputs", err));
    TRY(reader_u32(&out->private_inputs, r, "private inputs", err));
    TRY(reader_u64(&out->labels, r, "labels", err));
    TRY(reader_u32(&out->constraints, r, "constraints", err));
    TRY(reader_expect_left(r, 0, 1, "end of section", err));
    named = (uint64_t)out->public_outputs + out->public_inputs + out->private_inputs + 1;
    if (named > out->wires)
        st = reader_fail(r, "wires", ERR_NONE, start, NULL, err,
                         "%" PRIu32 " wires, but wire 0, outputs and inputs are %" PRIu64, out->wires, named);
out:
    return st;
}

/* One linear combination of constraint `row`. */
static cuzk_status check_combination(const struct r1cs *r1cs, struct reader *r, uint32_t row, struct cuzk_err *err)
{
    cuzk_status st;
    uint32_t terms, wire;
    const uint8_t *data;
    size_t start = r->pos;
    char expected[48];
    fr value;

    TRY(reader_u32(&terms, r, "terms", err));
    if (terms > (r->end - r->pos) / TERM_BYTES)
        return reader_fail(r, "terms", row, start, NULL, err, "%" PRIu32 " terms do not fit into %zu bytes", terms,
                           r->end - r->pos);
    for (uint32_t i = 0; i < terms; i++) {
        start = r->pos;
        TRY(reader_u32(&wire, r, "wire", err));
        TRY(reader_bytes(&data, r, FR_BYTES, "value", err));
        if (wire >= r1cs->wires) {
            (void)snprintf(expected, sizeof expected, "below %" PRIu32, r1cs->wires);
            return reader_fail(r, "wire", row, start, expected, err, "wire %" PRIu32 " does not exist", wire);
        }
        memcpy(&value, data, sizeof value);
        if (!r1cs->curve->fr.is_reduced(&value))
            return reader_fail(r, "value", row, start + 4, "below the prime", err, "a coefficient is not reduced");
    }
out:
    return st;
}

static cuzk_status check_constraints(struct r1cs *out, struct reader *r, struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;

    out->constraints_start = r->pos;
    out->constraints_end = r->end;
    if (out->constraints > (r->end - r->pos) / 12)
        return reader_fail(r, "constraints", ERR_NONE, r->pos, NULL, err,
                           "%" PRIu32 " constraints do not fit into %zu bytes", out->constraints, r->end - r->pos);
    for (uint32_t row = 0; row < out->constraints; row++)
        for (int side = 0; side < 3; side++)
            TRY(check_combination(out, r, row, err));
    TRY(reader_expect_left(r, 0, 1, "end of section", err));
out:
    return st;
}

/* Labels are not used, but they back the number of wires: a label each, or, where there are none, a byte each. */
static cuzk_status check_labels(const struct r1cs *r1cs, const struct binfile *f, struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;
    struct reader r;

    if (f->section[R1CS_LABELS].present && f->section[R1CS_LABELS].bytes > 0) {
        TRY(binfile_section(&r, f, R1CS_LABELS, err));
        TRY(reader_expect_left(&r, r1cs->wires, sizeof(uint64_t), "labels", err));
    } else if (r1cs->wires > f->file->size) {
        TRY(binfile_section(&r, f, R1CS_HEADER, err));
        st = reader_fail(&r, "wires", ERR_NONE, r.pos + 4 + FR_BYTES, NULL, err,
                         "%" PRIu32 " wires in a file of %zu bytes", r1cs->wires, f->file->size);
    }
out:
    return st;
}

/* circom writes empty lists too: a count of 0. */
static cuzk_status refuse_gates(const struct binfile *f, struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;
    struct reader r;
    uint32_t count;

    for (uint32_t id = R1CS_GATES; id <= R1CS_GATE_USES; id++) {
        if (!f->section[id].present)
            continue;
        TRY(binfile_section(&r, f, id, err));
        TRY(reader_u32(&count, &r, "count", err));
        if (count != 0 || r.pos != r.end)
            return reader_fail(&r, "count", ERR_NONE, r.pos - sizeof count, "0", err,
                               "custom gates are for plonk; groth16 has none");
    }
out:
    return st;
}

cuzk_status r1cs_open(struct r1cs *out, const char *path, struct cuzk_err *err)
{
    cuzk_status st;
    struct binfile f;
    struct reader r;

    *out = (struct r1cs){ .curve = NULL };
    TRY(file_map_open(&out->map, path, "r1cs", err));
    TRY(binfile_index(&f, &out->map, "r1cs", 1, 1, section_names, err));
    TRY(binfile_section(&r, &f, R1CS_HEADER, err));
    TRY(read_header(out, &r, err));
    TRY(refuse_gates(&f, err));
    TRY(check_labels(out, &f, err));
    TRY(binfile_section(&r, &f, R1CS_CONSTRAINTS, err));
    TRY(check_constraints(out, &r, err));
    return CUZK_OK;
out:
    r1cs_close(out);
    return st;
}

void r1cs_close(struct r1cs *r)
{
    file_map_close(&r->map);
    *r = (struct r1cs){ .curve = NULL };
}

void r1cs_begin(struct r1cs_cursor *c, const struct r1cs *r)
{
    c->r = r;
    c->pos = r->constraints_start;
}

uint32_t r1cs_row(struct r1cs_cursor *c)
{
    uint32_t terms;

    CUZK_VERIFY(c->pos + sizeof terms <= c->r->constraints_end);
    memcpy(&terms, c->r->map.data + c->pos, sizeof terms);
    c->pos += sizeof terms;
    return terms;
}

void r1cs_term(struct r1cs_cursor *c, struct r1cs_term *out)
{
    CUZK_VERIFY(c->pos + TERM_BYTES <= c->r->constraints_end);
    memcpy(&out->wire, c->r->map.data + c->pos, sizeof out->wire);
    out->value_le = c->r->map.data + c->pos + sizeof out->wire;
    c->pos += TERM_BYTES;
}

/* The next combination at the witness, over R: the Montgomery product of two canonical values leaves that factor. */
static void evaluate(fr *out, struct r1cs_cursor *c, const fr *witness)
{
    const struct fr_ops *f = &c->r->curve->fr;
    struct r1cs_term term;
    fr value;

    *out = (fr){ { 0 } };
    for (uint32_t left = r1cs_row(c); left > 0; left--) {
        r1cs_term(c, &term);
        memcpy(&value, term.value_le, sizeof value);
        f->mul(&value, &value, &witness[term.wire]);
        f->add(out, out, &value);
    }
}

uint32_t r1cs_first_unsatisfied(const struct r1cs *r, const fr *witness)
{
    const struct fr_ops *f = &r->curve->fr;
    struct r1cs_cursor c;
    fr side[3];

    r1cs_begin(&c, r);
    for (uint32_t row = 0; row < r->constraints; row++) {
        for (int i = 0; i < 3; i++)
            evaluate(&side[i], &c, witness);
        f->to_mont(&side[0], &side[0]); /* A */
        f->to_mont(&side[1], &side[1]); /* B */
        f->mul(&side[0], &side[0], &side[1]); /* A B / R, and side[2] is C / R */
        if (memcmp(&side[0], &side[2], sizeof side[0]) != 0)
            return row;
    }
    return UINT32_MAX;
}
