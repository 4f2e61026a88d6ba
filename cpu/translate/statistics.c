/* Statistics of the translator's own work. */
#include "cpu/translate/translate.h"

_Static_assert(sizeof embra_figures / sizeof embra_figures[0] ==
                   sizeof(struct translate_figures) / sizeof(uint64_t) + 1,
               "a row each");

uint64_t translate_figure(const struct inorder *in, unsigned index)
{
    const struct translated *e = (const struct translated *)in;
    const struct translate_figures *f = &e->cache->figures;
    const uint64_t values[] = {f->traces, f->translated_insns, f->code_bytes, f->dropped_pages, f->flushes};
    return values[index];
}
