/*
 * The interpreter with the modelled caches.
 */
#include "cpu/inorder/values.h"
#include "cpu/mipsy/translator.h"
#include "cpu/semantics.h"

#define MIPSY_RUN    mipsy_run_cached
#define MIPSY_CACHED 1
#define MIPSY_NOTES  0
#include "cpu/mipsy/interpreter.inc"
