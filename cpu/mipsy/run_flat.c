/*
 * The interpreter without caches: every instruction takes one cycle.
 */
#include "cpu/inorder/values.h"
#include "cpu/mipsy/translator.h"
#include "cpu/semantics.h"

#define MIPSY_RUN    mipsy_run_flat
#define MIPSY_CACHED 0
#define MIPSY_NOTES  0
#include "cpu/mipsy/interpreter.inc"
