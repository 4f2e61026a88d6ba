/* Processors: creation, reset, modes and attribution, PC hooks. */
#include "cpu/core.h"
#include "cpu/core/isolated.h"
#include "cpu/privileged/cp0.h"
#include "cpu/observe/executions.h"
#include "cpu/observe/probe.h"
#include "cpu/privileged/mode_change.h"
#include "cpu/privileged/page_walker.h"
#include "cpu/model.h"
#include "cpu/privileged/tlb.h"
#include "cpu/privileged/translation_caches.h"
#include "cpu/privileged/vmap.h"
#include "cpu/privileged/watch_registers.h"
#include <stdlib.h>
#include <string.h>

static const struct architecture *const architectures[] = {
#define ARCHITECTURE(name) &name,
#include "cpu/architectures.def"
};

/* "NAME|NAME" ..., behind its first character. */
static const char architecture_choices[] =
#define ARCHITECTURE(name) "|" #name
#include "cpu/architectures.def"
    ;

const struct architecture *architecture_at(unsigned i)
{
    return i < sizeof architectures / sizeof architectures[0] ? architectures[i] : NULL;
}

const struct architecture *architecture_named(const char *name)
{
    const struct architecture *architecture;
    for (unsigned i = 0; (architecture = architecture_at(i)); i++)
        if (strcmp(architecture->name, name) == 0)
            return architecture;
    log_bug("no architecture %s", name);
}

const struct param_def core_param_defs[] = {
    {.name = "cpu.architecture",
     .type = PARAM_CHOICE,
     .traits = TRAIT_FIXED | TRAIT_HARDWARE,
     .unit = "",
     .initial = "mips32r2",
     .choices = architecture_choices + 1,
     .help = "architecture of the processors: MIPS32 release 2, or that of the MIPS R3000 (MIPS I, a TLB of 64 entries "
             "of one page)"},
    {.name = "cpu.tlb_entries",
     .type = PARAM_INT,
     .traits = TRAIT_FIXED | TRAIT_HARDWARE,
     .unit = "entries",
     .initial = "32",
     .min = 16,
     .max = TLB_MAX_ENTRIES,
     .help =
         "number of entries of each processor's TLB; each maps two pages (the R3000's has 64 of one page). More than "
         "64: Config4.MMUSizeExt has the rest"},
    {.name = "execution.counts",
     .type = PARAM_CHOICE,
     .traits = TRAIT_TIMED | TRAIT_OBSERVES,
     .unit = "",
     .initial = "off",
     .choices = "off|mix|profile|calls",
     .help = "count the kinds of instructions that execute (mix), and the executions of each basic block (profile), "
             "and what calls cost, for --profile FILE.callgrind (calls; interprets)"},
    {.name = "cpu.watch_registers",
     .type = PARAM_BOOL,
     .traits = TRAIT_FIXED | TRAIT_HARDWARE,
     .initial = "off",
     .help =
         "each processor has watch registers (WatchLo, WatchHi): two pairs for fetches and two for loads and stores, "
         "which debuggers in the guest use; the R3000 has none"},
    {.name = "cpu.page_walker",
     .type = PARAM_BOOL,
     .traits = TRAIT_FIXED | TRAIT_HARDWARE,
     .initial = "off",
     .help = "each processor has a hardware page-table walker (Config3.PW), which loads the TLB from page tables in "
             "memory; the guest's kernel turns it on; the R3000 has none"},
    {.name = "cpu.page_walk_cache",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED | TRAIT_HARDWARE,
     .unit = "entries",
     .initial = "0",
     .max = 256,
     .help = "number of entries of directories that each page-table walker keeps, so that it does not load them again"},
    {.name = "cpu.tlb2_entries",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED | TRAIT_HARDWARE,
     .unit = "entries",
     .initial = "0",
     .max = 16384,
     .help = "number of entries of each processor's second-level TLB, each of two pages of 4 KB, in which a miss of "
             "the TLB is looked up before a walk; 0: there is none"},
    {.name = "cpu.tlb2_ways",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED | TRAIT_HARDWARE,
     .unit = "ways",
     .initial = "4",
     .min = 1,
     .max = 64,
     .help = "associativity of the second-level TLB"},
    {.name = "cpu.tlb2_latency",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED | TRAIT_HARDWARE,
     .unit = "cycles",
     .initial = "7",
     .max = 1000,
     .help = "cycles of a lookup in the second-level TLB, whether it hits or misses"},
    {.name = "cpu.fpu_denormals",
     .type = PARAM_CHOICE,
     .traits = TRAIT_FIXED | TRAIT_HARDWARE,
     .unit = "",
     .initial = "trap",
     .choices = "trap|compute",
     .help = "denormalized numbers: trap (Unimplemented Operation, as on the chip) or compute in the FPU"},
};
const size_t core_param_count = sizeof core_param_defs / sizeof core_param_defs[0];

