/*
 * The guest kernel's code with its execution profile, as it lies in memory now: its text, without the code that it
 * frees after its start, and, if wanted, the modules that are loaded. Modules are known if the kernel's structures are
 * (annotations).
 */
#ifndef SIMOS_OBSERVE_KERNEL_CODE_H
#define SIMOS_OBSERVE_KERNEL_CODE_H

#include "cpu/observe/code_layout.h"
#include "src/machine/machine.h"

struct kernel_code {
    struct profiled_code code;
    unsigned modules;
    paddr *at; /* [code.words]: where each word is; all different */
    /* The exception vectors: what else executed in kernel mode on their page. */
    struct fixed_code *fixed;
    size_t fixed_count;
    /* What `code` points to. */
    struct profiled_range *range;
    uint32_t *word;
    int64_t *count;
    size_t *routine;
    struct execution_edge *edge;
};

/* False if MACHINE has no execution profile or lacks the symbols of the kernel's text. KERNEL is to be released if
 * true. */
bool kernel_code_read(struct kernel_code *kernel, const struct machine *machine, bool with_modules);
void kernel_code_release(struct kernel_code *kernel);

#endif
