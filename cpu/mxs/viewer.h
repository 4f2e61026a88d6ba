/*
 * The pipeline viewer: when each of some instructions was fetched, issued, done and graduated or squashed, in a file
 * for existing viewers: Konata (the "Kanata" format, version 4) or O3PipeView, a thousand ticks a cycle.
 */
#ifndef SIMOS_CPU_MXS_VIEWER_H
#define SIMOS_CPU_MXS_VIEWER_H

#include "src/base/params.h"
#include "src/base/types.h"

struct core;
struct mxs_viewer;

/* What mxs.view and its companions ask for, of CPU; *VIEWER is NULL if that is nothing. False with ERR: the file cannot
 * be written. */
bool mxs_viewer_create(struct mxs_viewer **viewer, const struct params *params, const struct core *core,
                       struct err *err);
/* Writes the file, if that has not been done: it is complete, whatever follows. False with ERR: not all of it could be
 * written. */
bool mxs_viewer_finish(struct mxs_viewer *viewer, struct err *err);
void mxs_viewer_free(struct mxs_viewer *viewer); /* NULL is allowed */

/* Instruction NUMBER, WORD at PC, fetched at NOW; begins to execute; leaves the window, having been done at DONE. INSNS
 * have graduated so far. */
void mxs_viewer_fetch(struct mxs_viewer *viewer, uint64_t number, vaddr pc, uint32_t word, uint64_t insns, cycles now);
void mxs_viewer_issue(struct mxs_viewer *viewer, uint64_t number, cycles now);
void mxs_viewer_graduate(struct mxs_viewer *viewer, uint64_t number, cycles done, cycles now);
void mxs_viewer_squash(struct mxs_viewer *viewer, uint64_t number, cycles now);

#endif
