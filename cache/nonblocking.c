#include "cache/nonblocking.h"

#include "src/base/log.h"
#include <stdlib.h>

enum { MSHRS_MAX = 64 };

/* An MSHR: a line in flight until `ready`, free after that. */
struct mshr {
    paddr line;
    cycles ready;
    enum stall stall;
    uint32_t targets; /* accesses that wait for it; not counted without a limit */
};

/* The MSHRs of one cache. */
struct mshrs {
    unsigned count;
    uint32_t targets_max; /* 0: any number */
    paddr line_mask;
    cycles last;    /* end of the latest miss: nothing is in flight from then on */
    cycles blocked; /* until then no access is taken: an MSHR has all its targets */
    struct mshr entry[MSHRS_MAX];
};

/* The misses of the last level that are in flight: from some time on there is one until `last`, and are two or more
 * until `last_but_one`. */
struct outer_misses {
    cycles last, last_but_one;
};

struct nonblocking {
    struct memsys *memsys;
    unsigned cpu;
    bool has_second;
    struct mshrs fetch, data, second;
    struct outer_misses outer;
};

static void init(struct mshrs *mshrs, const struct memsys *memsys, const struct params *params, enum memsys_cache cache,
                 const char *outstanding, const char *targets)
{
    mshrs->count = (unsigned)params_u64(params, outstanding);
    mshrs->targets_max = (uint32_t)params_u64(params, targets);
    mshrs->line_mask = ~(memsys_line(memsys, cache) - 1);
    if (mshrs->count > MSHRS_MAX)
        log_bug("%s = %u", outstanding, mshrs->count);
}

struct nonblocking *nonblocking_create(struct memsys *memsys, unsigned cpu, const struct params *params)
{
    struct nonblocking *n = checked_memory(calloc(1, sizeof *n));
    n->memsys = memsys;
    n->cpu = cpu;
    n->has_second = memsys_line(memsys, MEMSYS_L2) != 0;
    init(&n->fetch, memsys, params, MEMSYS_L1I, "cache.l1i.outstanding", "cache.l1i.targets");
    init(&n->data, memsys, params, MEMSYS_L1D, "cache.l1d.outstanding", "cache.l1d.targets");
    if (n->has_second)
        init(&n->second, memsys, params, MEMSYS_L2, "cache.l2.outstanding", "cache.l2.targets");
    return n;
}

void nonblocking_free(struct nonblocking *nonblocking)
{
    free(nonblocking);
}

static struct mshr *find(struct mshrs *mshrs, paddr address, cycles now)
{
    if (mshrs->last <= now)
        return NULL;
    for (unsigned i = 0; i < mshrs->count; i++)
        if (mshrs->entry[i].ready > now && mshrs->entry[i].line == (address & mshrs->line_mask))
            return &mshrs->entry[i];
    return NULL;
}

/* An MSHR that is free at NOW. If there is none returns NULL, with the time when one becomes free in *WHEN. */
static struct mshr *find_free(struct mshrs *mshrs, cycles now, cycles *when)
{
    *when = CYCLES_NEVER;
    for (unsigned i = 0; i < mshrs->count; i++) {
        if (mshrs->entry[i].ready <= now)
            return &mshrs->entry[i];
        if (mshrs->entry[i].ready < *when)
            *when = mshrs->entry[i].ready;
    }
    return NULL;
}

static void occupy(struct mshrs *mshrs, struct mshr *entry, paddr address, cycles ready, enum stall stall)
{
    if (entry == NULL)
        return;
    *entry = (struct mshr){.line = address & mshrs->line_mask, .ready = ready, .stall = stall, .targets = 1};
    if (ready > mshrs->last)
        mshrs->last = ready;
}

static cycles minimum(cycles a, cycles b)
{
    return a < b ? a : b;
}

static cycles maximum(cycles a, cycles b)
{
    return a > b ? a : b;
}

/* How much a miss of the last level from NOW to READY adds to the time with one in flight, and with several. Those in
 * flight have begun before it. */
