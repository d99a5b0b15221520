/* tests/mutations/mutate_json.c - damaged verification keys, public values and proofs given to `verify`. */
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "mutation.h"

enum file { VK, PUBLICS_FILE, PROOF, FILES };

static const char *const roles[FILES] = { "vk", "public", "proof" };

#define DIGITS 500000

#define VALID   ((struct expected){ .status = 0 })
#define INVALID ((struct expected){ .status = 1 })

static struct expected refused(enum file f, const char *field) { return REFUSED(roles[f], NULL, field, ANY, ANY); }

static const struct bytes *good(const struct tiny *t, enum file f)
{
    return f == VK ? &t->vk : f == PROOF ? &t->proof : &t->publics;
}

static void json_case(const struct tiny *t, enum file f, struct bytes text, struct expected e, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static void json_case(const struct tiny *t, enum file f, struct bytes text, struct expected e, const char *format, ...)
{
    static const char *const outcome[] = { "valid", "invalid", "refused" };
    static const char *const names[] = { "vk", "public", "proof", NULL };
    const char              *broken, *name;
    char                     what[128];
    va_list                  arguments;
    struct run               r;

    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    case_begin("%s, %s: %s: %s", t->curve->name, roles[f], what, outcome[e.status]);
    folder_make(CASE_FOLDER);
    for (enum file i = VK; i < FILES; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, CASE_FOLDER "/%s", names[i]);
        bytes_write(path, i == f ? &text : good(t, i));
    }
    cuzk_check(chdir(CASE_FOLDER) == 0);
    tool_run(&r, (const char *[]){ "verify", "vk", "public", "proof", "--json", "--threads", "1", NULL });
    cuzk_check(chdir("..") == 0);
    broken = run_breaks_rules(&r);
    if (broken != NULL)
        case_fail("%s: %s", broken, r.text);
    name = folder_differs(CASE_FOLDER, names);
    if (name != NULL)
        case_fail("in the folder: %s", name);
    case_expect(&r, &e);
    case_end();
    bytes_free(&text);
}

/* --- texts ------------------------------------------------------------------------------------------------------- */

static struct bytes text_of(const char *text) { return bytes_of(text, strlen(text)); }

static size_t find(const struct bytes *b, size_t from, const char *what)
{
    size_t i = from;

    for (; memcmp(b->data + i, what, strlen(what)) != 0; i++)
        cuzk_check(i + strlen(what) < b->size); /* the text to change is there */
    return i;
}

/* The good file with the first `from` replaced. */
static struct bytes edited(const struct tiny *t, enum file f, const char *from, const char *to)
{
    struct bytes b = bytes_copy(good(t, f));
    size_t       at = find(&b, 0, from);

    bytes_remove(&b, at, strlen(from));
    bytes_insert(&b, at, to, strlen(to));
    return b;
}

/* A range of the text. */
struct range {
    size_t at, bytes;
};

/* The number (without quotes) that is the nth string after the member's name; member "": of the text. */
static struct range number_at(const struct bytes *b, const char *member, size_t nth)
{
    char   quoted[40];
    size_t at = 0;

    if (member[0] != '\0') {
        (void)snprintf(quoted, sizeof quoted, "\"%s\":", member);
        at = find(b, 0, quoted) + strlen(quoted);
    }
    for (;; nth--) {
        size_t begin = find(b, at, "\"") + 1, end = find(b, begin, "\"");
        if (nth == 0)
            return (struct range){ begin, end - begin };
        at = end + 1;
    }
}

static char *number_of(const struct bytes *b, const char *member, size_t nth)
{
    struct range r = number_at(b, member, nth);

    return strndup((const char *)b->data + r.at, r.bytes);
}

/* That number, quotes included, becomes `to`. */
static struct bytes with_value(const struct tiny *t, enum file f, const char *member, size_t nth, const char *to)
{
    struct bytes b = bytes_copy(good(t, f));
    struct range r = number_at(&b, member, nth);

    bytes_remove(&b, r.at - 1, r.bytes + 2);
    bytes_insert(&b, r.at - 1, to, strlen(to));
    return b;
}

static struct bytes with_number(const struct tiny *t, enum file f, const char *member, size_t nth, const char *to)
{
    char quoted[200];

    (void)snprintf(quoted, sizeof quoted, "\"%s\"", to);
    return with_value(t, f, member, nth, quoted);
}

