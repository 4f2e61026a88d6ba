/* Windows of any size. */
#define CYCLE_RUN mxs_cycle_run_large
#include "cpu/mxs/cycle.inc"
