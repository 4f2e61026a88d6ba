/*
 * Nodes of a hub for tests: bare machines without network card models. A node sends frames of random lengths at
 * random times directly to its link, and logs the frames that arrive.
 */
#ifndef SIMOS_TESTS_UNIT_HUB_FIXTURE_H
#define SIMOS_TESTS_UNIT_HUB_FIXTURE_H

#include "src/machine/board_net.h"
#include "src/network/board_network.h"
#include "src/network/hub_local.h"
#include "tests/unit/machine_program.h"
#include <inttypes.h>
#include <stdlib.h>

enum { HUB_TEST_MILLISECONDS = 4, HUB_TEST_FRAMES = 40 };

struct hub_node {
    struct machine *machine;
    struct event talk;
    uint64_t random;
    unsigned number, sent, silent_after;
    char *log; /* one line per frame: "TIME SENDER SEQUENCE LENGTH" */
    size_t log_size;
    FILE *out;
};

static inline struct ethernet_link *hub_node_link(const struct hub_node *node)
{
    return board_net_of(node->machine)->link;
}

static inline uint64_t hub_node_random(struct hub_node *node)
{
    node->random = node->random * 6364136223846793005u + 1442695040888963407u;
    return node->random >> 33;
}

static inline void hub_node_talk(void *opaque)
{
    struct hub_node *node = opaque;
    struct event_queue *queue = node->machine->queue;
    uint8_t frame[ETHERNET_MAX_BYTES] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    uint32_t length = 60 + (uint32_t)(hub_node_random(node) % 1450);
    frame[14] = (uint8_t)node->number;
    frame[15] = (uint8_t)node->sent++;
    cycles free = ethernet_link_send(hub_node_link(node), frame, length);
    if (node->sent < node->silent_after)
        event_schedule(queue, &node->talk, free + time_cycles_of_nsec(queue, hub_node_random(node) % 150000));
}

static inline void hub_node_hear(void *opaque, nsec time, const uint8_t *frame, uint32_t length)
{
    struct hub_node *node = opaque;
    if (frame[14] != node->number)
        fprintf(node->out, "%" PRIu64 " %u %u %u\n", time, frame[14], frame[15], length);
}

/* Create node NUMBER of NODES: one CPU that counts (odd nodes: a second CPU that is never started), its own clock rate,
 * and COUNT additional ASSIGNMENTS of parameters. CARRIER: as in struct machine_options. */
static inline bool hub_node_create(struct hub_node *node, unsigned number, unsigned nodes, const char *net,
                                   const struct hub_carrier *carrier, const char *const *assignments, size_t count,
                                   struct err *err)
{
    static const uint32_t counting[] = {ADDIU(8, 8, 1), BRANCH_BACK(1), NOP};
    static const char *const clocks[] = {"200MHz", "33.3MHz", "1GHz", "150MHz"};
    struct machine_options options;
    char text[32];
    *node = (struct hub_node){.number = number, .random = number + 1, .silent_after = HUB_TEST_FRAMES};
    machine_options_init(&options);
    options.hub_carrier = carrier;
    bool done = params_set(options.params, "machine.net", net, err) &&
                params_set(options.params, "machine.memory", "16M", err) &&
                params_set(options.params, "cache.model", "none", err) &&
                params_set(options.params, "machine.cpus", number % 2 ? "2" : "1", err) &&
                params_set(options.params, "cpu.clock", clocks[number % 4], err);
    snprintf(text, sizeof text, "net.node=%u", number);
    done = done && params_set_assignment(options.params, text, err);
    snprintf(text, sizeof text, "net.nodes=%u", nodes);
    done = done && params_set_assignment(options.params, text, err);
    for (size_t i = 0; i < count; i++)
        done = done && params_set_assignment(options.params, assignments[i], err);
    node->machine = done ? machine_create(&options, NULL, NULL, err) : NULL;
    machine_options_release(&options);
    if (!node->machine)
        return false;
    start_program(node->machine, 0, counting, sizeof counting / sizeof *counting);
    node->out = checked_memory(open_memstream(&node->log, &node->log_size));
    ethernet_link_set_tap(hub_node_link(node), (struct ethernet_tap){.frame = hub_node_hear, .opaque = node});
    event_init(&node->talk, "talk", hub_node_talk, node);
    event_schedule(node->machine->queue, &node->talk, 1000);
    return true;
}

static inline void hub_node_free(struct hub_node *node)
{
    if (!node->machine)
        return;
    event_cancel(node->machine->queue, &node->talk);
    machine_free(node->machine);
    fclose(node->out);
    free(node->log);
    *node = (struct hub_node){0};
}

/* Run until simulated time MILLISECONDS. */
static inline enum machine_stop hub_node_run(struct hub_node *node, unsigned milliseconds)
{
    const struct machine_limits limits = {time_cycles_of_nsec(node->machine->queue, milliseconds * 1000000ull),
                                          UINT64_MAX};
    enum machine_stop reason = machine_run(node->machine, &limits);
    fflush(node->out);
    return reason;
}

#endif
