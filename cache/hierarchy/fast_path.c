/* memsys_fast_path: what a CPU model may do in its own code. */
#include "cache/hierarchy/access.h"
#include "cache/classify/classify_memsys.h"
#include "cache/state/engine.h"

static uint32_t bits_of_vaddr(const struct array *array)
{
    if (!array->by_virtual)
        return 0;
    const uint32_t index = array->hashed || array->modulo ? UINT32_MAX : array->set_mask << array->line_shift;
    return index & ~(uint32_t)(PAGE_SIZE - 1);
}

bool memsys_fast_path(struct memsys *memsys, unsigned cpu, enum memsys_cache cache,
                      const struct memsys_fast_model *model, struct memsys_fast_path *path)
{
    struct array *own = memsys->node[cpu].cache[cache];
    const bool has_own = own->word != NULL;
    /* In a unified level the data cache holds instructions too, and fetches change its replacement order. */
    if (!has_own)
        cache = data_cache(level_of(cache));
    const struct array *array = memsys->node[cpu].cache[cache];
    *path = (struct memsys_fast_path){
        .line = 1u << array->line_shift, .by_vaddr = bits_of_vaddr(array), .by_space = array->by_space};
    /* In a unified first level only one of two uses would be recorded: the model's fetches and its data accesses record
     * theirs apart. */
    const bool unified = memsys->node[cpu].cache[MEMSYS_L1I]->word == NULL;
    if (has_own && !unified && array_record_mru(own, model->mru)) {
        access_choose(memsys);
        path->sets = model->mru != NULL ? own->sets : 0;
    }
    if (memsys->queues_stores && cache == MEMSYS_L1D) {
        path->stores = timing_store_queue(memsys->timing, cpu);
        path->stored = memsys->levels == 1 ? &memsys->writes : NULL;
    }
    path->uses = classify_memsys_uses(memsys->classify, cpu, cache);
    if (has_own)
        classify_memsys_permissions_by_line(memsys->classify, cpu, cache,
                                            path->by_vaddr || unified ? NULL : model->permissions);
    return path->uses.time == NULL || model->records_use_stamps;
}
