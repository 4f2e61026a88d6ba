#include "cpu/observe/code_locality.h"

#include "src/base/array.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 6, FREQUENCY = 10 /* seed's executions over those of the last instruction */ };
#define PROBABILITY 0.4

struct analysis {
    const struct profiled_code *code;
    struct code_locality *result;
    uint8_t *in_loop; /* [words]: LOOP_PLAIN, LOOP_CALLING */
    uint8_t *mark;    /* [words]: scratch of the routine being analysed */
    uint8_t *visited; /* [words]: in a sequence */
    size_t *work;     /* [words]: a stack */
};
enum { LOOP_PLAIN = 1, LOOP_CALLING = 2 };

/* Control flow within a routine */

struct routine {
    size_t first, end; /* words */
};

/* Instructions of ROUTINE that can follow the one at INDEX, which executed; a delay slot is followed by what its branch
 * goes to. Returns their number. */
static unsigned successors(const struct profiled_code *code, struct routine routine, size_t index, size_t next[2])
{
    unsigned count = 0;
    struct profiled_insn before = {.end = PROFILED_GOES_ON};
    const struct profiled_insn own = profiled_code_decode(code, index);
    if (own.end == PROFILED_LEAVES && !own.has_slot)
        return 0;
    if (index > routine.first && code->count[index - 1] > 0)
        before = profiled_code_decode(code, index - 1);
    if (!before.has_slot)
        before.end = PROFILED_GOES_ON;
    const ptrdiff_t target = profiled_code_at(code, before.target);
    const bool falls_through = before.end != PROFILED_JUMP && before.end != PROFILED_LEAVES;
    if (falls_through && index + 1 < routine.end && code->count[index + 1] > 0)
        next[count++] = index + 1;
    if ((before.end == PROFILED_BRANCH || before.end == PROFILED_JUMP) && target >= (ptrdiff_t)routine.first &&
        target < (ptrdiff_t)routine.end && code->count[target] > 0 && profiled_code_taken(code, index - 1, &before) > 0)
        next[count++] = (size_t)target;
    return count;
}

enum { REACHED = 1, IN_BODY = 2 };

/* Mark what can be reached from START as REACHED, without passing AVOIDED. */
static void reach(struct analysis *a, struct routine routine, size_t start, size_t avoided)
{
    size_t depth = 0;
    if (start == avoided || a->mark[start] & REACHED)
        return;
    a->mark[start] |= REACHED;
    a->work[depth++] = start;
    while (depth > 0) {
        size_t next[2];
        const unsigned count = successors(a->code, routine, a->work[--depth], next);
        for (unsigned i = 0; i < count; i++)
            if (next[i] != avoided && !(a->mark[next[i]] & REACHED)) {
                a->mark[next[i]] |= REACHED;
                a->work[depth++] = next[i];
            }
    }
}

static void clear_marks(struct analysis *a, struct routine routine, uint8_t mark)
{
    for (size_t i = routine.first; i < routine.end; i++)
        a->mark[i] &= (uint8_t)~mark;
}

/* Does every path from the routine's beginning to SLOT lead through HEADER, and one from HEADER to SLOT? Code that only
 * a jump through a table reaches has no path from the beginning. */
static bool is_loop(struct analysis *a, struct routine routine, size_t header, size_t slot)
{
    clear_marks(a, routine, REACHED);
    reach(a, routine, routine.first, header);
    if (a->mark[slot] & REACHED)
        return false;
    clear_marks(a, routine, REACHED);
    reach(a, routine, header, a->code->words);
    return a->mark[slot] & REACHED;
}

/* Mark as IN_BODY what reaches the back edge's delay slot SLOT without passing HEADER: repeated passes over the
 * instructions up to where nothing changes. */
static void mark_body(struct analysis *a, struct routine routine, size_t header, size_t slot)
{
    a->mark[header] |= IN_BODY;
    a->mark[slot] |= IN_BODY;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = routine.end; i-- > routine.first;) {
            size_t next[2];
            if (a->code->count[i] == 0 || a->mark[i] & IN_BODY)
                continue;
            const unsigned count = successors(a->code, routine, i, next);
            for (unsigned j = 0; j < count; j++)
                if (next[j] != header && a->mark[next[j]] & IN_BODY)
                    a->mark[i] |= IN_BODY, changed = true;
        }
    }
}

/* The loop of HEADER, to which back edges went BACK times; its body is marked. */
static void add_loop(struct analysis *a, struct routine routine, size_t header, int64_t back)
{
    bool calls = false;
    for (size_t i = routine.first; i < routine.end; i++)
        if (a->mark[i] & IN_BODY) {
            const enum profiled_end end = profiled_code_decode(a->code, i).end;
            calls |= end == PROFILED_CALL || end == PROFILED_CALL_REGISTER;
        }
    struct loop_figures *figures = calls ? &a->result->calling : &a->result->plain;
    const int64_t iterations = a->code->count[header], invocations = iterations > back ? iterations - back : 1;
    figures->loops++;
    figures->at_most_six += iterations <= ITERATIONS * invocations;
    figures->iterations += iterations;
    figures->invocations += invocations;
    for (size_t i = routine.first; i < routine.end; i++)
        if (a->mark[i] & IN_BODY)
            a->in_loop[i] |= calls ? LOOP_CALLING : LOOP_PLAIN;
    clear_marks(a, routine, IN_BODY);
}

