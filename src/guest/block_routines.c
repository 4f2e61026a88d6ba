#include "src/guest/block_routines.h"

#include "cache/placement/layout_map.h"
#include "cache/memsys.h"
#include "cpu/registers.h"
#include <stdlib.h>
#include <string.h>

/* How many of the SIZE bytes from ADDRESS are certainly physically contiguous: those of the page, except that kseg0 is
 * not mapped. */
static uint32_t contiguous(vaddr address, uint32_t size)
{
    const uint32_t most = vaddr_in_kseg0(address) ? KSEG1_BASE - address : PAGE_SIZE - address % PAGE_SIZE;
    return size < most ? size : most;
}

/* Appends SIZE bytes to BLOCK: to its last piece, if they follow it. False: it has no room for another piece. */
static bool append(struct memsys_block *block, paddr to, paddr from, uint32_t size)
{
    if (block->pieces > 0) {
        const uint32_t last = block->pieces - 1, before = block->size[last];
        if (block->to[last] + before == to && (!block->copies || block->from[last] + before == from)) {
            block->size[last] += size;
            return true;
        }
    }
    if (block->pieces == MEMSYS_BLOCK_PIECES)
        return false;
    block->to[block->pieces] = to;
    block->from[block->pieces] = from;
    block->size[block->pieces++] = size;
    return true;
}

/* Divides the block into pieces, as the caches see them in LAYOUT, up to the first page that the kernel cannot access
 * at once, or may not in the cache. */
static void find_pieces(const struct core *core, const struct layout_map *layout, struct memsys_block *block, vaddr to,
                        vaddr from, uint32_t size)
{
    while (size > 0) {
        paddr to_pa, from_pa = 0;
        if (!tlb_probe_data(core, to, true, &to_pa) || (block->copies && !tlb_probe_data(core, from, false, &from_pa)))
            break;
        uint32_t part = layout_data_together(layout, to_pa, contiguous(to, size));
        if (block->copies)
            part = layout_data_together(layout, from_pa, contiguous(from, part));
        if (!append(block, layout_data(layout, to_pa), block->copies ? layout_data(layout, from_pa) : 0, part))
            break;
        to += part;
        from += part;
        size -= part;
    }
    block->left = size;
}

/* Whether a source overlaps a destination. */
static bool overlaps(const struct memsys_block *block)
{
    for (uint32_t i = 0; i < block->pieces; i++)
        for (uint32_t j = 0; j < block->pieces; j++)
            if (block->to[i] - block->from[j] < block->size[j] || block->from[j] - block->to[i] < block->size[i])
                return true;
    return false;
}

static void begin(struct memsys *memsys, struct core *core, uint32_t size, bool copies)
{
    struct memsys_block block = {.copies = copies};
    find_pieces(core, memsys_layout(memsys), &block, core_argument(core, 0), core_argument(core, 1), size);
    core_sync(core);
    if (!copies || !overlaps(&block))
        memsys_block_begin(memsys, core->number, &block, core->bucket, core->s.cycle);
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

/* The kernel's memcpy() and memset() fall into the entries for user addresses, which no call of theirs has. */

static bool user_copied(void *opaque, struct core *core)
{
    if (vaddr_in_kuseg(core_argument(core, 0)) || vaddr_in_kuseg(core_argument(core, 1)))
        begin(opaque, core, core_argument(core, 2), true);
    return false;
}

static bool user_cleared(void *opaque, struct core *core)
{
    if (vaddr_in_kuseg(core_argument(core, 0)))
        begin(opaque, core, core_argument(core, 2), false);
    return false;
}

static const struct routine {
    const char *name, *symbol;
    pc_hook_fn *called;
} routines[] = {
    {"copy_page", "copy_page", page_copied},
    {"clear_page", "clear_page", page_cleared},
    {"memcpy", "memcpy", bytes_copied},
    {"memset", "memset", bytes_filled},
    /* copies in both directions are one routine (arch/mips/lib/memcpy.S) */
    {"copy_user", "__raw_copy_to_user", user_copied},
    /* which the kernel uses to clear user memory (arch/mips/lib/memset.S) */
    {"clear_user", "__bzero", user_cleared},
};

static bool watch(const struct machine_view *view, const char *name, struct err *err)
{
    const struct routine *routine = routines, *end = routines + sizeof routines / sizeof routines[0];
    while (routine < end && strcmp(routine->name, name) != 0)
        routine++;
    if (routine == end)
        return err_set(
            err, "block.routines: %.64s is not one of copy_page, clear_page, memcpy, memset, copy_user, clear_user",
            name);
    const struct symbol *symbol = view->symbols ? symbols_find(view->symbols, routine->symbol) : NULL;
    if (!symbol)
        return err_set(err, "block.routines: no symbol %s", routine->symbol);
    for (unsigned i = 0; i < view->cpus; i++)
        core_hook_add(view->cores[i], symbol->address, routine->called, view->memsys);
    return true;
}

bool block_routines_watch(const struct machine_view *view, const char *names, struct err *err)
{
    if (!memsys_moves_blocks(view->memsys))
        return true;
    char *text = checked_memory(strdup(names)), *rest;
    bool good = true;
    for (char *name = strtok_r(text, " ,", &rest); name && good; name = strtok_r(NULL, " ,", &rest))
        good = watch(view, name, err);
    free(text);
    return good;
}
