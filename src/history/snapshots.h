/*
 * The snapshots of the present, in the order of time: when one is taken, how much memory they hold, and which ones go
 * when that is too much.
 *
 * Old snapshots lie further apart than young ones: of two that could go, it is the one whose neighbours are closer to
 * each other in proportion to their age. The first one behind a change by hand stays as long as anything before it.
 *
 * A snapshot shares its memory with the present until one of them stores to a page. So what it holds, together with
 * those before it and not with the one behind it, is what the present has come to have for itself in the meantime,
 * without that by which it grew; and the tables of its pages. A snapshot that was loaded from a file shares little.
 */
#ifndef SIMOS_HISTORY_SNAPSHOTS_H
#define SIMOS_HISTORY_SNAPSHOTS_H

#include "src/history/history.h"
#include <sys/types.h>

struct snapshot {
    pid_t pid;        /* 0: asleep in ... */
    const char *file; /* the checkpoint that its process loads; NULL: none */
    bool is_copy;     /* it is not this process's child, but a copy of another snapshot: */
    pid_t origin;     /* of that one. When a process ends, so do its copies */
    nsec taken;       /* host time */
    int fd;           /* its channel */
    struct history_position at;
    uint64_t cpu_insns[BOARD_MAX_CPUS];
    size_t log;      /* inputs before it */
    uint64_t held;   /* bytes, since it was taken, until the next one was */
    uint64_t own;    /* bytes of the process when it was taken: as much can it come to hold */
    uint64_t faults; /* page faults of the process by then */
    bool is_changed; /* it was taken behind a change by hand */
};

enum { SNAPSHOTS_MAX = 250 };

struct snapshots {
    struct snapshot list[SNAPSHOTS_MAX];
    unsigned count;
    uint64_t limit; /* bytes */
    pid_t needed;   /* a copy of it is in use; 0: of none */
};

/* The bytes that all of them hold at present. */
uint64_t snapshots_held(const struct snapshots *snapshots);
/* Page faults of this process since the last one was taken. */
uint64_t snapshots_faults(const struct snapshots *snapshots);

/* Let some go, but for number KEPT (UINT32_MAX: none), until the others hold ROOM bytes less than the limit. False if
 * even then they do not. Returns with *KEPT changed to its new number. */
bool snapshots_make_room(struct snapshots *snapshots, uint64_t room, unsigned *kept);

/* The bytes of process PID that no other process has. */
uint64_t snapshot_alone(pid_t pid);
/* The bytes that this process has, alone or not. */
uint64_t snapshots_own_memory(void);

/* Before another one is taken: note what the last one holds. */
void snapshots_measure_last(struct snapshots *snapshots);
/* Add SNAPSHOT, just taken, behind the others. There must be room. */
void snapshots_add(struct snapshots *snapshots, const struct snapshot *snapshot);
/* End the process of snapshot NUMBER; that of a file sleeps again. */
void snapshots_release(struct snapshots *snapshots, unsigned number);
/* End and forget snapshot NUMBER. */
void snapshots_drop(struct snapshots *snapshots, unsigned number);
/* End the process of SNAPSHOT. */
void snapshot_end(const struct snapshot *snapshot);

#endif
