/* tests/unit/ifma_field_cases_tmpl.h - the lane field against the scalar field.  Each inclusion adds tests for one.
 * In      V_NAME, V_FIELD, both made */
#include "math_test.h"

#define T(name) CAT3(V_NAME, _test_, name)
#define V(name) CAT3(V_NAME, _, name)
#define K(name) CAT3(V_FIELD, _, name)
#define VL      K(V_LIMBS)
#define WORDS   (sizeof(V_FIELD) / 8)

/* Integers below p: small ones, large ones, single bits, all ones below a bit, then random ones. */
static void T(number)(V_FIELD *r, size_t turn)
{
    memset(r, 0, sizeof *r);
    if (turn < 8) {
        r->limb[0] = turn;
    } else if (turn < 16) {
        V_FIELD small = { { turn - 7 } };
        limbs_sub(r->limb, K(MOD), small.limb, WORDS);
    } else if (turn < 16 + 64 * WORDS) {
        r->limb[(turn - 16) / 64] = UINT64_C(1) << turn % 64;
    } else if (turn < 16 + 128 * WORDS) {
        size_t bit = turn - 16 - 64 * WORDS;
        for (size_t k = 0; k < bit / 64; k++)
            r->limb[k] = UINT64_MAX;
        r->limb[bit / 64] = (UINT64_C(1) << bit % 64) - 1;
    } else {
        for (size_t k = 0; k < WORDS; k++)
            r->limb[k] = seeded_next();
    }
    if (!K(is_reduced)(r))
        K(to_mont)(r, r); /* also right above p */
}

static void T(numbers)(V_FIELD r[LANES], size_t turn)
{
    for (size_t i = 0; i < LANES; i++)
        T(number)(&r[i], turn + i);
}

#define EDGES (16 + 128 * WORDS)

static void T(check)(const V_NAME *found, const V_FIELD expected[LANES], const char *what, size_t turn)
{
    V_FIELD out[LANES];
    V(to_field)(out, found);
    for (int i = 0; i < LANES; i++)
        if (memcmp(&out[i], &expected[i], sizeof out[i]) != 0)
            fail_msg("%s, turn %zu, lane %d", what, turn, i);
}

/* limb + n p, tidy. */
static void T(lift)(V_NAME *r, const int n)
{
    V(add_p)(r, n);
    V(tidy)(r);
}

/* Both operands anywhere below 4 p, one below 16 p: the widest that the bounds allow. */
static void T(products_match)(void **state)
{
    (void)state;
    seeded_start(1);
    for (size_t turn = 0; turn < 3000; turn++) {
        V_FIELD a[LANES], b[LANES], expected[LANES];
        V_NAME  va, vb, r;
        T(numbers)(a, turn % 2 ? turn : EDGES);
        T(numbers)(b, turn / 2 * 7 % (EDGES + 100));
        V(from_field)(&va, a);
        V(from_field)(&vb, b);
        for (int i = 0; i < LANES; i++)
            K(mul)(&expected[i], &a[i], &b[i]);
        V(mul)(&r, &va, &vb);
        T(check)(&r, expected, "a b", turn);
        V(reduce)(&va);
        V(reduce)(&vb);
        V_NAME wide = va, many = vb;
        T(lift)(&wide, 3);
        T(lift)(&many, 3);
        V(mul)(&r, &wide, &many);
        T(check)(&r, expected, "(a + 3 p)(b + 3 p)", turn);
        T(lift)(&many, 12);
        V(mul)(&many, &va, &many);
        T(check)(&many, expected, "a (b + 15 p)", turn);
        for (int i = 0; i < LANES; i++)
            K(sqr)(&expected[i], &a[i]);
        V(sqr)(&r, &va);
        T(check)(&r, expected, "a^2", turn);
        V(sqr)(&wide, &wide);
        T(check)(&wide, expected, "(a + 3 p)^2", turn);
    }
}

