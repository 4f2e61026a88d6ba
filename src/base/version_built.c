/* The Makefile defines SIMOS_VERSION, SIMOS_COMMIT (empty without git), SIMOS_TARGET and SIMOS_FLAGS for this file
 * only, which is part of the program but not of the library. */
#include "src/base/version.h"

const struct version version_built = {SIMOS_VERSION, SIMOS_COMMIT, SIMOS_TARGET, SIMOS_FLAGS};
