/* Checkpoint of the GIC: the architectural state is saved; the derived state is recomputed after loading. */
#include "devices/board/gic_state.h"

static const struct saved_field fields[] = {
    SAVED_FIELD(struct gic, state.counter_base, SAVED_U64),  SAVED_FIELD(struct gic, state.counter_stopped, SAVED_BOOL),
    SAVED_FIELD(struct gic, state.input, SAVED_U32),         SAVED_FIELD(struct gic, state.latch, SAVED_U32),
    SAVED_FIELD(struct gic, state.polarity, SAVED_U32),      SAVED_FIELD(struct gic, state.trigger, SAVED_U32),
    SAVED_FIELD(struct gic, state.dual, SAVED_U32),          SAVED_FIELD(struct gic, state.mask, SAVED_U32),
    SAVED_FIELD(struct gic, state.map_pin, SAVED_U32),       SAVED_FIELD(struct gic, state.map_vpe, SAVED_U32),
    SAVED_EACH(struct gic, state.local, pending, SAVED_U32), SAVED_EACH(struct gic, state.local, mask, SAVED_U32),
    SAVED_EACH(struct gic, state.local, map, SAVED_U32),     SAVED_EACH(struct gic, state.local, other, SAVED_U32),
    SAVED_EACH(struct gic, state.local, compare, SAVED_U64), SAVED_EACH(struct gic, compare, event, SAVED_EVENT),
    SAVED_EACH_STATISTIC(struct gic, counts, local),         SAVED_EACH_STATISTIC(struct gic, counts, ipi),
    SAVED_EACH_STATISTIC(struct gic, counts, shared),        SAVED_STATISTIC(struct gic, input_counts),
};

static void derive_shared(struct gic *gic)
{
    for (unsigned word = 0; word < GIC_WORDS; word++)
        gic->active[word] = gic_shared_pending(&gic->state, word) & gic->state.mask[word];
    for (unsigned number = 0; number < GIC_SHARED_COUNT; number++) {
        uint32_t map = gic->state.map_pin[number], bit = 1u << (number % 32);
        for (unsigned cpu = 0; cpu < gic->cpus; cpu++)
            for (unsigned pin = 0; pin < GIC_PIN_COUNT; pin++) {
                bool routed = gic_map_has_pin(map) && (map & GIC_MAP_PIN) == pin;
                uint32_t *route = &gic->route[cpu][pin][number / 32];
                *route = routed && (gic->state.map_vpe[number] >> cpu & 1) ? *route | bit : *route & ~bit;
            }
    }
}

static bool after_load(void *base, struct err *err)
{
    (void)err;
    struct gic *gic = base;
    derive_shared(gic);
    for (unsigned cpu = 0; cpu < gic->cpus; cpu++) {
        gic->local_active[cpu] = gic->state.local[cpu].pending & gic->state.local[cpu].mask;
        gic->pins[cpu] = gic_pins(gic, cpu);
    }
    return true;
}

void gic_register_saved(struct gic *gic, struct saved *saved)
{
    static const struct saved_ops ops = {.after_load = after_load};
    saved_add(saved,
              &(struct saved_section){.name = "gic", .version = 1, .base = gic, SAVED_TABLE(fields), .ops = &ops});
}
