/* Misses of the commonest hierarchy that the second level answers, and hits that have to be told, where every miss is
 * classified: in few steps. first_level.c does the same for any access; what is found here not to be so simple is left
 * to it, before anything has been done. */
#include "cache/exchange.h"

#include "cache/access.h"
#include "cache/classify_inline.h"

/* There is code for lines of these sizes alone, those of the 1994 machine. */
enum { LINE_SHIFT = 4, OUTER_SHIFT = 7 };

static bool is_of_the_kind(const struct memsys *memsys, const struct array *l1)
{
    const struct array *l2 = l1->next;
    return memsys->may_short_cut && l1->last != NULL && !l1->through && l1->line_shift == LINE_SHIFT && l2->ways == 1 &&
           !l2->hashed && !l2->by_virtual && l2->line_shift == OUTER_SHIFT && l2->part_shift == LINE_SHIFT;
}

static bool is_told_alone(const struct memsys *memsys, const struct classified *classified)
{
    return memsys->only_classification && memsys->first_level_told && classified != NULL && classified->all->full &&
           classified->quick != NULL;
}

static void choose(const struct memsys *memsys, struct memsys_exchange *exchange, struct array *l1)
{
    *exchange = (struct memsys_exchange){0};
    if (!is_of_the_kind(memsys, l1) || !is_told_alone(memsys, l1->classified))
        return;
    const struct array *l2 = l1->next;
    *exchange = (struct memsys_exchange){.open = true,
                                         .set_mask = l1->set_mask,
                                         .outer_mask = l2->set_mask,
                                         .word = l1->word,
                                         .outer = l2->word,
                                         .inner = l2->inner,
                                         .last = l1->last,
                                         .quick = l1->quick,
                                         .bytes = l1->classified->quick,
                                         .state = l1->classified->state,
                                         .used = l1->classified->shadow.used,
                                         .outer_used = l2->classified->shadow.used,
                                         .first = l1->classified,
                                         .misses = l1->counts.misses,
                                         .write_backs = &l1->counts.write_backs,
                                         .time = l2->hit_time};
}

void exchange_choose(struct memsys *memsys)
{
    for (unsigned cpu = 0; cpu < memsys->cpus && memsys->levels > 0; cpu++)
        for (unsigned i = 0; i < 2; i++)
            choose(memsys, &memsys->exchange[i][cpu], memsys->first[i][cpu]);
}

struct memsys_exchange *memsys_exchange(struct memsys *memsys, unsigned cpu, enum memsys_cache cache)
{
    return memsys->exchange[cache != MEMSYS_L1I] + cpu;
}

/* Does WORD have the line of ADDRESS, of 1 << SHIFT bytes? */
static ALWAYS_INLINE bool has_line(uint32_t word, paddr address, unsigned shift)
{
    return word - (address >> shift << shift) - 1 < ENTRY_STATE;
}

/* What happens to a first level, from all sides. */
struct step {
    paddr address;
    uint32_t line, set, way; /* number of the line, its set; the way where it is or comes to */
    uint32_t state;          /* enum entry_state of the line, and what may be done to it */
    cycles now;
};

/* The line of STEP is used: the fully associative cache learns of it, and the quick byte is set. */
static ALWAYS_INLINE void use_line(const struct memsys_exchange *exchange, const struct step *step, cycles time,
                                   bool held)
{
    uint8_t *const byte = &exchange->bytes[step->line], **const slot = &exchange->quick[2 * step->set + step->way];
    **slot = QUICK_NONE;
    *slot = byte;
    *byte = (uint8_t)(step->state | step->way * QUICK_WAY);
    uint32_t gone;
    if (held)
        exchange->used[step->line] = time;
    else if (SIM_LIKELY(shadow_replace(&exchange->first->shadow, step->line, time, &gone)))
        exchange->bytes[gone] = QUICK_NONE;
    else
        classified_bring_in(exchange->first, step->line, time, QUICK_NONE);
}

/* Why a line is missed that was replaced, taken along or never there, and who had evicted it, are counted. */
static ALWAYS_INLINE void count(struct classified *first, uint32_t state, bool held, enum miss_kind kind)
{
    const uint32_t cause = state & CAUSE_MASK;
    enum miss_class class = CLASS_COLD;
    if (SIM_LIKELY(state != NEVER_HELD)) {
        class = cause == LEFT_INCLUSION ? CLASS_INCLUSION : held ? CLASS_CONFLICT : CLASS_CAPACITY;
        evicted_of(first, kind)[state - cause != first->who->owner ? EVICTED_BY_OTHER : EVICTED_BY_SELF]++;
    }
    missed_of(first, kind)[class]++;
}

/* The line, with STATE, is accessed: what may be done to it unseen. Of one that is clean nobody need ask whether it may
 * be stored to. */
