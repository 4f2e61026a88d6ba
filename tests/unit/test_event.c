/*
 * Order of the event queue, and conversions between cycles, ticks and nanoseconds.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/base/event.h"

enum { MAX_FIRED = 4096 };

struct trace {
    struct event_queue *queue;
    int count;
    int who[MAX_FIRED];
    cycles at[MAX_FIRED];
};

struct probe {
    struct event event;
    struct trace *trace;
    int id;
    cycles period; /* interval at which it reschedules itself; 0: it does not */
};

static void probe_fire(void *opaque)
{
    struct probe *probe = opaque;
    struct trace *trace = probe->trace;
    assert_false(event_is_scheduled(&probe->event));
    assert_int_equal(trace->queue->now, probe->event.when);
    assert_true(trace->count < MAX_FIRED);
    trace->who[trace->count] = probe->id;
    trace->at[trace->count++] = trace->queue->now;
    if (probe->period)
        event_schedule(trace->queue, &probe->event, trace->queue->now + probe->period);
}

static void probe_init(struct probe *probe, struct trace *trace, int id)
{
    *probe = (struct probe){.trace = trace, .id = id};
    event_init(&probe->event, "probe", probe_fire, probe);
}

static uint64_t random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void fires_at_its_time_not_before(void **state)
{
    (void)state;
    struct trace trace = {.queue = event_queue_create(1000000)};
    struct probe probe;
    probe_init(&probe, &trace, 1);
    assert_true(event_queue_next(trace.queue) == CYCLES_NEVER);
    event_schedule(trace.queue, &probe.event, 100);
    assert_true(event_is_scheduled(&probe.event));
    assert_int_equal(event_queue_next(trace.queue), 100);
    event_queue_run(trace.queue, 99);
    assert_int_equal(trace.count, 0);
    assert_int_equal(trace.queue->now, 99);
    event_queue_run(trace.queue, 100);
    assert_int_equal(trace.count, 1);
    assert_int_equal(trace.at[0], 100);
    assert_true(event_queue_next(trace.queue) == CYCLES_NEVER);
    event_queue_free(trace.queue);
}

static void equal_times_fire_in_order_of_scheduling(void **state)
{
    (void)state;
    struct trace trace = {.queue = event_queue_create(1000000)};
    struct probe probes[8];
    for (int i = 0; i < 8; i++) {
        probe_init(&probes[i], &trace, i);
        event_schedule(trace.queue, &probes[i].event, 50);
    }
    event_schedule(trace.queue, &probes[2].event, 50); /* rescheduling makes it the last of its time */
    event_cancel(trace.queue, &probes[5].event);
    event_cancel(trace.queue, &probes[5].event); /* harmless */
    event_queue_run(trace.queue, 50);
    static const int expected[] = {0, 1, 3, 4, 6, 7, 2};
    assert_int_equal(trace.count, 7);
    assert_memory_equal(trace.who, expected, sizeof expected);
    event_queue_free(trace.queue);
}

static void periodic_and_late(void **state)
{
    (void)state;
    struct trace trace = {.queue = event_queue_create(1000000)};
    struct probe tick, late;
    probe_init(&tick, &trace, 1);
    probe_init(&late, &trace, 2);
    tick.period = 10;
    event_schedule(trace.queue, &tick.event, 10);
    event_queue_run(trace.queue, 35);
    assert_int_equal(trace.count, 3);
    assert_int_equal(trace.at[2], 30); /* the event's time, not 35 */
    assert_int_equal(event_queue_next(trace.queue), 40);
    event_schedule(trace.queue, &late.event, 5);
    assert_int_equal(late.event.when, 35);
    event_schedule(trace.queue, &tick.event, CYCLES_NEVER);
    assert_false(event_is_scheduled(&tick.event));
    event_queue_run(trace.queue, CYCLES_NEVER);
    assert_int_equal(trace.count, 4);
    assert_int_equal(trace.at[3], 35);
    assert_int_equal(trace.queue->now, 35);
    event_queue_free(trace.queue);
}

/* Compare with a linear search for the minimum. */
static void random_against_a_list(void **state)
{
    (void)state;
    enum { EVENTS = 100, STEPS = 20000 };
    static struct trace trace;
    static struct probe probes[EVENTS];
    bool pending[EVENTS] = {false};
    uint64_t when[EVENTS] = {0}, order[EVENTS] = {0}, next_order = 0, seed = 88172645463325252ull;
    trace.queue = event_queue_create(1000000);
    for (int i = 0; i < EVENTS; i++)
        probe_init(&probes[i], &trace, i);
    for (int step = 0; step < STEPS; step++) {
        int i = (int)(random_next(&seed) % EVENTS);
        uint64_t action = random_next(&seed) % 10;
        if (action < 6) {
            when[i] = trace.queue->now + random_next(&seed) % 40;
            order[i] = next_order++;
            pending[i] = true;
            event_schedule(trace.queue, &probes[i].event, when[i]);
        } else if (action < 8) {
            pending[i] = false;
            event_cancel(trace.queue, &probes[i].event);
        } else {
            cycles until = trace.queue->now + random_next(&seed) % 20;
            trace.count = 0;
            event_queue_run(trace.queue, until);
            for (int fired = 0;; fired++) {
                int best = -1;
                for (int j = 0; j < EVENTS; j++)
                    if (pending[j] && when[j] <= until &&
                        (best < 0 || when[j] < when[best] || (when[j] == when[best] && order[j] < order[best])))
                        best = j;
                if (best < 0) {
                    assert_int_equal(trace.count, fired);
                    break;
                }
                assert_true(fired < trace.count);
                assert_int_equal(trace.who[fired], best);
                assert_int_equal(trace.at[fired], when[best]);
                pending[best] = false;
            }
        }
        for (int j = 0; j < EVENTS; j++)
            assert_int_equal(event_is_scheduled(&probes[j].event), pending[j]);
    }
    event_queue_free(trace.queue);
}

