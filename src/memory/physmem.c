#include "src/memory/physmem.h"

#include "src/memory/physmem_history.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "guest memory is little-endian, and so must the host be");
static_assert(sizeof(void *) == 8, "the guest's 4 GB are one host mapping");

#define ADDRESS_SPACE (1ull << 32)
/* A guard page behind the mapping: a host access that crosses 4 GB faults instead of reaching other memory. */
#define GUARD         ((uint64_t)PAGE_SIZE)
#define PAGES         (ADDRESS_SPACE >> PAGE_SHIFT)

/* Reserve host addresses for all of physical memory, aligned to its size: the low 32 bits of a host address are the
 * physical address. NULL if the host refuses. */
static uint8_t *reserve(void)
{
    size_t size = 2 * ADDRESS_SPACE + GUARD;
    uint8_t *all = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    uint8_t *base = all + (-(uintptr_t)all & (ADDRESS_SPACE - 1)), *end = base + ADDRESS_SPACE + GUARD;
    if (base > all)
        munmap(all, (size_t)(base - all));
    if (all + size > end)
        munmap(end, (size_t)(all + size - end));
    return base;
}

struct physmem *physmem_create(struct log *log, struct err *err)
{
    struct physmem *mem = calloc(1, sizeof *mem);
    uint8_t *flags = calloc(PAGES, 1);
    if (!mem || !flags) {
        free(mem);
        free(flags);
        err_set(err, "physical memory: out of host memory");
        return NULL;
    }
    uint8_t *base = reserve();
    if (base == NULL) {
        err_set(err, "physical memory: the host refuses 8 GB of address space: %s", strerror(errno));
        free(mem);
        free(flags);
        return NULL;
    }
    mem->base = base;
    mem->page_flags = flags;
    mem->log = log;
    return mem;
}

void physmem_free(struct physmem *mem)
{
    if (!mem)
        return;
    munmap(mem->base, ADDRESS_SPACE + GUARD);
    physmem_history_free(mem->history);
    free(mem->page_flags);
    free(mem);
}

