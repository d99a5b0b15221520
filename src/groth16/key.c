/* groth16/key.c - opening a .zkey: mapped, every check made that needs no pass over the points. */
#include "groth16/key.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "groth16/zkey_sections.h"

#define PROTOCOL_GROTH16 1

static const char *const section_names[BINFILE_SECTION_ID_MAX + 1] = {
    [ZKEY_PROTOCOL] = "protocol",  [ZKEY_HEADER] = "header", [ZKEY_IC] = "IC",
    [ZKEY_COEFFICIENTS] = "coefficients", [ZKEY_A] = "A", [ZKEY_B1] = "B1", [ZKEY_B2] = "B2", [ZKEY_C] = "C",
    [ZKEY_H] = "H", [ZKEY_CONTRIBUTIONS] = "contributions",
};

static cuzk_status read_protocol(struct reader *r, struct cuzk_err *err)
{
    cuzk_status st;
    uint32_t protocol;
    size_t start = r->pos;

    TRY(reader_u32(&protocol, r, "protocol", err));
    TRY(reader_expect_left(r, 0, 1, "end of section", err));
    if (protocol != PROTOCOL_GROTH16)
        st = reader_fail(r, "protocol", ERR_NONE, start, "1 (groth16)", err, "protocol %" PRIu32 "%s", protocol,
                         protocol == 2 ? " (plonk)" : protocol == 10 ? " (fflonk)" : "");
out:
    return st;
}

/* A prime field as u32 bytes, modulus; *modulus borrowed from the map. */
static cuzk_status read_field(struct reader *r, uint32_t bytes_wanted, const char *const fields[2],
                              const uint8_t **modulus, struct cuzk_err *err)
{
    cuzk_status st;
    uint32_t bytes;
    size_t start = r->pos;
    char expected[16];

    TRY(reader_u32(&bytes, r, fields[0], err));
    (void)snprintf(expected, sizeof expected, "%" PRIu32, bytes_wanted);
    if (bytes != bytes_wanted)
        return reader_fail(r, fields[0], ERR_NONE, start, expected, err, "a field of %" PRIu32 " bytes", bytes);
    TRY(reader_bytes(modulus, r, bytes, fields[1], err));
out:
    return st;
}

/* The curve: q tells, r must agree. */
static cuzk_status read_curve(struct key *out, struct reader *r, struct cuzk_err *err)
{
    cuzk_status st;
    static const char *const q_fields[] = { "n8q", "q" }, *const r_fields[] = { "n8r", "r" };
    const uint8_t *modulus;
    size_t start = r->pos;
    uint32_t q_bytes;

    TRY(reader_u32(&q_bytes, r, "n8q", err));
    r->pos = start;
    for (enum curve_id id = 0; id < CURVE_COUNT && out->curve == NULL; id++)
        if (curve_get(id)->fp_bytes == q_bytes)
            out->curve = curve_get(id);
    if (out->curve == NULL)
        return reader_fail(r, "n8q", ERR_NONE, start, "32 (BN254) or 48 (BLS12-381)", err, "a field of %" PRIu32 " bytes",
                           q_bytes);
    TRY(read_field(r, q_bytes, q_fields, &modulus, err));
    if (memcmp(modulus, out->curve->fp_modulus, q_bytes) != 0)
        return reader_fail(r, "q", ERR_NONE, start + 4, out->curve->name, err, "the base field is of no known curve");
    start = r->pos;
    TRY(read_field(r, FR_BYTES, r_fields, &modulus, err));
    if (memcmp(modulus, &out->curve->fr.modulus, FR_BYTES) != 0)
        return reader_fail(r, "r", ERR_NONE, start + 4, out->curve->name, err, "the scalar field is not the curve's");
out:
    return st;
}

