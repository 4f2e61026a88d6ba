#include "cpu/privileged/register_access.h"

#include "cpu/model.h"
#include "cpu/privileged/semantics.h"
#include <strings.h>

enum { GENERAL_REGISTERS = 32, FPRS = 32 };

static bool is_single(unsigned number)
{
    return number >= REGISTER_SINGLE && number < REGISTER_SINGLE + FPRS;
}

static bool is_double(unsigned number)
{
    return number >= REGISTER_DOUBLE && number < REGISTER_DOUBLE + FPRS;
}

unsigned register_bytes(unsigned number)
{
    return is_double(number) ? 8 : 4;
}

/* The word of S that holds register NUMBER; NULL: none does alone. */
static uint32_t *word_of(struct cpu *s, unsigned number)
{
    if (number < GENERAL_REGISTERS)
        return &s->gpr[number];
    if (is_single(number))
        return &s->fpr[number - REGISTER_SINGLE][0];
    if (number >= REGISTER_SYSTEM && number < REGISTER_NUMBERS)
        return &s->cp0[number - REGISTER_SYSTEM];
    switch (number) {
    case REGISTER_PC: return &s->pc;
    case REGISTER_HI: return &s->hi;
    case REGISTER_LO: return &s->lo;
    case REGISTER_FCSR: return &s->fcr31;
    default: return NULL;
    }
}

/* With Status.FR = 0 the odd registers have no upper half. */
static bool is_half(const struct cpu *s, unsigned fpr)
{
    return (fpr & 1) && !(s->cp0[CP0_STATUS] & STATUS_FR);
}

uint64_t register_stored(const struct architecture *architecture, const struct cpu *s, unsigned number)
{
    const unsigned fpr = number - REGISTER_DOUBLE;
    if (number == REGISTER_FIR)
        return architecture->fir;
    if (is_double(number))
        return is_half(s, fpr) ? s->fpr[fpr][0] : fpu_read_double(s, fpr);
    return *word_of((struct cpu *)(uintptr_t)s, number);
}

void register_store(struct cpu *s, unsigned number, uint64_t value)
{
    const unsigned fpr = number - REGISTER_DOUBLE;
    if (is_double(number) && is_half(s, fpr))
        s->fpr[fpr][0] = (uint32_t)value;
    else if (is_double(number))
        fpu_write_double(s, fpr, value);
    else if (number != 0 && number != REGISTER_FIR)
        *word_of(s, number) = (uint32_t)value;
}

uint64_t register_writable(const struct architecture *architecture, unsigned number)
{
    switch (number) {
    case 0:
    case REGISTER_FIR: return 0;
    case REGISTER_FCSR: return architecture->fcsr_writable;
    case REGISTER_PC: return ~UINT64_C(3);
    case REGISTER_BADVADDR: return UINT64_MAX;
    default: return number < REGISTER_SYSTEM ? UINT64_MAX : architecture->cp0[number - REGISTER_SYSTEM].write_mask;
    }
}

uint64_t register_read(struct core *core, unsigned number)
{
    return number < REGISTER_SYSTEM ? register_stored(core->architecture, &core->s, number)
                                    : cp0_read(core, number - REGISTER_SYSTEM);
}

void register_write(struct core *core, unsigned number, uint64_t value)
{
    core_registers_changed(core);
    core_settle_load(core);
    if (number >= REGISTER_SYSTEM) {
        cp0_write(core, number - REGISTER_SYSTEM, (uint32_t)value);
        return;
    }
    if (number == REGISTER_PC) {
        core->s.in_delay_slot = false;
        core->resume.hook_stopped = false;
    }
    register_store(&core->s, number, value & register_writable(core->architecture, number));
}

unsigned register_of_fpr(const struct core *core, unsigned fpr)
{
    return (core->s.cp0[CP0_STATUS] & STATUS_FR ? REGISTER_DOUBLE : REGISTER_SINGLE) + fpr;
}

const char *register_name(const struct architecture *architecture, unsigned number)
{
    static const char fpr_names[FPRS][4] = {
        "f0",  "f1",  "f2",  "f3",  "f4",  "f5",  "f6",  "f7",  "f8",  "f9",  "f10", "f11", "f12", "f13", "f14", "f15",
        "f16", "f17", "f18", "f19", "f20", "f21", "f22", "f23", "f24", "f25", "f26", "f27", "f28", "f29", "f30", "f31",
    };
    if (number < GENERAL_REGISTERS)
        return isa_gpr_name(number);
    if (is_single(number))
        return fpr_names[number - REGISTER_SINGLE];
    switch (number) {
    case REGISTER_PC: return "pc";
    case REGISTER_HI: return "hi";
    case REGISTER_LO: return "lo";
    case REGISTER_FCSR: return "fcsr";
    default:
        return number >= REGISTER_SYSTEM && number < REGISTER_NUMBERS ? architecture->cp0[number - REGISTER_SYSTEM].name
                                                                      : NULL;
    }
}

int register_find(const struct architecture *architecture, const char *name)
{
    for (unsigned number = 0; number < REGISTER_NUMBERS; number++) {
        const char *known = register_name(architecture, number);
        if (known && strcasecmp(known, name) == 0)
            return (int)number;
    }
    return isa_gpr_number(name);
}
