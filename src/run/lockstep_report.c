/* The report of a difference between two machines. */
#include "src/run/lockstep_pair.h"
#include "src/base/printable.h"

#include "src/base/symbols.h"
#include <inttypes.h>
#include <string.h>

enum { NAME_WIDTH = 24, VALUE_WIDTH = 22, MEMORY_WORDS = 32 };

struct printer {
    FILE *out;
    unsigned left;    /* values that may still be printed */
    bool only_marked; /* print differing values only */
    bool differs;
    char *what; /* receives the first difference */
    size_t size;
};

static void print_figure(void *opaque, const struct compare_figure *figure)
{
    struct printer *p = opaque;
    char first[64], second[64];
    compare_text(figure, 0, first, sizeof first);
    compare_text(figure, 1, second, sizeof second);
    p->differs |= figure->differs;
    if (figure->differs && !*p->what)
        snprintf(p->what, p->size, "%s is %s and %s", figure->name, first, second);
    bool nothing = figure->form == COMPARE_HEX && figure->value[0] == 0;
    if (p->out && p->left && (figure->differs || (!p->only_marked && !nothing))) {
        p->left--;
        fprintf(p->out, "%s %-*s %*s %*s\n", figure->differs ? "=>" : "  ", NAME_WIDTH, figure->name, VALUE_WIDTH,
                first, VALUE_WIDTH, second);
    }
}

static void print_heading(const struct lockstep_pair *pair)
{
    fprintf(pair->setup->report, "   %-*s %*s %*s\n", NAME_WIDTH, "(0 in both: left out)", VALUE_WIDTH,
            pair->setup->name[0], VALUE_WIDTH, pair->setup->name[1]);
}

/* Print all state of CPU if anything in it differs, except what is 0 in both machines. */
static void print_cpu(const struct lockstep_pair *pair, unsigned cpu, char *what, size_t size)
{
    struct printer silent = {.what = what, .size = size};
    struct printer p = {.out = pair->setup->report, .left = UINT32_MAX, .what = what, .size = size};
    compare_visit_cpu(pair->compare, cpu, print_figure, &silent);
    if (!silent.differs) {
        fprintf(p.out, "   cpu%u is the same\n", cpu);
        return;
    }
    compare_visit_cpu(pair->compare, cpu, print_figure, &p);
}

static void print_step(const struct lockstep_pair *pair, const struct lockstep_step *step, bool last)
{
    const struct machine *machine = pair->machine[0];
    const struct symbol *symbol = machine->symbols ? symbols_at(machine->symbols, step->pc) : NULL;
    char text[128] = "not mapped";
    if (step->word_known)
        isa_disassemble(machine->decoder, step->word, step->pc, text, sizeof text);
    FILE *out = pair->setup->report;
    fprintf(out, "%s %12" PRIu64 "  cpu%u  %08" PRIx32 "  %s%-32s", last ? "=>" : "  ", step->number, step->cpu,
            step->pc, step->slot ? "  " : "", text);
    if (symbol && !vaddr_in_kuseg(step->pc))
        fprintf(out, "  %s+0x%" PRIx32, PRINTABLE(symbol->name), step->pc - symbol->address);
    if (step->interrupt)
        fputs("  (after an interrupt)", out);
    if (step->exception >= 0)
        fprintf(out, "  (exception %d)", step->exception);
    fputc('\n', out);
}

static void print_history(const struct lockstep_pair *pair, const struct lockstep_trace *trace)
{
    uint64_t end = pair->insns;
    fprintf(pair->setup->report, "the last instructions of %s (number, CPU, address; delay slots are indented):\n",
            pair->setup->name[0]);
    for (uint64_t number = end > LOCKSTEP_HISTORY ? end - LOCKSTEP_HISTORY + 1 : 1; number <= end; number++) {
        const struct lockstep_step *step = &trace->steps[number % LOCKSTEP_HISTORY];
        if (step->number == number)
            print_step(pair, step, number == end);
    }
}

static void print_stepped(const struct lockstep_pair *pair, const struct lockstep_trace *trace)
{
    FILE *out = pair->setup->report;
    if (trace->stepped_difference == pair->insns)
        fputs("when single-stepped they differ after the same instruction\n", out);
    else if (trace->stepped_difference)
        fprintf(out, "when single-stepped they already differ after instruction %" PRIu64 "\n",
                trace->stepped_difference);
    else
        fputs("when single-stepped they do not differ: the difference depends on how many instructions run at a time\n",
              out);
}

void lockstep_report(const struct lockstep_pair *pair, const struct lockstep_trace *trace, const uint32_t *pages,
                     unsigned page_count, char *what, size_t size)
{
    FILE *out = pair->setup->report;
    struct printer all = {.out = out, .left = UINT32_MAX, .what = what, .size = size};
    struct printer marked = {.out = out, .left = UINT32_MAX, .only_marked = true, .what = what, .size = size};
    struct printer memory = {.out = out, .left = MEMORY_WORDS, .only_marked = true, .what = what, .size = size};
    fprintf(out, "\nlockstep: %s and %s differ after instruction %" PRIu64 "\n", pair->setup->name[0],
            pair->setup->name[1], pair->insns);
    lockstep_pair_describe(pair, what, size);
    if (*what)
        fprintf(out, "=> %s\n", what);
    print_history(pair, trace);
    print_stepped(pair, trace);
    print_heading(pair);
    for (unsigned cpu = 0; cpu < pair->machine[0]->cpus; cpu++)
        print_cpu(pair, cpu, what, size);
    compare_visit_machine(pair->compare, print_figure, &all);
    compare_visit_statistics(pair->compare, print_figure, &marked);
    compare_visit_pages(pair->compare, pages, page_count, print_figure, &memory);
    if (!memory.left)
        fputs("   further words of RAM differ\n", out);
    fflush(out);
}
