#include "src/observe/trace_insns.h"

#include "cpu/observe/probe.h"
#include "cpu/registers.h"
#include <stdlib.h>

/* Of a core: its probe, and its last instruction, whose exception is known only with the next one. */
struct insns_core {
    struct trace_insns *insns;
    struct core_probe probe;
    bool holds, accesses; /* there is such an instruction; it has an access */
    struct reference fetch, access;
};

struct trace_insns {
    struct machine *machine;
    trace_insns_fn *refer;
    trace_process_fn *process;
    void *opaque;
    bool on;
    struct insns_core cores[BOARD_MAX_CPUS];
};

/* Deliver the instruction that CORE holds. FAULTED: its access raised an exception. */
static void release(struct insns_core *core, bool faulted)
{
    const struct trace_insns *insns = core->insns;
    if (!core->holds)
        return;
    insns->refer(insns->opaque, &core->fetch);
    if (core->accesses && !faulted)
        insns->refer(insns->opaque, &core->access);
    core->holds = false;
}

static void hold(struct insns_core *held, const struct core *core, const struct probe_sample *sample)
{
    const struct isa_decoded *decoded = isa_decode_cached(core->decoder, sample->physical, sample->word);
    held->holds = true;
    held->accesses = sample->accesses;
    held->fetch = (struct reference){.kind = REFERENCE_FETCH,
                                     .cpu = (uint8_t)core->number,
                                     .mode = (enum mode)sample->mode,
                                     .process = held->insns->process(held->insns->opaque, core),
                                     .address = sample->physical,
                                     .virtual_address = sample->pc,
                                     .size = 4,
                                     .word = sample->word,
                                     .now = sample->time};
    held->access = held->fetch;
    held->access.kind = sample->stores ? REFERENCE_WRITE : REFERENCE_READ;
    held->access.address = sample->data;
    held->access.virtual_address = sample->address;
    held->access.size = isa_table[decoded->id].bytes;
    held->access.word = 0;
}

/* An instruction has been executed. */
static void on_sample(void *opaque, struct core *core, enum probe_clock clock, const struct probe_sample *sample,
                      cycles count)
{
    struct insns_core *held = opaque;
    const struct trace_insns *insns = held->insns;
    (void)clock, (void)count;
    if (!insns->on)
        return;
    release(held, probe_was_raised_at(core, sample, held->fetch.virtual_address));
    if (sample->exception != PROBE_NO_EXCEPTION) {
        const uint8_t code = sample->exception & 31;
        const struct reference taken = {.kind = REFERENCE_EXCEPTION,
                                        .cpu = (uint8_t)core->number,
                                        .virtual_address = probe_exception_address(core),
                                        .word = code == REFERENCE_CODE_SYSTEM_CALL ? core_syscall_number(core) : 0,
                                        .code = code,
                                        .now = sample->time};
        insns->refer(insns->opaque, &taken);
    }
    if (sample->fetched)
        hold(held, core, sample);
}

struct trace_insns *trace_insns_create(struct machine *machine, trace_insns_fn *refer, trace_process_fn *process,
                                       void *opaque, struct err *err)
{
    for (unsigned i = 0; i < machine->cpus; i++)
        if (machine->cores[i]->probe != NULL) {
            err_set(err, "trace.level: 0 needs the pins of the CPUs, which the script's logic analysers have");
            return NULL;
        }
    struct trace_insns *insns = checked_memory(calloc(1, sizeof *insns));
    insns->machine = machine;
    insns->refer = refer;
    insns->process = process;
    insns->opaque = opaque;
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct insns_core *core = &insns->cores[i];
        core->insns = insns;
        core->probe.sample = on_sample;
        core->probe.opaque = core;
        core->probe.clocks[PROBE_GRADUATIONS] = true;
        probe_attach(machine->cores[i], &core->probe);
    }
    return insns;
}

void trace_insns_free(struct trace_insns *insns)
{
    if (!insns)
        return;
    for (unsigned i = 0; i < insns->machine->cpus; i++)
        probe_attach(insns->machine->cores[i], NULL);
    free(insns);
}

void trace_insns_start(struct trace_insns *insns)
{
    insns->on = true;
}

void trace_insns_stop(struct trace_insns *insns)
{
    for (unsigned i = 0; i < insns->machine->cpus; i++)
        release(&insns->cores[i], false);
    insns->on = false;
}
