/* tests/unit/pairing_cases_tmpl.h - the properties of one tower and its pairing.
 * In      P_NAME with all templates of a curve made; P_NAME_known: e(G1, G2) as 12 hexadecimal numbers */
#define P(name) CAT3(P_NAME, _, name)
#define FP P(fp)
#define FP2 P(fp2)
#define FP6 P(fp6)
#define FP12 P(fp12)
#define G1A P(g1_affine)
#define G2A P(g2_affine)

static FP P(random_fp)(void)
{
    FP r;
    for (size_t i = 0; i < sizeof r / 8; i++)
        r.limb[i] = seeded_next();
    P(fp_to_mont)(&r, &r); /* reduces */
    return r;
}

static FP2 P(random_fp2)(void)
{
    FP2 r = { P(random_fp)(), P(random_fp)() };
    return r;
}

static FP6 P(random_fp6)(void)
{
    FP6 r = { P(random_fp2)(), P(random_fp2)(), P(random_fp2)() };
    return r;
}

static FP12 P(random_fp12)(void)
{
    FP12 r = { P(random_fp6)(), P(random_fp6)() };
    return r;
}

/* The six coefficients of powers of w, w^2 = v. */
static void P(by_power)(FP2 *out[6], FP12 *a)
{
    out[0] = &a->c0.c0, out[2] = &a->c0.c1, out[4] = &a->c0.c2;
    out[1] = &a->c1.c0, out[3] = &a->c1.c1, out[5] = &a->c1.c2;
}

/* Polynomials in w with w^6 = xi, 36 products. */
static FP12 P(schoolbook)(FP12 a, FP12 b)
{
    FP12 r;
    FP2 *x[6], *y[6], *z[6], t, xi;
    memset(&r, 0, sizeof r);
    memcpy(&xi, P(XI), sizeof xi);
    P(by_power)(x, &a);
    P(by_power)(y, &b);
    P(by_power)(z, &r);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            P(fp2_mul)(&t, x[i], y[k]);
            if (i + k >= 6)
                P(fp2_mul)(&t, &t, &xi);
            P(fp2_add)(z[(i + k) % 6], z[(i + k) % 6], &t);
        }
    return r;
}

static FP12 P(of_fp6)(const FP6 *a)
{
    FP12 r;
    memset(&r, 0, sizeof r);
    r.c0 = *a;
    return r;
}

static FP12 P(power)(const FP12 *a, const uint64_t *e, int limbs)
{
    FP12 r;
    P(fp12_set_one)(&r);
    for (int i = 64 * limbs; i-- > 0;) {
        P(fp12_mul)(&r, &r, &r);
        if (e[i / 64] >> i % 64 & 1)
            P(fp12_mul)(&r, &r, a);
    }
    return r;
}

static void P(fp6_products_equal_the_schoolbook)(void **state)
{
    (void)state;
    seeded_start(16);
    for (int i = 0; i < 50; i++) {
        FP6  a = P(random_fp6)(), b = P(random_fp6)(), r, s;
        FP12 expected;
        FP2  t, xi;
        if (i == 0)
            memset(&b, 0, sizeof b);
        expected = P(schoolbook)(P(of_fp6)(&a), P(of_fp6)(&b));
        P(fp6_mul)(&r, &a, &b);
        assert_true(P(fp6_eq)(&r, &expected.c0));
        s = a;
        P(fp6_mul)(&s, &s, &b);
        assert_true(P(fp6_eq)(&s, &r));
        s = b;
        P(fp6_mul)(&s, &a, &s);
        assert_true(P(fp6_eq)(&s, &r));

        memset(&b.c2, 0, sizeof b.c2);
        P(fp6_mul)(&r, &a, &b);
        P(fp6_mul_01)(&s, &a, &b.c0, &b.c1);
        assert_true(P(fp6_eq)(&s, &r));
        s = a;
        P(fp6_mul_01)(&s, &s, &b.c0, &b.c1);
        assert_true(P(fp6_eq)(&s, &r));
        memset(&b.c1, 0, sizeof b.c1);
        P(fp6_mul)(&r, &a, &b);
        P(fp6_mul_fp2)(&s, &a, &b.c0);
        assert_true(P(fp6_eq)(&s, &r));
        memset(&b, 0, sizeof b);
        P(fp2_set_one)(&b.c1);
        P(fp6_mul)(&r, &a, &b);
        P(fp6_mul_v)(&a, &a);
        assert_true(P(fp6_eq)(&a, &r));

        memcpy(&xi, P(XI), sizeof xi);
        P(fp2_mul)(&t, &a.c0, &xi);
        P(fp2_mul_xi)(&a.c0, &a.c0);
        assert_true(P(fp2_eq)(&a.c0, &t));
    }
}

