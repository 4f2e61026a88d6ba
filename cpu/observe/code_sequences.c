#include "cpu/observe/code_sequences.h"

#include <stdlib.h>
#include <string.h>

/* Thresholds */

static bool read_share(const char **at, double *share)
{
    char *end;
    *share = strtod(*at, &end);
    const bool good = end != *at && *share >= 0 && *share <= 1;
    *at = end;
    return good;
}

bool code_passes_read(struct code_passes *passes, const char *text, struct err *err)
{
    static const char blanks[] = " ,\t\r\n";
    *passes = (struct code_passes){.count = 0};
    for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
        const char *word = at;
        struct code_thresholds pass;
        if (!read_share(&at, &pass.executions) || *at++ != ':' || !read_share(&at, &pass.probability) ||
            (*at && !strchr(blanks, *at)))
            return err_set(err, "\"%.*s\" is not EXECUTIONS:PROBABILITY, two numbers from 0 to 1",
                           (int)strcspn(word, blanks), word);
        const struct code_thresholds *last = passes->count ? &passes->pass[passes->count - 1] : NULL;
        if (last && (pass.executions > last->executions || pass.probability > last->probability))
            return err_set(err, "\"%.*s\" is higher than the pair before it", (int)strcspn(word, blanks), word);
        if (passes->count == CODE_PASSES_MAX - 1)
            return err_set(err, "more than %d pairs", CODE_PASSES_MAX - 1);
        passes->pass[passes->count++] = pass;
    }
    const struct code_thresholds *last = passes->count ? &passes->pass[passes->count - 1] : NULL;
    if (!last || last->executions > 0 || last->probability > 0)
        passes->pass[passes->count++] = (struct code_thresholds){0, 0};
    return true;
}

/* Making */

enum { CALLS = 64 };

/* What is being made. */
struct maker {
    struct code_sequences *result;
    const struct code_blocks *blocks;
    bool *visited;     /* [blocks]: in a sequence, or placed before */
    unsigned *seen;    /* [blocks]: the last pass in which the paths out of the block were looked at, from 1 on */
    unsigned *entered; /* [blocks]: the last pass in which it entered the queue; once is enough */
    unsigned pass;
    int64_t least;      /* executions that the pass demands */
    double probability; /* that it demands */
    size_t *queue;      /* [blocks]: acceptable ones, in the order in which the way from the seeds meets them */
    size_t queued, taken;
    struct code_paths paths;
};

static void enqueue(struct maker *maker, size_t block)
{
    if (maker->entered[block] == maker->pass)
        return;
    maker->entered[block] = maker->pass;
    maker->queue[maker->queued++] = block;
}

static bool is_acceptable(const struct maker *maker, const struct code_path *path)
{
    return path->share >= maker->probability && maker->blocks->block[path->to].count >= maker->least;
}

/* Look at the paths out of block NUMBER: queue the acceptable ones. They are in maker->paths afterwards. */
static void look_at(struct maker *maker, size_t number)
{
    code_blocks_paths(maker->blocks, number, &maker->paths);
    maker->seen[number] = maker->pass;
    for (size_t i = 0; i < maker->paths.count; i++)
        if (is_acceptable(maker, &maker->paths.path[i]) && maker->seen[maker->paths.path[i].to] != maker->pass)
            enqueue(maker, maker->paths.path[i].to);
}

/* The path of maker->paths to follow: the most probable one of those that are acceptable and not visited, PROFILED_NONE
 * if there is none. What is BEHIND a call (or PROFILED_NONE) follows if no routine does. */
static ptrdiff_t best_path(const struct maker *maker, ptrdiff_t behind)
{
    const struct code_path *best = NULL;
    ptrdiff_t otherwise = PROFILED_NONE;
    for (size_t i = 0; i < maker->paths.count; i++) {
        const struct code_path *path = &maker->paths.path[i];
        if (maker->visited[path->to] || !is_acceptable(maker, path))
            continue;
        if ((ptrdiff_t)path->to == behind)
            otherwise = behind;
        else if (!best || path->share > best->share)
            best = path;
    }
    return best ? (ptrdiff_t)best->to : otherwise;
}

static bool is_call(const struct code_block *block)
{
    return block->end == PROFILED_CALL || block->end == PROFILED_CALL_REGISTER || block->links;
}

