/*
 * Execution of instructions when they issue.
 */
#ifndef SIMOS_CPU_MXS_EXECUTE_H
#define SIMOS_CPU_MXS_EXECUTE_H

#include "src/base/types.h"

struct mxs;
struct mxs_entry;

enum mxs_outcome {
    MXS_FINISHED,  /* results, or the actual target, are in the entry */
    MXS_ACCESSED,  /* as MXS_FINISHED, and entry->done_at is set */
    MXS_IRREGULAR, /* irregular: must execute at the head of the window */
    MXS_WAITING,   /* waiting in the load/store queue for an older store, or for an MSHR */
};

/* By enum isa_id: execute ENTRY, whose sources are ready, at time NOW. */
typedef enum mxs_outcome mxs_execute_fn(struct mxs *m, struct mxs_entry *entry, cycles now);
extern mxs_execute_fn *const mxs_execute[];

/* By enum isa_id, stores only: compute entry->data, the data to store; all sources are ready. */
typedef void mxs_value_fn(const struct mxs *m, struct mxs_entry *entry);
extern mxs_value_fn *const mxs_store_values[];

/* memory.c: execute a load of SIZE bytes at ADDRESS; if UNALIGNED, of SIZE bytes of the aligned word that holds
 * ADDRESS. Never returns MXS_FINISHED. */
enum mxs_outcome mxs_load(struct mxs *m, struct mxs_entry *entry, vaddr address, unsigned size, bool unaligned,
                          cycles now, uint64_t *value);
/* Address part of a store; if UNALIGNED, it stores the bits under MASK of the aligned word that holds ADDRESS. */
enum mxs_outcome mxs_store(struct mxs *m, struct mxs_entry *entry, vaddr address, unsigned size, bool unaligned,
                           uint32_t mask, cycles now);

#endif
