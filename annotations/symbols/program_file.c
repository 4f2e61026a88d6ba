#include "annotations/symbols/program_file.h"

#include "src/base/input_file.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUILD_ID_MAX = 64 };

struct program_symbol {
    struct symbol symbol;
    uint32_t size; /* 0: unknown */
};

struct program_file {
    int fd;
    Elf *elf;
    Dwarf *dwarf; /* NULL: no debug information */
    bool no_dwarf;
    char *path;
    const char *name;
    bool fixed;
    vaddr first, last;
    struct program_symbol *symbols; /* sorted by address */
    size_t count;
    uint8_t build_id[BUILD_ID_MAX];
    size_t build_id_size;
    uint32_t build_id_offset;
};

static int by_address(const void *a, const void *b)
{
    const struct program_symbol *x = a, *y = b;
    if (x->symbol.address != y->symbol.address)
        return x->symbol.address < y->symbol.address ? -1 : 1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return strcmp(x->symbol.name, y->symbol.name);
}

/* Read the symbol table SECTION, as far as it is intact. */
static void read_symbols(struct program_file *file, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    const size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
    file->symbols = checked_memory(calloc(count + 1, sizeof *file->symbols));
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS)
            continue;
        const unsigned type = GELF_ST_TYPE(symbol.st_info);
        const char *name = elf_strptr(file->elf, header->sh_link, symbol.st_name);
        if (!name || !*name || (type != STT_FUNC && type != STT_OBJECT))
            continue;
        file->symbols[file->count++] = (struct program_symbol){
            .symbol = {.address = (vaddr)symbol.st_value, .name = name}, .size = (uint32_t)symbol.st_size};
    }
    qsort(file->symbols, file->count, sizeof *file->symbols, by_address);
}

/* The full symbol table, or else that of dynamic symbols. */
static void find_symbols(struct program_file *file)
{
    static const unsigned types[] = {SHT_SYMTAB, SHT_DYNSYM};
    for (unsigned i = 0; i < 2 && file->count == 0; i++) {
        Elf_Scn *section = NULL;
        while ((section = elf_nextscn(file->elf, section))) {
            GElf_Shdr header;
            if (!gelf_getshdr(section, &header) || header.sh_type != types[i])
                continue;
            free(file->symbols);
            file->count = 0;
            read_symbols(file, section, &header);
            break;
        }
    }
}

static void read_notes(struct program_file *file, const GElf_Phdr *segment)
{
    Elf_Data *data = elf_getdata_rawchunk(file->elf, (int64_t)segment->p_offset, segment->p_filesz, ELF_T_NHDR);
    size_t at = 0, next, name, description;
    GElf_Nhdr note;
    while (data && (next = gelf_getnote(data, at, &note, &name, &description)) > 0) {
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU && note.n_descsz <= BUILD_ID_MAX &&
            memcmp((const char *)data->d_buf + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
            memcpy(file->build_id, (const char *)data->d_buf + description, note.n_descsz);
            file->build_id_size = note.n_descsz;
            file->build_id_offset = (uint32_t)(segment->p_offset + description);
        }
        at = next;
    }
}

static void read_segments(struct program_file *file)
{
    size_t count = 0;
    elf_getphdrnum(file->elf, &count);
    file->first = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(file->elf, (int)i, &segment))
            continue;
        if (segment.p_type == PT_NOTE)
            read_notes(file, &segment);
        if (segment.p_type != PT_LOAD || segment.p_memsz == 0)
            continue;
        const vaddr begin = (vaddr)segment.p_vaddr & ~(vaddr)(PAGE_SIZE - 1);
        const vaddr end = (vaddr)(segment.p_vaddr + segment.p_memsz - 1) | (PAGE_SIZE - 1);
        file->first = begin < file->first ? begin : file->first;
        file->last = end > file->last ? end : file->last;
    }
}

/* In debug files the program headers do not give the position of the build-id note; search the sections. */
static void find_build_id(struct program_file *file)
{
    const void *id;
    const ssize_t size = dwelf_elf_gnu_build_id(file->elf, &id);
    if (size <= 0 || size > BUILD_ID_MAX)
        return;
    memcpy(file->build_id, id, (size_t)size);
    file->build_id_size = (size_t)size;
}

