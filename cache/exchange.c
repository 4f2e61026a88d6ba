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
    return memsys->may_short_cut && l1->times != NULL && !l1->through && l1->line_shift == LINE_SHIFT &&
           l2->ways == 1 && !l2->hashed && !l2->by_virtual && l2->line_shift == OUTER_SHIFT &&
           l2->part_shift == LINE_SHIFT;
}

static bool is_told_alone(const struct memsys *memsys, const struct classified *classified)
{
    return memsys->only_classification && memsys->first_level_told && classified != NULL && classified->all->full &&
           classified->quick != NULL;
}

static void choose(const struct memsys *memsys, struct memsys_exchange *exchange, struct array *l1)
{
    *exchange = (struct memsys_exchange){.word = exchange->nothing, .outer = exchange->nothing};
    if (l1->classified != NULL)
        exchange->state = l1->classified->state;
    if (!is_of_the_kind(memsys, l1) || !is_told_alone(memsys, l1->classified)) {
        array_quick_by_line(l1, NULL);
        return;
    }
    array_quick_by_line(l1, l1->classified->quick);
    struct array *l2 = l1->next;
    array_fill_unnoted(l2);
    *exchange = (struct memsys_exchange){.set_mask = l1->set_mask,
                                         .outer_mask = l2->set_mask,
                                         .word = l1->word,
                                         .outer = l2->word,
                                         .last = l1->last,
                                         .bytes = l1->classified->quick,
                                         .state = l1->classified->state,
                                         .used = l1->classified->shadow.used,
                                         .outer_used = l2->classified->shadow.used,
                                         .first = l1->classified,
                                         .who = l1->classified->who,
                                         .present = &l1->classified->all->present,
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
    const struct array *l1 = memsys->first[cache != MEMSYS_L1I][cpu];
    const bool classified = l1->classified != NULL && l1->classified->all->full;
    return classified && l1->line_shift == LINE_SHIFT ? memsys->exchange[cache != MEMSYS_L1I] + cpu : NULL;
}

cycles memsys_exchange_time(const struct memsys *memsys, unsigned cpu, enum memsys_cache cache)
{
    return memsys->first[cache != MEMSYS_L1I][cpu]->next->hit_time;
}

/* Does WORD have the line of ADDRESS, of 1 << SHIFT bytes? */
static ALWAYS_INLINE bool has_line(uint32_t word, paddr address, unsigned shift)
{
    return word - (address >> shift << shift) - 1 < ENTRY_STATE;
}

/* The second way as an offset of bytes in a set's words. */
enum { WAY_STEP = sizeof(uint32_t), WAY_SHIFT = 2 };
_Static_assert(QUICK_WAY >> WAY_SHIFT == WAY_STEP, "from quick bytes to words");

static ALWAYS_INLINE uint32_t *word_of(uint32_t *words, uint32_t way)
{
    return (uint32_t *)(void *)((char *)words + (way >> WAY_SHIFT));
}

/* What happens to a first level, from all sides. */
struct step {
    paddr address;
    uint32_t line, way; /* number of the line; the way where it is or comes to: 0 or QUICK_WAY */
    uint32_t state;     /* enum entry_state of the line, and what may be done to it */
};

/* LINE, which the fully associative cache does not hold, is used at TIME. Returns STALL: that this is the last thing to
 * be done leaves the others more registers. */
static OUT_OF_LINE cycles bring_in(const struct memsys_exchange *exchange, uint32_t line, cycles time, cycles stall)
{
    classified_bring_in(exchange->first, line, time, QUICK_NONE);
    return stall;
}

/* The line of STEP is used at TIME, HELD by the fully associative cache or not, and gets its quick byte. Returns STALL.
 */
static ALWAYS_INLINE cycles use_line(const struct memsys_exchange *exchange, const struct step *step, cycles time,
                                     bool held, cycles stall)
{
    uint32_t gone;
    exchange->bytes[step->line] = (uint8_t)(step->state | step->way);
    if (held)
        exchange->used[step->line] = time;
    else if (SIM_LIKELY(shadow_replace(&exchange->first->shadow, step->line, time, &gone)))
        given_up(exchange->first, gone, *exchange->present);
    else
        return bring_in(exchange, step->line, time, stall);
    return stall;
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

/* The line of ADDRESS is there; or it is not, and was lost for another reason than that it was replaced. */
static ALWAYS_INLINE cycles hit(const struct memsys_exchange *exchange, paddr address, unsigned size,
                                enum memsys_access access, cycles now)
{
    struct classified *const first = exchange->first;
    struct step step = {.address = address, .line = address >> LINE_SHIFT};
    const uint32_t set = step.line & exchange->set_mask;
    uint32_t *words = &exchange->word[2 * set];
    const uint32_t way = has_line(words[1], address, LINE_SHIFT);
    if (!has_line(words[way], address, LINE_SHIFT))
        return MEMSYS_ASK;
    step.way = way * QUICK_WAY;
    step.state = words[way] & ENTRY_STATE;
    if (access == MEMSYS_WRITE && step.state != ENTRY_DIRTY) {
        const uint32_t outer = exchange->outer[address >> OUTER_SHIFT & exchange->outer_mask];
        if (!(outer & ENTRY_MODIFIED)) /* the second level includes the first */
            return MEMSYS_ASK;
        words[way] |= step.state = ENTRY_DIRTY;
    }
    exchange->last[set] = (uint8_t)(QUICK_READ | step.way);
    step.state = may_do_unseen(first, access, step.state, address, size);
    return use_line(exchange, &step, time_of_use(first->who, now), exchange->used[step.line] != 0, 0);
}

static OUT_OF_LINE cycles hit_fetch(const struct memsys_exchange *exchange, paddr address, cycles now)
{
    return hit(exchange, address, 4, MEMSYS_FETCH, now);
}

static OUT_OF_LINE cycles hit_read(const struct memsys_exchange *exchange, paddr address, cycles now)
{
    return hit(exchange, address, 4, MEMSYS_READ, now);
}

static OUT_OF_LINE cycles hit_write(const struct memsys_exchange *exchange, paddr address, unsigned size, cycles now)
{
    return hit(exchange, address, size, MEMSYS_WRITE, now);
}

/* A line of this STATE was replaced, or taken along: it is not there. */
static ALWAYS_INLINE bool was_replaced(uint32_t state)
{
    _Static_assert((LEFT_REPLACED | 1) == LEFT_INCLUSION, "the two are told by one bit");
    return (state & CAUSE_MASK & ~1u) == LEFT_REPLACED;
}

/* The line of ADDRESS, of this STATE, is not there and never was. It may be there and not be known, if the caches are
 * from a checkpoint that has no classification. */
static ALWAYS_INLINE bool is_cold(const struct memsys_exchange *exchange, paddr address, uint32_t state)
{
    const uint32_t *words = &exchange->word[2 * (address >> LINE_SHIFT & exchange->set_mask)];
    return state == NEVER_HELD && !has_line(words[0], address, LINE_SHIFT) && !has_line(words[1], address, LINE_SHIFT);
}

/* Why a line of this STATE is missed, which was replaced, taken along or never there, and who had evicted it, are
 * counted. */
static ALWAYS_INLINE void count(struct classified *first, uint32_t state, bool held, enum miss_kind kind)
{
    enum miss_class class = CLASS_COLD;
    if (SIM_LIKELY(state != NEVER_HELD)) {
        class = state & 1 ? CLASS_INCLUSION : held ? CLASS_CONFLICT : CLASS_CAPACITY;
        evicted_of(first, kind)[(state ^ first->who->owner) > CAUSE_MASK ? EVICTED_BY_OTHER : EVICTED_BY_SELF]++;
    }
    missed_of(first, kind)[class]++;
}

/* The line of STEP comes to the way of its set that is used next, with step->state. */
static ALWAYS_INLINE void put(const struct memsys_exchange *exchange, struct step *step, bool fetch)
{
    const size_t set = step->line & exchange->set_mask;
    step->way =
        last_way_by_times(&exchange->word[2 * set], exchange->used, LINE_SHIFT, exchange->last[set]) ^ QUICK_WAY;
    exchange->last[set] = (uint8_t)(QUICK_READ | step->way);
    uint32_t *const word = word_of(&exchange->word[2 * set], step->way);
    const uint32_t victim = *word;
    *word = step->line << LINE_SHIFT | step->state;
    if (SIM_LIKELY(victim)) {
        exchange->state[victim >> LINE_SHIFT] = LEFT_REPLACED | exchange->who->owner;
        exchange->bytes[victim >> LINE_SHIFT] = QUICK_NONE;
        if (!fetch)
            *exchange->write_backs += victim / ENTRY_MODIFIED % 2;
    }
    exchange->state[step->line] = *exchange->present;
}

/* What is known of the line says mostly that it is missed, and why. */
static ALWAYS_INLINE cycles access(const struct memsys_exchange *exchange, paddr address, unsigned size,
                                   enum memsys_access access, cycles now, struct bucket *bucket)
{
    static const enum miss misses[] = {MISS_L1I, MISS_L1D_READ, MISS_L1D_WRITE};
    const bool fetch = access == MEMSYS_FETCH, write = access == MEMSYS_WRITE;
    struct classified *const first = exchange->first;
    struct step step = {.address = address, .line = address >> LINE_SHIFT};
    const uint32_t state = exchange->state[step.line];
    if (!SIM_LIKELY(was_replaced(state)) && !is_cold(exchange, address, state))
        return fetch   ? hit_fetch(exchange, address, now)
               : write ? hit_write(exchange, address, size, now)
                       : hit_read(exchange, address, now);
    const uint32_t entry = address >> OUTER_SHIFT & exchange->outer_mask;
    cycles *const outer_used = &exchange->outer_used[address >> OUTER_SHIFT];
    if (SIM_UNLIKELY(!has_line(exchange->outer[entry], address, OUTER_SHIFT)) ||
        (write && SIM_UNLIKELY(!(exchange->outer[entry] & ENTRY_MODIFIED))) || SIM_UNLIKELY(*outer_used == 0))
        return MEMSYS_ASK;
    const bool held = exchange->used[step.line] != 0;
    count(first, state, held, fetch ? MISS_INSN : MISS_DATA);
    exchange->misses[access]++;
    bucket->miss[misses[access]]++;
    const cycles stall = charge(bucket, fetch ? STALL_L1I : STALL_L1D, exchange->time);
    step.state = write ? ENTRY_DIRTY : ENTRY_CLEAN;
    put(exchange, &step, fetch);
    step.state = may_do_unseen(first, access, step.state, address, size);
    const cycles time = *outer_used = time_of_use(exchange->who, now);
    return use_line(exchange, &step, time, held, stall);
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
