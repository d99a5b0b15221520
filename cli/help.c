/* cli/help.c - help texts, all printed from the tables of commands and options. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

#define COLUMN 22

static void print_row(const char *left, const char *right)
{
    printf("  %-*s %s\n", COLUMN, left, right);
}

static void print_option(enum cli_option option)
{
    const struct cli_option_row *row = &cli_options[option];
    char                         left[64], letter[8] = "    ";

    if (row->letter)
        (void)snprintf(letter, sizeof letter, "-%c, ", row->letter);
    (void)snprintf(left, sizeof left, "%s--%s%s%s", letter, row->name, row->argument ? " " : "",
                   row->argument ? row->argument : "");
    print_row(left, row->help);
}

static void print_statuses(void)
{
    puts("\nExit status:\n"
         "  0  done; with verify: the proof is valid\n"
         "  1  wrong usage; with verify: the proof is not valid\n"
         "  2  an input is malformed, not canonical, or does not belong to the others\n"
         "  3  the witness does not satisfy the circuit\n"
         "  4  a file or folder is not there\n"
         "  5  the credentials given do not allow it\n"
         "  6  over budget now: try again later\n"
         "  7  cancelled\n"
         "  8  a device failed\n"
         "  9  reading or writing failed, or memory is short\n"
         " 70  a bug in this program: please report it");
}

static bool in_group(const struct command *command, const char *group)
{
    size_t bytes = strlen(group);

    return strncmp(command->name[0], group, bytes) == 0 &&
           (command->name[0][bytes] == ' ' || command->name[0][bytes] == '\0');
}

static void print_commands(const char *group)
{
    puts("Commands:");
    for (size_t i = 0; i < cli_command_count; i++)
        if (!group || in_group(&cli_commands[i], group))
            print_row(cli_commands[i].name[0], cli_commands[i].summary);
}

void help_all(void)
{
    puts("cuzk - Groth16 proofs on BN254 and BLS12-381\n"
         "\n"
         "Usage: cuzk COMMAND [OPTION]... FILE...\n"
         "       cuzk COMMAND --help\n");
    print_commands(NULL);
    puts("\nOptions:");
    for (int i = 0; i < OPT_COUNT; i++)
        print_option((enum cli_option)i);
    puts("\nOptions may stand anywhere; -- ends them. Which command takes which option: `cuzk COMMAND --help`.\n"
         "Files are those of circom and snarkjs: .zkey, .wtns, .r1cs, and JSON proofs and verification keys.\n"
         "A file appears under its name only when it is complete. With --json results are one JSON object on\n"
         "stdout, errors {\"error\": {...}} and warnings {\"warning\": \"...\"}, a line each, on stderr.");
    print_statuses();
}

void help_group(const char *group)
{
    printf("Usage: cuzk %s COMMAND [OPTION]... FILE...\n\n", group);
    print_commands(group);
    puts("\nMore: `cuzk COMMAND --help`, `cuzk --help`");
}

void help_command(const struct command *command)
{
    printf("cuzk %s - %s\n\nUsage: cuzk %s [OPTION]...", command->name[0], command->summary, command->name[0]);
    for (size_t i = 0; i < CLI_OPERANDS_MAX && command->operand[i].name; i++)
        printf(" %s", command->operand[i].name);
    puts("");
    if (command->name[1]) {
        printf("Also:  cuzk %s", command->name[1]);
        for (size_t i = 2; i < CLI_NAMES_MAX && command->name[i]; i++)
            printf(", cuzk %s", command->name[i]);
        puts("");
    }
    printf("\n%s\n%s", command->about, command->operand[0].name ? "\nFiles:\n" : "");
    for (size_t i = 0; i < CLI_OPERANDS_MAX && command->operand[i].name; i++)
        print_row(command->operand[i].name, command->operand[i].help);
    puts("\nOptions:");
    for (int i = 0; i < OPT_COUNT; i++)
        if ((command->options | OPT_ALWAYS) & OPT_BIT(i))
            print_option((enum cli_option)i);
    print_statuses();
}
