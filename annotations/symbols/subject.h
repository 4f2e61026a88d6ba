/*
 * What annotations look at: a machine, as far as this room may know it. Whoever owns the machine fills it in.
 *
 * Everything here only looks: no call changes the guest or its timing.
 */
#ifndef SIMOS_ANNOTATIONS_SUBJECT_H
#define SIMOS_ANNOTATIONS_SUBJECT_H

#include "cpu/core.h"
#include "src/base/log.h"
#include "src/base/symbols.h"

struct disk;
struct ethernet_link;
struct memsys;

enum { SUBJECT_DISKS = 8 };

struct subject {
    unsigned cpus;
    struct core *const *cores;
    struct physmem *mem;
    struct memsys *memsys;
    const struct symbols *symbols; /* of the kernel; NULL: there are none */
    const char *layout_path;       /* the layouts of its structures (layouts.h); NULL: no file */
    uint64_t clock_hz;
    struct disk *disk[SUBJECT_DISKS]; /* by number; NULL: there is none */
    struct ethernet_link *link;       /* of the network card; NULL: there is none */
};

enum { REG_V0 = 2, REG_A0 = 4, REG_A1 = 5, REG_GP = 28, REG_SP = 29, REG_RA = 31 };

/* Copy SIZE bytes from virtual ADDRESS as CORE sees it now. False if they are not mapped to RAM at present. */
bool subject_read(struct core *core, vaddr address, void *buffer, uint32_t size);
/* The word at ADDRESS; 0 if there is none. */
uint32_t subject_word(struct core *core, vaddr address);
/* The text at ADDRESS, at most SIZE - 1 bytes of it, with an end; control characters and bytes above 0x7e become '?'.
 * Empty if it is not mapped. */
void subject_text(struct core *core, vaddr address, char *buffer, uint32_t size);

/* CORE's time now, also in the middle of its run. */
static inline cycles subject_time(struct core *core)
{
    core_sync(core);
    return core->s.cycle;
}

/* The address of kernel symbol NAME; false if there is none, with ERR naming it. */
bool subject_symbol(const struct subject *subject, const char *name, vaddr *address, struct err *err);

#endif
