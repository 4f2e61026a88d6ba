/*
 * mkkernel: expands a stock compressed MIPS kernel (`vmlinuz`) into a plain ELF that a loader can place in RAM.
 *
 *     mkkernel VMLINUZ OUTPUT
 *
 * `vmlinuz` is an ELF whose code unpacks an XZ stream and jumps to the kernel. The guest would spend billions of
 * instructions on that; here it is done once, on the host, and nothing about the kernel itself changes: OUTPUT holds
 * the same bytes at the same address, its relocation table included.
 *
 * Nothing about the kernel's addresses is assumed; they are read from code:
 *   entry     the decompressor's start-up code ends in `lui; ori; jalr` with the kernel's entry point as constant;
 *   load      the kernel's entry code, compiled at its link address, jumps to the instruction after its own jump. The
 *             one place in the image where such code names the address it would have with that entry point gives the
 *             distance between file offset and address;
 *   .bss      the two constants that the entry code loads next, bounds of its loop that clears memory.
 *
 * Not modelled: 64-bit or big-endian kernels, other compressions. The XZ stream is expanded by the `xz` program.
 */
#include "die.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define MKKERNEL_MAX_INPUT  (64u << 20)  /* bytes; the stock file has 5 MB */
#define MKKERNEL_MAX_KERNEL (256u << 20) /* bytes; all of low RAM */
#define MKKERNEL_ENTRY_SPAN 64           /* instructions of start-up code looked at */
#define XZ_HEADER_SIZE      12
#define XZ_FOOTER_SIZE      12

struct image {
    uint8_t *bytes;
    size_t size;
};

struct kernel {
    uint32_t load;  /* virtual address of the image's first byte */
    uint32_t entry; /* virtual address */
    uint32_t end;   /* virtual address after .bss */
};

static const char *input_name;

static uint32_t read_le32(const uint8_t *p)
{
    uint32_t value;

    memcpy(&value, p, sizeof value);
    return le32toh(value);
}

static struct image read_file(const char *name)
{
    struct image file = {NULL, 0};
    FILE *f = fopen(name, "rb");
    long size;

    if (!f)
        die("%s: %s", name, strerror(errno));
    if (fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET))
        die("%s: %s", name, strerror(errno));
    if ((unsigned long)size > MKKERNEL_MAX_INPUT)
        die("%s: %ld bytes are too many for a compressed kernel (at most %u)", name, size, MKKERNEL_MAX_INPUT);
    file.size = (size_t)size;
    file.bytes = malloc(file.size + 1);
    if (!file.bytes)
        die("out of memory");
    if (fread(file.bytes, 1, file.size, f) != file.size)
        die("%s: %s", name, ferror(f) ? strerror(errno) : "shorter than it was a moment ago");
    fclose(f);
    return file;
}

/* Checks the ELF header and finds the loaded segment that holds the entry point, as bytes of the file. */
static void find_loader_segment(const struct image *file, Elf32_Ehdr *header, Elf32_Phdr *segment)
{
    if (file->size < sizeof *header)
        die("%s: not an ELF file", input_name);
    memcpy(header, file->bytes, sizeof *header);
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_ident[EI_CLASS] != ELFCLASS32 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB || le16toh(header->e_machine) != EM_MIPS)
        die("%s: not a 32-bit little-endian MIPS ELF file", input_name);
    for (unsigned i = 0; i < le16toh(header->e_phnum); i++) {
        uint64_t at = le32toh(header->e_phoff) + (uint64_t)i * sizeof *segment;
        uint32_t start, size;

        if (at + sizeof *segment > file->size)
            break;
        memcpy(segment, file->bytes + at, sizeof *segment);
        start = le32toh(segment->p_offset);
        size = le32toh(segment->p_filesz);
        if (le32toh(segment->p_type) != PT_LOAD || le32toh(header->e_entry) - le32toh(segment->p_vaddr) >= size)
            continue;
        if ((uint64_t)start + size > file->size)
            die("%s: truncated", input_name);
        segment->p_offset = start;
        segment->p_filesz = size;
        segment->p_vaddr = le32toh(segment->p_vaddr);
        return;
    }
    die("%s: no loaded segment holds the entry point", input_name);
}

