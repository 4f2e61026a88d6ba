#include "src/base/version.h"

#include "src/base/tcl_versions.h"
#include "cpu/model.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

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

void version_print(FILE *out)
{
    const struct version *version = version_of_program();
    char text[VERSION_TEXT_SIZE];
    version_describe(version->number, version->commit, text);
    fprintf(out, "simos %s\n", text);
    fprintf(out, "built for %s by %s, %s, with Tcl %s\n", version->target, COMPILER, version->flags,
            TCL_PATCH_LEVEL);
    fprintf(out, "CPU models: mipsy%s, embra%s, mxs\n",
            translate_supported() ? "" : " (every instruction interpreted: no translator for this host)",
            translate_supported() ? "" : " (not on this host: mipsy runs instead)");
}
