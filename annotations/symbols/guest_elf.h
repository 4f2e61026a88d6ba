/*
 * ELF headers of a program or shared library in guest memory: its segments and its build-id. So an instruction can be
 * located in its file without the file on the host, which is needed only for symbols.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_GUEST_ELF_H
#define SIMOS_ANNOTATIONS_SYMBOLS_GUEST_ELF_H

#include "annotations/symbols/machine_view.h"

enum { GUEST_ELF_SEGMENTS = 8, GUEST_ELF_ID = 64 };

struct guest_elf {
    bool known; /* segments are valid */
    unsigned count;
    struct {
        uint32_t offset, size; /* in the file */
        vaddr address;         /* in the file's own address space */
    } segment[GUEST_ELF_SEGMENTS];
    uint32_t id_size; /* 0: none, or not in memory */
    uint8_t id[GUEST_ELF_ID];
};

/* Read the headers of the file whose first byte CORE's process has mapped at ADDRESS. False if they are not in
 * memory, or it is not an ELF file for MIPS. */
bool guest_elf_read(struct core *core, vaddr address, struct guest_elf *elf);

/* Address of the file's byte OFFSET in its own address space. False if it is not in a segment or ELF is not valid. */
bool guest_elf_address(const struct guest_elf *elf, uint32_t offset, vaddr *address);

#endif