/* Constants in registers along straight code: enough to follow `lui; addiu|ori; jr|jalr`. */
struct constants {
    uint32_t value[32];
    uint32_t known; /* one bit a register */
};

/* Follows one instruction; true when it is a jump to a register with a known value, stored in *target. */
static bool constants_step(struct constants *c, uint32_t insn, uint32_t *target)
{
    unsigned op = insn >> 26, rs = insn >> 21 & 31, rt = insn >> 16 & 31, rd = insn >> 11 & 31;
    unsigned function = insn & 63;

    switch (op) {
    case 0:
        if (function == 8 || function == 9) { /* jr, jalr */
            *target = c->value[rs];
            return c->known >> rs & 1;
        }
        c->known &= ~(UINT32_C(1) << rd);
        return false;
    case 9: /* addiu */ c->value[rt] = c->value[rs] + (uint32_t)(int16_t)insn; break;
    case 13: /* ori */ c->value[rt] = c->value[rs] | (insn & 0xffff); break;
    case 15: /* lui */
        c->value[rt] = insn << 16;
        c->known |= UINT32_C(1) << rt;
        return false;
    default: /* loads and the rest: whatever rt was, it is not followed */
        if (op >= 8 && op < 40)
            c->known &= ~(UINT32_C(1) << rt);
        return false;
    }
    if (!(c->known >> rs & 1))
        c->known &= ~(UINT32_C(1) << rt);
    else
        c->known |= UINT32_C(1) << rt;
    return false;
}

/* The kernel's entry point: the last known jump target of the decompressor's start-up code that leaves its segment. */
static uint32_t find_entry(const struct image *file, const Elf32_Ehdr *header, const Elf32_Phdr *segment)
{
    struct constants c = {.known = 1};
    uint32_t offset = le32toh(header->e_entry) - segment->p_vaddr, target;

    for (unsigned i = 0; i < MKKERNEL_ENTRY_SPAN && offset + 4 <= segment->p_filesz; i++, offset += 4) {
        if (constants_step(&c, read_le32(file->bytes + segment->p_offset + offset), &target) &&
            target - segment->p_vaddr >= le32toh(segment->p_memsz))
            return target;
    }
    die("%s: the start-up code does not say where the kernel begins", input_name);
}

/* Finds the XZ stream by its header and footer (both carry a CRC32); *expanded is the size the kernel build noted. */
static struct image find_xz_stream(const struct image *file, const Elf32_Phdr *segment, uint32_t *expanded)
{
    static const uint8_t magic[6] = {0xfd, '7', 'z', 'X', 'Z', 0};
    const uint8_t *start = file->bytes + segment->p_offset, *end = start + segment->p_filesz;

    for (const uint8_t *p = start; end - p >= XZ_HEADER_SIZE + XZ_FOOTER_SIZE + 4; p++) {
        p = memchr(p, magic[0], (size_t)(end - p));
        if (!p || end - p < XZ_HEADER_SIZE + XZ_FOOTER_SIZE + 4)
            break;
        if (memcmp(p, magic, sizeof magic) || crc32(0, p + 6, 2) != read_le32(p + 8))
            continue;
        for (const uint8_t *q = p + XZ_HEADER_SIZE; end - q >= XZ_FOOTER_SIZE + 4; q++) {
            if (q[10] == 'Y' && q[11] == 'Z' && !memcmp(q + 8, p + 6, 2) && crc32(0, q + 4, 6) == read_le32(q)) {
                *expanded = read_le32(q + XZ_FOOTER_SIZE);
                return (struct image){(uint8_t *)(uintptr_t)p, (size_t)(q - p) + XZ_FOOTER_SIZE};
            }
        }
        die("%s: the compressed kernel has no end", input_name);
    }
    die("%s: holds no XZ stream", input_name);
}

