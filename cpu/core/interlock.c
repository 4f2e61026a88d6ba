/* Instruction costs: parameters, and what each instruction waits for. */
#include "cpu/core/interlock.h"

#include <string.h>

#define COST_ROW(NAME, INITIAL, MIN, HELP)                                                                             \
    {                                                                                                                  \
        .name = "mipsy." NAME, .type = PARAM_INT, .traits = TRAIT_TIMED, .unit = "cycles", .initial = INITIAL,         \
        .min = MIN, .max = COST_MAX, .help = HELP                                                                      \
    }
#define LATENCY_ROW(NAME, HELP) COST_ROW("latency." NAME, "1", 1, "in-order models: latency of " HELP)
#define REPEAT_ROW(NAME, HELP)                                                                                         \
    COST_ROW("repeat." NAME, "1", 1, "in-order models: cycles until the unit takes the next instruction after " HELP)

const struct param_def interlock_param_defs[] = {
    COST_ROW("taken_delay", "0", 0, "in-order models: stall after the delay slot of a taken branch or jump"),
    COST_ROW(
        "latency.exception", "0", 0,
        "in-order models: cycles in which the pipeline is emptied and filled when an exception or interrupt is taken"),
    COST_ROW("latency.eret", "0", 0, "in-order models: cycles in which it is filled after eret"),
    LATENCY_ROW("alu", "integer arithmetic, jumps and CP0 reads"),
    LATENCY_ROW("shift", "shifts, nop, ext and ins"),
    LATENCY_ROW("multiply", "integer multiplication"),
    LATENCY_ROW("divide", "integer division"),
    LATENCY_ROW("load", "integer loads that hit; 2: a load delay of one cycle"),
    LATENCY_ROW("load_fp", "floating-point loads that hit"),
    LATENCY_ROW("store", "the result of sc"),
    LATENCY_ROW("fp_add", "floating-point addition"),
    LATENCY_ROW("fp_multiply", "floating-point multiplication"),
    LATENCY_ROW("fp_multiply_add", "floating-point multiplication with addition"),
    LATENCY_ROW("fp_divide_single", "single-precision division"),
    LATENCY_ROW("fp_divide_double", "double-precision division"),
    LATENCY_ROW("fp_sqrt_single", "single-precision square root"),
    LATENCY_ROW("fp_sqrt_double", "double-precision square root"),
    LATENCY_ROW("fp_convert", "floating-point conversion"),
    LATENCY_ROW("fp_compare", "floating-point comparison"),
    LATENCY_ROW("fp_move", "floating-point moves, movf and movt"),
    REPEAT_ROW("alu", "integer arithmetic, branches, jumps, traps and system instructions (unit: integer)"),
    REPEAT_ROW("shift", "a shift, nop, ext or ins (unit: shift)"),
    REPEAT_ROW("multiply", "an integer multiplication (unit: multiply and divide)"),
    REPEAT_ROW("divide", "an integer division (unit: multiply and divide)"),
    REPEAT_ROW("load", "an integer load (unit: loads and stores)"),
    REPEAT_ROW("load_fp", "a floating-point load (unit: loads and stores)"),
    REPEAT_ROW("store", "a store (unit: loads and stores)"),
    REPEAT_ROW("fp_add", "a floating-point addition (unit: addition, conversion, comparison and moves)"),
    REPEAT_ROW("fp_multiply", "a floating-point multiplication (unit: multiplication)"),
    REPEAT_ROW("fp_multiply_add", "a floating-point multiplication with addition (unit: multiplication)"),
    REPEAT_ROW("fp_divide_single", "a single-precision division (unit: division and square root)"),
    REPEAT_ROW("fp_divide_double", "a double-precision division (unit: division and square root)"),
    REPEAT_ROW("fp_sqrt_single", "a single-precision square root (unit: division and square root)"),
    REPEAT_ROW("fp_sqrt_double", "a double-precision square root (unit: division and square root)"),
    REPEAT_ROW("fp_convert", "a floating-point conversion (unit: as fp_add)"),
    REPEAT_ROW("fp_compare", "a floating-point comparison (unit: as fp_add)"),
    REPEAT_ROW("fp_move", "a floating-point move, movf or movt (unit: as fp_add)"),
};
const size_t interlock_param_count = sizeof interlock_param_defs / sizeof interlock_param_defs[0];