struct core *core_create(const struct core_config *config, struct err *err)
{
    if (config->tlb_entries < 1 || config->tlb_entries > TLB_MAX_ENTRIES || config->number >= config->cpus)
        log_bug("core %u of %u with %u TLB entries", config->number, config->cpus, config->tlb_entries);
    struct core *core = vmap_create_core(err);
    if (!core)
        return NULL;
    core->architecture = config->architecture;
    core->number = config->number;
    core->cpus = config->cpus;
    core->tlb_entries = config->architecture->tlb.entries ? config->architecture->tlb.entries : config->tlb_entries;
    core->has_load_delay = config->architecture->level == LEVEL_1;
    core->has_watch_registers = config->has_watch_registers && config->architecture->exceptions[EXC_WATCH].name != NULL;
    core->moves_pages = config->moves_pages;
    core->reports_tlb = config->reports_tlb;
    core->has_page_walker = config->has_page_walker && config->architecture->cp0[CP0_PWCTL].name != NULL;
    if (core->has_page_walker && config->translation != NULL)
        core->translation = translation_caches_create(config->translation);
    core->fpu_traps_denormals = config->fpu_traps_denormals;
    core->fpu_pin = config->fpu_pin;
    core->has_interlocks = config->has_interlocks;
    core->has_entry_costs = config->has_entry_costs;
    core->machine_levels = config->machine_levels;
    core->has_streams = config->has_streams;
    core->has_prefetch = config->has_prefetch;
    core->decoder = config->decoder;
    core->mem = config->mem;
    core->queue = config->queue;
    core->log = config->log;
    core->hooks = config->hooks;
    core->hooks_opaque = config->hooks_opaque;
    core->reports_mode = config->reports_mode;
    core->self = core;
    core->peers = config->cpus == 1 ? &core->self : NULL;
    core->insns_end = UINT64_MAX;
    core->mode = MODE_KERNEL;
    core->bucket = &core->mode_buckets[MODE_KERNEL];
    event_init(&core->timer, "cpu timer", cp0_timer_fire, core);
    event_init(&core->perf_check, "performance counters", cp0_perf_check, core);
    core->width = 1;
    core_reset(core, core->architecture->reset_vector);
    event_cancel(core->queue, &core->timer);
    core->s.running = false;
    return core;
}

void core_free(struct core *core)
{
    if (!core)
        return;
    if (event_is_scheduled(&core->timer))
        event_cancel(core->queue, &core->timer);
    if (event_is_scheduled(&core->perf_check))
        event_cancel(core->queue, &core->perf_check);
    free(core->pc_hooks);
    translation_caches_free(core->translation);
    isolated_free(core);
    executions_free(core);
    vmap_free_core(core);
}

void core_reset(struct core *core, vaddr pc)
{
    struct cpu *s = &core->s;
    bool timer_was_high = s->cp0[CP0_CAUSE] & CAUSE_TI;
    memset(s->gpr, 0, sizeof s->gpr);
    memset(s->fpr, 0, sizeof s->fpr);
    s->hi = s->lo = s->fcr31 = 0;
    s->pc = pc;
    s->bootstrap_base = core->architecture->reset_vector;
    s->in_delay_slot = false;
    s->branch_target = 0;
    s->delayed_register = 0;
    s->delayed_value = 0;
    s->ll_bit = false;
    s->ll_address = 0;
    s->waiting = false;
    s->running = true;
    s->count_base = 0;
    cp0_reset(core);
    cp0_perf_reset(core);
    tlb_reset(core);
    core->exception = (struct exception){0};
    core->in_idle_loop = core->idle_interrupted = false;
    core->resume = (struct core_resume){.hook_pc = CORE_NO_PC, .fetched_pc = CORE_NO_PC};
    if (timer_was_high) {
        s->cp0[CP0_CAUSE] |= CAUSE_TI;
        cp0_write(core, CP0_COMPARE, 0); /* lowers the output line */
    }
    core_state_changed(core);
    if (core->model)
        core->model_ops->invalidate_all(core->model);
}

