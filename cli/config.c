/* cli/config.c - cuzk config check, print, options. */
#include <stdio.h>

#include "cli.h"
#include "config/config.h"

static void warn_note(void *context, const char *text)
{
    report_warning(context, text);
}

cuzk_status cli_config_check(struct cli *cli, struct cuzk_err *err)
{
    struct config      c;
    struct json_writer w;
    cuzk_status        st;

    config_init(&c);
    TRY(config_read_file(&c, cli->operand[0], warn_note, cli, err));
    TRY(config_finish(&c, err));
    if (cli->json) {
        report_json_begin(&w);
        config_write_json(&w, &c);
        TRY(report_json_end(&w, err));
    } else {
        printf("OK! %s\n", cli->operand[0]);
    }
out:
    config_fini(&c);
    return st;
}

cuzk_status cli_config_print(struct cli *cli, struct cuzk_err *err)
{
    struct config      c;
    struct json_writer w;
    cuzk_status        st = CUZK_OK;

    if (!cli->json) {
        config_write_example(stdout);
        return CUZK_OK;
    }
    config_init(&c);
    report_json_begin(&w);
    config_write_json(&w, &c);
    st = report_json_end(&w, err);
    config_fini(&c);
    return st;
}

cuzk_status cli_config_options(struct cli *cli, struct cuzk_err *err)
{
    struct json_writer w;

    if (!cli->json) {
        config_write_markdown(stdout);
        return CUZK_OK;
    }
    report_json_begin(&w);
    config_write_options(&w);
    return report_json_end(&w, err);
}
