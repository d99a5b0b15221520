/* tests/unit/field_cases_tmpl.h - the properties of one prime field.
 * In      F_NAME, F_LIMBS with field_tmpl.h made; F_SMALL: the prime as a literal, every element and pair is tried;
 *         F_ROOTS: sqrt_tmpl.h is made too */
#define F(name) CAT3(F_NAME, _, name)

static struct nat F(modulus)(void) { return nat_of(F(MOD), F_LIMBS); }

/* v limbs wide mod p in Montgomery form by plain integers: v R mod p. */
static F_NAME F(of_nat)(const struct nat *v)
{
    struct nat p = F(modulus)(), shifted, rest = nat_mod(v, &p);
    F_NAME     r;
    shifted = nat_shift(&rest, F_LIMBS);
    rest = nat_mod(&shifted, &p);
    for (int i = 0; i < F_LIMBS; i++)
        r.limb[i] = (uint64_t)rest.word[2 * i + 1] << 32 | rest.word[2 * i];
    return r;
}

static struct nat F(nat)(const F_NAME *a) { return nat_of(a->limb, F_LIMBS); }

static void F(assert_limbs)(const F_NAME *a, const struct nat *expected)
{
    struct nat v = F(nat)(a);
    assert_memory_equal(&v, expected, sizeof v);
}

static F_NAME F(any_limbs)(void)
{
    F_NAME r;
    for (int i = 0; i < F_LIMBS; i++)
        r.limb[i] = seeded_next();
    return r;
}

static F_NAME F(random)(void)
{
    F_NAME     a = F(any_limbs)();
    struct nat v = F(nat)(&a);
    return F(of_nat)(&v);
}

/* Limbs where carries and comparisons are decided: 0, 1, 2, p - 1, p - 2, (p - 1)/2 and one more, the Montgomery 1,
 * 2^k - 1 and 2^k for every k below p, and p with all lower limbs ones.  Returns how many. */
static size_t F(edges)(F_NAME out[128 * F_LIMBS + 16])
{
    struct nat p = F(modulus)();
    size_t     n = 0;
    memset(out, 0, (128 * F_LIMBS + 16) * sizeof *out);
    for (uint64_t k = 0; k < 3; k++)
        out[n++].limb[0] = k;
    for (uint64_t k = 1; k < 3; k++) {
        memcpy(&out[n], F(MOD), sizeof *out);
        out[n++].limb[0] -= k; /* p is odd and above 3 */
    }
    for (int i = 0; i < F_LIMBS; i++)
        out[n].limb[i] = F(MOD)[i] >> 1 | (i + 1 < F_LIMBS ? F(MOD)[i + 1] << 63 : 0);
    out[n + 1] = out[n];
    out[n + 1].limb[0]++;
    n += 2;
    F(set_one)(&out[n++]);
    memset(&out[n], 0xff, sizeof *out);
    out[n].limb[F_LIMBS - 1] = F(MOD)[F_LIMBS - 1] - 1;
    n += F(MOD)[F_LIMBS - 1] != 0 && F_LIMBS > 1;
    for (int k = 0; k < 64 * F_LIMBS; k++)
        for (int less = 0; less < 2; less++) {
            memset(&out[n], 0, sizeof *out);
            for (int i = 0; i < k / 64; i++)
                out[n].limb[i] = less ? UINT64_MAX : 0;
            out[n].limb[k / 64] = (UINT64_C(1) << k % 64) - (uint64_t)less;
            struct nat v = F(nat)(&out[n]);
            if (nat_compare(&v, &p) < 0)
                n++;
        }
    return n;
}

/* r R = a b mod p and r < p fix every limb of a Montgomery product. */
static void F(check_product)(const F_NAME *r, const F_NAME *a, const F_NAME *b)
{
    struct nat p = F(modulus)(), x = F(nat)(a), y = F(nat)(b), z = F(nat)(r), left, right;
    assert_true(nat_compare(&z, &p) < 0);
    right = nat_mul(&x, &y);
    right = nat_mod(&right, &p);
    left = nat_shift(&z, F_LIMBS);
    left = nat_mod(&left, &p);
    assert_memory_equal(&left, &right, sizeof left);
}

