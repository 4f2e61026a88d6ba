/*
 * Options that commands of several rooms have: the part of their rows that `simos --help` shows once for all. A row
 * adds how its command applies it.
 */
#ifndef SIMOS_COMMAND_SHARED_OPTIONS_H
#define SIMOS_COMMAND_SHARED_OPTIONS_H

#include "src/command/option.h"

#define OPTION_SET                                                                                                     \
    .name = "set", .value = "NAME=VALUE", .group = OPTION_GROUP_MACHINE, .flags = OPTION_PASSED | OPTION_ASSIGNS,      \
    .help = "any parameter; `simos params` lists them"

#define OPTION_KERNEL                                                                                                  \
    .name = "kernel", .value = "FILE", .group = OPTION_GROUP_GUEST, .flags = OPTION_READS,                             \
    .help = "kernel, boot ROM or bare program; FILE@ADDRESS: raw bytes (build/guest/vmlinux)"

#define OPTION_JSON                                                                                                    \
    .name = "json", .value = "FILE.json", .group = OPTION_GROUP_RESULTS, .flags = OPTION_HOST | OPTION_WRITES,         \
    .help = "verdicts (`explain`: causes) and all parts of the differences as JSON"

#define OPTION_HTML                                                                                                    \
    .name = "html", .value = "FILE.html", .group = OPTION_GROUP_RESULTS, .flags = OPTION_HOST | OPTION_WRITES,         \
    .help = "one page for a browser, which explains runs (`test`: verdicts); it needs no other file and no network"

#define OPTION_TREND                                                                                                   \
    .name = "trend", .value = "FOLDER", .group = OPTION_GROUP_RESULTS, .flags = OPTION_HOST | OPTION_MAKES,            \
    .help = "what commits have measured: `test` adds the line of one, `report` prints or draws the rows over all"

#define OPTION_OUT                                                                                                     \
    .name = "out", .value = "PREFIX", .group = OPTION_GROUP_SWEEPS, .flags = OPTION_HOST | OPTION_WRITES,              \
    .help =                                                                                                            \
        "results of several runs or of --over also in PREFIX.txt, PREFIX.tsv, PREFIX-*.svg; a trace in PREFIX.FORMAT"

#define OPTION_TRUST_FILES                                                                                             \
    .name = "trust", .group = OPTION_GROUP_OTHER, .flags = OPTION_FIRST | OPTION_PASSED | OPTION_HOST | OPTION_TRUST,  \
    .help = "allow a checkpoint, record, machine, cluster, sweep or test file access to this host: "                   \
            "docs/reference/security.md"

#define OPTION_QUIET                                                                                                   \
    .name = "quiet", .group = OPTION_GROUP_OTHER,                                                                      \
    .help = "with a COMMAND: no kernel messages, no guest warnings; `test`: no progress"

#endif
