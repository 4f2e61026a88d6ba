#include "tests/diff/harness.h"
#include "cpu/cp0.h"
#include "src/machine_power.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct machine *harness_machine(const char *const *assignments)
{
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    options.quiet = true;
    if (!params_set_assignment(options.params, "machine.memory=16M", &err))
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
    /* GIC: the CP0 timer goes to pin 5 of its own processor. */
    physmem_device_write(machine->mem, BOARD_GIC_BASE + 0x8048, 4, cpu, 0x80000005);
    physmem_device_write(machine->mem, BOARD_GIC_BASE + 0x8010, 4, cpu, 1 << 2);
}

char *harness_stats(const struct machine *machine)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        log_bug("out of memory");
    stats_write_json(machine->stats, out);
    fclose(out);
    return text;
}

struct report {
    char *text;
    size_t size;
    bool differs;
};

static void check(struct report *r, uint64_t a, uint64_t b, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void check(struct report *r, uint64_t a, uint64_t b, const char *format, ...)
{
    if (r->differs || a == b)
        return;
    r->differs = true;
    char name[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    snprintf(r->text, r->size, "%s is 0x%llx in one and 0x%llx in the other", name, (unsigned long long)a,
             (unsigned long long)b);
}

static bool depends_on_time(unsigned number)
{
    return number == CP0_PERFCNT0 || number == CP0_PERFCNT1;
}

static void compare_cpus(struct report *r, unsigned n, const struct cpu *a, const struct cpu *b, bool time)
{
    check(r, a->insns, b->insns, "cpu %u: insns", n);
    check(r, a->pc, b->pc, "cpu %u: pc", n);
    check(r, a->in_delay_slot, b->in_delay_slot, "cpu %u: in_delay_slot", n);
    if (a->in_delay_slot)
        check(r, a->branch_target, b->branch_target, "cpu %u: branch_target", n);
    for (unsigned i = 0; i < 32; i++)
        check(r, a->gpr[i], b->gpr[i], "cpu %u: $%s", n, isa_gpr_name(i));
    check(r, a->hi, b->hi, "cpu %u: hi", n);
    check(r, a->lo, b->lo, "cpu %u: lo", n);
    for (unsigned i = 0; i < 64; i++)
        check(r, a->fpr[i / 2][i % 2], b->fpr[i / 2][i % 2], "cpu %u: $f%u[%u]", n, i / 2, i % 2);
    check(r, a->fcr31, b->fcr31, "cpu %u: FCSR", n);
    for (unsigned i = 0; i < CP0_COUNT_OF_REGISTERS; i++)
        if (time || !depends_on_time(i))
            check(r, a->cp0[i], b->cp0[i], "cpu %u: cp0[%u, %u]", n, i / 8, i % 8);
    for (unsigned i = 0; i < TLB_MAX_ENTRIES; i++) {
        const struct tlb_entry *x = &a->tlb[i], *y = &b->tlb[i];
        check(r, x->page_mask, y->page_mask, "cpu %u: tlb[%u].page_mask", n, i);
        check(r, x->vpn2, y->vpn2, "cpu %u: tlb[%u].vpn2", n, i);
        check(r, x->asid, y->asid, "cpu %u: tlb[%u].asid", n, i);
        check(r, x->global, y->global, "cpu %u: tlb[%u].global", n, i);
        check(r, x->lo[0], y->lo[0], "cpu %u: tlb[%u].lo[0]", n, i);
        check(r, x->lo[1], y->lo[1], "cpu %u: tlb[%u].lo[1]", n, i);
    }
    check(r, a->ll_bit, b->ll_bit, "cpu %u: ll_bit", n);
    check(r, a->ll_address, b->ll_address, "cpu %u: ll_address", n);
    check(r, a->waiting, b->waiting, "cpu %u: waiting", n);
    check(r, a->running, b->running, "cpu %u: running", n);
    if (time) {
        check(r, a->count_base, b->count_base, "cpu %u: count_base", n);
        check(r, a->cycle, b->cycle, "cpu %u: cycle", n);
    }
}

static void compare_memory(struct report *r, const struct machine *a, const struct machine *b)
{
    const uint8_t *x = physmem_host(a->mem, 0), *y = physmem_host(b->mem, 0);
    if (memcmp(x, y, LAYOUT_END) == 0)
        return;
    for (paddr at = 0; at < LAYOUT_END; at++)
        check(r, x[at], y[at], "the byte at 0x%x", at);
}

static void compare_stats(struct report *r, const struct machine *a, const struct machine *b)
{
    char *x = harness_stats(a), *y = harness_stats(b);
    if (!r->differs && strcmp(x, y) != 0) {
        size_t at = 0;
        while (x[at] == y[at])
            at++;
        while (at > 0 && x[at - 1] != '\n')
            at--;
        r->differs = true;
        snprintf(r->text, r->size, "statistics: %.*s and %.*s", (int)strcspn(x + at, "\n"), x + at,
                 (int)strcspn(y + at, "\n"), y + at);
    }
    free(x);
    free(y);
}

const char *harness_compare(struct machine *a, struct machine *b, bool time, char *text, size_t size)
{
    struct report r = {.text = text, .size = size};
    for (unsigned i = 0; i < a->cpus; i++)
        compare_cpus(&r, i, &a->cores[i]->s, &b->cores[i]->s, time);
    compare_memory(&r, a, b);
    if (time)
        compare_stats(&r, a, b);
    return r.differs ? text : NULL;
}