/* Make the sequence that begins at block FIRST. */
static void make_sequence(struct maker *maker, size_t first)
{
    struct code_sequences *result = maker->result;
    size_t back[CALLS];
    unsigned depth = 0;
    for (ptrdiff_t at = (ptrdiff_t)first; at != PROFILED_NONE;) {
        const struct code_block *block = &maker->blocks->block[at];
        maker->visited[at] = true;
        result->block[result->blocks++] = (size_t)at;
        look_at(maker, (size_t)at);
        if (block->end == PROFILED_LEAVES && block->is_return) {
            const struct code_path on = {depth > 0 ? back[--depth] : first, 1};
            at = !maker->visited[on.to] && is_acceptable(maker, &on) ? (ptrdiff_t)on.to : PROFILED_NONE;
            continue;
        }
        at = best_path(maker, is_call(block) ? block->behind : PROFILED_NONE);
        if (is_call(block) && at != block->behind && block->behind != PROFILED_NONE && depth < CALLS)
            back[depth++] = (size_t)block->behind;
    }
    result->end[result->count++] = result->blocks;
    result->of_pass[maker->pass - 1]++;
}

/* Make the sequences of the pass that begin on the way from block SEED. */
static void follow_seed(struct maker *maker, size_t seed)
{
    maker->queued = maker->taken = 0;
    enqueue(maker, seed);
    while (maker->taken < maker->queued) {
        const size_t next = maker->queue[maker->taken++];
        if (!maker->visited[next])
            make_sequence(maker, next);
        else if (maker->seen[next] != maker->pass)
            look_at(maker, next);
    }
}

/* The seeds, those entered most often first. */
static struct ranked *find_seeds(const struct code_blocks *blocks, size_t *count)
{
    struct ranked *seed = checked_memory(calloc(blocks->count + 1, sizeof *seed));
    *count = 0;
    for (size_t i = 0; i < blocks->count; i++) {
        const struct code_block *block = &blocks->block[i];
        if (blocks->flags[block->first] & CODE_ROUTINE && block->unexplained + block->called > 0)
            seed[(*count)++] = (struct ranked){i, block->unexplained + block->called};
    }
    ranked_sort(seed, *count);
    return seed;
}

/* The blocks that no seed reaches: each is a seed, the most often executed first. */
static void follow_rest(struct maker *maker)
{
    const struct code_blocks *blocks = maker->blocks;
    struct ranked *seed = checked_memory(calloc(blocks->count + 1, sizeof *seed));
    size_t count = 0;
    for (size_t i = 0; i < blocks->count; i++)
        if (!maker->visited[i])
            seed[count++] = (struct ranked){i, blocks->block[i].count};
    ranked_sort(seed, count);
    for (size_t i = 0; i < count; i++)
        follow_seed(maker, seed[i].number);
    free(seed);
}

void code_sequences_make(struct code_sequences *sequences, const struct code_blocks *blocks, const bool *placed,
                         const struct code_passes *passes)
{
    *sequences = (struct code_sequences){.block = checked_memory(calloc(blocks->count + 1, sizeof(size_t))),
                                         .end = checked_memory(calloc(blocks->count + 1, sizeof(size_t)))};
    struct maker maker = {.result = sequences,
                          .blocks = blocks,
                          .visited = checked_memory(malloc(blocks->count + 1)),
                          .seen = checked_memory(calloc(blocks->count + 1, sizeof(unsigned))),
                          .entered = checked_memory(calloc(blocks->count + 1, sizeof(unsigned))),
                          .queue = checked_memory(calloc(blocks->count + 1, sizeof(size_t)))};
    memcpy(maker.visited, placed, blocks->count);
    struct ranked *seed = find_seeds(blocks, &sequences->seeds);
    for (maker.pass = 1; maker.pass <= passes->count; maker.pass++) {
        const struct code_thresholds *pass = &passes->pass[maker.pass - 1];
        maker.least = (int64_t)(pass->executions * blocks->executions);
        maker.probability = pass->probability;
        for (size_t i = 0; i < sequences->seeds; i++)
            if (blocks->block[seed[i].number].count >= maker.least)
                follow_seed(&maker, seed[i].number);
        if (maker.pass == passes->count)
            follow_rest(&maker);
    }
    free(seed);
    code_paths_release(&maker.paths);
    free(maker.visited);
    free(maker.seen);
    free(maker.entered);
    free(maker.queue);
}

void code_sequences_release(struct code_sequences *sequences)
{
    free(sequences->block);
    free(sequences->end);
}
