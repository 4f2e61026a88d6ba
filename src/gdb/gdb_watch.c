/*
 * Watchpoints of the debugger, for data accesses by instructions of any CPU (cpu/privileged/data_watch.h).
 *
 * gdb expects a MIPS to stop before the watched access, with EPC at the instruction (at the branch if it is in a
 * delay slot). gdb then removes its watchpoints, steps that CPU over the instruction with a breakpoint at the address
 * that it computes from the registers, and compares values. This machine stops after the access instead. So the stub
 * shows the debugger the registers from before the access until the debugger steps or continues. No CPU executes
 * anything for that step, so no access is missed while the watchpoints are removed.
 */
#include "cpu/privileged/data_watch.h"
#include "src/gdb/gdb_state.h"
#include <stdlib.h>
#include <string.h>

/* Does the access of SIZE bytes at ADDRESS overlap the watched range? *AT: the first byte of the overlap. */
static bool overlaps(const struct gdb_watchpoint *point, vaddr address, unsigned size, vaddr *at)
{
    const vaddr last = address + (size - 1u);
    *at = address > point->first ? address : point->first;
    return address <= point->last && last >= point->first;
}

/* The address of the access as the debugger specified it: in kseg0 and kseg1 the access may have used another virtual
 * address. */
static vaddr watched_address(const struct gdb_watchpoint *point, const struct data_access *access)
{
    vaddr at;
    if (overlaps(point, access->address, access->size, &at) ||
        overlaps(point, vaddr_of_kseg0(access->physical), access->size, &at))
        return at;
    overlaps(point, vaddr_of_kseg1(access->physical), access->size, &at);
    return at;
}

static void accessed(void *opaque, struct core *core, const struct data_access *access)
{
    struct gdb_watchpoint *point = opaque;
    struct gdb_stub *stub = point->stub;
    if (stub->accessed == NULL) {
        stub->accessed = point;
        stub->accessed_at = watched_address(point, access);
        stub->stopped_cpu = core->number;
        stub->before = core->s;
    }
    machine_stop_at_hook(stub->machine, core);
}

static struct gdb_watchpoint *find(struct gdb_stub *stub, char kind, vaddr first, vaddr last)
{
    for (unsigned i = 0; i < GDB_WATCHPOINTS_MAX; i++) {
        struct gdb_watchpoint *point = &stub->watchpoints[i];
        if (point->stub && point->kind == kind && point->first == first && point->last == last)
            return point;
    }
    return NULL;
}

static bool insert(struct gdb_stub *stub, char kind, vaddr first, vaddr last)
{
    struct gdb_watchpoint *point = stub->watchpoints;
    if (stub->watchpoint_count == GDB_WATCHPOINTS_MAX)
        return false;
    while (point->stub)
        point++;
    *point = (struct gdb_watchpoint){stub, kind, first, last};
    stub->watchpoint_count++;
    const struct data_range range = {.loads = kind != GDB_WATCH_WRITE,
                                     .stores = kind != GDB_WATCH_READ,
                                     .first = first,
                                     .last = last,
                                     .callback = accessed,
                                     .opaque = point};
    data_watch_add_virtual(stub->machine->cores[0], &range);
    return true;
}

static void remove_watchpoint(struct gdb_watchpoint *point)
{
    struct gdb_stub *stub = point->stub;
    data_watch_remove(stub->machine->cores[0], accessed, point);
    point->stub = NULL;
    stub->watchpoint_count--;
}

bool gdb_watch_change(struct gdb_stub *stub, char kind, vaddr first, vaddr last, bool inserting)
{
    struct gdb_watchpoint *point = find(stub, kind, first, last);
    if (inserting)
        return point || insert(stub, kind, first, last);
    if (point)
        remove_watchpoint(point);
    return true;
}

void gdb_watch_remove_all(struct gdb_stub *stub)
{
    for (unsigned i = 0; i < GDB_WATCHPOINTS_MAX; i++)
        if (stub->watchpoints[i].stub)
            remove_watchpoint(&stub->watchpoints[i]);
}

void gdb_watch_name(const struct gdb_watchpoint *point, vaddr address, char *text, size_t size)
{
    static const char *const names[] = {"watch", "rwatch", "awatch"};
    /* gdb compares addresses in the size of a register, 32 bits sign-extended */
    snprintf(text, size, "%s:%llx;", names[point->kind - GDB_WATCH_WRITE],
             (unsigned long long)(int64_t)(int32_t)address);
}

void gdb_watch_reason(struct gdb_stub *stub, char *text, size_t size)
{
    *text = '\0';
    if (stub->accessed == NULL)
        return;
    gdb_watch_name(stub->accessed, stub->accessed_at, text, size);
    stub->accessed = NULL;
    stub->shows_saved = true;
    /* after a load or store the pc has advanced by 4, except in the delay slot of a taken branch */
    if (stub->machine->cores[stub->stopped_cpu]->s.pc != stub->before.pc + 4)
        stub->before.pc -= 4;
}

const struct cpu *gdb_watch_registers(const struct gdb_stub *stub, unsigned cpu)
{
    return stub->shows_saved && cpu == stub->stopped_cpu ? &stub->before : &stub->machine->cores[cpu]->s;
}

bool gdb_watch_show_current(struct gdb_stub *stub)
{
    const bool before = stub->shows_saved;
    stub->shows_saved = false;
    return before;
}