static struct nonblocking_outstanding outstanding(struct outer_misses *in_flight, cycles now, cycles ready)
{
    const struct outer_misses before = {maximum(in_flight->last, now), maximum(in_flight->last_but_one, now)};
    const struct outer_misses after = {maximum(before.last, ready),
                                       maximum(before.last_but_one, minimum(before.last, ready))};
    *in_flight = after;
    return (struct nonblocking_outstanding){
        .any = after.last - before.last, .several = after.last_but_one - before.last_but_one, .total = ready - now};
}

/* The category that BUCKET, empty before, had its stall charged to. */
static enum stall stall_of(const struct bucket *bucket)
{
    unsigned kind = 0;
    for (unsigned i = 0; i < STALL_COUNT; i++)
        if (bucket->stall[i] > bucket->stall[kind])
            kind = i;
    return (enum stall)kind;
}

/* Whether the cache that REQUEST looks up, the first-level one or, if SECOND, that of the second level, has the whole
 * line. In a unified level the data cache holds instructions too. */
static bool is_present(const struct nonblocking *n, const struct memsys_request *request, bool second)
{
    const enum memsys_cache data = second ? MEMSYS_L2 : MEMSYS_L1D, insn = second ? MEMSYS_L2I : MEMSYS_L1I;
    const bool in_insn = request->access == MEMSYS_FETCH && memsys_entries(n->memsys, insn, NULL) != 0;
    const struct memsys_entry entry = memsys_look(n->memsys, n->cpu, in_insn ? insn : data, request->address);
    return entry.valid && !entry.partial;
}

/* Whether the MSHRs suffice for an access that may miss FIRST and the second level. *FIRST_MSHR, *SECOND_MSHR: a free
 * MSHR of each, or NULL. If not, *WHEN: the time to retry. */
static bool has_mshrs(struct nonblocking *n, struct mshrs *first, const struct memsys_request *request,
                      struct mshr **first_mshr, struct mshr **second_mshr, cycles *when)
{
    cycles later = 0;
    *first_mshr = find_free(first, request->now, when);
    *second_mshr = n->has_second ? find_free(&n->second, request->now, &later) : NULL;
    if ((*first_mshr != NULL && (!n->has_second || *second_mshr != NULL)) || is_present(n, request, false))
        return true; /* a hit needs no MSHR, not even with a non-inclusive second level */
    if (*first_mshr == NULL)
        return false;
    if (find(&n->second, request->address, request->now) || is_present(n, request, true))
        return true;
    *when = later;
    return false;
}

/* Makes one more access wait for the line of ENTRY. False: ENTRY has all its targets, and MSHRS are blocked. */
static bool add_target(struct mshrs *mshrs, struct mshr *entry)
{
    if (mshrs->targets_max == 0)
        return true;
    if (entry->targets >= mshrs->targets_max) {
        mshrs->blocked = entry->ready;
        return false;
    }
    entry->targets++;
    return true;
}

bool nonblocking_in_flight(struct nonblocking *n, enum memsys_access access, paddr address, cycles now,
                           struct nonblocking_result *result)
{
    struct mshrs *first = access == MEMSYS_FETCH ? &n->fetch : &n->data;
    struct mshr *entry = find(first, address, now);
    if (first->blocked <= now && entry == NULL)
        return false;
    if (first->blocked > now || !add_target(first, entry))
        *result = (struct nonblocking_result){.ready = first->blocked, .refused = true};
    else
        *result = (struct nonblocking_result){.ready = entry->ready, .stall = entry->stall, .merged = true};
    return true;
}

/* Whether the second level takes REQUEST, which merges with the MSHR OUTER there if it is not NULL and misses the
 * first. */
static bool takes(struct nonblocking *n, const struct memsys_request *request, struct mshr *outer)
{
    if (n->second.blocked <= request->now && outer == NULL)
        return true;
    if (is_present(n, request, false))
        return true;
    return n->second.blocked <= request->now && add_target(&n->second, outer);
}

