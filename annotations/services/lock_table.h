/*
 * Table of lock statistics. A static kernel variable has one entry; locks in dynamically allocated structures have one
 * entry for each function that acquires them.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_LOCK_TABLE_H
#define SIMOS_ANNOTATIONS_SERVICES_LOCK_TABLE_H

#include "annotations/symbols/machine_view.h"
#include "src/base/hash_map.h"
#include "src/base/json_writer.h"

enum lock_kind {
    LOCK_SPIN,
    LOCK_READ,  /* spinning, shared with other readers */
    LOCK_WRITE, /* spinning, exclusive */
    LOCK_MUTEX, /* this and the following kinds sleep while they wait */
    LOCK_SHARED,
    LOCK_EXCLUSIVE,
    LOCK_SEMAPHORE,
    LOCK_KINDS
};

const char *lock_kind_name(enum lock_kind kind);

/* A lock that is held. */
struct lock_held {
    vaddr lock;
    unsigned entry; /* in the lock table */
    cycles since;
    vaddr caller; /* return address of the acquiring call */
};

/* Wait of a process for a sleeping lock. */
struct lock_wait {
    vaddr lock;
    unsigned entry;
    bool waits;
    cycles since;
    vaddr tries, caller; /* lock of a trylock in progress, and its caller; 0: none */
};

enum { TASK_HELD_MAX = 8, CPU_HELD_MAX = 16 };

/* Hold times of a lock by the return address of the acquiring call. */
struct lock_holder {
    struct lock_holder *next; /* most recently used first */
    vaddr caller;             /* 0: all further callers */
    uint64_t releases;
    cycles held, longest;
};

struct lock {
    enum lock_kind kind;
    vaddr address;        /* of a static kernel variable; else 0 */
    vaddr first_function; /* the function that acquired it first */
    uint64_t acquires, contended, releases;
    cycles wait;               /* total waiting time of contended acquires */
    cycles held, held_longest; /* of the holds whose release was observed */
    vaddr longest_caller;      /* holder of held_longest: return address of the acquiring call, and process */
    unsigned longest_pid;
    char longest_name[16];
    struct lock_holder *holders;
    unsigned holder_count;
};

struct lock_table {
    const struct symbols *symbols; /* NULL: none */
    vaddr image_end;               /* static kernel variables are below it; 0: unknown, treat all locks as dynamic */
    struct lock *lock;
    unsigned count, capacity;
    struct hash_map entries; /* index in `lock` by kind and address or taker */
    /* Direct-mapped cache of lookups by caller and lock, which saves the search for symbols. */
    struct lock_hint {
        vaddr lock, caller;
        unsigned kind, entry;
    } * hint;
};

void lock_table_init(struct lock_table *table, const struct symbols *symbols);
void lock_table_release(struct lock_table *table);
/* Index of the lock of KIND at ADDRESS, acquired by the function that returns to CALLER; created if necessary. */
unsigned lock_table_find(struct lock_table *table, enum lock_kind kind, vaddr address, vaddr caller);
static inline struct lock *lock_table_at(struct lock_table *table, unsigned entry)
{
    return &table->lock[entry];
}
/* Lock ENTRY, acquired at CALLER by process PID called NAME, was released after TIME cycles. */
void lock_table_add_hold(struct lock_table *table, unsigned entry, vaddr caller, unsigned pid, const char *name,
                         cycles time);
/* The name of lock ENTRY: its symbol, or its address and the function that acquired it first; without address, the
 * function. */
void lock_table_name(const struct lock_table *table, unsigned entry, char *name, size_t size);
/* Reset all counts. */
void lock_table_reset(struct lock_table *table);

/* Print or write, sorted by waiting time, then by number of acquires. */
void lock_table_print(const struct lock_table *table, uint64_t clock_hz, unsigned rows, FILE *out);
void lock_table_write_json(const struct lock_table *table, struct json_writer *json);

#endif
