#include "annotations/services/service_charge.h"

#include "annotations/services/services_state.h"

#include <string.h>

static void charge_row(uint64_t *to, uint64_t *sync, uint64_t *charged, const uint64_t *now, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const uint64_t more = now[i] - charged[i];
        to[i] += more;
        if (sync)
            sync[i] += more;
        charged[i] = now[i];
    }
}

/* Charge the increase of MODE's counters to TO: the bucket, the mix, and the first ROWS rows of misses by class. */
static void charge_mode(struct service_cpu *percpu, enum mode mode, struct charge *to, unsigned rows)
{
    const struct bucket *now = &percpu->core->mode_buckets[mode];
    struct account *charged = &percpu->charged[mode];
    const bool in_sync = percpu->sync->on;
    bucket_add_difference(&to->all.bucket, now, &charged->bucket);
    if (in_sync)
        bucket_add_difference(&to->sync.bucket, now, &charged->bucket);
    charged->bucket = *now;
    for (unsigned row = 0; row < rows; row++)
        charge_row(to->all.row[row], in_sync ? to->sync.row[row] : NULL, charged->row[row], percpu->source[mode][row],
                   CLASS_COUNT);
    const struct account_plan *plan = &percpu->services->plan;
    if (plan->has_mix)
        charge_row(account_mix(plan, &to->all), in_sync ? account_mix(plan, &to->sync) : NULL,
                   account_mix(plan, charged), percpu->core->executions->mix[mode], MIX_KINDS);
}

void service_charge_to(struct service_cpu *percpu, enum mode mode, struct charge *to)
{
    const struct bucket *now = &percpu->core->mode_buckets[mode], *charged = &percpu->charged[mode].bucket;
    if (now->cycles == charged->cycles && now->insns == charged->insns)
        return; /* a miss without a cycle or instruction is charged with the next flush */
    bool missed = memcmp(now->miss, charged->miss, sizeof now->miss) != 0;
    charge_mode(percpu, mode, to, missed ? percpu->services->plan.rows : 0);
}

void service_charge_all_modes(struct service_cpu *percpu)
{
    service_charge_mode(percpu);
    for (enum mode mode = 0; mode < MODE_COUNT; mode++)
        charge_mode(percpu, mode, percpu->target, percpu->services->plan.rows);
}

void service_charge_mode(struct service_cpu *percpu)
{
    core_sync(percpu->core);
    core_account(percpu->core);
    service_charge_to(percpu, percpu->core->mode, percpu->target);
}

void services_charge(struct services *services)
{
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++)
        service_charge_mode(&services->percpu[cpu]);
}

struct service_cost services_cost(const struct services *services, const struct core *core)
{
    const struct service_cpu *percpu = &services->percpu[core->number];
    struct service_cost cost = {0, 0};
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        const struct bucket *charged = &percpu->charged[mode].bucket, *begin = &percpu->begin[mode].bucket;
        cost.cycles += charged->cycles - begin->cycles;
        cost.stall += bucket_stall(charged) - bucket_stall(begin);
    }
    return cost;
}
