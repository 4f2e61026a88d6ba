/*
 * Bare machines for tests of src/: a machine from parameters, and short programs.
 */
#ifndef SIMOS_TESTS_UNIT_MACHINE_PROGRAM_H
#define SIMOS_TESTS_UNIT_MACHINE_PROGRAM_H

#include "src/machine/machine.h"
#include "src/machine/machine_power.h"
#include <string.h>

enum { PROGRAM_BASE = 0x00200000 };
#define PROGRAM_PC (0x80000000u | PROGRAM_BASE)

/* Encodings, MIPS32 volume II. */
#define NOP                  0x00000000u
#define WAIT                 0x42000020u
#define ADDIU(rt, rs, imm)   (0x24000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((imm)&0xffff))
#define LUI(rt, imm)         (0x3c000000u | (unsigned)(rt) << 16 | ((imm)&0xffff))
#define ORI(rt, rs, imm)     (0x34000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((imm)&0xffff))
#define LW(rt, offset, base) (0x8c000000u | (unsigned)(base) << 21 | (unsigned)(rt) << 16 | ((offset)&0xffff))
#define SW(rt, offset, base) (0xac000000u | (unsigned)(base) << 21 | (unsigned)(rt) << 16 | ((offset)&0xffff))
#define BRANCH_BACK(insns)   (0x10000000u | ((unsigned)(-(insns)-1) & 0xffff)) /* to INSNS before itself */
#define MTC0(rt, rd)         (0x40800000u | (unsigned)(rt) << 16 | (unsigned)(rd) << 11)

/* `wait` for an interrupt on IP2 that never occurs; uses $t0. */
#define WAIT_FOR_IP2 ORI(8, 0, 1 << 10), MTC0(8, 12), WAIT

/* mipsy only interprets, and embra translates at the first execution, so that programs which run once test both. */
#define NO_WARM_UP "mipsy.translate_after=0"

/* Create a machine: NO_WARM_UP and COUNT assignments applied to the defaults. */
static inline struct machine *machine_of(const char *const *assignments, size_t count, const struct machine_host *host,
                                         void *opaque)
{
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    if (!params_set_assignment(options.params, NO_WARM_UP, &err))
        log_bug("%s", err.text);
    for (size_t i = 0; i < count; i++)
        if (!params_set_assignment(options.params, assignments[i], &err))
            log_bug("%s", err.text);
    struct machine *machine = machine_create(&options, host, opaque, &err);
    if (!machine)
        log_bug("%s", err.text);
    machine_options_release(&options);
    return machine;
}

#define MACHINE_OF(...)                                                                                                \
    machine_of((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), NULL,  \
               NULL)

/* Copy COUNT words to PROGRAM_BASE and start CPU there. */
static inline void start_program(struct machine *machine, unsigned cpu, const uint32_t *words, size_t count)
{
    memcpy(physmem_host(machine->mem, PROGRAM_BASE), words, count * sizeof *words);
    machine_power_on(machine, cpu, PROGRAM_PC);
}

#endif