bool nonblocking_access(struct nonblocking *n, const struct memsys_request *request, struct nonblocking_result *result)
{
    struct mshrs *first = request->access == MEMSYS_FETCH ? &n->fetch : &n->data;
    struct mshr *first_mshr, *second_mshr;
    const cycles now = request->now;
    struct nonblocking_result in_flight;
    if (!has_mshrs(n, first, request, &first_mshr, &second_mshr, &result->ready))
        return false;
    const bool merges = nonblocking_in_flight(n, request->access, request->address, now, &in_flight);
    if (merges && in_flight.refused) {
        result->ready = in_flight.ready;
        return false;
    }
    struct mshr *outer = n->has_second && !merges ? find(&n->second, request->address, now) : NULL;
    if (!takes(n, request, outer)) {
        result->ready = n->second.blocked;
        return false;
    }
    const cycles stall = memsys_access(n->memsys, n->cpu, request);
    *result = (struct nonblocking_result){.ready = now + stall};
    if (stall > 0)
        result->stall = stall_of(request->bucket);
    if (stall > 0 && !merges) {
        /* the line is still in flight to the second level */
        if (outer != NULL && outer->ready > result->ready) {
            result->ready = outer->ready;
            result->stall = outer->stall;
        } else if (outer == NULL && (result->stall == STALL_L2I || result->stall == STALL_L2D)) {
            if (n->has_second)
                occupy(&n->second, second_mshr, request->address, result->ready, result->stall);
            result->outstanding = outstanding(&n->outer, now, result->ready);
        }
        occupy(first, first_mshr, request->address, result->ready, result->stall);
    }
    if (merges && in_flight.ready >= result->ready)
        *result = in_flight;
    return true;
}

/* Checkpoints */

static const struct saved_field cache_fields[] = {
    SAVED_FIELD(struct mshrs, last, SAVED_U64),
    SAVED_FIELD(struct mshrs, blocked, SAVED_U64),
};
static const struct saved_field outer_fields[] = {
    SAVED_FIELD(struct outer_misses, last, SAVED_U64),
    SAVED_FIELD(struct outer_misses, last_but_one, SAVED_U64),
};
static const struct saved_field mshr_fields[] = {
    SAVED_FIELD(struct mshr, line, SAVED_U32),
    SAVED_FIELD(struct mshr, ready, SAVED_U64),
    SAVED_LIMITED(struct mshr, stall, SAVED_U32, STALL_COUNT - 1),
    SAVED_FIELD(struct mshr, targets, SAVED_U32),
};

/* Version 2 of the section does not have the last one. */
enum { CACHE_ARRAYS = 6, ARRAYS };
static void list_arrays(struct nonblocking *n, struct saved_array arrays[ARRAYS])
{
    struct mshrs *const caches[] = {&n->fetch, &n->data, &n->second};
    for (unsigned i = 0; i < CACHE_ARRAYS / 2; i++) {
        arrays[2 * i] = (struct saved_array){SAVED_TABLE(cache_fields), .base = caches[i], .count = 1};
        arrays[2 * i + 1] = (struct saved_array){SAVED_TABLE(mshr_fields), caches[i]->entry, sizeof *caches[i]->entry,
                                                 caches[i]->count};
    }
    arrays[CACHE_ARRAYS] = (struct saved_array){SAVED_TABLE(outer_fields), .base = &n->outer, .count = 1};
}

void nonblocking_save(struct nonblocking *n, struct saved_out *out)
{
    struct saved_array arrays[ARRAYS];
    list_arrays(n, arrays);
    for (unsigned i = 0; i < ARRAYS; i++)
        saved_put_array(out, &arrays[i]);
}

bool nonblocking_load(struct nonblocking *n, struct saved_in *in, struct err *err)
{
    struct saved_array arrays[ARRAYS];
    list_arrays(n, arrays);
    for (unsigned i = 0; i < (in->version == 2 ? CACHE_ARRAYS : ARRAYS); i++)
        if (!saved_get_array(in, &arrays[i], NULL, err))
            return false;
    return true;
}

static bool all_arrive_by(const struct mshrs *mshrs, cycles latest)
{
    bool arrives = mshrs->last <= latest && mshrs->blocked <= latest;
    for (unsigned i = 0; i < mshrs->count; i++)
        arrives = arrives && mshrs->entry[i].ready <= latest;
    return arrives;
}

bool nonblocking_check(const struct nonblocking *n, cycles latest, struct err *err)
{
    return (all_arrive_by(&n->fetch, latest) && all_arrive_by(&n->data, latest) && all_arrive_by(&n->second, latest) &&
            n->outer.last <= latest && n->outer.last_but_one <= n->outer.last) ||
           err_set(err, "a line in flight has an arrival time out of range");
}
