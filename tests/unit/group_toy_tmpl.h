/* tests/unit/group_toy_tmpl.h - a toy group completely: each point, pair and scalar in several representations, against
 * a table of sums made with plain integers.
 * In      G_NAME, G_FIELD with group_tmpl.h and from_x_tmpl.h made; G_P the prime, G_DEGREE 1 or 2, G_ORDER;
 *         G_FIELD_small(x0, x1) makes an element */
#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)

/* The table below: point 0 is the identity. */
static struct {
    struct small_point point[G_ORDER];
    int                sum[G_ORDER][G_ORDER];
    int                minus[G_ORDER];
    G(affine)          affine[G_ORDER];
} G(all);

static int G(index_of)(const struct small_point *p)
{
    for (int i = 0; i < G_ORDER; i++)
        if (memcmp(&G(all).point[i], p, sizeof *p) == 0)
            return i;
    fail_msg("no such point");
    return -1;
}

static struct small_number G(small_b)(void)
{
    G_FIELD t;
    G(curve_b)(&t);
    for (int x1 = 0; x1 < (G_DEGREE == 2 ? G_P : 1); x1++)
        for (int x0 = 0; x0 < G_P; x0++) {
            G_FIELD u = K(small)((uint64_t)x0, (uint64_t)x1);
            if (K(eq)(&t, &u))
                return (struct small_number){ x0, x1 };
        }
    fail_msg("b is not reduced");
    return (struct small_number){ 0, 0 };
}

/* Every (x, y) with y^2 = x^3 + b; the library must agree which ones these are. */
static void G(fill_table)(void)
{
    const int           side = G_DEGREE == 2 ? G_P * G_P : G_P;
    struct small_number b = G(small_b)();
    int                 n = 0;
    memset(&G(all), 0, sizeof G(all));
    G(all).point[n++].is_identity = 1;
    for (int i = 0; i < side * side; i++) {
        struct small_point  p = { { i / side % G_P, i / side / G_P }, { i % side % G_P, i % side / G_P }, 0 };
        struct small_number left = small_mul(p.y, p.y, G_P);
        struct small_number right = small_add(small_mul(small_mul(p.x, p.x, G_P), p.x, G_P), b, G_P);
        bool                on = left.c0 == right.c0 && left.c1 == right.c1;
        G(affine)           a = { K(small)((uint64_t)p.x.c0, (uint64_t)p.x.c1),
                                  K(small)((uint64_t)p.y.c0, (uint64_t)p.y.c1) };
        assert_int_equal(G(is_on_curve)(&a), on || i == 0); /* (0, 0) stands for the identity */
        if (on) {
            assert_true(n < G_ORDER);
            G(all).affine[n] = a;
            G(all).point[n++] = p;
        }
    }
    assert_int_equal(n, G_ORDER);
    for (int i = 0; i < G_ORDER; i++)
        for (int k = 0; k < G_ORDER; k++) {
            struct small_point s = small_point_add(G(all).point[i], G(all).point[k], G_P);
            G(all).sum[i][k] = G(index_of)(&s);
            if (G(all).sum[i][k] == 0)
                G(all).minus[i] = k;
        }
}

/* The same point by another z: (x z^2, y z^3, z^2, z^3); the identity with any x and y. */
static G_NAME G(represented)(int i, uint64_t z)
{
    G_NAME  r;
    G_FIELD t;
    do
        t = K(small)(z == 0 ? 1 : seeded_next() % G_P, z != 0 && G_DEGREE == 2 ? seeded_next() % G_P : 0);
    while (K(is_zero)(&t));
    G(from_affine)(&r, &G(all).affine[i]);
    if (i == 0) {
        r.x = K(small)(seeded_next() % G_P, 0);
        r.y = t;
        if (z == 0)
            G(set_identity)(&r);
        return r;
    }
    K(sqr)(&r.zz, &t);
    K(mul)(&r.zzz, &r.zz, &t);
    K(mul)(&r.x, &r.x, &r.zz);
    K(mul)(&r.y, &r.y, &r.zzz);
    return r;
}

/* r is point i, and a well-formed one. */
static void G(assert_point)(const G_NAME *r, int i)
{
    G(affine) a;
    G_FIELD s, t;
    G(to_affine)(&a, r);
    assert_memory_equal(&a, &G(all).affine[i], sizeof a);
    assert_int_equal(G(is_identity)(r), i == 0);
    assert_int_equal(G(affine_is_identity)(&a), i == 0);
    K(sqr)(&s, &r->zz);
    K(mul)(&s, &s, &r->zz);
    K(sqr)(&t, &r->zzz);
    assert_true(K(eq)(&s, &t) || i == 0);
}

