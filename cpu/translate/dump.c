/*
 * Human-readable listing of a superblock: guest instructions, operations, and host code, disassembled by objdump if it
 * is installed. The superblock is translated again, in separate code memory.
 */
#include "cpu/translate/translate.h"
#include "cpu/translate/host.h"
#include "cpu/privileged/semantics.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DUMP_MEMORY = 2 << 20, MAX_LINES = 1 << 16 };

struct code_line {
    uint32_t at;
    char text[100];
};

struct dump {
    struct code_cache *cache;
    const struct code_page *page;
    const struct core *core;
    uint32_t start; /* start of the code */
    FILE *out;
    struct code_line *lines; /* output of objdump, by address */
    unsigned count, next;
};

static uint32_t code_end(const struct dump *d)
{
    return (uint32_t)(uintptr_t)d->cache->next_free;
}

/* Disassembly */

/* Write the superblock's code to FILE, with one-byte fillers for data, so that objdump stays in step. */
static bool write_code(const struct dump *d, FILE *file)
{
    enum { FILLER = 0x90 };
    for (uint32_t at = d->start; at < code_end(d); at++) {
        for (unsigned data = host_data_at(d->cache, at); data > 0; data--, at++)
            fputc(FILLER, file);
        fputc(*(const uint8_t *)(uintptr_t)at, file);
    }
    return !ferror(file);
}

/* Copy FROM without its comment and with single blanks. */
static void copy_tidily(char *to, size_t size, const char *from)
{
    size_t length = 0;
    for (; *from != '\0' && *from != '\n' && *from != '#' && length + 1 < size; from++)
        if (*from != ' ' || (length > 0 && to[length - 1] != ' '))
            to[length++] = *from;
    while (length > 0 && to[length - 1] == ' ')
        length--;
    to[length] = '\0';
}

static void read_lines(struct dump *d, FILE *pipe)
{
    char line[256];
    while (d->count < MAX_LINES && fgets(line, sizeof line, pipe) != NULL) {
        int text = 0;
        unsigned at;
        if (sscanf(line, " %x:%n", &at, &text) != 1 || text == 0 || line[text] != '\t')
            continue;
        struct code_line *new = &d->lines[d->count++];
        new->at = at;
        copy_tidily(new->text, sizeof new->text, line + text + 1);
    }
}

/* Fill d->lines; empty if objdump is not available. */
static void disassemble(struct dump *d)
{
    const char *directory = getenv("TMPDIR");
    char path[512], command[1024];
    snprintf(path, sizeof path, "%s/simos-code-XXXXXX", directory != NULL ? directory : "/tmp");
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (file == NULL)
        return;
    bool written = write_code(d, file);
    if (fclose(file) == 0 && written) {
        snprintf(command, sizeof command, "objdump -D %s --no-show-raw-insn --adjust-vma=0x%x '%s' 2>/dev/null",
                 host_objdump_options, d->start, path);
        FILE *pipe = popen(command, "r");
        if (pipe != NULL) {
            read_lines(d, pipe);
            pclose(pipe);
        }
    }
    unlink(path);
}

/* Printing */

static void print_bytes(const struct dump *d, uint32_t from, uint32_t to)
{
    for (uint32_t at = from; at < to; at++) {
        if ((at - from) % 16 == 0)
            fprintf(d->out, "%s    %5x ", at == from ? "" : "\n", at - d->start);
        fprintf(d->out, " %02x", *(const uint8_t *)(uintptr_t)at);
    }
    if (from < to)
        fputc('\n', d->out);
}

/* Print the code in [FROM, TO). */
static void print_code(struct dump *d, uint32_t from, uint32_t to)
{
    if (d->count == 0) {
        print_bytes(d, from, to);
        return;
    }
    while (d->next < d->count && d->lines[d->next].at < to) {
        const struct code_line *line = &d->lines[d->next++];
        char text[80];
        unsigned data = host_data_at(d->cache, line->at);
        if (host_describe(d->cache, line->at, text, sizeof text))
            fprintf(d->out, "  %s:\n", text);
        fprintf(d->out, "    %5x  ", line->at - d->start);
        if (data == 0) {
            host_print_instruction(d->cache, line->text, d->start, d->out);
            continue;
        }
        fprintf(d->out, "(%u bytes of data)\n", data);
        while (d->next < d->count && d->lines[d->next].at < line->at + data)
            d->next++;
    }
}