/* Expands the stream with the `xz` program; the size must be what the kernel build noted. */
static struct image expand_stream(struct image stream, uint32_t expanded)
{
    struct image kernel;
    char command[64];
    uint8_t extra;
    FILE *f;
    int fd;
    char name[] = "/tmp/mkkernel.XXXXXX";

    if (expanded > MKKERNEL_MAX_KERNEL)
        die("%s: says it expands to %u bytes (at most %u)", input_name, expanded, MKKERNEL_MAX_KERNEL);
    kernel.size = expanded;
    kernel.bytes = malloc(kernel.size + 1);
    if (!kernel.bytes)
        die("out of memory");
    fd = mkstemp(name);
    if (fd < 0 || !(f = fdopen(fd, "wb")))
        die("%s: %s", name, strerror(errno));
    unfinished = name;
    if (fwrite(stream.bytes, 1, stream.size, f) != stream.size || fclose(f))
        die("%s: %s", name, strerror(errno));
    snprintf(command, sizeof command, "xz --format=xz -dc <%s", name);
    f = popen(command, "r");
    if (!f)
        die("cannot run xz: %s", strerror(errno));
    kernel.size = fread(kernel.bytes, 1, expanded, f);
    if (kernel.size != expanded || fread(&extra, 1, 1, f) != 0 || pclose(f) != 0)
        die("%s: the compressed kernel does not expand to the %u bytes it should (is xz installed?)", input_name,
            expanded);
    unlink(name);
    unfinished = NULL;
    return kernel;
}

/*
 * Looks for code at offset `at` that could be the kernel's entry code: within its first instructions it jumps to the
 * instruction behind its own jump, if `entry` is the address of offset `at`. Fills in the kernel's addresses.
 */
static bool match_entry_code(const struct image *image, size_t at, uint32_t entry, struct kernel *kernel)
{
    struct constants c = {.known = 1};
    uint32_t bounds[2], target;
    unsigned i, found = 0;

    for (i = 0; i < 16 && at + 4 * (i + 1) <= image->size; i++) {
        uint32_t insn = read_le32(image->bytes + at + 4 * i);

        if (i == 0 && insn >> 21 != 0x200) /* the code begins by reading a CP0 register (Status) */
            return false;
        if (constants_step(&c, insn, &target)) {
            if (target != entry + 4 * (i + 2))
                return false;
            break;
        }
    }
    /* After the jump and its delay slot: two constants, .bss's first and last word. */
    for (i += 2; i < MKKERNEL_ENTRY_SPAN && at + 4 * (i + 1) <= image->size && found < 2; i++) {
        uint32_t insn = read_le32(image->bytes + at + 4 * i);

        constants_step(&c, insn, &target);
        if (insn >> 26 == 9 && (insn >> 21 & 31) == (insn >> 16 & 31) && (c.known >> (insn >> 16 & 31) & 1))
            bounds[found++] = c.value[insn >> 16 & 31];
    }
    kernel->load = entry - (uint32_t)at;
    kernel->entry = entry;
    if (found < 2 || kernel->load & 0xfff || bounds[0] - kernel->load < image->size || bounds[1] < bounds[0] ||
        bounds[1] - kernel->load >= MKKERNEL_MAX_KERNEL)
        return false;
    kernel->end = bounds[1] + 4;
    return true;
}

static struct kernel find_load_address(const struct image *image, uint32_t entry)
{
    struct kernel kernel, match;
    unsigned matches = 0;

    for (size_t at = entry & 0xfff; at + 4 <= image->size; at += 0x1000) {
        if (match_entry_code(image, at, entry, &match)) {
            kernel = match;
            matches++;
        }
    }
    if (matches != 1)
        die("%s: %u places in the expanded kernel look like its entry code at 0x%08x", input_name, matches, entry);
    return kernel;
}

