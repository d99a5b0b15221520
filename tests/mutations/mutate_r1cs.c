/* tests/mutations/mutate_r1cs.c - damaged circuits given to `setup`. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "mutation.h"

enum { HEADER = 1, CONSTRAINTS_ID = 2, LABELS = 3, GATES = 4, GATE_USES = 5 };

#define TERM (4 + FR_BYTES)

/* What a key must be good for when setup has taken the circuit. */
#define TAKEN   PROVED      /* a proof of the good witness */
#define ANOTHER UNSATISFIED /* another circuit: a whole key, but no such proof */

static struct bytes good(const struct tiny *t) { return bytes_copy(&t->r1cs); }

static struct expected refused(const char *section, const char *field, uint64_t offset)
{
    return REFUSED("r1cs", section, field, ERR_NONE, offset);
}

static struct bytes with_u32(const struct tiny *t, size_t at, uint32_t v)
{
    struct bytes b = good(t);

    u32_put(&b, at, v);
    return b;
}

/* The key of a damaged circuit: whole, and good for a proof or for none. */
static void judge_key(const struct tiny *t, const struct expected *e)
{
    struct bytes key = bytes_read(CASE_FOLDER "/out.zkey");
    struct run   r;

    cuzk_check(chdir(CASE_FOLDER) == 0);
    tool_run(&r, (const char *[]){ "key", "check", "out.zkey", "--json", "--threads", "1", NULL });
    if (r.status != 0)
        case_fail("setup made a key that its own check refuses: %s", r.text);
    cuzk_check(chdir("..") == 0);
    folder_make(CASE_FOLDER);
    bytes_write(CASE_FOLDER "/key", &key);
    bytes_write(CASE_FOLDER "/wtns", &t->wtns);
    cuzk_check(chdir(CASE_FOLDER) == 0);
    tool_run(&r,
             (const char *[]){ "prove", "key", "wtns", "proof.json", "public.json", "--json", "--threads", "1", NULL });
    cuzk_check(chdir("..") == 0);
    if (r.status != e->status)
        case_fail("expected status %d of a proof, it is %d: %s", e->status, r.status, r.text);
    bytes_free(&key);
}

static void r1cs_case(const struct tiny *t, struct bytes r1cs, struct expected e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void r1cs_case(const struct tiny *t, struct bytes r1cs, struct expected e, const char *format, ...)
{
    static const char *const before[] = { "r1cs", NULL }, *const after[] = { "r1cs", "out.zkey", NULL };
    const char *broken, *name;
    char        what[128];
    va_list     arguments;
    struct run  r;

    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    case_begin("%s, circuit: %s: %s", t->curve->name, what, e.status == 2 ? "refused" : "a key");
    folder_make(CASE_FOLDER);
    bytes_write(CASE_FOLDER "/r1cs", &r1cs);
    cuzk_check(chdir(CASE_FOLDER) == 0);
    tool_run(&r, (const char *[]){ "setup", "r1cs", "out.zkey", "--seed", "1", "--json", "--threads", "1", NULL });
    cuzk_check(chdir("..") == 0);
    broken = run_breaks_rules(&r);
    if (broken != NULL)
        case_fail("%s: %s", broken, r.text);
    name = folder_differs(CASE_FOLDER, r.status == 0 ? after : before);
    if (name != NULL)
        case_fail("status %d, and in the folder: %s", r.status, name);
    if (e.status == 2)
        case_expect(&r, &e);
    else if (r.status != 0)
        case_fail("expected a key, but status %d: %s", r.status, r.text);
    else
        judge_key(t, &e);
    case_end();
    bytes_free(&r1cs);
}

static void mutate_frame(const struct tiny *t)
{
    static const uint64_t    sizes[] = { 1ull << 31, UINT32_MAX, 1ull << 63, -12ull, UINT64_MAX };
    static const char *const names[] = { NULL, "header", "constraints", "labels" };
    const size_t             size = t->r1cs.size, header = section_at(&t->r1cs, HEADER);
    struct bytes             b;

    r1cs_case(t, bytes_of("", 0), refused("", "magic", 0), "an empty file");
    r1cs_case(t, bytes_copy(&t->key), refused("", "magic", 0), "a key in its place");
    r1cs_case(t, with_u32(t, 4, 0), refused("", "version", 4), "version 0");
    r1cs_case(t, with_u32(t, 4, 2), refused("", "version", 4), "version 2");
    r1cs_case(t, with_u32(t, 8, UINT32_MAX), refused("", "section count", 8), "2^32 - 1 sections");
    b = good(t);
    bytes_remove(&b, size - 1, 1);
    r1cs_case(t, b, REFUSED("r1cs", "", "section size", 2, ANY), "its last byte missing");
    b = good(t);
    bytes_insert(&b, size, NULL, 1);
    r1cs_case(t, b, refused("", "end of file", size), "a byte more at the end");
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        b = good(t);
        u64_put(&b, header - 8, sizes[i]);
        r1cs_case(t, b, REFUSED("r1cs", "", "section size", 1, header - 8), "a header of %llu bytes",
                  (unsigned long long)sizes[i]);
    }
    for (uint32_t id = HEADER; id <= LABELS; id++) {
        b = good(t);
        section_drop(&b, id);
        r1cs_case(t, b, id == LABELS ? TAKEN : refused(names[id], "", ANY), "section %s missing", names[id]);
        b = good(t);
        section_add(&b, id, t->r1cs.data + section_at(&t->r1cs, id), section_bytes(&t->r1cs, id));
        r1cs_case(t, b, REFUSED("r1cs", "", "section id", 3, size), "section %s twice", names[id]);
        b = good(t);
        section_shrink(&b, id, section_bytes(&b, id) - 1, 1);
        r1cs_case(t, b, REFUSED("r1cs", names[id], NULL, ANY, ANY), "section %s a byte short", names[id]);
        b = good(t);
        section_grow(&b, id, section_bytes(&b, id), NULL, 1);
        r1cs_case(t, b, refused(names[id], NULL, ANY), "section %s a byte long", names[id]);
    }
    b = good(t);
    section_add(&b, 12, NULL, 999);
    sections_reverse(&b);
    r1cs_case(t, b, TAKEN, "sections in reverse order, an unknown one among them");
}