struct program_file *program_file_open(const char *path, struct err *err)
{
    struct program_file *file = checked_memory(calloc(1, sizeof *file));
    GElf_Ehdr header;
    file->path = checked_memory(strdup(path));
    const char *slash = strrchr(file->path, '/');
    file->name = slash ? slash + 1 : file->path;
    file->fd = input_file_open(INPUT_PROGRAM, path, NULL, err);
    if (file->fd < 0) {
        program_file_close(file);
        return NULL;
    }
    elf_version(EV_CURRENT);
    file->elf = elf_begin(file->fd, ELF_C_READ, NULL);
    if (!file->elf || elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &header) ||
        header.e_machine != EM_MIPS || gelf_getclass(file->elf) != ELFCLASS32) {
        err_set(err, "%.300s: not an ELF file of a MIPS program", path);
        program_file_close(file);
        return NULL;
    }
    file->fixed = header.e_type == ET_EXEC;
    read_segments(file);
    if (file->build_id_size == 0)
        find_build_id(file);
    find_symbols(file);
    return file;
}

void program_file_close(struct program_file *file)
{
    if (!file)
        return;
    if (file->dwarf)
        dwarf_end(file->dwarf);
    if (file->elf)
        elf_end(file->elf);
    if (file->fd >= 0)
        close(file->fd);
    free(file->symbols);
    free(file->path);
    free(file);
}

const char *program_file_name(const struct program_file *file)
{
    return file->name;
}

bool program_file_is_fixed(const struct program_file *file)
{
    return file->fixed;
}

void program_file_range(const struct program_file *file, vaddr *first, vaddr *last)
{
    *first = file->first;
    *last = file->last;
}

bool program_file_address_of(const struct program_file *file, uint32_t offset, vaddr *address)
{
    size_t count = 0;
    elf_getphdrnum(file->elf, &count);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(file->elf, (int)i, &segment) || segment.p_type != PT_LOAD)
            continue;
        const uint64_t begin = segment.p_offset & ~(uint64_t)(PAGE_SIZE - 1);
        if (offset < begin || offset >= ((segment.p_offset + segment.p_filesz + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1ull)))
            continue;
        *address = (vaddr)(segment.p_vaddr + (offset - segment.p_offset));
        return true;
    }
    return false;
}

const uint8_t *program_file_build_id(const struct program_file *file, size_t *size, uint32_t *offset)
{
    *size = file->build_id_size;
    *offset = file->build_id_offset;
    return file->build_id_size ? file->build_id : NULL;
}

const struct symbol *program_file_find(const struct program_file *file, const char *name)
{
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->symbols[i].symbol.name, name) == 0)
            return &file->symbols[i].symbol;
    return NULL;
}

bool program_file_find_all(const struct program_file *file, const char *name, struct address_list *list)
{
    bool found = false;
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->symbols[i].symbol.name, name) == 0) {
            address_list_add(list, file->symbols[i].symbol.address);
            found = true;
        }
    return found;
}

const struct symbol *program_file_at(const struct program_file *file, vaddr address)
{
    size_t low = 0, high = file->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (file->symbols[middle].symbol.address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    /* of several at one address use the first, which is the largest */
    const struct program_symbol *found = &file->symbols[low - 1];
    while (found > file->symbols && found[-1].symbol.address == found->symbol.address)
        found--;
    return found->size == 0 || address - found->symbol.address < found->size ? &found->symbol : NULL;
}

/* The compilation unit that contains ADDRESS. Some compilers omit .debug_aranges: then search all units. */
static bool find_unit(Dwarf *dwarf, Dwarf_Addr address, Dwarf_Die *unit)
{
    Dwarf_Off offset = 0, next;
    size_t header;
    if (dwarf_addrdie(dwarf, address, unit))
        return true;
    while (dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0) {
        if (dwarf_offdie(dwarf, offset + header, unit) && dwarf_haspc(unit, address) > 0)
            return true;
        offset = next;
    }
    return false;
}

bool program_file_line(struct program_file *file, vaddr address, char *text, size_t size)
{
    Dwarf_Die unit;
    int number;
    if (!file->dwarf && !file->no_dwarf)
        file->dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
    file->no_dwarf = !file->dwarf;
    if (file->no_dwarf || !find_unit(file->dwarf, address, &unit))
        return false;
    Dwarf_Line *line = dwarf_getsrc_die(&unit, address);
    const char *source = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (!source || dwarf_lineno(line, &number) != 0)
        return false;
    snprintf(text, size, "%s:%d", source, number);
    return true;
}
