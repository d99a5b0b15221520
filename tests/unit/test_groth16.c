/* tests/unit/test_groth16.c - setup, the two phases and verification on circuits written by code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "circuit/r1cs.h"
#include "circuit/witness.h"
#include "groth16/prove.h"
#include "groth16/setup.h"

/* A squaring chain: wires 1, out, x_0 .. x_(n-1); x_i^2 = x_(i+1), the last square is the public out. */
struct chain {
    const struct curve *curve;
    char r1cs[64], key[64];
    struct witness witness;
};

static char *bytes_put(char *p, const void *data, size_t bytes)
{
    memcpy(p, data, bytes);
    return p + bytes;
}

static char *u32_put(char *p, uint32_t v) { return bytes_put(p, &v, 4); }
static char *u64_put(char *p, uint64_t v) { return bytes_put(p, &v, 8); }

static char *term_put(char *p, uint32_t wire)
{
    static const fr one = { { 1 } };
    return bytes_put(u32_put(u32_put(p, 1), wire), &one, sizeof one);
}

static void chain_write(const struct chain *c, uint32_t n)
{
    size_t bytes = 12 + 12 + 64 + 12 + (size_t)n * 3 * 40;
    char *text = malloc(bytes), *p = bytes_put(text, "r1cs", 4);

    assert_non_null(text);
    p = u32_put(u32_put(p, 1), 2);
    p = u64_put(u32_put(p, 1), 64);
    p = bytes_put(u32_put(p, FR_BYTES), &c->curve->fr.modulus, FR_BYTES);
    p = u32_put(u32_put(u32_put(u32_put(p, n + 2), 1), 0), 1);
    p = u32_put(u64_put(p, n + 2), n);
    p = u64_put(u32_put(p, 2), (uint64_t)n * 3 * 40);
    for (uint32_t i = 0; i < n; i++)
        p = term_put(term_put(term_put(p, 2 + i), 2 + i), i + 1 < n ? 3 + i : 1);
    assert_int_equal(p - text, bytes);
    FILE *f = fopen(c->r1cs, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, bytes, f), bytes);
    assert_int_equal(fclose(f), 0);
    free(text);
}

static void chain_open(struct chain *c, enum curve_id id, uint32_t n)
{
    const struct fr_ops *f;
    fr x;

    *c = (struct chain){ .curve = curve_get(id) };
    (void)snprintf(c->r1cs, sizeof c->r1cs, "/tmp/cuzk-test-%d.r1cs", (int)getpid());
    (void)snprintf(c->key, sizeof c->key, "/tmp/cuzk-test-%d.zkey", (int)getpid());
    chain_write(c, n);
    f = &c->curve->fr;
    c->witness = (struct witness){ .curve = c->curve, .count = n + 2, .value = mem_new(n + 2, sizeof(fr)) };
    assert_non_null(c->witness.value);
    c->witness.value[0] = (fr){ { 1 } };
    f->from_u64(&x, 3);
    for (uint32_t i = 0; i <= n; i++) {
        f->to_canon(&c->witness.value[i < n ? 2 + i : 1], &x);
        f->mul(&x, &x, &x);
    }
}

static void chain_close(struct chain *c)
{
    witness_free(&c->witness);
    (void)unlink(c->r1cs);
    (void)unlink(c->key);
}

static void chain_setup(const struct chain *c, uint64_t seed, size_t threads)
{
    struct cuzk_err err;
    struct r1cs r1cs;
    struct pool *pool;

    assert_int_equal(pool_open(&pool, threads, &err), CUZK_OK);
    assert_int_equal(r1cs_open(&r1cs, c->r1cs, &err), CUZK_OK);
    assert_int_equal(groth16_setup(&r1cs, c->key, &seed, pool, NULL, NULL, &err), CUZK_OK);
    r1cs_close(&r1cs);
    pool_close(pool);
}

static cuzk_status chain_prove(struct chain *c, struct proof *proof, size_t threads)
{
    struct cuzk_err err;
    struct device *device;
    struct prover *prover;
    struct key key;
    cuzk_status st;

    assert_int_equal(key_open(&key, c->key, &err), CUZK_OK);
    assert_int_equal(device_cpu_ops.open(&device, 0, threads, &err), CUZK_OK);
    assert_int_equal(prover_open(&prover, device, &key, &err), CUZK_OK);
    assert_int_equal(prover_start(prover, &c->witness, &err), CUZK_OK);
    st = prover_finish(prover, proof, &err);
    if (st == CUZK_OK) {
        assert_true(groth16_verify(&key.vk, proof, c->witness.value + 1, NULL));
        fr other = c->witness.value[1];
        other.limb[0] ^= 1;
        assert_false(groth16_verify(&key.vk, proof, &other, NULL));
    }
    prover_close(prover);
    device->ops->close(device);
    key_close(&key);
    return st;
}

static void test_a_chain_is_proved_and_no_other_public_value_is(void **state)
{
    static const uint32_t lengths[] = { 1, 2, 3, 6, 7, 100, 1000 };
    struct chain c;
    struct proof proof;

    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++)
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            chain_open(&c, id, lengths[i]);
            chain_setup(&c, i, 2);
            assert_int_equal(chain_prove(&c, &proof, 1 + i % 3), CUZK_OK);
            chain_close(&c);
        }
}