static void mutate_gates(const struct tiny *t)
{
    static const char *const names[] = { [GATES] = "custom gates", [GATE_USES] = "custom gate uses" };
    struct bytes             b;

    for (uint32_t id = GATES; id <= GATE_USES; id++) {
        b = good(t);
        section_add(&b, id, NULL, 4);
        r1cs_case(t, b, TAKEN, "no %s, but their section", names[id]);
        b = good(t);
        section_add(&b, id, "\1\0\0\0", 4);
        r1cs_case(t, b, refused(names[id], "count", ANY), "%s counted, but none there", names[id]);
        b = good(t);
        section_add(&b, id, "\1\0\0\0Poseidon", 12);
        r1cs_case(t, b, refused(names[id], "count", ANY), "%s", names[id]);
        b = good(t);
        section_add(&b, id, NULL, 3);
        r1cs_case(t, b, refused(names[id], "count", ANY), "%s in three bytes", names[id]);
    }
}

static void mutate_header(const struct tiny *t)
{
    static const uint32_t widths[] = { 0, 31, 33, 48, UINT32_MAX };
    static const struct {
        size_t      at;
        const char *what;
        uint32_t    value;
        const char *section, *field;
        uint64_t    index;
    } rows[] = {
        {0,   "wires",          0,               "header",      "wires",          ERR_NONE},
        { 0,  "wires",          3,               "header",      "wires",          ERR_NONE},
        { 0,  "wires",          WIRES - 1,       "labels",      "labels",         ERR_NONE},
        { 0,  "wires",          WIRES + 1,       "labels",      "labels",         ERR_NONE},
        { 0,  "wires",          1u << 31,        "labels",      "labels",         ERR_NONE},
        { 0,  "wires",          UINT32_MAX,      "labels",      "labels",         ERR_NONE},
        { 4,  "outputs",        WIRES,           "header",      "wires",          ERR_NONE},
        { 4,  "outputs",        UINT32_MAX,      "header",      "wires",          ERR_NONE},
        { 8,  "public inputs",  WIRES,           "header",      "wires",          ERR_NONE},
        { 8,  "public inputs",  UINT32_MAX,      "header",      "wires",          ERR_NONE},
        { 12, "private inputs", WIRES,           "header",      "wires",          ERR_NONE},
        { 12, "private inputs", UINT32_MAX,      "header",      "wires",          ERR_NONE},
        { 24, "constraints",    0,               "constraints", "end of section", ERR_NONE},
        { 24, "constraints",    CONSTRAINTS - 1, "constraints", "end of section", ERR_NONE},
        { 24, "constraints",    CONSTRAINTS + 1, "constraints", "terms",          ANY     },
        { 24, "constraints",    1u << 31,        "constraints", "constraints",    ERR_NONE},
        { 24, "constraints",    UINT32_MAX,      "constraints", "constraints",    ERR_NONE},
    };
    const size_t h = section_at(&t->r1cs, HEADER);
    struct bytes b;

    for (size_t i = 0; i < ARRAY_COUNT(widths); i++)
        r1cs_case(t, with_u32(t, h, widths[i]), refused("header", "field size", h), "values of %u bytes", widths[i]);
    b = good(t);
    b.data[h + 9] ^= 1;
    r1cs_case(t, b, refused("header", "prime", h + 4), "another prime");
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        r1cs_case(t, with_u32(t, h + 36 + rows[i].at, rows[i].value),
                  REFUSED("r1cs", rows[i].section, rows[i].field, rows[i].index, ANY), "%s %u", rows[i].what,
                  rows[i].value);
    b = with_u32(t, h + 36, 100000);
    section_drop(&b, LABELS);
    r1cs_case(t, b, refused("header", "wires", ANY), "100000 wires and no labels");
    b = with_u32(t, h + 36 + 12, 0);
    r1cs_case(t, b, TAKEN, "private inputs 0: only a name for wires");
    b = good(t);
    u64_put(&b, h + 52, UINT64_MAX);
    r1cs_case(t, b, TAKEN, "2^64 - 1 labels claimed: not used");
}