/* +, -, *, both orders of aliasing, for one pair. */
static void F(check_pair)(const F_NAME *a, const F_NAME *b)
{
    struct nat p = F(modulus)(), x = F(nat)(a), y = F(nat)(b), v;
    F_NAME     r, s;

    F(add)(&r, a, b);
    v = nat_add(&x, &y);
    v = nat_mod(&v, &p);
    F(assert_limbs)(&r, &v);
    s = *a;
    F(add)(&s, &s, b);
    assert_true(F(eq)(&r, &s));
    s = *b;
    F(add)(&s, a, &s);
    assert_true(F(eq)(&r, &s));

    F(sub)(&r, a, b);
    v = nat_add(&x, &p);
    v = nat_sub(&v, &y);
    v = nat_mod(&v, &p);
    F(assert_limbs)(&r, &v);
    s = *a;
    F(sub)(&s, &s, b);
    assert_true(F(eq)(&r, &s));
    s = *b;
    F(sub)(&s, a, &s);
    assert_true(F(eq)(&r, &s));

    F(mul)(&r, a, b);
    F(check_product)(&r, a, b);
    s = *a;
    F(mul)(&s, &s, b);
    assert_true(F(eq)(&r, &s));
    s = *b;
    F(mul)(&s, a, &s);
    assert_true(F(eq)(&r, &s));
    assert_int_equal(F(eq)(a, b), nat_compare(&x, &y) == 0);
}

/* -, doubling, square, inverse, conversions, half, root, and what they say of each other, for one element. */
static void F(check_element)(const F_NAME *a)
{
    struct nat p = F(modulus)(), x = F(nat)(a), v, zero = { { 0 } };
    F_NAME     r, s, one;

    F(set_one)(&one);
    F(neg)(&r, a);
    v = nat_compare(&x, &zero) == 0 ? zero : nat_sub(&p, &x);
    F(assert_limbs)(&r, &v);
    s = *a;
    F(neg)(&s, &s);
    assert_true(F(eq)(&r, &s));
    F(dbl)(&r, a);
    F(add)(&s, a, a);
    assert_true(F(eq)(&r, &s));
    s = *a;
    F(dbl)(&s, &s);
    assert_true(F(eq)(&r, &s));
    F(sqr)(&r, a);
    F(check_product)(&r, a, a);
    s = *a;
    F(sqr)(&s, &s);
    assert_true(F(eq)(&r, &s));
    s = *a;
    F(mul)(&s, &s, &s);
    assert_true(F(eq)(&r, &s));

    F(inv)(&r, a);
    F(mul)(&s, &r, a);
    assert_true(F(is_zero)(a) ? F(is_zero)(&r) : F(eq)(&s, &one));
    s = *a;
    F(inv)(&s, &s);
    assert_true(F(eq)(&r, &s));

    F(to_mont)(&r, a); /* a as a canonical number */
    s = F(of_nat)(&x);
    assert_true(F(eq)(&r, &s));
    F(to_canon)(&r, &r);
    assert_true(F(eq)(&r, a));
    assert_int_equal(F(is_zero)(a), nat_compare(&x, &zero) == 0);
    assert_true(F(is_reduced)(a));

#ifdef F_ROOTS
    F(half)(&r, a);
    F(dbl)(&s, &r);
    assert_true(F(is_reduced)(&r) && F(eq)(&s, a));
    F_NAME square, root, minus;
    F(sqr)(&square, a);
    F(neg)(&minus, &square);
    assert_true(F(sqrt)(&root, &square));
    F(neg)(&s, &root);
    assert_true(F(eq)(&root, a) || F(eq)(&s, a));
    assert_int_equal(F(sqrt)(&minus, &minus), F(is_zero)(a)); /* -1 is no square */
    F(to_canon)(&r, a);
    F(neg)(&s, a);
    F(to_canon)(&s, &s);
    x = F(nat)(&r);
    v = F(nat)(&s);
    assert_int_equal(F(is_larger)(a), nat_compare(&x, &v) > 0);
#endif
}

#ifdef F_SMALL

static F_NAME F(of)(uint64_t v)
{
    F_NAME r;
    F(from_u64)(&r, v);
    return r;
}

static uint64_t F(to)(const F_NAME *a)
{
    F_NAME r;
    F(to_canon)(&r, a);
    for (int i = 1; i < F_LIMBS; i++)
        assert_true(r.limb[i] == 0);
    return r.limb[0];
}

static void F(every_pair_equals_plain_integers)(void **state)
{
    (void)state;
    for (uint64_t x = 0; x < F_SMALL; x++)
        for (uint64_t y = 0; y < F_SMALL; y++) {
            F_NAME a = F(of)(x), b = F(of)(y), r;
            F(add)(&r, &a, &b);
            assert_int_equal(F(to)(&r), (x + y) % F_SMALL);
            F(sub)(&r, &a, &b);
            assert_int_equal(F(to)(&r), (x + F_SMALL - y) % F_SMALL);
            F(mul)(&r, &a, &b);
            assert_int_equal(F(to)(&r), x * y % F_SMALL);
            F(check_pair)(&a, &b);
        }
}

