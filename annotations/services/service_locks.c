/* Locks: hooks at lock routines and at inlined releases, and the statistics of each lock. */
#include "annotations/services/service_locks.h"

#include "annotations/services/lock_code.h"
#include "annotations/services/service_charge.h"
#include "annotations/services/services_state.h"

#include <stdlib.h>
#include <string.h>

/* A hook at a lock routine, one of its exits, or an inlined release. */
struct lock_hook {
    struct lock_hook *next;
    struct services *services;
    pc_hook_fn *call;
    vaddr address;
    enum lock_kind kind;
    enum lock_action action;
    uint8_t base; /* inlined release: the lock is at base + offset */
    int16_t offset;
};

struct locks {
    struct lock_table table;
    struct lock_hook *hooks;
};

static bool is_spinning(enum lock_kind kind)
{
    return kind <= LOCK_WRITE;
}

static struct locks *locks_of(struct services *services)
{
    if (!services->locks) {
        services->locks = checked_memory(calloc(1, sizeof *services->locks));
        lock_table_init(&services->locks->table, services->machine->symbols);
    }
    return services->locks;
}

/* Locks held */

static void add_held(struct lock_held *held, unsigned *count, unsigned max, struct lock_held new)
{
    for (unsigned i = 0; i < *count; i++)
        if (held[i].lock == new.lock) {
            held[i] = new; /* its release was not observed */
            return;
        }
    if (*count == max) {
        memmove(held, held + 1, (max - 1) * sizeof *held);
        --*count;
    }
    held[(*count)++] = new;
}

static struct lock_held *find_held(struct lock_held *held, unsigned count, vaddr lock)
{
    while (count-- > 0)
        if (held[count].lock == lock)
            return &held[count];
    return NULL;
}

static void release_held(struct service_cpu *percpu, struct lock_held *held, unsigned *count, struct lock_held *one,
                         cycles now)
{
    const struct task *task = percpu->task;
    lock_table_add_hold(&percpu->services->locks->table, one->entry, one->caller, task->pid, task->name,
                        now > one->since ? now - one->since : 0);
    memmove(one, one + 1, (size_t)(held + *count - (one + 1)) * sizeof *held);
    --*count;
}

/* Spin locks are held by the processor */

static void begin_sync(struct service_cpu *percpu, const struct lock_hook *hook, vaddr lock)
{
    service_charge_mode(percpu);
    *percpu->sync = (struct sync){.on = true,
                                  .releasing = hook->action == LOCK_RELEASE,
                                  .is_trylock = hook->action == LOCK_TRY,
                                  .waiting = hook->action == LOCK_SLOW_PATH,
                                  .kind = (uint8_t)hook->kind,
                                  .lock = lock,
                                  .caller = core_return_address(percpu->core),
                                  .since = percpu->core->s.cycle};
}

static void lock_acquired(struct service_cpu *percpu)
{
    struct services *services = percpu->services;
    struct sync *sync = percpu->sync;
    const cycles now = percpu->core->s.cycle;
    unsigned entry = lock_table_find(&services->locks->table, (enum lock_kind)sync->kind, sync->lock, sync->caller);
    struct lock *lock = lock_table_at(&services->locks->table, entry);
    lock->acquires++;
    percpu->target->acquires++;
    if (sync->waiting) {
        lock->contended++;
        lock->wait += now > sync->since ? now - sync->since : 0;
        percpu->target->contended++;
    }
    add_held(percpu->held, &percpu->held_count, CPU_HELD_MAX, (struct lock_held){sync->lock, entry, now, sync->caller});
}

static void at_spin_routine(struct service_cpu *percpu, const struct lock_hook *hook)
{
    const vaddr lock = core_argument(percpu->core, 0);
    if (hook->action == LOCK_SLOW_PATH && percpu->sync->on) {
        percpu->sync->waiting = true;
        percpu->sync->since = machine_view_time(percpu->core);
        return;
    }
    begin_sync(percpu, hook, lock);
    struct lock_held *held = find_held(percpu->held, percpu->held_count, lock);
    if (hook->action == LOCK_RELEASE && held)
        release_held(percpu, percpu->held, &percpu->held_count, held, percpu->core->s.cycle);
}

/* Sleeping locks are held by the process */

