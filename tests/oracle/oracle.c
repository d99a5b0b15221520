/* tests/oracle/oracle.c - math/curve.h on a line protocol, so that another library can judge it.
 *
 *   oracle [PATH]    one command a line on stdin, one answer a line on stdout; status 2 on a line it cannot read
 *                    PATH: a name of cpu_path_name; without it the path that this CPU gets
 *
 *   CURVE fr    add A B | sub A B | mul A B | inv A | reduced A | wide BYTES64 | root snarkjs|gnark LOG2 | batch_inv A...
 *   CURVE g1|g2 generator | add P Q | neg P | mul P K | msm P K ... | fixed P K ... | equal P Q | reduced P | on_curve P
 *               in_subgroup P | from_x X 0|1
 *   CURVE pair  P Q          CURVE product P Q ...
 *
 * All values are hex of canonical little-endian bytes: scalars 32, points x | y (G2: c0 | c1 each), the identity all
 * zero, a pairing its 12 coordinates.  Answers: such a value, "true", "false", or "none" (from_x without a point). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "math/curve.h"

#define WORDS_MAX 8192

static _Noreturn void reject(const char *what)
{
    fprintf(stderr, "oracle: %s\n", what);
    exit(2);
}

/* --- words and values ------------------------------------------------------------------------------------------- */

struct line {
    char  *word[WORDS_MAX];
    size_t count, next;
};

static void line_split(struct line *line, char *text)
{
    char *rest = NULL;

    line->count = line->next = 0;
    for (char *w = strtok_r(text, " \n", &rest); w != NULL; w = strtok_r(NULL, " \n", &rest)) {
        if (line->count == WORDS_MAX)
            reject("too many words");
        line->word[line->count++] = w;
    }
}

static const char *line_word(struct line *line)
{
    if (line->next == line->count)
        reject("a word is missing");
    return line->word[line->next++];
}

static size_t line_left(const struct line *line) { return line->count - line->next; }

static unsigned hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    reject("not a hex digit");
}

static void take_bytes(struct line *line, uint8_t *out, size_t bytes)
{
    const char *hex = line_word(line);

    if (strlen(hex) != 2 * bytes)
        reject("a value of the wrong length");
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
}

static void show_bytes(const uint8_t *value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        printf("%02x", value[i]);
}

static void take_canon(struct line *line, fr *out)
{
    uint8_t bytes[FR_BYTES];

    take_bytes(line, bytes, FR_BYTES);
    memcpy(out->limb, bytes, FR_BYTES);
}

static void take_mont(struct line *line, const struct fr_ops *f, fr *out)
{
    take_canon(line, out);
    if (!f->is_reduced(out))
        reject("a scalar that is not reduced");
    f->to_mont(out, out);
}

static void show_mont(const struct fr_ops *f, const fr *value)
{
    fr      canon;
    uint8_t bytes[FR_BYTES];

    f->to_canon(&canon, value);
    memcpy(bytes, canon.limb, FR_BYTES);
    show_bytes(bytes, FR_BYTES);
}

static bool take_affine_if_reduced(struct line *line, const struct group_ops *g, uint8_t *out)
{
    uint8_t canon[AFFINE_BYTES_MAX];

    take_bytes(line, canon, g->affine_bytes);
    return g->from_canon(out, canon);
}

static void take_affine(struct line *line, const struct group_ops *g, uint8_t *out)
{
    if (!take_affine_if_reduced(line, g, out))
        reject("a coordinate that is not reduced");
}

static void take_point(struct line *line, const struct group_ops *g, point *out)
{
    uint8_t affine[AFFINE_BYTES_MAX];

    take_affine(line, g, affine);
    g->from_affine(out, affine);
}

static void show_affine(const struct group_ops *g, const uint8_t *affine)
{
    uint8_t canon[AFFINE_BYTES_MAX];

    g->to_canon(canon, affine);
    show_bytes(canon, g->affine_bytes);
}

static void show_point(const struct group_ops *g, const point *p)
{
    uint8_t affine[AFFINE_BYTES_MAX];

    g->to_affine(affine, p);
    show_affine(g, affine);
}

static void show_bool(bool value) { fputs(value ? "true" : "false", stdout); }

static void *new_or_end(size_t count, size_t size)
{
    void *p = mem_new(count > 0 ? count : 1, size);

    if (p == NULL)
        reject("memory is short");
    return p;
}

/* --- scalar field ----------------------------------------------------------------------------------------------- */

static void fr_batch_inv(struct line *line, const struct fr_ops *f)
{
    size_t count = line_left(line);
    fr    *a = new_or_end(count, sizeof *a), *scratch = new_or_end(count, sizeof *scratch);

    for (size_t i = 0; i < count; i++)
        take_mont(line, f, &a[i]);
    f->batch_inv(a, scratch, count);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            putchar(' ');
        show_mont(f, &a[i]);
    }
    mem_free(a);
    mem_free(scratch);
}

