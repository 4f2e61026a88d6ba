#include "cache/geometry.h"

#include "cache/memsys.h"
#include <string.h>

enum { KB = 1024, MB = 1024 * 1024, MAX_NS = 1000000 };

#define L1_PARAMS(NAME, TEXT)                                                                                          \
    {"cache." NAME ".size", PARAM_SIZE, "bytes", "16K", 1 * KB, 4 * MB, true, NULL, TEXT " cache: size"},              \
        {"cache." NAME ".line", PARAM_SIZE, "bytes", "16", 8, 128, true, NULL, TEXT " cache: line size"},              \
    {                                                                                                                  \
        "cache." NAME ".ways", PARAM_INT, "", "2", 1, 8, true, NULL, TEXT " cache: ways of a set (LRU)"                \
    }

/* Defaults: the 1994 column of SOSP'95 table 3.1. */
const struct param_def memsys_param_defs[] = {
    {"cache.model", PARAM_CHOICE, "", "two-level", 0, 0, false, "two-level|none",
     "caches of a CPU; none: every access takes no time"},
    L1_PARAMS("l1i", "first-level instruction"),
    L1_PARAMS("l1d", "first-level data"),
    {"cache.l2.size", PARAM_SIZE, "bytes", "1M", 4 * KB, 256 * MB, true, NULL, "second-level unified cache: size"},
    {"cache.l2.line", PARAM_SIZE, "bytes", "128", 8, 1024, true, NULL, "second-level unified cache: line size"},
    {"cache.l2.ways", PARAM_INT, "", "1", 1, 16, true, NULL, "second-level unified cache: ways of a set (LRU)"},
    {"cache.upgrades_on_uniprocessor", PARAM_BOOL, "", "off", 0, 1, false, NULL,
     "stores to clean lines pay an upgrade although there is one CPU"},
    {"memory.l2_hit_time", PARAM_TIME, "ns", "50", 0, MAX_NS, false, NULL,
     "stall of a first-level miss that hits the second level"},
    {"memory.miss_time", PARAM_TIME, "ns", "500", 0, MAX_NS, false, NULL, "stall of a second-level miss, in all"},
    {"memory.upgrade_time", PARAM_TIME, "ns", "0", 0, MAX_NS, false, NULL,
     "stall of a store to a shared line; 0: as memory.miss_time"},
    {"memory.uncached_latency", PARAM_TIME, "ns", "0", 0, MAX_NS, false, NULL,
     "stall of an uncached or device access; 0: as memory.miss_time"},
};
const size_t memsys_param_count = sizeof memsys_param_defs / sizeof memsys_param_defs[0];

static uint64_t get(const struct params *params, const char *cache, const char *field)
{
    char name[64];
    snprintf(name, sizeof name, "cache.%s.%s", cache, field);
    return params_u64(params, name);
}

static bool read_cache(struct cache_geometry *g, const struct params *params, const char *cache, struct err *err)
{
    g->size = (uint32_t)get(params, cache, "size");
    g->line = (uint32_t)get(params, cache, "line");
    g->ways = (uint32_t)get(params, cache, "ways");
    if (g->size < g->line * g->ways)
        return err_set(err, "cache.%s.size is %u bytes: at least cache.%s.line * cache.%s.ways = %u needed", cache,
                       g->size, cache, cache, g->line * g->ways);
    return true;
}

/* A first level has to fit in the second level that includes it. */
static bool check_inclusion(const struct cache_geometry *l1, const struct cache_geometry *l2, const char *cache,
                            struct err *err)
{
    if (l1->line > l2->line)
        return err_set(err, "cache.%s.line is %u bytes: at most cache.l2.line = %u possible", cache, l1->line,
                       l2->line);
    if (l1->size > l2->size)
        return err_set(err, "cache.%s.size is %u bytes: at most cache.l2.size = %u possible", cache, l1->size,
                       l2->size);
    return true;
}

static nsec or_miss_time(const struct params *params, const char *name, nsec miss_ns)
{
    nsec ns = params_u64(params, name);
    return ns ? ns : miss_ns;
}

bool geometry_from_params(struct geometry *geometry, const struct params *params, struct err *err)
{
    struct geometry *g = geometry;
    memset(g, 0, sizeof *g);
    if (strcmp(params_string(params, "cache.model"), "none") == 0) {
        struct cache_geometry one_line = {8, 8, 1};
        g->flat = true;
        g->l1i = g->l1d = g->l2 = one_line;
        return true;
    }
    if (!read_cache(&g->l1i, params, "l1i", err) || !read_cache(&g->l1d, params, "l1d", err) ||
        !read_cache(&g->l2, params, "l2", err) || !check_inclusion(&g->l1i, &g->l2, "l1i", err) ||
        !check_inclusion(&g->l1d, &g->l2, "l1d", err))
        return false;
    g->upgrades_on_uniprocessor = params_bool(params, "cache.upgrades_on_uniprocessor");
    g->l2_hit_ns = params_u64(params, "memory.l2_hit_time");
    g->miss_ns = params_u64(params, "memory.miss_time");
    if (g->miss_ns < g->l2_hit_ns)
        return err_set(err, "memory.miss_time is %llu ns: at least memory.l2_hit_time = %llu ns needed",
                       (unsigned long long)g->miss_ns, (unsigned long long)g->l2_hit_ns);
    g->upgrade_ns = or_miss_time(params, "memory.upgrade_time", g->miss_ns);
    g->uncached_ns = or_miss_time(params, "memory.uncached_latency", g->miss_ns);
    return true;
}
