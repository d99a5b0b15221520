/* math/curve.c - which table of functions to use: by curve, by what this CPU can do. */
#include "math/curve.h"

#ifdef CUZK_X86_PATHS
#include <cpuid.h>
#endif
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* One table a curve and path: curve_bn254.c and curve_bls12_381.c, compiled once for each path of the build. */
#ifdef CUZK_X86_PATHS
extern const struct curve bn254_portable, bn254_adx, bn254_ifma, bls12_381_portable, bls12_381_adx, bls12_381_ifma;

static const struct curve *const tables[CURVE_COUNT][CPU_PATH_COUNT] = {
    [CURVE_BN254]     = { &bn254_portable, &bn254_adx, &bn254_ifma },
    [CURVE_BLS12_381] = { &bls12_381_portable, &bls12_381_adx, &bls12_381_ifma },
};
#else
extern const struct curve bn254_portable, bls12_381_portable;

static const struct curve *const tables[CURVE_COUNT][CPU_PATH_COUNT] = {
    [CURVE_BN254]     = { [CPU_PORTABLE] = &bn254_portable },
    [CURVE_BLS12_381] = { [CPU_PORTABLE] = &bls12_381_portable },
};
#endif

static const char *const path_names[CPU_PATH_COUNT] = { "portable", "adx", "ifma" };

const char *cpu_path_name(enum cpu_path path) { return path < CPU_PATH_COUNT ? path_names[path] : "unknown"; }

#ifdef CUZK_X86_PATHS
/* clang 14 has no name for ADX. */
static bool cpu_has_adx(void)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_ADX) != 0;
}

static bool cpu_has(enum cpu_path path)
{
    bool adx = __builtin_cpu_supports("bmi2") && cpu_has_adx();
    switch (path) {
    case CPU_PORTABLE:
        return true;
    case CPU_ADX:
        return adx;
    case CPU_IFMA:
        return adx && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vbmi");
    default:
        return false;
    }
}
#else
static bool cpu_has(enum cpu_path path) { return path == CPU_PORTABLE; }
#endif

const struct curve *curve_get_path(enum curve_id id, enum cpu_path path)
{
    return id < CURVE_COUNT && path < CPU_PATH_COUNT && cpu_has(path) ? tables[id][path] : NULL;
}

static enum cpu_path best_path(void)
{
    enum cpu_path path = CPU_PATH_COUNT - 1;
#ifdef TEST_HOOKS
    const char *wanted = getenv("CUZK_CPU");
    for (enum cpu_path p = 0; wanted != NULL && p < CPU_PATH_COUNT; p++)
        if (strcmp(wanted, path_names[p]) == 0 && cpu_has(p))
            return p;
#endif
    while (!cpu_has(path))
        path--;
    return path;
}

const struct curve *curve_get(enum curve_id id) { return curve_get_path(id, best_path()); }

const struct curve *curve_by_fr_modulus(const uint8_t modulus_le[FR_BYTES])
{
    for (enum curve_id id = 0; id < CURVE_COUNT; id++) {
        const struct curve *curve = curve_get(id);
        if (memcmp(&curve->fr.modulus, modulus_le, FR_BYTES) == 0)
            return curve;
    }
    return NULL;
}

/* Letters and digits of name in lower case; false if they do not fit. */
static bool plain_name(char *out, size_t bytes, const char *name)
{
    size_t n = 0;
    for (; *name != '\0'; name++) {
        if (!isalnum((unsigned char)*name))
            continue;
        if (n + 1 == bytes)
            return false;
        out[n++] = (char)tolower((unsigned char)*name);
    }
    out[n] = '\0';
    return true;
}

const struct curve *curve_by_name(const char *name)
{
    static const struct { const char *name; enum curve_id id; } names[] = {
        { "bn254", CURVE_BN254 },        { "bn128", CURVE_BN254 },       { "altbn128", CURVE_BN254 },
        { "bls12381", CURVE_BLS12_381 },
    };
    char plain[16];
    if (!plain_name(plain, sizeof plain, name))
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(plain, names[i].name) == 0)
            return curve_get(names[i].id);
    return NULL;
}