static void fr_root(struct line *line, const struct fr_ops *f)
{
    enum root_kind kind = strcmp(line_word(line), "gnark") == 0 ? ROOT_GNARK : ROOT_SNARKJS;
    unsigned long  log2 = strtoul(line_word(line), NULL, 10);
    fr             root;

    if (log2 > f->two_adicity)
        reject("no such root of unity");
    f->root(&root, kind, (uint32_t)log2);
    show_mont(f, &root);
}

static void command_fr(struct line *line, const struct fr_ops *f)
{
    const char *op = line_word(line);
    fr          a, b;

    if (strcmp(op, "reduced") == 0) {
        take_canon(line, &a);
        show_bool(f->is_reduced(&a));
    } else if (strcmp(op, "wide") == 0) {
        uint8_t wide[64];
        take_bytes(line, wide, sizeof wide);
        f->reduce_512(&a, wide);
        show_mont(f, &a);
    } else if (strcmp(op, "root") == 0) {
        fr_root(line, f);
    } else if (strcmp(op, "batch_inv") == 0) {
        fr_batch_inv(line, f);
    } else if (strcmp(op, "inv") == 0) {
        take_mont(line, f, &a);
        f->inv(&a, &a);
        show_mont(f, &a);
    } else {
        take_mont(line, f, &a);
        take_mont(line, f, &b);
        if (strcmp(op, "add") == 0)
            f->add(&a, &a, &b);
        else if (strcmp(op, "sub") == 0)
            f->sub(&a, &a, &b);
        else if (strcmp(op, "mul") == 0)
            f->mul(&a, &a, &b);
        else
            reject("no such operation on scalars");
        show_mont(f, &a);
    }
}

/* --- groups ----------------------------------------------------------------------------------------------------- */

/* Twice: scalars canonical and in Montgomery form must give the same sum. */
static void group_msm(struct line *line, const struct group_ops *g, const struct fr_ops *f, struct pool *pool)
{
    size_t          count = line_left(line) / 2;
    struct msm_plan plan = g->msm_plan(count, pool_threads(pool));
    uint8_t        *points = new_or_end(count, g->affine_bytes);
    fr             *scalars = new_or_end(count, sizeof *scalars);
    void           *scratch = new_or_end(plan.scratch_bytes, 1);
    point           sum, again;

    for (size_t i = 0; i < count; i++) {
        take_affine(line, g, points + i * g->affine_bytes);
        take_canon(line, &scalars[i]);
    }
    struct msm_args args = { .points = points, .scalars = scalars, .count = count, .canonical = true };
    g->msm(&sum, &args, &plan, scratch, pool);
    for (size_t i = 0; i < count; i++)
        f->to_mont(&scalars[i], &scalars[i]);
    args.canonical = false;
    g->msm(&again, &args, &plan, scratch, pool);
    if (!g->equal(&sum, &again))
        reject("msm: canonical and Montgomery scalars differ");
    show_point(g, &sum);
    mem_free(points);
    mem_free(scalars);
    mem_free(scratch);
}

static void group_fixed(struct line *line, const struct group_ops *g, const struct fr_ops *f, struct pool *pool)
{
    uint8_t base[AFFINE_BYTES_MAX];
    take_affine(line, g, base);

    size_t          count = line_left(line);
    uint8_t        *out = new_or_end(count, g->affine_bytes);
    fr             *scalars = new_or_end(count, sizeof *scalars);
    struct cuzk_err err;

    for (size_t i = 0; i < count; i++)
        take_mont(line, f, &scalars[i]);
    if (g->mul_fixed(out, base, scalars, count, pool, &err) != CUZK_OK)
        reject(err.text);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            putchar(' ');
        show_affine(g, out + i * g->affine_bytes);
    }
    mem_free(out);
    mem_free(scalars);
}

static void group_from_x(struct line *line, const struct group_ops *g)
{
    uint8_t x[AFFINE_BYTES_MAX], affine[AFFINE_BYTES_MAX];

    take_bytes(line, x, g->coordinate_bytes);
    if (g->from_x(affine, x, strcmp(line_word(line), "1") == 0))
        show_affine(g, affine);
    else
        fputs("none", stdout);
}

/* The checks of a point from outside. */
static bool group_check(const char *op, struct line *line, const struct group_ops *g)
{
    uint8_t affine[AFFINE_BYTES_MAX];

    if (strcmp(op, "reduced") == 0)
        show_bool(take_affine_if_reduced(line, g, affine) && g->is_reduced(affine));
    else if (strcmp(op, "on_curve") == 0)
        show_bool(take_affine_if_reduced(line, g, affine) && g->is_on_curve(affine));
    else if (strcmp(op, "in_subgroup") == 0)
        show_bool(take_affine_if_reduced(line, g, affine) && g->is_on_curve(affine) && g->is_in_subgroup(affine));
    else
        return false;
    return true;
}

