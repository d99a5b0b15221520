/* tests/mutations/tiny.c - files as bytes in memory, iden3 containers, and the circuit that the tables damage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "mutation.h"

struct bytes bytes_of(const void *data, size_t size)
{
    struct bytes b = { malloc(size + 1), size };

    cuzk_check(b.data != NULL);
    if (size > 0)
        memcpy(b.data, data, size);
    return b;
}

struct bytes bytes_copy(const struct bytes *b) { return bytes_of(b->data, b->size); }

void bytes_free(struct bytes *b)
{
    free(b->data);
    *b = (struct bytes){ NULL, 0 };
}

struct bytes bytes_read(const char *path)
{
    struct bytes b = { NULL, 0 };
    FILE        *f = fopen(path, "rb");
    uint8_t      part[4096];
    size_t       n;

    cuzk_check(f != NULL);
    while ((n = fread(part, 1, sizeof part, f)) > 0)
        bytes_add(&b, part, n);
    cuzk_check(fclose(f) == 0);
    return b;
}

void bytes_write(const char *path, const struct bytes *b)
{
    FILE *f = fopen(path, "wb");

    cuzk_check(f != NULL && fwrite(b->data, 1, b->size, f) == b->size);
    cuzk_check(fclose(f) == 0);
}

void bytes_insert(struct bytes *b, size_t at, const void *data, size_t size)
{
    uint8_t *grown = realloc(b->data, b->size + size + 1);

    cuzk_check(grown != NULL && at <= b->size);
    b->data = grown;
    memmove(grown + at + size, grown + at, b->size - at);
    if (data != NULL && size > 0)
        memcpy(grown + at, data, size);
    else
        memset(grown + at, 0, size);
    b->size += size;
}

void bytes_remove(struct bytes *b, size_t at, size_t size)
{
    cuzk_check(at <= b->size && size <= b->size - at);
    memmove(b->data + at, b->data + at + size, b->size - at - size);
    b->size -= size;
}

void bytes_add(struct bytes *b, const void *data, size_t size) { bytes_insert(b, b->size, data, size); }
void u32_add(struct bytes *b, uint32_t v) { bytes_add(b, &v, sizeof v); }
void u64_add(struct bytes *b, uint64_t v) { bytes_add(b, &v, sizeof v); }

void u32_put(struct bytes *b, size_t at, uint32_t v)
{
    cuzk_check(at + sizeof v <= b->size);
    memcpy(b->data + at, &v, sizeof v);
}

void u64_put(struct bytes *b, size_t at, uint64_t v)
{
    cuzk_check(at + sizeof v <= b->size);
    memcpy(b->data + at, &v, sizeof v);
}

uint32_t u32_get(const struct bytes *b, size_t at)
{
    uint32_t v;

    cuzk_check(at + sizeof v <= b->size);
    memcpy(&v, b->data + at, sizeof v);
    return v;
}

uint64_t u64_get(const struct bytes *b, size_t at)
{
    uint64_t v;

    cuzk_check(at + sizeof v <= b->size);
    memcpy(&v, b->data + at, sizeof v);
    return v;
}

size_t section_at(const struct bytes *b, uint32_t id)
{
    size_t pos = 12;

    while (u32_get(b, pos) != id)
        pos += SECTION_HEADER + u64_get(b, pos + 4);
    return pos + SECTION_HEADER;
}

size_t section_bytes(const struct bytes *b, uint32_t id) { return u64_get(b, section_at(b, id) - 8); }

void section_grow(struct bytes *b, uint32_t id, size_t at, const void *data, size_t bytes)
{
    size_t start = section_at(b, id);

    u64_put(b, start - 8, section_bytes(b, id) + bytes);
    bytes_insert(b, start + at, data, bytes);
}

void section_shrink(struct bytes *b, uint32_t id, size_t at, size_t bytes)
{
    size_t start = section_at(b, id);

    u64_put(b, start - 8, section_bytes(b, id) - bytes);
    bytes_remove(b, start + at, bytes);
}

void section_drop(struct bytes *b, uint32_t id)
{
    size_t start = section_at(b, id);

    bytes_remove(b, start - SECTION_HEADER, SECTION_HEADER + section_bytes(b, id));
    u32_put(b, 8, u32_get(b, 8) - 1);
}

void section_add(struct bytes *b, uint32_t id, const void *data, size_t bytes)
{
    u32_add(b, id);
    u64_add(b, bytes);
    bytes_insert(b, b->size, data, bytes);
    u32_put(b, 8, u32_get(b, 8) + 1);
}

void sections_reverse(struct bytes *b)
{
    struct bytes out = bytes_of(b->data, 12);

    for (size_t pos = 12; pos < b->size; pos += SECTION_HEADER + u64_get(b, pos + 4))
        bytes_insert(&out, 12, b->data + pos, SECTION_HEADER + u64_get(b, pos + 4));
    bytes_free(b);
    *b = out;
}

/* --- the circuit ------------------------------------------------------------------------------------------------- */

struct term {
    uint32_t wire;
    uint64_t value;
};

static void combination_add(struct bytes *b, const struct term *terms, uint32_t count)
{
    u32_add(b, count);
    for (uint32_t i = 0; i < count; i++) {
        fr value = { { terms[i].value } };
        u32_add(b, terms[i].wire);
        bytes_add(b, &value, sizeof value);
    }
}