static void print_heading(const struct dump *d, vaddr pc)
{
    const struct ir_superblock *superblock = &d->cache->superblock;
    unsigned insns = 0;
    for (unsigned i = 0; i < superblock->count; i++)
        insns += superblock->blocks[i].insns;
    fprintf(d->out,
            "superblock at %08x, physical %08x, %s mode: %u basic block%s, %u instruction%s, %u bytes of code\n", pc,
            d->page->frame | (pc & (PAGE_SIZE - 1)), d->page->user ? "user" : "kernel", superblock->count,
            superblock->count == 1 ? "" : "s", insns, insns == 1 ? "" : "s", code_end(d) - d->start);
    host_print_registers(d->cache, d->out);
    if (d->count == 0)
        fprintf(d->out, "(install objdump, of Debian's package binutils, to disassemble the code)\n");
}

static void print(struct dump *d, vaddr pc)
{
    const struct ir_superblock *superblock = &d->cache->superblock;
    const uint32_t *words = (const uint32_t *)(const void *)physmem_host(d->core->mem, d->page->frame);
    print_heading(d, pc);
    for (unsigned i = 0; i < superblock->count; i++) {
        const struct ir_block *block = &superblock->blocks[i];
        fprintf(d->out, "\nblock %u\n", i);
        ir_print(block, d->core, words + (block->pc >> 2 & (PAGE_INSNS - 1)), d->out);
        if (i == 0)
            print_code(d, d->start, host_code_of(d->cache, 0)); /* entry code that loads a loop's registers */
        print_code(d, host_code_of(d->cache, i), host_code_of(d->cache, i + 1));
    }
    fprintf(d->out, "\ncold code\n");
    print_code(d, host_code_of(d->cache, superblock->count), code_end(d));
}

/* Mode of the listing: the core's, but kernel addresses are not accessible in user mode. */
static bool is_user(const struct core *core, vaddr pc)
{
    return core->user_mode && vaddr_in_kuseg(pc);
}

static bool find_frame(const struct core *core, vaddr pc, paddr *pa, struct err *err)
{
    if (pc & 3)
        return err_set(err, "address 0x%08x is not a multiple of 4", pc);
    if (!tlb_probe_address(core, pc, pa))
        return err_set(err, "address 0x%08x is not mapped on CPU %u", pc, core->number);
    if (!physmem_page_is_ram(core->mem, *pa))
        return err_set(err, "address 0x%08x is not RAM: code executes from RAM only", pc);
    return true;
}

bool translate_dump(const struct inorder *in, vaddr pc, FILE *out, struct err *err)
{
    const struct translated *e = (const struct translated *)in;
    const struct core *core = e->in.core;
    paddr pa;
    struct code_cache *cache = find_frame(core, pc, &pa, err)
                                   ? code_cache_create(e, &(struct translate_options){.code_bytes = DUMP_MEMORY}, err)
                                   : NULL;
    if (cache == NULL)
        return false;
    cache->is_listing = true;
    struct code_page *page = code_page_get(cache, NULL, pa & ~(paddr)(PAGE_SIZE - 1), pc & ~(vaddr)(PAGE_SIZE - 1),
                                           is_user(core, pc), false);
    struct dump d = {.cache = cache, .page = page, .core = core, .out = out};
    d.lines = checked_memory(malloc(MAX_LINES * sizeof *d.lines));
    d.start = (uint32_t)(uintptr_t)cache->next_free;
    translate_make_superblock(cache, core, page, pc, SUPERBLOCK_NORMAL);
    disassemble(&d);
    print(&d, pc);
    free(d.lines);
    code_cache_free(cache);
    return true;
}
