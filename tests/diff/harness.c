#include "tests/diff/harness.h"
#include "cpu/privileged/cp0.h"
#include "src/run/compare.h"
#include "src/machine/machine_power.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct machine *harness_machine(const char *const *assignments)
{
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    options.quiet = true;
    /* mipsy only interprets, embra translates at the first execution */
    if (!params_set_assignment(options.params, "machine.memory=16M", &err) ||
        !params_set_assignment(options.params, "mipsy.translate_after=0", &err))
        log_bug("%s", err.text);
    for (; *assignments; assignments++)
        if (!params_set_assignment(options.params, *assignments, &err))
            log_bug("%s", err.text);
    struct machine *machine = machine_create(&options, NULL, NULL, &err);
    if (!machine)
        log_bug("%s", err.text);
    machine_options_release(&options);
    return machine;
}

void harness_load(struct machine *machine, const struct image *image)
{
    for (uint32_t page = 0; page < LAYOUT_END >> PAGE_SHIFT; page++)
        if (image->used[page])
            memcpy(physmem_host(machine->mem, page << PAGE_SHIFT), image->bytes + (page << PAGE_SHIFT), PAGE_SIZE);
}

void harness_start(struct machine *machine, unsigned cpu, const struct context *context)
{
    struct core *core = machine->cores[cpu];
    struct cpu *s = &core->s;
    machine_power_on(machine, cpu, context->start);
    memcpy(s->gpr, context->gpr, sizeof context->gpr);
    s->gpr[0] = 0;
    s->hi = context->hi;
    s->lo = context->lo;
    s->fcr31 = context->fcsr;
    for (unsigned i = 0; i < 32; i++) {
        s->fpr[i][0] = (uint32_t)context->fpr[i];
        s->fpr[i][1] = context->status & STATUS_FR ? (uint32_t)(context->fpr[i] >> 32) : 0;
    }
    s->cp0[CP0_STATUS] = context->status;
    s->cp0[CP0_EBASE] = (0x80000000u + LAYOUT_DRIVER) | cpu;
    s->cp0[CP0_CONTEXT] = 0x80000000u + LAYOUT_TABLE;
    s->cp0[CP0_INTCTL] = 0;
    s->cp0[CP0_HWRENA] = 0x2000000f;
    core_state_changed(core);
    /* GIC: route the CP0 timer to pin 5 of its own processor. */
    physmem_device_write(machine->mem, BOARD_GIC_BASE + 0x8048, 4, cpu, 0x80000005);
    physmem_device_write(machine->mem, BOARD_GIC_BASE + 0x8010, 4, cpu, 1 << 2);
}

struct result_files {
    char *text;
    size_t size;
    bool time, differs;
};

/* Is NAME, of the values of a CPU, affected by instruction timing? */
static bool depends_on_time(const char *name)
{
    static const char *const names[] = {"cycle",    "charged_cycle", "count_base", "PerfCnt0",
                                        "PerfCnt1", "mode[0].",      "mode[1].",   "mode[2]."};
    name = strchr(name, '.') + 1;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static void check(void *opaque, const struct compare_figure *figure)
{
    struct result_files *r = opaque;
    char first[64], second[64];
    if (r->differs || !figure->differs || (!r->time && depends_on_time(figure->name)))
        return;
    compare_text(figure, 0, first, sizeof first);
    compare_text(figure, 1, second, sizeof second);
    snprintf(r->text, r->size, "%s is %s in one and %s in the other", figure->name, first, second);
    r->differs = true;
}

const char *harness_compare(struct machine *a, struct machine *b, bool time, char *text, size_t size)
{
    enum { PAGES = 4 };
    struct result_files r = {.text = text, .size = size, .time = time};
    struct compare *compare = compare_create(a, b);
    uint32_t pages[PAGES];
    for (unsigned i = 0; i < a->cpus; i++)
        compare_visit_cpu(compare, i, check, &r);
    r.time = true;
    if (time) {
        compare_visit_machine(compare, check, &r);
        compare_visit_statistics(compare, check, &r);
    }
    unsigned count = compare_memory(compare, pages, PAGES);
    compare_visit_pages(compare, pages, count, check, &r);
    compare_free(compare);
    return r.differs ? text : NULL;
}

static void print(void *opaque, const struct compare_figure *figure)
{
    unsigned *left = opaque;
    char first[64], second[64];
    if (!figure->differs || *left == 0)
        return;
    --*left;
    compare_text(figure, 0, first, sizeof first);
    compare_text(figure, 1, second, sizeof second);
    printf("  %-24s %20s %20s\n", figure->name, first, second);
}

void harness_print_differences(struct machine *a, struct machine *b, unsigned limit)
{
    enum { PAGES = 4 };
    struct compare *compare = compare_create(a, b);
    uint32_t pages[PAGES];
    for (unsigned i = 0; i < a->cpus; i++)
        compare_visit_cpu(compare, i, print, &limit);
    compare_visit_machine(compare, print, &limit);
    compare_visit_statistics(compare, print, &limit);
    compare_visit_pages(compare, pages, compare_memory(compare, pages, PAGES), print, &limit);
    compare_free(compare);
}

void harness_print_around(struct machine *machine, unsigned cpu)
{
    const struct cpu *s = &machine->cores[cpu]->s;
    printf("cpu %u: Status %08" PRIx32 ", Cause %08" PRIx32 ", EPC %08" PRIx32 "%s\n", cpu, s->cp0[CP0_STATUS],
           s->cp0[CP0_CAUSE], s->cp0[CP0_EPC], s->in_delay_slot ? ", in a delay slot" : "");
    for (unsigned i = 0; i < 32; i++)
        printf("%5s %08" PRIx32 "%s", isa_gpr_name(i), s->gpr[i], i % 8 == 7 ? "\n" : "");
    for (vaddr pc = s->pc - 24; pc != s->pc + 20; pc += 4) {
        uint32_t word;
        char line[128] = "not there";
        if (core_debug_read(machine->cores[cpu], pc, &word, sizeof word) == sizeof word)
            isa_disassemble(machine->decoder, word, pc, line, sizeof line);
        printf("%s %08" PRIx32 "  %s\n", pc == s->pc ? "=>" : "  ", pc, line);
    }
}