static ALWAYS_INLINE uint32_t may_do_unseen(struct classified *first, enum memsys_access access, uint32_t state,
                                            paddr address, unsigned size)
{
    struct sharing *const sharing = &first->all->sharing;
    bool may_store = true;
    if (access == MEMSYS_WRITE)
        may_store = sharing_store(sharing, first->cpu, address, size);
    else if (access == MEMSYS_READ && state == ENTRY_DIRTY)
        may_store = sharing_may_store(sharing, first->cpu, address);
    return may_store ? state : state & QUICK_READ;
}

static ALWAYS_INLINE cycles hit(const struct memsys_exchange *exchange, struct step *step, enum memsys_access access,
                                unsigned size)
{
    struct classified *const first = exchange->first;
    if (access == MEMSYS_WRITE && step->state != ENTRY_DIRTY)
        return MEMSYS_ASK;
    exchange->last[step->set] = (uint8_t)(QUICK_READ | step->way * QUICK_WAY);
    step->state = may_do_unseen(first, access, step->state, step->address, size);
    use_line(exchange, step, time_of_use(first->who, step->now), exchange->used[step->line] != 0);
    return 0;
}

static ALWAYS_INLINE cycles miss(const struct memsys_exchange *exchange, struct step *step, enum memsys_access access,
                                 unsigned size, struct bucket *bucket)
{
    static const enum miss misses[] = {MISS_L1I, MISS_L1D_READ, MISS_L1D_WRITE};
    const bool fetch = access == MEMSYS_FETCH, write = access == MEMSYS_WRITE;
    struct classified *const first = exchange->first;
    const paddr address = step->address;
    const uint32_t entry = address >> OUTER_SHIFT & exchange->outer_mask, state = exchange->state[step->line];
    cycles *const outer_used = &exchange->outer_used[address >> OUTER_SHIFT];
    if (SIM_UNLIKELY(!has_line(exchange->outer[entry], address, OUTER_SHIFT)) ||
        (write && SIM_UNLIKELY(!(exchange->outer[entry] & ENTRY_MODIFIED))))
        return MEMSYS_ASK;
    const uint32_t cause = state & CAUSE_MASK;
    if (SIM_UNLIKELY(cause - LEFT_REPLACED > LEFT_INCLUSION - LEFT_REPLACED && state != NEVER_HELD) ||
        SIM_UNLIKELY(*outer_used == 0))
        return MEMSYS_ASK;

    step->way = (exchange->last[step->set] ^= QUICK_WAY) / QUICK_WAY & 1;
    step->state = write ? ENTRY_DIRTY : ENTRY_CLEAN;
    uint32_t *const word = &exchange->word[2 * step->set + step->way];
    const uint32_t victim = *word;
    *word = step->line << LINE_SHIFT | step->state;
    exchange->inner[entry] |= (fetch ? 0x10000u : 1u) << (step->line % (1u << (OUTER_SHIFT - LINE_SHIFT)));
    const bool held = exchange->used[step->line] != 0;
    count(first, state, held, fetch ? MISS_INSN : MISS_DATA);
    if (SIM_LIKELY(victim))
        exchange->state[victim >> LINE_SHIFT] = LEFT_REPLACED | first->who->owner;
    exchange->state[step->line] = first->all->present;
    exchange->misses[access]++;
    if (!fetch)
        *exchange->write_backs += victim / ENTRY_MODIFIED % 2;
    bucket->miss[misses[access]]++;
    charge(bucket, fetch ? STALL_L1I : STALL_L1D, exchange->time);
    step->state = may_do_unseen(first, access, step->state, address, size);
    const cycles time = *outer_used = time_of_use(first->who, step->now);
    use_line(exchange, step, time, held);
    return exchange->time;
}

static ALWAYS_INLINE cycles access(const struct memsys_exchange *exchange, paddr address, unsigned size,
                                   enum memsys_access access, cycles now, struct bucket *bucket)
{
    if (SIM_UNLIKELY(!exchange->open))
        return MEMSYS_ASK;
    const uint32_t line = address >> LINE_SHIFT;
    struct step step = {.address = address, .line = line, .set = line & exchange->set_mask, .now = now};
    const uint32_t *const word = &exchange->word[2 * step.set];
    step.way = has_line(word[1], address, LINE_SHIFT);
    if (SIM_UNLIKELY(has_line(word[step.way], address, LINE_SHIFT))) {
        step.state = word[step.way] & ENTRY_STATE;
        return hit(exchange, &step, access, size);
    }
    return miss(exchange, &step, access, size, bucket);
}

cycles memsys_exchange_fetch(const struct memsys_exchange *exchange, paddr address, cycles now, struct bucket *bucket)
{
    return access(exchange, address, 4, MEMSYS_FETCH, now, bucket);
}

cycles memsys_exchange_read(const struct memsys_exchange *exchange, paddr address, cycles now, struct bucket *bucket)
{
    return access(exchange, address, 4, MEMSYS_READ, now, bucket);
}

cycles memsys_exchange_write(const struct memsys_exchange *exchange, paddr address, unsigned size, cycles now,
                             struct bucket *bucket)
{
    return access(exchange, address, size, MEMSYS_WRITE, now, bucket);
}
