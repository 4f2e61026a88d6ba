/*
 * A simulator of the memory system of a machine with 16 nodes, each with a processor, a cache and a part of the memory,
 * in a mesh of 4 by 4. Caches are kept coherent by directories: each line has a home, which knows who holds it and
 * serves one request after the other. A processor has one miss at a time.
 *
 *     memsys REFERENCES [READY AFTER]
 *
 * runs until every processor has made REFERENCES references to memory, of a made-up program with private, shared and
 * migrating data, and prints what it counted. READY: a file in which a line is written after AFTER events.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    NODES = 16,
    SIDE = 4,              /* of the mesh */
    LINES_PER_NODE = 8192, /* of 128 bytes: 1 MB */
    SETS = 512,            /* of a cache of 256 KB */
    WAYS = 4,
    PRIVATE_LINES = 6144, /* of a node's memory; the rest is shared */
    HIT = 1,
    HOP = 4,
    LOOK_UP = 14,
    MEMORY = 40,
    INTERVENTION = 30,
    INVALIDATION = 6, /* cycles */
    EVENTS = 4096,
};

enum state { ABSENT, SHARED, DIRTY };
enum kind { STEP, REQUEST, DATA, INVALIDATE, WRITE_BACK };

struct event {
    uint64_t time, order;
    uint32_t line;
    uint8_t kind, node, write;
};

struct way {
    uint32_t line, used;
    enum state state;
};

struct node {
    struct way cache[SETS][WAYS];
    uint64_t free_at; /* when its directory has served what it has got */
    uint32_t seed, clock, references, waiting_since;
    uint32_t hits, misses, upgrades, evictions, invalidations;
    uint64_t waited;
};

struct directory_entry {
    uint16_t sharers;
    uint8_t state, owner;
    uint32_t requests;
};

static struct node nodes[NODES];
static struct directory_entry directory[NODES * LINES_PER_NODE];
static struct event heap[EVENTS];
static unsigned pending;
static uint64_t now, events_made, interventions, written_back;
static uint32_t wanted;

