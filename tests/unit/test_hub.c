/*
 * A hub in one process (src/network/hub_port.h, src/network/hub_local.h): arrival times of frames; results depend
 * neither on the lookahead nor on the order in which the host runs the nodes.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "tests/unit/hub_fixture.h"

enum { NODES = 3 };

/* A segment and its results. */
struct segment {
    struct hub_local *local;
    struct hub_node nodes[NODES];
};

static void segment_create_with(struct segment *segment, const char *const *assignments, size_t count)
{
    struct err err = {""};
    segment->local = hub_local_create();
    for (unsigned i = 0; i < NODES; i++)
        if (!hub_node_create(&segment->nodes[i], i, NODES, "hub", hub_local_carrier(segment->local), assignments, count,
                             &err))
            fail_msg("%s", err.text);
}

static void segment_create(struct segment *segment, const char *assignment)
{
    segment_create_with(segment, &assignment, assignment != NULL);
}

/* Run all nodes to MILLISECONDS, in reverse order if BACKWARDS. Node 1 leaves after LEAVE ms unless that is 0. */
static void segment_run(struct segment *segment, unsigned milliseconds, bool backwards, unsigned leave)
{
    bool stays[NODES] = {true, true, true};
    struct err err = {""};
    for (;;) {
        bool any = false;
        for (unsigned i = 0; i < NODES; i++) {
            unsigned n = backwards ? NODES - 1 - i : i;
            if (!stays[n])
                continue;
            unsigned end = n == 1 && leave ? leave : milliseconds;
            enum machine_stop reason = hub_node_run(&segment->nodes[n], end);
            stays[n] = reason == MACHINE_STOP_BARRIER;
            any |= stays[n];
            if (!stays[n]) {
                assert_int_equal(reason, MACHINE_STOP_TIME);
                hub_port_leave(board_hub_port(segment->nodes[n].machine));
            }
        }
        if (!any)
            return;
        if (!hub_local_exchange(segment->local, &err))
            fail_msg("%s", err.text);
    }
}

static void segment_free(struct segment *segment)
{
    for (unsigned i = 0; i < NODES; i++)
        hub_node_free(&segment->nodes[i]);
    hub_local_free(segment->local);
}

static uint64_t figure(const struct hub_node *node, const char *name)
{
    double value;
    assert_true(stats_value(node->machine->stats, name, &value));
    return (uint64_t)value;
}

static char *statistics(const struct hub_node *node)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    stats_write_json(node->machine->stats, out);
    fclose(out);
    return text;
}

/* src/network/hub_port.h: every frame goes to all other nodes, once. */
static void every_frame_reaches_all_others(void **state)
{
    (void)state;
    struct segment segment;
    segment_create(&segment, NULL);
    segment_run(&segment, HUB_TEST_MILLISECONDS + 4, false, 0);
    for (unsigned i = 0; i < NODES; i++) {
        bool seen[NODES][HUB_TEST_FRAMES] = {{false}};
        unsigned count = 0, sender, sequence, length;
        nsec time, before = 0;
        const char *at = segment.nodes[i].log;
        for (int used; sscanf(at, "%" SCNu64 " %u %u %u\n%n", &time, &sender, &sequence, &length, &used) == 4;
             at += used) {
            assert_true(time >= before);
            assert_true(sender < NODES && sender != i && sequence < HUB_TEST_FRAMES);
            assert_false(seen[sender][sequence]);
            seen[sender][sequence] = true;
            before = time;
            count++;
        }
        assert_int_equal(count, (NODES - 1) * HUB_TEST_FRAMES);
        assert_int_equal(figure(&segment.nodes[i], "net.hub.sent_frames"), HUB_TEST_FRAMES);
        assert_int_equal(figure(&segment.nodes[i], "net.hub.received_frames"), count);
        assert_int_equal(figure(&segment.nodes[i], "net.received_frames"), count);
    }
    segment_free(&segment);
}

/* devices/ethernet_link.h: a frame of 60 bytes is 72 with preamble and check sequence, 57.6 us at 10 Mbit/s, and
 * arrives net.latency later, in the first cycle of the receiver's clock. */