static void F(every_element_and_every_power_equals_plain_integers)(void **state)
{
    (void)state;
    for (uint64_t x = 0; x < F_SMALL; x++) {
        F_NAME   a = F(of)(x), r;
        uint64_t power = 1, roots = 0;
        assert_int_equal(F(to)(&a), x);
        F(check_element)(&a);
        for (uint64_t e = 0; e < 3 * F_SMALL; e++) {
            uint64_t limbs[3] = { e, 0, 0 };
            F(pow)(&r, &a, limbs, 1 + e % 3);
            assert_int_equal(F(to)(&r), power);
            power = power * x % F_SMALL;
            roots += e * e % F_SMALL == x;
        }
        r = a;
        F(pow)(&r, &r, (const uint64_t[1]){ 2 }, 1);
        assert_int_equal(F(to)(&r), x * x % F_SMALL);
        F(pow)(&r, &a, NULL, 0);
        assert_int_equal(F(to)(&r), 1);
        assert_int_equal(roots, x == 0 ? 3 : roots == 0 ? 0 : 6); /* in three rounds of e */
#ifdef F_ROOTS
        assert_int_equal(F(sqrt)(&r, &a), roots != 0);
        if (roots != 0)
            assert_int_equal(F(to)(&r) * F(to)(&r) % F_SMALL, x);
        assert_int_equal(F(is_larger)(&a), x > F_SMALL / 2);
#endif
    }
}

#endif

static void F(edges_and_random_values_equal_the_reference)(void **state)
{
    static F_NAME edge[128 * F_LIMBS + 16];
    size_t        count = F(edges)(edge), few = count < 12 ? count : 12;
    (void)state;
    seeded_start(1);
    for (size_t i = 0; i < count; i++)
        F(check_element)(&edge[i]);
    for (size_t i = 0; i < count; i += 1 + (i >= 12) * (size_t)F_LIMBS)
        for (size_t k = 0; k < few; k++)
            F(check_pair)(&edge[i], &edge[k]);
    for (int i = 0; i < 300; i++) {
        F_NAME a = F(random)(), b = F(random)();
        F(check_pair)(&a, &b);
        F(check_pair)(&a, &edge[(size_t)i % count]);
        if (i % 5 == 0)
            F(check_element)(&a);
    }
}

static void F(product_takes_any_limbs_on_its_left)(void **state)
{
    static F_NAME edge[128 * F_LIMBS + 16];
    size_t        count = F(edges)(edge);
    F_NAME        a, b, r;
    (void)state;
    seeded_start(2);
    for (int i = 0; i < 600; i++) {
        a = F(any_limbs)();
        if (i < 64 * F_LIMBS) /* the highest values */
            for (int k = 0; k < F_LIMBS; k++)
                a.limb[k] = UINT64_MAX ^ (uint64_t)(k == i / 64) << i % 64;
        if (i % 50 == 0)
            memset(&a, 0xff, sizeof a);
        if (i % 50 == 1)
            memcpy(&a, F(MOD), sizeof a);
        b = i % 3 == 0 ? F(random)() : edge[(size_t)i % count];
        F(mul)(&r, &a, &b);
        F(check_product)(&r, &a, &b);
        struct nat x = F(nat)(&a);
        F(to_mont)(&r, &a);
        b = F(of_nat)(&x);
        assert_true(F(eq)(&r, &b));
        F(from_u64)(&r, a.limb[0]);
        x = nat_of(a.limb, 1);
        b = F(of_nat)(&x);
        assert_true(F(eq)(&r, &b));
    }
}

/* Before the last subtraction too.  In a build without ADX both are the same code. */
static void F(both_cpu_paths_give_identical_limbs)(void **state)
{
    static F_NAME edge[128 * F_LIMBS + 16];
    size_t        count = F(edges)(edge);
    (void)state;
    seeded_start(3);
    for (size_t i = 0; i < 20000; i++) {
        F_NAME a = i % 3 == 0 ? edge[i % count] : F(any_limbs)(), b = F(any_limbs)(), r, s;
        F(mul)(&b, &b, &edge[3]); /* below p */
        if (i % 4 == 0)
            b = edge[i / 4 % count];
        if (i % 7 == 0)
            memset(&a, 0xff, sizeof a);
        CAT(limbs_montgomery_, F_LIMBS)(r.limb, a.limb, b.limb, F(MOD), F(N0));
        limbs_montgomery_portable(s.limb, a.limb, b.limb, F(MOD), F(N0), F_LIMBS);
        assert_memory_equal(&r, &s, sizeof r);
    }
}

