/*
 * What is known of each lock. A variable of the kernel is one lock; others (in structures that come and go) are one for
 * each function that takes them.
 */
#ifndef SIMOS_ANNOTATIONS_LOCK_TABLE_H
#define SIMOS_ANNOTATIONS_LOCK_TABLE_H

#include "annotations/services/service_locks.h"

/* Who had a lock: at the place of the call that took it. */
struct lock_holder {
    struct lock_holder *next; /* the last one in front */
    vaddr caller;             /* 0: all others */
    uint64_t releases;
    cycles held, longest;
};

struct lock {
    enum lock_kind kind;
    vaddr address; /* of a variable of the kernel, else 0 */
    vaddr taker;   /* the function that took it first */
    uint64_t acquires, contended, releases;
    cycles wait;               /* for those that were contended */
    cycles held, held_longest; /* of those whose release was seen */
    vaddr longest_caller;      /* who had it for longest: where it was taken, and by which process */
    unsigned longest_pid;
    char longest_name[16];
    struct lock_holder *holders;
    unsigned holder_count;
};

struct lock_table {
    const struct symbols *symbols; /* NULL: there are none */
    vaddr image_end;               /* variables of the kernel are below it; 0: none is known to be one */
    struct lock *lock;
    unsigned count, capacity;
    unsigned *slot; /* by kind and address or taker: index + 1, 0: free */
    unsigned slots;
    /* What was found last for a place and lock, so that the symbols need not be searched. */
    struct lock_hint {
        vaddr lock, caller;
        unsigned kind, entry;
    } * hint;
};

void lock_table_init(struct lock_table *table, const struct symbols *symbols);
void lock_table_release(struct lock_table *table);
/* The number of the lock of KIND at ADDRESS, taken by the function that returns to CALLER. */
unsigned lock_table_find(struct lock_table *table, enum lock_kind kind, vaddr address, vaddr caller);
static inline struct lock *lock_table_at(struct lock_table *table, unsigned entry)
{
    return &table->lock[entry];
}
/* The lock ENTRY, taken at CALLER by process PID called NAME, was given back after TIME. */
void lock_table_held(struct lock_table *table, unsigned entry, vaddr caller, unsigned pid, const char *name,
                     cycles time);
/* All counts are 0 again. */
void lock_table_begin_again(struct lock_table *table);

/* By time waited, then by how often they were taken. */
void lock_table_print(const struct lock_table *table, uint64_t clock_hz, unsigned rows, FILE *out);
void lock_table_write_json(const struct lock_table *table, FILE *out);

#endif
