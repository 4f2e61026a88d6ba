/* Instructions as a probe sees them (cpu/observe/probe.h): interpreted one by one, each with its cycles. */
#include "cpu/inorder/inorder.h"
#include "cpu/observe/probe.h"
#include <string.h>

struct inorder_probed {
    bool issued; /* the instruction executes; otherwise its fetch raised an exception, or a hook stopped the run */
    enum mode fetched; /* the mode at its fetch, and from its hooks on */
    enum mode mode;
    struct bucket before, issue_before; /* the buckets of these modes before the instruction */
    uint64_t uncached_fetch_stalls;     /* before it */
    uint64_t hook_cycles;               /* likewise */
    cycles entry_cycles[INTERLOCK_COUNT - INTERLOCK_RARE];
    struct probe_sample sample;
    struct memsys_entry stale; /* the line in the place of the instruction's, if that is not in the cache */
};

void inorder_probe_issue(struct inorder *in, vaddr pc, paddr address, uint32_t word)
{
    const struct core *core = in->core;
    struct inorder_probed *p = in->probed;
    p->issued = true;
    p->mode = core->mode;
    if (p->mode != p->fetched)
        p->issue_before = core->mode_buckets[p->mode];
    probe_set_insn(core, &p->sample, pc, address, word);
    probe_set_access(core, &p->sample);
}

/* The line that a fetch from PC would replace; not valid if PC's line is in the cache. */
static struct memsys_entry find_stale(const struct inorder *in, vaddr pc)
{
    const struct core *core = in->core;
    struct probe_sample at = {.time = 0};
    if (in->memsys == NULL)
        return (struct memsys_entry){.valid = false};
    probe_set_insn_at(core, &at, pc);
    const paddr line = layout_code(in->layout, at.physical);
    if (!at.fetched || memsys_look(in->memsys, core->number, MEMSYS_L1I, line).valid)
        return (struct memsys_entry){.valid = false};
    return memsys_look_victim(
        in->memsys, core->number, MEMSYS_L1I,
        &(struct memsys_request){.address = line, .virtual_address = pc, .space = core_space(core, pc)});
}

static cycles stall_of(const struct bucket *before, const struct bucket *now, enum stall stall)
{
    return now->stall[stall] - before->stall[stall];
}

/* Deliver COUNT cycles in STATE. */
static void deliver_cycles(struct core *core, struct probe_sample *sample, unsigned state, cycles count)
{
    if (count == 0)
        return;
    sample->state = (uint8_t)state;
    probe_deliver(core, PROBE_CYCLES, sample, count);
    sample->time += count;
}

/* The first cycle of an instruction whose line misses: the bus has a word of the line STALE. */
static void show_stale(struct core *core, struct probe_sample *sample, const struct memsys_entry *stale, uint32_t line)
{
    const paddr at = stale->line + (sample->physical & (line - 1));
    struct probe_sample first = *sample;
    first.fetched = first.accesses = false;
    if (stale->valid && physmem_page_is_ram(core->mem, at))
        probe_set_insn(core, &first, sample->pc, at, *(const uint32_t *)(const void *)physmem_host(core->mem, at));
    first.physical = sample->physical; /* the address that the processor drives */
    first.state = PROBE_RUN;
    probe_deliver(core, PROBE_CYCLES, &first, 1);
    probe_deliver(core, PROBE_FETCHES, &first, 1);
}

/* The cycles from the first one to the end of the fetch. RUNS: the cycle of execution is one of them. */
static void deliver_fetch(struct inorder *in, struct inorder_probed *p, bool runs)
{
    struct core *core = in->core;
    const struct bucket *now = &core->mode_buckets[p->fetched];
    const bool missed = now->miss[MISS_L1I] != p->before.miss[MISS_L1I];
    const cycles uncached = in->uncached_fetch_stalls - p->uncached_fetch_stalls;
    const cycles stalls[] = {stall_of(&p->before, now, STALL_L1I), stall_of(&p->before, now, STALL_L2I), uncached};
    const unsigned states[] = {PROBE_STALL + STALL_L1I, PROBE_STALL + STALL_L2I, PROBE_STALL + STALL_UNCACHED};
    const cycles stalled = stalls[0] + stalls[1] + stalls[2];
    struct probe_sample *sample = &p->sample, waiting = *sample;
    waiting.fetched = waiting.accesses = false;
    sample->mode = (uint8_t)p->mode;
    sample->state = PROBE_RUN;
    if (runs && missed && p->issued && stalled > 0) {
        show_stale(core, sample, &p->stale, in->fetch_line);
    } else if (runs) {
        probe_deliver(core, PROBE_CYCLES, sample, 1);
    }
    probe_note_misses(core->probe, p->before.miss, now->miss, MISS_L1I, MISS_L1I);
    probe_note_misses(core->probe, p->before.miss, now->miss, MISS_L2_INSN, MISS_L2_INSN);
    if (p->issued)
        probe_deliver(core, PROBE_FETCHES, sample, 1);
    waiting.time = sample->time + runs;
    cycles left = stalled;
    for (unsigned i = 0; i < 3; i++) {
        const bool last = stalls[i] > 0 && stalls[i] == left && missed && p->issued; /* the word arrives */
        waiting.mode =
            (uint8_t)(states[i] == PROBE_STALL + STALL_UNCACHED ? p->mode : p->fetched); /* after its hooks */
        deliver_cycles(core, &waiting, states[i], stalls[i] - last);
        if (last) {
            struct probe_sample arrives = *sample;
            arrives.time = waiting.time++;
            arrives.mode = waiting.mode;
            deliver_cycles(core, &arrives, states[i], 1);
        }
        left -= stalls[i];
    }
    sample->time = waiting.time;
}

