#include "src/machine/block_routines.h"

#include "cache/layout_map.h"
#include "cache/memsys.h"
#include "cpu/registers.h"
#include "src/machine/machine.h"
#include "src/base/symbols.h"
#include <stdlib.h>
#include <string.h>

/* Only kseg0 ranges are physically contiguous and have addresses that need no TLB lookup. */
static bool is_kseg0(vaddr address, uint32_t size)
{
    return vaddr_in_kseg0(address) && size <= KSEG1_BASE - address;
}

/* Do the caches see the SIZE bytes at ADDRESS in one piece? */
static bool is_together(const struct layout_map *layout, vaddr address, uint32_t size)
{
    return size != 0 && layout_data_together(layout, vaddr_physical(address), size) == size;
}

static void begin(struct machine *machine, struct core *core, uint32_t size, bool copies)
{
    vaddr to = core_argument(core, 0), from = core_argument(core, 1);
    if (!is_kseg0(to, size) || (copies && !is_kseg0(from, size)))
        return;
    const struct layout_map *layout = memsys_layout(machine->memsys);
    if (!is_together(layout, to, size) || (copies && !is_together(layout, from, size)))
        return;
    const struct memsys_block block = {.to = layout_data(layout, vaddr_physical(to)),
                                       .from = copies ? layout_data(layout, vaddr_physical(from)) : 0,
                                       .size = size,
                                       .copies = copies};
    bool overlap = copies && (block.to - block.from < size || block.from - block.to < size);
    core_sync(core);
    if (!overlap)
        memsys_block_begin(machine->memsys, core->number, &block, core->s.cycle);
}

static bool page_copied(void *opaque, struct core *core)
{
    begin(opaque, core, PAGE_SIZE, true);
    return false;
}

static bool page_cleared(void *opaque, struct core *core)
{
    begin(opaque, core, PAGE_SIZE, false);
    return false;
}

static bool bytes_copied(void *opaque, struct core *core)
{
    begin(opaque, core, core_argument(core, 2), true);
    return false;
}

static bool bytes_filled(void *opaque, struct core *core)
{
    begin(opaque, core, core_argument(core, 2), false);
    return false;
}

static const struct routine {
    const char *name;
    pc_hook_fn *called;
} routines[] = {
    {"copy_page", page_copied},
    {"clear_page", page_cleared},
    {"memcpy", bytes_copied},
    {"memset", bytes_filled},
};

static bool watch(struct machine *machine, const char *name, struct err *err)
{
    const struct routine *routine = routines, *end = routines + sizeof routines / sizeof routines[0];
    while (routine < end && strcmp(routine->name, name) != 0)
        routine++;
    if (routine == end)
        return err_set(err, "block.routines: %.64s is not one of copy_page, clear_page, memcpy, memset", name);
    const struct symbol *symbol = machine->symbols ? symbols_find(machine->symbols, name) : NULL;
    if (!symbol)
        return err_set(err, "block.routines: no symbol %s", name);
    for (unsigned i = 0; i < machine->cpus; i++)
        core_hook_add(machine->cores[i], symbol->address, routine->called, machine);
    return true;
}

bool block_routines_watch(struct machine *machine, struct err *err)
{
    if (!memsys_moves_blocks(machine->memsys))
        return true;
    char *text = strdup(params_string(machine->params, "block.routines")), *rest;
    bool good = true;
    for (char *name = strtok_r(text, " ,", &rest); name && good; name = strtok_r(NULL, " ,", &rest))
        good = watch(machine, name, err);
    free(text);
    return good;
}
