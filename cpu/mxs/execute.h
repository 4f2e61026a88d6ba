/*
 * What instructions do when they issue.
 */
#ifndef SIMOS_CPU_MXS_EXECUTE_H
#define SIMOS_CPU_MXS_EXECUTE_H

#include "src/base/types.h"

struct mxs;
struct mxs_entry;

enum mxs_outcome {
    MXS_FINISHED,  /* results, or where control goes, are in the entry */
    MXS_ACCESSED,  /* the same, and entry->done_at says when */
    MXS_IRREGULAR, /* it has to execute when it is the oldest */
    MXS_LATER,     /* it has to wait for an older store (it is parked) or for a miss register */
};

/* By enum isa_id: execute the entry, the sources of which are there, at NOW. */
typedef enum mxs_outcome mxs_execute_fn(struct mxs *m, struct mxs_entry *entry, cycles now);
extern mxs_execute_fn *const mxs_execute[];

/* By enum isa_id, stores only: the entry's value, all sources of which are there, goes into entry->data. */
typedef void mxs_value_fn(const struct mxs *m, struct mxs_entry *entry);
extern mxs_value_fn *const mxs_store_values[];

/* memory.c: a load of SIZE bytes at ADDRESS; those of the aligned word that holds it if UNALIGNED. FINISHED is not
 * among the outcomes. */
enum mxs_outcome mxs_load(struct mxs *m, struct mxs_entry *entry, vaddr address, unsigned size, bool unaligned,
                          cycles now, uint64_t *value);
/* The address of a store, of the bits under MASK of the aligned word if UNALIGNED. */
enum mxs_outcome mxs_store(struct mxs *m, struct mxs_entry *entry, vaddr address, unsigned size, bool unaligned,
                           uint32_t mask, cycles now);

#endif
