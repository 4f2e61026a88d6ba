#include "cache/nonblocking.h"

#include "src/base/log.h"
#include <stdlib.h>

enum { MSHRS_MAX = 64 };

/* An MSHR: a line in flight until `ready`, free after that. */
struct mshr {
    paddr line;
    cycles ready;
    enum stall stall;
};

/* The MSHRs of one cache. */
struct mshrs {
    unsigned count;
    paddr line_mask;
    cycles last; /* end of the latest miss: nothing is in flight from then on */
    struct mshr entry[MSHRS_MAX];
};

struct nonblocking {
    struct memsys *memsys;
    unsigned cpu;
    bool has_second;
    struct mshrs fetch, data, second;
};

static void init(struct mshrs *mshrs, const struct memsys *memsys, const struct params *params, enum memsys_cache cache,
                 const char *name)
{
    mshrs->count = (unsigned)params_u64(params, name);
    mshrs->line_mask = ~(memsys_line(memsys, cache) - 1);
    if (mshrs->count > MSHRS_MAX)
        log_bug("%s = %u", name, mshrs->count);
}

struct nonblocking *nonblocking_create(struct memsys *memsys, unsigned cpu, const struct params *params)
{
    struct nonblocking *n = calloc(1, sizeof *n);
    if (n == NULL)
        log_bug("out of memory");
    n->memsys = memsys;
    n->cpu = cpu;
    n->has_second = memsys_line(memsys, MEMSYS_L2) != 0;
    init(&n->fetch, memsys, params, MEMSYS_L1I, "cache.l1i.outstanding");
    init(&n->data, memsys, params, MEMSYS_L1D, "cache.l1d.outstanding");
    if (n->has_second)
        init(&n->second, memsys, params, MEMSYS_L2, "cache.l2.outstanding");
    return n;
}

void nonblocking_free(struct nonblocking *nonblocking)
{
    free(nonblocking);
}

static const struct mshr *find(const struct mshrs *mshrs, paddr address, cycles now)
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
    *entry = (struct mshr){.line = address & mshrs->line_mask, .ready = ready, .stall = stall};
    if (ready > mshrs->last)
        mshrs->last = ready;
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

/* Whether CACHE has the whole line. */
static bool is_present(const struct nonblocking *n, enum memsys_cache cache, paddr address)
{
    const struct memsys_entry entry = memsys_look(n->memsys, n->cpu, cache, address);
    return entry.valid && !entry.partial;
}

/* Whether the MSHRs suffice for an access that may miss FIRST and the second level. *FIRST_MSHR, *SECOND_MSHR: a free
 * MSHR of each, or NULL. If not, *WHEN: the time to retry. */
static bool has_mshrs(struct nonblocking *n, struct mshrs *first, const struct memsys_request *request,
                      struct mshr **first_mshr, struct mshr **second_mshr, cycles *when)
{
    const bool fetch = request->access == MEMSYS_FETCH;
    cycles later = 0;
    *first_mshr = find_free(first, request->now, when);
    *second_mshr = n->has_second ? find_free(&n->second, request->now, &later) : NULL;
    if ((*first_mshr != NULL && (!n->has_second || *second_mshr != NULL)) ||
        is_present(n, fetch ? MEMSYS_L1I : MEMSYS_L1D, request->address))
        return true; /* a hit needs no MSHR, not even with a non-inclusive second level */
    if (*first_mshr == NULL)
        return false;
    if (find(&n->second, request->address, request->now) || is_present(n, MEMSYS_L2, request->address))
        return true;
    *when = later;
    return false;
}

bool nonblocking_in_flight(const struct nonblocking *n, enum memsys_access access, paddr address, cycles now,
                           struct nonblocking_result *result)
{
    const struct mshr *entry = find(access == MEMSYS_FETCH ? &n->fetch : &n->data, address, now);
    if (entry == NULL)
        return false;
    *result = (struct nonblocking_result){.ready = entry->ready, .stall = entry->stall, .merged = true};
    return true;
}

bool nonblocking_access(struct nonblocking *n, const struct memsys_request *request, struct nonblocking_result *result)
{
    struct mshrs *first = request->access == MEMSYS_FETCH ? &n->fetch : &n->data;
    struct mshr *first_mshr, *second_mshr;
    const cycles now = request->now;
    struct nonblocking_result in_flight;
    const bool merges = nonblocking_in_flight(n, request->access, request->address, now, &in_flight);
    if (!has_mshrs(n, first, request, &first_mshr, &second_mshr, &result->ready))
        return false;
    const cycles stall = memsys_access(n->memsys, n->cpu, request);
    *result = (struct nonblocking_result){.ready = now + stall};
    if (stall > 0)
        result->stall = stall_of(request->bucket);
    if (stall > 0 && !merges) {
        const struct mshr *outer = n->has_second ? find(&n->second, request->address, now) : NULL;
        /* the line is still in flight to the second level */
        if (outer != NULL && outer->ready > result->ready) {
            result->ready = outer->ready;
            result->stall = outer->stall;
        } else if (n->has_second && outer == NULL && (result->stall == STALL_L2I || result->stall == STALL_L2D)) {
            occupy(&n->second, second_mshr, request->address, result->ready, result->stall);
        }
        occupy(first, first_mshr, request->address, result->ready, result->stall);
    }
    if (merges && in_flight.ready >= result->ready)
        *result = in_flight;
    return true;
}

static void save(const struct mshrs *mshrs, struct saved_out *out)
{
    saved_put_u64(out, mshrs->last);
    for (unsigned i = 0; i < mshrs->count; i++) {
        saved_put_u32(out, mshrs->entry[i].line);
        saved_put_u64(out, mshrs->entry[i].ready);
        saved_put_u32(out, mshrs->entry[i].stall);
    }
}

static bool load(struct mshrs *mshrs, struct saved_in *in, struct err *err)
{
    if (!saved_get_u64(in, &mshrs->last))
        return false;
    for (unsigned i = 0; i < mshrs->count; i++) {
        uint32_t stall;
        if (!saved_get_u32(in, &mshrs->entry[i].line) || !saved_get_u64(in, &mshrs->entry[i].ready) ||
            !saved_get_u32(in, &stall))
            return false;
        if (stall >= STALL_COUNT)
            return err_set(err, "a line in flight has invalid stall category %u", stall);
        mshrs->entry[i].stall = (enum stall)stall;
    }
    return true;
}

void nonblocking_save(const struct nonblocking *n, struct saved_out *out)
{
    save(&n->fetch, out);
    save(&n->data, out);
    save(&n->second, out);
}

bool nonblocking_load(struct nonblocking *n, struct saved_in *in, struct err *err)
{
    return load(&n->fetch, in, err) && load(&n->data, in, err) && load(&n->second, in, err);
}

static bool all_arrive_by(const struct mshrs *mshrs, cycles latest)
{
    bool arrives = mshrs->last <= latest;
    for (unsigned i = 0; i < mshrs->count; i++)
        arrives = arrives && mshrs->entry[i].ready <= latest;
    return arrives;
}

bool nonblocking_check(const struct nonblocking *n, cycles latest, struct err *err)
{
    return (all_arrive_by(&n->fetch, latest) && all_arrive_by(&n->data, latest) && all_arrive_by(&n->second, latest)) ||
           err_set(err, "a line in flight has an arrival time out of range");
}
