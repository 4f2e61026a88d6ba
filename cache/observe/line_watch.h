/*
 * When a line misses in a cache, enters it and leaves it, and why.
 *
 * Without a watch nothing is called and nothing is slower. It changes no measurement.
 */
#ifndef SIMOS_CACHE_OBSERVE_LINE_WATCH_H
#define SIMOS_CACHE_OBSERVE_LINE_WATCH_H

#include "cache/memsys.h"

enum line_event_kind { LINE_MISSED, LINE_ENTERED, LINE_LEFT };

struct line_event {
    enum line_event_kind kind;
    unsigned cpu; /* whose cache, or the first of those that share it */
    paddr line;
    const char *why; /* of LINE_LEFT, a constant: "replacement", "invalidation" ... */
    unsigned by_cpu; /* of LINE_LEFT: which CPU caused it; of a device: CPU */
};

typedef void line_watch_fn(void *opaque, const struct line_event *event);

struct line_watch;

/* Tell CALL what happens in CACHE to the lines that have a byte from FIRST to LAST, until line_watch_end(). */
struct line_watch *line_watch_begin(struct memsys *memsys, enum memsys_cache cache, paddr first, paddr last,
                                    line_watch_fn *call, void *opaque);
void line_watch_end(struct line_watch *watch);

#endif
