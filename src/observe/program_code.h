/*
 * The code of the guest's programs with its execution profile: of each file, program or library, the pages on which
 * code executed in user mode, as they lie in memory. Files are known if the kernel's structures are (annotations).
 *
 * Left out: pages that executed in more than one frame, or in one that something else executed in too, and pages that
 * are not as they were when they executed first; their code stays where it is.
 */
#ifndef SIMOS_OBSERVE_PROGRAM_CODE_H
#define SIMOS_OBSERVE_PROGRAM_CODE_H

#include "cpu/observe/profiled_code.h"
#include "src/machine/machine.h"

struct program_code {
    const char *name; /* path in the guest */
    struct profiled_code code;
    paddr *offset; /* [code.words]: of each word in the file, ascending */
    paddr *at;     /* [code.words]: where each word is; all different, also those of other programs */
    /* What `code` points to. */
    struct profiled_range *range;
    uint32_t *word;
    int64_t *count;
    size_t *routine;
};

struct program_codes {
    struct program_code *program; /* [count], by name */
    size_t count;
    size_t pages, moved, changed; /* moved, changed: pages left out */
    struct execution_edge *edge;  /* of all */
};

/* Read the code of all programs, but that in the pages of memory of the WORDS words AT. Nothing is known if MACHINE
 * does not record pages (execution_pages.h). To be released. */
void program_codes_read(struct program_codes *programs, const struct machine *machine, const paddr *at, size_t words);
void program_codes_release(struct program_codes *programs);

/* Where the word of PROGRAM at OFFSET in its file, one of program->offset, is in memory. */
paddr program_code_at(const struct program_code *program, paddr offset);

#endif
