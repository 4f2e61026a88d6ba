/*
 * Code and its execution profile as one list of words: the kernel's text, and modules behind it. A word has an index,
 * from 0 on; the words of a range are those of consecutive addresses.
 *
 * Not modelled: code that changes, which has its last content.
 */
#ifndef SIMOS_CPU_OBSERVE_PROFILED_CODE_H
#define SIMOS_CPU_OBSERVE_PROFILED_CODE_H

#include "cpu/observe/execution_profile.h"
#include "cpu/isa/isa.h"

struct profiled_range {
    vaddr first;  /* address of its first instruction */
    uint64_t key; /* of that one in the profile */
    size_t words; /* not 0 */
    size_t begin; /* index of the first */
};

struct profiled_code {
    const struct isa_decoder *decoder;
    const struct profiled_range *range; /* [ranges] */
    size_t ranges;
    bool ascends;          /* addresses and keys of the ranges ascend: there may be many */
    size_t words;          /* of all ranges */
    const uint32_t *word;  /* [words] */
    const int64_t *count;  /* [words]: executions of each instruction */
    const size_t *routine; /* [routines]: index of each routine's first word, ascending */
    size_t routines;
    const struct execution_edge *edge; /* [edges], as execution_profile_edges() returns them; others are ignored */
    size_t edges;
};

enum { PROFILED_NONE = -1 };

/* The address of the word INDEX, and its key in the profile. */
vaddr profiled_code_address(const struct profiled_code *code, size_t index);
uint64_t profiled_code_key(const struct profiled_code *code, size_t index);
/* Is the word INDEX, at most words, behind a range? Nothing goes on to it from the word before. */
bool profiled_code_begins_range(const struct profiled_code *code, size_t index);
/* The index of the word at ADDRESS, or with KEY; PROFILED_NONE: it is not in CODE. */
ptrdiff_t profiled_code_at(const struct profiled_code *code, vaddr address);
ptrdiff_t profiled_code_of_key(const struct profiled_code *code, uint64_t key);

/* An instruction as the end of control flow within its routine. */
enum profiled_end {
    PROFILED_GOES_ON,
    PROFILED_BRANCH, /* a conditional branch, or one that links */
    PROFILED_JUMP,
    PROFILED_CALL,
    PROFILED_CALL_REGISTER,
    PROFILED_LEAVES, /* a jump to the address in a register, eret */
};
struct profiled_insn {
    enum profiled_end end;
    bool has_slot, likely;
    bool links;     /* PROFILED_BRANCH: it calls its target */
    bool is_return; /* to the address in the link register, or eret */
    vaddr target;   /* of PROFILED_BRANCH, PROFILED_JUMP, PROFILED_CALL */
};
struct profiled_insn profiled_code_decode(const struct profiled_code *code, size_t index);

/* How often the branch or jump at INDEX, which is INSN, went to its target. */
int64_t profiled_code_taken(const struct profiled_code *code, size_t index, const struct profiled_insn *insn);

/* The edges from the word INDEX: COUNT of them from the returned one on. */
const struct execution_edge *profiled_code_edges(const struct profiled_code *code, size_t index, size_t *count);

/* The number of the routine that the word INDEX is in. */
size_t profiled_code_routine(const struct profiled_code *code, size_t index);

/* A routine, block or word, and how often it was executed or entered. */
struct ranked {
    size_t number;
    int64_t count;
};
/* Sort RANKED ([COUNT]): the most often first, of equal ones the one with the lowest number. */
void ranked_sort(struct ranked *ranked, size_t count);

#endif