static void P(fp12_products_equal_the_schoolbook)(void **state)
{
    (void)state;
    seeded_start(17);
    for (int i = 0; i < 50; i++) {
        FP12 a = P(random_fp12)(), b = P(random_fp12)(), r, s, expected;
        FP2  l0 = P(random_fp2)(), l1 = P(random_fp2)(), l4 = P(random_fp2)();
        expected = P(schoolbook)(a, b);
        P(fp12_mul)(&r, &a, &b);
        assert_true(P(fp12_eq)(&r, &expected));
        s = a;
        P(fp12_mul)(&s, &s, &b);
        assert_true(P(fp12_eq)(&s, &r));
        s = b;
        P(fp12_mul)(&s, &a, &s);
        assert_true(P(fp12_eq)(&s, &r));

        expected = P(schoolbook)(a, a);
        P(fp12_sqr)(&r, &a);
        assert_true(P(fp12_eq)(&r, &expected));
        s = a;
        P(fp12_sqr)(&s, &s);
        assert_true(P(fp12_eq)(&s, &r));

        memset(&b, 0, sizeof b);
        b.c0.c0 = l0, b.c0.c1 = l1, b.c1.c1 = l4;
        P(fp12_mul)(&r, &a, &b);
        s = a;
        P(fp12_mul_014)(&s, &s, &l0, &l1, &l4);
        assert_true(P(fp12_eq)(&s, &r));
        memset(&b, 0, sizeof b);
        b.c0.c0 = l0, b.c1.c0 = l1, b.c1.c1 = l4;
        P(fp12_mul)(&r, &a, &b);
        s = a;
        P(fp12_mul_034)(&s, &s, &l0, &l1, &l4);
        assert_true(P(fp12_eq)(&s, &r));
    }
}

static void P(inverses_multiply_to_one)(void **state)
{
    (void)state;
    seeded_start(18);
    for (int i = 0; i < 50; i++) {
        FP12 a = P(random_fp12)(), r, s;
        FP6  x, y;
        if (i % 5 == 1)
            memset(&a.c1, 0, sizeof a.c1);
        if (i % 5 == 2)
            memset(&a.c0, 0, sizeof a.c0);
        if (i % 5 == 3)
            memset(&a.c0.c0, 0, sizeof a.c0.c0), memset(&a.c0.c2, 0, sizeof a.c0.c2);
        P(fp12_inv)(&r, &a);
        P(fp12_mul)(&s, &a, &r);
        assert_true(P(fp12_is_one)(&s));
        s = a;
        P(fp12_inv)(&s, &s);
        assert_true(P(fp12_eq)(&s, &r));
        x = i % 5 == 2 ? a.c1 : a.c0;
        P(fp6_inv)(&y, &x);
        P(fp6_mul)(&y, &y, &x);
        s = P(of_fp6)(&y);
        assert_true(P(fp12_is_one)(&s));
        memset(&a, 0, sizeof a);
        P(fp12_inv)(&r, &a);
        assert_true(P(fp12_eq)(&r, &a));
    }
}

static void P(frobenius_equals_the_power_by_p)(void **state)
{
    (void)state;
    seeded_start(19);
    for (int i = 0; i < 3; i++) {
        FP12 a = P(random_fp12)(), expected = a, r;
        for (int k = 1; k <= 3; k++) {
            expected = P(power)(&expected, P(fp_MOD), sizeof(FP) / 8);
            P(fp12_frobenius)(&r, &a, k);
            assert_true(P(fp12_eq)(&r, &expected));
            r = a;
            P(fp12_frobenius)(&r, &r, k);
            assert_true(P(fp12_eq)(&r, &expected));
        }
        P(fp12_frobenius)(&r, &expected, 3); /* p^6 */
        P(fp12_conj)(&a, &a);
        assert_true(P(fp12_eq)(&r, &a));
    }
}

