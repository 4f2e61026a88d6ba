/*
 * As run_cached.c, for data lines of 16 bytes whose quick bytes are found by physical address.
 */
#include "cpu/inorder/values.h"
#include "cpu/mipsy/translator.h"
#include "cpu/semantics.h"

#define MIPSY_RUN       mipsy_run_cached_16
#define MIPSY_CACHED    1
#define MIPSY_PHYSICAL  1
#define MIPSY_NOTES     0
#define MIPSY_TIMES_SAY 0
#include "cpu/mipsy/interpreter.inc"