/* A back edge from the branch before SLOT to HEADER. */
struct back_edge {
    size_t header, slot;
    int64_t count;
};

static int by_header(const void *a, const void *b)
{
    const struct back_edge *x = a, *y = b;
    return (x->header > y->header) - (x->header < y->header);
}

static void find_loops(struct analysis *a, struct routine routine)
{
    struct back_edge *edge = NULL;
    size_t count = 0;
    for (size_t i = routine.first; i + 1 < routine.end; i++) {
        if (a->code->count[i] == 0)
            continue;
        const struct profiled_insn decoded = profiled_code_decode(a->code, i);
        const ptrdiff_t target = profiled_code_at(a->code, decoded.target);
        if ((decoded.end != PROFILED_BRANCH && decoded.end != PROFILED_JUMP) || target < (ptrdiff_t)routine.first ||
            target > (ptrdiff_t)i)
            continue;
        const int64_t times = profiled_code_taken(a->code, i, &decoded);
        if (times > 0 && is_loop(a, routine, (size_t)target, i + 1)) {
            edge = array_room(edge, count, sizeof *edge);
            edge[count++] = (struct back_edge){(size_t)target, i + 1, times};
        }
    }
    if (count > 0)
        qsort(edge, count, sizeof *edge, by_header);
    int64_t back = 0;
    for (size_t i = 0; i < count; i++) {
        mark_body(a, routine, edge[i].header, edge[i].slot);
        back += edge[i].count;
        if (i + 1 == count || edge[i + 1].header != edge[i].header) {
            add_loop(a, routine, edge[i].header, back);
            back = 0;
        }
    }
    free(edge);
}

/* Routines */

static struct routine routine_of(const struct profiled_code *code, size_t number)
{
    return (struct routine){code->routine[number],
                            number + 1 < code->routines ? code->routine[number + 1] : code->words};
}

static bool has_executed(const struct profiled_code *code, struct routine routine)
{
    for (size_t i = routine.first; i < routine.end; i++)
        if (code->count[i] > 0)
            return true;
    return false;
}

/* Count routines by the number of places in SITES: 0, 1, more. */
static void count_sites(const struct profiled_code *code, const uint32_t *sites, size_t *any, size_t *one)
{
    for (size_t i = 0; i < code->routines; i++) {
        *any += sites[i] > 0;
        *one += sites[i] == 1;
    }
}

static void find_call_sites(struct analysis *a)
{
    const struct profiled_code *code = a->code;
    uint32_t *sites = checked_memory(calloc(code->routines, sizeof *sites));
    for (size_t i = 0; i < code->words; i++) {
        const struct profiled_insn decoded = profiled_code_decode(code, i);
        const ptrdiff_t target = decoded.end == PROFILED_CALL ? profiled_code_at(code, decoded.target) : PROFILED_NONE;
        if (target != PROFILED_NONE)
            sites[profiled_code_routine(code, (size_t)target)]++;
    }
    count_sites(code, sites, &a->result->targets, &a->result->targets_of_one);
    memset(sites, 0, code->routines * sizeof *sites);
    for (size_t i = 0; i < code->edges; i++) {
        const ptrdiff_t target = code->edge[i].is_call ? profiled_code_of_key(code, code->edge[i].to) : PROFILED_NONE;
        if (target != PROFILED_NONE && code->edge[i].count > 0)
            sites[profiled_code_routine(code, (size_t)target)]++;
    }
    count_sites(code, sites, &a->result->called, &a->result->called_from_one);
    free(sites);
}

/* Sequences */

enum { CALLS = 64 };

struct path {
    unsigned depth;
    size_t back[CALLS]; /* where the calls on the path return to */
};

/* The most frequent target of the jalr at INDEX, or PROFILED_NONE. */
static ptrdiff_t called_most(const struct profiled_code *code, size_t index)
{
    size_t count;
    const struct execution_edge *edge = profiled_code_edges(code, index, &count), *most = NULL;
    for (size_t i = 0; i < count; i++)
        if (edge[i].is_call && (!most || edge[i].count > most->count))
            most = &edge[i];
    if (!most || (double)most->count < PROBABILITY * (double)code->count[index])
        return PROFILED_NONE;
    return profiled_code_of_key(code, most->to);
}

/* May a sequence go on with INDEX? SEED: executions of its first instruction. */
static bool is_open(const struct analysis *a, ptrdiff_t index, int64_t seed)
{
    return index >= 0 && index < (ptrdiff_t)a->code->words && !a->visited[index] &&
           a->code->count[index] * FREQUENCY >= seed && a->code->count[index] > 0;
}

