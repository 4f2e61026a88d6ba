/* The cycles of mxs as the core's probe sees them (cpu/observe/probe.h). M has a probe: m->probe. */
#ifndef SIMOS_CPU_MXS_PROBE_H
#define SIMOS_CPU_MXS_PROBE_H

#include "cpu/mxs/mxs.h"

enum { MXS_PROBE_FULL = LOST_COUNT }; /* a cycle that graduated the full width */

struct mxs_probe *mxs_probe_create(const struct mxs *m);
void mxs_probe_free(struct mxs_probe *probe); /* NULL is ignored */

/* The entries from NEXT on have been fetched, at NOW. */
void mxs_probe_fetched(struct mxs *m, uint64_t next, cycles now);
/* E graduates; its source registers are unchanged. SERIALISED: it is about to execute at the head, in the cycle NOW;
 * or the cycle ends with it, because its hooks take time. */
void mxs_probe_graduates(struct mxs *m, const struct mxs_entry *e, bool serialised, cycles now);
/* The serialised instruction takes the DURATION of its hooks more. */
void mxs_probe_hooked(struct mxs *m, cycles duration);
/* The cycle NOW has ended, and the core's time is that of the next one to be simulated. WHY: the reason to which it was
 * charged, enum stall or enum mxs_cause, or MXS_PROBE_FULL; if it was not serialised. */
void mxs_probe_cycle(struct mxs *m, unsigned why, cycles now);

#endif
