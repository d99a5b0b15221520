/* tests/mutations/mutate_witness.c - damaged witnesses. */
#include <string.h>

#include "mutation.h"

enum { HEADER = 1, VALUES = 2 };

static struct bytes good(const struct tiny *t) { return bytes_copy(&t->wtns); }

static struct expected refused(const char *section, const char *field, uint64_t offset)
{
    return REFUSED("witness", section, field, ERR_NONE, offset);
}

static struct bytes with_u32(const struct tiny *t, size_t at, uint32_t v)
{
    struct bytes w = good(t);

    u32_put(&w, at, v);
    return w;
}

static struct bytes cut(const struct tiny *t, size_t size)
{
    struct bytes w = good(t);

    bytes_remove(&w, size, w.size - size);
    return w;
}

static void mutate_frame(const struct tiny *t)
{
    static const uint64_t sizes[] = { 1ull << 31, UINT32_MAX, 1ull << 63, -12ull, UINT64_MAX };
    const size_t          size = t->wtns.size, values = section_at(&t->wtns, VALUES);
    struct bytes          w;

    wtns_case(t, bytes_of("", 0), refused("", "magic", 0), "an empty file");
    wtns_case(t, bytes_copy(&t->key), refused("", "magic", 0), "the key in its place");
    wtns_case(t, with_u32(t, 4, 0), refused("", "version", 4), "version 0");
    wtns_case(t, with_u32(t, 4, 1), PROVED, "version 1");
    wtns_case(t, with_u32(t, 4, 3), refused("", "version", 4), "version 3");
    wtns_case(t, with_u32(t, 8, UINT32_MAX), refused("", "section count", 8), "2^32 - 1 sections");
    wtns_case(t, cut(t, size / 2), REFUSED("witness", "", "section size", ANY, ANY), "its first half");
    wtns_case(t, cut(t, size - 1), REFUSED("witness", "", "section size", 1, values - 8), "its last byte missing");
    w = good(t);
    bytes_insert(&w, size, NULL, FR_BYTES);
    wtns_case(t, w, refused("", "end of file", size), "a value more, behind the last section");
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        w = good(t);
        u64_put(&w, values - 8, sizes[i]);
        wtns_case(t, w, REFUSED("witness", "", "section size", 1, values - 8), "%llu bytes of values claimed",
                  (unsigned long long)sizes[i]);
    }
    for (uint32_t id = HEADER; id <= VALUES; id++) {
        w = good(t);
        section_drop(&w, id);
        wtns_case(t, w, refused(id == HEADER ? "header" : "values", "", ANY), "section %u missing", id);
        w = good(t);
        section_add(&w, id, t->wtns.data + section_at(&t->wtns, id), section_bytes(&t->wtns, id));
        wtns_case(t, w, REFUSED("witness", "", "section id", 2, size), "section %u twice", id);
    }
    w = good(t);
    section_add(&w, 3, NULL, 100);
    sections_reverse(&w);
    wtns_case(t, w, PROVED, "sections in reverse order, an unknown one among them");
}

static void mutate_header(const struct tiny *t)
{
    static const uint32_t widths[] = { 0, 31, 33, 48, UINT32_MAX };
    static const uint32_t counts[] = { 0, 1, WIRES - 1, WIRES + 1, 1u << 27, 1u << 31, UINT32_MAX };
    const size_t          h = section_at(&t->wtns, HEADER);
    const fr             *other = &curve_get(t->curve->id == CURVE_BN254 ? CURVE_BLS12_381 : CURVE_BN254)->fr.modulus;
    struct bytes          w;

    for (size_t i = 0; i < ARRAY_COUNT(widths); i++)
        wtns_case(t, with_u32(t, h, widths[i]), refused("header", "field size", h), "values of %u bytes", widths[i]);
    w = good(t);
    w.data[h + 5] ^= 1;
    wtns_case(t, w, refused("header", "prime", h + 4), "another prime");
    w = good(t);
    memcpy(w.data + h + 4, other, sizeof *other);
    wtns_case(t, w, refused("header", "prime", h + 4), "the prime of the other curve");
    for (size_t i = 0; i < ARRAY_COUNT(counts); i++)
        wtns_case(t, with_u32(t, h + 36, counts[i]), refused("header", "values", h + 36), "%u values claimed",
                  counts[i]);
    w = good(t);
    u32_put(&w, h + 36, WIRES - 1);
    section_shrink(&w, VALUES, (WIRES - 1) * FR_BYTES, FR_BYTES);
    wtns_case(t, w, refused("header", "values", h + 36), "a value fewer, consistently");
    w = good(t);
    u32_put(&w, h + 36, WIRES + 1);
    section_grow(&w, VALUES, WIRES * FR_BYTES, NULL, FR_BYTES);
    wtns_case(t, w, refused("header", "values", h + 36), "a value more, consistently");
    w = good(t);
    section_shrink(&w, HEADER, 39, 1);
    wtns_case(t, w, refused("header", "values", h + 36), "a header a byte short");
    w = good(t);
    section_grow(&w, HEADER, 40, NULL, 1);
    wtns_case(t, w, refused("header", "end of section", h + 40), "a header a byte long");
}

static void mutate_values(const struct tiny *t)
{
    const size_t         start = section_at(&t->wtns, VALUES);
    const struct fr_ops *f = &t->curve->fr;
    struct bytes         w = good(t);
    fr                   v;

    section_shrink(&w, VALUES, 0, 1);
    wtns_case(t, w, refused("values", "values", start), "values a byte short");
    w = good(t);
    section_grow(&w, VALUES, WIRES * FR_BYTES, NULL, FR_BYTES);
    wtns_case(t, w, refused("values", "values", start), "a value more than counted");
    for (uint32_t wire = 0; wire < WIRES; wire++) {
        const size_t at = start + wire * FR_BYTES;
        memcpy(&v, t->wtns.data + at, sizeof v);
        v.limb[0] += f->modulus.limb[0]; /* the values are small: no carry */
        memcpy(v.limb + 1, f->modulus.limb + 1, 3 * sizeof v.limb[0]);
        w = good(t);
        memcpy(w.data + at, &v, sizeof v);
        wtns_case(t, w, REFUSED("witness", "values", "value", wire, at), "wire %u with r added", wire);
        w = good(t);
        memset(w.data + at, 0xff, FR_BYTES);
        wtns_case(t, w, REFUSED("witness", "values", "value", wire, at), "wire %u of ones", wire);
        w = good(t);
        w.data[at] ^= 0x40;
        wtns_case(t, w, wire == 0 ? REFUSED("witness", "values", "value", 0, at) : UNSATISFIED, "wire %u changed",
                  wire);
    }
    w = good(t);
    memset(w.data + start, 0, WIRES * FR_BYTES);
    wtns_case(t, w, REFUSED("witness", "values", "value", 0, start), "all zeros, wire 0 too");
}

void mutate_witness(const struct tiny *t)
{
    mutate_frame(t);
    mutate_header(t);
    mutate_values(t);
}