static void a_frame_arrives_when_its_bits_and_the_latency_have_passed(void **state)
{
    (void)state;
    static const char *const assignments[] = {"net.bandwidth=10000000", "net.latency=30us", "net.lookahead=0"};
    struct hub_node nodes[2];
    struct hub_local *local = hub_local_create();
    struct err err = {""};
    static const uint8_t frame[60] = {[14] = 0};
    for (unsigned i = 0; i < 2; i++) {
        assert_true(hub_node_create(&nodes[i], i, 2, "hub", hub_local_carrier(local), assignments, 3, &err));
        event_cancel(nodes[i].machine->queue, &nodes[i].talk);
    }
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(hub_node_run(&nodes[i], 1), MACHINE_STOP_BARRIER);
    assert_true(hub_local_exchange(local, &err));
    ethernet_link_send(hub_node_link(&nodes[0]), frame, sizeof frame); /* at time 0 */
    bool running = true;
    while (running) {
        running = false;
        for (unsigned i = 0; i < 2; i++)
            running |= hub_node_run(&nodes[i], 1) == MACHINE_STOP_BARRIER;
        assert_true(hub_local_exchange(local, &err));
    }
    assert_int_equal(figure(&nodes[0], "net.hub.lookahead"), 87600);
    assert_int_equal(figure(&nodes[1], "net.hub.lookahead"), 87600);
    nsec time = 0;
    assert_int_equal(sscanf(nodes[1].log, "%" SCNu64, &time), 1);
    assert_in_range(time, 87600, 87600 + 30); /* a cycle of 33.3 MHz is 30 ns */
    for (unsigned i = 0; i < 2; i++)
        hub_node_free(&nodes[i]);
    hub_local_free(local);
}

/* src/network/hub_port.h: a machine that has run before it joins keeps its time, and the hub's time starts there. */
static void a_machine_that_has_run_before_keeps_its_time(void **state)
{
    (void)state;
    static const char *const assignments[] = {"net.bandwidth=10000000", "net.latency=30us"};
    struct hub_node nodes[2];
    struct hub_local *local = hub_local_create();
    struct err err = {""};
    static const uint8_t frame[60] = {[14] = 0}, answer[60] = {[14] = 1};
    for (unsigned i = 0; i < 2; i++) {
        assert_true(hub_node_create(&nodes[i], i, 2, "hub", hub_local_carrier(local), assignments, 2, &err));
        event_cancel(nodes[i].machine->queue, &nodes[i].talk);
    }
    nodes[0].machine->barrier.time = CYCLES_NEVER; /* not connected yet */
    assert_int_equal(hub_node_run(&nodes[0], 5), MACHINE_STOP_TIME);
    nodes[0].machine->barrier.time = 0;
    assert_int_equal(hub_node_run(&nodes[0], 6), MACHINE_STOP_BARRIER);
    assert_int_equal(hub_node_run(&nodes[1], 1), MACHINE_STOP_BARRIER);
    assert_true(hub_local_exchange(local, &err));
    ethernet_link_send(hub_node_link(&nodes[1]), answer, sizeof answer);
    ethernet_link_send(hub_node_link(&nodes[0]), frame, sizeof frame);
    for (bool running = true; running;) {
        running = hub_node_run(&nodes[0], 6) == MACHINE_STOP_BARRIER;
        running |= hub_node_run(&nodes[1], 1) == MACHINE_STOP_BARRIER;
        assert_true(hub_local_exchange(local, &err));
    }
    nsec at[2] = {0};
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(sscanf(nodes[i].log, "%" SCNu64, &at[i]), 1);
    assert_in_range(at[0], 5000000 + 87600, 5000000 + 87600 + 200); /* an instruction may end late */
    assert_in_range(at[1], 87600, 87600 + 200);
    for (unsigned i = 0; i < 2; i++)
        hub_node_free(&nodes[i]);
    hub_local_free(local);
}

