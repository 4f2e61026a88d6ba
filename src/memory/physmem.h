/*
 * Physical memory: RAM, ROM and device regions of one machine.
 *
 * The 4 GB physical address space is one reserved host mapping, so that host address = base + physical address for all
 * RAM, whatever its holes; only RAM is accessible. ROM is RAM that only the simulator writes: its pages have a flag
 * more, so that no fast path of a CPU model stores to them. A device is a tuple (base, size, ops, opaque); physmem is
 * independent of device types. Guest memory is little-endian, and the host must be too.
 *
 * Not modelled here: caches and time (cache/), translation (cpu/).
 */
#ifndef SIMOS_MEMORY_PHYSMEM_H
#define SIMOS_MEMORY_PHYSMEM_H

#include "src/base/log.h"
#include "src/base/types.h"

/* Register accesses of a device. OFFSET is below the region's size, SIZE is 1, 2 or 4, OFFSET is a multiple of SIZE.
 * CPU is the number of the requesting CPU. Registers are little-endian; a read returns the value in the low SIZE
 * bytes. */
struct device_ops {
    const char *name;
    uint32_t (*read)(void *opaque, uint32_t offset, unsigned size, unsigned cpu);
    void (*write)(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu);
};

/* Per-page flags for the CPU models. */
enum {
    PAGE_IS_RAM = 1,
    PAGE_HAS_CODE = 2, /* a model holds decoded or translated code of this page: stores must be reported */
    PAGE_LL_WATCH = 4, /* a CPU that is not running has a pending load-linked in this page */
    /* Accesses are reported to observers (cpu/privileged/data_watch.h): */
    PAGE_LOADS_WATCHED = 8,
    PAGE_STORES_WATCHED = 16,
    PAGE_IS_ROM = 32, /* only together with PAGE_IS_RAM: memory that CPUs and devices read but do not change */
};

enum { PHYSMEM_MAX_DEVICES = 64 };

struct physmem_history;

struct physmem_device {
    paddr base;
    uint32_t size;
    const struct device_ops *ops;
    void *opaque;
};

struct physmem {
    uint8_t *base;               /* host address of physical address 0: a multiple of 4 GB */
    uint8_t *page_flags;         /* one byte per 4 KB page, 2^20 of them */
    uint64_t ram_bytes, ram_end; /* size of RAM, and the address behind its last byte; without ROM */
    uint64_t rom_bytes;
    int device_count;
    struct physmem_device devices[PHYSMEM_MAX_DEVICES]; /* sorted by base */
    struct log *log;
    struct physmem_history *history; /* src/memory/physmem_history.h; NULL: no series of checkpoints */
    /* Called after a device (DMA) or the simulator has written [address, address+size): the machine notifies CPU models
     * (code, LL) and the memory system. May be NULL. */
    void (*after_write)(void *opaque, paddr address, uint32_t size);
    /* Called before a device reads [address, address+size) (a dirty cache line is written back). May be NULL. */
    void (*before_read)(void *opaque, paddr address, uint32_t size);
    void *hook_opaque;
    /* Called when a CPU loads from (or STORES to) an address with neither memory nor a device: the load is a bus error,
     * the store has no effect. NULL: both are bus errors. */
    void (*absent)(void *opaque, paddr address, bool stores);
    void *absent_opaque;
};

/* Reserve the address space. NULL with ERR if the host refuses. */
struct physmem *physmem_create(struct log *log, struct err *err);
void physmem_free(struct physmem *mem);

/* Make [base, base+size) zero-filled RAM; page-aligned, not overlapping RAM or devices. */
bool physmem_add_ram(struct physmem *mem, paddr base, uint64_t size, struct err *err);

/* Make [base, base+size) zero-filled ROM; page-aligned, not overlapping RAM. A device region may lie below it: reads
 * come from the ROM, stores go to the device. */
bool physmem_add_rom(struct physmem *mem, paddr base, uint64_t size, struct err *err);

/* Add a device region (4-byte-aligned base, size > 0, no overlap: else a bug, aborts). */
void physmem_add_device(struct physmem *mem, paddr base, uint32_t size, const struct device_ops *ops, void *opaque);

static inline uint8_t *physmem_host(const struct physmem *mem, paddr address)
{
    return mem->base + address;
}
static inline bool physmem_page_is_ram(const struct physmem *mem, paddr address)
{
    return mem->page_flags[address >> PAGE_SHIFT] & PAGE_IS_RAM;
}
static inline bool physmem_page_is_rom(const struct physmem *mem, paddr address)
{
    return mem->page_flags[address >> PAGE_SHIFT] & PAGE_IS_ROM;
}
/* Is all of [address, address+size) RAM or ROM? True for size 0. Safe for any 64-bit input. */
bool physmem_is_ram(const struct physmem *mem, uint64_t address, uint64_t size);
/* The same without ROM. */
bool physmem_is_writable(const struct physmem *mem, uint64_t address, uint64_t size);
/* A CPU's store to ROM, at ADDRESS, of SIZE 1, 2 or 4, aligned: goes to the device below it, otherwise is ignored with
 * a warning, as the write to a ROM of QEMU's Malta board (memory_region_init_rom in hw/mips/malta.c). */
void physmem_store_to_rom(struct physmem *mem, paddr address, unsigned size, unsigned cpu, uint32_t value);

/* Access of a CPU to a device. SIZE 1, 2 or 4, aligned (else a bug, aborts). False = bus error: no device at ADDRESS,
 * or the access extends beyond its end; `absent` has been asked. */
bool physmem_device_read(struct physmem *mem, paddr address, unsigned size, unsigned cpu, uint32_t *value);
bool physmem_device_write(struct physmem *mem, paddr address, unsigned size, unsigned cpu, uint32_t value);

/* Coherent DMA by a device: address and size come from the guest, so any value is safe. False (nothing done) unless
 * the whole range is RAM, or for a read RAM or ROM. */
bool physmem_dma_read(struct physmem *mem, uint64_t address, void *buffer, uint32_t size);
bool physmem_dma_write(struct physmem *mem, uint64_t address, const void *buffer, uint32_t size);

#endif
