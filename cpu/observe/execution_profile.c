#include "cpu/observe/execution_profile.h"
#include "src/base/hash_map.h"
#include <stdlib.h>

struct execution_profile {
    struct execution_block *block;
    struct execution_edge *edge;
    size_t blocks, edges, block_room, edge_room;
    struct hash_map block_numbers, edge_numbers; /* by the hash of what identifies them */
    execution_key_fn *key_of;
    void *opaque;
    struct execution_pages *pages; /* NULL: not recorded */
};

struct execution_profile *execution_profile_create(void)
{
    return checked_memory(calloc(1, sizeof(struct execution_profile)));
}

void execution_profile_free(struct execution_profile *profile)
{
    if (!profile)
        return;
    hash_map_release(&profile->block_numbers);
    hash_map_release(&profile->edge_numbers);
    free(profile->block);
    execution_pages_free(profile->pages);
    free(profile->edge);
    free(profile);
}

void execution_profile_name(struct execution_profile *profile, execution_key_fn *key_of, void *opaque)
{
    profile->key_of = key_of;
    profile->opaque = opaque;
}

uint64_t execution_profile_key(const struct execution_profile *profile, const struct core *core, vaddr address,
                               bool is_user)
{
    if (profile->key_of)
        return profile->key_of(profile->opaque, core->number, address);
    return (is_user ? 1 + (uint64_t)core_asid(core) : 0) << 32 | address;
}

void execution_profile_record_pages(struct execution_profile *profile)
{
    if (!profile->pages)
        profile->pages = execution_pages_create();
}

struct execution_pages *execution_profile_pages(const struct execution_profile *profile)
{
    return profile->pages;
}

struct sought {
    const struct execution_profile *profile;
    uint64_t a, b, c;
};

static bool is_block(const void *opaque, const struct hash_slot *slot)
{
    const struct sought *sought = opaque;
    const struct execution_block *block = &sought->profile->block[slot->number];
    return block->key == sought->a && block->insns == sought->b && block->mode == sought->c;
}

static bool is_edge(const void *opaque, const struct hash_slot *slot)
{
    const struct sought *sought = opaque;
    const struct execution_edge *edge = &sought->profile->edge[slot->number];
    return edge->from == sought->a && edge->to == sought->b && edge->is_call == (bool)sought->c;
}

/* Spreads the bits of A and B; the map multiplies again. */
static uint64_t hash_of(uint64_t a, uint64_t b, uint64_t c)
{
    return (a * 0x9e3779b97f4a7c15u ^ b) * 0xff51afd7ed558ccdu ^ c;
}

/* Make room for one more of COUNT elements of SIZE bytes at MEMORY. */
static void *with_room(void *memory, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return memory;
    *room = *room ? 2 * *room : 1024;
    return checked_memory(realloc(memory, *room * size));
}

size_t execution_profile_block(struct execution_profile *profile, uint64_t key, enum mode mode, unsigned insns)
{
    const uint64_t hash = hash_of(key, insns, mode);
    const struct sought sought = {profile, key, insns, mode};
    const struct hash_slot *slot = hash_map_find_equal(&profile->block_numbers, hash, is_block, &sought);
    if (slot)
        return slot->number;
    profile->block = with_room(profile->block, profile->blocks, &profile->block_room, sizeof *profile->block);
    hash_map_add(&profile->block_numbers, hash)->number = profile->blocks;
    profile->block[profile->blocks] =
        (struct execution_block){.key = key, .insns = (uint16_t)insns, .mode = (uint8_t)mode};
    return profile->blocks++;
}

size_t execution_profile_edge(struct execution_profile *profile, uint64_t from, uint64_t to, bool is_call)
{
    const uint64_t hash = hash_of(from, to, is_call);
    const struct sought sought = {profile, from, to, is_call};
    const struct hash_slot *slot = hash_map_find_equal(&profile->edge_numbers, hash, is_edge, &sought);
    if (slot)
        return slot->number;
    profile->edge = with_room(profile->edge, profile->edges, &profile->edge_room, sizeof *profile->edge);
    hash_map_add(&profile->edge_numbers, hash)->number = profile->edges;
    profile->edge[profile->edges] = (struct execution_edge){.from = from, .to = to, .is_call = is_call};
    return profile->edges++;
}

void execution_profile_add_block(struct execution_profile *profile, size_t number, int64_t count)
{
    profile->block[number].count += count;
}

void execution_profile_add_edge(struct execution_profile *profile, size_t number, int64_t count)
{
    profile->edge[number].count += count;
}

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_blocks(const void *a, const void *b)
{
    const struct execution_block *x = a, *y = b;
    const int by_key = order(x->key, y->key), by_insns = order(x->insns, y->insns);
    return by_key ? by_key : by_insns ? by_insns : order(x->mode, y->mode);
}

static int compare_edges(const void *a, const void *b)
{
    const struct execution_edge *x = a, *y = b;
    const int by_from = order(x->from, y->from), by_to = order(x->to, y->to);
    return by_from ? by_from : by_to ? by_to : order(x->is_call, y->is_call);
}

struct execution_block *execution_profile_blocks(const struct execution_profile *profile, size_t *count)
{
    struct execution_block *blocks = NULL;
    *count = 0;
    if (profile->blocks > 0)
        blocks = checked_memory(malloc(profile->blocks * sizeof *blocks));
    for (size_t i = 0; i < profile->blocks; i++)
        if (profile->block[i].count != 0)
            blocks[(*count)++] = profile->block[i];
    if (*count > 0)
        qsort(blocks, *count, sizeof *blocks, compare_blocks);
    return blocks;
}

struct execution_edge *execution_profile_edges(const struct execution_profile *profile, size_t *count)
{
    struct execution_edge *edges = NULL;
    *count = 0;
    if (profile->edges > 0)
        edges = checked_memory(malloc(profile->edges * sizeof *edges));
    for (size_t i = 0; i < profile->edges; i++)
        if (profile->edge[i].count != 0)
            edges[(*count)++] = profile->edge[i];
    if (*count > 0)
        qsort(edges, *count, sizeof *edges, compare_edges);
    return edges;
}
