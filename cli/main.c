/* cli/main.c - the tool: one table of subcommands; options, then the command's words, then its files. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "cli.h"

/* ---- tables ---- */

const struct cli_option_row cli_options[OPT_COUNT] = {
    [OPT_HELP]    = { "help", 'h', NULL, "this help, or that of a command" },
    [OPT_VERSION] = { "version", 'V', NULL, "the version" },
    [OPT_JSON]    = { "json", 0, NULL, "results, errors and warnings as JSON" },
    [OPT_THREADS] = { "threads", 't', "N", "threads to use, 1 to 1024 (default: the CPUs this process may use)" },
    [OPT_STRICT]  = { "strict", 0, NULL, "refuse a key for which anybody can forge proofs (gamma = delta)" },
    [OPT_R1CS]    = { "r1cs", 0, "FILE", "the circuit: names the first constraint that a bad witness breaks" },
    [OPT_SEED]    = { "seed", 0, "N", "make the same key each time from this number (default: random secrets)" },
};

const struct command cli_commands[] = {
    { .name = { "prove", "groth16 prove", "g16p" },
      .summary = "prove that a witness satisfies a circuit",
      .operand = { { "KEY", "proving key (.zkey, groth16)" },
                   { "WITNESS", "witness (.wtns)" },
                   { "PROOF", "the proof, JSON, as snarkjs writes it" },
                   { "PUBLIC", "the public values, JSON" } },
      .options = OPT_BIT(OPT_THREADS) | OPT_BIT(OPT_STRICT) | OPT_BIT(OPT_R1CS),
      .about = "Every input is checked in full before it is used; the points of a key on its first use, after which a\n"
               "record in the user's cache folder says so. The proof is verified with the key's own verification key\n"
               "before it is written: PROOF and PUBLIC appear together, or neither appears nor changes.\n"
               "PROOF or PUBLIC may be /dev/stdout.",
      .run = cli_prove },
    { .name = { "verify", "groth16 verify", "g16v" },
      .summary = "verify a proof",
      .operand = { { "VK", "verification key, JSON" },
                   { "PUBLIC", "public values, JSON" },
                   { "PROOF", "proof, JSON" } },
      .options = OPT_BIT(OPT_THREADS),
      .about = "Prints OK! for a valid proof. Prints `Invalid proof` on stderr and ends with 1 for a well-formed one\n"
               "that is not valid; a malformed file ends with 2.",
      .run = cli_verify },
    { .name = { "key info" },
      .summary = "show what a proving key is for",
      .operand = { { "KEY", "proving key (.zkey, groth16)" } },
      .about = "Curve, sizes, contributions, and whether the key is forgeable or a development key. Checks the file's\n"
               "structure and coefficients, but not its points: see `cuzk key check`.",
      .run = cli_key_info },
    { .name = { "key check" },
      .summary = "check every byte of a proving key, subgroups included",
      .operand = { { "KEY", "proving key (.zkey, groth16)" } },
      .options = OPT_BIT(OPT_THREADS) | OPT_BIT(OPT_STRICT),
      .about = "Structure, coefficients, and each point: reduced, on the curve, in the subgroup of order r. It does\n"
               "not repeat the ceremony: that needs the circuit and the powers of tau (`snarkjs zkey verify`).",
      .run = cli_key_check },
    { .name = { "key export-vk", "zkey export verificationkey", "zkev" },
      .summary = "write the verification key of a proving key",
      .operand = { { "KEY", "proving key (.zkey, groth16)" }, { "VK", "the verification key, JSON" } },
      .about = "As `snarkjs zkey export verificationkey`. VK may be /dev/stdout.",
      .run = cli_key_export_vk },
    { .name = { "setup" },
      .summary = "make an INSECURE development key for a circuit",
      .operand = { { "R1CS", "circuit (.r1cs)" }, { "KEY", "the proving key (.zkey, groth16)" } },
      .options = OPT_BIT(OPT_THREADS) | OPT_BIT(OPT_SEED),
      .about = "For tests and benchmarks only: whoever runs it knows the secrets of the key and can forge proofs for\n"
               "it, and with --seed so can everybody who knows the number. The key says so itself. Production keys\n"
               "come from a ceremony.",
      .run = cli_setup },
    { .name = { "config check" },
      .summary = "check a configuration of cuzkd",
      .operand = { { "FILE", "configuration (TOML)" } },
      .about = "Reads it as cuzkd does, without the environment, and says what is wrong: line, column, key, and what\n"
               "would be right. Keys without effect are warnings. With --json: every setting, bytes and milliseconds.",
      .run = cli_config_check },
    { .name = { "config print" },
      .summary = "print a configuration of cuzkd to begin with",
      .about = "Each option with its meaning, default and variable of the environment, and nothing set.\n"
               "With --json: the defaults.",
      .run = cli_config_print },
    { .name = { "config options" },
      .summary = "print the table of cuzkd's options (Markdown)",
      .about = "What docs/configuration.md holds. With --json: one object an option.",
      .run = cli_config_options },
};
const size_t cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

