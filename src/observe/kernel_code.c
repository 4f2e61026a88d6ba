#include "src/observe/kernel_code.h"

#include "annotations/tcl/annotate.h"
#include "src/memory/physmem.h"
#include "src/base/symbols.h"
#include "src/observe/profile.h"
#include <stdlib.h>

/* What is being read. */
struct reading {
    struct kernel_code *kernel;
    const struct machine *machine;
    size_t room;
    bool *page_seen; /* by physical page number: its code is known */
};

/* Add the words of the page at ADDRESS from there on, up to END. False if it is not in RAM, or known already: a guest
 * may map a page twice. */
static bool add_page(struct reading *reading, vaddr address, vaddr end)
{
    struct kernel_code *kernel = reading->kernel;
    struct core *core = reading->machine->cores[0];
    paddr at;
    if (!core_debug_translate(core, address, &at) || !physmem_page_is_ram(reading->machine->mem, at) || at % 4 != 0)
        return false;
    bool *seen = &reading->page_seen[at >> PAGE_SHIFT];
    if (*seen)
        return false;
    *seen = true;
    const size_t left = (PAGE_SIZE - address % PAGE_SIZE) / 4, wanted = (end - address) / 4;
    const size_t words = left < wanted ? left : wanted, first = kernel->code.words;
    if (first + words > reading->room) {
        reading->room = 2 * (first + words);
        kernel->at = checked_memory(realloc(kernel->at, reading->room * sizeof *kernel->at));
        kernel->word = checked_memory(realloc(kernel->word, reading->room * sizeof *kernel->word));
    }
    for (size_t i = 0; i < words; i++)
        kernel->at[first + i] = at + (paddr)i * 4;
    core_debug_read(core, address, &kernel->word[first], (uint32_t)(words * 4));
    kernel->code.words += words;
    return true;
}

/* Add the code from FIRST up to END, whose first word has KEY in the profile, as far as it is in memory. Returns the
 * number of its words. */
static size_t add_range(struct reading *reading, vaddr first, vaddr end, uint64_t key)
{
    struct kernel_code *kernel = reading->kernel;
    const size_t before = kernel->code.words;
    for (vaddr at = first; at < end && end - at >= 4 && add_page(reading, at, end);) {
        const vaddr next = (at & ~(vaddr)(PAGE_SIZE - 1)) + PAGE_SIZE;
        at = next > at ? next : end;
    }
    const size_t words = kernel->code.words - before;
    if (words == 0)
        return 0;
    kernel->range = checked_memory(realloc(kernel->range, (kernel->code.ranges + 1) * sizeof *kernel->range));
    kernel->range[kernel->code.ranges++] =
        (struct profiled_range){.first = first, .key = key, .words = words, .begin = before};
    return words;
}

/* A routine begins at word INDEX. */
static void add_routine(struct kernel_code *kernel, size_t index)
{
    struct profiled_code *code = &kernel->code;
    if (code->routines > 0 && kernel->routine[code->routines - 1] >= index)
        return;
    if ((code->routines & (code->routines + 1)) == 0) /* one less than a power of two: full */
        kernel->routine = checked_memory(realloc(kernel->routine, 2 * (code->routines + 1) * sizeof *kernel->routine));
    kernel->routine[code->routines++] = index;
}

static void add_text(struct reading *reading, vaddr first, vaddr end)
{
    const struct symbols *symbols = reading->machine->symbols;
    const struct symbol *symbol;
    const size_t words = add_range(reading, first, end, first);
    for (size_t i = 0; (symbol = symbols_get(symbols, i)) != NULL; i++)
        if (symbol->address >= first && (symbol->address - first) / 4 < words)
            add_routine(reading->kernel, (symbol->address - first) / 4);
}

static void add_module(void *opaque, const struct module_code *module)
{
    struct reading *reading = opaque;
    const size_t before = reading->kernel->code.words;
    const vaddr end = module->first + module->size;
    if (module->first % 4 != 0 || end < module->first)
        return;
    const size_t words =
        add_range(reading, module->first, end, annotate_profile_key((struct code_location){module->object, 0}));
    if (words == 0)
        return;
    reading->kernel->modules++;
    add_routine(reading->kernel, before);
    for (size_t i = 0; i < module->symbols; i++)
        if (module->symbol[i].address / 4 < words)
            add_routine(reading->kernel, before + module->symbol[i].address / 4);
}

static void read_counts(struct reading *reading)
{
    struct kernel_code *kernel = reading->kernel;
    const vaddr vectors = machine_exception_base(reading->machine);
    size_t count;
    struct execution_count *insn = profile_instructions(reading->machine, 1u << MODE_KERNEL | 1u << MODE_IDLE, &count);
    kernel->count = checked_memory(calloc(kernel->code.words + 1, sizeof *kernel->count));
    kernel->fixed = checked_memory(calloc(PAGE_SIZE / 4, sizeof *kernel->fixed));
    for (size_t i = 0; i < count; i++) {
        const ptrdiff_t index = profiled_code_of_key(&kernel->code, insn[i].key);
        if (index != PROFILED_NONE)
            kernel->count[index] = insn[i].count;
        else if (insn[i].key - vectors < PAGE_SIZE && kernel->fixed_count < PAGE_SIZE / 4)
            kernel->fixed[kernel->fixed_count++] =
                (struct fixed_code){vaddr_physical((vaddr)insn[i].key), insn[i].count};
    }
    free(insn);
}

bool kernel_code_read(struct kernel_code *kernel, const struct machine *machine, bool with_modules)
{
    struct reading reading = {.kernel = kernel, .machine = machine};
    vaddr first, end;
    *kernel = (struct kernel_code){.modules = 0};
    if (!machine->execution_profile || !symbols_text(machine->symbols, &first, &end) || first % 4 != 0 || end <= first)
        return false;
    reading.page_seen = checked_memory(calloc((size_t)1 << (32 - PAGE_SHIFT), sizeof *reading.page_seen));
    add_text(&reading, first, end);
    if (with_modules)
        annotate_each_module(machine->annotate, add_module, &reading);
    free(reading.page_seen);
    kernel->code.decoder = machine->cores[0]->decoder;
    kernel->code.range = kernel->range;
    kernel->code.word = kernel->word;
    kernel->code.routine = kernel->routine;
    read_counts(&reading);
    kernel->code.count = kernel->count;
    kernel->code.edge = kernel->edge = execution_profile_edges(machine->execution_profile, &kernel->code.edges);
    return true;
}

void kernel_code_release(struct kernel_code *kernel)
{
    free(kernel->at);
    free(kernel->fixed);
    free(kernel->range);
    free(kernel->word);
    free(kernel->count);
    free(kernel->routine);
    free(kernel->edge);
}
