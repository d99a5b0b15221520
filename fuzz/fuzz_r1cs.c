/* fuzz/fuzz_r1cs.c - a constraint system: what is taken can be walked to its end without a check. */
#include "in_memory.h"

#include <string.h>

#include "base/mem.h"
#include "circuit/r1cs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void walk(const struct r1cs *r)
{
    struct r1cs_cursor c;
    struct r1cs_term   term;
    fr                 value;

    r1cs_begin(&c, r);
    for (uint32_t row = 0; row < r->constraints; row++)
        for (int side = 0; side < 3; side++)
            for (uint32_t left = r1cs_row(&c); left > 0; left--) {
                r1cs_term(&c, &term);
                memcpy(&value, term.value_le, sizeof value);
                cuzk_check(term.wire < r->wires && r->curve->fr.is_reduced(&value));
            }
    cuzk_check(c.pos == r->constraints_end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct in_memory f;
    struct cuzk_err  err;
    struct r1cs      r;
    uint32_t         row;
    fr              *w;

    in_memory_open(&f, data, bytes);
    if (r1cs_open(&r, f.path, &err) == CUZK_OK) {
        cuzk_check(r.wires >= 1 && r.wires <= bytes); /* so that no file asks for more memory than it backs */
        walk(&r);
        w = mem_new(r.wires, sizeof *w);
        cuzk_check(w != NULL);
        w[0].limb[0] = 1;
        row = r1cs_first_unsatisfied(&r, w);
        cuzk_check(row < r.constraints || row == UINT32_MAX);
        mem_free(w);
        r1cs_close(&r);
    } else {
        cuzk_check(err.status == CUZK_E_INPUT && err.text[0] != '\0');
    }
    in_memory_close(&f);
    return 0;
}
