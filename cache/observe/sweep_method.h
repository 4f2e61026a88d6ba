/* The methods of a sweep. Private to cache/observe/sweep*.c. */
#ifndef SIMOS_CACHE_OBSERVE_SWEEP_METHOD_H
#define SIMOS_CACHE_OBSERVE_SWEEP_METHOD_H

#include "cache/observe/sweep.h"

struct sweep_method_ops {
    /* Whether the method can simulate these points; false with ERR naming the obstacle. */
    bool (*fits)(const struct sweep_source *source, const struct params *const *params, unsigned count,
                 struct err *err);
    void *(*create)(const struct sweep_source *source, const struct params *const *params, unsigned count,
                    struct err *err);
    void (*free)(void *sweep);
    void (*refer)(void *sweep, const struct reference *reference, uint8_t *permission);
    void (*reset)(void *sweep);
    bool (*cache)(const void *sweep, unsigned point, unsigned cache, struct sweep_cache *result);
};

extern const struct sweep_method_ops sweep_first_level;  /* SWEEP_STACK for first-level caches */
extern const struct sweep_method_ops sweep_second_level; /* SWEEP_STACK for a unified second level */
extern const struct sweep_method_ops sweep_points;       /* SWEEP_POINTS */

/* The fast-path permission BYTE, lowered to what another memory system allows, TO. */
static inline uint8_t sweep_lower_permission(uint8_t byte, uint8_t to)
{
    enum { STORE = PERMIT_READ_STORE & ~PERMIT_READ };
    if (byte == PERMIT_NONE || to == PERMIT_NONE)
        return PERMIT_NONE;
    return to & STORE ? byte : (byte & (uint8_t)~STORE) | PERMIT_READ;
}

/* The grant of a request (struct memsys_request) that allows the permissions in BYTE. */
static inline uint8_t sweep_max_permission(uint8_t byte)
{
    enum { STORE = PERMIT_READ_STORE & ~PERMIT_READ };
    return byte == PERMIT_NONE ? PERMIT_NONE : byte & STORE ? PERMIT_READ_STORE : PERMIT_READ;
}

/* Makes the REFERENCE_CACHE_OP that REFERENCE is in MEMSYS. */
static inline void sweep_cache_op(struct memsys *memsys, const struct reference *reference)
{
    memsys_cache_op(memsys, reference->cpu, reference->cache, reference->op,
                    &(struct memsys_request){.address = reference->address,
                                             .virtual_address = reference->virtual_address,
                                             .space = reference->space});
}

/* Whether the memory system of PARAMS must receive every access: its first level is virtually indexed, and a permission
 * byte of the source may be that of a physical line, for all virtual addresses. */
bool sweep_needs_every_access(const struct params *params);

/* Whether the parameter NAME has the value TEXT. */
bool sweep_param_is(const struct params *params, const char *name, const char *text);
/* Whether CACHE ("l2") is physically indexed without a hash, LRU, and of a shape that a stack supports. Returns false
 * with ERR naming the parameter that is not. */
bool sweep_cache_is_lru(const struct params *params, const char *cache, struct err *err);
/* Whether the points' memory systems differ only in the parameters in NAMES (terminated by NULL). Returns false with
 * ERR naming another one. */
bool sweep_differs_only_in(const struct params *const *params, unsigned count, const char *const *names,
                           struct err *err);

/* Reads size, line and ways of CACHE ("l1i") from PARAMS. */
void sweep_geometry(const struct params *params, const char *cache, struct sweep_cache *result);

#endif
