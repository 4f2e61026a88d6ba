#include "annotations/returns.h"

#include <stdlib.h>
#include <string.h>

/* A pending call. */
struct awaited {
    vaddr pc, sp;
    uint32_t stack; /* identifies the user-mode stack; 0 in the kernel, whose stacks have distinct addresses */
    returns_fn *back;
    void *opaque;
};

struct returns {
    const struct subject *subject;
    returns_stack_fn *stack_of;
    void *opaque;
    struct awaited *awaited; /* in order of entry */
    unsigned count, capacity;
    vaddr *site; /* return addresses with hooks, sorted */
    unsigned site_count, site_capacity;
};

struct returns *returns_create(const struct subject *subject, returns_stack_fn *stack_of, void *opaque)
{
    struct returns *returns = checked_memory(calloc(1, sizeof *returns));
    returns->subject = subject;
    returns->stack_of = stack_of;
    returns->opaque = opaque;
    return returns;
}

static uint32_t stack_at(const struct returns *returns, struct core *core)
{
    return core->s.pc >> 31 ? 0 : returns->stack_of(returns->opaque, core);
}

/* Remove the pending call at index PLACE and call its callback. Removed first, as the callback may add another. */
static void call_back(struct returns *returns, unsigned place, struct core *core, bool left)
{
    struct awaited one = returns->awaited[place];
    returns->count--;
    memmove(returns->awaited + place, returns->awaited + place + 1,
            (returns->count - place) * sizeof *returns->awaited);
    one.back(one.opaque, core, left);
}

/* Kernel stacks are in kseg0, aligned to their size, at least KERNEL_STACK; a user stack may be anywhere, of any
 * size. */
static bool is_same_stack(const struct awaited *one, uint32_t stack, vaddr sp)
{
    enum { KERNEL_STACK = 1 << 13 };
    return one->stack == stack && (stack != 0 || (one->sp - 1) / KERNEL_STACK == (sp - 1) / KERNEL_STACK);
}

/* The stack pointer is SP, at a function's entry with return address PC, or at a return if PC is 0. Pending calls on
 * this stack below SP, and those at SP with another return address, are reported as left, the most recent first. */
static void leave_below(struct returns *returns, struct core *core, uint32_t stack, vaddr sp, vaddr pc)
{
    for (unsigned i = returns->count; i-- > 0;) {
        if (i >= returns->count)
            continue; /* a callback removed some */
        const struct awaited *one = &returns->awaited[i];
        if ((one->sp < sp || (one->sp == sp && pc && one->pc != pc)) && is_same_stack(one, stack, sp))
            call_back(returns, i, core, true);
    }
}

/* Hook at a return address: find the pending calls that return here. */
static bool came_back(void *opaque, struct core *core)
{
    struct returns *returns = opaque;
    const vaddr pc = core->s.pc, sp = core->s.gpr[REG_SP];
    const uint32_t stack = stack_at(returns, core);
    for (unsigned i = returns->count; i-- > 0;) {
        const struct awaited *one = &returns->awaited[i];
        if (i >= returns->count || one->pc != pc || one->sp != sp || one->stack != stack)
            continue;
        unsigned before = returns->count;
        leave_below(returns, core, stack, sp, 0);
        if (returns->count == before)
            call_back(returns, i, core, false);
        else
            i = returns->count; /* the callbacks may have changed the list: scan again from the end */
    }
    return false;
}

/* Far more than any real guest has pending. */
enum { AWAITED_MAX = 1 << 16, SITES_MAX = 1 << 16 };

static void watch_site(struct returns *returns, vaddr pc)
{
    unsigned low = 0, high = returns->site_count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (returns->site[middle] < pc)
            low = middle + 1;
        else
            high = middle;
    }
    if ((low < returns->site_count && returns->site[low] == pc) || returns->site_count == SITES_MAX)
        return;
    if (returns->site_count == returns->site_capacity) {
        returns->site_capacity = returns->site_capacity ? returns->site_capacity * 2 : 64;
        returns->site = checked_memory(realloc(returns->site, returns->site_capacity * sizeof *returns->site));
    }
    memmove(returns->site + low + 1, returns->site + low, (returns->site_count - low) * sizeof *returns->site);
    returns->site[low] = pc;
    returns->site_count++;
    for (unsigned i = 0; i < returns->subject->cpus; i++)
        core_hook_add(returns->subject->cores[i], pc, came_back, returns);
}

void returns_expect(struct returns *returns, struct core *core, returns_fn *back, void *opaque)
{
    const vaddr pc = core->s.gpr[REG_RA], sp = core->s.gpr[REG_SP];
    const uint32_t stack = stack_at(returns, core);
    leave_below(returns, core, stack, sp, pc);
    if (returns->count == AWAITED_MAX)
        call_back(returns, 0, core, true); /* the oldest is unlikely to return */
    if (returns->count == returns->capacity) {
        returns->capacity = returns->capacity ? returns->capacity * 2 : 64;
        returns->awaited = checked_memory(realloc(returns->awaited, returns->capacity * sizeof *returns->awaited));
    }
    returns->awaited[returns->count++] = (struct awaited){pc, sp, stack, back, opaque};
    watch_site(returns, pc);
}

void returns_abandon(struct returns *returns, struct core *core, vaddr sp, uint32_t stack)
{
    for (unsigned i = returns->count; i-- > 0;) {
        if (i >= returns->count)
            continue;
        const struct awaited *one = &returns->awaited[i];
        if (one->stack ? one->stack == stack : is_same_stack(one, 0, sp))
            call_back(returns, i, core, true);
    }
}

void returns_forget(struct returns *returns, returns_fn *back, const void *opaque)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < returns->count; i++)
        if (returns->awaited[i].back != back || returns->awaited[i].opaque != opaque)
            returns->awaited[kept++] = returns->awaited[i];
    returns->count = kept;
}

void returns_free(struct returns *returns)
{
    if (!returns)
        return;
    for (unsigned i = 0; i < returns->site_count; i++)
        for (unsigned cpu = 0; cpu < returns->subject->cpus; cpu++)
            core_hook_remove(returns->subject->cores[cpu], returns->site[i], came_back, returns);
    free(returns->awaited);
    free(returns->site);
    free(returns);
}