/* src/network/hub_port.h: results do not depend on the order of simulation. All statistics are compared. */
static void the_order_of_simulation_is_not_seen(void **state)
{
    (void)state;
    struct segment forwards, backwards;
    segment_create(&forwards, NULL);
    segment_create(&backwards, NULL);
    segment_run(&forwards, HUB_TEST_MILLISECONDS, false, 0);
    segment_run(&backwards, HUB_TEST_MILLISECONDS, true, 0);
    for (unsigned i = 0; i < NODES; i++) {
        char *a = statistics(&forwards.nodes[i]), *b = statistics(&backwards.nodes[i]);
        assert_string_equal(a, b);
        assert_string_equal(forwards.nodes[i].log, backwards.nodes[i].log);
        assert_true(strlen(forwards.nodes[i].log) > 500);
        free(a);
        free(b);
    }
    segment_free(&forwards);
    segment_free(&backwards);
}

/* A shorter lookahead costs host time only. */
static void the_lookahead_is_not_seen(void **state)
{
    (void)state;
    static const char *const lookaheads[] = {"net.lookahead=0", "net.lookahead=50us", "net.lookahead=3777ns"};
    struct segment segments[3];
    for (unsigned i = 0; i < 3; i++) {
        segment_create(&segments[i], lookaheads[i]);
        segment_run(&segments[i], HUB_TEST_MILLISECONDS, false, 0);
    }
    for (unsigned i = 0; i < NODES; i++)
        for (unsigned other = 1; other < 3; other++) {
            assert_string_equal(segments[0].nodes[i].log, segments[other].nodes[i].log);
            assert_int_equal(figure(&segments[0].nodes[i], "machine.insns"),
                             figure(&segments[other].nodes[i], "machine.insns"));
            assert_true(figure(&segments[0].nodes[i], "net.hub.windows") <
                        figure(&segments[other].nodes[i], "net.hub.windows"));
        }
    for (unsigned i = 0; i < 3; i++)
        segment_free(&segments[i]);
}

/* Nodes may differ: the shortest lookahead applies to all. */
static void the_shortest_lookahead_is_the_hubs(void **state)
{
    (void)state;
    static const char *const latencies[] = {"net.latency=80us", "net.latency=20us"};
    struct hub_node nodes[2];
    struct hub_local *local = hub_local_create();
    struct err err = {""};
    for (unsigned i = 0; i < 2; i++)
        assert_true(hub_node_create(&nodes[i], i, 2, "hub", hub_local_carrier(local), &latencies[i], 1, &err));
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(hub_node_run(&nodes[i], 1), MACHINE_STOP_BARRIER);
    assert_true(hub_local_exchange(local, &err));
    for (unsigned i = 0; i < 2; i++) /* 72 bytes at 100 Mbit/s */
        assert_in_range(figure(&nodes[i], "net.hub.lookahead"), 25760, 25760 + 30);
    for (unsigned i = 0; i < 2; i++)
        hub_node_free(&nodes[i]);
    hub_local_free(local);
}

/* Frames sent before a node leaves arrive; the others continue. A single node needs no windows. */
static void a_node_that_leaves_is_silent(void **state)
{
    (void)state;
    struct segment with, without;
    segment_create(&with, NULL);
    segment_create(&without, NULL);
    segment_run(&with, HUB_TEST_MILLISECONDS, false, 0);
    segment_run(&without, HUB_TEST_MILLISECONDS, false, 2);
    assert_int_equal(figure(&without.nodes[1], "machine.time"), 2 * 33300 /* of 33.3 MHz */);
    assert_int_equal(figure(&without.nodes[0], "machine.time"), HUB_TEST_MILLISECONDS * 200000);
    uint64_t sent = figure(&without.nodes[1], "net.hub.sent_frames"), heard = 0;
    const char *line = without.nodes[0].log;
    for (unsigned sender; sscanf(line, "%*u %u", &sender) == 1; line = strchr(line, '\n') + 1)
        heard += sender == 1;
    assert_in_range(sent, 5, HUB_TEST_FRAMES - 5);
    assert_int_equal(heard, sent);
    /* the logs are equal up to the time at which node 1 left */
    size_t same = strspn(with.nodes[0].log, "0123456789 \n"), i = 0;
    while (i < same && with.nodes[0].log[i] == without.nodes[0].log[i])
        i++;
    nsec difference = 0;
    while (i > 0 && with.nodes[0].log[i - 1] != '\n')
        i--;
    assert_int_equal(sscanf(without.nodes[0].log + i, "%" SCNu64, &difference), 1);
    assert_true(difference > 2000000);
    assert_int_equal(figure(&without.nodes[0], "net.hub.windows"), figure(&with.nodes[0], "net.hub.windows"));
    segment_free(&with);
    segment_free(&without);
}

