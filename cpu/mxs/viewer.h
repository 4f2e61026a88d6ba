/*
 * Pipeline trace: times at which instructions are fetched, issued, done, and graduated or squashed, in a file for
 * existing viewers: Konata (the "Kanata" format, version 4) or O3PipeView, with a thousand ticks per cycle.
 */
#ifndef SIMOS_CPU_MXS_VIEWER_H
#define SIMOS_CPU_MXS_VIEWER_H

#include "src/base/params.h"
#include "src/base/types.h"

struct core;
struct mxs_viewer;

/* Create the viewer that mxs.view and related parameters specify for CORE; *VIEWER is NULL if mxs.view is empty. False
 * with ERR: the file cannot be written. */
bool mxs_viewer_create(struct mxs_viewer **viewer, const struct params *params, const struct core *core,
                       struct err *err);
/* Write and close the file, if not done yet; later events are ignored. False with ERR: the file could not be written
 * completely. */
bool mxs_viewer_finish(struct mxs_viewer *viewer, struct err *err);
void mxs_viewer_free(struct mxs_viewer *viewer); /* NULL is allowed */

/* Events of instruction NUMBER: fetched (WORD at PC, at time NOW, after INSNS instructions had graduated); issued;
 * graduated, with its results available at DONE; squashed. */
void mxs_viewer_fetch(struct mxs_viewer *viewer, uint64_t number, vaddr pc, uint32_t word, uint64_t insns, cycles now);
void mxs_viewer_issue(struct mxs_viewer *viewer, uint64_t number, cycles now);
void mxs_viewer_graduate(struct mxs_viewer *viewer, uint64_t number, cycles done, cycles now);
void mxs_viewer_squash(struct mxs_viewer *viewer, uint64_t number, cycles now);

#endif