static int earlier(const struct event *a, const struct event *b)
{
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void post(uint64_t delay, enum kind kind, unsigned node, uint32_t line, int write)
{
    unsigned place = pending++;

    if (pending > EVENTS) {
        fprintf(stderr, "memsys: too many events\n");
        exit(1);
    }
    heap[place] = (struct event){.time = now + delay,
                                 .order = events_made++,
                                 .line = line,
                                 .kind = (uint8_t)kind,
                                 .node = (uint8_t)node,
                                 .write = (uint8_t)write};
    while (place && earlier(&heap[place], &heap[(place - 1) / 2])) {
        struct event moved = heap[place];

        heap[place] = heap[(place - 1) / 2];
        heap[(place - 1) / 2] = moved;
        place = (place - 1) / 2;
    }
}

static struct event take(void)
{
    struct event first = heap[0];
    unsigned place = 0;

    heap[0] = heap[--pending];
    for (;;) {
        unsigned least = 2 * place + 1;

        if (least >= pending)
            return first;
        if (least + 1 < pending && earlier(&heap[least + 1], &heap[least]))
            least++;
        if (!earlier(&heap[least], &heap[place]))
            return first;
        struct event moved = heap[place];
        heap[place] = heap[least];
        heap[least] = moved;
        place = least;
    }
}

static unsigned home_of(uint32_t line)
{
    return line / LINES_PER_NODE;
}

static uint64_t distance(unsigned from, unsigned to)
{
    return HOP * (uint64_t)(abs((int)(from % SIDE) - (int)(to % SIDE)) + abs((int)(from / SIDE) - (int)(to / SIDE)));
}

static uint32_t draw(struct node *node)
{
    node->seed ^= node->seed << 13;
    node->seed ^= node->seed >> 17;
    node->seed ^= node->seed << 5;
    return node->seed;
}

/* The next line that processor NUMBER refers to: mostly its own, near the one before; sometimes what all share. */
static uint32_t choose_line(unsigned number, int *write)
{
    struct node *node = &nodes[number];
    uint32_t random = draw(node), what = random & 63, place = random >> 6;

    *write = (random >> 24 & 3) == 0;
    if (what < 44) /* a window that moves over its own data */
        return number * LINES_PER_NODE + (node->references / 64 + place % 700) % PRIVATE_LINES;
    if (what < 56) /* anywhere in its own */
        return number * LINES_PER_NODE + place % PRIVATE_LINES;
    if (what < 62) { /* read by all, seldom written */
        *write = (random >> 24 & 31) == 0;
        return place % NODES * LINES_PER_NODE + PRIVATE_LINES + place / NODES % 1024;
    }
    *write = 1; /* migrates from one to the next */
    return place % NODES * LINES_PER_NODE + LINES_PER_NODE - 1 - place / NODES % 16;
}

static struct way *find_way(struct node *node, uint32_t line)
{
    struct way *set = node->cache[line % SETS];

    for (unsigned way = 0; way < WAYS; way++)
        if (set[way].state != ABSENT && set[way].line == line)
            return &set[way];
    return NULL;
}

/* A processor makes its references up to the next that has to wait. */
static void step(unsigned number)
{
    struct node *node = &nodes[number];
    uint64_t passed = HIT;

    for (unsigned turn = 0; turn < 32; turn++, passed += HIT) {
        int write;

        if (node->references == wanted)
            return;
        uint32_t line = choose_line(number, &write);
        struct way *way = find_way(node, line);

        node->references++;
        if (way && (way->state == DIRTY || !write)) {
            node->hits++;
            way->used = ++node->clock;
            continue;
        }
        if (way)
            node->upgrades++;
        else
            node->misses++;
        node->waiting_since = (uint32_t)(now + passed);
        post(passed + distance(number, home_of(line)), REQUEST, number, line, write);
        return;
    }
    post(passed, STEP, number, 0, 0);
}

/* A line's home serves a request: it asks the owner back, or tells the sharers, and sends the line. */
static void serve(const struct event *request)
{
    unsigned home = home_of(request->line);
    struct directory_entry *entry = &directory[request->line];
    uint64_t begin = nodes[home].free_at > now ? nodes[home].free_at : now, delay = begin - now + LOOK_UP;

    entry->requests++;
    if (entry->state == DIRTY && entry->owner != request->node) {
        interventions++;
        post(delay + distance(home, entry->owner), INVALIDATE, entry->owner, request->line, request->write);
        delay += 2 * distance(home, entry->owner) + INTERVENTION;
        entry->sharers = request->write ? 0 : (uint16_t)(1u << entry->owner);
        entry->state = SHARED;
    } else {
        delay += MEMORY;
    }
    if (request->write) {
        for (unsigned other = 0; other < NODES; other++)
            if ((entry->sharers >> other & 1) && other != request->node) {
                post(delay + distance(home, other), INVALIDATE, other, request->line, 1);
                delay += INVALIDATION;
            }
        entry->state = DIRTY;
        entry->owner = request->node;
        entry->sharers = (uint16_t)(1u << request->node);
    } else {
        entry->state = SHARED;
        entry->sharers |= (uint16_t)(1u << request->node);
    }
    nodes[home].free_at = now + delay;
    post(delay + distance(home, request->node), DATA, request->node, request->line, request->write);
}

/* The line arrives: another one leaves its place. */
static void arrive(const struct event *data)
{
    struct node *node = &nodes[data->node];
    struct way *way = find_way(node, data->line);

    if (!way) {
        struct way *set = node->cache[data->line % SETS];

        way = &set[0];
        for (unsigned other = 1; other < WAYS; other++)
            if (way->state != ABSENT && (set[other].state == ABSENT || set[other].used < way->used))
                way = &set[other];
        if (way->state != ABSENT)
            node->evictions++;
        if (way->state == DIRTY)
            post(distance(data->node, home_of(way->line)), WRITE_BACK, data->node, way->line, 0);
    }
    *way = (struct way){.line = data->line, .used = ++node->clock, .state = data->write ? DIRTY : SHARED};
    node->waited += (uint32_t)now - node->waiting_since;
    post(HIT, STEP, data->node, 0, 0);
}

static void invalidate(const struct event *order)
{
    struct way *way = find_way(&nodes[order->node], order->line);

    nodes[order->node].invalidations++;
    if (way)
        way->state = order->write ? ABSENT : SHARED;
}

static void write_back(const struct event *data)
{
    struct directory_entry *entry = &directory[data->line];

    written_back++;
    if (entry->state == DIRTY && entry->owner == data->node) {
        entry->state = ABSENT;
        entry->sharers = 0;
    }
}

static void (*const handlers[])(const struct event *) = {
    [REQUEST] = serve,
    [DATA] = arrive,
    [INVALIDATE] = invalidate,
    [WRITE_BACK] = write_back,
};

static void report(void)
{
    uint64_t hits = 0, misses = 0, upgrades = 0, evictions = 0, invalidations = 0, waited = 0;
    uint32_t sum = 0;

    for (unsigned i = 0; i < NODES; i++) {
        hits += nodes[i].hits;
        misses += nodes[i].misses;
        upgrades += nodes[i].upgrades;
        evictions += nodes[i].evictions;
        invalidations += nodes[i].invalidations;
        waited += nodes[i].waited;
    }
    for (unsigned i = 0; i < NODES * LINES_PER_NODE; i++)
        sum = sum * 31 + directory[i].requests * 4 + directory[i].state + directory[i].sharers;
    printf(
        "memsys: %llu cycles, %llu events, %llu hits, %llu misses, %llu upgrades, %llu evictions, %llu written back\n",
        (unsigned long long)now, (unsigned long long)events_made, (unsigned long long)hits, (unsigned long long)misses,
        (unsigned long long)upgrades, (unsigned long long)evictions, (unsigned long long)written_back);
    printf("memsys: %llu interventions, %llu invalidations, %llu cycles waited, directories %08x\n",
           (unsigned long long)interventions, (unsigned long long)invalidations, (unsigned long long)waited,
           (unsigned)sum);
}

static void tell(const char *path)
{
    FILE *file = fopen(path, "w");

    if (!file || fputs("ready\n", file) < 0 || fclose(file)) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    uint64_t tell_at = UINT64_MAX;

    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: memsys REFERENCES [READY AFTER]\n");
        return 2;
    }
    wanted = (uint32_t)strtoul(argv[1], NULL, 10);
    if (argc == 4)
        tell_at = strtoul(argv[3], NULL, 10);
    for (unsigned i = 0; i < NODES; i++) {
        nodes[i].seed = 2463534242u + i;
        post(i, STEP, i, 0, 0);
    }
    while (pending) {
        struct event event = take();

        now = event.time;
        if (event.kind == STEP)
            step(event.node);
        else
            handlers[event.kind](&event);
        if (events_made >= tell_at) {
            tell(argv[2]);
            tell_at = UINT64_MAX;
        }
    }
    report();
    return 0;
}