/* Index of the first device that ends above ADDRESS (devices are sorted and disjoint), or device_count. */
static int device_index(const struct physmem *mem, uint64_t address)
{
    int low = 0, high = mem->device_count;
    while (low < high) {
        int middle = (low + high) / 2;
        const struct physmem_device *device = &mem->devices[middle];
        if ((uint64_t)device->base + device->size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool overlaps_device(const struct physmem *mem, uint64_t base, uint64_t size)
{
    int index = device_index(mem, base);
    return index < mem->device_count && mem->devices[index].base < base + size;
}

static bool overlaps_ram(const struct physmem *mem, uint64_t base, uint64_t size)
{
    for (uint64_t page = base >> PAGE_SHIFT; page <= (base + size - 1) >> PAGE_SHIFT; page++)
        if (mem->page_flags[page] & PAGE_IS_RAM)
            return true;
    return false;
}

/* Make [base, base+size) memory, of the kind called WHAT, with FLAGS. */
static bool add_memory(struct physmem *mem, const char *what, paddr base, uint64_t size, uint8_t flags, struct err *err)
{
    unsigned long long bytes = size;
    if (base % PAGE_SIZE || size % PAGE_SIZE || size == 0)
        return err_set(err, "%s of %llu bytes at 0x%08x: not a positive number of whole 4 KB pages", what, bytes, base);
    if (size > ADDRESS_SPACE - base)
        return err_set(err, "%s of %llu bytes at 0x%08x: reaches beyond the 4 GB of physical addresses", what, bytes,
                       base);
    if (overlaps_ram(mem, base, size) || (!(flags & PAGE_IS_ROM) && overlaps_device(mem, base, size)))
        return err_set(err, "%s of %llu bytes at 0x%08x: overlaps RAM or a device", what, bytes, base);
    if (mprotect(mem->base + base, size, PROT_READ | PROT_WRITE) != 0)
        return err_set(err, "%s of %llu bytes at 0x%08x: the host refuses it: %s", what, bytes, base, strerror(errno));
    memset(mem->page_flags + (base >> PAGE_SHIFT), flags, size >> PAGE_SHIFT);
    return true;
}

bool physmem_add_ram(struct physmem *mem, paddr base, uint64_t size, struct err *err)
{
    if (!add_memory(mem, "RAM", base, size, PAGE_IS_RAM, err))
        return false;
    /* guest accesses are spread over all RAM; huge pages affect only the host's speed */
    (void)madvise(mem->base + base, size, MADV_HUGEPAGE);
    mem->ram_bytes += size;
    if (base + size > mem->ram_end)
        mem->ram_end = base + size;
    return true;
}

bool physmem_add_rom(struct physmem *mem, paddr base, uint64_t size, struct err *err)
{
    if (!add_memory(mem, "ROM", base, size, PAGE_IS_RAM | PAGE_IS_ROM, err))
        return false;
    mem->rom_bytes += size;
    return true;
}

void physmem_add_device(struct physmem *mem, paddr base, uint32_t size, const struct device_ops *ops, void *opaque)
{
    if (!ops || !ops->read || !ops->write)
        log_bug("device at 0x%08x without read or write", base);
    if (size == 0 || base % 4 || size > ADDRESS_SPACE - base)
        log_bug("device %s: %u bytes at 0x%08x", ops->name, size, base);
    if (overlaps_ram(mem, base, size) || overlaps_device(mem, base, size))
        log_bug("device %s: 0x%08x is taken", ops->name, base);
    if (mem->device_count == PHYSMEM_MAX_DEVICES)
        log_bug("device %s: more than %d devices", ops->name, PHYSMEM_MAX_DEVICES);
    int index = device_index(mem, base);
    memmove(&mem->devices[index + 1], &mem->devices[index],
            (size_t)(mem->device_count - index) * sizeof mem->devices[0]);
    mem->devices[index] = (struct physmem_device){.base = base, .size = size, .ops = ops, .opaque = opaque};
    mem->device_count++;
}

/* Do the pages of [address, address+size) have, of the flags in MASK, exactly WANTED? True for size 0. */
static bool has_flags(const struct physmem *mem, uint64_t address, uint64_t size, uint8_t mask, uint8_t wanted)
{
    if (size == 0)
        return true;
    if (address >= ADDRESS_SPACE || size > ADDRESS_SPACE - address)
        return false;
    for (uint64_t page = address >> PAGE_SHIFT; page <= (address + size - 1) >> PAGE_SHIFT; page++)
        if ((mem->page_flags[page] & mask) != wanted)
            return false;
    return true;
}

bool physmem_is_ram(const struct physmem *mem, uint64_t address, uint64_t size)
{
    return has_flags(mem, address, size, PAGE_IS_RAM, PAGE_IS_RAM);
}

bool physmem_is_writable(const struct physmem *mem, uint64_t address, uint64_t size)
{
    return has_flags(mem, address, size, PAGE_IS_RAM | PAGE_IS_ROM, PAGE_IS_RAM);
}

/* The device that contains all of [address, address+size), or NULL. */
static const struct physmem_device *device_at(const struct physmem *mem, paddr address, unsigned size)
{
    if ((size != 1 && size != 2 && size != 4) || address % size)
        log_bug("device access of %u bytes at 0x%08x", size, address);
    int index = device_index(mem, address);
    if (index == mem->device_count)
        return NULL;
    const struct physmem_device *device = &mem->devices[index];
    if (address < device->base || (uint64_t)address + size > (uint64_t)device->base + device->size)
        return NULL;
    return device;
}

static uint32_t low_bytes(uint32_t value, unsigned size)
{
    return size == 4 ? value : value & ((1u << (8 * size)) - 1);
}

bool physmem_device_read(struct physmem *mem, paddr address, unsigned size, unsigned cpu, uint32_t *value)
{
    const struct physmem_device *device = device_at(mem, address, size);
    if (!device) {
        if (mem->absent)
            mem->absent(mem->absent_opaque, address, false);
        return false;
    }
    *value = low_bytes(device->ops->read(device->opaque, address - device->base, size, cpu), size);
    return true;
}

bool physmem_device_write(struct physmem *mem, paddr address, unsigned size, unsigned cpu, uint32_t value)
{
    const struct physmem_device *device = device_at(mem, address, size);
    if (!device) {
        if (mem->absent)
            mem->absent(mem->absent_opaque, address, true);
        return mem->absent != NULL;
    }
    device->ops->write(device->opaque, address - device->base, size, low_bytes(value, size), cpu);
    return true;
}

void physmem_store_to_rom(struct physmem *mem, paddr address, unsigned size, unsigned cpu, uint32_t value)
{
    if (device_at(mem, address, size))
        physmem_device_write(mem, address, size, cpu, value);
    else
        log_guest(mem->log, "rom.store", "CPU %u: store of %u bytes at physical address 0x%08x ignored: ROM", cpu, size,
                  address);
}

bool physmem_dma_read(struct physmem *mem, uint64_t address, void *buffer, uint32_t size)
{
    if (!physmem_is_ram(mem, address, size))
        return false;
    if (size == 0)
        return true;
    if (mem->before_read)
        mem->before_read(mem->hook_opaque, (paddr)address, size);
    memcpy(buffer, mem->base + address, size);
    return true;
}

bool physmem_dma_write(struct physmem *mem, uint64_t address, const void *buffer, uint32_t size)
{
    if (!physmem_is_writable(mem, address, size))
        return false;
    if (size == 0)
        return true;
    memcpy(mem->base + address, buffer, size);
    if (mem->after_write)
        mem->after_write(mem->hook_opaque, (paddr)address, size);
    return true;
}
