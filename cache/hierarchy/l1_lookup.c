/* Fast versions of an access for the common kinds of first level, physically indexed with LRU and one or two ways:
 * hits, and misses that hit in the second level, are frequent enough to matter. */
#include "cache/hierarchy/access.h"
#include "cache/classify/classification.h"
#include "cache/classify/classify_inline.h"
#include "cache/hierarchy/coherence.h"

/* The kinds of first level with specialised functions. TWO_WAYS_MRU: two ways, and the CPU model records the MRU way.
 */
enum kind { ONE_WAY, TWO_WAYS, TWO_WAYS_MRU, KINDS };

static ALWAYS_INLINE uint32_t ways_of(enum kind kind)
{
    return kind == ONE_WAY ? 1 : 2;
}

static ALWAYS_INLINE bool is_line(uint32_t word, paddr line)
{
    return word - line - 1 < ENTRY_STATE;
}

static ALWAYS_INLINE void touch(struct array *l1, size_t set, uint32_t way, enum kind kind)
{
    if (kind == TWO_WAYS_MRU)
        l1->mru[set] = way ? PERMIT_READ | PERMIT_WAY : PERMIT_READ;
    else if (kind == TWO_WAYS)
        l1->order[set] = way ? 0x01 : 0x10;
}

/* The victim way of a set, which becomes the MRU way. */
static ALWAYS_INLINE uint32_t take_victim(struct array *l1, size_t set, enum kind kind)
{
    if (kind == ONE_WAY)
        return 0;
    if (kind == TWO_WAYS_MRU) {
        const uint32_t way = array_mru_way(l1, set) ^ PERMIT_WAY;
        l1->mru[set] = (uint8_t)(PERMIT_READ | way);
        return way / PERMIT_WAY;
    }
    const uint64_t order = l1->order[set];
    l1->order[set] = order ^ 0x11;
    return order >> 4 & 1;
}

/* Sets the permission byte of REQUEST's line. STATE is the state of the line and its permission: both use the same
 * bits. */
static ALWAYS_INLINE void set_permission(struct array *l1, size_t set, uint32_t way, enum kind kind,
                                         const struct memsys_request *request, uint32_t state)
{
    _Static_assert((int)ENTRY_CLEAN == (int)PERMIT_READ && (int)ENTRY_DIRTY == (int)PERMIT_READ_STORE,
                   "a clean line may be read, a dirty one written");
    uint8_t **slot = &l1->permission[kind == TWO_WAYS_MRU ? 2 * set + way : set], *permission = request->permission;
    uint32_t may = state & request->max_permission;
    **slot = PERMIT_NONE;
    *slot = permission;
    *permission = (uint8_t)(kind == TWO_WAYS_MRU && may ? may | way * PERMIT_WAY : may);
}

static OUT_OF_LINE uint32_t notify_observers_of_hit(struct memsys *memsys, unsigned cpu,
                                                    const struct memsys_request *request, const struct array *l1)
{
    TELL(memsys, hit, cpu, l1->id, request, request->address & l1->line_mask);
    return PERMIT_READ_STORE;
}

/* Notifies the observers of a hit. Returns the fast-path permission that they allow. */
static ALWAYS_INLINE uint32_t notify_hit(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                         const struct array *l1)
{
    if (SIM_LIKELY(memsys->only_classification_observes))
        return classify_first_hit(l1->classified, request);
    return notify_observers_of_hit(memsys, cpu, request, l1);
}

/* A miss for access.c, which notifies of all events except the end of the access. */
static OUT_OF_LINE cycles miss_notify(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    cycles stall = access_miss(memsys, cpu, request);
    if (memsys->only_classification_observes)
        classification_end(memsys->classification, cpu, request, stall);
    return stall;
}

/* Notifications of a first-level fill: none; a miss that hits in the second level; to the classification alone, a fill
 * whose miss has been reported. */
enum notification { NOTIFY_NONE, NOTIFY_REFILL, NOTIFY_FILL };

/* Fills the line of REQUEST, which missed L1, from entry OUTER of the second level, with STATE; TIME is the stall. */
static ALWAYS_INLINE cycles fill_first(struct array *l1, size_t set, enum kind kind, enum memsys_access access,
                                       const struct memsys_request *request, uint32_t outer, uint32_t state,
                                       enum stall stall, cycles time, enum notification notification)
{
    static const enum miss misses[] = {MISS_L1I, MISS_L1D_READ, MISS_L1D_WRITE};
    struct array *l2 = l1->next;
    l2->inner[outer] |= array_inner_bit(l2, request->address, access == MEMSYS_FETCH);
    const uint32_t way = take_victim(l1, set, kind);
    uint32_t *word = l1->word + set * ways_of(kind) + way;
    if (access != MEMSYS_FETCH)
        l1->counts.write_backs += *word / ENTRY_MODIFIED % 2;
    const uint32_t old = *word;
    *word = (request->address & l1->line_mask) | state;
    if (notification == NOTIFY_REFILL)
        state &= classify_refill(l1->classified, l2->classified, request, old, access);
    else if (notification == NOTIFY_FILL)
        state &= classify_replace(l1->classified, request, old);
    set_permission(l1, set, way, kind, request, state);
    l1->counts.misses[access]++;
    request->bucket->miss[misses[access]]++;
    return charge(request->bucket, stall, time);
}

