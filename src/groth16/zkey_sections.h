/* groth16/zkey_sections.h - numbers of a .zkey, shared by its reader and its writer. */
#ifndef CUZK_GROTH16_ZKEY_SECTIONS_H
#define CUZK_GROTH16_ZKEY_SECTIONS_H

enum zkey_section { ZKEY_PROTOCOL = 1, ZKEY_HEADER, ZKEY_IC, ZKEY_COEFFICIENTS, ZKEY_A, ZKEY_B1, ZKEY_B2, ZKEY_C,
                    ZKEY_H, ZKEY_CONTRIBUTIONS };

/* The name of the one contribution of a development key. */
#define ZKEY_DEVELOPMENT_NAME "cuzk development key, insecure"

#endif
