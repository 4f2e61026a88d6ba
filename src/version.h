/* What this program is: `simos --version`. */
#ifndef SIMOS_VERSION_H
#define SIMOS_VERSION_H

#include <stdio.h>

/* Three lines: version and commit; how it was built; what of it works on this host. */
void version_print(FILE *out);

#endif
