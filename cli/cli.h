/* cli/cli.h - what the tool's files share: the table of subcommands, their options, reports. */
#ifndef CUZK_CLI_CLI_H
#define CUZK_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file.h"
#include "wire/json.h"

#ifndef CUZK_VERSION
#define CUZK_VERSION "0.1.0"
#endif

#define CLI_THREADS_MAX  1024
#define CLI_OPERANDS_MAX 4
#define CLI_NAMES_MAX    3

enum cli_option { OPT_HELP, OPT_VERSION, OPT_JSON, OPT_THREADS, OPT_STRICT, OPT_R1CS, OPT_SEED, OPT_COUNT };
#define OPT_BIT(o)  (1u << (o))
#define OPT_ALWAYS  (OPT_BIT(OPT_HELP) | OPT_BIT(OPT_JSON))

struct cli_option_row {
    const char *name;     /* "threads" */
    char        letter;   /* 0: none */
    const char *argument; /* "N"; NULL: none */
    const char *help;
};
extern const struct cli_option_row cli_options[OPT_COUNT];

/* One run of the tool. */
struct cli {
    const struct command *command;
    const char           *operand[CLI_OPERANDS_MAX];
    bool                  json, strict, has_seed, help, version;
    size_t                threads; /* 0: as many as this process may use */
    const char           *r1cs;    /* NULL: not given */
    uint64_t              seed;
    int                   verdict; /* exit status of a run without an error: 0, or 1 for a proof that does not verify */
};

struct command {
    const char *name[CLI_NAMES_MAX]; /* words; the first is ours, the others are what people know */
    const char *summary;             /* a line of the list */
    struct { const char *name, *help; } operand[CLI_OPERANDS_MAX];
    uint32_t    options;             /* OPT_BITs besides OPT_ALWAYS */
    const char *about;               /* paragraphs of the command's own help */
    cuzk_status (*run)(struct cli *cli, struct cuzk_err *err);
};
extern const struct command cli_commands[];
extern const size_t         cli_command_count;

/* One file a group. */
cuzk_status cli_prove(struct cli *cli, struct cuzk_err *err);
cuzk_status cli_verify(struct cli *cli, struct cuzk_err *err);
cuzk_status cli_key_info(struct cli *cli, struct cuzk_err *err);
cuzk_status cli_key_check(struct cli *cli, struct cuzk_err *err);
cuzk_status cli_key_export_vk(struct cli *cli, struct cuzk_err *err);
cuzk_status cli_setup(struct cli *cli, struct cuzk_err *err);
cuzk_status cli_config_check(struct cli *cli, struct cuzk_err *err);
cuzk_status cli_config_print(struct cli *cli, struct cuzk_err *err);
cuzk_status cli_config_options(struct cli *cli, struct cuzk_err *err);

/* help.c */
void help_all(void);
void help_group(const char *group); /* all commands whose name begins with this word */
void help_command(const struct command *command);

/* report.c - what goes to stdout and stderr.  stdout: results only; one JSON object with --json. */
void        report_error(const struct cli *cli, const struct cuzk_err *err);
void        report_warning(const struct cli *cli, const char *text);
void        report_json_begin(struct json_writer *w); /* an open object */
cuzk_status report_json_end(struct json_writer *w, struct cuzk_err *err);
cuzk_status report_flush(struct cuzk_err *err); /* IO unless all of stdout has been taken */

/* progress.c - a line on a terminal once a run takes over a second; nothing in a pipe or with --json. */
void progress_start(const struct cli *cli);
void progress_stage(const char *stage, double share); /* stage: a literal; share below 0: unknown */
void progress_stop(void);                             /* wipes the line; harmless when not started */

/* outputs.c */
/* USAGE if an output is the same regular file as an input or another output.  NULL inputs are skipped. */
cuzk_status outputs_distinct(const char *const *outputs, size_t output_count, const char *const *inputs,
                             size_t input_count, struct cuzk_err *err);

#endif
