#include "cpu/observe/profiled_code.h"

#include <stdlib.h>

/* The range of the word *INDEX, which becomes the index in it. */
static const struct profiled_range *range_of(const struct profiled_code *code, size_t *index)
{
    size_t low = 0, high = code->ranges;
    while (low + 1 < high) {
        const size_t middle = (low + high) / 2;
        if (code->range[middle].begin <= *index)
            low = middle;
        else
            high = middle;
    }
    *index -= code->range[low].begin;
    return &code->range[low];
}

vaddr profiled_code_address(const struct profiled_code *code, size_t index)
{
    const struct profiled_range *range = range_of(code, &index);
    return range->first + (vaddr)index * 4;
}

uint64_t profiled_code_key(const struct profiled_code *code, size_t index)
{
    const struct profiled_range *range = range_of(code, &index);
    return range->key + index * 4;
}

bool profiled_code_begins_range(const struct profiled_code *code, size_t index)
{
    if (index < code->words)
        range_of(code, &index);
    return index == 0 || index == code->words;
}

/* Where RANGE begins: its key, or its address. */
static uint64_t begin_of(const struct profiled_range *range, bool is_key)
{
    return is_key ? range->key : range->first;
}

/* The index of the word at PLACE: a key in the profile, or an address. */
static ptrdiff_t find(const struct profiled_code *code, uint64_t place, bool is_key)
{
    size_t low = 0, high = code->ranges;
    while (code->ascends && low + 1 < high) {
        const size_t middle = (low + high) / 2;
        if (begin_of(&code->range[middle], is_key) <= place)
            low = middle;
        else
            high = middle;
    }
    for (; low < high; low++) {
        const struct profiled_range *range = &code->range[low];
        const uint64_t begin = begin_of(range, is_key);
        if (place >= begin && (place - begin) / 4 < range->words)
            return (ptrdiff_t)(range->begin + (place - begin) / 4);
    }
    return PROFILED_NONE;
}

ptrdiff_t profiled_code_at(const struct profiled_code *code, vaddr address)
{
    return find(code, address, false);
}

ptrdiff_t profiled_code_of_key(const struct profiled_code *code, uint64_t key)
{
    return find(code, key, true);
}

struct profiled_insn profiled_code_decode(const struct profiled_code *code, size_t index)
{
    struct insn insn;
    const enum isa_id id = isa_decode(code->decoder, code->word[index], &insn);
    if (isa_table[id].flow == FLOW_NEXT)
        return (struct profiled_insn){.end = PROFILED_GOES_ON};
    const struct isa_control control = isa_control(id, &insn, profiled_code_address(code, index));
    struct profiled_insn decoded = {.has_slot = isa_table[id].flags & INSN_DELAY_SLOT,
                                    .likely = control.likely,
                                    .links = control.links,
                                    .target = control.target};
    switch (control.flow) {
    case FLOW_BRANCH: decoded.end = control.conditional || control.links ? PROFILED_BRANCH : PROFILED_JUMP; break;
    case FLOW_JUMP: decoded.end = control.links ? PROFILED_CALL : PROFILED_JUMP; break;
    case FLOW_INDIRECT: decoded.end = control.links ? PROFILED_CALL_REGISTER : PROFILED_LEAVES; break;
    case FLOW_ERET: decoded.end = PROFILED_LEAVES; break;
    default: break;
    }
    decoded.is_return = control.returns || control.flow == FLOW_ERET;
    return decoded;
}

const struct execution_edge *profiled_code_edges(const struct profiled_code *code, size_t index, size_t *count)
{
    const uint64_t from = profiled_code_key(code, index);
    size_t low = 0, high = code->edges;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (code->edge[middle].from < from)
            low = middle + 1;
        else
            high = middle;
    }
    for (*count = 0; low + *count < code->edges && code->edge[low + *count].from == from;)
        ++*count;
    return code->edge + low;
}

int64_t profiled_code_taken(const struct profiled_code *code, size_t index, const struct profiled_insn *insn)
{
    if (insn->end != PROFILED_BRANCH)
        return code->count[index];
    size_t count;
    const struct execution_edge *edge = profiled_code_edges(code, index, &count);
    int64_t taken = 0;
    for (size_t i = 0; i < count; i++)
        taken += edge[i].is_call ? 0 : edge[i].count;
    return taken;
}

size_t profiled_code_routine(const struct profiled_code *code, size_t index)
{
    size_t low = 0, high = code->routines;
    while (low + 1 < high) {
        const size_t middle = (low + high) / 2;
        if (code->routine[middle] <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int by_count(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

void ranked_sort(struct ranked *ranked, size_t count)
{
    qsort(ranked, count, sizeof *ranked, by_count);
}