static void mutate_rows(const struct tiny *t)
{
    static const uint32_t wires[] = { WIRES, WIRES + 1, 1u << 31, UINT32_MAX };
    static const uint32_t counts[] = { 119304647, 1u << 31, UINT32_MAX }; /* the first: 36 n = 2^32 - 4 */
    const size_t          start = section_at(&t->r1cs, CONSTRAINTS_ID), second = start + 3 * (4 + TERM);
    const size_t          last = start + section_bytes(&t->r1cs, CONSTRAINTS_ID) - (4 + TERM);
    struct bytes          b;

    for (size_t i = 0; i < ARRAY_COUNT(counts); i++)
        r1cs_case(t, with_u32(t, second, counts[i]), REFUSED("r1cs", "constraints", "terms", 1, second), "%u terms",
                  counts[i]);
    r1cs_case(t, with_u32(t, second, 3), ANOTHER, "a term too many counted: the next count and wire make one");
    r1cs_case(t, with_u32(t, last, 2), REFUSED("r1cs", "constraints", "terms", CONSTRAINTS - 1, last),
              "a term more counted in the last combination");
    r1cs_case(t, with_u32(t, last, 0), refused("constraints", "end of section", last + 4),
              "a term fewer counted in the last combination");
    for (size_t i = 0; i < ARRAY_COUNT(wires); i++)
        r1cs_case(t, with_u32(t, second + 4 + TERM, wires[i]),
                  REFUSED("r1cs", "constraints", "wire", 1, second + 4 + TERM), "wire %u", wires[i]);
    b = good(t);
    memcpy(b.data + second + 8, &t->curve->fr.modulus, FR_BYTES);
    r1cs_case(t, b, REFUSED("r1cs", "constraints", "value", 1, second + 8), "a coefficient of r");
    b = good(t);
    memset(b.data + second + 8, 0xff, FR_BYTES);
    r1cs_case(t, b, REFUSED("r1cs", "constraints", "value", 1, second + 8), "a coefficient of ones");
    b = good(t);
    b.data[second + 8] ^= 1;
    r1cs_case(t, b, ANOTHER, "a coefficient of 3 instead of 2");
    b = good(t);
    section_grow(&b, CONSTRAINTS_ID, second + 4 - start, NULL, TERM);
    u32_put(&b, second, 3);
    r1cs_case(t, b, TAKEN, "an explicit zero added");
    b = good(t);
    section_shrink(&b, CONSTRAINTS_ID, second + 4 - start, 2 * TERM);
    u32_put(&b, second, 0);
    r1cs_case(t, b, ANOTHER, "an empty combination");
    b = good(t);
    section_shrink(&b, CONSTRAINTS_ID, 0, section_bytes(&b, CONSTRAINTS_ID));
    r1cs_case(t, b, refused("constraints", "constraints", start), "no constraint where three are counted");
    b = with_u32(t, section_at(&t->r1cs, HEADER) + 60, 0);
    section_shrink(&b, CONSTRAINTS_ID, 0, section_bytes(&b, CONSTRAINTS_ID));
    r1cs_case(t, b, TAKEN, "no constraint, none counted: any witness will do");
}

void mutate_r1cs(const struct tiny *t)
{
    mutate_frame(t);
    mutate_gates(t);
    mutate_header(t);
    mutate_rows(t);
}
