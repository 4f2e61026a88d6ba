/*
 * Lopt: a layout of code for the caches, from its execution profile (Xia and Torrellas 1999, section 4.1). The result
 * is a permutation of the words of the code: each word gets the place of another one.
 *
 * The SelfConfFree area comes first: the frequent blocks of small routines that are invoked most, in consecutive places
 * of which no other executed code shares a set of the first-level instruction cache. Then the sequences, in the order
 * in which the passes make them (code_sequences.h). Code that did not execute fills the places that share a set with
 * the area, and then the rest, in its old order.
 *
 * A basic block stays in one piece, and so does a branch with its delay slot. Code that cannot move (exception vectors)
 * keeps its sets of the cache for itself too, if it executes as often as the area.
 *
 * Not modelled: the branches and jumps that a linker would have to add or could save; they are counted. Loops are not
 * kept from conflicting with what they call.
 */
#ifndef SIMOS_CPU_OBSERVE_CODE_LAYOUT_H
#define SIMOS_CPU_OBSERVE_CODE_LAYOUT_H

#include "cpu/observe/code_sequences.h"
#include "src/base/params.h"

/* "execution.layout.thresholds", ".area" and ".of". */
extern const struct param_def code_layout_param_defs[];
extern const size_t code_layout_param_count;

/* Code outside of the words that are laid out. */
struct fixed_code {
    paddr at;
    int64_t count; /* executions */
};

struct code_layout_options {
    struct code_passes passes;
    uint32_t line; /* bytes, a power of two, 4 or more */
    uint32_t way;  /* bytes of the cache that are mapped to different sets: its size over its ways; a power of two */
    uint32_t area; /* bytes of the SelfConfFree area, at most half of `way` */
};

/* Jumps of the new layout, as a relinked program would execute them. */
struct layout_jumps {
    size_t added_places, saved_places;
    int64_t added; /* executions of jumps behind a block whose successor is not adjacent any more */
    int64_t saved; /* executions of jumps, calls and returns whose target has become adjacent */
};

struct code_layout {
    paddr *to;     /* [words of the code]: where each word goes */
    size_t *order; /* [words]: the words by ascending address where they go */
    size_t *guard; /* [guards]: the last word of each sequence, or of a part of it that is adjacent, ascending */
    size_t guards;
    size_t area_words, area_routines, fixed_lines; /* fixed_lines: of fixed code that have their sets for themselves */
    size_t blocks, sequences, seeds, words;        /* words: of executed blocks */
    size_t of_pass[CODE_PASSES_MAX];
    size_t lines_before, lines_after; /* cache lines that have executed words, in the old and in the new layout */
    struct layout_jumps jumps;
};

/* Lay out CODE, whose words are at the physical addresses AT ([words], all different, multiples of 4); FIXED ([fixed])
 * is other code that executes. */
void code_layout_make(struct code_layout *layout, const struct profiled_code *code, const paddr *at,
                      const struct fixed_code *fixed, size_t fixed_count, const struct code_layout_options *options);
void code_layout_release(struct code_layout *layout);

#endif
