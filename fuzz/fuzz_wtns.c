/* fuzz/fuzz_wtns.c - a witness: what is taken is canonical and begins with 1. */
#include "in_memory.h"

#include "circuit/witness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct in_memory f;
    struct cuzk_err  err;
    struct witness   w;

    in_memory_open(&f, data, bytes);
    if (witness_read(&w, f.path, NULL, 0, &err) == CUZK_OK) {
        cuzk_check((size_t)w.count * FR_BYTES <= bytes && w.value[0].limb[0] == 1);
        for (uint32_t i = 0; i < w.count; i++)
            cuzk_check(w.curve->fr.is_reduced(&w.value[i]));
    } else {
        cuzk_check(err.status == CUZK_E_INPUT && err.text[0] != '\0' && w.value == NULL);
    }
    witness_free(&w);
    in_memory_close(&f);
    return 0;
}
