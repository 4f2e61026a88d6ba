#include "src/version.h"

#include "annotations/tcl_versions.h"
#include "cpu/model.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* The program brings its own (src/version_built.c); a test has no version. */
__attribute__((weak)) const struct version version_built = {"", "", "", ""};

void version_describe(const char *number, const char *commit, char text[VERSION_TEXT_SIZE])
{
    const bool known = number && *number, from = known && commit && *commit;
    snprintf(text, VERSION_TEXT_SIZE, "%.40s%s%.40s%s", known ? number : "", from ? " (commit " : "",
             from ? commit : "", from ? ")" : "");
}

void version_print(FILE *out)
{
    char text[VERSION_TEXT_SIZE];
    version_describe(version_built.number, version_built.commit, text);
    fprintf(out, "simos %s\n", text);
    fprintf(out, "built for %s by %s, %s, with Tcl %s\n", version_built.target, COMPILER, version_built.flags,
            TCL_PATCH_LEVEL);
    fprintf(out, "CPU models: mipsy%s, embra%s, mxs\n",
            translate_supported() ? "" : " (every instruction interpreted: no translator for this host)",
            translate_supported() ? "" : " (not on this host: mipsy runs instead)");
}
