/* Slow path of data accesses, and the side effects of stores to watched pages and pages with code. */
#include "cpu/core.h"
#include "cpu/model.h"
#include "cpu/privileged/vmap.h"
#include <string.h>

#define PAGE_OF(address) ((address) & ~(uint32_t)(PAGE_SIZE - 1))

int core_translate_data(struct core *core, vaddr address, unsigned size, enum access access, paddr *pa, bool *cached)
{
    if (SIM_UNLIKELY(address & (size - 1)))
        return core_raise_address(core, access == ACCESS_STORE ? EXC_ADES : EXC_ADEL, address, false);
    if (tlb_translate(core, address, access, pa, cached))
        return 1;
    if (!physmem_page_is_ram(core->mem, *pa))
        return SIM_UNLIKELY(size > 4) ? core_raise(core, EXC_DBE) : 0; /* devices accept at most a word */
    if (*cached) {
        if (access == ACCESS_STORE)
            vmap_enter_store(core, address, *pa);
        if (access != ACCESS_FETCH)
            vmap_enter_load(core, address, *pa); /* a page entered for stores must also be readable */
    }
    return 0;
}

/* A device access takes place at the core's local time. If it changes the time of the next event, the run must end
 * earlier than planned: attention makes the model check. */
static cycles device_begin(struct core *core)
{
    core_sync(core);
    core->queue->now = core->s.cycle;
    return event_queue_next(core->queue);
}

static void device_end(struct core *core, cycles next)
{
    if (event_queue_next(core->queue) != next)
        core->attention = true;
}

int core_load_physical(struct core *core, paddr pa, unsigned size, uint32_t *value)
{
    if (SIM_LIKELY(physmem_page_is_ram(core->mem, pa))) {
        const uint8_t *host = physmem_host(core->mem, pa);
        uint16_t half;
        switch (size) {
        case 1: *value = *host; break;
        case 2:
            memcpy(&half, host, sizeof half);
            *value = half;
            break;
        default: memcpy(value, host, sizeof *value);
        }
        return 0;
    }
    cycles next = device_begin(core);
    bool done = physmem_device_read(core->mem, pa, size, core->number, value);
    device_end(core, next);
    return done ? 0 : core_raise(core, EXC_DBE);
}

int core_store_physical(struct core *core, paddr pa, unsigned size, uint32_t value)
{
    uint8_t flags = core->mem->page_flags[pa >> PAGE_SHIFT];
    if (SIM_LIKELY((flags & (PAGE_IS_RAM | PAGE_IS_ROM)) == PAGE_IS_RAM)) {
        uint8_t *host = physmem_host(core->mem, pa);
        switch (size) {
        case 1: *host = (uint8_t)value; break;
        case 2: memcpy(host, &(uint16_t){(uint16_t)value}, 2); break;
        default: memcpy(host, &value, sizeof value);
        }
        if (SIM_UNLIKELY(flags & (PAGE_HAS_CODE | PAGE_LL_WATCH)))
            core_memory_changed(core->peers, core->cpus, core, pa, size);
        return 0;
    }
    cycles next = device_begin(core);
    bool done = true;
    if (flags & PAGE_IS_ROM)
        physmem_store_to_rom(core->mem, pa, size, core->number, value);
    else
        done = physmem_device_write(core->mem, pa, size, core->number, value);
    device_end(core, next);
    return done ? 0 : core_raise(core, EXC_DBE);
}

int core_load(struct core *core, vaddr address, unsigned size, uint32_t *value)
{
    paddr pa;
    bool cached;
    return core_translate_data(core, address, size, ACCESS_LOAD, &pa, &cached) ||
           core_load_physical(core, pa, size, value);
}

int core_store(struct core *core, vaddr address, unsigned size, uint32_t value)
{
    paddr pa;
    bool cached;
    return core_translate_data(core, address, size, ACCESS_STORE, &pa, &cached) ||
           core_store_physical(core, pa, size, value);
}

int core_fetch(struct core *core, vaddr address, uint32_t *word)
{
    paddr pa;
    bool cached;
    if (SIM_UNLIKELY(address & 3))
        return core_raise_address(core, EXC_ADEL, address, false);
    if (tlb_translate(core, address, ACCESS_FETCH, &pa, &cached))
        return 1;
    if (!physmem_page_is_ram(core->mem, pa))
        return core_raise(core, EXC_IBE);
    memcpy(word, physmem_host(core->mem, pa), sizeof *word);
    return 0;
}

/* Is the core's load-link to one of the words that bytes [first, last] belong to? */
static bool is_linked_to(const struct cpu *s, uint32_t first, uint32_t last)
{
    uint32_t word = s->ll_address & ~3u;
    return s->ll_bit && word <= last && word + 3 >= first;
}

/* Bytes [first, last] of watched page PAGE changed: break the links to their words. The watch ends when no link to the
 * page is left. */