static void T(sums_match)(void **state)
{
    (void)state;
    seeded_start(2);
    for (size_t turn = 0; turn < 3000; turn++) {
        V_FIELD a[LANES], b[LANES], expected[LANES];
        V_NAME  va, vb, r;
        T(numbers)(a, turn % 2 ? turn : EDGES);
        T(numbers)(b, turn / 2 * 5 % (EDGES + 100));
        V(from_field)(&va, a);
        V(from_field)(&vb, b);
        for (int i = 0; i < LANES; i++)
            K(add)(&expected[i], &a[i], &b[i]);
        V(add)(&r, &va, &vb);
        T(check)(&r, expected, "a + b", turn);
        for (int i = 0; i < LANES; i++)
            K(sub)(&expected[i], &a[i], &b[i]);
        V(sub)(&r, &va, &vb, 2);
        T(check)(&r, expected, "a - b", turn);
        for (int i = 0; i < LANES; i++)
            if (turn >> i & 1)
                K(neg)(&expected[i], &a[i]);
            else
                expected[i] = a[i];
        V(reduce)(&va);
        r = va;
        V(neg_lanes)(&r, (__mmask8)turn);
        V(tidy)(&r);
        T(check)(&r, expected, "-a in some lanes", turn);
    }
}

/* v + n p for n = -2 .. 1 comes back as v, in words too. */
static void T(reduction_is_exact)(void **state)
{
    (void)state;
    seeded_start(3);
    for (size_t turn = 0; turn < EDGES + 2000; turn++) {
        V_FIELD        a[LANES], back[LANES];
        const uint8_t *from[LANES];
        uint8_t       *to[LANES];
        V_NAME         v, r, zero;
        T(numbers)(a, turn);
        for (int i = 0; i < LANES; i++) {
            from[i] = (const uint8_t *)&a[i];
            to[i] = (uint8_t *)&back[i];
        }
        V(load)(&v, from, 0);
        V(set_zero)(&zero);
        for (int n = -2; n <= 1; n++) {
            r = v;
            V(add_p)(&r, n);
            V(reduce)(&r);
            V(store)(to, &r, 0);
            assert_memory_equal(a, back, sizeof a);
            assert_int_equal(V(eq_mask)(&r, &v), 0xff);
            __mmask8 none = 0;
            for (int i = 0; i < LANES; i++)
                none = (__mmask8)(none | (unsigned)K(is_zero)(&a[i]) << i);
            assert_int_equal(V(zero_mask)(&r), none);
        }
    }
}

/* v + n p up to 17 p comes below 4 p, tidy, and keeps its value: for primes above 0.7 of a power of two. */
static void T(shrinks)(void **state)
{
    const int   wide[] = { 0, 1, 2, 3, 4, 5, 7, 8, 11, 12, 15, 16 };
    const bool  real = K(BITS) > 64 * (WORDS - 1); /* toy primes need not be that large */
    (void)state;
    seeded_start(5);
    for (size_t turn = 0; turn < EDGES + 500; turn++) {
        V_FIELD a[LANES], expected[LANES];
        V_NAME  v, r, less;
        T(numbers)(a, turn);
        V(from_field)(&v, a);
        V(reduce)(&v);
        V(to_field)(expected, &v);
        for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
            r = v;
            V(add_p)(&r, wide[i]);
            V(shrink)(&r);
            for (int k = 0; k < VL; k++)
                for (int l = 0; l < LANES; l++)
                    assert_true(r.limb[k][l] <= LIMB_MASK);
            less = r;
            V(add_p)(&less, -2);
            if (real) { /* below 4 p: less is in the domain of reduce */
                V(reduce)(&less);
                assert_int_equal(V(eq_mask)(&less, &v), 0xff);
            }
            T(check)(&r, expected, "shrunk", turn);
        }
    }
}

/* The inverse against the power a^(p-2); 0 gives 0. */
static void T(inverses)(void **state)
{
    (void)state;
    seeded_start(6);
    for (size_t turn = 0; turn < EDGES + 200; turn++) {
        V_FIELD a, found, expected;
        T(number)(&a, turn);
        K(pow)(&expected, &a, K(INV_EXP), sizeof a / sizeof a.limb[0]);
        K(inv)(&found, &a);
        assert_memory_equal(&found, &expected, sizeof found);
    }
}

static void T(one_lane_and_back)(void **state)
{
    (void)state;
    for (size_t turn = 0; turn < EDGES; turn++) {
        V_FIELD a[LANES], one;
        V_NAME  v;
        T(number)(&a[0], turn);
        V(from_one)(&v, &a[0]);
        V(to_one)(&one, &v);
        assert_memory_equal(&one, &a[0], sizeof one);
        T(lift)(&v, 1);
        V(to_one)(&one, &v);
        assert_memory_equal(&one, &a[0], sizeof one);
    }
}

#undef V_NAME
#undef V_FIELD
#undef T
#undef V
#undef K
#undef VL
#undef WORDS
#undef EDGES
