/* A coherence protocol: the states that a coherence block gets, which cache or memory supplies it, and the
 * effect of a store on other copies. A protocol is one row of cache/protocols.def, with its functions in a file
 * protocol_NAME.c. coherence.c implements what all protocols share: a read of a block that another CPU has modified,
 * data supplied by the CPU's own caches, DMA. Private to cache/. */
#ifndef SIMOS_CACHE_HIERARCHY_PROTOCOL_H
#define SIMOS_CACHE_HIERARCHY_PROTOCOL_H

#include "cache/hierarchy/coherence.h"

struct protocol {
    const char *name, *label, *brief;
    /* there is a state E for a clean block without other sharers; otherwise such a block is S */
    bool exclusive;
    bool supplies_clean; /* a sharer supplies a clean block; otherwise memory does */
    /* A store updates other copies and takes update_time: it cannot make the CPU the owner of a block that it has not
     * read. Otherwise it invalidates them and takes upgrade_time. */
    bool updates;
    /* Upgrade: CPU stores to the block of REQUEST, which its member of TIER holds in state S. COUNTED: an outer tier
     * has counted the upgrade as one of the request's misses. */
    struct transaction (*write_shared)(struct memsys *memsys, struct tier *tier, unsigned cpu,
                                       const struct memsys_request *request, bool counted);
    /* Read-exclusive, in memory's tier: CPU stores to the block of REQUEST, which its member does not hold, and
     * allocates it. */
    struct transaction (*write_miss)(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);
    /* A store of CPU to ADDRESS reaches memory and CPU's member of memory's tier does not hold the block; others do,
     * one of them perhaps modified. */
    void (*write_around)(struct memsys *memsys, unsigned cpu, paddr address);
};

/* By enum memsys_protocol. */
extern const struct protocol protocols[];
extern const unsigned protocol_count;
/* The protocol called NAME, which must exist. */
enum memsys_protocol protocol_find(const char *name);

/* "|invalidate|mesi...": from [1] on the choices of cache.protocol; and its help. */
extern const char protocol_choices[], protocol_help[];

#define PROTOCOL(ID, NAME, LABEL, BRIEF, FUNCTIONS, ...)                                                               \
    struct transaction FUNCTIONS##_write_shared(struct memsys *memsys, struct tier *tier, unsigned cpu,                \
                                                const struct memsys_request *request, bool counted);                   \
    struct transaction FUNCTIONS##_write_miss(struct memsys *memsys, unsigned cpu,                                     \
                                              const struct memsys_request *request);                                   \
    void FUNCTIONS##_write_around(struct memsys *memsys, unsigned cpu, paddr address);
#include "cache/protocols.def"
#undef PROTOCOL

static inline const struct protocol *protocol_at(const struct memsys *memsys, paddr address)
{
    return &protocols[protocol_of(memsys, address)];
}

/* Directory entry of a clean block whose only sharer is MEMBER. */
static inline struct directory_record protocol_sole_sharer(const struct protocol *protocol, unsigned member)
{
    return protocol->exclusive ? directory_owned_by(member, COHERENCE_E) : directory_shared_by(directory_bit(member));
}

/* Operations shared by the protocols */

static inline uint64_t protocol_other_sharers(const struct directory_record *record, unsigned member)
{
    return record->sharers & ~directory_bit(member);
}
/* The lowest number in SET, which is not empty. */
static inline unsigned protocol_lowest(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}
static inline unsigned protocol_take_lowest(uint64_t *set)
{
    const unsigned member = protocol_lowest(*set);
    *set &= *set - 1;
    return member;
}

/* Counts a write-back of OWNER's modified block in TIER that another member's or a device's access causes. */
void protocol_count_write_back(struct memsys *memsys, const struct tier *tier, unsigned owner);
/* Writes OWNER's modified block back and counts that; OWNER keeps the block in state S, or nothing if its lines are
 * partly valid. */
void protocol_clean_owner(struct memsys *memsys, struct tier *tier, unsigned owner, paddr address);
/* Invalidates the block in all members of SET of TIER, because of a store by CPU. */
void protocol_invalidate_sharers(struct memsys *memsys, struct tier *tier, uint64_t set, unsigned cpu, paddr address);

#endif
