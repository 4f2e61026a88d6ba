#include "cpu/privileged/state_compare.h"

#include "cpu/privileged/register_access.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool state_may_differ(const struct cpu *a, const struct cpu *b)
{
    const size_t before = offsetof(struct cpu, gpr[GPR_SINK]), after = offsetof(struct cpu, gpr[GPR_SINK + 1]);
    return memcmp(a, b, before) != 0 ||
           memcmp((const char *)a + after, (const char *)b + after, sizeof *a - after) != 0;
}

struct visitor {
    state_visit_fn *visit;
    void *opaque;
};

static void show(const struct visitor *v, bool is_flag, uint64_t a, uint64_t b, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static void show(const struct visitor *v, bool is_flag, uint64_t a, uint64_t b, const char *format, ...)
{
    char name[40];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    v->visit(v->opaque, name, is_flag, a, b);
}

#define HEX(a, b, ...)  show(v, false, (a), (b), __VA_ARGS__)
#define FLAG(a, b, ...) show(v, true, (a), (b), __VA_ARGS__)

static void show_registers(const struct visitor *v, const struct cpu *a, const struct cpu *b)
{
    const bool slot = a->in_delay_slot || b->in_delay_slot;
    HEX(a->pc, b->pc, "pc");
    FLAG(a->in_delay_slot, b->in_delay_slot, "in_delay_slot");
    HEX(a->delayed_register, b->delayed_register, "delayed_register");
    HEX(a->delayed_value, b->delayed_value, "delayed_value");
    HEX(slot ? a->branch_target : 0, slot ? b->branch_target : 0, "branch_target");
    for (unsigned i = 0; i < GPR_SINK; i++)
        HEX(a->gpr[i], b->gpr[i], "%s", isa_gpr_name(i));
    HEX(a->hi, b->hi, "hi");
    HEX(a->lo, b->lo, "lo");
    HEX(a->fcr31, b->fcr31, "FCSR");
    for (unsigned i = 0; i < 32; i++)
        HEX((uint64_t)a->fpr[i][1] << 32 | a->fpr[i][0], (uint64_t)b->fpr[i][1] << 32 | b->fpr[i][0], "f%u", i);
}

static void show_cp0(const struct visitor *v, const struct architecture *architecture, const struct cpu *a,
                     const struct cpu *b)
{
    for (unsigned i = 0; i < CP0_COUNT_OF_REGISTERS; i++) {
        const char *name = register_name(architecture, REGISTER_SYSTEM + i);
        if (name)
            HEX(a->cp0[i], b->cp0[i], "%s", name);
        else if (a->cp0[i] != b->cp0[i])
            HEX(a->cp0[i], b->cp0[i], "cp0[%u, %u]", i / CP0_SELECTS, i % CP0_SELECTS);
    }
    HEX(a->count_base, b->count_base, "count_base");
    HEX(a->bootstrap_base, b->bootstrap_base, "bootstrap_base");
}

static bool tlb_entry_differs(const struct tlb_entry *a, const struct tlb_entry *b)
{
    return a->page_mask != b->page_mask || a->vpn2 != b->vpn2 || a->asid != b->asid || a->global != b->global ||
           a->lo[0] != b->lo[0] || a->lo[1] != b->lo[1];
}

static void show_tlb(const struct visitor *v, const struct cpu *a, const struct cpu *b)
{
    for (unsigned i = 0; i < TLB_MAX_ENTRIES; i++) {
        const struct tlb_entry *x = &a->tlb[i], *y = &b->tlb[i];
        if (!tlb_entry_differs(x, y))
            continue;
        HEX(x->vpn2, y->vpn2, "tlb[%u].vpn2", i);
        HEX(x->asid, y->asid, "tlb[%u].asid", i);
        FLAG(x->global, y->global, "tlb[%u].global", i);
        HEX(x->page_mask, y->page_mask, "tlb[%u].page_mask", i);
        HEX(x->lo[0], y->lo[0], "tlb[%u].lo0", i);
        HEX(x->lo[1], y->lo[1], "tlb[%u].lo1", i);
    }
}

static void show_link(const struct visitor *v, const struct cpu *a, const struct cpu *b)
{
    const bool linked = a->ll_bit || b->ll_bit;
    FLAG(a->ll_bit, b->ll_bit, "ll_bit");
    HEX(linked ? a->ll_address : 0, linked ? b->ll_address : 0, "ll_address");
}

void state_visit(const struct architecture *architecture, const struct cpu *a, const struct cpu *b,
                 state_visit_fn *visit, void *opaque)
{
    const struct visitor visitor = {visit, opaque};
    show_registers(&visitor, a, b);
    show_cp0(&visitor, architecture, a, b);
    show_tlb(&visitor, a, b);
    show_link(&visitor, a, b);
}