void core_set_bootstrap(struct core *core, vaddr pc)
{
    core->s.bootstrap_base = pc & ~(vaddr)(PAGE_SIZE - 1);
}

void core_state_changed(struct core *core)
{
    tlb_rebuild(core);
    vmap_invalidate_all(core);
    page_walker_update(core);
    cp0_perf_state_changed(core);
    core_update_isolation(core);
    core_update_checked(core);
    core_mode_update(core);
    vmap_select(core);
    cp0_timer_arm(core);
    core->fault.valid = false;
    core->attention = true;
}

void core_sync(struct core *core)
{
    if (core->model)
        core->model_ops->sync(core->model);
}

/* Attribution */

void core_account(struct core *core)
{
    core_charge(core);
    if (SIM_UNLIKELY(core->executions != NULL))
        executions_flush(core);
}

void core_switch_bucket(struct core *core, struct bucket *bucket)
{
    core_sync(core);
    core_charge(core);
    core->bucket = bucket;
}

void core_schedule(struct core *core, struct event *event, cycles now, cycles when)
{
    const cycles before = event_queue_next(core->queue);
    core->queue->now = now;
    event_schedule(core->queue, event, when);
    if (event_queue_next(core->queue) != before)
        core->attention = true;
}

void core_add_wait(struct core *core, cycles duration)
{
    core_account(core);
    struct bucket *bucket = core_charges_modes(core) ? &core->mode_buckets[MODE_IDLE] : core->bucket;
    bucket->cycles += duration;
    bucket->wait += duration;
    if (SIM_UNLIKELY(core->probe != NULL))
        probe_wait(core, core->s.cycle, duration);
    core->s.cycle += duration;
    core->charged_cycle = core->s.cycle;
    if (core->observer && core->observer->wait_ended)
        core->observer->wait_ended(core->observer_opaque, core, duration);
}

void core_notify_mode_changed(struct core *core, enum mode before)
{
    if (core->reports_mode)
        core->hooks->mode_changed(core->hooks_opaque, core);
    if (core->observer && core->observer->mode_changed)
        core->observer->mode_changed(core->observer_opaque, core, before);
}

void core_mode_update(struct core *core)
{
    core_mode_update_by(core, core_sync);
}

void core_idle_begin(struct core *core)
{
    core->in_idle_loop = true;
    core->idle_interrupted = false;
    core_mode_update(core);
}

void core_idle_end(struct core *core)
{
    core->in_idle_loop = core->idle_interrupted = false;
    core_mode_update(core);
}

/* PC hooks */

