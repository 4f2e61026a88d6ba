#include "cache/nonblocking.h"

#include "src/log.h"
#include <stdlib.h>

enum { REGISTERS_MAX = 64 };

/* An MSHR: a line in flight until `ready`, free after that. */
struct miss_register {
    paddr line;
    cycles ready;
    enum stall stall;
};

/* The MSHRs of one cache. */
struct misses {
    unsigned count;
    paddr line_mask;
    cycles last; /* end of the latest miss: nothing is in flight from then on */
    struct miss_register reg[REGISTERS_MAX];
};

struct nonblocking {
    struct memsys *memsys;
    unsigned cpu;
    bool has_second;
    struct misses fetch, data, second;
};

static void init(struct misses *misses, const struct memsys *memsys, const struct params *params,
                 enum memsys_cache cache, const char *name)
{
    misses->count = (unsigned)params_u64(params, name);
    misses->line_mask = ~(memsys_line(memsys, cache) - 1);
    if (misses->count > REGISTERS_MAX)
        log_bug("%s = %u", name, misses->count);
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

static const struct miss_register *find(const struct misses *misses, paddr address, cycles now)
{
    if (misses->last <= now)
        return NULL;
    for (unsigned i = 0; i < misses->count; i++)
        if (misses->reg[i].ready > now && misses->reg[i].line == (address & misses->line_mask))
            return &misses->reg[i];
    return NULL;
}

/* An MSHR that is free at NOW. If there is none returns NULL, with the time when one becomes free in *WHEN. */
static struct miss_register *find_free(struct misses *misses, cycles now, cycles *when)
{
    *when = CYCLES_NEVER;
    for (unsigned i = 0; i < misses->count; i++) {
        if (misses->reg[i].ready <= now)
            return &misses->reg[i];
        if (misses->reg[i].ready < *when)
            *when = misses->reg[i].ready;
    }
    return NULL;
}

static void occupy(struct misses *misses, struct miss_register *reg, paddr address, cycles ready, enum stall stall)
{
    if (reg == NULL)
        return;
    *reg = (struct miss_register){.line = address & misses->line_mask, .ready = ready, .stall = stall};
    if (ready > misses->last)
        misses->last = ready;
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

static bool is_present(const struct nonblocking *n, enum memsys_cache cache, paddr address)
{
    return memsys_look(n->memsys, n->cpu, cache, address).valid;
}

/* Whether the MSHRs suffice for an access that may miss FIRST and the second level. *ONE, *TWO: a free MSHR of each, or
 * NULL. If not, *WHEN: the time to retry. */
static bool has_registers(struct nonblocking *n, struct misses *first, const struct memsys_request *request,
                          struct miss_register **one, struct miss_register **two, cycles *when)
{
    const bool fetch = request->access == MEMSYS_FETCH;
    cycles later = 0;
    *one = find_free(first, request->now, when);
    *two = n->has_second ? find_free(&n->second, request->now, &later) : NULL;
    if ((*one != NULL && (!n->has_second || *two != NULL)) ||
        is_present(n, fetch ? MEMSYS_L1I : MEMSYS_L1D, request->address))
        return true; /* a hit needs no MSHR, not even with a non-inclusive second level */
    if (*one == NULL)
        return false;
    if (find(&n->second, request->address, request->now) || is_present(n, MEMSYS_L2, request->address))
        return true;
    *when = later;
    return false;
}

bool nonblocking_is_coming(const struct nonblocking *n, enum memsys_access access, paddr address, cycles now,
                           struct nonblocking_result *result)
{
    const struct miss_register *reg = find(access == MEMSYS_FETCH ? &n->fetch : &n->data, address, now);
    if (reg == NULL)
        return false;
    *result = (struct nonblocking_result){.ready = reg->ready, .stall = reg->stall, .joined = true};
    return true;
}

bool nonblocking_access(struct nonblocking *n, const struct memsys_request *request, struct nonblocking_result *result)
{
    struct misses *first = request->access == MEMSYS_FETCH ? &n->fetch : &n->data;
    struct miss_register *one, *two;
    const cycles now = request->now;
    struct nonblocking_result coming;
    const bool joins = nonblocking_is_coming(n, request->access, request->address, now, &coming);
    if (!has_registers(n, first, request, &one, &two, &result->ready))
        return false;
    const cycles stall = memsys_access(n->memsys, n->cpu, request);
    *result = (struct nonblocking_result){.ready = now + stall};
    if (stall > 0)
        result->stall = stall_of(request->bucket);
    if (stall > 0 && !joins) {
        const struct miss_register *outer = n->has_second ? find(&n->second, request->address, now) : NULL;
        /* the line is still in flight to the second level */
        if (outer != NULL && outer->ready > result->ready) {
            result->ready = outer->ready;
            result->stall = outer->stall;
        } else if (n->has_second && outer == NULL && (result->stall == STALL_L2I || result->stall == STALL_L2D)) {
            occupy(&n->second, two, request->address, result->ready, result->stall);
        }
        occupy(first, one, request->address, result->ready, result->stall);
    }
    if (joins && coming.ready >= result->ready)
        *result = coming;
    return true;
}

static void save(const struct misses *misses, struct saved_out *out)
{
    saved_put_u64(out, misses->last);
    for (unsigned i = 0; i < misses->count; i++) {
        saved_put_u32(out, misses->reg[i].line);
        saved_put_u64(out, misses->reg[i].ready);
        saved_put_u32(out, misses->reg[i].stall);
    }
}

static bool load(struct misses *misses, struct saved_in *in, struct err *err)
{
    if (!saved_get_u64(in, &misses->last))
        return false;
    for (unsigned i = 0; i < misses->count; i++) {
        uint32_t stall;
        if (!saved_get_u32(in, &misses->reg[i].line) || !saved_get_u64(in, &misses->reg[i].ready) ||
            !saved_get_u32(in, &stall))
            return false;
        if (stall >= STALL_COUNT)
            return err_set(err, "a line on its way stalls in way %u", stall);
        misses->reg[i].stall = (enum stall)stall;
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

static bool is_there_by(const struct misses *misses, cycles latest)
{
    bool there = misses->last <= latest;
    for (unsigned i = 0; i < misses->count; i++)
        there = there && misses->reg[i].ready <= latest;
    return there;
}

bool nonblocking_check(const struct nonblocking *n, cycles latest, struct err *err)
{
    return (is_there_by(&n->fetch, latest) && is_there_by(&n->data, latest) && is_there_by(&n->second, latest)) ||
           err_set(err, "a line is on its way for longer than any takes");
}
