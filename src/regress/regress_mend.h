/*
 * What would mend an unlucky placement: the new kernel as it could be linked instead, each way tried by one run without
 * perturbation. The caches see its functions where the linker would have put them (src/guest/kernel_list.h); the
 * instructions are the same.
 */
#ifndef SIMOS_REGRESS_REGRESS_MEND_H
#define SIMOS_REGRESS_REGRESS_MEND_H

#include "src/regress/regress_report.h"

/* Try what may mend the unlucky rows of REPORT, and add it there: all functions in the order in which they execute, and
 * aligned to lines of 64 bytes, and one of the pairs that evict each other behind everything else. The lists of symbols
 * stay in the work folder. *SIGNAL: the signal that interrupted it, or 0. False with ERR. */
bool regress_mend(const struct regress_run *run, const struct regress_side *side, struct regress_report *report,
                  int *signal, struct err *err);

#endif
