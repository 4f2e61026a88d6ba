/* ELF executables: the segments to load, the entry point, and the symbol table. */
#include "src/image/image.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* EF_MIPS_ARCH; elf.h of older C libraries lacks some of its values. */
#define ARCH       0xf0000000u
#define ARCH_SHIFT 28
#define ARCH_32R6  0x90000000u
#define ARCH_64R6  0xa0000000u

static Elf *begin(const struct image *image)
{
    elf_version(EV_CURRENT);
    return image->fd >= 0 ? elf_begin(image->fd, ELF_C_READ, NULL) : elf_memory((char *)image->bytes, image->size);
}

/* Processors */

static const char *machine_name(unsigned machine)
{
    static const struct {
        unsigned machine;
        const char *name;
    } names[] = {
        {EM_MIPS, "MIPS"},
        {EM_X86_64, "x86-64"},
        {EM_386, "x86"},
        {EM_AARCH64, "AArch64"},
        {EM_ARM, "ARM"},
        {EM_RISCV, "RISC-V"},
        {EM_PPC, "PowerPC"},
        {EM_PPC64, "PowerPC"},
        {EM_S390, "S390"},
        {EM_SH, "SuperH"},
        {EM_SPARC, "SPARC"},
        {EM_SPARCV9, "SPARC"},
        {EM_68K, "M68K"},
        {EM_IA_64, "Itanium"},
        {EM_ALPHA, "Alpha"},
        {EM_XTENSA, "Xtensa"},
        {EM_LOONGARCH, "LoongArch"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].machine == machine)
            return names[i].name;
    return NULL;
}

/* The instruction sets by EF_MIPS_ARCH, with the level that a processor needs; those of 64 bits have what MIPS32 has.
 */
static const struct {
    const char *name;
    enum isa_level level;
} instruction_sets[] = {
    {"MIPS I", LEVEL_1},
    {"MIPS II", LEVEL_2},
    {"MIPS III", LEVEL_3},
    {"MIPS IV", LEVEL_4},
    {"MIPS V", LEVEL_4},
    {"MIPS32", LEVEL_32},
    {"MIPS64", LEVEL_32},
    {"MIPS32 release 2", LEVEL_32R2},
    {"MIPS64 release 2", LEVEL_32R2},
};

static bool check_level(const struct image *image, uint32_t flags, const struct architecture *architecture,
                        struct err *err)
{
    const uint32_t number = (flags & ARCH) >> ARCH_SHIFT;
    if (!architecture || number >= sizeof instruction_sets / sizeof instruction_sets[0] ||
        instruction_sets[number].level <= architecture->level)
        return true;
    return err_set(err, "kernel %s: for %s, of which the processor (cpu.architecture=%s) lacks instructions",
                   image->path, instruction_sets[number].name, architecture->name);
}

static bool check_processor(const struct image *image, const GElf_Ehdr *header, struct err *err)
{
    const bool wide = header->e_ident[EI_CLASS] != ELFCLASS32, big = header->e_ident[EI_DATA] != ELFDATA2LSB;
    const uint32_t arch = header->e_flags & ARCH;
    const char *name = machine_name(header->e_machine);
    char number[32];
    if (!name) {
        snprintf(number, sizeof number, "ELF machine %u", header->e_machine);
        name = number;
    }
    if (wide || big || header->e_machine != EM_MIPS)
        return err_set(err, "kernel %s: for %s-bit %s-endian %s, not for 32-bit little-endian MIPS", image->path,
                       wide ? "64" : "32", big ? "big" : "little", name);
    if (arch == ARCH_32R6 || arch == ARCH_64R6)
        return err_set(err,
                       "kernel %s: for MIPS release 6, whose instructions have other codes than those of release 2",
                       image->path);
    if (header->e_flags & EF_MIPS_ABI2)
        return err_set(err, "kernel %s: for a 64-bit MIPS (ABI n32), not for a 32-bit one", image->path);
    return true;
}

/* Segments */

/* GNU BFD takes no p_paddr for valid if all are 0: some linkers do not set them (bfd/elf.c, p_paddr_valid). */
static bool has_physical_addresses(Elf *elf, size_t count)
{
    GElf_Phdr segment;
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_LOAD && segment.p_paddr != 0)
            return true;
    return false;
}