static void P(cyclotomic_square_and_power_equal_the_plain_ones)(void **state)
{
    const uint64_t x[1] = { P(X) };
    (void)state;
    seeded_start(20);
    for (int i = 0; i < 20; i++) {
        FP12 a = P(random_fp12)(), r, s;
        P(fp12_inv)(&r, &a);
        P(fp12_conj)(&a, &a);
        P(fp12_mul)(&a, &a, &r); /* a^(p^6 - 1) */
        P(fp12_frobenius)(&r, &a, 2);
        P(fp12_mul)(&a, &a, &r);
        P(fp12_sqr)(&r, &a);
        P(fp12_cyclotomic_sqr)(&s, &a);
        assert_true(P(fp12_eq)(&r, &s));
        s = a;
        P(fp12_cyclotomic_sqr)(&s, &s);
        assert_true(P(fp12_eq)(&r, &s));
        P(fp12_conj)(&r, &a);
        P(fp12_mul)(&r, &r, &a);
        assert_true(P(fp12_is_one)(&r));
        r = P(power)(&a, x, 1);
        P(cyclotomic_pow_x)(&s, &a);
        assert_true(P(fp12_eq)(&r, &s));
        P(cyclotomic_pow_x)(&a, &a);
        assert_true(P(fp12_eq)(&r, &a));
    }
}

static void P(multiples)(G1A *p, G2A *q, const uint64_t a[4], const uint64_t b[4])
{
    P(g1) t;
    P(g2) u;
    P(g1_generator)(p);
    P(g2_generator)(q);
    P(g1_from_affine)(&t, p);
    P(g2_from_affine)(&u, q);
    P(g1_mul)(&t, &t, a, 4);
    P(g2_mul)(&u, &u, b, 4);
    P(g1_to_affine)(p, &t);
    P(g2_to_affine)(q, &u);
}

static FP12 P(value)(const G1A *p, const G2A *q)
{
    FP12 r;
    P(pairing_product)(&r, (const uint8_t *)p, (const uint8_t *)q, 1);
    return r;
}

static void P(random_scalar)(uint64_t e[4])
{
    for (int i = 0; i < 4; i++)
        e[i] = seeded_next();
    e[3] >>= 3;
}

static void P(pairing_of_the_generators_equals_noble_and_snarkjs)(void **state)
{
    const uint64_t one[4] = { 1 };
    uint8_t        out[12 * sizeof(FP)];
    char           text[2 * sizeof(FP) + 1];
    G1A p;
    G2A q;
    (void)state;
    P(multiples)(&p, &q, one, one);
    P(pair)(out, (const uint8_t *)&p, (const uint8_t *)&q);
    for (size_t i = 0; i < 12; i++) {
        for (size_t k = 0; k < sizeof(FP); k++)
            snprintf(text + 2 * k, 3, "%02x", out[(i + 1) * sizeof(FP) - 1 - k]);
        assert_string_equal(text, P(known)[i]);
    }
}

static void P(pairing_is_bilinear)(void **state)
{
    const uint64_t one[4] = { 1 };
    (void)state;
    seeded_start(21);
    for (int i = 0; i < 8; i++) {
        uint64_t a[4], b[4];
        G1A p;
        G2A q;
        P(random_scalar)(a);
        P(random_scalar)(b);
        P(multiples)(&p, &q, one, one);
        FP12 base = P(value)(&p, &q), expected, r;
        P(multiples)(&p, &q, a, b);
        r = P(value)(&p, &q); /* e(aP, bQ) = e(P, Q)^(ab) */
        expected = P(power)(&base, a, 4);
        expected = P(power)(&expected, b, 4);
        assert_true(P(fp12_eq)(&r, &expected));
        P(multiples)(&p, &q, b, a);
        r = P(value)(&p, &q);
        assert_true(P(fp12_eq)(&r, &expected));
        P(multiples)(&p, &q, a, one);
        r = P(value)(&p, &q);
        expected = P(power)(&base, a, 4);
        assert_true(P(fp12_eq)(&r, &expected));
        P(fp_neg)(&p.y, &p.y); /* e(-P, Q) = 1/e(P, Q) = e(P, -Q) */
        r = P(value)(&p, &q);
        P(fp12_mul)(&expected, &expected, &r);
        assert_true(P(fp12_is_one)(&expected));
        P(fp_neg)(&p.y, &p.y);
        P(fp2_neg)(&q.y, &q.y);
        expected = P(value)(&p, &q);
        assert_true(P(fp12_eq)(&r, &expected));
    }
}