static void G(every_sum_equals_the_table)(void **state)
{
    (void)state;
    G(fill_table)();
    seeded_start(8);
    for (int i = 0; i < G_ORDER; i++)
        for (int k = 0; k < G_ORDER; k++)
            for (uint64_t z = 0; z < 4; z++) {
                G_NAME p = G(represented)(i, z & 1), q = G(represented)(k, z & 2), r;
                int    sum = G(all).sum[i][k];
                G(add)(&r, &p, &q);
                G(assert_point)(&r, sum);
                r = p;
                G(add)(&r, &r, &q);
                G(assert_point)(&r, sum);
                r = q;
                G(add)(&r, &p, &r);
                G(assert_point)(&r, sum);
                G(add_affine)(&r, &p, &G(all).affine[k]);
                G(assert_point)(&r, sum);
                r = p;
                G(add_affine)(&r, &r, &G(all).affine[k]);
                G(assert_point)(&r, sum);
                assert_int_equal(G(eq)(&p, &q), i == k);
            }
}

static void G(every_double_and_negative_equals_the_table)(void **state)
{
    (void)state;
    G(fill_table)();
    seeded_start(9);
    for (int i = 0; i < G_ORDER; i++)
        for (uint64_t z = 0; z < 8; z++) {
            G_NAME p = G(represented)(i, z), r;
            G(dbl)(&r, &p);
            G(assert_point)(&r, G(all).sum[i][i]);
            r = p;
            G(dbl)(&r, &r);
            G(assert_point)(&r, G(all).sum[i][i]);
            r = p;
            G(add)(&r, &r, &r);
            G(assert_point)(&r, G(all).sum[i][i]);
            G(neg)(&r, &p);
            G(assert_point)(&r, G(all).minus[i]);
            r = p;
            G(neg)(&r, &r);
            G(assert_point)(&r, G(all).minus[i]);
        }
}

static void G(every_multiple_equals_repeated_addition)(void **state)
{
    (void)state;
    G(fill_table)();
    seeded_start(10);
    for (int i = 0; i < G_ORDER; i++) {
        int expected = 0;
        for (uint64_t e = 0; e <= 2 * G_ORDER; e++) {
            uint64_t limbs[4] = { e, 0, 0, 0 };
            G_NAME   p = G(represented)(i, e % 3);
            G(mul)(&p, &p, limbs, 1 + e % 4);
            G(assert_point)(&p, expected);
            expected = G(all).sum[expected][i];
        }
        G_NAME p = G(represented)(i, 1);
        G(mul)(&p, &p, NULL, 0);
        G(assert_point)(&p, 0);
    }
}

/* Exactly one y of each pair is "larger"; c1 decides, c0 if c1 is zero. */
static void G(every_coordinate_gives_its_two_points)(void **state)
{
    (void)state;
    G(fill_table)();
    for (int i = 0; i < (G_DEGREE == 2 ? G_P * G_P : G_P); i++)
        for (int larger = 0; larger < 2; larger++) {
            uint64_t bytes[sizeof(G_FIELD) / 8] = { 0 };
            int      expected = -1;
            G(affine) a;
            for (int k = 1; k < G_ORDER; k++) {
                struct small_point p = G(all).point[k];
                int                sign = p.y.c1 != 0 ? p.y.c1 : p.y.c0;
                if (p.x.c0 == i % G_P && p.x.c1 == i / G_P && larger == (sign > G_P / 2))
                    expected = k;
            }
            bytes[0] = (uint64_t)(i % G_P);
            if (G_DEGREE == 2)
                bytes[sizeof bytes / 8 / 2] = (uint64_t)(i / G_P);
            assert_int_equal(G(from_x)(&a, (const uint8_t *)bytes, larger), expected >= 0);
            if (expected >= 0)
                assert_memory_equal(&a, &G(all).affine[expected], sizeof a);
            bytes[0] += G_P; /* not reduced */
            assert_false(G(from_x)(&a, (const uint8_t *)bytes, larger));
        }
}

#undef G_NAME
#undef G_FIELD
#undef G_P
#undef G_DEGREE
#undef G_ORDER
#undef G
#undef K
