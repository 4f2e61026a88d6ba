/* Version of this program, for `simos --version` and for the files that it writes. */
#ifndef SIMOS_BASE_VERSION_H
#define SIMOS_BASE_VERSION_H

#include <stddef.h>

enum { VERSION_TEXT_SIZE = 96 };

struct version {
    const char *number; /* "1.0.0" */
    const char *commit; /* of the source tree */
    const char *target; /* host type for which it was built */
    const char *flags;  /* compiler flags */
};
/* The version of this program; its texts are empty if unknown, as in tests. */
const struct version *version_of_program(void);

/* Defined in version_built.c, which is linked into the program but not the library. */
extern const struct version version_built __attribute__((weak));

/* Describe NUMBER and COMMIT: "1.0.0 (commit 8cef0a7)", "1.0.0", or "" without a number. Either may be NULL. */
void version_describe(const char *number, const char *commit, char text[VERSION_TEXT_SIZE]);

#endif