/* The sum of a decimal number and a little-endian one, or the difference modulus - number; heap. */
static char *plus(const char *decimal, const void *le, size_t bytes, bool negated)
{
    BIGNUM *a = NULL, *b = BN_lebin2bn(le, (int)bytes, NULL);
    char   *sum, *out;

    cuzk_check(b != NULL && BN_dec2bn(&a, decimal) > 0 && (negated ? BN_sub(a, b, a) : BN_add(a, a, b)) == 1);
    sum = BN_bn2dec(a);
    cuzk_check(sum != NULL);
    out = strdup(sum);
    OPENSSL_free(sum);
    BN_free(a);
    BN_free(b);
    return out;
}

/* The numbers of a member become a point's. */
static struct bytes with_point(const struct tiny *t, enum file f, const char *member, size_t first,
                               const struct group_ops *g, const uint8_t *affine)
{
    const size_t part = t->curve->fp_bytes, count = g->affine_bytes / part;
    uint8_t      canon[AFFINE_BYTES_MAX];
    struct bytes b = bytes_copy(good(t, f));

    g->to_canon(canon, affine);
    for (size_t i = 0; i < count; i++) {
        char        *number = plus("0", canon + i * part, part, false);
        struct range r = number_at(&b, member, first + i);
        bytes_remove(&b, r.at, r.bytes);
        bytes_insert(&b, r.at, number, strlen(number));
        free(number);
    }
    return b;
}

/* --- all three files --------------------------------------------------------------------------------------------- */

static void mutate_text(const struct tiny *t, enum file f)
{
    static const char *const broken[] = {
        "",    " ",   "nul",     "null",       "true", "7",   "\"\"",           "[",    "{",         "]",
        "{}}", "[[]", "{\"a\"}", "{\"a\":1,}", "[1,]", "'a'", "\xef\xbb\xbf[]", "\xff", "[\"\xc3\"]"
    };
    struct bytes b;

    for (size_t i = 0; i < ARRAY_COUNT(broken); i++)
        json_case(t, f, text_of(broken[i]), refused(f, NULL), "text %zu that is none", i);
    b = bytes_copy(good(t, f));
    bytes_remove(&b, b.size / 2, b.size - b.size / 2);
    json_case(t, f, b, refused(f, NULL), "its first half");
    b = bytes_copy(good(t, f));
    bytes_insert(&b, b.size, "\n\t \r", 4);
    json_case(t, f, b, VALID, "blanks at the end");
    b = bytes_copy(good(t, f));
    bytes_insert(&b, b.size, "[]", 2);
    json_case(t, f, b, refused(f, NULL), "a second value at the end");
    b = bytes_copy(good(t, f));
    bytes_insert(&b, b.size, NULL, 1);
    json_case(t, f, b, refused(f, NULL), "a NUL at the end");
    b = bytes_copy(good(t, f));
    bytes_insert(&b, 1, NULL, 1);
    json_case(t, f, b, refused(f, NULL), "a NUL inside");
    b = bytes_of(NULL, 0);
    for (size_t i = 0; i < 100000; i++)
        bytes_insert(&b, b.size, "[", 1);
    json_case(t, f, b, refused(f, NULL), "100000 open brackets");
    b = text_of("[");
    for (size_t i = 0; i < 20000; i++)
        bytes_insert(&b, b.size, "\"1\",", 4);
    bytes_insert(&b, b.size, "\"1\"]", 4);
    json_case(t, f, b, refused(f, NULL), "20001 numbers");
}

/* One coordinate of one point in every way that a number can be wrong. */
static void mutate_number(const struct tiny *t, enum file f, const char *member, size_t nth)
{
    static const char *const wrong[] = { "\"\"",    "\" 1\"",  "\"1 \"",  "\"+1\"",      "\"-1\"", "\"01\"",
                                         "\"0x1\"", "\"1e3\"", "\"1.0\"", "\"\\u0000\"", "1",      "-1",
                                         "1e400",   "null",    "[]",      "{}" };
    const bool               scalar = f == PUBLICS_FILE;
    char                    *old = number_of(good(t, f), member, nth), *more;
    char                    *digits = malloc(DIGITS + 1);
    struct bytes             b;

    cuzk_check(digits != NULL);
    for (size_t i = 0; i < ARRAY_COUNT(wrong); i++)
        json_case(t, f, with_value(t, f, member, nth, wrong[i]), refused(f, scalar ? NULL : member),
                  "%s number %zu as %s", member, nth, wrong[i]);
    more = scalar ? plus(old, &t->curve->fr.modulus, FR_BYTES, false)
                  : plus(old, t->curve->fp_modulus, t->curve->fp_bytes, false);
    json_case(t, f, with_number(t, f, member, nth, more), refused(f, scalar ? NULL : member),
              "%s number %zu plus the modulus", member, nth);
    free(more);
    memset(digits, '9', DIGITS);
    digits[0] = digits[DIGITS - 1] = '"';
    digits[DIGITS] = '\0';
    json_case(t, f, with_value(t, f, member, nth, digits), refused(f, scalar ? NULL : member),
              "%s number %zu of half a million digits", member, nth);
    b = with_number(t, f, member, nth, "1234567");
    json_case(t, f, b, scalar ? INVALID : refused(f, member), "%s number %zu another", member, nth);
    free(digits);
    free(old);
}

