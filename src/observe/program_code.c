#include "src/observe/program_code.h"

#include "annotations/tcl/annotate.h"
#include "cpu/observe/code_routines.h"
#include "src/memory/physmem.h"
#include "src/observe/profile.h"
#include <stdlib.h>
#include <string.h>

enum { PAGE_WORDS = PAGE_SIZE / 4 };

/* What is being read. */
struct reading {
    struct program_codes *programs;
    const struct machine *machine;
    struct execution_page *page; /* [pages], of all files, sorted by key */
    size_t pages;
    struct execution_count *insn; /* [insns], of user mode, likewise */
    size_t insns;
    size_t edges;
};

static uint64_t file_of(uint64_t key)
{
    return key >> 32;
}

/* Is PAGE, which is a file's, to stay where it is? Counts it then. */
static bool stays(struct reading *reading, const struct execution_page *page)
{
    if (page->moved) {
        reading->programs->moved++;
        return true;
    }
    const bool changed = memcmp(page->word, physmem_host(reading->machine->mem, page->frame), PAGE_SIZE) != 0;
    reading->programs->changed += changed;
    return changed;
}

/* Keep the pages that are laid out. TAKEN: by page number, memory that is not for programs. */
static void choose_pages(struct reading *reading, const bool *taken)
{
    size_t kept = 0;
    for (size_t i = 0; i < reading->pages; i++) {
        const struct execution_page *page = &reading->page[i];
        if (annotate_profile_is_file(reading->machine->annotate, page->key) && !taken[page->frame >> PAGE_SHIFT] &&
            !stays(reading, page))
            reading->page[kept++] = *page;
    }
    reading->pages = reading->programs->pages = kept;
}

/* Add PAGE, which is the one after the last page in the file if it CONTINUES the range of that one. The addresses of
 * all pages are those of a file that is mapped in one piece, its offset 0 at BASE: jumps within the file have the
 * addresses for which it was linked, if it was linked for an address. */
static void add_page(struct program_code *program, const struct execution_page *page, vaddr base, bool continues)
{
    struct profiled_code *code = &program->code;
    if (!continues)
        program->range[code->ranges++] =
            (struct profiled_range){.first = base + (vaddr)page->key, .key = page->key, .begin = code->words};
    program->range[code->ranges - 1].words += PAGE_WORDS;
    for (paddr i = 0; i < PAGE_WORDS; i++) {
        program->offset[code->words + i] = (paddr)page->key + i * 4;
        program->at[code->words + i] = page->frame + i * 4;
    }
    memcpy(&program->word[code->words], page->word, PAGE_SIZE);
    code->words += PAGE_WORDS;
}

static void read_counts(const struct reading *reading, struct program_code *program)
{
    const uint64_t file = file_of(program->range[0].key);
    size_t low = 0, high = reading->insns;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (file_of(reading->insn[middle].key) < file)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < reading->insns && file_of(reading->insn[low].key) == file; low++) {
        const ptrdiff_t index = profiled_code_of_key(&program->code, reading->insn[low].key);
        if (index != PROFILED_NONE)
            program->count[index] = reading->insn[low].count;
    }
}

/* Read the program that has the COUNT pages PAGE. */
static void read_program(const struct reading *reading, struct program_code *program, const struct execution_page *page,
                         size_t count)
{
    const size_t words = count * PAGE_WORDS;
    *program = (struct program_code){.name = annotate_profile_object(reading->machine->annotate, page->key),
                                     .offset = checked_memory(calloc(words, sizeof *program->offset)),
                                     .at = checked_memory(calloc(words, sizeof *program->at)),
                                     .range = checked_memory(calloc(count, sizeof *program->range)),
                                     .word = checked_memory(calloc(words, sizeof *program->word)),
                                     .count = checked_memory(calloc(words, sizeof *program->count))};
    const vaddr base = page->address - (vaddr)page->key;
    for (size_t i = 0; i < count; i++)
        add_page(program, &page[i], base, i > 0 && page[i].key == page[i - 1].key + PAGE_SIZE);
    struct profiled_code *code = &program->code;
    code->decoder = reading->machine->cores[0]->decoder;
    code->range = program->range;
    code->word = program->word;
    /* pages are sorted by key; addresses descend once if the file ends beyond the last address */
    code->ascends = program->range[code->ranges - 1].first >= program->range[0].first;
    read_counts(reading, program);
    code->count = program->count;
    code->edge = reading->programs->edge;
    code->edges = reading->edges;
    code->routine = program->routine = code_routines_find(code, &code->routines);
}

static int by_name(const void *a, const void *b)
{
    const struct program_code *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->at[0] > y->at[0]) - (x->at[0] < y->at[0]);
}

static void read_programs(struct reading *reading)
{
    struct program_codes *programs = reading->programs;
    programs->program = checked_memory(calloc(reading->pages + 1, sizeof *programs->program));
    for (size_t first = 0, count; first < reading->pages; first += count) {
        const struct execution_page *page = &reading->page[first];
        for (count = 1; first + count < reading->pages && file_of(page[count].key) == file_of(page->key);)
            count++;
        read_program(reading, &programs->program[programs->count++], page, count);
    }
    qsort(programs->program, programs->count, sizeof *programs->program, by_name);
}

void program_codes_read(struct program_codes *programs, const struct machine *machine, const paddr *at, size_t words)
{
    struct reading reading = {.programs = programs, .machine = machine};
    const struct execution_pages *pages =
        machine->execution_profile ? execution_profile_pages(machine->execution_profile) : NULL;
    *programs = (struct program_codes){.count = 0};
    if (!pages)
        return;
    bool *taken = checked_memory(calloc((size_t)1 << (32 - PAGE_SHIFT), sizeof *taken));
    for (size_t i = 0; i < words; i++)
        taken[at[i] >> PAGE_SHIFT] = true;
    reading.page = execution_pages_sorted(pages, &reading.pages);
    choose_pages(&reading, taken);
    free(taken);
    reading.insn = profile_instructions(machine, 1u << MODE_USER, &reading.insns);
    programs->edge = execution_profile_edges(machine->execution_profile, &reading.edges);
    read_programs(&reading);
    free(reading.insn);
    free(reading.page);
}

void program_codes_release(struct program_codes *programs)
{
    for (size_t i = 0; i < programs->count; i++) {
        struct program_code *program = &programs->program[i];
        free(program->offset);
        free(program->at);
        free(program->range);
        free(program->word);
        free(program->count);
        free(program->routine);
    }
    free(programs->program);
    free(programs->edge);
}

paddr program_code_at(const struct program_code *program, paddr offset)
{
    size_t low = 0, high = program->code.words;
    while (low + 1 < high) {
        const size_t middle = (low + high) / 2;
        if (program->offset[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return program->at[low];
}