/* Index of the first hook at or above ADDRESS. */
static unsigned first_hook(const struct core *core, vaddr address)
{
    unsigned low = 0, high = core->pc_hook_count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (core->pc_hooks[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static unsigned filter_word(vaddr address)
{
    return address >> 8 & (CORE_HOOK_FILTER - 1);
}

static uint64_t filter_bit(vaddr address)
{
    return (uint64_t)1 << (address >> 2 & 63);
}

static void add_to_filter(struct core *core, vaddr address)
{
    core->pc_hook_filter[filter_word(address)] |= filter_bit(address);
}

/* A kseg0 address belongs to one physical page; a mapped address may belong to any page. */
static void hooks_changed(struct core *core, vaddr address)
{
    if (core->model && core->model_ops->hook_changed)
        core->model_ops->hook_changed(core->model, address);
    else if (core->model && vaddr_in_kseg0(address))
        core->model_ops->invalidate_page(core->model, vaddr_physical(address) & ~(paddr)(PAGE_SIZE - 1));
    else if (core->model)
        core->model_ops->invalidate_all(core->model);
    core->attention = true;
}

void core_hook_add(struct core *core, vaddr address, pc_hook_fn *call, void *opaque)
{
    core_hook_add_timed(core, address, call, opaque, 0);
}

void core_hook_add_timed(struct core *core, vaddr address, pc_hook_fn *call, void *opaque, cycles duration)
{
    unsigned place = first_hook(core, address), count = core->pc_hook_count;
    struct pc_hook *hooks = checked_memory(realloc(core->pc_hooks, (count + 1) * sizeof *hooks));
    while (place < count && hooks[place].address == address)
        place++;
    memmove(hooks + place + 1, hooks + place, (count - place) * sizeof *hooks);
    hooks[place] = (struct pc_hook){.address = address, .call = call, .opaque = opaque, .duration = duration};
    core->pc_hooks = hooks;
    core->pc_hook_count = count + 1;
    core->timed_hooks += duration > 0;
    add_to_filter(core, address);
    hooks_changed(core, address);
}

static bool is_hook_at(const struct core *core, unsigned place, vaddr address)
{
    return place < core->pc_hook_count && core->pc_hooks[place].address == address;
}

void core_hook_remove(struct core *core, vaddr address, pc_hook_fn *call, void *opaque)
{
    for (unsigned place = first_hook(core, address); is_hook_at(core, place, address); place++) {
        struct pc_hook *hook = &core->pc_hooks[place];
        if (hook->call != call || hook->opaque != opaque)
            continue;
        core->timed_hooks -= hook->duration > 0;
        memmove(hook, hook + 1, (core->pc_hook_count - place - 1) * sizeof *hook);
        core->pc_hook_count--;
        memset(core->pc_hook_filter, 0, sizeof core->pc_hook_filter);
        for (unsigned i = 0; i < core->pc_hook_count; i++)
            add_to_filter(core, core->pc_hooks[i].address);
        hooks_changed(core, address);
        return;
    }
}

/* The kernel may have thousands of hooks, mapped addresses only few. */
bool core_hook_reaches(const struct core *core, paddr pa)
{
    const vaddr offset = (vaddr)pa % PAGE_SIZE;
    const struct pc_hook *hooks = core->pc_hooks;
    const size_t count = core->pc_hook_count;
    if (pa <= UNMAPPED_PHYSICAL &&
        (core_hook_present(core, vaddr_of_kseg0(pa)) || core_hook_present(core, vaddr_of_kseg1(pa))))
        return true;
    for (size_t i = 0; i < count && vaddr_in_kuseg(hooks[i].address); i++)
        if (hooks[i].address % PAGE_SIZE == offset)
            return true;
    for (size_t i = count; i > 0 && hooks[i - 1].address >= KSEG2_BASE; i--)
        if (hooks[i - 1].address % PAGE_SIZE == offset)
            return true;
    return false;
}

/* A hook may add and remove hooks, including itself: after each call search for the position again, and advance only if
 * the hook that was called is still there. */
bool core_hook_run(struct core *core, vaddr address)
{
    bool stop = false;
    unsigned limit = 0, done = 0;
    while (is_hook_at(core, first_hook(core, address) + limit, address))
        limit++;
    for (unsigned calls = 0; calls < limit; calls++) {
        unsigned place = first_hook(core, address) + done;
        if (!is_hook_at(core, place, address))
            break;
        struct pc_hook hook = core->pc_hooks[place];
        stop |= hook.call(hook.opaque, core);
        place = first_hook(core, address) + done;
        if (is_hook_at(core, place, address) && core->pc_hooks[place].call == hook.call &&
            core->pc_hooks[place].opaque == hook.opaque)
            done++;
    }
    return stop;
}

cycles core_hook_duration(const struct core *core, vaddr address)
{
    cycles duration = 0;
    if (SIM_LIKELY(core->timed_hooks == 0))
        return 0;
    for (unsigned place = first_hook(core, address); is_hook_at(core, place, address); place++)
        duration += core->pc_hooks[place].duration;
    return duration;
}

bool core_hook_present(const struct core *core, vaddr address)
{
    return core->pc_hook_filter[filter_word(address)] & filter_bit(address) &&
           is_hook_at(core, first_hook(core, address), address);
}