static void test_a_wrong_wire_is_unsatisfied_and_gives_no_proof(void **state)
{
    static const struct proof none;
    struct chain c;
    struct proof proof;

    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++)
        for (uint32_t wire = 1; wire < 12; wire++) {
            chain_open(&c, id, 10);
            chain_setup(&c, 5, 1);
            c.witness.value[wire].limb[0] ^= 2;
            assert_int_equal(chain_prove(&c, &proof, 1), CUZK_E_UNSATISFIED);
            assert_memory_equal(&proof, &none, sizeof none);
            chain_close(&c);
        }
}

static void test_the_same_seed_makes_the_same_key_with_any_threads(void **state)
{
    struct chain c;
    struct cuzk_err err;
    struct file_map map[3];

    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++) {
        chain_open(&c, id, 300);
        for (size_t i = 0; i < 3; i++) {
            chain_setup(&c, i == 2 ? 8 : 7, 1 + 2 * i);
            assert_int_equal(file_map_open(&map[i], c.key, "key", &err), CUZK_OK);
        }
        assert_int_equal(map[0].size, map[1].size);
        assert_memory_equal(map[0].data, map[1].data, map[0].size);
        assert_int_equal(map[0].size, map[2].size);
        assert_memory_not_equal(map[0].data, map[2].data, map[0].size);
        for (size_t i = 0; i < 3; i++)
            file_map_close(&map[i]);
        chain_close(&c);
    }
}

static void test_fixed_blinding_gives_equal_proofs_and_fresh_blinding_different_ones(void **state)
{
    static const char rs[] = "00000000000000000000000000000000000000000000000000000000000000ff:"
                             "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    struct chain c;
    struct proof proof[4];

    (void)state;
    for (enum curve_id id = 0; id < CURVE_COUNT; id++) {
        chain_open(&c, id, 50);
        chain_setup(&c, 7, 2);
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(i < 2 ? setenv("CUZK_TEST_RS", rs, 1) : unsetenv("CUZK_TEST_RS"), 0);
            assert_int_equal(chain_prove(&c, &proof[i], 1 + i), CUZK_OK);
        }
        assert_memory_equal(&proof[0], &proof[1], sizeof proof[0]);
        assert_memory_not_equal(proof[2].a, proof[3].a, sizeof proof[2].a);
        assert_memory_not_equal(proof[2].b, proof[3].b, sizeof proof[2].b);
        assert_memory_not_equal(proof[2].c, proof[3].c, sizeof proof[2].c);
        chain_close(&c);
    }
}

/* Every point section of a key has points on the curve: moving one there is found by the full check, by its place. */
static void test_a_point_moved_in_any_section_is_found(void **state)
{
    struct chain c;
    struct cuzk_err err;
    struct key key;
    struct pool *pool;

    (void)state;
    assert_int_equal(pool_open(&pool, 2, &err), CUZK_OK);
    for (enum curve_id id = 0; id < CURVE_COUNT; id++) {
        chain_open(&c, id, 20);
        chain_setup(&c, 7, 2);
        assert_int_equal(key_open(&key, c.key, &err), CUZK_OK);
        assert_int_equal(key_check_points(&key, true, pool, &err), CUZK_OK);
        assert_int_equal(key_check_relations(&key, pool, &err), CUZK_OK);
        const uint8_t *section[] = { key.a, key.b1, key.b2, key.c, key.h };
        const char *name[] = { "A", "B1", "B2", "C", "H" };
        for (size_t i = 0; i < 5; i++) {
            const struct group_ops *g = i == 2 ? &c.curve->g2 : &c.curve->g1;
            uint64_t offset = (uint64_t)(section[i] - key.map.data) + 3 * g->affine_bytes;
            struct key bad;
            char byte;
            FILE *f = fopen(c.key, "r+b");
            assert_non_null(f);
            assert_int_equal(fseek(f, (long)offset, SEEK_SET), 0);
            byte = (char)(key.map.data[offset] ^ 1);
            assert_int_equal(fwrite(&byte, 1, 1, f), 1);
            assert_int_equal(fclose(f), 0);
            assert_int_equal(key_open(&bad, c.key, &err), CUZK_OK);
            assert_int_equal(key_check_points(&bad, false, pool, &err), CUZK_E_INPUT);
            assert_string_equal(err.place.section, name[i]);
            assert_int_equal(err.place.index, 3);
            assert_int_equal(err.place.offset, offset);
            key_close(&bad);
            chain_setup(&c, 7, 2); /* a new file: the map of the first stays */
        }
        key_close(&key);
        chain_close(&c);
    }
    pool_close(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_chain_is_proved_and_no_other_public_value_is),
        cmocka_unit_test(test_a_wrong_wire_is_unsatisfied_and_gives_no_proof),
        cmocka_unit_test(test_the_same_seed_makes_the_same_key_with_any_threads),
        cmocka_unit_test(test_fixed_blinding_gives_equal_proofs_and_fresh_blinding_different_ones),
        cmocka_unit_test(test_a_point_moved_in_any_section_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
