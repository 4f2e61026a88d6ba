/* Breakpoints, and the packets Z and z. A breakpoint is a hook on every core; those of Z0 and Z1 are independent of one
 * another, and neither changes the guest's memory. */
#include "src/gdb/gdb_state.h"
#include <stdlib.h>

enum { INSN_BYTES = 4 /* the kind of a MIPS32 breakpoint */ };

static bool breakpoint_hit(void *opaque, struct core *core)
{
    struct gdb_stub *stub = opaque;
    stub->stopped_cpu = core->number;
    return machine_stop_at_hook(stub->machine, core);
}

static unsigned find_breakpoint(const struct gdb_stub *stub, vaddr address)
{
    unsigned i = 0;
    while (i < stub->breakpoint_count && stub->breakpoints[i].address != address)
        i++;
    return i;
}

bool gdb_points_has(const struct gdb_stub *stub, vaddr address)
{
    return find_breakpoint(stub, address) < stub->breakpoint_count;
}

static bool insert_breakpoint(struct gdb_stub *stub, vaddr address, uint8_t kind)
{
    const unsigned slot = find_breakpoint(stub, address);
    if (slot == GDB_BREAKPOINTS_MAX || (address & (INSN_BYTES - 1)))
        return false;
    if (slot < stub->breakpoint_count) {
        stub->breakpoints[slot].kinds |= kind;
        return true;
    }
    if (slot == stub->breakpoint_room) {
        stub->breakpoint_room = slot ? 2 * slot : 64;
        stub->breakpoints =
            checked_memory(realloc(stub->breakpoints, stub->breakpoint_room * sizeof *stub->breakpoints));
    }
    stub->breakpoints[stub->breakpoint_count++] = (struct gdb_breakpoint){address, kind};
    for (unsigned i = 0; i < stub->machine->cpus; i++)
        core_hook_add(stub->machine->cores[i], address, breakpoint_hit, stub);
    return true;
}

void gdb_points_add(struct gdb_stub *stub, vaddr address)
{
    insert_breakpoint(stub, address, 1);
}

static void remove_breakpoint(struct gdb_stub *stub, vaddr address, uint8_t kind)
{
    const unsigned slot = find_breakpoint(stub, address);
    if (slot == stub->breakpoint_count || (stub->breakpoints[slot].kinds &= (uint8_t)~kind) != 0)
        return;
    stub->breakpoints[slot] = stub->breakpoints[--stub->breakpoint_count];
    for (unsigned i = 0; i < stub->machine->cpus; i++)
        core_hook_remove(stub->machine->cores[i], address, breakpoint_hit, stub);
}

void gdb_points_remove_all(struct gdb_stub *stub)
{
    while (stub->breakpoint_count > 0)
        remove_breakpoint(stub, stub->breakpoints[0].address, 0xff);
    free(stub->breakpoints);
    stub->breakpoints = NULL;
    stub->breakpoint_room = 0;
    gdb_watch_remove_all(stub);
}

/* "TYPE,ADDRESS,KIND": types 0 and 1 are breakpoints, 2 to 4 watchpoints, whose kind is a length. Conditions and
 * commands (";...") are not announced, and refused. */
static void change_point(struct gdb_stub *stub, const char *rest, const char *end, bool insert)
{
    const char type = *rest;
    vaddr address;
    uint32_t size;
    bool done = true;
    if (type < '0' || type > '4') {
        gdb_send(stub, "");
        return;
    }
    rest++;
    if (*rest++ != ',' || !gdb_parse_range(&rest, &address, &size) || rest != end)
        done = false;
    else if (type >= GDB_WATCH_WRITE)
        done = size > 0 && size - 1 <= UINT32_MAX - address &&
               gdb_watch_change(stub, type, address, address + (size - 1), insert);
    else if (size != INSN_BYTES)
        done = false;
    else if (insert)
        done = insert_breakpoint(stub, address, (uint8_t)(1 << (type - '0')));
    else
        remove_breakpoint(stub, address, (uint8_t)(1 << (type - '0')));
    gdb_send(stub, done ? "OK" : GDB_ERROR_PACKET);
}

void gdb_insert_point(struct gdb_stub *stub, const char *rest, const char *end)
{
    change_point(stub, rest, end, true);
}

void gdb_remove_point(struct gdb_stub *stub, const char *rest, const char *end)
{
    change_point(stub, rest, end, false);
}