static cuzk_status read_counts(struct key *out, struct reader *r, struct cuzk_err *err)
{
    cuzk_status st;
    uint32_t domain;
    size_t start = r->pos;

    TRY(reader_u32(&out->wires, r, "nVars", err));
    TRY(reader_u32(&out->publics, r, "nPublic", err));
    TRY(reader_u32(&domain, r, "domainSize", err));
    if (out->publics >= out->wires)
        return reader_fail(r, "nPublic", ERR_NONE, start + 4, "below nVars", err,
                           "%" PRIu32 " public values of %" PRIu32 " wires", out->publics, out->wires);
    if (domain < 2 || (domain & (domain - 1)) != 0)
        return reader_fail(r, "domainSize", ERR_NONE, start + 8, "a power of two, at least 2", err,
                           "a domain of %" PRIu32 " points", domain);
    out->domain_log2 = (uint32_t)__builtin_ctz(domain);
    if (out->domain_log2 > out->curve->fr.two_adicity)
        return reader_fail(r, "domainSize", ERR_NONE, start + 8, NULL, err,
                           "2^%" PRIu32 " points, but %s has roots of unity to 2^%" PRIu32, out->domain_log2,
                           out->curve->name, out->curve->fr.two_adicity);
out:
    return st;
}

/* A point of the header: in the subgroup and not the identity. */
static cuzk_status read_header_point(uint8_t *out, struct reader *r, const struct group_ops *g, const char *field,
                                     struct cuzk_err *err)
{
    cuzk_status st;
    const uint8_t *data;
    size_t start = r->pos;
    static const uint8_t identity[AFFINE_BYTES_MAX];

    TRY(reader_bytes(&data, r, g->affine_bytes, field, err));
    memcpy(out, data, g->affine_bytes);
    if (!g->is_reduced(data))
        return reader_fail(r, field, ERR_NONE, start, "coordinates below q", err, "a coordinate is not reduced");
    if (memcmp(data, identity, g->affine_bytes) == 0)
        return reader_fail(r, field, ERR_NONE, start, NULL, err, "the point is the identity");
    if (!g->is_on_curve(data))
        return reader_fail(r, field, ERR_NONE, start, NULL, err, "the point is not on the curve");
    if (!g->is_in_subgroup(data))
        return reader_fail(r, field, ERR_NONE, start, NULL, err, "the point is not in the subgroup of order r");
out:
    return st;
}

static cuzk_status read_header(struct key *out, struct reader *r, struct cuzk_err *err)
{
    cuzk_status st;
    const struct group_ops *g1, *g2;

    TRY(read_curve(out, r, err));
    TRY(read_counts(out, r, err));
    g1 = &out->curve->g1;
    g2 = &out->curve->g2;
    TRY(reader_expect_left(r, 3 * g1->affine_bytes + 3 * g2->affine_bytes, 1, "points", err));
    TRY(read_header_point(out->vk.alpha1, r, g1, "alpha1", err));
    TRY(read_header_point(out->beta1, r, g1, "beta1", err));
    TRY(read_header_point(out->vk.beta2, r, g2, "beta2", err));
    TRY(read_header_point(out->vk.gamma2, r, g2, "gamma2", err));
    TRY(read_header_point(out->delta1, r, g1, "delta1", err));
    TRY(read_header_point(out->vk.delta2, r, g2, "delta2", err));
    out->forgeable = memcmp(out->vk.gamma2, out->vk.delta2, g2->affine_bytes) == 0;
    out->vk.curve = out->curve;
    out->vk.publics = out->publics;
out:
    return st;
}

static cuzk_status take_points(const uint8_t **out, const struct binfile *f, uint32_t id, uint64_t count, size_t bytes,
                               struct cuzk_err *err)
{
    cuzk_status st;
    struct reader r;

    TRY(binfile_section(&r, f, id, err));
    TRY(reader_expect_left(&r, count, bytes, "points", err));
    TRY(reader_bytes(out, &r, count * bytes, "points", err));
out:
    return st;
}

/* Sizes first: all that is allocated later is backed by points that are in the file. */
static cuzk_status take_all_points(struct key *out, const struct binfile *f, struct cuzk_err *err)
{
    cuzk_status st;
    const size_t n1 = out->curve->g1.affine_bytes, n2 = out->curve->g2.affine_bytes;
    const uint64_t publics = (uint64_t)out->publics + 1;

    TRY(take_points(&out->vk.ic, f, ZKEY_IC, publics, n1, err));
    TRY(take_points(&out->a, f, ZKEY_A, out->wires, n1, err));
    TRY(take_points(&out->b1, f, ZKEY_B1, out->wires, n1, err));
    TRY(take_points(&out->b2, f, ZKEY_B2, out->wires, n2, err));
    TRY(take_points(&out->c, f, ZKEY_C, out->wires - publics, n1, err));
    TRY(take_points(&out->h, f, ZKEY_H, (uint64_t)1 << out->domain_log2, n1, err));
out:
    return st;
}