/* --- each of them ------------------------------------------------------------------------------------------------ */

static void mutate_members(const struct tiny *t, enum file f, const char *const *members, size_t count)
{
    char from[40], to[80];

    for (size_t i = 0; i < count; i++) {
        (void)snprintf(from, sizeof from, "\"%s\":", members[i]);
        json_case(t, f, edited(t, f, from, "\"other\":"), refused(f, members[i]), "%s missing", members[i]);
        (void)snprintf(to, sizeof to, "\"%s\":[],\"%s\":", members[i], members[i]);
        json_case(t, f, edited(t, f, from, to), refused(f, NULL), "%s twice", members[i]);
        (void)snprintf(to, sizeof to, "\"%.*s\\u%04x\":[],\"%s\":", (int)strlen(members[i]) - 1, members[i],
                       (unsigned)members[i][strlen(members[i]) - 1], members[i]);
        json_case(t, f, edited(t, f, from, to), refused(f, NULL), "%s twice, once with an escape", members[i]);
        (void)snprintf(to, sizeof to, "\"%s\":null,\"other\":", members[i]);
        json_case(t, f, edited(t, f, from, to), refused(f, members[i]), "%s null", members[i]);
        (void)snprintf(to, sizeof to, "\"%s\":[],\"other\":", members[i]);
        json_case(t, f, edited(t, f, from, to), refused(f, members[i]), "%s empty", members[i]);
    }
}

static void mutate_names(const struct tiny *t, enum file f)
{
    const bool bn = t->curve->id == CURVE_BN254;
    char       name[40];

    (void)snprintf(name, sizeof name, "\"%s\"", t->curve->name_snarkjs);
    json_case(t, f, edited(t, f, "groth16", "plonk"), refused(f, "protocol"), "protocol plonk");
    json_case(t, f, edited(t, f, "groth16", "groth16 "), refused(f, "protocol"), "protocol with a blank");
    json_case(t, f, edited(t, f, "\"groth16\"", "16"), refused(f, "protocol"), "protocol as a number");
    json_case(t, f, edited(t, f, name, "\"secp256k1\""), refused(f, "curve"), "curve secp256k1");
    json_case(t, f, edited(t, f, name, bn ? "\"bls12381\"" : "\"bn128\""), refused(f, f == VK ? NULL : "curve"),
              "the other curve's name");
    json_case(t, f, edited(t, f, name, bn ? "\"BN-254\"" : "\"BLS12-381\""), VALID, "the curve by another name");
}

static void mutate_proof(const struct tiny *t)
{
    static const char *const members[] = { "pi_a", "pi_b", "pi_c" };
    const struct group_ops  *g1 = &t->curve->g1, *g2 = &t->curve->g2;
    uint8_t                  affine[AFFINE_BYTES_MAX];
    struct bytes             b;
    char                    *y, *negated;

    mutate_members(t, PROOF, members, 3);
    mutate_names(t, PROOF);
    json_case(t, PROOF, edited(t, PROOF, "\"curve\":", "\"other\":"), VALID, "curve missing");
    for (size_t i = 0; i < 3; i++) {
        const struct group_ops *g = i == 1 ? g2 : g1;
        const size_t            count = i == 1 ? 6 : 3;
        for (size_t nth = 0; nth < count; nth++)
            json_case(t, PROOF, with_number(t, PROOF, members[i], nth, "2"), refused(PROOF, members[i]),
                      "%s number %zu is 2", members[i], nth);
        g->generator(affine);
        json_case(t, PROOF, with_point(t, PROOF, members[i], 0, g, affine), INVALID, "%s another point", members[i]);
        if (point_outside(affine, g, t->curve, NULL))
            json_case(t, PROOF, with_point(t, PROOF, members[i], 0, g, affine), refused(PROOF, members[i]),
                      "%s of cofactor order", members[i]);
        b = edited(t, PROOF,
                   i == 0   ? "\"pi_a\":"
                   : i == 1 ? "\"pi_b\":"
                            : "\"pi_c\":",
                   i == 0   ? "\"pi_a\":[\"0\",\"1\",\"0\"],\"other\":"
                   : i == 1 ? "\"pi_b\":[[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]],\"other\":"
                            : "\"pi_c\":[\"0\",\"1\",\"0\"],\"other\":");
        json_case(t, PROOF, b, INVALID, "%s at infinity", members[i]);
    }
    y = number_of(&t->proof, "pi_a", 1);
    negated = plus(y, t->curve->fp_modulus, t->curve->fp_bytes, true);
    json_case(t, PROOF, with_number(t, PROOF, "pi_a", 1, negated), INVALID, "pi_a negated");
    free(y);
    free(negated);
    b = edited(t, PROOF, "pi_a", "pi_x");
    b.data[find(&b, 0, "pi_c") + 3] = 'a';
    b.data[find(&b, 0, "pi_x") + 3] = 'c';
    json_case(t, PROOF, b, INVALID, "pi_a and pi_c exchanged");
    mutate_number(t, PROOF, "pi_a", 0);
    mutate_number(t, PROOF, "pi_b", 3);
}

