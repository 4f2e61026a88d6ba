/*
 * As run_noting.c, where the times that are noted say which line of a set was used last.
 */
#include "cpu/inorder/values.h"
#include "cpu/mipsy/translator.h"
#include "cpu/semantics.h"

#define MIPSY_RUN       mipsy_run_times
#define MIPSY_CACHED    1
#define MIPSY_NOTES     1
#define MIPSY_TIMES_SAY 1
#include "cpu/mipsy/interpreter.inc"
