/* Names and descriptions of the counters of the miss classification. */
#include "cache/classify/classify_private.h"

#include <stdio.h>

struct class_row {
    const char *name;
    enum classify_mode from, to; /* modes that distinguish it */
    bool insn;                   /* applies to fetches */
    const char *text;
};

static const struct class_row class_rows[CLASS_COUNT] = {
#define CLASS(id, name, group, from, to, fetches, colour, meaning)                                                     \
    {name, CLASSIFY_##from, CLASSIFY_##to, fetches, meaning},
#include "src/measure/measures.def"
};

static const char *const mode_names[MODE_COUNT] = {
    [MODE_USER] = "user", [MODE_KERNEL] = "kernel", [MODE_IDLE] = "idle"};

const char *classify_class_name(enum miss_class class)
{
    return class_rows[class].name;
}

bool classify_mode_distinguishes(enum classify_mode mode, enum miss_class class)
{
    return mode >= class_rows[class].from && mode <= class_rows[class].to;
}

bool classify_distinguishes_class(const struct classify *classify, enum miss_class class)
{
    return classify_mode_distinguishes(classify->config.mode, class);
}

/* Idle counts as kernel. OPAQUE is the counter of MODE_KERNEL. */
static uint64_t kernel_and_idle(const void *opaque)
{
    const uint64_t *kernel = opaque;
    return kernel[0] + kernel[(MODE_IDLE - MODE_KERNEL) * MISS_KINDS * MISS_EVICTORS];
}

/* Of the user misses of lines that another context had evicted, those that the kernel had evicted. */
static uint64_t user_kernel(const struct classify_counts *counts, enum miss_kind kind)
{
    return counts->evicted[MODE_USER][kind][EVICTED_BY_OTHER] - counts->user_user[kind];
}
static uint64_t user_kernel_insn(const void *counts)
{
    return user_kernel(counts, MISS_INSN);
}
static uint64_t user_kernel_data(const void *counts)
{
    return user_kernel(counts, MISS_DATA);
}

static void register_evictors(struct stats *stats, const char *prefix, const char *kind_name, unsigned kind,
                              const struct classify_counts *counts)
{
    static const struct {
        const char *name;
        enum mode mode;
        enum miss_evictor who;
        const char *text;
    } rows[] = {
        {"kern_self", MODE_KERNEL, EVICTED_BY_SELF, "kernel misses of lines that the kernel had evicted"},
        {"kern_other", MODE_KERNEL, EVICTED_BY_OTHER, "kernel misses of lines that a user process had evicted"},
        {"user_self", MODE_USER, EVICTED_BY_SELF, "user misses of lines that the same process had evicted"},
        {"user_other", MODE_USER, EVICTED_BY_OTHER,
         "user misses of lines that the kernel or another process had evicted"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t *count = &counts->evicted[rows[i].mode][kind][rows[i].who];
        char name[96];
        snprintf(name, sizeof name, "%s.evicted%s.%s", prefix, kind_name, rows[i].name);
        if (rows[i].mode == MODE_USER)
            stats_counter(stats, name, "misses", rows[i].text, count);
        else
            stats_integer(stats, name, "misses", rows[i].text, kernel_and_idle, count);
    }
    char name[96];
    snprintf(name, sizeof name, "%s.evicted%s.user_kernel", prefix, kind_name);
    stats_integer(stats, name, "misses", "user misses of lines that the kernel had evicted: a part of user_other",
                  kind == MISS_INSN ? user_kernel_insn : user_kernel_data, counts);
    snprintf(name, sizeof name, "%s.evicted%s.user_user", prefix, kind_name);
    stats_counter(stats, name, "misses", "user misses of lines that another process had evicted: a part of user_other",
                  &counts->user_user[kind]);
}

static void register_classes(const struct classify *classify, struct stats *stats, const char *prefix,
                             const char *kind_name, unsigned kind, bool is_shared, const struct classify_counts *counts)
{
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        for (unsigned class = 0; class < CLASS_COUNT; class ++) {
            const struct class_row *row = &class_rows[class];
            char name[96];
            if (!classify_mode_distinguishes(classify->config.mode, class) || (kind == MISS_INSN && !row->insn) ||
                (class == CLASS_INTERFERENCE && !is_shared))
                continue;
            snprintf(name, sizeof name, "%s.miss%s.%s.%s", prefix, kind_name, mode_names[mode], row->name);
            stats_counter(stats, name, class == CLASS_UPGRADE ? "requests" : "misses", row->text,
                          &counts->miss[mode][kind][class]);
        }
}

static void register_reference(struct stats *stats, const char *prefix, const struct classify_counts *counts)
{
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        char name[96];
        snprintf(name, sizeof name, "%s.reference.%s", prefix, mode_names[mode]);
        stats_counter(
            stats, name, "misses",
            "misses that a fully associative LRU cache of this size has, and prefetches of lines it does not hold",
            &counts->reference[mode]);
    }
}

void classify_register_stats(const struct classify *classify, struct stats *stats)
{
    static const char *const kind_names[MISS_KINDS] = {[MISS_INSN] = ".insn", [MISS_DATA] = ".data"};
    for (unsigned cpu = 0; cpu < classify->config.cpus; cpu++)
        for (unsigned i = 0; i < classify->config.caches; i++) {
            const struct classify_cache_config *cache = &classify->config.cache[i];
            const bool asked[MISS_KINDS] = {[MISS_INSN] = cache->insn, [MISS_DATA] = cache->data};
            const struct classify_counts *counts = classify_counts(classify, cpu, i);
            char prefix[48];
            snprintf(prefix, sizeof prefix, "cpu%u.%s", cpu, cache->name);
            if (classify->full)
                register_reference(stats, prefix, counts);
            for (unsigned kind = 0; kind < MISS_KINDS; kind++) {
                const char *kind_name = cache->insn && cache->data ? kind_names[kind] : "";
                if (!asked[kind])
                    continue;
                register_classes(classify, stats, prefix, kind_name, kind, cache->shared > 1, counts);
                register_evictors(stats, prefix, kind_name, kind, counts);
            }
        }
}

const char *classify_cache_name(const struct classify *classify, unsigned cache)
{
    return cache < classify->config.caches ? classify->config.cache[cache].name : NULL;
}