static void at_sleeping_routine(struct service_cpu *percpu, const struct lock_hook *hook)
{
    struct services *services = percpu->services;
    struct task *task = percpu->task;
    struct lock_wait *wait = &task->lock_wait;
    const vaddr lock = core_argument(percpu->core, 0), caller = core_return_address(percpu->core);
    const cycles now = machine_view_time(percpu->core);
    if (hook->action == LOCK_RELEASE) {
        struct lock_held *held = find_held(task->held, task->held_count, lock);
        if (held)
            release_held(percpu, task->held, &task->held_count, held, now);
        return;
    }
    if (hook->action == LOCK_TRY) {
        wait->tries = lock;
        wait->caller = caller;
        return;
    }
    if (wait->lock != lock || hook->action != LOCK_SLOW_PATH) {
        unsigned entry = lock_table_find(&services->locks->table, hook->kind, lock, caller);
        *wait = (struct lock_wait){.lock = lock, .entry = entry};
        lock_table_at(&services->locks->table, entry)->acquires++;
        add_held(task->held, &task->held_count, TASK_HELD_MAX, (struct lock_held){lock, entry, now, caller});
    }
    if (hook->action == LOCK_SLOW_PATH) {
        lock_table_at(&services->locks->table, wait->entry)->contended++;
        wait->waits = true;
        wait->since = now;
    }
}

/* A trylock returns: its result says whether the lock was acquired. */
static void trylock_returned(struct service_cpu *percpu, const struct lock_hook *hook)
{
    struct task *task = percpu->task;
    struct lock_wait *wait = &task->lock_wait;
    const vaddr lock = wait->tries;
    wait->tries = 0;
    if (!lock || core_result(percpu->core) == 0)
        return;
    struct lock_table *table = &percpu->services->locks->table;
    const unsigned entry = lock_table_find(table, hook->kind, lock, wait->caller);
    lock_table_at(table, entry)->acquires++;
    add_held(task->held, &task->held_count, TASK_HELD_MAX,
             (struct lock_held){lock, entry, machine_view_time(percpu->core), wait->caller});
}

static void wait_ended(struct service_cpu *percpu)
{
    struct task *task = percpu->task;
    struct lock_wait *wait = &task->lock_wait;
    const cycles now = machine_view_time(percpu->core);
    struct lock_held *held = find_held(task->held, task->held_count, wait->lock);
    if (!wait->waits)
        return;
    lock_table_at(&percpu->services->locks->table, wait->entry)->wait += now > wait->since ? now - wait->since : 0;
    *wait = (struct lock_wait){.waits = false};
    if (held)
        held->since = now;
}

/* Hooks */

static bool entered(void *opaque, struct core *core)
{
    const struct lock_hook *hook = opaque;
    struct service_cpu *percpu = &hook->services->percpu[core->number];
    if (is_spinning(hook->kind))
        at_spin_routine(percpu, hook);
    else
        at_sleeping_routine(percpu, hook);
    return false;
}

static bool at_exit(void *opaque, struct core *core)
{
    const struct lock_hook *hook = opaque;
    struct service_cpu *percpu = &hook->services->percpu[core->number];
    if (!is_spinning(hook->kind)) {
        if (hook->action == LOCK_TRY)
            trylock_returned(percpu, hook);
        else
            wait_ended(percpu);
        return false;
    }
    struct sync *sync = percpu->sync;
    if (!sync->on)
        return false;
    service_charge_mode(percpu);
    if (!sync->releasing && (!sync->is_trylock || core_result(core) != 0))
        lock_acquired(percpu);
    sync->on = false;
    return false;
}

/* Begin of an inlined release. Other stores match the pattern too: only a lock that is held counts. */
static bool release_begins(void *opaque, struct core *core)
{
    const struct lock_hook *hook = opaque;
    struct service_cpu *percpu = &hook->services->percpu[core->number];
    const vaddr lock = core_general(core, hook->base) + (uint32_t)hook->offset;
    struct lock_held *held = find_held(percpu->held, percpu->held_count, lock);
    if (!held || percpu->sync->on)
        return false;
    if (hook->action == LOCK_RELEASE) /* begin and end of the sequence are known */
        begin_sync(percpu, hook, lock);
    release_held(percpu, percpu->held, &percpu->held_count, held, machine_view_time(core));
    percpu->sync->inlined = true;
    return false;
}

static bool release_ends(void *opaque, struct core *core)
{
    const struct lock_hook *hook = opaque;
    struct service_cpu *percpu = &hook->services->percpu[core->number];
    if (percpu->sync->on && percpu->sync->inlined) {
        service_charge_mode(percpu);
        percpu->sync->on = false;
    }
    return false;
}

/* Rules */

static void add_hook(struct services *services, struct lock_hook hook)
{
    struct locks *locks = locks_of(services);
    struct lock_hook *new = checked_memory(malloc(sizeof *new));
    *new = hook;
    new->services = services;
    new->next = locks->hooks;
    locks->hooks = new;
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++)
        core_hook_add(services->machine->cores[cpu], hook.address, hook.call, new);
}

/* True if a function at ADDRESS waits for locks. */
static bool waits_at(const struct locks *locks, vaddr address)
{
    for (const struct lock_hook *hook = locks->hooks; hook; hook = hook->next)
        if (hook->call == entered && hook->action == LOCK_SLOW_PATH && hook->address == address)
            return true;
    return false;
}

