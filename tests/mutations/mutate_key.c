/* tests/mutations/mutate_key.c - damaged keys. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "groth16/zkey_sections.h"
#include "mutation.h"

#define ENTRY (12 + FR_BYTES) /* of section 4: matrix, row, signal, value */

static const char *const names[] = { NULL, "protocol", "header", "IC", "coefficients", "A",
                                     "B1", "B2",       "C",      "H",  "contributions" };

static struct bytes good(const struct tiny *t) { return bytes_copy(&t->key); }

static struct expected refused(const char *section, const char *field, uint64_t offset)
{
    return REFUSED("key", section, field, ERR_NONE, offset);
}

/* --- the container ----------------------------------------------------------------------------------------------- */

static struct bytes with_u32(const struct tiny *t, size_t at, uint32_t v)
{
    struct bytes k = good(t);

    u32_put(&k, at, v);
    return k;
}

static struct bytes cut(const struct tiny *t, size_t size)
{
    struct bytes k = good(t);

    bytes_remove(&k, size, k.size - size);
    return k;
}

static void mutate_frame(const struct tiny *t)
{
    static const uint32_t versions[] = { 0, 2, UINT32_MAX };
    static const uint32_t counts[] = { 1u << 31, UINT32_MAX, UINT32_MAX / 12 };
    const size_t          size = t->key.size;
    struct bytes          k;

    key_case(t, bytes_of("", 0), refused("", "magic", 0), "an empty file");
    key_case(t, cut(t, 3), refused("", "magic", 0), "three bytes");
    key_case(t, cut(t, 12), refused("", "section count", 8), "the first twelve bytes");
    key_case(t, bytes_copy(&t->wtns), refused("", "magic", 0), "the witness in its place");
    for (size_t i = 0; i < ARRAY_COUNT(versions); i++)
        key_case(t, with_u32(t, 4, versions[i]), refused("", "version", 4), "version %u", versions[i]);
    for (size_t i = 0; i < ARRAY_COUNT(counts); i++)
        key_case(t, with_u32(t, 8, counts[i]), refused("", "section count", 8), "%u sections", counts[i]);
    key_case(t, with_u32(t, 8, 9), refused("", "end of file", ANY), "one section fewer than there are");
    key_case(t, with_u32(t, 8, 11), refused("", "section id", size), "one section more than there are");
    key_case(t, cut(t, size / 2), REFUSED("key", "", NULL, ANY, ANY), "its first half");
    key_case(t, cut(t, size - 1), REFUSED("key", "", "section size", 9, ANY), "its last byte missing");
    k = good(t);
    bytes_insert(&k, size, NULL, 1);
    key_case(t, k, refused("", "end of file", size), "a byte more at the end");
}

static void mutate_sizes(const struct tiny *t)
{
    static const struct {
        const char *name;
        uint64_t    bytes;
    } sizes[] = {
        {"2^31",       1ull << 31},
        { "2^32 - 1",  UINT32_MAX},
        { "2^32",      1ull << 32},
        { "2^63 - 1",  INT64_MAX },
        { "2^63",      1ull << 63},
        { "2^64 - 12", -12ull    },
        { "2^64 - 24", -24ull    },
        { "2^64 - 1",  UINT64_MAX},
    };
    size_t at = section_at(&t->key, ZKEY_HEADER) - 8;

    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        struct bytes k = good(t);
        u64_put(&k, at, sizes[i].bytes);
        key_case(t, k, REFUSED("key", "", "section size", 1, at), "the header's section of %s bytes", sizes[i].name);
    }
}

