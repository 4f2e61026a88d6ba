/*
 * The headers of a program or shared library as the guest has them in memory: which part of the file has which address,
 * and its build-id. Files on the host need not be looked at to know what an instruction is, only to name it.
 */
#ifndef SIMOS_ANNOTATIONS_GUEST_ELF_H
#define SIMOS_ANNOTATIONS_GUEST_ELF_H

#include "annotations/symbols/subject.h"

enum { GUEST_ELF_SEGMENTS = 8, GUEST_ELF_ID = 64 };

struct guest_elf {
    bool known; /* segments are */
    unsigned count;
    struct {
        uint32_t offset, size; /* in the file */
        vaddr address;         /* the file's own */
    } segment[GUEST_ELF_SEGMENTS];
    uint32_t id_size; /* 0: it has none, or it is not in memory */
    uint8_t id[GUEST_ELF_ID];
};

/* Read the headers of the file that CORE's process has mapped from its first byte on at ADDRESS. False: they are not in
 * memory, or it is no MIPS ELF file. */
bool guest_elf_read(struct core *core, vaddr address, struct guest_elf *elf);

/* The file's own address of the byte OFFSET of it. False: that is not loaded, or it is not known. */
bool guest_elf_address(const struct guest_elf *elf, uint32_t offset, vaddr *address);

#endif
