/* What this program is: `simos --version`, and what every file that it writes says of it. */
#ifndef SIMOS_VERSION_H
#define SIMOS_VERSION_H

#include <stddef.h>

enum { VERSION_TEXT_SIZE = 96 };

struct version {
    const char *number; /* "0.9" */
    const char *commit; /* of the tree that it was built from */
    const char *target; /* the host that it was built for */
    const char *flags;  /* of the compiler */
};
/* The program's own; texts are empty where it is not known, which is in tests. */
const struct version *version_of_program(void);

/* version_built.c: part of the program, and not of the library. */
extern const struct version version_built __attribute__((weak));

/* NUMBER and COMMIT as people write them: "0.9 (commit 8cef0a7)", "0.9", or "" if there is no number. Either may be
 * NULL. */
void version_describe(const char *number, const char *commit, char text[VERSION_TEXT_SIZE]);

#endif
