/*
 * Instruction costs of the in-order models (mipsy, embra): the latency of a result and the repeat rate of a functional
 * unit. Without them every instruction takes one cycle.
 *
 * An instruction issues when the registers that it reads and writes are ready and its unit is free; until then the CPU
 * stalls (an interlock: Kane and Heinrich, MIPS RISC Architecture, chapters 1 and 6). An instruction that issues at
 * time T has its result ready at T + latency, and its unit free at T + repeat. Units and pending results advance while
 * the CPU waits for memory. After the delay slot of a branch or jump that goes elsewhere than behind the slot, the CPU
 * stalls for `taken_delay` cycles. When it takes an exception or interrupt it stalls for `exception` cycles, and after
 * eret for `eret`: the pipeline is emptied and filled again. These cycles are charged to the mode that follows. A
 * prefetch is a hint, for which nothing waits: it needs no unit.
 *
 * Not modelled: bypasses between particular instructions, such as from lwl to lwr; results that are ready earlier for
 * one operand than for another; reads of FCSR do not wait for pending operations; the floating-point condition codes
 * are one register; with Status.FR = 0 the two registers of a pair are one.
 *
 * The ready times are in core->ready[], local time in cycles.
 */
#ifndef SIMOS_CPU_CORE_INTERLOCK_H
#define SIMOS_CPU_CORE_INTERLOCK_H

#include "cpu/core.h"

/* What an instruction may have to wait for: a general register is its number, HI and LO are as in struct cpu. */
enum interlock_resource {
    RESOURCE_HI = GPR_COUNT,
    RESOURCE_LO,
    RESOURCE_FPR, /* 32 of them */
    RESOURCE_FCC = RESOURCE_FPR + 32,
    RESOURCE_UNIT, /* one per enum isa_unit */
    RESOURCES = RESOURCE_UNIT + UNITS
};
_Static_assert((int)RESOURCES <= (int)CORE_RESOURCES, "core->ready has room");

struct interlock_costs {
    uint8_t latency[COST_CLASSES], repeat[COST_CLASSES]; /* cycles, 1 to COST_MAX */
    uint8_t taken_delay;                                 /* cycles, 0 to COST_MAX */
    uint8_t exception, eret;                             /* likewise */
    /* The maximum number of cycles from an issue until each resource is ready. */
    uint8_t longest[RESOURCES];
};

/* Rows of the parameters mipsy.latency.*, mipsy.repeat.* and mipsy.taken_delay. */
extern const struct param_def interlock_param_defs[];
extern const size_t interlock_param_count;

/* Read the parameters. False if every instruction takes one cycle, so that nothing ever waits. */
bool interlock_costs_read(struct interlock_costs *costs, const struct params *params);

/* The resources that an instruction waits for, in the order in which stalls are charged, and those that it makes
 * ready later than in the next cycle. */
struct interlock_uses {
    uint8_t waits, sets;
    uint8_t wait[12];
    struct {
        uint8_t resource, cost; /* ready `cost` cycles after the issue, 2 to COST_MAX */
    } set[5];
};

/* Find the uses of the instruction INSN of id ID, with FR the value of Status.FR. Resources that are always ready are
 * left out. */
void interlock_find(const struct interlock_costs *costs, enum isa_id id, const struct insn *insn, bool fr,
                    struct interlock_uses *uses);

/* The row of accounts that a stall for RESOURCE is charged to. */
enum interlock interlock_of(unsigned resource);

/* The ready times come from a machine with other costs: limit them to what COSTS allows between two instructions. */
void interlock_limit(struct core *core, const struct interlock_costs *costs);

/* Register the checkpoint section "cpuN.interlock". */
void interlock_register_saved(struct core *core, struct saved *saved);

#endif