/* Where PATH goes on behind the branch or jump at AT, which is DECODED, and its delay slot; PROFILED_NONE: the sequence
 * ends. */
static ptrdiff_t follow(const struct analysis *a, struct path *path, size_t at, const struct profiled_insn *decoded,
                        int64_t seed)
{
    const struct profiled_code *code = a->code;
    const ptrdiff_t behind = (ptrdiff_t)at + 2;
    switch (decoded->end) {
    case PROFILED_BRANCH: {
        const ptrdiff_t target = profiled_code_at(code, decoded->target);
        const int64_t times = profiled_code_taken(code, at, decoded), all = code->count[at];
        const bool goes = 2 * times > all;
        const ptrdiff_t first = goes ? target : behind, second = goes ? behind : target;
        if (is_open(a, first, seed))
            return first;
        return (double)(goes ? all - times : times) >= PROBABILITY * (double)all && is_open(a, second, seed)
                   ? second
                   : PROFILED_NONE;
    }
    case PROFILED_JUMP: return profiled_code_at(code, decoded->target);
    case PROFILED_CALL:
    case PROFILED_CALL_REGISTER: {
        const ptrdiff_t target =
            decoded->end == PROFILED_CALL ? profiled_code_at(code, decoded->target) : called_most(code, at);
        if (path->depth == CALLS || !is_open(a, target, seed))
            return behind;
        path->back[path->depth++] = (size_t)behind;
        return target;
    }
    default: return decoded->is_return && path->depth > 0 ? (ptrdiff_t)path->back[--path->depth] : PROFILED_NONE;
    }
}

static void add_sequence(struct analysis *a, size_t first)
{
    const struct profiled_code *code = a->code;
    struct sequence_figures *figures = &a->result->sequences;
    const int64_t seed = code->count[first];
    struct path path = {.depth = 0};
    size_t length = 0, routine = code->routines;
    int64_t executed = 0;
    for (ptrdiff_t next = (ptrdiff_t)first; is_open(a, next, seed);) {
        const size_t at = (size_t)next;
        const struct profiled_insn decoded = profiled_code_decode(code, at);
        a->visited[at] = 1;
        length++;
        executed += code->count[at];
        const size_t here = profiled_code_routine(code, at);
        figures->visits += here != routine;
        routine = here;
        if (decoded.end == PROFILED_GOES_ON) {
            next++;
            continue;
        }
        if (decoded.has_slot && at + 1 < code->words && !a->visited[at + 1]) {
            a->visited[at + 1] = 1;
            length++;
            executed += code->count[at + 1];
        }
        next = follow(a, &path, at, &decoded, seed);
    }
    figures->sequences++;
    figures->longest = length > figures->longest ? length : figures->longest;
    figures->insns += length;
    figures->executed += executed;
    figures->executed_in_long += length >= SEQUENCE_LONG ? executed : 0;
}

static void find_sequences(struct analysis *a)
{
    struct ranked *seed = checked_memory(calloc(a->code->routines, sizeof *seed));
    for (size_t i = 0; i < a->code->routines; i++)
        seed[i] = (struct ranked){a->code->routine[i], a->code->count[a->code->routine[i]]};
    ranked_sort(seed, a->code->routines);
    for (size_t i = 0; i < a->code->routines && seed[i].count > 0; i++)
        if (!a->visited[seed[i].number])
            add_sequence(a, seed[i].number);
    free(seed);
}

/* Totals */

static void count_instructions(struct analysis *a)
{
    const struct profiled_code *code = a->code;
    a->result->insns = code->words;
    for (size_t i = 0; i < code->words; i++) {
        if (code->count[i] == 0)
            continue;
        const struct profiled_insn decoded = profiled_code_decode(code, i);
        a->result->insns_executed++;
        a->result->executed += code->count[i];
        a->result->transfers += decoded.end == PROFILED_GOES_ON ? 0 : profiled_code_taken(code, i, &decoded);
        if (a->in_loop[i] & LOOP_PLAIN)
            a->result->plain.insns += code->count[i];
        else if (a->in_loop[i])
            a->result->calling.insns += code->count[i];
    }
}

struct code_locality code_locality_of(const struct profiled_code *code)
{
    struct code_locality result = {.routines = code->routines};
    if (code->words == 0 || code->routines == 0)
        return result;
    struct analysis a = {.code = code,
                         .result = &result,
                         .in_loop = checked_memory(calloc(code->words, 1)),
                         .mark = checked_memory(calloc(code->words, 1)),
                         .visited = checked_memory(calloc(code->words, 1)),
                         .work = checked_memory(calloc(code->words, sizeof *a.work))};
    for (size_t i = 0; i < code->routines; i++)
        if (has_executed(code, routine_of(code, i))) {
            result.routines_executed++;
            find_loops(&a, routine_of(code, i));
        }
    find_call_sites(&a);
    find_sequences(&a);
    count_instructions(&a);
    free(a.in_loop);
    free(a.mark);
    free(a.visited);
    free(a.work);
    return result;
}
