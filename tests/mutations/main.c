/* tests/mutations/main.c - all tables on both curves:   mutations [--all] [TABLE...]
 *
 * TABLE: key witness paths r1cs json bits; none: all.  --all: bits in every byte of every file, which takes minutes;
 * else in all bytes of the BN254 key and of the witnesses, and in some of the rest.  The tool under test is CUZK, or
 * build/cuzk; with CUZK_INSTRUMENTED it may take time and memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "mutation.h"

static const struct {
    const char *name;
    void (*run)(const struct tiny *t);
} tables[] = {
    {"key",      mutate_key    },
    { "witness", mutate_witness},
    { "paths",   mutate_paths  },
    { "r1cs",    mutate_r1cs   },
    { "json",    mutate_json   },
};

/* A folder of our own, with a cache of its own: what one run has checked must not hide anything from another. */
static void enter_scratch(char path[])
{
    char cache[80];

    cuzk_check(mkdtemp(path) != NULL && chdir(path) == 0);
    (void)snprintf(cache, sizeof cache, "%s/cache", path);
    cuzk_check(setenv("XDG_CACHE_HOME", cache, 1) == 0 && unsetenv("CUZK_TEST_RS") == 0);
}

static void leave_scratch(const char *path)
{
    char command[100];

    cuzk_check(chdir("/") == 0);
    (void)snprintf(command, sizeof command, "rm -rf %s", path);
    if (system(command) != 0)
        printf("# %s stays\n", path);
}

static bool wanted(char *const names[], int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return count == 0;
}

int main(int argc, char **argv)
{
    char       scratch[] = "/tmp/cuzk-mutations-XXXXXX";
    const bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
    const int  first = all ? 2 : 1;
    int        result;

    tool_find();
    enter_scratch(scratch);
    for (enum curve_id id = 0; id < CURVE_COUNT; id++) {
        struct tiny t;
        tiny_open(&t, curve_get(id));
        for (size_t i = 0; i < ARRAY_COUNT(tables); i++)
            if (wanted(argv + first, argc - first, tables[i].name))
                tables[i].run(&t);
        if (wanted(argv + first, argc - first, "bits"))
            sweep_bits(&t, all);
        tiny_close(&t);
    }
    result = cases_close();
    leave_scratch(scratch);
    return result;
}
