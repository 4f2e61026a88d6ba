/*
 * The boot PROM of DECstations, as far as Linux (arch/mips/dec/prom) and other kernels call it. Its code is guest code
 * in ROM (prom_code.c), which passes each call on to the simulator through registers that no real machine has; prom.c
 * answers it. At reset the code starts the kernel; a jump to the reset vector later is the end of the run, which is
 * what the kernel's halt, reboot and power off are.
 *
 * Two interfaces to it: the jump table of DECstation 3100 (call n at 0xbfc00000 + 8n), and REX, whose callback table
 * the kernel gets in a3, with REX's magic number in a2. The ROM has both; struct prom_start says which the kernel is
 * told of.
 *
 * The arguments of calls come from the guest, whatever it has put there: strings and tables are read and written in
 * bounded pieces by the callbacks, which refuse what is not memory.
 *
 * Not modelled: the console commands, loading from disks or the network (open, bootinit and so on fail), setenv, the
 * self tests. Calls take the time of the ROM's few instructions.
 */
#ifndef SIMOS_DEVICES_DEC_PROM_H
#define SIMOS_DEVICES_DEC_PROM_H

#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"
#include "src/base/types.h"

enum {
    PROM_BASE = 0x1fc00000, /* physical address; the reset vector */
    PROM_BYTES = 0x10000,
    PROM_REGISTERS_SIZE = 0x1000,
    PROM_STACK = 0x30000, /* physical address of the kernel's first stack, which grows down; RAM below is the PROM's */
};

/* Callbacks. All run inside a register access; none may be NULL. */
struct prom_ops {
    /* Copy up to SIZE bytes of guest memory at virtual ADDRESS, as processor CPU sees it, and return how many there
     * are. */
    uint32_t (*read)(void *opaque, unsigned cpu, vaddr address, void *buffer, uint32_t size);
    uint32_t (*write)(void *opaque, unsigned cpu, vaddr address, const void *buffer, uint32_t size);
    void (*put)(void *opaque, uint8_t byte); /* to the console */
    int (*get)(void *opaque);                /* from the console; -1: nothing there */
    void (*ended)(void *opaque, bool halts); /* the guest has returned to the PROM: it halts, or starts again */
    void (*failed)(void *opaque, vaddr epc, uint32_t cause, vaddr address); /* an exception with Status.BEV set */
};

/* What the kernel is started with. */
struct prom_start {
    vaddr entry;
    bool rex;
    const char *words; /* the kernel's command line, split at blanks */
};

struct prom;

/* Registers for physmem_add_device(), PROM_REGISTERS_SIZE bytes; opaque is the struct prom. */
extern const struct device_ops prom_device_ops;

/* Put the ROM, PROM_BYTES at PROM_BASE, into MEM; its code uses registers at physical address REGISTERS. SYSTEM_ID:
 * system type in bits 23:16. MEMORY: bytes of RAM, from 0. OPS, OPAQUE, MEM and LOG must outlive it. NULL with ERR if
 * the host refuses the memory. */
struct prom *prom_create(struct physmem *mem, paddr registers, uint32_t system_id, uint64_t memory,
                         const struct prom_ops *ops, void *opaque, struct log *log, struct err *err);
void prom_free(struct prom *prom);

/* Let the reset vector start a kernel. False with ERR if its command line is too long. */
bool prom_set_start(struct prom *prom, const struct prom_start *start, struct err *err);

/* Register PREFIX.calls. */
void prom_register_stats(const struct prom *prom, struct stats *stats, const char *prefix);

/* Register the saved section "prom". */
void prom_register_saved(struct prom *prom, struct saved *saved);

#endif