static void P(pairing_has_order_r_and_identities_give_one)(void **state)
{
    const uint64_t one[4] = { 1 };
    G1A p, p0;
    G2A q, q0;
    (void)state;
    memset(&p0, 0, sizeof p0);
    memset(&q0, 0, sizeof q0);
    P(multiples)(&p, &q, one, one);
    FP12 r = P(value)(&p, &q);
    assert_false(P(fp12_is_one)(&r));
    r = P(power)(&r, P(fr_MOD), 4);
    assert_true(P(fp12_is_one)(&r));
    r = P(value)(&p0, &q);
    assert_true(P(fp12_is_one)(&r));
    r = P(value)(&p, &q0);
    assert_true(P(fp12_is_one)(&r));
    r = P(value)(&p0, &q0);
    assert_true(P(fp12_is_one)(&r));
}

/* Pairs (a_i P, b_i Q) whose a_i b_i add up to zero, in every number around the batches; identities in between. */
static void P(product_is_one_exactly_when_the_exponents_cancel)(void **state)
{
    static G1A p[20];
    static G2A q[20];
    (void)state;
    seeded_start(22);
    assert_true(P(product_is_one)((const uint8_t *)p, (const uint8_t *)q, 0));
    for (size_t count = 1; count <= 20; count += count == 4 ? 3 : count == 9 ? 6 : 1) {
        uint64_t sum = 0, k[4] = { 0 }, one[4] = { 1 };
        for (size_t i = 0; i + 1 < count; i++) {
            uint64_t a[4] = { seeded_next() >> 40 }, b[4] = { seeded_next() >> 40 };
            if (i % 6 == 5)
                a[0] = 0;
            if (i % 6 == 2)
                b[0] = 0;
            sum += a[0] * b[0];
            P(multiples)(&p[i], &q[i], a, b);
        }
        k[0] = sum;
        P(multiples)(&p[count - 1], &q[count - 1], k, one);
        P(fp_neg)(&p[count - 1].y, &p[count - 1].y); /* (0, 0) stays */
        assert_true(P(product_is_one)((const uint8_t *)p, (const uint8_t *)q, count));
        k[0] = sum + 1;
        P(multiples)(&p[count - 1], &q[count - 1], k, one);
        P(fp_neg)(&p[count - 1].y, &p[count - 1].y);
        assert_false(P(product_is_one)((const uint8_t *)p, (const uint8_t *)q, count));
    }
}

static void P(bytes_of_points_may_lie_at_any_address)(void **state)
{
    const uint64_t two[4] = { 2 }, one[4] = { 1 };
    static uint8_t g1[2 * sizeof(G1A) + 1], g2[2 * sizeof(G2A) + 1];
    G1A p;
    G2A q;
    (void)state;
    P(multiples)(&p, &q, two, one);
    memcpy(g1 + 1, &p, sizeof p);
    memcpy(g2 + 1, &q, sizeof q);
    P(multiples)(&p, &q, one, two);
    P(fp_neg)(&p.y, &p.y);
    memcpy(g1 + 1 + sizeof p, &p, sizeof p);
    memcpy(g2 + 1 + sizeof q, &q, sizeof q);
    assert_true(P(product_is_one)(g1 + 1, g2 + 1, 2));
    assert_false(P(product_is_one)(g1 + 1, g2 + 1, 1));
}

#undef P_NAME
#undef P
#undef FP
#undef FP2
#undef FP6
#undef FP12
#undef G1A
#undef G2A