/* ---- options ---- */

static bool parse_u64(uint64_t *out, const char *text)
{
    char              *end;
    unsigned long long value;

    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    value = strtoull(text, &end, 10);
    *out = value;
    return *end == '\0' && errno == 0;
}

static cuzk_status apply_option(struct cli *cli, enum cli_option option, const char *argument, struct cuzk_err *err)
{
    uint64_t    value;
    cuzk_status st = CUZK_OK;

    switch (option) {
    case OPT_HELP:    cli->help = true; break;
    case OPT_VERSION: cli->version = true;  break;
    case OPT_JSON:    cli->json = true;     break;
    case OPT_STRICT:  cli->strict = true;   break;
    case OPT_R1CS:    cli->r1cs = argument; break;
    case OPT_THREADS:
        if (!parse_u64(&value, argument) || value < 1 || value > CLI_THREADS_MAX)
            FAIL(CUZK_E_USAGE, "--threads %s: not a number from 1 to %d", argument, CLI_THREADS_MAX);
        cli->threads = value;
        break;
    case OPT_SEED:
        if (!parse_u64(&cli->seed, argument))
            FAIL(CUZK_E_USAGE, "--seed %s: not a number from 0 to 2^64 - 1", argument);
        cli->has_seed = true;
        break;
    case OPT_COUNT:
        break;
    }
out:
    return st;
}

/* What getopt_long made of argv[at]. */
static cuzk_status fail_option(int code, int at, char **argv, struct cuzk_err *err)
{
    char letter[3] = { '-', (char)optopt, '\0' };
    /* A short option may stand within a word; a long one, with an optopt that is no letter, is the word itself. */
    const char *word = optopt > ' ' && optopt < 0x7f ? letter : argv[at];

    if (code == ':')
        return err_set(err, CUZK_E_USAGE, "%s needs a value", word);
    return err_set(err, CUZK_E_USAGE, "unknown or ambiguous option %s", word);
}

/* Options may stand anywhere; the words in between are left at argv[optind...].  given: OPT_BITs. */
static cuzk_status parse_options(struct cli *cli, uint32_t *given, int argc, char **argv, struct cuzk_err *err)
{
    struct option table[OPT_COUNT + 1] = { 0 };
    char          letters[2 * OPT_COUNT + 2] = ":";
    cuzk_status   st = CUZK_OK;

    for (int i = 0; i < OPT_COUNT; i++) {
        const struct cli_option_row *row = &cli_options[i];
        char                         letter[3] = { row->letter, row->argument && row->letter ? ':' : '\0', '\0' };

        table[i] = (struct option){ row->name, row->argument ? required_argument : no_argument, NULL, 256 + i };
        strcat(letters, letter);
    }
    *given = 0;
    for (;;) {
        int at = optind;
        int code = getopt_long(argc, argv, letters, table, NULL);
        int option = code - 256;

        if (code == -1)
            break;
        if (code == ':' || code == '?') {
            /* getopt has passed the words before the option: it is the last it has looked at. */
            int last = optind > at ? optind - 1 : at;

            TRY(fail_option(code, last, argv, err));
        }
        for (int i = 0; i < OPT_COUNT && code < 256; i++)
            if (cli_options[i].letter == code)
                option = i;
        TRY(apply_option(cli, (enum cli_option)option, optarg, err));
        *given |= OPT_BIT(option);
    }
out:
    return st;
}

/* ---- commands ---- */

/* How many of the words spell name; 0: they do not. */
static int words_match(const char *name, int count, char **words)
{
    for (int i = 0; i < count; i++) {
        size_t bytes = strlen(words[i]);

        if (!bytes || strncmp(name, words[i], bytes) != 0)
            return 0;
        if (name[bytes] == '\0')
            return i + 1;
        if (name[bytes] != ' ')
            return 0;
        name += bytes + 1;
    }
    return 0;
}

static int find_command(const struct command **out, int count, char **words)
{
    for (size_t i = 0; i < cli_command_count; i++)
        for (size_t k = 0; k < CLI_NAMES_MAX && cli_commands[i].name[k]; k++) {
            int used = words_match(cli_commands[i].name[k], count, words);

            if (used) {
                *out = &cli_commands[i];
                return used;
            }
        }
    *out = NULL;
    return 0;
}