static void mutate_sections(const struct tiny *t)
{
    struct bytes k;

    for (uint32_t id = ZKEY_PROTOCOL; id <= ZKEY_CONTRIBUTIONS; id++) {
        size_t start = section_at(&t->key, id), bytes = section_bytes(&t->key, id);
        k = good(t);
        section_drop(&k, id);
        key_case(t, k, id == ZKEY_CONTRIBUTIONS ? PROVED : refused(names[id], "", ANY), "section %s missing",
                 names[id]);
        k = good(t);
        section_add(&k, id, t->key.data + start, bytes);
        key_case(t, k, REFUSED("key", "", "section id", 10, t->key.size), "section %s twice", names[id]);
        if (id == ZKEY_CONTRIBUTIONS)
            continue;
        k = good(t);
        section_shrink(&k, id, bytes - 1, 1);
        key_case(t, k, refused(names[id], NULL, ANY), "section %s a byte short", names[id]);
        k = good(t);
        section_grow(&k, id, bytes, NULL, 1);
        key_case(t, k, refused(names[id], NULL, ANY), "section %s a byte long", names[id]);
    }
    k = good(t);
    sections_reverse(&k);
    key_case(t, k, PROVED, "sections in reverse order");
    k = good(t);
    section_add(&k, 16, "?", 1);
    section_add(&k, 17, NULL, 1 << 20);
    section_add(&k, UINT32_MAX, NULL, 0);
    section_add(&k, UINT32_MAX, NULL, 0);
    sections_reverse(&k);
    key_case(t, k, PROVED, "unknown sections before all others, a doubled one among them");
    k = good(t);
    section_grow(&k, ZKEY_CONTRIBUTIONS, 0, NULL, 16 << 20);
    key_case(t, k, PROVED, "16 MiB of zeros before the contributions");
    k = good(t);
    u32_put(&k, section_at(&k, ZKEY_CONTRIBUTIONS) + 64, UINT32_MAX);
    key_case(t, k, PROVED, "2^32 - 1 contributions claimed");
}

/* --- the header -------------------------------------------------------------------------------------------------- */

static void mutate_fields(const struct tiny *t)
{
    static const uint32_t protocols[] = { 0, 2, 10, UINT32_MAX };
    const uint32_t        n8q = t->curve->fp_bytes, other = 32 + 48 - n8q;
    const uint32_t        widths[] = { 0, n8q - 1, n8q + 1, UINT32_MAX }, widths_r[] = { 0, 31, 33, 48, UINT32_MAX };
    const size_t          h = section_at(&t->key, ZKEY_HEADER), p = section_at(&t->key, ZKEY_PROTOCOL);
    const fr             *r = &curve_get(t->curve->id == CURVE_BN254 ? CURVE_BLS12_381 : CURVE_BN254)->fr.modulus;
    struct bytes          k;

    for (size_t i = 0; i < ARRAY_COUNT(protocols); i++)
        key_case(t, with_u32(t, p, protocols[i]), refused("protocol", "protocol", p), "protocol %u", protocols[i]);
    for (size_t i = 0; i < ARRAY_COUNT(widths); i++)
        key_case(t, with_u32(t, h, widths[i]), refused("header", "n8q", h), "n8q %u", widths[i]);
    key_case(t, with_u32(t, h, other), refused("header", "q", h + 4), "n8q of the other curve");
    k = good(t);
    k.data[h + 4] ^= 2;
    key_case(t, k, refused("header", "q", h + 4), "another q");
    for (size_t i = 0; i < ARRAY_COUNT(widths_r); i++)
        key_case(t, with_u32(t, h + 4 + n8q, widths_r[i]), refused("header", "n8r", h + 4 + n8q), "n8r %u",
                 widths_r[i]);
    k = good(t);
    memcpy(k.data + h + 8 + n8q, r, FR_BYTES);
    key_case(t, k, refused("header", "r", h + 8 + n8q), "r of the other curve");
}

