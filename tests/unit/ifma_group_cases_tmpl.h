/* tests/unit/ifma_group_cases_tmpl.h - the pair adder with lanes against XYZZ additions.  Each inclusion adds tests for
 * one group.
 * In      G_NAME, G_FIELD, made, with the seam of ifma_affine_tmpl.h */
#include "math_test.h"

#define T(name) CAT3(G_NAME, _test_, name)
#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)

#define POINTS_MAX 128

/* [0] the identity, then multiples of the generator, consecutive, opposites among them where the group is small; at an
 * odd address, as in a key. */
static uint8_t T(bytes)[1 + POINTS_MAX * sizeof(G(affine))];

static size_t T(make_points)(void)
{
    G(affine) generator, p;
    G_NAME    sum;
    size_t    count = 0;
    G(generator)(&generator);
    G(set_identity)(&sum);
    do {
        G(to_affine)(&p, &sum);
        memcpy(T(bytes) + 1 + count++ * sizeof p, &p, sizeof p);
        G(add_affine)(&sum, &sum, &generator);
    } while (count < POINTS_MAX && !G(is_identity)(&sum));
    return count;
}

static void T(sum)(G(affine) *r, uint32_t left, uint32_t right)
{
    G(affine) p, q;
    G_NAME    sum;
    G(load_entry)(&p, T(bytes) + 1, left);
    G(load_entry)(&q, T(bytes) + 1, right);
    G(from_affine)(&sum, &p);
    G(add_affine)(&sum, &sum, &q);
    G(to_affine)(r, &sum);
}

/* expected[left][right][signs]: each pair once. */
static G(affine) T(expected)[POINTS_MAX][POINTS_MAX][2];

static void T(make_expected)(size_t points)
{
    for (uint32_t i = 0; i < points; i++)
        for (uint32_t j = 0; j < points; j++)
            for (uint32_t s = 0; s < 2; s++)
                T(sum)(&T(expected)[i][j][s], i, s ? j | ENTRY_NEGATIVE : j);
}

static void T(check_block)(const uint32_t *left, const uint32_t *right, size_t count)
{
    static G(affine)       sum[PAIRS_MAX + 1];
    static G(work)        *out[PAIRS_MAX];
    static struct G(block) block;
    G(affine)              expected, canary;
    memset(&canary, 0x5a, sizeof canary);
    memset(&block, 0xa5, sizeof block);
    for (size_t i = 0; i < count; i++)
        out[i] = &sum[count - 1 - i];
    sum[count] = canary;
    G(add_block)(out, T(bytes) + 1, count % 2 == 0, left, right, count, &block);
    assert_memory_equal(&sum[count], &canary, sizeof canary);
    for (size_t i = 0; i < count; i++) {
        uint32_t sign = (left[i] ^ right[i]) >> 31;
        expected = T(expected)[left[i] & ~ENTRY_NEGATIVE][right[i] & ~ENTRY_NEGATIVE][sign];
        if (left[i] & ENTRY_NEGATIVE)
            K(neg)(&expected.y, &expected.y);
        if (memcmp(out[i], &expected, sizeof expected) != 0)
            fail_msg("pair %zu of %zu: %x + %x", i, count, left[i], right[i]);
    }
}

static size_t T(points);

/* Every pair of points and signs, in full blocks. */
static void T(every_pair)(void **state)
{
    static uint32_t left[PAIRS_MAX], right[PAIRS_MAX];
    size_t          count = 0;
    (void)state;
    T(points) = T(make_points)();
    T(make_expected)(T(points));
    for (uint32_t i = 0; i < T(points); i++)
        for (uint32_t j = 0; j < T(points); j++)
            for (uint32_t s = 0; s < 4; s++) {
                left[count] = i | (s & 1 ? ENTRY_NEGATIVE : 0);
                right[count] = j | (s & 2 ? ENTRY_NEGATIVE : 0);
                if (++count == PAIRS_MAX) {
                    T(check_block)(left, right, count);
                    count = 0;
                }
            }
    T(check_block)(left, right, count);
}

/* Blocks of all small sizes and some large ones; pairs plain, all identities, all equal, all opposite, or all of it. */
static void T(every_size_and_kind)(void **state)
{
    static uint32_t left[PAIRS_MAX], right[PAIRS_MAX];
    static const size_t large[] = { 63, 64, 65, 1000, 1023, 1024, 1025, PAIRS_MAX - 1, PAIRS_MAX };
    (void)state;
    seeded_start(4);
    for (size_t turn = 0; turn <= 40 + sizeof large / sizeof large[0]; turn++) {
        size_t count = turn <= 40 ? turn : large[turn - 41];
        for (int kind = 0; kind < 5; kind++) {
            for (size_t i = 0; i < count; i++) {
                uint64_t choice = kind < 4 ? (uint64_t)kind : seeded_next() % 4;
                uint32_t p = (uint32_t)(seeded_next() % T(points)), q = (uint32_t)(seeded_next() % T(points));
                left[i] = choice == 1 ? 0 : p | (q & 1 ? ENTRY_NEGATIVE : 0);
                right[i] = choice == 0 ? q : choice == 1 ? 0 : choice == 2 ? left[i] : left[i] ^ ENTRY_NEGATIVE;
            }
            T(check_block)(left, right, count);
        }
    }
}

/* Copies are the points themselves with their signs. */
static void T(copies)(void **state)
{
    G(affine) out[2 * POINTS_MAX], p;
    G(work)  *to[2 * POINTS_MAX];
    uint32_t  entry[2 * POINTS_MAX];
    (void)state;
    for (size_t i = 0; i < 2 * T(points); i++) {
        to[i] = &out[i];
        entry[i] = (uint32_t)(i / 2) | (i & 1 ? ENTRY_NEGATIVE : 0);
    }
    G(copy_block)(to, T(bytes) + 1, true, entry, 2 * T(points));
    for (size_t i = 0; i < 2 * T(points); i++) {
        G(load_entry)(&p, T(bytes) + 1, entry[i]);
        assert_memory_equal(&p, &out[i], sizeof p);
    }
}

#undef G_NAME
#undef G_FIELD
#undef T
#undef G
#undef K
#undef POINTS_MAX
