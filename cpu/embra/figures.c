/* What embra counts of its own work. */
#include "cpu/embra/embra.h"

_Static_assert(sizeof embra_figures / sizeof embra_figures[0] == sizeof(struct embra_figures) / sizeof(uint64_t) + 1,
               "a row each");

uint64_t embra_figure(const void *model, unsigned index)
{
    const struct embra *e = model;
    const struct embra_figures *f = &e->cache->figures;
    const uint64_t values[] = {f->traces, f->translated_insns, f->code_bytes, f->dropped_pages, f->flushes};
    return values[index];
}