/* Read and decode COUNT instructions at ADDRESS. */
static bool read_code(struct core *core, vaddr address, unsigned count, struct isa_decoded *code)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t word;
        if (!machine_view_read(core, address + 4 * i, &word, sizeof word))
            return false;
        code[i] = isa_decode_word(core->decoder, word);
    }
    return true;
}

bool services_add_lock_rule(struct services *services, const struct lock_rule *rule)
{
    struct core *core = services->machine->cores[0];
    struct lock_hook hook = {.call = entered, .address = rule->first, .kind = rule->kind, .action = rule->action};
    add_hook(services, hook);
    hook.call = at_exit;
    if (!is_spinning(rule->kind) && rule->action != LOCK_SLOW_PATH && rule->action != LOCK_TRY)
        return true;
    unsigned exits = 0;
    for (vaddr at = rule->first; at < rule->end; at += 4) {
        struct isa_decoded insn;
        vaddr target;
        if (!read_code(core, at, 1, &insn))
            return false;
        if (!lock_code_is_exit(&insn, at, rule->first, rule->end, &target) ||
            (target && waits_at(services->locks, target)))
            continue;
        hook.address = at;
        add_hook(services, hook);
        exits++;
    }
    return exits > 0;
}

static void add_release(struct services *services, const struct lock_release *release, enum lock_kind kind)
{
    struct lock_hook hook = {.call = release_begins,
                             .address = release->begin,
                             .kind = kind,
                             .action = release->end ? LOCK_RELEASE : LOCK_ACQUIRE,
                             .base = release->base,
                             .offset = release->offset};
    add_hook(services, hook);
    if (release->end) {
        hook.call = release_ends;
        hook.address = release->end;
        add_hook(services, hook);
    }
}

/* Replace the calls of barrier functions in the COUNT instructions CODE at ADDRESS by barriers. */
static void inline_barriers(struct core *core, struct isa_decoded *code, unsigned count, vaddr address)
{
    vaddr target;
    struct isa_decoded function[3];
    for (unsigned i = 0; i < count; i++)
        if (lock_code_is_call(&code[i], address + 4 * i, &target) && read_code(core, target, 3, function) &&
            lock_code_is_barrier(function))
            code[i] = function[0];
}

unsigned services_add_lock_releases(struct services *services, vaddr first, vaddr end)
{
    enum { AT_ONCE = 1024 };
    struct core *core = services->machine->cores[0];
    struct isa_decoded code[AT_ONCE + LOCK_RELEASE_INSNS];
    unsigned count = 0;
    for (vaddr at = first; at < end;) {
        uint32_t words = (end - at) / 4 < AT_ONCE + LOCK_RELEASE_INSNS ? (end - at) / 4 : AT_ONCE + LOCK_RELEASE_INSNS;
        unsigned i = 0;
        if (!read_code(core, at, words, code))
            return count;
        inline_barriers(core, code, words, at);
        while (i < words && i < AT_ONCE) {
            struct lock_release release;
            bool writer;
            if (!lock_code_find_release(code + i, words - i, at + 4 * i, &release)) {
                if (lock_code_find_shared_release(code + i, words - i, at + 4 * i, &release, &writer))
                    add_release(services, &release, writer ? LOCK_WRITE : LOCK_READ);
                i++;
                continue;
            }
            add_release(services, &release, LOCK_SPIN);
            count++;
            i = release.end ? (release.end - at) / 4 : i + 1;
        }
        at += 4 * (i ? i : 1);
    }
    return count;
}

void services_set_image_end(struct services *services, vaddr end)
{
    locks_of(services)->table.image_end = end;
}

unsigned services_lock_waited_for(struct services *services, const struct sync *sync)
{
    return lock_table_find(&services->locks->table, (enum lock_kind)sync->kind, sync->lock, sync->caller);
}

void services_lock_text(const struct services *services, unsigned lock, char *text, size_t size)
{
    lock_table_name(&services->locks->table, lock, text, size);
}

/* Creation and deletion */

void locks_reset(struct locks *locks)
{
    if (locks)
        lock_table_reset(&locks->table);
}

void locks_free(struct locks *locks)
{
    if (!locks)
        return;
    while (locks->hooks) {
        struct lock_hook *hook = locks->hooks;
        const struct machine_view *machine = hook->services->machine;
        locks->hooks = hook->next;
        for (unsigned cpu = 0; cpu < machine->cpus; cpu++)
            core_hook_remove(machine->cores[cpu], hook->address, hook->call, hook);
        free(hook);
    }
    lock_table_release(&locks->table);
    free(locks);
}

/* Results */

void locks_print(const struct services *services, unsigned rows, FILE *out)
{
    if (services->locks)
        lock_table_print(&services->locks->table, services->machine->clock_hz, rows, out);
}

void locks_write_json(const struct services *services, struct json_writer *json)
{
    if (services->locks)
        lock_table_write_json(&services->locks->table, json);
}
