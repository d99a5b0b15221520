/* tests/unit/ext2_cases_tmpl.h - the properties of one quadratic extension, against its base field and plain integers.
 * In      E_NAME, E_BASE with field_tmpl.h, ext2_tmpl.h, sqrt_tmpl.h, sqrt2_tmpl.h and field_cases_tmpl.h made */
#define E(name) CAT3(E_NAME, _, name)
#define B(name) CAT3(E_BASE, _, name)

static E_NAME E(random)(void)
{
    E_NAME r = { B(random)(), B(random)() };
    return r;
}

/* (a0 b0 - a1 b1) + (a0 b1 + a1 b0) i. */
static E_NAME E(schoolbook)(const E_NAME *a, const E_NAME *b)
{
    E_NAME r;
    E_BASE t;
    B(mul)(&r.c0, &a->c0, &b->c0);
    B(mul)(&t, &a->c1, &b->c1);
    B(sub)(&r.c0, &r.c0, &t);
    B(mul)(&r.c1, &a->c0, &b->c1);
    B(mul)(&t, &a->c1, &b->c0);
    B(add)(&r.c1, &r.c1, &t);
    return r;
}

static void E(check_pair)(const E_NAME *a, const E_NAME *b)
{
    E_NAME r, s, expected = E(schoolbook)(a, b);
    E(mul)(&r, a, b);
    assert_true(E(eq)(&r, &expected));
    s = *a;
    E(mul)(&s, &s, b);
    assert_true(E(eq)(&s, &expected));
    s = *b;
    E(mul)(&s, a, &s);
    assert_true(E(eq)(&s, &expected));

    E(add)(&r, a, b);
    E(sub)(&s, &r, b);
    assert_true(E(eq)(&s, a));
    s = *a;
    E(add)(&s, &s, b);
    assert_true(E(eq)(&s, &r));
    E(sub)(&r, a, b);
    s = *b;
    E(sub)(&s, a, &s);
    assert_true(E(eq)(&s, &r));
    E(mul_base)(&r, a, &b->c0);
    B(mul)(&s.c0, &a->c0, &b->c0);
    B(mul)(&s.c1, &a->c1, &b->c0);
    assert_true(E(eq)(&s, &r));
    assert_int_equal(E(eq)(a, b), B(eq)(&a->c0, &b->c0) && B(eq)(&a->c1, &b->c1));
}

static void E(check_element)(const E_NAME *a)
{
    E_NAME r, s, one, zero;
    E(set_one)(&one);
    E(set_zero)(&zero);
    E(sqr)(&r, a);
    s = E(schoolbook)(a, a);
    assert_true(E(eq)(&r, &s));
    s = *a;
    E(sqr)(&s, &s);
    assert_true(E(eq)(&r, &s));
    s = *a;
    E(mul)(&s, &s, &s);
    assert_true(E(eq)(&r, &s));
    E(inv)(&s, a);
    E(mul)(&r, a, &s);
    assert_true(E(is_zero)(a) ? E(is_zero)(&s) : E(eq)(&r, &one));
    r = *a;
    E(inv)(&r, &r);
    assert_true(E(eq)(&r, &s));
    E(neg)(&r, a);
    E(add)(&s, &r, a);
    assert_true(E(is_zero)(&s));
    E(dbl)(&r, a);
    E(add)(&s, a, a);
    assert_true(E(eq)(&r, &s));
    E(conj)(&r, a);
    E(mul)(&s, &r, a);
    assert_true(B(is_zero)(&s.c1)); /* the norm */
    E(to_canon)(&r, a);
    E(to_mont)(&r, &r);
    assert_true(E(eq)(&r, a) && E(is_reduced)(a));
    uint8_t bytes[sizeof *a + 1];
    E(store)(bytes + 1, a);
    E(load)(&r, bytes + 1);
    assert_true(E(eq)(&r, a));
}

/* Squares have the roots +-a; a number is a square if and only if its norm is one in the base field. */
static void E(check_root)(const E_NAME *a)
{
    E_NAME square, root, minus;
    E_BASE norm, t;
    E(sqr)(&square, a);
    assert_true(E(sqrt)(&root, &square));
    E(neg)(&minus, &root);
    assert_true(E(eq)(&root, a) || E(eq)(&minus, a));
    assert_int_equal(E(is_larger)(&root) + E(is_larger)(&minus), !E(is_zero)(a));

    B(sqr)(&norm, &a->c0);
    B(sqr)(&t, &a->c1);
    B(add)(&norm, &norm, &t);
    bool is_square = B(sqrt)(&t, &norm);
    root = *a;
    assert_int_equal(E(sqrt)(&root, &root), is_square);
    if (is_square) {
        E(sqr)(&root, &root);
        assert_true(E(eq)(&root, a));
    }
}

/* "Larger": c1 against p - c1, or c0 against p - c0 if c1 is zero, as integers. */
static void E(check_larger)(const E_NAME *a)
{
    E_NAME     canon, minus;
    struct nat x, y;
    E(to_canon)(&canon, a);
    E(neg)(&minus, a);
    E(to_canon)(&minus, &minus);
    x = B(nat)(B(is_zero)(&a->c1) ? &canon.c0 : &canon.c1);
    y = B(nat)(B(is_zero)(&a->c1) ? &minus.c0 : &minus.c1);
    assert_int_equal(E(is_larger)(a), nat_compare(&x, &y) > 0);
}

static void E(random_elements_obey_the_field_laws)(void **state)
{
    (void)state;
    seeded_start(7);
    for (int i = 0; i < 200; i++) {
        E_NAME a = E(random)(), b = E(random)();
        if (i % 10 == 1)
            B(set_zero)(&a.c0);
        if (i % 10 == 2)
            B(set_zero)(&a.c1);
        if (i % 10 == 3)
            b = a;
        if (i % 10 == 4)
            E(conj)(&b, &a);
        if (i == 5)
            E(set_zero)(&a);
        E(check_pair)(&a, &b);
        E(check_element)(&a);
        E(check_root)(&a);
        E(check_larger)(&a);
    }
}

#undef E_NAME
#undef E_BASE
#undef E
#undef B
