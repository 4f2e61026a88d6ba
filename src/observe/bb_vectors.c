#include "src/observe/bb_vectors.h"

#include "cpu/observe/execution_profile.h"
#include "cpu/observe/executions.h"
#include "src/base/hash_map.h"
#include <inttypes.h>
#include <stdlib.h>

struct bb_vectors {
    struct machine *machine;
    uint64_t interval, next;
    bool begun;
    struct execution_block *before; /* the profile at the beginning of the interval, sorted */
    size_t before_count;
    struct hash_map ids; /* of blocks, by the key of their first instruction */
    FILE *lines;
    char *text; /* of `lines` */
    size_t size;
};

struct bb_vectors *bb_vectors_create(struct machine *machine, uint64_t interval)
{
    struct bb_vectors *vectors = checked_memory(calloc(1, sizeof *vectors));
    vectors->machine = machine;
    vectors->interval = interval;
    vectors->next = UINT64_MAX;
    vectors->lines = checked_memory(open_memstream(&vectors->text, &vectors->size));
    return vectors;
}

void bb_vectors_free(struct bb_vectors *vectors)
{
    if (!vectors)
        return;
    fclose(vectors->lines);
    free(vectors->text);
    free(vectors->before);
    hash_map_release(&vectors->ids);
    free(vectors);
}

/* The profile up to now, sorted by key, length and mode. */
static struct execution_block *read_profile(const struct machine *machine, size_t *count)
{
    for (unsigned i = 0; i < machine->cpus; i++) {
        core_sync(machine->cores[i]);
        executions_flush(machine->cores[i]);
    }
    return execution_profile_blocks(machine->execution_profile, count);
}

/* The order of execution_profile_blocks(). */
static int compare_blocks(const struct execution_block *a, const struct execution_block *b)
{
    return a->key != b->key       ? (a->key > b->key) - (a->key < b->key)
           : a->insns != b->insns ? (a->insns > b->insns) - (a->insns < b->insns)
                                  : (a->mode > b->mode) - (a->mode < b->mode);
}

/* The blocks of NOW less those of BEFORE, both sorted, to be freed. A block that has been corrected to 0 is in BEFORE
 * alone. */
static struct execution_block *subtract(const struct execution_block *now, size_t now_count,
                                        const struct execution_block *before, size_t before_count, size_t *count)
{
    struct execution_block *blocks = checked_memory(malloc((now_count + before_count + 1) * sizeof *blocks));
    size_t i = 0, j = 0;
    *count = 0;
    while (i < now_count || j < before_count) {
        const int order = i == now_count ? 1 : j == before_count ? -1 : compare_blocks(&now[i], &before[j]);
        struct execution_block block = order <= 0 ? now[i++] : before[j];
        if (order > 0)
            block.count = 0;
        if (order >= 0)
            block.count -= before[j++].count;
        if (block.count != 0)
            blocks[(*count)++] = block;
    }
    return blocks;
}

static uint64_t end_of(const struct execution_block *block)
{
    return block->key + block->insns * UINT64_C(4);
}

static int compare_ends(const void *a, const void *b)
{
    const struct execution_block *x = a, *y = b;
    const uint64_t x_end = end_of(x), y_end = end_of(y);
    return x_end != y_end         ? (x_end > y_end) - (x_end < y_end)
           : x->insns != y->insns ? (x->insns > y->insns) - (x->insns < y->insns)
                                  : (x->mode > y->mode) - (x->mode < y->mode);
}

/* The instructions of a block in the interval. */
struct part {
    uint64_t key;
    int64_t insns;
};

static int compare_parts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* A block that was left early has a negative one, which corrects it: its end, which did not execute. Take it from the
 * longer blocks with the same end. BLOCKS are sorted by end, then by length. */
static void correct(const struct execution_block *blocks, struct part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t longer = i + 1;
             parts[i].insns < 0 && longer < count && end_of(&blocks[longer]) == end_of(&blocks[i]); longer++)
            if (parts[longer].insns > 0) {
                const int64_t taken = -parts[i].insns < parts[longer].insns ? -parts[i].insns : parts[longer].insns;
                parts[longer].insns -= taken;
                parts[i].insns += taken;
            }
}

static size_t id_of(struct bb_vectors *vectors, uint64_t key)
{
    struct hash_slot *slot = hash_map_find(&vectors->ids, key);
    if (!slot) {
        slot = hash_map_add(&vectors->ids, key);
        slot->number = vectors->ids.count;
    }
    return slot->number;
}

static void put_line(struct bb_vectors *vectors, const struct part *parts, size_t count)
{
    fputc('T', vectors->lines);
    for (size_t i = 0; i < count; i++) {
        int64_t insns = parts[i].insns;
        for (; i + 1 < count && parts[i + 1].key == parts[i].key; i++)
            insns += parts[i + 1].insns;
        if (insns > 0)
            fprintf(vectors->lines, ":%zu:%" PRId64 " ", id_of(vectors, parts[i].key), insns);
    }
    fputc('\n', vectors->lines);
}

/* The interval ends. */
static void take(struct bb_vectors *vectors)
{
    size_t now_count, count;
    struct execution_block *now = read_profile(vectors->machine, &now_count);
    struct execution_block *blocks = subtract(now, now_count, vectors->before, vectors->before_count, &count);
    if (count > 0)
        qsort(blocks, count, sizeof *blocks, compare_ends);
    struct part *parts = checked_memory(malloc((count + 1) * sizeof *parts));
    for (size_t i = 0; i < count; i++)
        parts[i] = (struct part){blocks[i].key, blocks[i].count * blocks[i].insns};
    correct(blocks, parts, count);
    if (count > 0)
        qsort(parts, count, sizeof *parts, compare_parts);
    put_line(vectors, parts, count);
    free(parts);
    free(blocks);
    free(vectors->before);
    vectors->before = now;
    vectors->before_count = now_count;
}

void bb_vectors_start(struct bb_vectors *vectors)
{
    free(vectors->before);
    vectors->before = read_profile(vectors->machine, &vectors->before_count);
    vectors->begun = true;
    vectors->next = machine_insns(vectors->machine) + vectors->interval;
}

uint64_t bb_vectors_next(const struct bb_vectors *vectors)
{
    return vectors->next;
}

void bb_vectors_sample(struct bb_vectors *vectors)
{
    if (!vectors->begun || machine_insns(vectors->machine) < vectors->next)
        return;
    take(vectors);
    vectors->next += vectors->interval;
}

bool bb_vectors_is_short(const struct bb_vectors *vectors)
{
    return vectors->begun && ftello(vectors->lines) == 0;
}

void bb_vectors_write(const void *opaque, FILE *out)
{
    const struct bb_vectors *vectors = opaque;
    fflush(vectors->lines);
    fwrite(vectors->text, 1, vectors->size, out);
}