static uint8_t read_cost(const struct params *params, const char *kind, unsigned class)
{
    char name[48];
    snprintf(name, sizeof name, "mipsy.%s.%s", kind, isa_cost_name[class]);
    return (uint8_t)params_u64(params, name);
}

static void raise_longest(struct interlock_costs *costs, unsigned first, unsigned count, uint8_t cost)
{
    for (unsigned i = first; i < first + count; i++)
        if (costs->longest[i] < cost)
            costs->longest[i] = cost;
}

/* Any instruction of id ID may make the resources that it can define ready after its latency. */
static void raise_longest_of(struct interlock_costs *costs, enum isa_id id)
{
    const unsigned defines = isa_table[id].defines, class = isa_cost_class(id);
    const uint8_t latency = costs->latency[class];
    if (defines & (OPERAND_T | OPERAND_D | OPERAND_31))
        raise_longest(costs, 1, GPR_SINK - 1, latency);
    if (defines & OPERAND_HI)
        raise_longest(costs, RESOURCE_HI, 1, latency);
    if (defines & OPERAND_LO)
        raise_longest(costs, RESOURCE_LO, 1, latency);
    if (defines & (OPERAND_FS | OPERAND_FT | OPERAND_FD))
        raise_longest(costs, RESOURCE_FPR, 32, latency);
    if (defines & OPERAND_FCC)
        raise_longest(costs, RESOURCE_FCC, 1, latency);
    raise_longest(costs, RESOURCE_UNIT + isa_unit_of[class], 1, costs->repeat[class]);
}

bool interlock_costs_read(struct interlock_costs *costs, const struct params *params)
{
    memset(costs, 0, sizeof *costs);
    for (unsigned class = 0; class < COST_CLASSES; class ++) {
        costs->latency[class] = read_cost(params, "latency", class);
        costs->repeat[class] = read_cost(params, "repeat", class);
    }
    costs->taken_delay = (uint8_t)params_u64(params, "mipsy.taken_delay");
    for (enum isa_id id = 0; id < ISA_COUNT; id++)
        raise_longest_of(costs, id);
    costs->exception = (uint8_t)params_u64(params, "mipsy.latency.exception");
    costs->eret = (uint8_t)params_u64(params, "mipsy.latency.eret");
    bool any = costs->taken_delay > 0 || costs->exception > 0 || costs->eret > 0;
    for (unsigned i = 0; i < RESOURCES; i++)
        any |= costs->longest[i] > 1;
    return any;
}

/* Uses */

static void wait_for(const struct interlock_costs *costs, struct interlock_uses *uses, unsigned resource)
{
    if (costs->longest[resource] > 1)
        uses->wait[uses->waits++] = (uint8_t)resource;
}

/* A result: the instruction waits until an earlier one is there, too. */
static void set(const struct interlock_costs *costs, struct interlock_uses *uses, unsigned resource, uint8_t cost)
{
    wait_for(costs, uses, resource);
    if (costs->longest[resource] <= 1 || cost <= 1)
        return;
    uses->set[uses->sets].resource = (uint8_t)resource;
    uses->set[uses->sets++].cost = cost;
}

/* The resource that REG is. */
static unsigned resource_of(struct isa_register reg, bool fr)
{
    const unsigned number = reg.number;
    if (number >= ISA_REG_FCC)
        return RESOURCE_FCC;
    return number < ISA_REG_FPR ? number : RESOURCE_FPR + ((number - ISA_REG_FPR) & (fr ? 31u : 30u));
}

