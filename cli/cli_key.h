/* cli/cli_key.h - what prove and key say alike about a key. */
#ifndef CUZK_CLI_CLI_KEY_H
#define CUZK_CLI_CLI_KEY_H

#include "cli.h"
#include "groth16/key.h"

/* Warns of a forgeable or development key; INPUT for a forgeable one with --strict. */
cuzk_status key_warn(const struct cli *cli, const struct key *key, struct cuzk_err *err);

#endif
