/*
 * A device's counters as one table: each row becomes PREFIX.name in the registry.
 */
#ifndef SIMOS_DEVICES_DEVICE_STATS_H
#define SIMOS_DEVICES_DEVICE_STATS_H

#include "src/base/stats.h"
#include <stdio.h>

struct device_counter {
    const char *name, *unit, *text; /* string constants */
    const uint64_t *value;          /* must outlive the registry */
};

/* Register COUNT counters under PREFIX (a dotted name of up to 63 characters). */
static inline void device_register_counters(struct stats *stats, const char *prefix, const struct device_counter *rows,
                                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s.%s", prefix, rows[i].name);
        stats_counter(stats, name, rows[i].unit, rows[i].text, rows[i].value);
    }
}

#endif