/* The access missed both levels. NOTIFY: notify the classification. */
static ALWAYS_INLINE cycles miss_both(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                      struct array *l1, size_t set, enum kind kind, bool notify)
{
    const enum memsys_access access = request->access;
    const bool fetch = access == MEMSYS_FETCH;
    struct array *l2 = l1->next;
    struct transaction transaction = {0};
    l2->counts.misses[access]++;
    request->bucket->miss[fetch ? MISS_L2_INSN : MISS_L2_DATA]++;
    if (notify) {
        classified_miss(l1->classified, request);
        classified_miss(l2->classified, request);
    }
    if (access == MEMSYS_WRITE)
        transaction = coherence_read_exclusive(memsys, cpu, request);
    else
        transaction.time = coherence_read(memsys, cpu, request->address);
    if (notify)
        classification_add_wait(memsys->classification, cpu, request, transaction.time);
    const enum entry_state state = transaction.owned ? ENTRY_DIRTY : ENTRY_CLEAN;
    /* before the first-level victim is chosen: back-invalidation by the second-level victim may empty entries in L1's
     * set */
    const uint32_t outer = notify ? node_fill_classified(memsys, cpu, l2, request->address, state, request->now)
                                  : node_fill_unobserved(memsys, cpu, l2, request->address, state);
    return fill_first(l1, set, kind, access, request, outer, state, fetch ? STALL_L2I : STALL_L2D, transaction.time,
                      notify ? NOTIFY_FILL : NOTIFY_NONE);
}

/* A store to a line whose entry OUTER of the second level is clean: upgrade. */
static struct transaction upgrade_second(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                         struct array *l2, uint32_t outer)
{
    struct transaction transaction = coherence_upgrade(memsys, cpu, request);
    if (transaction.owned)
        l2->word[outer] |= ENTRY_DIRTY;
    return transaction;
}

/* A store that missed the first level and hit a clean line in the second. */
static ALWAYS_INLINE cycles miss_clean(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                       struct array *l1, size_t set, enum kind kind, bool notify)
{
    struct array *l2 = l1->next;
    const uint32_t outer = array_find(l2, request->address & l2->line_mask);
    array_touch(l2, outer);
    const struct transaction upgrade = upgrade_second(memsys, cpu, request, l2, outer);
    /* one transaction fetches the line and obtains ownership; it takes at least the hit time */
    const cycles time = upgrade.time > l2->hit_time ? upgrade.time : l2->hit_time;
    return fill_first(l1, set, kind, MEMSYS_WRITE, request, outer, upgrade.owned ? ENTRY_DIRTY : ENTRY_CLEAN,
                      upgrade.sent ? STALL_UPGRADE : STALL_L1D, time, notify ? NOTIFY_REFILL : NOTIFY_NONE);
}

/* A store to a clean line of L1. NOTIFY: notify the classification. */
static ALWAYS_INLINE cycles store_to_clean(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                           struct array *l1, uint32_t entry, bool notify)
{
    struct array *l2 = l1->next;
    const uint32_t outer = array_find(l2, request->address & l2->line_mask);
    struct transaction upgrade = {.owned = true};
    if (!entry_is_dirty(l2, outer))
        upgrade = upgrade_second(memsys, cpu, request, l2, outer);
    if (upgrade.owned)
        l1->word[entry] |= ENTRY_DIRTY;
    const unsigned may = notify ? classify_first_hit(l1->classified, request) : PERMIT_READ_STORE;
    array_grant_permission(l1, entry, request->permission, request->max_permission & may);
    return upgrade.sent ? charge(request->bucket, STALL_UPGRADE, upgrade.time) : 0;
}

/* A store to a clean line of L1 with observers to notify and any outer hierarchy. */
static OUT_OF_LINE cycles store_any_notify(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                           struct array *l1, uint32_t entry)
{
    TELL(memsys, hit, cpu, l1->id, request, request->address & l1->line_mask);
    cycles stall = access_store_to_clean(memsys, cpu, request, l1, entry);
    if (memsys->only_classification_observes)
        classification_end(memsys->classification, cpu, request, stall);
    return stall;
}

