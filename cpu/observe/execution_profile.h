/*
 * The execution profile of a machine: how often each basic block ran in each mode, and how often each branch was taken
 * and each call made. Code is identified by a key: the address in the kernel; for user processes the ASID + 1 in the
 * upper half and the address in the lower; or the key that a naming gives (as in profiles of misses,
 * cache/classify/classify.h).
 */
#ifndef SIMOS_CPU_OBSERVE_EXECUTION_PROFILE_H
#define SIMOS_CPU_OBSERVE_EXECUTION_PROFILE_H

#include "cpu/observe/execution_pages.h"

struct execution_profile;

/* Consecutive instructions that were executed together. */
struct execution_block {
    uint64_t key;  /* of the first instruction; those that follow have keys 4, 8 ... higher */
    int64_t count; /* executions; negative: corrects a longer block, which was left early so often */
    uint16_t insns;
    uint8_t mode; /* enum mode */
};

/* A transfer of control. */
struct execution_edge {
    uint64_t from, to; /* keys of the branch or jump, and of its target */
    int64_t count;
    bool is_call; /* jal, jalr; otherwise a taken conditional branch */
};

struct execution_profile *execution_profile_create(void);
void execution_profile_free(struct execution_profile *profile);

/* Name code by KEY_OF: the key of the code at ADDRESS, which CPU can execute at present. NULL: by ASID. */
typedef uint64_t execution_key_fn(void *opaque, unsigned cpu, vaddr address);
void execution_profile_name(struct execution_profile *profile, execution_key_fn *key_of, void *opaque);
uint64_t execution_profile_key(const struct execution_profile *profile, const struct core *core, vaddr address,
                               bool is_user);

/* From now on, record the pages of programs that execute (execution_pages.h); they are NULL unless recorded. */
void execution_profile_record_pages(struct execution_profile *profile);
struct execution_pages *execution_profile_pages(const struct execution_profile *profile);

/* The number of a block or edge in the profile, which stays the same. */
size_t execution_profile_block(struct execution_profile *profile, uint64_t key, enum mode mode, unsigned insns);
size_t execution_profile_edge(struct execution_profile *profile, uint64_t from, uint64_t to, bool is_call);
/* Add COUNT executions of the block, or transfers by the edge, of that number. */
void execution_profile_add_block(struct execution_profile *profile, size_t number, int64_t count);
void execution_profile_add_edge(struct execution_profile *profile, size_t number, int64_t count);

/* The blocks and edges whose count is not 0, sorted by key; the caller frees them. NULL with *COUNT 0 if there are
 * none. */
struct execution_block *execution_profile_blocks(const struct execution_profile *profile, size_t *count);
struct execution_edge *execution_profile_edges(const struct execution_profile *profile, size_t *count);

#endif
