/* tests/unit/group_cases_tmpl.h - the properties of one real group.
 * In      G_NAME, G_FIELD, G_BASE (the prime field), G_SCALAR (prefix of the scalar field's constants), with
 *         group_tmpl.h, from_x_tmpl.h and subgroup_tmpl.h made; G_COFACTOR, limbs, and its small primes
 *         G_COFACTOR_PRIMES */
#define G(name) CAT3(G_NAME, _, name)
#define K(name) CAT3(G_FIELD, _, name)
#define ORDER CAT(G_SCALAR, _MOD)

static const uint64_t G(cofactor)[] = { G_COFACTOR };
static const uint64_t G(cofactor_primes)[] = { G_COFACTOR_PRIMES };
#define COFACTOR_LIMBS (sizeof G(cofactor) / 8)

static void G(random_scalar)(uint64_t e[4])
{
    for (int i = 0; i < 4; i++)
        e[i] = seeded_next();
    e[3] >>= 3; /* below the order of each curve */
}

/* A multiple of the generator with ZZ != 1. */
static G_NAME G(random)(void)
{
    uint64_t e[4];
    G(affine) g;
    G_NAME p;
    G(random_scalar)(e);
    G(generator)(&g);
    G(from_affine)(&p, &g);
    G(mul)(&p, &p, e, 4);
    return p;
}

/* A point of the whole curve. */
static G(affine) G(random_on_curve)(void)
{
    G(affine) a;
    uint64_t bytes[sizeof(G_FIELD) / 8];
    do {
        for (size_t i = 0; i < sizeof bytes / 8; i++)
            bytes[i] = seeded_next();
        for (size_t end = sizeof(G_BASE) / 8; end <= sizeof bytes / 8; end += sizeof(G_BASE) / 8)
            bytes[end - 1] >>= 3;
    } while (!G(from_x)(&a, (const uint8_t *)bytes, seeded_next() & 1));
    return a;
}

static bool G(has_order_r)(const G(affine) *a)
{
    G_NAME p;
    G(from_affine)(&p, a);
    G(mul)(&p, &p, ORDER, 4);
    return G(is_identity)(&p);
}

static void G(check_subgroup)(const G_NAME *p)
{
    G(affine) a;
    G(to_affine)(&a, p);
    assert_true(G(is_on_curve)(&a));
    assert_int_equal(G(is_in_subgroup)(&a), G(has_order_r)(&a));
}

static void G(generator_has_order_r)(void **state)
{
    uint64_t e[4];
    G(affine) g, a;
    G_NAME p, q;
    (void)state;
    G(generator)(&g);
    assert_true(G(is_on_curve)(&g));
    assert_false(G(affine_is_identity)(&g));
    assert_true(G(has_order_r)(&g));
    memcpy(e, ORDER, sizeof e);
    e[0]--;
    G(from_affine)(&p, &g);
    G(mul)(&q, &p, e, 4);
    G(neg)(&p, &p);
    assert_true(G(eq)(&p, &q));
    memset(&a, 0, sizeof a);
    assert_true(G(is_on_curve)(&a) && G(is_in_subgroup)(&a));
    K(set_one)(&g.y);
    K(dbl)(&g.y, &g.y);
    K(add)(&g.x, &g.x, &g.y);
    assert_false(G(is_on_curve)(&g));
}

static void G(group_laws_hold_for_random_points)(void **state)
{
    (void)state;
    seeded_start(11);
    for (int i = 0; i < 30; i++) {
        G_NAME p = G(random)(), q = G(random)(), s = G(random)(), left, right, zero;
        G(affine) a;
        uint64_t e[4], f[4], sum[4];

        G(add)(&left, &p, &q);
        G(add)(&left, &left, &s);
        G(add)(&right, &q, &s);
        G(add)(&right, &p, &right);
        assert_true(G(eq)(&left, &right));
        G(add)(&left, &p, &q);
        G(add)(&right, &q, &p);
        assert_true(G(eq)(&left, &right));
        G(to_affine)(&a, &q);
        assert_true(G(is_on_curve)(&a));
        G(add_affine)(&right, &p, &a);
        assert_true(G(eq)(&left, &right));

        G(to_affine)(&a, &p); /* equal and opposite points in different representations */
        G(dbl)(&left, &p);
        G(add_affine)(&right, &p, &a);
        assert_true(G(eq)(&left, &right));
        G(from_affine)(&right, &a);
        assert_true(G(eq)(&p, &right));
        G(add)(&right, &right, &p);
        assert_true(G(eq)(&left, &right));
        K(neg)(&a.y, &a.y);
        G(add_affine)(&right, &p, &a);
        assert_true(G(is_identity)(&right));
        G(neg)(&right, &p);
        assert_false(G(eq)(&p, &right));
        G(add)(&right, &right, &p);
        assert_true(G(is_identity)(&right));
        G(set_identity)(&zero);
        G(add)(&right, &zero, &p);
        assert_true(G(eq)(&p, &right));
        G(add)(&right, &p, &zero);
        assert_true(G(eq)(&p, &right));
        assert_false(G(eq)(&p, &zero));

        G(random_scalar)(e);
        G(random_scalar)(f);
        limbs_add(sum, e, f, 4);
        G(mul)(&left, &p, e, 4);
        G(mul)(&right, &p, f, 4);
        G(add)(&left, &left, &right);
        G(mul)(&right, &p, sum, 4);
        assert_true(G(eq)(&left, &right));
    }
}