static void write_kernel(const char *name, const struct image *image, const struct kernel *kernel, uint32_t flags)
{
    static const char names[] = "\0.kernel\0.bss\0.shstrtab";
    uint32_t offset = 0x1000, names_at = offset + (uint32_t)image->size;
    uint32_t sections_at = (names_at + (uint32_t)sizeof names + 3) & ~UINT32_C(3);
    uint32_t bss = kernel->load + (uint32_t)image->size;
    uint8_t head[0x1000] = {0}, tail[sizeof names + 3] = {0};
    Elf32_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
        .e_type = htole16(ET_EXEC),
        .e_machine = htole16(EM_MIPS),
        .e_version = htole32(EV_CURRENT),
        .e_entry = htole32(kernel->entry),
        .e_phoff = htole32(sizeof header),
        .e_shoff = htole32(sections_at),
        .e_flags = flags,
        .e_ehsize = htole16(sizeof header),
        .e_phentsize = htole16(sizeof(Elf32_Phdr)),
        .e_phnum = htole16(1),
        .e_shentsize = htole16(sizeof(Elf32_Shdr)),
        .e_shnum = htole16(4),
        .e_shstrndx = htole16(3),
    };
    Elf32_Phdr segment = {
        .p_type = htole32(PT_LOAD),
        .p_offset = htole32(offset),
        .p_vaddr = htole32(kernel->load),
        .p_paddr = htole32(kernel->load),
        .p_filesz = htole32((uint32_t)image->size),
        .p_memsz = htole32(kernel->end - kernel->load),
        .p_flags = htole32(PF_R | PF_W | PF_X),
        .p_align = htole32(0x1000),
    };
    Elf32_Shdr sections[4] = {
        {.sh_type = htole32(SHT_NULL)},
        {.sh_name = htole32(1),
         .sh_type = htole32(SHT_PROGBITS),
         .sh_flags = htole32(SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR),
         .sh_addr = htole32(kernel->load),
         .sh_offset = htole32(offset),
         .sh_size = htole32((uint32_t)image->size),
         .sh_addralign = htole32(0x1000)},
        {.sh_name = htole32(9),
         .sh_type = htole32(SHT_NOBITS),
         .sh_flags = htole32(SHF_ALLOC | SHF_WRITE),
         .sh_addr = htole32(bss),
         .sh_offset = htole32(names_at),
         .sh_size = htole32(kernel->end - bss),
         .sh_addralign = htole32(4)},
        {.sh_name = htole32(14),
         .sh_type = htole32(SHT_STRTAB),
         .sh_offset = htole32(names_at),
         .sh_size = htole32(sizeof names),
         .sh_addralign = htole32(1)},
    };
    FILE *f = fopen(name, "wb");

    if (!f)
        die("%s: %s", name, strerror(errno));
    memcpy(head, &header, sizeof header);
    memcpy(head + sizeof header, &segment, sizeof segment);
    memcpy(tail, names, sizeof names);
    if (fwrite(head, 1, sizeof head, f) != sizeof head || fwrite(image->bytes, 1, image->size, f) != image->size ||
        fwrite(tail, 1, sections_at - names_at, f) != sections_at - names_at ||
        fwrite(sections, 1, sizeof sections, f) != sizeof sections || fclose(f)) {
        unfinished = name;
        die("%s: %s", name, strerror(errno));
    }
}

int main(int argc, char **argv)
{
    struct image file, stream, image;
    struct kernel kernel;
    Elf32_Ehdr header;
    Elf32_Phdr segment;
    uint32_t expanded, entry;

    if (argc != 3) {
        fputs("usage: mkkernel VMLINUZ OUTPUT\n", stderr);
        return 1;
    }
    input_name = argv[1];
    file = read_file(argv[1]);
    find_loader_segment(&file, &header, &segment);
    entry = find_entry(&file, &header, &segment);
    stream = find_xz_stream(&file, &segment, &expanded);
    image = expand_stream(stream, expanded);
    kernel = find_load_address(&image, entry);
    write_kernel(argv[2], &image, &kernel, header.e_flags);
    printf("%s: load 0x%08x, entry 0x%08x, end 0x%08x\n", argv[2], kernel.load, kernel.entry, kernel.end);
    free(image.bytes);
    free(file.bytes);
    return 0;
}
