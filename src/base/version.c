#include "src/base/version.h"

#include <stdbool.h>
#include <stdio.h>

const struct version *version_of_program(void)
{
    static const struct version unknown = {"", "", "", ""};
    return &version_built ? &version_built : &unknown;
}

void version_describe(const char *number, const char *commit, char text[VERSION_TEXT_SIZE])
{
    const bool known = number && *number, from = known && commit && *commit;
    snprintf(text, VERSION_TEXT_SIZE, "%.40s%s%.40s%s", known ? number : "", from ? " (commit " : "",
             from ? commit : "", from ? ")" : "");
}