static bool is_group(const char *word)
{
    size_t bytes = strlen(word);

    for (size_t i = 0; i < cli_command_count; i++)
        if (strncmp(cli_commands[i].name[0], word, bytes) == 0 && cli_commands[i].name[0][bytes] == ' ')
            return bytes > 0;
    return false;
}

static cuzk_status print_help(const struct cli *cli, int count, char **words, struct cuzk_err *err)
{
    if (cli->command)
        help_command(cli->command);
    else if (count == 0)
        help_all();
    else if (is_group(words[0]))
        help_group(words[0]);
    else
        return err_set(err, CUZK_E_USAGE, "unknown command %s", words[0]);
    return CUZK_OK;
}

static cuzk_status print_version(const struct cli *cli, struct cuzk_err *err)
{
    struct json_writer w;

    if (!cli->json) {
        puts("cuzk " CUZK_VERSION);
        return CUZK_OK;
    }
    report_json_begin(&w);
    json_put_string(&w, "version", CUZK_VERSION);
    return report_json_end(&w, err);
}

static cuzk_status take_operands(struct cli *cli, uint32_t given, int count, char **words, struct cuzk_err *err)
{
    const struct command *command = cli->command;
    int                   wanted = 0;

    for (int i = 0; i < OPT_COUNT; i++)
        if (given & OPT_BIT(i) && !((command->options | OPT_ALWAYS) & OPT_BIT(i)))
            return err_set(err, CUZK_E_USAGE, "%s takes no --%s", command->name[0], cli_options[i].name);
    while (wanted < CLI_OPERANDS_MAX && command->operand[wanted].name)
        wanted++;
    if (count < wanted)
        return err_set(err, CUZK_E_USAGE, "%s needs %d file%s, %s is missing", command->name[0], wanted,
                       wanted == 1 ? "" : "s", command->operand[count].name);
    if (count > wanted)
        return err_set(err, CUZK_E_USAGE, "%s needs %d file%s, %s is one too many", command->name[0], wanted,
                       wanted == 1 ? "" : "s", words[wanted]);
    for (int i = 0; i < wanted; i++)
        cli->operand[i] = words[i];
    return CUZK_OK;
}

static cuzk_status run(struct cli *cli, int argc, char **argv, struct cuzk_err *err)
{
    uint32_t    given;
    int         count, used;
    char      **words;
    cuzk_status st;

    /* Also for the errors of a command line that cannot be read to its end. */
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        cli->json = cli->json || strcmp(argv[i], "--json") == 0;
    st = parse_options(cli, &given, argc, argv, err);
    words = argv + optind;
    count = argc - optind;
    if (st == CUZK_OK && count > 0 && strcmp(words[0], "help") == 0) {
        cli->help = true;
        words++;
        count--;
    }
    if (st != CUZK_OK) { /* getopt has sorted nothing: look for the command among what is no option */
        for (int i = 1; i < argc && !cli->command; i++)
            (void)find_command(&cli->command, argc - i, argv + i);
        return st;
    }
    used = find_command(&cli->command, count, words);
    if (cli->help)
        return print_help(cli, count, words, err);
    if (cli->version)
        return print_version(cli, err);
    if (count == 0)
        return err_set(err, CUZK_E_USAGE, "no command given");
    if (!cli->command && is_group(words[0]))
        return err_set(err, CUZK_E_USAGE, "%s: which of its commands? `cuzk %s --help` lists them", words[0], words[0]);
    if (!cli->command)
        return err_set(err, CUZK_E_USAGE, "unknown command %s", words[0]);
    TRY(take_operands(cli, given, count - used, words + used, err));
    TRY(cli->command->run(cli, err));
out:
    return st;
}

/* ---- the process ---- */

/* A file opened later must not become stdout: each missing descriptor gets one on which every use fails. */
static void fill_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY); /* the lowest free number: fd */
}

static void on_stop(int signal_number)
{
    file_out_remove_all();
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

static void install_handlers(void)
{
    static const int stops[] = { SIGINT, SIGTERM, SIGHUP };

    (void)signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write */
    file_map_guard();
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        struct sigaction action = { .sa_handler = on_stop }, before;

        (void)sigemptyset(&action.sa_mask);
        if (sigaction(stops[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup stays */
            (void)sigaction(stops[i], &action, NULL);
    }
}

int main(int argc, char **argv)
{
    struct cli      cli = { 0 };
    struct cuzk_err err = { 0 };
    cuzk_status     st;

    fill_standard_descriptors();
    install_handlers();
    opterr = 0;
    st = run(&cli, argc, argv, &err);
    if (st == CUZK_OK)
        st = report_flush(&err);
    if (st != CUZK_OK) {
        (void)fflush(stdout);
        cuzk_check(err.status == st);
        report_error(&cli, &err);
        return (int)st;
    }
    return cli.verdict;
}