/* Whether this file handles the access beyond the first level. If not, access.c does, with all notifications. */
static ALWAYS_INLINE bool is_handled_here(const struct memsys *memsys, bool notify)
{
    return memsys->may_refill_fast && (!notify || memsys->only_classification_observes);
}

/* REQUEST missed set SET of L1. Handles a hit in the second level here. */
static ALWAYS_INLINE cycles miss_first(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                       struct array *l1, size_t set, enum kind kind, bool notify)
{
    const enum memsys_access access = request->access;
    const bool write = access == MEMSYS_WRITE;
    struct array *l2 = l1->next;
    const paddr address = request->address;
    if (!is_handled_here(memsys, notify))
        return (notify ? miss_notify : access_miss)(memsys, cpu, request);
    const uint32_t outer = array_find_in(l2, array_first(l2, address, address), address & l2->line_mask);
    if (outer == NO_ENTRY && !notify && memsys->outer_observed)
        return access_miss(memsys, cpu, request);
    if (outer == NO_ENTRY)
        return miss_both(memsys, cpu, request, l1, set, kind, notify);
    if (write && !entry_is_dirty(l2, outer))
        return miss_clean(memsys, cpu, request, l1, set, kind, notify);
    array_touch(l2, outer);
    return fill_first(l1, set, kind, access, request, outer, write ? ENTRY_DIRTY : ENTRY_CLEAN,
                      access == MEMSYS_FETCH ? STALL_L1I : STALL_L1D, l2->hit_time,
                      notify ? NOTIFY_REFILL : NOTIFY_NONE);
}

static ALWAYS_INLINE cycles access_first(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                         enum kind kind, bool notify)
{
    struct array *l1 = memsys->first[request->access != MEMSYS_FETCH][cpu];
    const paddr line = request->address & l1->line_mask;
    const size_t set = request->address >> l1->line_shift & l1->set_mask;
    const uint32_t *word = l1->word + set * ways_of(kind);
    uint32_t way = 0;
    while (!is_line(word[way], line))
        if (++way == ways_of(kind))
            return miss_first(memsys, cpu, request, l1, set, kind, notify);
    touch(l1, set, way, kind);
    uint32_t state = word[way] - line;
    if (request->access == MEMSYS_WRITE && state != ENTRY_DIRTY) {
        const uint32_t entry = (uint32_t)set * ways_of(kind) + way;
        if (!is_handled_here(memsys, notify))
            return (notify ? store_any_notify : access_store_to_clean)(memsys, cpu, request, l1, entry);
        return store_to_clean(memsys, cpu, request, l1, entry, notify);
    }
    if (notify)
        state &= notify_hit(memsys, cpu, request, l1);
    set_permission(l1, set, way, kind, request, state);
    return 0;
}

#define FUNCTION(NAME, KIND, NOTIFY)                                                                                   \
    static cycles NAME(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)                      \
    {                                                                                                                  \
        return access_first(memsys, cpu, request, KIND, NOTIFY);                                                       \
    }
FUNCTION(one_way, ONE_WAY, false)
FUNCTION(two_ways, TWO_WAYS, false)
FUNCTION(two_ways_mru, TWO_WAYS_MRU, false)
FUNCTION(one_way_notify, ONE_WAY, true)
FUNCTION(two_ways_notify, TWO_WAYS, true)
FUNCTION(two_ways_mru_notify, TWO_WAYS_MRU, true)

/* The kind of all CPUs' first levels, which differ only in whether the CPU model records MRU ways; KINDS if only some
 * do. */
static enum kind kind_of(const struct memsys *memsys, enum memsys_access access)
{
    unsigned recording = 0;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        recording += memsys->first[access != MEMSYS_FETCH][cpu]->mru != NULL;
    if (recording > 0)
        return recording == memsys->cpus ? TWO_WAYS_MRU : KINDS;
    return memsys->first[access != MEMSYS_FETCH][0]->ways == 1 ? ONE_WAY : TWO_WAYS;
}

access_function *first_level_function(const struct memsys *memsys, enum memsys_access access)
{
    static access_function *const functions[][2] = {
        [ONE_WAY] = {one_way, one_way_notify},
        [TWO_WAYS] = {two_ways, two_ways_notify},
        [TWO_WAYS_MRU] = {two_ways_mru, two_ways_mru_notify},
        [KINDS] = {access_any, access_any},
    };
    const struct array *l1 = memsys->node[0].first[access != MEMSYS_FETCH];
    if (l1->mapped || l1->hashed || l1->policy != REPLACE_LRU || l1->ways > 2 || l1->invalid ||
        (access == MEMSYS_WRITE && l1->through))
        return access_any;
    return functions[kind_of(memsys, access)][memsys->first_level_observed];
}
