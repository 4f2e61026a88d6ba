/* Windows of up to 64 entries. */
#define MXS_ONE_WORD
#define CYCLE_RUN mxs_cycle_run_small
#include "cpu/mxs/cycle.inc"
