#include "cpu/privileged/watch_registers.h"
#include "cpu/privileged/cp0_hooks.h"

#define WATCHHI_MORE   0x80000000u /* M: another pair follows */
#define WATCHHI_GLOBAL (1u << 30)
enum { WATCHHI_ASID_SHIFT = 16, WATCHHI_ASID = 0xff << WATCHHI_ASID_SHIFT, WATCHHI_MASK = 0xff8 };

static unsigned kinds_of(unsigned pair)
{
    return pair < 2 ? WATCH_FETCH : WATCH_LOAD | WATCH_STORE;
}

static unsigned kind_of(enum access access)
{
    return access == ACCESS_FETCH ? WATCH_FETCH : access == ACCESS_LOAD ? WATCH_LOAD : WATCH_STORE;
}

static bool pair_matches(const struct core *core, unsigned pair, unsigned kind, vaddr address)
{
    const uint32_t lo = core->s.cp0[CP0_WATCHLO + pair], hi = core->s.cp0[CP0_WATCHHI + pair];
    const uint32_t ignored = (hi & WATCHHI_MASK) | WATCH_KINDS;
    return lo & kind && ((lo ^ address) & ~ignored) == 0 &&
           (hi & WATCHHI_GLOBAL || (hi & WATCHHI_ASID) >> WATCHHI_ASID_SHIFT == core_asid(core));
}

bool watch_registers_match(const struct core *core, enum access access, vaddr address)
{
    for (unsigned pair = 0; core->has_watch_registers && pair < WATCH_PAIRS; pair++)
        if (pair_matches(core, pair, kind_of(access), address))
            return true;
    return false;
}

int watch_registers_check(struct core *core, enum access access, vaddr address)
{
    const unsigned kind = kind_of(access);
    bool matches = false;
    for (unsigned pair = 0; core->has_watch_registers && pair < WATCH_PAIRS; pair++)
        if (pair_matches(core, pair, kind, address)) {
            core->s.cp0[CP0_WATCHHI + pair] |= kind;
            matches = true;
        }
    if (!matches)
        return 0;
    if (!(core->s.cp0[CP0_STATUS] & (STATUS_EXL | STATUS_ERL)))
        return core_raise(core, EXC_WATCH);
    core->s.cp0[CP0_CAUSE] |= CAUSE_WP;
    return 0;
}

void core_update_checked(struct core *core)
{
    bool checked = core->isolated || core->s.cp0[CP0_CAUSE] & CAUSE_WP;
    for (unsigned pair = 0; core->has_watch_registers && pair < WATCH_PAIRS; pair++)
        checked |= (core->s.cp0[CP0_WATCHLO + pair] & WATCH_KINDS) != 0;
    if (checked == core->checked)
        return;
    core->checked = checked;
    core->watch_writes++;
    core->attention = true; /* translated code does not know of it */
}

static void write_lo(struct core *core, unsigned pair, uint32_t value)
{
    if (!core->has_watch_registers)
        return;
    core->s.cp0[CP0_WATCHLO + pair] = value & (~(uint32_t)WATCH_KINDS | kinds_of(pair));
    core->watch_writes++;
    core_update_checked(core);
}

/* The bits that record matches are cleared by writing 1. */
static void write_hi(struct core *core, unsigned pair, uint32_t value)
{
    uint32_t *hi = &core->s.cp0[CP0_WATCHHI + pair];
    if (!core->has_watch_registers)
        return;
    *hi =
        (value & (WATCHHI_GLOBAL | WATCHHI_ASID | WATCHHI_MASK)) | (*hi & ~value & WATCH_KINDS) | (*hi & WATCHHI_MORE);
    core->watch_writes++;
}

uint32_t cp0_reset_bits_watchhi(const struct core *core)
{
    return core->has_watch_registers ? WATCHHI_MORE : 0;
}

#define PAIR(n)                                                                                                        \
    void cp0_write_watchlo##n(struct core *core, uint32_t value)                                                       \
    {                                                                                                                  \
        write_lo(core, n, value);                                                                                      \
    }                                                                                                                  \
    void cp0_write_watchhi##n(struct core *core, uint32_t value)                                                       \
    {                                                                                                                  \
        write_hi(core, n, value);                                                                                      \
    }
PAIR(0)
PAIR(1)
PAIR(2)
PAIR(3)
