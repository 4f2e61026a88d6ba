#include "src/network/hub_local.h"

#include "src/machine/machine_end.h"
#include <stdlib.h>
#include <string.h>

struct node {
    struct hub_port *waiting; /* at the barrier; NULL: not at the barrier */
    uint8_t *message;         /* posted by this node */
    size_t size, room;
};

struct hub_local {
    struct hub_carrier carrier;
    struct node nodes[HUB_NODES_MAX];
    uint8_t *batch;
    size_t batch_room;
};

static void post(void *opaque, unsigned number, const uint8_t *bytes, size_t size)
{
    struct hub_local *local = opaque;
    struct node *node = &local->nodes[number];
    node->message = hub_window_grow(node->message, &node->room, size);
    memcpy(node->message, bytes, size);
    node->size = size;
}

static void meet(void *opaque, struct hub_port *port)
{
    struct hub_local *local = opaque;
    local->nodes[hub_port_node(port)].waiting = port;
    machine_end(hub_port_machine(port), MACHINE_STOP_BARRIER);
}

struct hub_local *hub_local_create(void)
{
    struct hub_local *local = checked_memory(calloc(1, sizeof *local));
    local->carrier = (struct hub_carrier){.post = post, .synchronise = meet, .opaque = local};
    return local;
}

void hub_local_free(struct hub_local *local)
{
    if (!local)
        return;
    for (unsigned i = 0; i < HUB_NODES_MAX; i++)
        free(local->nodes[i].message);
    free(local->batch);
    free(local);
}

const struct hub_carrier *hub_local_carrier(struct hub_local *local)
{
    return &local->carrier;
}

/* Concatenate the messages of all other nodes. Returns their size. */
static size_t collect(struct hub_local *local, const struct hub_port *port)
{
    size_t size = 0;
    for (unsigned i = 0; i < HUB_NODES_MAX; i++) {
        const struct node *node = &local->nodes[i];
        if (node->size == 0 || i == hub_port_node(port))
            continue;
        local->batch = hub_window_grow(local->batch, &local->batch_room, size + node->size);
        memcpy(local->batch + size, node->message, node->size);
        size += node->size;
    }
    return size;
}

bool hub_local_exchange(struct hub_local *local, struct err *err)
{
    for (unsigned i = 0; i < HUB_NODES_MAX; i++) {
        struct hub_port *port = local->nodes[i].waiting;
        local->nodes[i].waiting = NULL;
        size_t size = port ? collect(local, port) : 0;
        if (port && !hub_port_receive(port, local->batch, size, err))
            return false;
    }
    for (unsigned i = 0; i < HUB_NODES_MAX; i++)
        local->nodes[i].size = 0;
    return true;
}
