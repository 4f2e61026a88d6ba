/* The Makefile passes SIMOS_VERSION, SIMOS_COMMIT (empty without git), SIMOS_TARGET and SIMOS_FLAGS, to this file
 * alone. */
#include "src/version.h"

#include "annotations/tcl_versions.h"
#include "cpu/model.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

void version_print(FILE *out)
{
    fprintf(out, "simos %s%s%s%s\n", SIMOS_VERSION, *SIMOS_COMMIT ? " (commit " : "", SIMOS_COMMIT,
            *SIMOS_COMMIT ? ")" : "");
    fprintf(out, "built for %s by %s, %s, with Tcl %s\n", SIMOS_TARGET, COMPILER, SIMOS_FLAGS, TCL_PATCH_LEVEL);
    fprintf(out, "CPU models: mipsy%s, embra%s, mxs\n",
            mipsy_translates() ? "" : " (every instruction interpreted: no translator for this host)",
            embra_supported() ? "" : " (not on this host: mipsy runs instead)");
}