static cuzk_status check_ic(const struct key *k, const struct binfile *f, struct cuzk_err *err)
{
    cuzk_status st;
    const struct group_ops *g = &k->curve->g1;
    struct reader r;

    TRY(binfile_section(&r, f, ZKEY_IC, err));
    for (uint64_t i = 0; i <= k->publics; i++) {
        const uint8_t *p = k->vk.ic + i * g->affine_bytes;
        size_t offset = (size_t)(p - k->map.data);
        if (!g->is_reduced(p))
            return reader_fail(&r, "point", i, offset, "coordinates below q", err, "a coordinate is not reduced");
        if (!g->is_on_curve(p) || !g->is_in_subgroup(p))
            return reader_fail(&r, "point", i, offset, NULL, err, "the point is not in the group");
    }
out:
    return st;
}

/* The last rows are the public ones: row constraints + i holds A = 1 for wire i and nothing of B; so the domain is known. */
static cuzk_status check_rows(struct key *k, struct reader *r, struct cuzk_err *err)
{
    const struct sparse *a = &k->matrices.a;
    const uint32_t publics = k->publics + 1;
    char expected[48];
    uint32_t log2 = 1;

    if (a->rows < publics)
        return reader_fail(r, "constraint", ERR_NONE, r->end, NULL, err,
                           "the rows of the %" PRIu32 " public wires are missing", publics);
    k->constraints = a->rows - publics;
    for (uint32_t i = 0; i < publics; i++) {
        uint64_t entry = a->row_start[k->constraints + i];
        if (a->row_start[k->constraints + i + 1] - entry != 1 || a->column[entry] != i || a->value[entry] != 0)
            return reader_fail(r, "constraint", i, r->end, "A = 1 at the wire", err,
                               "row %" PRIu32 " is not the row of public wire %" PRIu32, k->constraints + i, i);
    }
    if (k->matrices.b.rows > k->constraints)
        return reader_fail(r, "constraint", ERR_NONE, r->end, "A alone in public rows", err,
                           "matrix B uses row %" PRIu32 ", a public one", k->matrices.b.rows - 1);
    while (((uint64_t)1 << log2) < a->rows)
        log2++;
    if (log2 != k->domain_log2) {
        (void)snprintf(expected, sizeof expected, "2^%" PRIu32, log2);
        return reader_fail(r, "domainSize", ERR_NONE, ERR_NONE, expected, err,
                           "a domain of 2^%" PRIu32 " points for %" PRIu32 " rows", k->domain_log2, a->rows);
    }
    return CUZK_OK;
}

/* Section 10 is not needed to prove: it is read for `key info` as far as it can be understood.
 * circuit hash 64 | u32 count | { delta after | s | s x | s p x G2 | hash 64 | u32 type | u32 bytes | parameters }* */
static void read_contributions(struct key *k, const struct binfile *f)
{
    static const char development[] = ZKEY_DEVELOPMENT_NAME;
    const size_t record = 3 * k->curve->g1.affine_bytes + k->curve->g2.affine_bytes + 64 + 4;
    struct cuzk_err ignored;
    const uint8_t *data;
    struct reader r;
    uint32_t bytes;

    if (!f->section[ZKEY_CONTRIBUTIONS].present || binfile_section(&r, f, ZKEY_CONTRIBUTIONS, &ignored) != CUZK_OK ||
        reader_bytes(&data, &r, 64, NULL, &ignored) != CUZK_OK ||
        reader_u32(&k->contributions, &r, NULL, &ignored) != CUZK_OK)
        return;
    for (uint32_t i = 0; i < k->contributions && !k->development; i++) {
        if (reader_bytes(&data, &r, record, NULL, &ignored) != CUZK_OK ||
            reader_u32(&bytes, &r, NULL, &ignored) != CUZK_OK ||
            reader_bytes(&data, &r, bytes, NULL, &ignored) != CUZK_OK)
            return;
        k->development = bytes == 2 + sizeof development - 1 && data[0] == 1 &&
                         memcmp(data + 2, development, sizeof development - 1) == 0;
    }
}

