#include "src/base/deprecated.h"

const struct deprecated deprecated_names[] = {
    {0},
};
