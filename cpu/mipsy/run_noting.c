/*
 * The interpreter with the modelled caches and a memory system that wants to know when each line was used last.
 */
#include "cpu/inorder/values.h"
#include "cpu/mipsy/translator.h"
#include "cpu/semantics.h"

#define MIPSY_RUN    mipsy_run_noting
#define MIPSY_CACHED 1
#define MIPSY_NOTES  1
#include "cpu/mipsy/interpreter.inc"
