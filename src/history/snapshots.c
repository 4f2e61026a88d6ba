#include "src/history/snapshots.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A page of 4096 bytes has 8 in a table; and a process has some pages of its own. */
enum { TABLE_SHARE = 512, OWN_BYTES = 512 << 10 };

static uint64_t faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_minflt;
}

uint64_t snapshots_faults(const struct snapshots *snapshots)
{
    return snapshots->count ? faults() - snapshots->list[snapshots->count - 1].faults : 0;
}

/* Of the bytes of process PID that no file has: all, and those that no other process shares. 0 if the host does not
 * say. */
static void measure(pid_t pid, uint64_t *all, uint64_t *alone)
{
    char line[160], name[64];
    unsigned long long kilobytes;
    snprintf(name, sizeof name, "/proc/%d/smaps_rollup", (int)pid);
    FILE *file = fopen(name, "re");
    *all = *alone = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "Anonymous: %llu kB", &kilobytes) == 1)
            *all = kilobytes << 10;
        else if (sscanf(line, "Private_Dirty: %llu kB", &kilobytes) == 1)
            *alone = kilobytes << 10;
    }
    if (file)
        fclose(file);
}

uint64_t snapshots_own_memory(void)
{
    uint64_t all, alone;
    measure(getpid(), &all, &alone);
    return all;
}

uint64_t snapshot_alone(pid_t pid)
{
    uint64_t all, alone;
    measure(pid, &all, &alone);
    return alone;
}

static uint64_t held_by(const struct snapshot *last)
{
    uint64_t all, alone;
    measure(getpid(), &all, &alone);
    const uint64_t grown = all > last->own ? all - last->own : 0;
    const uint64_t copied = alone > grown ? alone - grown : 0;
    return copied < last->own ? copied : last->own;
}

uint64_t snapshots_held(const struct snapshots *snapshots)
{
    if (snapshots->count == 0)
        return 0;
    uint64_t held = 0;
    for (unsigned i = 0; i < snapshots->count; i++) {
        const struct snapshot *snapshot = &snapshots->list[i];
        if (snapshot->pid == 0)
            continue;
        held += snapshot->own / TABLE_SHARE + OWN_BYTES;
        held += snapshot->file             ? snapshot_alone(snapshot->pid)
                : i + 1 < snapshots->count ? snapshot->held
                                           : held_by(snapshot);
    }
    return held;
}

void snapshot_end(const struct snapshot *snapshot)
{
    if (snapshot->pid == 0)
        return;
    close(snapshot->fd);
    if (snapshot->is_copy) /* it ends because of its channel */
        return;
    kill(snapshot->pid, SIGKILL);
    waitpid(snapshot->pid, NULL, 0);
}

void snapshots_drop(struct snapshots *snapshots, unsigned number)
{
    struct snapshot *list = snapshots->list;
    const bool shares = number > 0 && number + 1 < snapshots->count && !list[number].file && !list[number - 1].file;
    if (shares) { /* what the one before has too, that one holds now */
        const uint64_t alone = snapshot_alone(list[number].pid);
        list[number - 1].held += list[number].held > alone ? list[number].held - alone : 0;
    }
    snapshot_end(&list[number]);
    snapshots->count--;
    memmove(&list[number], &list[number + 1], (snapshots->count - number) * sizeof list[0]);
}

void snapshots_release(struct snapshots *snapshots, unsigned number)
{
    struct snapshot *snapshot = &snapshots->list[number];
    if (!snapshot->file) {
        snapshots_drop(snapshots, number);
        return;
    }
    snapshot_end(snapshot);
    snapshot->pid = 0;
}

/* The one that is missed least, KEPT and the last one apart; UINT32_MAX: there is none. */
static unsigned least_missed(const struct snapshots *snapshots, unsigned kept)
{
    const struct snapshot *list = snapshots->list;
    const double now = (double)list[snapshots->count - 1].at.insns + 1;
    unsigned least = UINT32_MAX;
    double least_gap = 0;
    for (unsigned i = 1; i + 1 < snapshots->count; i++) {
        const double gap = (double)(list[i + 1].at.insns - list[i - 1].at.insns) / (now - (double)list[i].at.insns);
        if (i == kept || list[i].pid == 0 || list[i].pid == snapshots->needed || list[i].is_changed ||
            (least != UINT32_MAX && gap >= least_gap))
            continue;
        least = i;
        least_gap = gap;
    }
    const bool first = snapshots->count > 1 && kept != 0 && list[0].pid != 0 && list[0].pid != snapshots->needed;
    return least == UINT32_MAX && first ? 0 : least;
}

bool snapshots_make_room(struct snapshots *snapshots, uint64_t room, unsigned *kept)
{
    while (snapshots->count == SNAPSHOTS_MAX || snapshots_held(snapshots) + room > snapshots->limit) {
        const unsigned number = snapshots->count ? least_missed(snapshots, *kept) : UINT32_MAX;
        if (number == UINT32_MAX)
            return snapshots->count < SNAPSHOTS_MAX && snapshots_held(snapshots) + room <= snapshots->limit;
        const unsigned count = snapshots->count;
        snapshots_release(snapshots, number);
        if (*kept != UINT32_MAX && number < *kept && snapshots->count < count)
            --*kept;
    }
    return true;
}

void snapshots_measure_last(struct snapshots *snapshots)
{
    if (snapshots->count > 0 && !snapshots->list[snapshots->count - 1].file)
        snapshots->list[snapshots->count - 1].held = held_by(&snapshots->list[snapshots->count - 1]);
}

void snapshots_add(struct snapshots *snapshots, const struct snapshot *snapshot)
{
    struct snapshot *last = &snapshots->list[snapshots->count++];
    *last = *snapshot;
    last->faults = faults();
    last->own = snapshots_own_memory();
}
