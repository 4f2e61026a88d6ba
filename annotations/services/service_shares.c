/*
 * Shares: the charges of each process for each service. At every context switch, the increase of the processor's
 * service totals since the last switch is charged to the outgoing process; only services marked in `touched` are
 * examined.
 */
#include "annotations/services/service_shares.h"

#include "annotations/services/service_totals.h"
#include "annotations/services/services_state.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE_ACCOUNT = offsetof(struct service_sum, charge.all) / sizeof(uint64_t) };
_Static_assert(sizeof(struct service_sum) % sizeof(uint64_t) == 0 &&
                   offsetof(struct service_sum, charge.sync) - offsetof(struct service_sum, charge.all) ==
                       sizeof(struct account),
               "a service's sum is a row of numbers");

unsigned service_share_words(const struct account_plan *plan)
{
    return BEFORE_ACCOUNT + account_numbers(plan);
}

static struct service_share *find(const struct account_plan *plan, struct task *task, unsigned service)
{
    struct service_share **at = &task->services;
    while (*at && (*at)->service < service)
        at = &(*at)->next;
    if (*at && (*at)->service == service)
        return *at;
    struct service_share *new = checked_memory(calloc(1, sizeof *new + service_share_words(plan) * sizeof(uint64_t)));
    new->service = service;
    new->next = *at;
    return *at = new;
}

static void take_service(struct service_cpu *percpu, unsigned service)
{
    const struct account_plan *plan = &percpu->services->plan;
    const unsigned words = service_share_words(plan);
    const uint64_t *sum = (const uint64_t *)&percpu->sums[service];
    uint64_t *shared = (uint64_t *)&percpu->shared[service];
    if (memcmp(sum, shared, words * sizeof *sum) == 0)
        return;
    numbers_add_difference(find(plan, percpu->task, service)->figure, sum, shared, words);
    memcpy(shared, sum, words * sizeof *sum);
}

void service_shares_charge(struct service_cpu *percpu)
{
    for (unsigned word = 0; word < SERVICES_MAX / 64; word++)
        for (uint64_t bits = percpu->touched[word]; bits; bits &= bits - 1)
            take_service(percpu, word * 64 + (unsigned)__builtin_ctzll(bits));
}

/* A service sum with CHARGE and CALLS only. */
static void sum_of_charge(struct service_sum *sum, const struct charge *charge, uint64_t calls)
{
    *sum = (struct service_sum){.calls = calls, .charge = *charge};
}

void service_shares_add(struct service_cpu *percpu, struct task *task, unsigned service, const struct charge *charge,
                        uint64_t calls)
{
    const struct account_plan *plan = &percpu->services->plan;
    const unsigned words = service_share_words(plan);
    struct service_sum part;
    sum_of_charge(&part, charge, calls);
    percpu->sums[service].calls += calls;
    charge_add(plan, &percpu->sums[service].charge, charge);
    numbers_add((uint64_t *)&percpu->shared[service], (const uint64_t *)&part, words);
    numbers_add(find(plan, task, service)->figure, (const uint64_t *)&part, words);
}

void service_shares_merge(const struct services *services, struct task *to, const struct task *from)
{
    for (const struct service_share *share = from->services; share; share = share->next)
        numbers_add(find(&services->plan, to, share->service)->figure, share->figure,
                    service_share_words(&services->plan));
}

void service_shares_free(struct task *task)
{
    while (task->services) {
        struct service_share *share = task->services;
        task->services = share->next;
        free(share);
    }
}

/* Open frames */

/* The next open frame of TASK from index *I on, which is advanced; NULL: none. Settled frames are in the totals. */
static const struct frame *open_frame(const struct task *task, unsigned *i)
{
    const unsigned depth = task->depth < FRAMES_MAX ? task->depth : FRAMES_MAX;
    while (*i < depth) {
        const struct frame *frame = &task->frames[(*i)++];
        if (!frame->is_final)
            return frame;
    }
    return NULL;
}

void service_shares_add_open_frames(struct services *services, struct task *task)
{
    const struct frame *frame;
    for (unsigned i = 0; (frame = open_frame(task, &i));)
        find(&services->plan, task, frame->service);
}

void service_shares_read(const struct services *services, const struct task *task, const struct service_share *share,
                         struct service_sum *sum)
{
    const struct frame *frame;
    *sum = (struct service_sum){0};
    memcpy(sum, share->figure, service_share_words(&services->plan) * sizeof(uint64_t));
    for (unsigned i = 0; (frame = open_frame(task, &i));) {
        if (frame->service != share->service)
            continue;
        sum->calls++;
        charge_add(&services->plan, &sum->charge, &frame->own);
        for (unsigned cpu = 0; frame->elsewhere && cpu < services->machine->cpus; cpu++)
            charge_add(&services->plan, &sum->charge, &frame->elsewhere[cpu]);
    }
}

/* Checks */

static bool same(const uint64_t *part, const uint64_t *whole, unsigned words, const char *whose, unsigned number,
                 const char *in, struct err *err)
{
    for (unsigned i = 0; i < words; i++)
        if (part[i] != whole[i])
            return err_set(err, "%s %u has %" PRIu64 " in figure %u, but %" PRIu64 " in %s", whose, number, part[i], i,
                           whole[i], in);
    return true;
}

/* Add TASK's shares to SUMS, by service, and check that they equal its charges by mode. */
static bool check_task(const struct services *services, const struct task *task, struct service_sum *sums,
                       struct err *err)
{
    struct account in_services = {0}, in_modes = {0};
    for (const struct service_share *share = task->services; share; share = share->next) {
        struct service_sum sum;
        service_shares_read(services, task, share, &sum);
        account_add(&services->plan, &in_services, &sum.charge.all);
        numbers_add((uint64_t *)&sums[share->service], (const uint64_t *)&sum, service_share_words(&services->plan));
    }
    for (const struct task_share *share = task->shares; share; share = share->next)
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            account_add(&services->plan, &in_modes, &share->mode[mode]);
    return same((const uint64_t *)&in_services, (const uint64_t *)&in_modes, account_numbers(&services->plan),
                "process", task->pid, "the modes", err);
}

bool service_shares_check(const struct services *services, struct err *err)
{
    struct service_sum *sums = checked_memory(calloc(services->count, sizeof *sums));
    bool good = true;
    for (unsigned cpu = 0; good && cpu < services->machine->cpus; cpu++)
        good = check_task(services, &services->percpu[cpu].unknown_task, sums, err);
    for (const struct task *task = services->tasks; good && task; task = task->next)
        good = check_task(services, task, sums, err);
    for (unsigned service = 0; good && service < services->count; service++) {
        struct service_sum total;
        service_total(services, service, &total);
        good = same((const uint64_t *)&sums[service], (const uint64_t *)&total, service_share_words(&services->plan),
                    "service", service, "the sum over processes", err);
    }
    free(sums);
    return good;
}
