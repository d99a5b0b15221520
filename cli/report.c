/* cli/report.c - results to stdout, errors and warnings to stderr. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cli.h"

#define ERROR_BYTES 8192 /* three texts of struct cuzk_err, six bytes a character at worst */

void report_error(const struct cli *cli, const struct cuzk_err *err)
{
    char text[ERROR_BYTES];

    if (cli->json) {
        (void)err_format_json(text, sizeof text, err);
        fprintf(stderr, "{\"error\":%s}\n", text);
        return;
    }
    (void)err_format(text, sizeof text, err);
    fprintf(stderr, "cuzk: %s\n", text);
    if (err->status == CUZK_E_UNSATISFIED && cli->command && cli->command->options & OPT_BIT(OPT_R1CS) && !cli->r1cs)
        fputs("With --r1cs FILE the first unsatisfied constraint is named.\n", stderr);
    if (err->status == CUZK_E_USAGE)
        fprintf(stderr, "See `cuzk%s%s --help`.\n", cli->command ? " " : "", cli->command ? cli->command->name[0] : "");
}

void report_warning(const struct cli *cli, const char *text)
{
    struct json_writer w;
    char              *json;

    if (!cli->json) {
        fprintf(stderr, "cuzk: warning: %s\n", text);
        return;
    }
    json_writer_init(&w, JSON_COMPACT);
    json_begin_object(&w, NULL);
    json_put_string(&w, "warning", text);
    json_end(&w);
    if (json_writer_take(&json, NULL, &w, NULL) == CUZK_OK)
        fprintf(stderr, "%s\n", json);
    mem_free(json);
}

void report_json_begin(struct json_writer *w)
{
    json_writer_init(w, JSON_COMPACT);
    json_begin_object(w, NULL);
}

cuzk_status report_json_end(struct json_writer *w, struct cuzk_err *err)
{
    char       *text;
    cuzk_status st;

    json_end(w);
    st = json_writer_take(&text, NULL, w, err);
    if (st == CUZK_OK)
        printf("%s\n", text);
    mem_free(text);
    return st;
}

cuzk_status report_flush(struct cuzk_err *err)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        return err_set(err, CUZK_E_IO, "writing to stdout: %s", errno ? strerror(errno) : "an earlier write failed");
    return CUZK_OK;
}