static void break_links(struct core **cores, unsigned cpus, const struct core *writer, uint32_t page, uint32_t first,
                        uint32_t last)
{
    bool linked = false;
    for (unsigned i = 0; i < cpus; i++) {
        struct cpu *s = &cores[i]->s;
        if (!s->ll_bit || PAGE_OF(s->ll_address) != page)
            continue;
        if (cores[i] != writer && is_linked_to(s, first, last))
            s->ll_bit = false;
        else
            linked = true;
    }
    if (!linked)
        cores[0]->mem->page_flags[page >> PAGE_SHIFT] &= (uint8_t)~PAGE_LL_WATCH;
}

static void forget_code(struct core **cores, unsigned cpus, paddr page)
{
    for (unsigned i = 0; i < cpus; i++) {
        if (cores[i]->model)
            cores[i]->model_ops->invalidate_page(cores[i]->model, page);
        cores[i]->attention = true;
    }
}

void core_page_moved(struct core **cores, unsigned cpus, paddr page)
{
    uint8_t *flags = &cores[0]->mem->page_flags[page >> PAGE_SHIFT];
    if (*flags & PAGE_HAS_CODE) {
        *flags &= (uint8_t)~PAGE_HAS_CODE;
        forget_code(cores, cpus, page);
    }
    for (unsigned i = 0; i < cpus; i++)
        vmap_forget_data(cores[i], page);
}

void core_memory_changed(struct core **cores, unsigned cpus, struct core *writer, paddr address, uint32_t size)
{
    if (size == 0 || cpus == 0)
        return;
    uint32_t last = address + (size - 1);
    if (last < address)
        last = 0xffffffff;
    /* Pages are watched only against stores of other cores; the link of a running core, or of a single core, is not. So
     * a change by anything but a core checks all links. */
    for (unsigned i = 0; writer == NULL && i < cpus; i++)
        if (is_linked_to(&cores[i]->s, address, last))
            cores[i]->s.ll_bit = false;
    uint8_t *flags = cores[0]->mem->page_flags;
    for (uint32_t number = address >> PAGE_SHIFT; number <= last >> PAGE_SHIFT; number++) {
        uint32_t page = number << PAGE_SHIFT;
        if (flags[number] & PAGE_HAS_CODE) {
            flags[number] &= (uint8_t)~PAGE_HAS_CODE;
            forget_code(cores, cpus, page);
        }
        if (flags[number] & PAGE_LL_WATCH)
            break_links(cores, cpus, writer, page, address, last);
    }
}

/* While a page has FLAG, no core has a store entry for it in its flat tables (vmap_enter_store). */
static void add_flag(struct core *core, paddr page, uint8_t flag)
{
    uint8_t *flags = &core->mem->page_flags[page >> PAGE_SHIFT];
    if (*flags & flag)
        return;
    *flags |= flag;
    for (unsigned i = 0; i < core->cpus; i++)
        vmap_protect_page(core->peers[i], page);
}

void core_protect_code(struct core *core, paddr page)
{
    add_flag(core, page, PAGE_HAS_CODE);
}

void core_watch_link(struct core *core)
{
    if (core->s.ll_bit && physmem_page_is_ram(core->mem, core->s.ll_address))
        add_flag(core, core->s.ll_address, PAGE_LL_WATCH);
}

bool core_debug_translate(struct core *core, vaddr address, paddr *physical)
{
    return tlb_probe_address(core, address, physical) ||
           (core->find_mapped && core->find_mapped(core, address, physical));
}

/* Copy between BUFFER and the pages of [address, address+size), with the side effects of a store. */
static uint32_t debug_copy(struct core *core, vaddr address, uint8_t *buffer, uint32_t size, bool store)
{
    uint32_t done = 0;
    while (done < size) {
        vaddr at = address + done;
        uint32_t room = PAGE_SIZE - (at & (PAGE_SIZE - 1)), part = size - done < room ? size - done : room;
        paddr pa;
        if (!core_debug_translate(core, at, &pa) || !physmem_page_is_ram(core->mem, pa))
            break;
        if (store) {
            memcpy(physmem_host(core->mem, pa), buffer + done, part);
            core_memory_changed(core->peers, core->cpus, NULL, pa, part);
        } else {
            memcpy(buffer + done, physmem_host(core->mem, pa), part);
        }
        done += part;
        if (at + part < at)
            break; /* end of the address space */
    }
    return done;
}

uint32_t core_debug_read(struct core *core, vaddr address, void *buffer, uint32_t size)
{
    return debug_copy(core, address, buffer, size, false);
}

uint32_t core_debug_write(struct core *core, vaddr address, const void *buffer, uint32_t size)
{
    return debug_copy(core, address, (uint8_t *)(uintptr_t)buffer, size, true);
}