void interlock_find(const struct interlock_costs *costs, enum isa_id id, const struct insn *insn, bool fr,
                    struct interlock_uses *uses)
{
    const struct isa_row *row = &isa_table[id];
    const unsigned class = isa_cost_class(id);
    struct isa_register registers[ISA_REGISTERS_MAX];
    uses->waits = uses->sets = 0;
    const unsigned sources = isa_registers(id, insn, row->uses, registers);
    for (unsigned i = 0; i < sources; i++)
        wait_for(costs, uses, resource_of(registers[i], fr));
    const unsigned results = isa_registers(id, insn, row->defines, registers);
    for (unsigned i = 0; i < results; i++)
        set(costs, uses, resource_of(registers[i], fr), costs->latency[class]);
    if (row->class != CLASS_PREFETCH)
        set(costs, uses, RESOURCE_UNIT + isa_unit_of[class], costs->repeat[class]);
}

enum interlock interlock_of(unsigned resource)
{
    switch (resource) {
    case RESOURCE_HI:
    case RESOURCE_LO:
    case RESOURCE_UNIT + UNIT_MULTIPLY: return INTERLOCK_MULTIPLY;
    case RESOURCE_UNIT + UNIT_MEMORY: return INTERLOCK_MEMORY;
    case RESOURCE_UNIT + UNIT_INTEGER:
    case RESOURCE_UNIT + UNIT_SHIFT: return INTERLOCK_INTEGER;
    default: return resource < RESOURCE_FPR ? INTERLOCK_INTEGER : INTERLOCK_FP;
    }
}

void interlock_limit(struct core *core, const struct interlock_costs *costs)
{
    for (unsigned i = 0; i < RESOURCES; i++) {
        const cycles latest = core->s.cycle + (costs->longest[i] > 0 ? costs->longest[i] - 1u : 0);
        if (core->ready[i] > latest)
            core->ready[i] = latest;
    }
}

/* Checkpoints: the ready times as distances from the core's local time, which a machine with another clock counts
 * differently. */

/* A row for the interlocks of all modes from FIRST up to END. */
#define INTERLOCK_ROW(text, first, end)                                                                                \
    {                                                                                                                  \
        .name = text, .kind = SAVED_U64, .statistic = true,                                                            \
        .offset = offsetof(struct core, mode_buckets[0].interlock[first]), .count = (end) - (first),                   \
        .repeat = MODE_COUNT, .stride = sizeof(struct bucket)                                                          \
    }

static const struct saved_field fields[] = {INTERLOCK_ROW("mode_buckets.interlock", 0, INTERLOCK_RARE)};
static const struct saved_field entry_fields[] = {
    INTERLOCK_ROW("mode_buckets.entries", INTERLOCK_RARE, INTERLOCK_COUNT)};

static void write_ready(void *base, struct saved_out *out)
{
    const struct core *core = base;
    for (unsigned i = 0; i < RESOURCES; i++)
        saved_put_u32(out, core->ready[i] > core->s.cycle ? (uint32_t)(core->ready[i] - core->s.cycle) : 0);
}

static bool read_ready(void *base, struct saved_in *in, struct err *err)
{
    struct core *core = base;
    for (unsigned i = 0; i < RESOURCES; i++) {
        uint32_t distance;
        if (!saved_get_u32(in, &distance))
            return false;
        if (distance > COST_MAX)
            return err_set(err, "a result is ready after %u cycles, more than %d", distance, COST_MAX);
        core->ready[i] = core->s.cycle + distance; /* the section of s.cycle comes first */
    }
    return true;
}

void interlock_register_saved(struct core *core, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_ready, .read = read_ready};
    char name[24];
    snprintf(name, sizeof name, "cpu%u.interlock", core->number);
    saved_add(saved, &(struct saved_section){
                         .name = name, .version = 1, .optional = true, .base = core, SAVED_TABLE(fields), .ops = &ops});
    snprintf(name, sizeof name, "cpu%u.entries", core->number);
    saved_add(saved, &(struct saved_section){
                         .name = name, .version = 1, .optional = true, .base = core, SAVED_TABLE(entry_fields)});
}