static void mutate_counts(const struct tiny *t)
{
    const size_t   at = section_at(&t->key, ZKEY_HEADER) + 40 + t->curve->fp_bytes;
    const uint32_t two31 = 1u << 31;
    const struct {
        uint32_t    which, value;
        const char *section, *field;
    } rows[] = {
        {0,  0,           "header",                                       "nPublic"   },
        { 0, PUBLICS,     "header",                                       "nPublic"   },
        { 0, WIRES - 1,   "A",                                            "points"    },
        { 0, WIRES + 1,   "A",                                            "points"    },
        { 0, two31,       "A",                                            "points"    },
        { 0, UINT32_MAX,  "A",                                            "points"    },
        { 1, 0,           "IC",                                           "points"    },
        { 1, PUBLICS - 1, "IC",                                           "points"    },
        { 1, PUBLICS + 1, "IC",                                           "points"    },
        { 1, WIRES,       "header",                                       "nPublic"   },
        { 1, two31,       "header",                                       "nPublic"   },
        { 1, UINT32_MAX,  "header",                                       "nPublic"   },
        { 2, 0,           "header",                                       "domainSize"},
        { 2, 1,           "header",                                       "domainSize"},
        { 2, 3,           "header",                                       "domainSize"},
        { 2, DOMAIN + 1,  "header",                                       "domainSize"},
        { 2, UINT32_MAX,  "header",                                       "domainSize"},
        { 2, DOMAIN / 2,  "H",                                            "points"    },
        { 2, 2 * DOMAIN,  "H",                                            "points"    },
        { 2, 4 * DOMAIN,  "H",                                            "points"    },
        { 2, two31,       t->curve->fr.two_adicity < 31 ? "header" : "H", NULL        },
    };
    static const char *const what[] = { "nVars", "nPublic", "domainSize" };
    struct bytes             k;

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        key_case(t, with_u32(t, at + 4 * rows[i].which, rows[i].value), refused(rows[i].section, rows[i].field, ANY),
                 "%s %u", what[rows[i].which], rows[i].value);
    /* The same with the sections to match: only the rows can tell. */
    for (uint32_t domain = DOMAIN / 2; domain <= 4 * DOMAIN; domain *= 2) {
        size_t h = DOMAIN * t->curve->g1.affine_bytes;
        if (domain == DOMAIN)
            continue;
        k = with_u32(t, at + 8, domain);
        if (domain < DOMAIN)
            section_shrink(&k, ZKEY_H, h / 2, h / 2);
        for (uint32_t m = DOMAIN; m < domain; m++)
            section_grow(&k, ZKEY_H, 0, t->key.data + section_at(&t->key, ZKEY_H), t->curve->g1.affine_bytes);
        key_case(t, k, REFUSED("key", "coefficients", domain < DOMAIN ? "constraint" : "domainSize", ANY, ANY),
                 "domain and H of %u points", domain);
    }
    k = with_u32(t, at + 4, PUBLICS + 1);
    section_grow(&k, ZKEY_IC, 0, t->key.data + section_at(&t->key, ZKEY_IC), t->curve->g1.affine_bytes);
    section_shrink(&k, ZKEY_C, 0, t->curve->g1.affine_bytes);
    key_case(t, k, REFUSED("key", "coefficients", "constraint", 0, ANY),
             "a private wire made public, IC and C to match");
    k = with_u32(t, at + 4, PUBLICS - 1);
    section_shrink(&k, ZKEY_IC, 0, t->curve->g1.affine_bytes);
    section_grow(&k, ZKEY_C, 0, t->key.data + section_at(&t->key, ZKEY_C), t->curve->g1.affine_bytes);
    key_case(t, k, REFUSED("key", "coefficients", "constraint", ANY, ANY),
             "a public wire made private, IC and C to match");
}

/* --- points ------------------------------------------------------------------------------------------------------ */

/* One point: its section, its place there. */
struct spot {
    uint32_t    section;
    const char *field;
    uint64_t    index;
    size_t      at;
    bool        g2;
};

