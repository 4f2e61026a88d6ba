#include "annotations/symbols/guest_elf.h"

#include <elf.h>
#include <string.h>

enum { HEADERS_MAX = 16, NOTES_MAX = 1024 };

/* Read the build-id from the notes at ADDRESS (gabi, "Note Section"). Names and descriptions are padded to four
 * bytes. */
static void read_id(struct core *core, vaddr address, uint32_t size, struct guest_elf *elf)
{
    uint8_t notes[NOTES_MAX];
    Elf32_Nhdr note;
    if (size > sizeof notes || !machine_view_read(core, address, notes, size))
        return;
    for (uint32_t at = 0; size - at >= sizeof note;) {
        memcpy(&note, notes + at, sizeof note);
        at += (uint32_t)sizeof note;
        const uint64_t name = (note.n_namesz + UINT64_C(3)) & ~UINT64_C(3);
        const uint64_t description = (note.n_descsz + UINT64_C(3)) & ~UINT64_C(3);
        if (name + description > size - at)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
            memcmp(notes + at, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0 && note.n_descsz <= sizeof elf->id) {
            elf->id_size = note.n_descsz;
            memcpy(elf->id, notes + at + name, note.n_descsz);
            return;
        }
        at += (uint32_t)(name + description);
    }
}

bool guest_elf_read(struct core *core, vaddr address, struct guest_elf *elf)
{
    static const uint8_t wanted[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB};
    Elf32_Ehdr header;
    Elf32_Phdr segment[HEADERS_MAX];
    *elf = (struct guest_elf){.known = false};
    if (!machine_view_read(core, address, &header, sizeof header) ||
        memcmp(header.e_ident, wanted, sizeof wanted) != 0 || header.e_machine != EM_MIPS ||
        header.e_phentsize != sizeof *segment || header.e_phnum > HEADERS_MAX ||
        !machine_view_read(core, address + header.e_phoff, segment, header.e_phnum * (uint32_t)sizeof *segment))
        return false;
    for (unsigned i = 0; i < header.e_phnum; i++) {
        if (segment[i].p_type == PT_NOTE && elf->id_size == 0)
            read_id(core, address + segment[i].p_offset, segment[i].p_filesz, elf);
        if (segment[i].p_type != PT_LOAD || elf->count == GUEST_ELF_SEGMENTS)
            continue;
        elf->segment[elf->count].offset = segment[i].p_offset;
        elf->segment[elf->count].size = segment[i].p_filesz;
        elf->segment[elf->count++].address = segment[i].p_vaddr;
    }
    return elf->known = elf->count > 0;
}

bool guest_elf_address(const struct guest_elf *elf, uint32_t offset, vaddr *address)
{
    for (unsigned i = 0; i < elf->count; i++)
        if (offset >= elf->segment[i].offset && offset - elf->segment[i].offset < elf->segment[i].size) {
            *address = elf->segment[i].address + (offset - elf->segment[i].offset);
            return true;
        }
    return false;
}
