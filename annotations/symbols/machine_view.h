/*
 * The machine as annotations see it: read-only access to cores, memory, symbols and devices. The owner of the machine
 * fills it in. No function here changes the guest or its timing.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_MACHINE_VIEW_H
#define SIMOS_ANNOTATIONS_SYMBOLS_MACHINE_VIEW_H

#include "cpu/registers.h"
#include "src/base/log.h"
#include "src/base/symbols.h"

struct disk;
struct ethernet_link;
struct memsys;

enum { MACHINE_VIEW_DISKS = 8 };

/* A machine view. */
struct machine_view {
    unsigned cpus;
    struct core *const *cores;
    struct physmem *mem;
    struct memsys *memsys;
    struct execution_profile *executions; /* NULL: executions are not profiled */
    const struct symbols *symbols;        /* of the kernel; NULL: none */
    const char *layout_path;              /* file with the layouts of the kernel's structures (layouts.h); NULL: none */
    uint64_t clock_hz;
    struct disk *disk[MACHINE_VIEW_DISKS]; /* by number; NULL: not present */
    struct ethernet_link *link;            /* of the network card; NULL: not present */
};

/* Copy SIZE bytes from virtual ADDRESS, translated as CORE would now. False if they are not all mapped to RAM. */
bool machine_view_read(struct core *core, vaddr address, void *buffer, uint32_t size);
/* The 32-bit word at ADDRESS; 0 if it is not mapped. */
uint32_t machine_view_word(struct core *core, vaddr address);
/* Copy the string at ADDRESS, at most SIZE - 1 bytes, and terminate it. Control characters and bytes above 0x7e
 * become '?'. Empty if it is not mapped. */
void machine_view_string(struct core *core, vaddr address, char *buffer, uint32_t size);

/* CORE's current time, also during its run. */
static inline cycles machine_view_time(struct core *core)
{
    core_sync(core);
    return core->s.cycle;
}

/* Add the addresses of all kernel symbols NAME to LIST. False with ERR if there is none. */
bool machine_view_symbols(const struct machine_view *machine, const char *name, struct address_list *list,
                          struct err *err);
/* Address of the kernel symbol NAME. False with ERR if there is none, or more than one. */
bool machine_view_symbol(const struct machine_view *machine, const char *name, vaddr *address, struct err *err);

#endif
