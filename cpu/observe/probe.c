#include "cpu/observe/probe.h"

#include "cpu/observe/executions.h"
#include "src/measure/measures.h"

const char *probe_state_name(unsigned state)
{
    if (state == PROBE_RUN)
        return "run";
    if (state < PROBE_INTERLOCK)
        return stall_name(state - PROBE_STALL);
    if (state < PROBE_PIPELINE)
        return interlock_name(state - PROBE_INTERLOCK);
    return state < PROBE_WAIT ? pipeline_name(state - PROBE_PIPELINE) : "wait";
}

static const struct probe_signals no_signals = {.exception = PROBE_NO_EXCEPTION};

void probe_attach(struct core *core, struct core_probe *probe)
{
    core->probe = probe;
    if (probe == NULL)
        return;
    probe->taken = PROBE_NO_EXCEPTION;
    for (unsigned clock = 0; clock < PROBE_CLOCKS; clock++)
        probe->signal[clock] = no_signals;
}

void probe_note_exception(struct core_probe *probe, unsigned code)
{
    probe->taken = (uint8_t)code;
}

void probe_signal_exception(struct core_probe *probe)
{
    if (SIM_LIKELY(probe->taken == PROBE_NO_EXCEPTION))
        return;
    for (struct probe_signals *at = probe->signal; at < probe->signal + PROBE_CLOCKS; at++) {
        at->any = true;
        at->exception = probe->taken;
    }
    probe->taken = PROBE_NO_EXCEPTION;
}

void probe_note_misses(struct core_probe *probe, const uint64_t before[MISS_COUNT], const uint64_t now[MISS_COUNT],
                       enum miss first, enum miss last)
{
    for (unsigned i = first; i <= last; i++) {
        if (SIM_LIKELY(before[i] == now[i]))
            continue;
        for (struct probe_signals *at = probe->signal; at < probe->signal + PROBE_CLOCKS; at++) {
            at->any = true;
            at->misses[i] = (uint8_t)(at->misses[i] + (now[i] - before[i]));
        }
    }
}

void probe_note_squash(struct core_probe *probe, uint64_t count)
{
    for (struct probe_signals *at = probe->signal; at < probe->signal + PROBE_CLOCKS; at++) {
        at->any = true;
        at->squashed = (uint16_t)(at->squashed + count);
    }
}

void probe_set_insn(const struct core *core, struct probe_sample *sample, vaddr pc, paddr physical, uint32_t word)
{
    const struct isa_decoded *decoded = isa_decode_cached(core->decoder, physical, word);
    sample->fetched = true;
    sample->pc = pc;
    sample->physical = physical;
    sample->word = word;
    sample->kind = (uint8_t)mix_kind_of((enum isa_id)decoded->id, &decoded->insn);
}

/* The physical address of virtual ADDRESS in RAM, by CORE's present translations. */
static bool find_ram(const struct core *core, vaddr address, paddr *physical)
{
    const uintptr_t addend = core->map->load[address >> PAGE_SHIFT];
    if (addend != 0) {
        *physical = (paddr)(addend + address); /* physical memory is aligned to 4 GB on the host */
        return true;
    }
    return tlb_probe_address(core, address, physical) && physmem_page_is_ram(core->mem, *physical);
}

void probe_set_insn_at(const struct core *core, struct probe_sample *sample, vaddr pc)
{
    paddr physical;
    sample->fetched = false;
    if ((pc & 3) == 0 && find_ram(core, pc, &physical))
        probe_set_insn(core, sample, pc, physical, *(const uint32_t *)(const void *)physmem_host(core->mem, physical));
}

void probe_set_access(const struct core *core, struct probe_sample *sample)
{
    const struct isa_decoded *decoded = isa_decode_cached(core->decoder, sample->physical, sample->word);
    const uint32_t flags = isa_table[decoded->id].flags;
    sample->accesses = flags & (INSN_LOAD | INSN_STORE);
    if (!sample->accesses)
        return;
    sample->stores = flags & INSN_STORE;
    sample->address = isa_address((enum isa_id)decoded->id, &decoded->insn, core->s.gpr);
    if (!find_ram(core, sample->address, &sample->data) &&
        !tlb_probe_address(core, sample->address, &sample->data)) /* it raises an exception */
        sample->data = 0;
}

/* Move the signals of CLOCK to SAMPLE. Of several misses of a kind, a cycle has one, and the others stay. */
static void take_signals(struct probe_signals *signals, enum probe_clock clock, struct probe_sample *sample)
{
    struct probe_signals left = no_signals;
    sample->exception = signals->exception;
    sample->squashed = signals->squashed;
    for (unsigned i = 0; i < MISS_COUNT; i++) {
        if (signals->misses[i] == 0)
            continue;
        sample->misses |= (uint8_t)(1u << i);
        if (clock == PROBE_CYCLES && signals->misses[i] > 1) {
            left.any = true;
            left.misses[i] = (uint8_t)(signals->misses[i] - 1);
        }
    }
    *signals = left;
}

static void clear_signals(struct probe_sample *sample)
{
    sample->exception = PROBE_NO_EXCEPTION;
    sample->misses = 0;
    sample->squashed = 0;
}

void probe_deliver(struct core *core, enum probe_clock clock, struct probe_sample *sample, cycles count)
{
    struct core_probe *probe = core->probe;
    const cycles time = sample->time;
    if (!probe->clocks[clock])
        return;
    clear_signals(sample);
    for (; count > 0 && probe->signal[clock].any; count--) {
        take_signals(&probe->signal[clock], clock, sample);
        probe->sample(probe->opaque, core, clock, sample, 1);
        clear_signals(sample);
        sample->time++;
    }
    if (count > 0)
        probe->sample(probe->opaque, core, clock, sample, count);
    sample->time = time;
}

void probe_wait(struct core *core, cycles now, cycles duration)
{
    struct probe_sample sample = {.time = now, .state = PROBE_WAIT, .mode = MODE_IDLE};
    probe_deliver(core, PROBE_CYCLES, &sample, duration);
}

vaddr probe_exception_address(const struct core *core)
{
    return core->s.cp0[CP0_EPC];
}

bool probe_was_raised_at(const struct core *core, const struct probe_sample *sample, vaddr pc)
{
    const vaddr epc = probe_exception_address(core);
    return sample->exception != PROBE_NO_EXCEPTION && sample->exception != EXC_INT && (epc == pc || epc == pc - 4);
}
