#include "src/machine/loader.h"

#include "src/base/input_file.h"
#include <errno.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

enum { KSEG_MASK = 0x1fffffff };

/* Read [offset, offset + size) of the file to TO, in RAM that has been checked. */
static bool read_range(int fd, uint8_t *to, uint64_t offset, uint64_t size)
{
    while (size > 0) {
        ssize_t count = pread(fd, to, size, (off_t)offset);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        to += count;
        offset += (uint64_t)count;
        size -= (uint64_t)count;
    }
    return true;
}

/* Check one segment and, if LOAD, copy it to memory. RAM is initially zero, so bss needs no write. */
static bool do_segment(struct physmem *mem, int fd, const char *path, uint64_t file_size, const GElf_Phdr *segment,
                       bool load, struct loaded_image *image, struct err *err)
{
    uint32_t address = (uint32_t)segment->p_vaddr;
    if (segment->p_filesz > segment->p_memsz)
        return err_set(err, "kernel %s: damaged: a segment of %llu bytes in memory has %llu in the file", path,
                       (unsigned long long)segment->p_memsz, (unsigned long long)segment->p_filesz);
    if (segment->p_offset > file_size || segment->p_filesz > file_size - segment->p_offset)
        return err_set(err, "kernel %s: truncated: %llu bytes, but a segment ends at %llu", path,
                       (unsigned long long)file_size, (unsigned long long)(segment->p_offset + segment->p_filesz));
    if (address >> 30 != 2) /* kseg0 and kseg1 */
        return err_set(err, "kernel %s: segment at 0x%08x is not in kseg0 or kseg1 (0x80000000..0xbfffffff)", path,
                       address);
    paddr start = address & KSEG_MASK;
    if (!physmem_is_ram(mem, start, segment->p_memsz))
        return err_set(err, "kernel %s: segment of %llu bytes at 0x%08x does not fit in RAM (machine.memory)", path,
                       (unsigned long long)segment->p_memsz, address);
    if (load && !read_range(fd, physmem_host(mem, start), segment->p_offset, segment->p_filesz))
        return err_set(err, "kernel %s: cannot be read", path);
    paddr last = start + (paddr)segment->p_memsz - 1;
    image->first = start < image->first ? start : image->first;
    image->last = last > image->last ? last : image->last;
    return true;
}

static bool do_segments(struct physmem *mem, int fd, const char *path, uint64_t file_size, Elf *elf, bool load,
                        struct loaded_image *image, struct err *err)
{
    size_t count;
    bool any = false;
    if (elf_getphdrnum(elf, &count) != 0)
        return err_set(err, "kernel %s: damaged: %s", path, elf_errmsg(-1));
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(elf, (int)i, &segment))
            return err_set(err, "kernel %s: damaged or truncated: %s", path, elf_errmsg(-1));
        if (segment.p_type != PT_LOAD || segment.p_memsz == 0)
            continue;
        if (!do_segment(mem, fd, path, file_size, &segment, load, image, err))
            return false;
        any = true;
    }
    return any || err_set(err, "kernel %s: nothing to load in it", path);
}

static bool load_open_elf(struct physmem *mem, int fd, const char *path, uint64_t file_size, Elf *elf,
                          struct loaded_image *image, struct err *err)
{
    GElf_Ehdr header;
    if (!elf || elf_kind(elf) != ELF_K_ELF)
        return err_set(err, "kernel %s: not an ELF file%s", path, file_size < EI_NIDENT ? " (too short)" : "");
    if (!gelf_getehdr(elf, &header))
        return err_set(err, "kernel %s: damaged or truncated: %s", path, elf_errmsg(-1));
    if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != EM_MIPS)
        return err_set(err, "kernel %s: not for 32-bit little-endian MIPS", path);
    if (header.e_type != ET_EXEC)
        return err_set(err, "kernel %s: not an executable (ELF type %u)", path, header.e_type);
    *image = (struct loaded_image){.entry = (vaddr)header.e_entry, .first = UINT32_MAX};
    if (image->entry >> 30 != 2 || image->entry & 3)
        return err_set(err, "kernel %s: entry point 0x%08x is not a word in kseg0 or kseg1", path, image->entry);
    return do_segments(mem, fd, path, file_size, elf, false, image, err) &&
           do_segments(mem, fd, path, file_size, elf, true, image, err);
}

bool loader_load_elf(struct physmem *mem, const char *path, struct loaded_image *image, struct err *err)
{
    uint64_t size;
    int fd = input_file_open(INPUT_KERNEL, path, &size, err);
    if (fd < 0)
        return false;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    bool done = load_open_elf(mem, fd, path, size, elf, image, err);
    elf_end(elf);
    close(fd);
    return done;
}

bool loader_file_size(enum input_kind kind, const char *path, uint64_t *size, struct err *err)
{
    int fd = input_file_open(kind, path, size, err);
    if (fd < 0)
        return false;
    close(fd);
    return true;
}

bool loader_load_file(struct physmem *mem, enum input_kind kind, const char *path, paddr address, uint32_t size,
                      struct err *err)
{
    int fd = input_file_open(kind, path, NULL, err);
    if (fd < 0)
        return false;
    bool done = read_range(fd, physmem_host(mem, address), 0, size);
    close(fd);
    return done || err_set(err, "%s %s: cannot be read", input_file_name(kind), path);
}
