#include "annotations/accounts/returns.h"

#include <stdlib.h>
#include <string.h>

/* A pending call. */
struct pending {
    vaddr pc, sp;
    uint32_t stack; /* identifies the user-mode stack; 0 in the kernel, whose stacks have distinct addresses */
    returns_fn *back;
    void *opaque;
};

struct returns {
    const struct machine_view *machine;
    returns_stack_id_fn *stack_of;
    void *opaque;
    struct pending *pending; /* in order of entry */
    unsigned count, capacity;
    vaddr *hooked; /* return addresses with hooks, sorted */
    unsigned hooked_count, hooked_capacity;
};

struct returns *returns_create(const struct machine_view *machine, returns_stack_id_fn *stack_of, void *opaque)
{
    struct returns *returns = checked_memory(calloc(1, sizeof *returns));
    returns->machine = machine;
    returns->stack_of = stack_of;
    returns->opaque = opaque;
    return returns;
}

static uint32_t stack_at(const struct returns *returns, struct core *core)
{
    return vaddr_in_kuseg(core->s.pc) ? returns->stack_of(returns->opaque, core) : 0;
}

/* Remove the pending call number INDEX and call its callback. Removed first, as the callback may add another. */
static void call_back(struct returns *returns, unsigned index, struct core *core, bool left)
{
    struct pending one = returns->pending[index];
    returns->count--;
    memmove(returns->pending + index, returns->pending + index + 1,
            (returns->count - index) * sizeof *returns->pending);
    one.back(one.opaque, core, left);
}

/* Kernel stacks are in kseg0, aligned to their size, at least KERNEL_STACK; a user stack may be anywhere, of any
 * size. */
static bool is_same_stack(const struct pending *one, uint32_t stack, vaddr sp)
{
    enum { KERNEL_STACK = 1 << 13 };
    return one->stack == stack && (stack != 0 || (one->sp - 1) / KERNEL_STACK == (sp - 1) / KERNEL_STACK);
}

/* The stack pointer is SP, at a function's entry with return address PC, or at a return if PC is 0. Pending calls on
 * this stack below SP, and those at SP with another return address, are reported as left, the most recent first. */
static void report_left(struct returns *returns, struct core *core, uint32_t stack, vaddr sp, vaddr pc)
{
    for (unsigned i = returns->count; i-- > 0;) {
        if (i >= returns->count)
            continue; /* a callback removed some */
        const struct pending *one = &returns->pending[i];
        if ((one->sp < sp || (one->sp == sp && pc && one->pc != pc)) && is_same_stack(one, stack, sp))
            call_back(returns, i, core, true);
    }
}

/* Hook at a return address: find the pending calls that return here. */
static bool at_return_address(void *opaque, struct core *core)
{
    struct returns *returns = opaque;
    const vaddr pc = core->s.pc, sp = core_stack_pointer(core);
    const uint32_t stack = stack_at(returns, core);
    for (unsigned i = returns->count; i-- > 0;) {
        const struct pending *one = &returns->pending[i];
        if (i >= returns->count || one->pc != pc || one->sp != sp || one->stack != stack)
            continue;
        unsigned before = returns->count;
        report_left(returns, core, stack, sp, 0);
        if (returns->count == before)
            call_back(returns, i, core, false);
        else
            i = returns->count; /* the callbacks may have changed the list: scan again from the end */
    }
    return false;
}

/* Far more than any real guest has pending. */
enum { PENDING_MAX = 1 << 16, HOOKED_MAX = 1 << 16 };

static void hook_return_address(struct returns *returns, vaddr pc)
{
    unsigned low = 0, high = returns->hooked_count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (returns->hooked[middle] < pc)
            low = middle + 1;
        else
            high = middle;
    }
    if ((low < returns->hooked_count && returns->hooked[low] == pc) || returns->hooked_count == HOOKED_MAX)
        return;
    if (returns->hooked_count == returns->hooked_capacity) {
        returns->hooked_capacity = returns->hooked_capacity ? returns->hooked_capacity * 2 : 64;
        returns->hooked = checked_memory(realloc(returns->hooked, returns->hooked_capacity * sizeof *returns->hooked));
    }
    memmove(returns->hooked + low + 1, returns->hooked + low, (returns->hooked_count - low) * sizeof *returns->hooked);
    returns->hooked[low] = pc;
    returns->hooked_count++;
    for (unsigned i = 0; i < returns->machine->cpus; i++)
        core_hook_add(returns->machine->cores[i], pc, at_return_address, returns);
}

void returns_watch_call(struct returns *returns, struct core *core, returns_fn *back, void *opaque)
{
    const vaddr pc = core_return_address(core), sp = core_stack_pointer(core);
    const uint32_t stack = stack_at(returns, core);
    report_left(returns, core, stack, sp, pc);
    if (returns->count == PENDING_MAX)
        call_back(returns, 0, core, true); /* the oldest is unlikely to return */
    if (returns->count == returns->capacity) {
        returns->capacity = returns->capacity ? returns->capacity * 2 : 64;
        returns->pending = checked_memory(realloc(returns->pending, returns->capacity * sizeof *returns->pending));
    }
    returns->pending[returns->count++] = (struct pending){pc, sp, stack, back, opaque};
    hook_return_address(returns, pc);
}

void returns_discard_stack(struct returns *returns, struct core *core, vaddr sp, uint32_t stack)
{
    for (unsigned i = returns->count; i-- > 0;) {
        if (i >= returns->count)
            continue;
        const struct pending *one = &returns->pending[i];
        if (one->stack ? one->stack == stack : is_same_stack(one, 0, sp))
            call_back(returns, i, core, true);
    }
}

void returns_cancel(struct returns *returns, returns_fn *back, const void *opaque)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < returns->count; i++)
        if (returns->pending[i].back != back || returns->pending[i].opaque != opaque)
            returns->pending[kept++] = returns->pending[i];
    returns->count = kept;
}

void returns_free(struct returns *returns)
{
    if (!returns)
        return;
    for (unsigned i = 0; i < returns->hooked_count; i++)
        for (unsigned cpu = 0; cpu < returns->machine->cpus; cpu++)
            core_hook_remove(returns->machine->cores[cpu], returns->hooked[i], at_return_address, returns);
    free(returns->pending);
    free(returns->hooked);
    free(returns);
}