static void F(only_values_below_the_prime_are_reduced)(void **state)
{
    F_NAME a;
    (void)state;
    memset(&a, 0, sizeof a);
    assert_true(F(is_reduced)(&a));
    memcpy(&a, F(MOD), sizeof a);
    assert_false(F(is_reduced)(&a));
    a.limb[0]--;
    assert_true(F(is_reduced)(&a));
    a.limb[0] += 2;
    assert_false(F(is_reduced)(&a));
    memset(&a, 0xff, sizeof a);
    assert_false(F(is_reduced)(&a));
    for (int i = 0; i < F_LIMBS; i++) { /* one limb above that of p, the lower ones zero, and the reverse */
        memset(&a, 0, sizeof a);
        memcpy(&a.limb[i], &F(MOD)[i], sizeof(uint64_t) * (size_t)(F_LIMBS - i));
        a.limb[i]++;
        assert_false(F(is_reduced)(&a));
        if (F(MOD)[i] == 0)
            continue;
        memset(&a, 0xff, sizeof a);
        memcpy(&a.limb[i], &F(MOD)[i], sizeof(uint64_t) * (size_t)(F_LIMBS - i));
        a.limb[i]--;
        assert_true(F(is_reduced)(&a));
    }
}

static void F(bytes_may_lie_at_any_address)(void **state)
{
    uint8_t bytes[sizeof(F_NAME) + 8];
    (void)state;
    seeded_start(4);
    for (size_t at = 0; at < 8; at++) {
        F_NAME a = F(random)(), b;
        F(store)(bytes + at, &a);
        F(load)(&b, bytes + at);
        assert_true(F(eq)(&a, &b));
        for (size_t i = 0; i < sizeof a; i++)
            assert_int_equal(bytes[at + i], a.limb[i / 8] >> 8 * (i % 8) & 255);
    }
}

static void F(power_laws_hold)(void **state)
{
    uint64_t less_one[F_LIMBS];
    F_NAME   one, zero, r, s, t;
    (void)state;
    seeded_start(5);
    memcpy(less_one, F(MOD), sizeof less_one);
    less_one[0]--;
    F(set_one)(&one);
    F(set_zero)(&zero);
    for (int i = 0; i < 20; i++) {
        F_NAME   a = F(random)();
        uint64_t e[2] = { seeded_next(), 0 }, f[2] = { seeded_next() >> 1, 0 }, sum[2];
        if (F(is_zero)(&a))
            continue;
        F(pow)(&r, &a, less_one, F_LIMBS);
        assert_true(F(eq)(&r, &one));
        F(pow)(&r, &a, e, 1);
        F(pow)(&s, &a, f, 2);
        F(mul)(&r, &r, &s);
        sum[1] = limbs_add(sum, e, f, 1);
        F(pow)(&t, &a, sum, 2);
        assert_true(F(eq)(&r, &t));
    }
    F(pow)(&r, &zero, less_one, F_LIMBS);
    assert_true(F(is_zero)(&r));
}

static void F(batch_inversion_keeps_zeros)(void **state)
{
    F_NAME a[40], inverse[40], scratch[40];
    (void)state;
    seeded_start(6);
    for (size_t count = 0; count <= 40; count++)
        for (int zeros = 0; zeros < 5; zeros++) { /* none, some, most, first and last, all */
            for (size_t i = 0; i < count; i++) {
                bool zero = zeros == 1 ? seeded_next() % 4 == 0 : zeros == 2 ? seeded_next() % 4 != 0 : zeros == 4;
                do
                    a[i] = F(random)();
                while (F(is_zero)(&a[i]));
                if (zero || (zeros == 3 && (i == 0 || i + 1 == count)))
                    F(set_zero)(&a[i]);
                if (count > 8 && i % 8 != 0) { /* most by a b = 1 alone: single inversions are slow */
                    inverse[i] = a[i];
                    continue;
                }
                F(inv)(&inverse[i], &a[i]);
            }
            F_NAME before[40];
            memcpy(before, a, sizeof a);
            F(batch_inv)(a, scratch, count);
            for (size_t i = 0; i < count; i++) {
                F_NAME product, one;
                F(set_one)(&one);
                F(mul)(&product, &a[i], &before[i]);
                assert_true(F(is_zero)(&before[i]) ? F(is_zero)(&a[i]) : F(eq)(&product, &one));
                if (count <= 8 || i % 8 == 0)
                    assert_true(F(eq)(&a[i], &inverse[i]));
            }
        }
}

#undef F_NAME
#undef F_LIMBS
#undef F_SMALL
#undef F_ROOTS
#undef F
