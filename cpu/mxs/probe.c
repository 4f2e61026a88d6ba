#include "cpu/mxs/probe.h"

#include "cpu/observe/probe.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

struct mxs_probe {
    struct probe_sample cycle; /* the present cycle: its first fetched instruction, the number graduated */
    /* if its instruction is serialised: the mode and bucket that it is charged to, and that bucket's stalls before */
    enum mode mode;
    const struct bucket *bucket;
    uint64_t stalls[STALL_COUNT];
    cycles hooked;                           /* ... and the duration of its hooks */
    uint64_t misses[MODE_COUNT][MISS_COUNT]; /* by mode, as far as they have been signals */
};

struct mxs_probe *mxs_probe_create(const struct mxs *m)
{
    struct mxs_probe *probe = checked_memory(calloc(1, sizeof *probe));
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        memcpy(probe->misses[mode], m->core->mode_buckets[mode].miss, sizeof probe->misses[mode]);
    return probe;
}

void mxs_probe_free(struct mxs_probe *probe)
{
    free(probe);
}

void mxs_probe_fetched(struct mxs *m, uint64_t next, cycles now)
{
    struct core *core = m->core;
    struct probe_sample sample = {.time = now, .state = PROBE_RUN, .mode = (uint8_t)core->mode};
    for (; next < m->next; next++) {
        probe_set_insn_at(core, &sample, mxs_entry_at(m, m->words, next)->pc);
        if (sample.fetched && !m->probe->cycle.fetched) /* otherwise a placeholder: its fetch will raise an exception */
            m->probe->cycle = (struct probe_sample){.graduated = m->probe->cycle.graduated,
                                                    .fetched = true,
                                                    .pc = sample.pc,
                                                    .physical = sample.physical,
                                                    .word = sample.word,
                                                    .kind = sample.kind};
        probe_deliver(core, PROBE_FETCHES, &sample, 1);
    }
}

void mxs_probe_graduates(struct mxs *m, const struct mxs_entry *e, bool serialised, cycles now)
{
    struct core *core = m->core;
    struct mxs_probe *probe = m->probe;
    struct probe_sample sample = {.time = now, .state = PROBE_RUN, .mode = (uint8_t)core->mode, .graduated = 1};
    probe_set_insn_at(core, &sample, e->pc);
    if (sample.fetched)
        probe_set_access(core, &sample);
    probe_deliver(core, PROBE_GRADUATIONS, &sample, 1);
    probe->cycle.graduated++;
    if (!serialised)
        return;
    probe->mode = core->mode;
    probe->bucket = core->bucket;
    memcpy(probe->stalls, core->bucket->stall, sizeof probe->stalls);
}

void mxs_probe_hooked(struct mxs *m, cycles duration)
{
    m->probe->hooked = duration;
}

static unsigned state_of(unsigned why)
{
    if (why == MXS_PROBE_FULL)
        return PROBE_RUN;
    return lost_is_stall(why) ? PROBE_STALL + lost_stall(why) : PROBE_PIPELINE + why - LOST_MEMORY;
}

/* Deliver the present cycle in STATE, and DURATION - 1 more in which nothing happens. */
static void deliver(struct mxs *m, unsigned state, cycles duration)
{
    struct probe_sample *cycle = &m->probe->cycle;
    cycle->state = (uint8_t)state;
    probe_deliver(m->core, PROBE_CYCLES, cycle, 1);
    *cycle = (struct probe_sample){.time = cycle->time + 1, .state = cycle->state, .mode = cycle->mode};
    probe_deliver(m->core, PROBE_CYCLES, cycle, duration - 1);
    cycle->time += duration - 1;
}

/* The misses of the cycle NOW become signals. One of fetch is a word on the bus that is not known. */
static void signal_misses(struct mxs *m, cycles now)
{
    struct core *core = m->core;
    struct mxs_probe *probe = m->probe;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        const uint64_t *misses = core->mode_buckets[mode].miss;
        if (misses[MISS_L1I] != probe->misses[mode][MISS_L1I]) {
            struct probe_sample unknown = {.time = now, .state = PROBE_RUN, .mode = (uint8_t)mode};
            probe_deliver(core, PROBE_FETCHES, &unknown, 1);
        }
        probe_note_misses(core->probe, probe->misses[mode], misses, MISS_L1I, MISS_UPGRADE);
        memcpy(probe->misses[mode], misses, sizeof probe->misses[mode]);
    }
}

void mxs_probe_cycle(struct mxs *m, unsigned why, cycles now)
{
    struct core *core = m->core;
    struct mxs_probe *probe = m->probe;
    probe->cycle.time = now;
    probe->cycle.mode = (uint8_t)(m->serialised ? probe->mode : core->mode);
    if (m->serialised) {
        deliver(m, m->config.graduate_width == 1 ? PROBE_RUN : PROBE_PIPELINE + PIPELINE_SERIALISED, 1 + probe->hooked);
        for (unsigned i = 0; i < STALL_COUNT; i++)
            if (probe->bucket->stall[i] != probe->stalls[i])
                deliver(m, PROBE_STALL + i, probe->bucket->stall[i] - probe->stalls[i]);
    } else {
        deliver(m, state_of(why), core->s.cycle - now);
    }
    probe->cycle = (struct probe_sample){.time = 0};
    probe->hooked = 0;
    signal_misses(m, now);
    probe_signal_exception(core->probe);
}
