#include "src/base/deprecated.h"

#include "src/base/error_lines.h"
#include "src/base/version.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct deprecated *deprecated_find(enum deprecated_kind kind, const char *name)
{
    for (const struct deprecated *row = deprecated_names; row->name; row++)
        if (row->kind == kind && strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

const char *deprecated_help(enum deprecated_kind kind, const char *name, const char *help, char *buffer, size_t size)
{
    const struct deprecated *row = deprecated_find(kind, name);
    snprintf(buffer, size, "%s%s%s%s", row ? "deprecated: use " : "", row ? row->instead : "", row ? "; " : "", help);
    return buffer;
}

void deprecated_warn(const struct deprecated *row, bool quiet)
{
    static const char *const before[] = {"`simos ", "--", ""}, *const behind[] = {"`", "", ""};
    char line[256];
    snprintf(line, sizeof line, "%s%s%s is deprecated and will go with %d.0: use %s", before[row->kind], row->name,
             behind[row->kind], atoi(version_of_program()->number) + 1, row->instead);
    error_lines_deprecated(line, quiet);
}
