/*
 * Register allocation: which guest registers are in host registers. In a loop, guest registers that it uses little or
 * not at all give up their host registers to those that it uses more.
 */
#include "cpu/translate/x86/x86_emitter.h"

/* Minimum gain of a substitution, in register uses that would otherwise access memory, to cover the cost of entry and
 * exit. */
enum { MIN_GAIN = 2 };

static bool has_host_register(const int8_t *home, unsigned guest)
{
    return home[guest] != X86_NONE;
}

static void set_default_registers(int8_t *home)
{
    for (unsigned guest = 0; guest < LOOP_REGISTERS; guest++)
        home[guest] = X86_NONE;
    for (unsigned i = 0; i < ALLOCATED; i++)
        home[x86_allocations[i].guest] = (int8_t)x86_allocations[i].host;
}

/* Most used register without, and least used register with, a host register. */
static unsigned most_used(const struct loop *loop, const int8_t *home)
{
    unsigned best = 0;
    for (unsigned guest = 1; guest < LOOP_REGISTERS; guest++)
        if (guest != GPR_SINK && !has_host_register(home, guest) && loop->uses[guest] > loop->uses[best])
            best = guest;
    return best;
}

static unsigned least_used(const struct loop *loop, const int8_t *home)
{
    unsigned best = LOOP_REGISTERS;
    for (unsigned i = ALLOCATED; i-- > 0;) {
        unsigned guest = x86_allocations[i].guest;
        if (has_host_register(home, guest) && (best == LOOP_REGISTERS || loop->uses[guest] < loop->uses[best]))
            best = guest;
    }
    return best;
}

static unsigned substitute(const struct loop *loop, int8_t *home, struct substitution *substitutions)
{
    unsigned count = 0;
    while (count < ALLOCATED) {
        unsigned in = most_used(loop, home), out = least_used(loop, home);
        if (out == LOOP_REGISTERS || loop->uses[in] < loop->uses[out] + MIN_GAIN)
            break;
        substitutions[count++] = (struct substitution){(uint8_t)out, (uint8_t)in, (uint8_t)home[out]};
        home[in] = home[out];
        home[out] = X86_NONE;
    }
    return count;
}

bool host_prefers_loop(const struct loop *loop)
{
    int8_t home[LOOP_REGISTERS];
    struct substitution substitutions[ALLOCATED];
    set_default_registers(home);
    return substitute(loop, home, substitutions) > 0;
}

void registers_allocate(struct host_emitter *e, const struct loop *loop)
{
    set_default_registers(e->host_register);
    e->is_loop = loop != NULL;
    e->substitution_count = loop != NULL ? substitute(loop, e->host_register, e->substitutions) : 0;
}

void emit_enter_loop(struct host_emitter *e)
{
    for (unsigned i = 0; i < e->substitution_count; i++) {
        const struct substitution *s = &e->substitutions[i];
        x86_store(&e->x, x86_state(s->out), s->host);
        x86_mov(&e->x, s->host, x86_state(s->in));
    }
}

void emit_leave_loop(struct host_emitter *e)
{
    for (unsigned i = 0; i < e->substitution_count; i++) {
        const struct substitution *s = &e->substitutions[i];
        x86_store(&e->x, x86_state(s->in), s->host);
        x86_mov(&e->x, s->host, x86_state(s->out));
    }
}