static void G(coordinates_give_back_their_points)(void **state)
{
    uint8_t bytes[sizeof(G_FIELD)];
    G(affine) b;
    (void)state;
    seeded_start(12);
    for (int i = 0; i < 60; i++) {
        G(affine) a = G(random_on_curve)();
        G_FIELD canon;
        assert_true(G(is_on_curve)(&a));
        K(to_canon)(&canon, &a.x);
        K(store)(bytes, &canon);
        assert_true(G(from_x)(&b, bytes, K(is_larger)(&a.y)));
        assert_memory_equal(&a, &b, sizeof a);
        assert_true(G(from_x)(&b, bytes, !K(is_larger)(&a.y)));
        K(neg)(&b.y, &b.y);
        assert_memory_equal(&a, &b, sizeof a);
    }
    for (size_t end = sizeof(G_BASE); end <= sizeof bytes; end += sizeof(G_BASE)) { /* p in each coordinate */
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes + end - sizeof(G_BASE), CAT(G_BASE, _MOD), sizeof(G_BASE));
        assert_false(G(from_x)(&b, bytes, false));
        assert_false(G(from_x)(&b, bytes, true));
        memset(bytes + end - sizeof(G_BASE), 0xff, sizeof(G_BASE));
        assert_false(G(from_x)(&b, bytes, false));
    }
}

static void G(subgroup_check_equals_multiplication_by_the_order)(void **state)
{
    (void)state;
    seeded_start(13);
    for (int i = 0; i < 100; i++) {
        G(affine) a = G(random_on_curve)();
        G_NAME p, q, inside;
        G(from_affine)(&p, &a);
        G(check_subgroup)(&p);
        G(mul)(&inside, &p, G(cofactor), COFACTOR_LIMBS); /* in the subgroup */
        G(to_affine)(&a, &inside);
        assert_true(G(is_in_subgroup)(&a) && G(has_order_r)(&a));
        G(mul)(&q, &p, ORDER, 4); /* in the cofactor group, only the identity in both */
        G(check_subgroup)(&q);
        G(to_affine)(&a, &q);
        assert_int_equal(G(is_in_subgroup)(&a), G(is_identity)(&q));
        G(add)(&q, &q, &inside);
        G(check_subgroup)(&q);
    }
}

/* q = a point of order exactly l or the identity: the l-part of a random point, multiplied until the last step. */
static G_NAME G(point_of_order)(uint64_t l)
{
    uint64_t rest[COFACTOR_LIMBS], quotient[COFACTOR_LIMBS];
    G(affine) a = G(random_on_curve)();
    G_NAME p, next;
    int    power = 0;

    memcpy(rest, G(cofactor), sizeof rest);
    for (;; power++) {
        uint128 remainder = 0;
        for (size_t i = COFACTOR_LIMBS; i-- > 0;) {
            remainder = remainder << 64 | rest[i];
            quotient[i] = (uint64_t)(remainder / l);
            remainder %= l;
        }
        if (remainder != 0)
            break;
        memcpy(rest, quotient, sizeof rest);
    }
    assert_true(power > 0);
    G(from_affine)(&p, &a);
    G(mul)(&p, &p, ORDER, 4);
    G(mul)(&p, &p, rest, COFACTOR_LIMBS);
    for (int i = 0; i < power; i++) {
        G(mul)(&next, &p, &l, 1);
        if (G(is_identity)(&next))
            return p;
        p = next;
    }
    fail_msg("not of the order that the cofactor allows");
    return p;
}

static void G(points_of_small_order_are_outside)(void **state)
{
    (void)state;
    seeded_start(14);
    for (size_t k = 0; k < sizeof G(cofactor_primes) / 8; k++) {
        uint64_t l = G(cofactor_primes)[k];
        int      found = 0;
        for (int tries = 0; l > 1 && found < 6; tries++) {
            G_NAME p = G(point_of_order)(l), q = G(random)();
            G(affine) a;
            assert_true(tries < 100);
            if (G(is_identity)(&p))
                continue;
            found++;
            G(to_affine)(&a, &p);
            assert_false(G(is_in_subgroup)(&a));
            G(add)(&q, &q, &p);
            G(to_affine)(&a, &q);
            assert_true(G(is_on_curve)(&a));
            assert_false(G(is_in_subgroup)(&a));
        }
    }
}

/* The part of the cofactor group that is left when the small primes are taken away: one large prime (or nothing). */
static void G(points_of_large_order_are_outside)(void **state)
{
    (void)state;
    seeded_start(15);
    for (int i = 0; i < 6; i++) {
        G(affine) a = G(random_on_curve)();
        G_NAME p;
        G(from_affine)(&p, &a);
        G(mul)(&p, &p, ORDER, 4);
        for (size_t k = 0; k < 2 * sizeof G(cofactor_primes) / 8; k++) /* twice: squares */
            G(mul)(&p, &p, &G(cofactor_primes)[k / 2], 1);
        G(to_affine)(&a, &p);
        assert_int_equal(G(is_in_subgroup)(&a), G(is_identity)(&p));
    }
}

#undef COFACTOR_LIMBS
#undef ORDER
#undef G_NAME
#undef G_FIELD
#undef G_BASE
#undef G_SCALAR
#undef G_COFACTOR
#undef G_COFACTOR_PRIMES
#undef G
#undef K