static size_t list_spots(struct spot *out, const struct tiny *t)
{
    const size_t      n1 = t->curve->g1.affine_bytes, n2 = t->curve->g2.affine_bytes;
    const size_t      head = section_at(&t->key, ZKEY_HEADER) + 52 + t->curve->fp_bytes;
    const struct spot header[] = {
        {ZKEY_HEADER,  "alpha1", ERR_NONE, 0,               false},
        { ZKEY_HEADER, "beta1",  ERR_NONE, n1,              false},
        { ZKEY_HEADER, "beta2",  ERR_NONE, 2 * n1,          true },
        { ZKEY_HEADER, "gamma2", ERR_NONE, 2 * n1 + n2,     true },
        { ZKEY_HEADER, "delta1", ERR_NONE, 2 * n1 + 2 * n2, false},
        { ZKEY_HEADER, "delta2", ERR_NONE, 3 * n1 + 2 * n2, true },
    };
    static const struct {
        uint32_t section;
        uint64_t index;
    } others[] = {
        {ZKEY_IC,  0         },
        { ZKEY_IC, PUBLICS   },
        { ZKEY_A,  1         },
        { ZKEY_A,  5         },
        { ZKEY_B1, 2         },
        { ZKEY_B1, 3         },
        { ZKEY_B2, 2         },
        { ZKEY_B2, 3         },
        { ZKEY_C,  0         },
        { ZKEY_C,  2         },
        { ZKEY_H,  0         },
        { ZKEY_H,  DOMAIN - 1},
    };
    size_t n = 0;

    for (; n < ARRAY_COUNT(header); n++) {
        out[n] = header[n];
        out[n].at += head;
    }
    for (size_t i = 0; i < ARRAY_COUNT(others); i++, n++) {
        bool g2 = others[i].section == ZKEY_B2;
        out[n] = (struct spot){ others[i].section, "point", others[i].index,
                                section_at(&t->key, others[i].section) + others[i].index * (g2 ? n2 : n1), g2 };
    }
    return n;
}

static void mutate_point(const struct tiny *t, const struct spot *s)
{
    const struct group_ops *g = s->g2 ? &t->curve->g2 : &t->curve->g1;
    struct expected         e = REFUSED("key", names[s->section], s->field, s->index, s->at);
    const bool              header = s->section == ZKEY_HEADER;
    char                    what[48];
    uint8_t                 outside[AFFINE_BYTES_MAX], plus_q[2 * AFFINE_BYTES_MAX];
    struct bytes            k = good(t);
    unsigned                carry = 0;

    (void)snprintf(what, sizeof what, header ? "%s" : "%s %s %llu", header ? s->field : names[s->section], s->field,
                   (unsigned long long)s->index);
    k.data[s->at + 1] ^= 4;
    key_case(t, k, e, "%s off the curve", what);
    k = good(t);
    memset(k.data + s->at, 0xff, t->curve->fp_bytes);
    key_case(t, k, e, "%s with a coordinate of ones", what);
    k = good(t); /* the same point to a reader that reduces */
    memcpy(plus_q, k.data + s->at, g->affine_bytes);
    for (size_t i = 0; i < t->curve->fp_bytes; i++) {
        carry += plus_q[i] + t->curve->fp_modulus[i];
        plus_q[i] = (uint8_t)carry;
        carry >>= 8;
    }
    memcpy(k.data + s->at, plus_q, g->affine_bytes);
    key_case(t, k, e, "%s with x + q", what);
    k = good(t);
    memset(k.data + s->at, 0, g->affine_bytes);
    key_case(t, k, header ? e : UNSATISFIED, "%s at infinity", what);
    /* On the curve still: pairings may not see it, so nothing but a look at the proof's own points can tell. */
    if (!point_outside(outside, g, t->curve, t->key.data + s->at))
        return;
    k = good(t);
    memcpy(k.data + s->at, outside, g->affine_bytes);
    key_case(t, k, e, "%s moved out of the subgroup", what);
}

static void mutate_points(const struct tiny *t)
{
    const size_t n1 = t->curve->g1.affine_bytes, n2 = t->curve->g2.affine_bytes;
    struct spot  spots[32];
    size_t       count = list_spots(spots, t), a = section_at(&t->key, ZKEY_A), b1 = section_at(&t->key, ZKEY_B1);
    struct bytes k;

    for (size_t i = 0; i < count; i++)
        mutate_point(t, &spots[i]);
    k = good(t);
    memset(k.data + section_at(&k, ZKEY_B2), 0, WIRES * n2);
    key_case(t, k, UNSATISFIED, "all of B2 at infinity");
    k = good(t);
    memcpy(k.data + a, t->key.data + b1, WIRES * n1);
    memcpy(k.data + b1, t->key.data + a, WIRES * n1);
    key_case(t, k, UNSATISFIED, "A and B1 exchanged");
    k = good(t);
    memcpy(k.data + spots[5].at, t->key.data + spots[3].at, n2);
    key_case(t, k, UNSATISFIED, "delta2 is gamma2");
}

