/*
 * Micro-benchmarks for mxs: a few instructions on a bare machine, and the cycle in which a given instruction
 * graduates. The pipeline is that of docs/reference/mxs.md with defaults: an instruction fetched in cycle f can issue
 * in f
 * + 2; issued in i with latency l it completes, can graduate, and forwards its result to instructions that issue, in i
 * + l; after a mispredicted branch completes, fetch resumes 1 cycle later.
 */
#ifndef SIMOS_TESTS_UNIT_MXS_BENCH_H
#define SIMOS_TESTS_UNIT_MXS_BENCH_H

#include "cache/memsys.h"
#include "tests/unit/machine_program.h"

enum {
    ZERO = 0,
    A0 = 4,
    A1 = 5,
    T0 = 8,
    T1 = 9,
    T2 = 10,
    T3 = 11,
    T4 = 12,
    T5 = 13,
    T6 = 14,
    T7 = 15,
    S0 = 16,
    RA = 31
};

#define R_TYPE(rs, rt, rd, sa, function)                                                                               \
    ((unsigned)(rs) << 21 | (unsigned)(rt) << 16 | (unsigned)(rd) << 11 | (unsigned)(sa) << 6 | (function))
#define SLL(rd, rt, sa)    R_TYPE(0, rt, rd, sa, 0)
#define ADDU(rd, rs, rt)   R_TYPE(rs, rt, rd, 0, 0x21)
#define XORI(rt, rs, imm)  (0x38000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((imm)&0xffff))
#define MUL(rd, rs, rt)    (0x70000002u | R_TYPE(rs, rt, rd, 0, 0))
#define BNE(rs, rt, insns) (0x14000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((unsigned)(insns)&0xffff))
#define BEQ(rs, rt, insns) (0x10000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((unsigned)(insns)&0xffff))
#define JAL(address)       (0x0c000000u | (((address) >> 2) & 0x3ffffff))
#define JR(rs)             R_TYPE(rs, 0, 0, 0, 8)

/* Address of the data: kseg0, cached. */
enum { DATA_BASE = 0x00400000 };
#define DATA_HIGH 0x8040

/* Memory system of the 1996 machine: L2 hit 10 cycles, memory 60. */
#define CACHES_1996                                                                                                    \
    "cache.l1i.size=32K", "cache.l1i.line=64", "cache.l1i.ports=2", "cache.l1i.outstanding=4", "cache.l1d.size=32K",   \
        "cache.l1d.line=32", "cache.l1d.ports=2", "cache.l1d.outstanding=4", "cache.l2.size=1M", "cache.l2.ways=2",    \
        "cache.l2.outstanding=4", "memory.l2_hit_time=50ns", "memory.miss_time=300ns", "cpu.clock=200MHz"

#define BENCH(...) MACHINE_OF("cpu.model=mxs", "mxs.check=on", "machine.memory=16M", __VA_ARGS__)

/* The cycle in which instruction number INSNS (from 1) graduates. */
static inline cycles bench_graduates(struct machine *machine, uint64_t insns)
{
    if (machine_run(machine, &(struct machine_limits){CYCLES_NEVER, insns}) != MACHINE_STOP_INSNS)
        log_bug("the program ended");
    return machine->cores[0]->s.cycle;
}

/* Cycles from the graduation of instruction FIRST to that of LAST. */
static inline cycles bench_between(struct machine *machine, uint64_t first, uint64_t last)
{
    cycles from = bench_graduates(machine, first);
    return bench_graduates(machine, last) - from;
}

/* Fill WORDS with COUNT copies of PATTERN. */
static inline void bench_repeat(uint32_t *words, size_t count, const uint32_t *pattern, size_t length)
{
    for (size_t i = 0; i < count; i++)
        words[i] = pattern[i % length];
}

static inline double bench_value(struct machine *machine, const char *name)
{
    double value = 0;
    if (!stats_value(machine->stats, name, &value))
        log_bug("no counter %s", name);
    return value;
}

#endif
