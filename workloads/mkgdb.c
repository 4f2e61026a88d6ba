/*
 * mkgdb: the kernel's file as a debugger wants it.
 *
 *     mkgdb VMLINUX KERNEL.SYM OUTPUT     VMLINUX with the symbols of KERNEL.SYM (lines "ADDRESS TYPE NAME" as
 *                                         /proc/kallsyms prints them) as its symbol table
 *     mkgdb --same KERNEL.SYM DEBUG       is DEBUG, an unstripped kernel or its debug file, of the kernel of these
 *                                         symbols? Its functions are where the kernel's are
 *
 * OUTPUT has the bytes of VMLINUX, with a symbol table and section headers behind them: it can be booted too. Symbols
 * of modules, which lie outside of the kernel, are left out.
 *
 * Not modelled: 64-bit or big-endian kernels; sizes of symbols, which kallsyms does not have.
 */
#include "die.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <search.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES 1024
#define SECTIONS_MAX   256 /* of VMLINUX */

struct symbol {
    uint32_t address;
    char type; /* a letter of nm(1); lower case: local */
    char *name;
};

struct symbols {
    struct symbol *symbol;
    size_t count;
};

struct text {
    char *bytes;
    size_t size, room;
};

static void *need(void *memory)
{
    if (!memory)
        die("out of memory");
    return memory;
}

static struct symbols read_symbols(const char *path)
{
    struct symbols all = {NULL, 0};
    size_t room = 0;
    unsigned number = 0;
    char line[LINE_MAX_BYTES], name[LINE_MAX_BYTES], type;
    FILE *file = fopen(path, "r");

    if (!file)
        die("%s: %s", path, strerror(errno));
    while (fgets(line, sizeof line, file)) {
        uint32_t address;

        number++;
        if (sscanf(line, "%8" SCNx32 " %c %1023s", &address, &type, name) != 3 || !isalpha((unsigned char)type))
            die("%s, line %u: not \"ADDRESS TYPE NAME\"", path, number);
        if (strchr(line, '[') || *name == '.' || *name == '$') /* of a module; local labels */
            continue;
        if (all.count == room) {
            room = room ? 2 * room : 4096;
            all.symbol = need(realloc(all.symbol, room * sizeof *all.symbol));
        }
        all.symbol[all.count++] = (struct symbol){address, type, need(strdup(name))};
    }
    if (ferror(file))
        die("%s: %s", path, strerror(errno));
    fclose(file);
    return all;
}

/* The 32-bit little-endian ELF file PATH. */
static Elf *open_elf(const char *path, int *fd)
{
    Elf32_Ehdr *header;
    Elf *elf;

    *fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0)
        die("%s: %s", path, strerror(errno));
    elf_version(EV_CURRENT);
    elf = elf_begin(*fd, ELF_C_READ_MMAP, NULL);
    header = elf ? elf32_getehdr(elf) : NULL;
    if (!header || header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_machine != EM_MIPS)
        die("%s: not a 32-bit little-endian MIPS ELF file", path);
    return elf;
}

/* --same */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

/* Global functions are told by their names alone. */
static bool is_global_function(char type)
{
    return type == 'T';
}

static int same(const char *symbols_path, const char *debug_path)
{
    struct symbols ours = read_symbols(symbols_path);
    void *tree = NULL;
    size_t met = 0;
    int fd;
    Elf *elf = open_elf(debug_path, &fd);
    Elf_Scn *section = NULL;

    for (size_t i = 0; i < ours.count; i++)
        if (is_global_function(ours.symbol[i].type))
            need(tsearch(&ours.symbol[i], &tree, by_name));
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        Elf_Data *data;

        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize ||
            !(data = elf_getdata(section, NULL)))
            continue;
        for (size_t i = 0; i < header.sh_size / header.sh_entsize; i++) {
            GElf_Sym symbol;
            struct symbol wanted, **found;
            const char *name;

            if (!gelf_getsym(data, (int)i, &symbol) || GELF_ST_BIND(symbol.st_info) != STB_GLOBAL ||
                GELF_ST_TYPE(symbol.st_info) != STT_FUNC || !(name = elf_strptr(elf, header.sh_link, symbol.st_name)))
                continue;
            wanted.name = (char *)(uintptr_t)name;
            found = tfind(&wanted, &tree, by_name);
            if (found && (*found)->address != (uint32_t)symbol.st_value)
                die("%s: is not of this kernel: its %s is at 0x%08x, the kernel's at 0x%08x", debug_path, name,
                    (uint32_t)symbol.st_value, (*found)->address);
            met += found != NULL;
        }
    }
    if (met == 0)
        die("%s: has none of this kernel's functions", debug_path);
    elf_end(elf);
    close(fd);
    return 0;
}

/* The file with symbols */

/* Append SIZE BYTES; where they are. */
static uint32_t append(struct text *to, const void *bytes, size_t size)
{
    const size_t at = to->size;

    if (to->room - at < size) {
        to->room = 2 * to->room + size;
        to->bytes = need(realloc(to->bytes, to->room));
    }
    memcpy(to->bytes + at, bytes, size);
    to->size += size;
    return (uint32_t)at;
}

/* The same of SIZE bytes of structures TYPE, as the file has them. */
static uint32_t append_elf(struct text *to, Elf_Type type, const void *structures, size_t size)
{
    const uint32_t at = append(to, structures, size);
    Elf_Data from = {.d_buf = (void *)(uintptr_t)structures, .d_type = type, .d_version = EV_CURRENT, .d_size = size};
    Elf_Data data = {.d_buf = to->bytes + at, .d_type = type, .d_version = EV_CURRENT, .d_size = size};

    if (!elf32_xlatetof(&data, &from, ELFDATA2LSB))
        die("%s", elf_errmsg(-1));
    return at;
}