static void group_generator(const struct group_ops *g)
{
    uint8_t affine[AFFINE_BYTES_MAX];

    g->generator(affine);
    show_affine(g, affine);
}

static void command_group(struct line *line, const struct group_ops *g, const struct fr_ops *f, struct pool *pool)
{
    const char *op = line_word(line);
    point       p, q;
    fr          k;

    if (group_check(op, line, g))
        return;
    if (strcmp(op, "generator") == 0) {
        group_generator(g);
    } else if (strcmp(op, "from_x") == 0) {
        group_from_x(line, g);
    } else if (strcmp(op, "msm") == 0) {
        group_msm(line, g, f, pool);
    } else if (strcmp(op, "fixed") == 0) {
        group_fixed(line, g, f, pool);
    } else if (strcmp(op, "neg") == 0) {
        take_point(line, g, &p);
        g->neg(&p, &p);
        show_point(g, &p);
    } else if (strcmp(op, "mul") == 0) {
        take_point(line, g, &p);
        take_canon(line, &k);
        g->mul(&p, &p, &k);
        show_point(g, &p);
    } else if (strcmp(op, "add") == 0 || strcmp(op, "equal") == 0) {
        take_point(line, g, &p);
        take_point(line, g, &q);
        if (strcmp(op, "equal") == 0) {
            show_bool(g->equal(&p, &q));
            return;
        }
        g->add(&p, &p, &q);
        show_point(g, &p);
    } else {
        reject("no such operation on points");
    }
}

/* --- pairing ---------------------------------------------------------------------------------------------------- */

static void command_pair(struct line *line, const struct curve *curve)
{
    uint8_t p[AFFINE_BYTES_MAX], q[AFFINE_BYTES_MAX], out[12 * FP_BYTES_MAX];

    take_affine(line, &curve->g1, p);
    take_affine(line, &curve->g2, q);
    curve->pairing.pair(out, p, q);
    show_bytes(out, (size_t)12 * curve->fp_bytes);
}

static void command_product(struct line *line, const struct curve *curve)
{
    size_t   count = line_left(line) / 2;
    uint8_t *p = new_or_end(count, curve->g1.affine_bytes), *q = new_or_end(count, curve->g2.affine_bytes);

    for (size_t i = 0; i < count; i++) {
        take_affine(line, &curve->g1, p + i * curve->g1.affine_bytes);
        take_affine(line, &curve->g2, q + i * curve->g2.affine_bytes);
    }
    show_bool(curve->pairing.product_is_one(p, q, count));
    mem_free(p);
    mem_free(q);
}

/* --- main ------------------------------------------------------------------------------------------------------- */

/* The curve on the named path; NULL: the default one. */
static const struct curve *curve_on_path(const struct curve *curve, const char *path_name)
{
    if (path_name == NULL)
        return curve;
    for (unsigned path = 0; path < CPU_PATH_COUNT; path++)
        if (strcmp(path_name, cpu_path_name((enum cpu_path)path)) == 0) {
            const struct curve *found = curve_get_path(curve->id, (enum cpu_path)path);
            if (found == NULL)
                reject("this CPU lacks the path");
            return found;
        }
    reject("no such path");
}

static void command_run(struct line *line, const char *path_name, struct pool *pool)
{
    const struct curve *curve = curve_by_name(line_word(line));
    const char         *kind = line_word(line);

    if (curve == NULL)
        reject("no such curve");
    curve = curve_on_path(curve, path_name);
    if (strcmp(kind, "fr") == 0)
        command_fr(line, &curve->fr);
    else if (strcmp(kind, "g1") == 0)
        command_group(line, &curve->g1, &curve->fr, pool);
    else if (strcmp(kind, "g2") == 0)
        command_group(line, &curve->g2, &curve->fr, pool);
    else if (strcmp(kind, "pair") == 0)
        command_pair(line, curve);
    else if (strcmp(kind, "product") == 0)
        command_product(line, curve);
    else
        reject("no such kind of command");
}

int main(int argc, char **argv)
{
    static struct line line;
    struct cuzk_err    err;
    struct pool       *pool = NULL;
    char              *text = NULL;
    size_t             text_bytes = 0;

    if (pool_open(&pool, 2, &err) != CUZK_OK)
        reject(err.text);
    while (getline(&text, &text_bytes, stdin) > 0) {
        line_split(&line, text);
        command_run(&line, argc > 1 ? argv[1] : NULL, pool);
        putchar('\n');
    }
    free(text);
    pool_close(pool);
    return 0;
}