cuzk_status key_open(struct key *out, const char *path, struct cuzk_err *err)
{
    cuzk_status st;
    struct binfile f;
    struct reader r;

    *out = (struct key){ .curve = NULL };
    TRY(file_map_open(&out->map, path, "key", err));
    TRY(binfile_index(&f, &out->map, "zkey", 1, 1, section_names, err));
    TRY(binfile_section(&r, &f, ZKEY_PROTOCOL, err));
    TRY(read_protocol(&r, err));
    TRY(binfile_section(&r, &f, ZKEY_HEADER, err));
    TRY(read_header(out, &r, err));
    TRY(take_all_points(out, &f, err));
    TRY(check_ic(out, &f, err));
    TRY(binfile_section(&r, &f, ZKEY_COEFFICIENTS, err));
    TRY(matrices_from_zkey(&out->matrices, &r, out->curve, (uint32_t)1 << out->domain_log2, out->wires, err));
    out->coefficients = (f.section[ZKEY_COEFFICIENTS].bytes - 4) / (12 + FR_BYTES);
    TRY(check_rows(out, &r, err));
    read_contributions(out, &f);
    return CUZK_OK;
out:
    key_close(out);
    return st;
}

/* Rows' starts, columns, indices in the dictionary, and the dictionary's own coefficients. */
static uint64_t matrices_bytes(uint64_t rows, uint64_t entries, uint64_t dictionary)
{
    return 2 * (rows + 1) * sizeof(uint64_t) + 2 * entries * sizeof(uint32_t) + dictionary * sizeof(fr);
}

cuzk_status key_sizes_read(struct key_sizes *out, const char *path, struct cuzk_err *err)
{
    cuzk_status st;
    struct key k = { .curve = NULL };
    struct binfile f;
    struct reader r;
    uint64_t entries;

    TRY(file_map_open(&k.map, path, "key", err));
    TRY(binfile_index(&f, &k.map, "zkey", 1, 1, section_names, err));
    TRY(binfile_section(&r, &f, ZKEY_PROTOCOL, err));
    TRY(read_protocol(&r, err));
    TRY(binfile_section(&r, &f, ZKEY_HEADER, err));
    TRY(read_header(&k, &r, err));
    TRY(take_all_points(&k, &f, err)); /* sizes agree with the file: no more is asked for than it can back */
    TRY(binfile_section(&r, &f, ZKEY_COEFFICIENTS, err));
    /* At worst each entry is a coefficient of its own; a growing dictionary takes up to three times what it holds. */
    entries = f.section[ZKEY_COEFFICIENTS].bytes / (12 + FR_BYTES);
    *out = (struct key_sizes){
        .curve = k.curve, .wires = k.wires, .publics = k.publics, .domain_log2 = k.domain_log2,
        .host_bytes = k.map.size + matrices_bytes((uint64_t)1 << k.domain_log2, entries, 3 * (entries + 2)),
    };
out:
    file_map_close(&k.map);
    return st;
}

void key_sizes_of(struct key_sizes *out, const struct key *k)
{
    *out = (struct key_sizes){
        .curve = k->curve, .wires = k->wires, .publics = k->publics, .domain_log2 = k->domain_log2,
        .host_bytes = k->map.size + matrices_bytes((uint64_t)1 << k->domain_log2, k->coefficients,
                                                   k->matrices.a.dictionary_count),
    };
}

void key_close(struct key *k)
{
    matrices_free(&k->matrices);
    vk_free(&k->vk);
    file_map_close(&k->map);
    *k = (struct key){ .curve = NULL };
}

void vk_free(struct vk *vk)
{
    mem_free(vk->ic_owned);
    *vk = (struct vk){ .curve = NULL };
}