static void align(struct text *to)
{
    while (to->size & 3)
        append(to, "", 1);
}

/* The number of the section that ADDRESS is in; SHN_UNDEF: in none. */
static uint16_t section_of(const Elf32_Shdr *sections, size_t count, uint32_t address)
{
    for (size_t i = 1; i < count; i++)
        if ((sections[i].sh_flags & SHF_ALLOC) && address - sections[i].sh_addr < sections[i].sh_size)
            return (uint16_t)i;
    return SHN_UNDEF;
}

/* SYMBOLS as ELF's in TABLE, the local ones first, as it must be, and their NAMES; the number of local ones. */
static uint32_t convert(const struct symbols *symbols, const Elf32_Shdr *sections, size_t count, struct text *table,
                        struct text *names)
{
    Elf32_Sym none = {0};
    uint32_t locals = 1;

    append_elf(table, ELF_T_SYM, &none, sizeof none);
    append(names, "", 1);
    for (int global = 0; global < 2; global++)
        for (size_t i = 0; i < symbols->count; i++) {
            const struct symbol *from = &symbols->symbol[i];
            const char kind = (char)toupper((unsigned char)from->type);
            Elf32_Sym symbol = {.st_value = from->address, .st_shndx = section_of(sections, count, from->address)};

            if (symbol.st_shndx == SHN_UNDEF || (isupper((unsigned char)from->type) != 0) != global)
                continue;
            symbol.st_name = append(names, from->name, strlen(from->name) + 1);
            symbol.st_info = ELF32_ST_INFO(kind == 'W' && global ? STB_WEAK
                                           : global              ? STB_GLOBAL
                                                                 : STB_LOCAL,
                                           kind == 'T' || kind == 'W' ? STT_FUNC : STT_OBJECT);
            append_elf(table, ELF_T_SYM, &symbol, sizeof symbol);
            locals += !global;
        }
    return locals;
}

static void write_file(const char *path, const struct text *text)
{
    FILE *out = fopen(path, "wb");

    if (!out)
        die("%s: %s", path, strerror(errno));
    unfinished = path;
    if (fwrite(text->bytes, 1, text->size, out) != text->size || fclose(out))
        die("%s: %s", path, strerror(errno));
    unfinished = NULL;
}

static int make(const char *vmlinux, const char *symbols_path, const char *output)
{
    struct symbols symbols = read_symbols(symbols_path);
    struct text file = {0}, head = {0}, table = {0}, names = {0}, section_names = {0};
    Elf32_Shdr sections[SECTIONS_MAX + 2] = {{0}};
    Elf32_Ehdr header;
    Elf_Scn *section = NULL;
    size_t count = 1, bytes, names_index;
    uint32_t locals, named[2];
    char *image;
    int fd;
    Elf *elf = open_elf(vmlinux, &fd);

    header = *elf32_getehdr(elf);
    while ((section = elf_nextscn(elf, section))) {
        if (count == SECTIONS_MAX)
            die("%s: has more than %d sections", vmlinux, SECTIONS_MAX);
        sections[count++] = *elf32_getshdr(section);
    }
    image = elf_rawfile(elf, &bytes);
    if (!image || elf_getshdrstrndx(elf, &names_index) || names_index == 0 || names_index >= count)
        die("%s: has no sections", vmlinux);
    append(&file, image, bytes);

    locals = convert(&symbols, sections, count, &table, &names);
    if (table.size == sizeof(Elf32_Sym))
        die("%s: has no symbol that lies in %s", symbols_path, vmlinux);
    align(&file);
    sections[count] = (Elf32_Shdr){.sh_type = SHT_SYMTAB,
                                   .sh_offset = append(&file, table.bytes, table.size),
                                   .sh_size = (uint32_t)table.size,
                                   .sh_link = (uint32_t)count + 1,
                                   .sh_info = locals,
                                   .sh_addralign = 4,
                                   .sh_entsize = sizeof(Elf32_Sym)};
    sections[count + 1] = (Elf32_Shdr){.sh_type = SHT_STRTAB,
                                       .sh_offset = append(&file, names.bytes, names.size),
                                       .sh_size = (uint32_t)names.size,
                                       .sh_addralign = 1};
    /* the names of sections once more, with two behind them */
    append(&section_names, image + sections[names_index].sh_offset, sections[names_index].sh_size);
    named[0] = append(&section_names, ".symtab", sizeof ".symtab");
    named[1] = append(&section_names, ".strtab", sizeof ".strtab");
    sections[count].sh_name = named[0];
    sections[count + 1].sh_name = named[1];
    sections[names_index].sh_offset = append(&file, section_names.bytes, section_names.size);
    sections[names_index].sh_size = (uint32_t)section_names.size;
    align(&file);
    header.e_shoff = append_elf(&file, ELF_T_SHDR, sections, (count + 2) * sizeof *sections);
    header.e_shnum = (uint16_t)(count + 2);
    append_elf(&head, ELF_T_EHDR, &header, sizeof header);
    memcpy(file.bytes, head.bytes, head.size);
    write_file(output, &file);
    elf_end(elf);
    close(fd);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4)
        return strcmp(argv[1], "--same") == 0 ? same(argv[2], argv[3]) : make(argv[1], argv[2], argv[3]);
    fputs("usage: mkgdb VMLINUX KERNEL.SYM OUTPUT\n       mkgdb --same KERNEL.SYM DEBUG\n", stderr);
    return 1;
}
