#include "src/cli/subcommands.h"

#include "src/base/suggest.h"
#include <string.h>

static const struct subcommand_row rows[] = {
    {"run", SUBCOMMAND_RUN, "run [options] [-- COMMAND...]",
     "boot the guest; with COMMAND run it there as the only job and exit with its status", "tutorial.md"},
    {"restore", SUBCOMMAND_RESTORE, "restore CKPT [options] [-- COMMAND...]",
     "resume a checkpoint; one taken at `boot` runs any COMMAND", "how-to/checkpoints.md"},
    {"info", SUBCOMMAND_INFO, "info CKPT", "contents of a checkpoint, and its access to this host",
     "how-to/checkpoints.md"},
    {"sweep", SUBCOMMAND_SWEEP, "sweep --over SERIES [options] [TRACE | -- COMMAND...]",
     "one run or trace on several caches at once", "how-to/sweep.md"},
    {"sweep", SUBCOMMAND_SWEEP, "sweep FILE.tcl [options]", "parameter sweep of runs from checkpoints",
     "how-to/sweep.md"},
    {"test", SUBCOMMAND_TEST, "test FILE.tcl... [options]",
     "do rows of miss decompositions keep their limits, against a baseline or another kernel",
     "how-to/regression-tests.md"},
    {"windows", SUBCOMMAND_WINDOWS, "windows FOLDER --window N [options]",
     "sample N instructions after each checkpoint of a --series", "how-to/series.md"},
    {"report", SUBCOMMAND_REPORT, "report [options] FILE.json...", "statistics of several runs side by side",
     "how-to/report.md"},
    {"explain", SUBCOMMAND_EXPLAIN, "explain A.json B.json [options] [-- run|restore ...]",
     "why run B takes longer or shorter than A: parts that add up to the difference", "how-to/explain.md"},
    {"check", SUBCOMMAND_CHECK, "check FILE.json...",
     "are JSON files of simos as their schemas say, and do their sums add up", "reference/schema.md"},
    {"trace", SUBCOMMAND_TRACE, "trace [options] FILE", "a trace in the format of another program", "how-to/trace.md"},
    {"shell", SUBCOMMAND_SHELL, "shell [options] [SCRIPT.tcl]", "Tcl prompt: build, run, inspect, step",
     "reference/shell.md"},
    {"cluster", SUBCOMMAND_CLUSTER, "cluster [options] FILE.tcl",
     "several machines on one network (FILE.tcl); options apply to each of them", "how-to/cluster.md"},
    {"params", SUBCOMMAND_PARAMS, "params [options] [NAME...]", "parameters, all or those named NAME...",
     "reference/parameters.md"},
    {"machines", SUBCOMMAND_MACHINES, "machines", "the built-in machine descriptions", "reference/machines.md"},
    {"devices", SUBCOMMAND_DEVICES, "devices", "the devices of the board: addresses, interrupts",
     "reference/devices.md"},
    {"measures", SUBCOMMAND_MEASURES, "measures", "causes of cycles, classes of misses, formulas, as JSON",
     "reference/results.md"},
    {"completion", SUBCOMMAND_COMPLETION, "completion bash|zsh|fish",
     "a script that completes command lines in this shell; `make install` puts it in place", "how-to/hosts.md"},
    {"help", SUBCOMMAND_HELP, "help [COMMAND]", "all options, or those of COMMAND, as `simos COMMAND --help`", NULL},
    {"--version", SUBCOMMAND_VERSION, "--version", "version, commit, build options, features of this host", NULL},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

const struct subcommand_row *subcommand_at(unsigned index)
{
    return index < ROW_COUNT ? &rows[index] : NULL;
}

/* Is row I the first one of its command? */
static bool is_first(unsigned i)
{
    return i == 0 || rows[i].subcommand != rows[i - 1].subcommand;
}

/* List the commands that are words, not options: "run, restore, info". */
static void list_words(char *text, size_t size)
{
    size_t used = 0;
    for (unsigned i = 0; i < ROW_COUNT; i++)
        if (is_first(i) && rows[i].name[0] != '-')
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", rows[i].name);
}

const struct subcommand_row *subcommand_find(const char *word, struct err *err)
{
    struct suggest suggest;
    char all[256];
    suggest_begin(&suggest, word);
    for (unsigned i = 0; i < ROW_COUNT; i++) {
        if (strcmp(rows[i].name, word) == 0)
            return &rows[i];
        suggest_offer(&suggest, rows[i].name);
    }
    list_words(all, sizeof all);
    if (!*word)
        err_set(err, "no command; valid: %s (see \"simos --help\")", all);
    else if (suggest.nearest)
        err_set(err, "unknown command \"%.64s\"; did you mean \"%s\"?", word, suggest.nearest);
    else
        err_set(err, "unknown command \"%.64s\"; valid: %s", word, all);
    return NULL;
}

const char *subcommand_name(enum subcommand subcommand)
{
    for (unsigned i = 0; i < ROW_COUNT; i++)
        if (rows[i].subcommand == subcommand)
            return rows[i].name;
    log_bug("command %d has no name", subcommand);
}

void subcommand_list(subcommand_set set, char *text, size_t size)
{
    size_t used = 0;
    unsigned left = (unsigned)__builtin_popcount(set);
    for (unsigned i = 0; i < ROW_COUNT && used < size; i++) {
        if (!is_first(i) || !(set & SUBCOMMAND_BIT(rows[i].subcommand)))
            continue;
        left--;
        used += (size_t)snprintf(text + used, size - used, "`%s`%s", rows[i].name,
                                 left > 1    ? ", "
                                 : left == 1 ? " and "
                                             : "");
    }
}