static void mutate_publics(const struct tiny *t)
{
    char *second = number_of(&t->publics, "", 1);

    json_case(t, PUBLICS_FILE, text_of("[]"), refused(PUBLICS_FILE, NULL), "none");
    json_case(t, PUBLICS_FILE, text_of("[\"259\"]"), refused(PUBLICS_FILE, NULL), "one too few");
    json_case(t, PUBLICS_FILE, text_of("[\"259\",\"7\",\"0\"]"), refused(PUBLICS_FILE, NULL), "one too many, a zero");
    json_case(t, PUBLICS_FILE, text_of("[\"7\",\"259\"]"), INVALID, "exchanged");
    json_case(t, PUBLICS_FILE, text_of("[\"260\",\"7\"]"), INVALID, "one changed");
    json_case(t, PUBLICS_FILE, text_of("[[\"259\"],[\"7\"]]"), refused(PUBLICS_FILE, NULL), "nested");
    json_case(t, PUBLICS_FILE, text_of("{\"0\":\"259\",\"1\":\"7\"}"), refused(PUBLICS_FILE, NULL), "as an object");
    json_case(t, PUBLICS_FILE, text_of("[\"259\",\"7\"]"), VALID, "in one line");
    json_case(t, PUBLICS_FILE, text_of("[\"\\u0032\\u00359\",\"7\"]"), VALID, "with escaped digits");
    mutate_number(t, PUBLICS_FILE, "", 1);
    free(second);
}

static void mutate_vk(const struct tiny *t)
{
    static const char *const members[] = { "curve",      "nPublic",    "vk_alpha_1", "vk_beta_2",
                                           "vk_gamma_2", "vk_delta_2", "IC" };
    static const char *const counts[] = {
        "0",  "1",   "3",   "16777216", "16777217", "2147483648", "4294967295", "4294967298", "18446744073709551618",
        "-2", "2.0", "2e0", "\"2\"",    "true"
    };
    uint8_t affine[AFFINE_BYTES_MAX];
    char    to[64];

    mutate_members(t, VK, members, ARRAY_COUNT(members));
    mutate_names(t, VK);
    for (size_t i = 0; i < ARRAY_COUNT(counts); i++) {
        (void)snprintf(to, sizeof to, "\"nPublic\": %s", counts[i]);
        json_case(t, VK, edited(t, VK, "\"nPublic\": 2", to), refused(VK, NULL), "nPublic %s", counts[i]);
    }
    json_case(t, VK, edited(t, VK, "\"vk_alphabeta_12\":", "\"other\":"), VALID, "vk_alphabeta_12 missing: not read");
    json_case(t, VK, with_number(t, VK, "vk_alphabeta_12", 0, "1"), VALID, "vk_alphabeta_12 wrong: not read");
    for (size_t i = 2; i < ARRAY_COUNT(members); i++) {
        const struct group_ops *g = i > 2 && i < 6 ? &t->curve->g2 : &t->curve->g1;
        json_case(t, VK, with_number(t, VK, members[i], 1, "2"), refused(VK, members[i]), "%s off the curve",
                  members[i]);
        g->generator(affine);
        if (strcmp(members[i], "vk_gamma_2") != 0) /* which is the generator in a development key */
            json_case(t, VK, with_point(t, VK, members[i], 0, g, affine), INVALID, "%s another point", members[i]);
        if (point_outside(affine, g, t->curve, NULL))
            json_case(t, VK, with_point(t, VK, members[i], 0, g, affine), refused(VK, members[i]),
                      "%s of cofactor order", members[i]);
    }
    mutate_number(t, VK, "vk_beta_2", 2);
    mutate_number(t, VK, "IC", 3);
}

void mutate_json(const struct tiny *t)
{
    for (enum file f = VK; f < FILES; f++)
        mutate_text(t, f);
    mutate_proof(t);
    mutate_publics(t);
    mutate_vk(t);
}