static void free_releases_events(void **state)
{
    (void)state;
    struct trace trace = {.queue = event_queue_create(1)};
    struct probe probe;
    probe_init(&probe, &trace, 1);
    event_schedule(trace.queue, &probe.event, 1);
    event_queue_free(trace.queue);
    assert_false(event_is_scheduled(&probe.event));
    event_queue_free(NULL);
}

static void fire_again_now(void *opaque)
{
    struct probe *probe = opaque;
    event_schedule(probe->trace->queue, &probe->event, probe->trace->queue->now);
}

static void standing_still_is_a_bug(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        struct trace trace = {.queue = event_queue_create(1)};
        struct probe probe = {.trace = &trace};
        event_init(&probe.event, "again", fire_again_now, &probe);
        event_schedule(trace.queue, &probe.event, 1);
        event_queue_run(trace.queue, 10);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static const uint64_t clocks[] = {1000000,   3333333,   33000000,  66666666,  99999999,  100000000,
                                  100000001, 133333333, 200000000, 500000000, 999999937, 2000000000};
static const uint64_t counters[] = {1, 32768, 1000000, 1843200, 100000000, 1000000000};

static void ticks_round_trip(void **state)
{
    (void)state;
    uint64_t seed = 0x9e3779b97f4a7c15ull;
    for (size_t c = 0; c < sizeof clocks / sizeof clocks[0]; c++)
        for (size_t h = 0; h < sizeof counters / sizeof counters[0]; h++) {
            struct event_queue *queue = event_queue_create(clocks[c]);
            for (int i = 0; i < 4000; i++) {
                /* all small ticks, then ones of every magnitude whose cycle still fits in 64 bits */
                uint64_t tick = i < 1000 ? (uint64_t)i : random_next(&seed) >> (1 + random_next(&seed) % 50);
                cycles at = time_cycles_at_tick(queue, tick, counters[h]);
                if (at == CYCLES_NEVER)
                    continue;
                uint64_t shown = time_ticks(queue, at, counters[h]);
                if (counters[h] <= clocks[c])
                    assert_true(shown == tick);
                else
                    assert_true(shown >= tick); /* there are several ticks in a cycle */
                if (at > 0)
                    assert_true(time_ticks(queue, at - 1, counters[h]) < tick);
                if (at > 0 && counters[h] <= clocks[c])
                    assert_true(time_ticks(queue, at - 1, counters[h]) == tick - 1);
            }
            event_queue_free(queue);
        }
}

static void conversions_at_the_edges(void **state)
{
    (void)state;
    struct event_queue *queue = event_queue_create(200000000);
    assert_int_equal(time_nsec(queue, 1), 5);
    assert_int_equal(time_cycles_of_nsec(queue, 50), 10);
    assert_int_equal(time_cycles_of_nsec(queue, 51), 11); /* rounded up */
    assert_int_equal(time_cycles_of_nsec(queue, 0), 0);
    assert_int_equal(time_ticks(queue, 3, 100000000), 1); /* rounded down */
    assert_int_equal(time_cycles_at_tick(queue, 1, 100000000), 2);
    /* a year and beyond: products that do not fit in 64 bits */
    assert_true(time_nsec(queue, 200000000ull * 31536000) == 31536000ull * 1000000000);
    assert_true(time_cycles_of_nsec(queue, UINT64_MAX) == 3689348814741910323ull);
    assert_true(time_nsec(queue, CYCLES_NEVER) == UINT64_MAX);
    assert_true(time_cycles_at_tick(queue, UINT64_MAX, 1) == CYCLES_NEVER);
    event_queue_free(queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fires_at_its_time_not_before),
        cmocka_unit_test(equal_times_fire_in_order_of_scheduling),
        cmocka_unit_test(periodic_and_late),
        cmocka_unit_test(random_against_a_list),
        cmocka_unit_test(free_releases_events),
        cmocka_unit_test(standing_still_is_a_bug),
        cmocka_unit_test(ticks_round_trip),
        cmocka_unit_test(conversions_at_the_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