struct bytes tiny_r1cs(const struct curve *curve)
{
    struct bytes b = bytes_of("r1cs\1\0\0\0\0\0\0\0", 12), header = { NULL, 0 }, rows = { NULL, 0 },
                 labels = { NULL, 0 };

    u32_add(&header, FR_BYTES);
    bytes_add(&header, &curve->fr.modulus, FR_BYTES);
    u32_add(&header, WIRES);
    u32_add(&header, 1); /* outputs */
    u32_add(&header, 1); /* public inputs */
    u32_add(&header, 1); /* private inputs */
    u64_add(&header, WIRES);
    u32_add(&header, CONSTRAINTS);
    combination_add(&rows,
                    (struct term[]){
                        {3, 1}
    },
                    1);
    combination_add(&rows,
                    (struct term[]){
                        {3, 1}
    },
                    1);
    combination_add(&rows,
                    (struct term[]){
                        {4, 1}
    },
                    1);
    combination_add(&rows,
                    (struct term[]){
                        {4,  2},
                        { 0, 5}
    },
                    2);
    combination_add(&rows,
                    (struct term[]){
                        {2, 1}
    },
                    1);
    combination_add(&rows,
                    (struct term[]){
                        {5, 1}
    },
                    1);
    combination_add(&rows,
                    (struct term[]){
                        {5, 1}
    },
                    1);
    combination_add(&rows,
                    (struct term[]){
                        {0, 1}
    },
                    1);
    combination_add(&rows,
                    (struct term[]){
                        {1, 1}
    },
                    1);
    for (uint64_t i = 0; i < WIRES; i++)
        u64_add(&labels, i);
    section_add(&b, 2, rows.data, rows.size); /* circom writes the constraints first */
    section_add(&b, 1, header.data, header.size);
    section_add(&b, 3, labels.data, labels.size);
    bytes_free(&header);
    bytes_free(&rows);
    bytes_free(&labels);
    return b;
}

struct bytes tiny_wtns(const struct curve *curve)
{
    static const fr values[WIRES] = { { { 1 } }, { { 259 } }, { { 7 } }, { { 4 } }, { { 16 } }, { { 259 } } };
    struct bytes    b = bytes_of("wtns\2\0\0\0\0\0\0\0", 12), header = { NULL, 0 };

    u32_add(&header, FR_BYTES);
    bytes_add(&header, &curve->fr.modulus, FR_BYTES);
    u32_add(&header, WIRES);
    section_add(&b, 1, header.data, header.size);
    section_add(&b, 2, values, sizeof values);
    bytes_free(&header);
    return b;
}

void tiny_open(struct tiny *t, const struct curve *curve)
{
    *t = (struct tiny){ .curve = curve, .r1cs = tiny_r1cs(curve), .wtns = tiny_wtns(curve) };
    folder_make(CASE_FOLDER);
    bytes_write("good.r1cs", &t->r1cs);
    bytes_write("good.wtns", &t->wtns);
    tool_must((const char *[]){ "setup", "good.r1cs", "good.zkey", "--seed", "1", "--threads", "1", NULL });
    tool_must((const char *[]){ "key", "export-vk", "good.zkey", "good.vk", NULL });
    tool_must(
        (const char *[]){ "prove", "good.zkey", "good.wtns", "good.proof", "good.public", "--threads", "1", NULL });
    tool_must((const char *[]){ "verify", "good.vk", "good.public", "good.proof", NULL });
    tool_measure_base(
        (const char *[]){ "prove", "good.zkey", "good.wtns", "good.proof", "good.public", "--threads", "1", NULL });
    t->key = bytes_read("good.zkey");
    t->vk = bytes_read("good.vk");
    t->proof = bytes_read("good.proof");
    t->publics = bytes_read("good.public");
}

void tiny_close(struct tiny *t)
{
    bytes_free(&t->r1cs);
    bytes_free(&t->wtns);
    bytes_free(&t->key);
    bytes_free(&t->vk);
    bytes_free(&t->proof);
    bytes_free(&t->publics);
}

/* [r] p by doubling and adding, which hold on the whole curve; group_ops.mul may take short cuts of the subgroup. */
static void times_order(point *out, const struct group_ops *g, const struct curve *curve, const point *p)
{
    g->identity(out);
    for (uint32_t bit = curve->fr.bits; bit-- > 0;) {
        g->add(out, out, out);
        if (curve->fr.modulus.limb[bit / 64] >> bit % 64 & 1)
            g->add(out, out, p);
    }
}

bool point_outside(uint8_t *out_affine, const struct group_ops *g, const struct curve *curve, const uint8_t *affine)
{
    uint8_t x[2 * FP_BYTES_MAX] = { 0 };
    point   p, given;

    for (x[0] = 1; !g->from_x(out_affine, x, true); x[0]++)
        cuzk_check(x[0] < 100); /* every second x has a point */
    g->from_affine(&given, out_affine);
    times_order(&p, g, curve, &given);
    if (g->is_identity(&p))
        return false; /* no cofactor */
    if (affine != NULL) {
        g->from_affine(&given, affine);
        g->add(&p, &p, &given);
    }
    g->to_affine(out_affine, &p);
    return true;
}