static void the_last_node_needs_no_windows(void **state)
{
    (void)state;
    struct hub_node nodes[2];
    struct hub_local *local = hub_local_create();
    struct err err = {""};
    for (unsigned i = 0; i < 2; i++)
        assert_true(hub_node_create(&nodes[i], i, 2, "hub", hub_local_carrier(local), NULL, 0, &err));
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(hub_node_run(&nodes[i], 3), MACHINE_STOP_BARRIER);
    assert_true(hub_local_exchange(local, &err));
    hub_port_leave(board_hub_port(nodes[1].machine));
    assert_int_equal(hub_node_run(&nodes[0], 3), MACHINE_STOP_BARRIER);
    assert_true(hub_local_exchange(local, &err));
    assert_int_equal(hub_node_run(&nodes[0], 3), MACHINE_STOP_TIME);
    assert_int_equal(figure(&nodes[0], "net.hub.windows"), 1);
    assert_true(figure(&nodes[0], "net.hub.discarded_frames") > 0);
    for (unsigned i = 0; i < 2; i++)
        hub_node_free(&nodes[i]);
    hub_local_free(local);
}

/* All nodes asleep forever: detected as on a single machine. */
static void nodes_that_all_sleep_end_their_runs(void **state)
{
    (void)state;
    static const uint32_t waiting[] = {WAIT_FOR_IP2, NOP};
    static const char *const slow[] = {"net.latency=10s", "cpu.clock=200MHz"};
    struct segment segment;
    struct err err = {""};
    segment_create_with(&segment, slow, 2);
    for (unsigned i = 0; i < NODES; i++) {
        segment.nodes[i].silent_after = 1;
        start_program(segment.nodes[i].machine, 0, waiting, 4);
    }
    enum machine_stop reasons[NODES] = {MACHINE_STOP_BARRIER, MACHINE_STOP_BARRIER, MACHINE_STOP_BARRIER};
    unsigned rounds = 0;
    while (reasons[0] == MACHINE_STOP_BARRIER) {
        assert_true(rounds++ < 30);
        for (unsigned i = 0; i < NODES; i++)
            reasons[i] = machine_run(segment.nodes[i].machine, &MACHINE_NO_LIMITS);
        assert_true(hub_local_exchange(segment.local, &err));
    }
    for (unsigned i = 0; i < NODES; i++) {
        assert_int_equal(reasons[i], MACHINE_STOP_DEADLOCK);
        assert_int_equal(figure(&segment.nodes[i], "net.received_frames"), NODES - 1);
    }
    segment_free(&segment);
}

static void bad_parameters_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *net, *assignment, *text;
    } rows[] = {
        {"hub", "net.node=3", "net.node: 3, but net.nodes is 3"},
        {"hub", "net.lookahead=1s", "net.lookahead: 1000000000 ns is too long"},
    };
    struct hub_local *local = hub_local_create();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hub_node node;
        struct err err = {""};
        assert_false(
            hub_node_create(&node, 0, NODES, rows[i].net, hub_local_carrier(local), &rows[i].assignment, 1, &err));
        assert_non_null(strstr(err.text, rows[i].text));
    }
    struct hub_node node;
    struct err err = {""};
    assert_false(hub_node_create(&node, 0, NODES, "hub", NULL, NULL, 0, &err));
    assert_non_null(strstr(err.text, "needs the address of a socket"));
    hub_local_free(local);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_reaches_all_others),
        cmocka_unit_test(a_frame_arrives_when_its_bits_and_the_latency_have_passed),
        cmocka_unit_test(a_machine_that_has_run_before_keeps_its_time),
        cmocka_unit_test(the_order_of_simulation_is_not_seen),
        cmocka_unit_test(the_lookahead_is_not_seen),
        cmocka_unit_test(the_shortest_lookahead_is_the_hubs),
        cmocka_unit_test(a_node_that_leaves_is_silent),
        cmocka_unit_test(the_last_node_needs_no_windows),
        cmocka_unit_test(nodes_that_all_sleep_end_their_runs),
        cmocka_unit_test(bad_parameters_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