static bool add_segment(struct image *image, const GElf_Phdr *segment, bool physical, struct err *err)
{
    if (segment->p_filesz > segment->p_memsz)
        return err_set(err, "kernel %s: damaged: a segment of %llu bytes in memory has %llu in the file", image->path,
                       (unsigned long long)segment->p_memsz, (unsigned long long)segment->p_filesz);
    if (segment->p_offset > image->size || segment->p_filesz > image->size - segment->p_offset)
        return err_set(err, "kernel %s: truncated: %llu bytes, but a segment ends at %llu", image->path,
                       (unsigned long long)image->size, (unsigned long long)(segment->p_offset + segment->p_filesz));
    image_add(image, &(struct image_piece){(uint32_t)(physical ? segment->p_paddr : segment->p_vaddr),
                                           segment->p_offset, segment->p_filesz, segment->p_memsz});
    return true;
}

static bool read_segments(struct image *image, Elf *elf, struct err *err)
{
    size_t count;
    if (elf_getphdrnum(elf, &count) != 0)
        return err_set(err, "kernel %s: damaged: %s", image->path, elf_errmsg(-1));
    const bool physical = has_physical_addresses(elf, count);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(elf, (int)i, &segment))
            return err_set(err, "kernel %s: damaged or truncated: %s", image->path, elf_errmsg(-1));
        if (segment.p_type == PT_LOAD && segment.p_memsz != 0 && !add_segment(image, &segment, physical, err))
            return false;
    }
    return true;
}

static bool read_open_elf(struct image *image, Elf *elf, const struct architecture *architecture, struct err *err)
{
    GElf_Ehdr header;
    if (!elf || elf_kind(elf) != ELF_K_ELF)
        return err_set(err, "kernel %s: not an ELF file%s", image->path, image->size < EI_NIDENT ? " (too short)" : "");
    if (!gelf_getehdr(elf, &header))
        return err_set(err, "kernel %s: damaged or truncated: %s", image->path, elf_errmsg(-1));
    if (!check_processor(image, &header, err) || !check_level(image, header.e_flags, architecture, err))
        return false;
    if (header.e_type != ET_EXEC)
        return err_set(err, "kernel %s: not an executable (ELF type %u)", image->path, header.e_type);
    image->has_entry = true;
    image->entry = (vaddr)header.e_entry;
    return read_segments(image, elf, err);
}

bool image_read_elf(struct image *image, const struct architecture *architecture, struct err *err)
{
    Elf *elf = begin(image);
    const bool done = read_open_elf(image, elf, architecture, err);
    elf_end(elf);
    return done;
}

/* Symbols */

/* A label of the program: anything that has a name and a place in memory. Names that begin with $ or .L are the
 * assembler's. */
static bool is_label(Elf *elf, const GElf_Sym *symbol, const char *name)
{
    const unsigned type = GELF_ST_TYPE(symbol->st_info);
    GElf_Shdr section;
    return (type == STT_NOTYPE || type == STT_OBJECT || type == STT_FUNC) && name && *name && *name != '$' &&
           strncmp(name, ".L", 2) != 0 && symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < SHN_LORESERVE &&
           gelf_getshdr(elf_getscn(elf, symbol->st_shndx), &section) && section.sh_flags & SHF_ALLOC;
}

/* Functions and objects before the linker's and the assembler's labels, global names before local ones. */
static uint8_t rank_of(const GElf_Sym *symbol)
{
    return (uint8_t)(2 * (GELF_ST_TYPE(symbol->st_info) != STT_NOTYPE) + (GELF_ST_BIND(symbol->st_info) != STB_LOCAL));
}

static struct symbols *read_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    const size_t total = data ? data->d_size / sizeof(Elf32_Sym) : 0;
    struct symbol *list = checked_memory(calloc(total + 1, sizeof *list));
    size_t count = 0;
    for (size_t i = 1; i < total; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol))
            break;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (is_label(elf, &symbol, name))
            list[count++] = (struct symbol){(vaddr)symbol.st_value, name, rank_of(&symbol)};
    }
    struct symbols *symbols = count ? symbols_make(list, count) : NULL;
    free(list);
    return symbols;
}

struct symbols *image_elf_symbols(const struct image *image)
{
    Elf *elf = begin(image);
    Elf_Scn *section = NULL;
    struct symbols *symbols = NULL;
    GElf_Ehdr ehdr;
    struct err ignored = {""};
    if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &ehdr) && check_processor(image, &ehdr, &ignored))
        while (!symbols && (section = elf_nextscn(elf, section))) {
            GElf_Shdr header;
            if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
                symbols = read_table(elf, section, &header);
        }
    elf_end(elf);
    return symbols;
}