/* --- coefficients ------------------------------------------------------------------------------------------------ */

static void mutate_coefficients(const struct tiny *t)
{
    static const struct {
        size_t      at;
        const char *field;
        uint32_t    values[4];
    } rows[] = {
        {0,  "matrix",     { 2, 7, 1u << 31, UINT32_MAX }              },
        { 4, "constraint", { DOMAIN, DOMAIN + 1, 1u << 31, UINT32_MAX }},
        { 8, "signal",     { WIRES, WIRES + 1, 1u << 31, UINT32_MAX }  },
    };
    const uint32_t count = u32_get(&t->key, section_at(&t->key, ZKEY_COEFFICIENTS));
    const uint32_t claims[] = { 0, count - 1, count + 1, 97612894, 1u << 31, UINT32_MAX }; /* 44 n = 2^32 + ... */
    const size_t   start = section_at(&t->key, ZKEY_COEFFICIENTS), index = 4, entry = start + 4 + index * ENTRY;
    struct bytes   k;

    for (size_t i = 0; i < ARRAY_COUNT(claims); i++)
        key_case(t, with_u32(t, start, claims[i]), refused("coefficients", "coefficients", start + 4),
                 "%u coefficients claimed", claims[i]);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        for (size_t v = 0; v < 4; v++)
            key_case(t, with_u32(t, entry + rows[i].at, rows[i].values[v]),
                     REFUSED("key", "coefficients", rows[i].field, index, entry + rows[i].at), "%s %u", rows[i].field,
                     rows[i].values[v]);
    for (uint64_t more = 0; more < 2; more++) {
        fr r = t->curve->fr.modulus;
        r.limb[0] += more;
        k = good(t);
        memcpy(k.data + entry + 12, &r, sizeof r);
        key_case(t, k, REFUSED("key", "coefficients", "value", index, entry + 12), "a coefficient of r + %llu",
                 (unsigned long long)more);
    }
    k = good(t);
    memset(k.data + entry + 12, 0, FR_BYTES);
    key_case(t, k, UNSATISFIED, "a coefficient of 0");
    k = good(t);
    section_grow(&k, ZKEY_COEFFICIENTS, 4, t->key.data + entry, ENTRY);
    u32_put(&k, section_at(&k, ZKEY_COEFFICIENTS), count + 1);
    key_case(t, k, UNSATISFIED, "a coefficient twice");
    k = good(t);
    section_grow(&k, ZKEY_COEFFICIENTS, 4, t->key.data + entry, ENTRY);
    u32_put(&k, section_at(&k, ZKEY_COEFFICIENTS), count + 1);
    memset(k.data + section_at(&k, ZKEY_COEFFICIENTS) + 16, 0, FR_BYTES);
    key_case(t, k, PROVED, "an explicit zero added");
    k = good(t);
    u32_put(&k, start, count - 1);
    section_shrink(&k, ZKEY_COEFFICIENTS, 4 + (size_t)(count - 1) * ENTRY, ENTRY);
    key_case(t, k, REFUSED("key", "coefficients", "constraint", ANY, ANY), "the last public row missing");
    k = good(t);
    section_shrink(&k, ZKEY_COEFFICIENTS, 4, (size_t)count * ENTRY);
    u32_put(&k, start, 0);
    key_case(t, k, REFUSED("key", "coefficients", "constraint", ANY, ANY), "no coefficient at all");
}

void mutate_key(const struct tiny *t)
{
    mutate_frame(t);
    mutate_sizes(t);
    mutate_sections(t);
    mutate_fields(t);
    mutate_counts(t);
    mutate_points(t);
    mutate_coefficients(t);
}