/* The cycles of its hooks, WAITING without its fetch. */
static void deliver_hooks(struct inorder *in, const struct inorder_probed *p, struct probe_sample *waiting)
{
    struct probe_sample hooked = *waiting;
    hooked.accesses = false;
    deliver_cycles(in->core, &hooked, PROBE_RUN, in->hook_cycles - p->hook_cycles);
    waiting->time = hooked.time;
}

/* The cycles after the fetch. */
static void deliver_execution(struct inorder *in, struct inorder_probed *p)
{
    struct core *core = in->core;
    const struct bucket *now = &core->mode_buckets[p->mode];
    const struct bucket *before = p->mode == p->fetched ? &p->before : &p->issue_before;
    struct probe_sample waiting = p->sample;
    waiting.fetched = false;
    deliver_hooks(in, p, &waiting);
    for (unsigned i = 0; i < INTERLOCK_BRANCH; i++)
        deliver_cycles(core, &waiting, PROBE_INTERLOCK + i, now->interlock[i] - before->interlock[i]);
    probe_note_misses(core->probe, before->miss, now->miss, MISS_L1D_READ, MISS_L1D_WRITE);
    probe_note_misses(core->probe, before->miss, now->miss, MISS_L2_DATA, MISS_UPGRADE);
    for (enum stall i = STALL_L1D; i < STALL_COUNT; i++) {
        const cycles of_fetch = i == STALL_UNCACHED ? in->uncached_fetch_stalls - p->uncached_fetch_stalls : 0;
        deliver_cycles(core, &waiting, PROBE_STALL + i, stall_of(before, now, i) - of_fetch);
    }
    waiting.accesses = false;
    deliver_cycles(core, &waiting, PROBE_INTERLOCK + INTERLOCK_BRANCH,
                   now->interlock[INTERLOCK_BRANCH] - before->interlock[INTERLOCK_BRANCH]);
    p->sample.time = waiting.time;
}

/* The cycles of the walk for its fetch, if that raised an exception; and those of an exception or eret, which belong to
 * the mode that follows. */
static void deliver_rest(struct inorder *in, struct inorder_probed *p)
{
    struct core *core = in->core;
    struct probe_sample waiting = {.time = p->sample.time, .mode = (uint8_t)p->fetched};
    if (!p->issued)
        deliver_cycles(core, &waiting, PROBE_STALL + STALL_PAGE_WALK,
                       stall_of(&p->before, &core->mode_buckets[p->fetched], STALL_PAGE_WALK));
    waiting.mode = (uint8_t)core->mode;
    for (unsigned i = INTERLOCK_RARE; i < INTERLOCK_COUNT; i++)
        deliver_cycles(core, &waiting, PROBE_INTERLOCK + i,
                       in->entry_cycles[i - INTERLOCK_RARE] - p->entry_cycles[i - INTERLOCK_RARE]);
}

void inorder_probe_interrupt(struct inorder *in, cycles duration)
{
    struct core *core = in->core;
    struct probe_sample waiting = {.time = (cycles)((int64_t)in->end - in->budget) - duration,
                                   .mode = (uint8_t)core->mode};
    deliver_cycles(core, &waiting, PROBE_INTERLOCK + INTERLOCK_ENTRY, duration);
}

/* Interpret an instruction and show it. */
static enum inorder_step probed_step(struct inorder *in, struct inorder_probed *p)
{
    struct core *core = in->core;
    const uint64_t insns = in->insns_offset + ((cycles)((int64_t)in->end - in->budget) - in->stalls);
    p->issued = false;
    p->fetched = p->mode = core->mode;
    p->before = core->mode_buckets[p->fetched];
    p->uncached_fetch_stalls = in->uncached_fetch_stalls;
    p->hook_cycles = in->hook_cycles;
    memcpy(p->entry_cycles, in->entry_cycles, sizeof p->entry_cycles);
    p->sample = (struct probe_sample){.time = (cycles)((int64_t)in->end - in->budget), .graduated = 1};
    p->stale = find_stale(in, core->s.pc);
    probe_signal_exception(core->probe);
    const enum inorder_step how = inorder_step(in, false);
    const bool runs = in->insns_offset + ((cycles)((int64_t)in->end - in->budget) - in->stalls) != insns;
    deliver_fetch(in, p, runs);
    if (p->issued)
        deliver_execution(in, p);
    deliver_rest(in, p);
    if (runs) {
        p->sample.state = PROBE_RUN;
        probe_deliver(core, PROBE_GRADUATIONS, &p->sample, 1);
    }
    return how;
}

void inorder_execute_probed(void *model)
{
    struct inorder *in = model;
    struct inorder_probed probed;
    in->probed = &probed;
    while (in->budget > 0 && probed_step(in, &probed) != INORDER_LEAVE)
        ;
    in->probed = NULL;
}
