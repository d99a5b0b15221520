/* fuzz/fuzz_zkey.c - a proving key: what is taken has every index in range and can be checked and evaluated. */
#include "in_memory.h"

#include <string.h>

#include "base/mem.h"
#include "groth16/key.h"

#define MAGIC_BYTES          12
#define SECTION_HEADER_BYTES 12
#define COEFFICIENTS         4
#define ENTRY_BYTES          (12 + FR_BYTES)

int    LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t bytes_max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t bytes_max);

static void check_matrix(const struct sparse *m, uint32_t rows_max, uint32_t wires)
{
    cuzk_check(m->rows <= rows_max);
    for (uint32_t row = 0; row < m->rows; row++)
        for (uint64_t e = m->row_start[row]; e < m->row_start[row + 1]; e++)
            cuzk_check(m->column[e] < wires && m->value[e] < m->dictionary_count);
}

static void use_key(const struct key *k)
{
    const size_t    domain = (size_t)1 << k->domain_log2;
    struct cuzk_err err;
    fr             *w = mem_new(k->wires, sizeof *w), *out = mem_new(domain, sizeof *out);

    cuzk_check(w != NULL && out != NULL);
    check_matrix(&k->matrices.a, (uint32_t)domain, k->wires);
    check_matrix(&k->matrices.b, (uint32_t)domain, k->wires);
    w[0].limb[0] = 1;
    k->curve->sparse_mul(out, domain, &k->matrices.a, w, NULL);
    k->curve->sparse_mul(out, domain, &k->matrices.b, w, NULL);
    if (key_check_points(k, false, NULL, &err) != CUZK_OK)
        cuzk_check(err.status == CUZK_E_INPUT && err.place.offset < k->map.size);
    mem_free(w);
    mem_free(out);
}

/* Where the entries of the coefficient section are; 0 if there are none. */
static size_t find_entries(size_t *count, const uint8_t *data, size_t bytes)
{
    for (size_t pos = MAGIC_BYTES; pos < bytes && bytes - pos >= SECTION_HEADER_BYTES;) {
        uint32_t id;
        uint64_t section_bytes;

        memcpy(&id, data + pos, sizeof id);
        memcpy(&section_bytes, data + pos + sizeof id, sizeof section_bytes);
        pos += SECTION_HEADER_BYTES;
        if (section_bytes > bytes - pos)
            break;
        if (id == COEFFICIENTS && section_bytes >= 4 + ENTRY_BYTES) {
            *count = (section_bytes - 4) / ENTRY_BYTES;
            return pos + 4;
        }
        pos += section_bytes;
    }
    return 0;
}

/* A change anywhere mostly breaks a point, and nothing behind the points is reached: so three of four changes are of
 * one entry of the matrices, in its place. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t bytes_max, unsigned seed)
{
    uint8_t entry[ENTRY_BYTES];
    size_t  count, start = find_entries(&count, data, bytes), part;

    if (start == 0 || (seed & 3) == 0)
        return LLVMFuzzerMutate(data, bytes, bytes_max);
    start += (seed >> 4) % count * ENTRY_BYTES;
    part = seed & 4 ? 12 : ENTRY_BYTES; /* the three indices, or the value too */
    memcpy(entry, data + start, part);
    (void)LLVMFuzzerMutate(entry, part, part);
    memcpy(data + start, entry, part);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct in_memory f;
    struct cuzk_err  err;
    struct key       key;

    in_memory_open(&f, data, bytes);
    if (key_open(&key, f.path, &err) == CUZK_OK) {
        use_key(&key);
        key_close(&key);
    } else {
        cuzk_check(err.status == CUZK_E_INPUT && err.text[0] != '\0');
    }
    in_memory_close(&f);
    return 0;
}
