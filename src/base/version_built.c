/* The Makefile passes SIMOS_VERSION, SIMOS_COMMIT (empty without git), SIMOS_TARGET and SIMOS_FLAGS, to this file
 * alone, which is part of the program and of nothing else. */
#include "src/base/version.h"

const struct version version_built = {SIMOS_VERSION, SIMOS_COMMIT, SIMOS_TARGET, SIMOS_FLAGS};
