/*
 * Interface between the translator and a host: machine code for basic blocks, the stubs between machine code and C, and
 * patchable jumps. x86_*.c implement it; on other hosts none.c replaces the translator.
 *
 * Private to cpu/translate.
 */
#ifndef SIMOS_CPU_TRANSLATE_HOST_H
#define SIMOS_CPU_TRANSLATE_HOST_H

#include "cpu/translate/translate.h"
#include "cpu/translate/loops.h"

/* Generate the stubs at the start of the cache's memory; sets cache->stub, stubs_end and next_free. */
void host_make_stubs(struct code_cache *cache);

/* Free the host's data attached to the cache. */
void host_free(struct code_cache *cache);

/* Run the machine code at CODE until it returns. */
enum translate_exit host_run(struct code_cache *cache, struct core *core, uint32_t code);

/* Is there room for the code of another superblock, of any size? */
bool host_has_room(const struct code_cache *cache);

/* Generate code for cache->superblock, guest code of PAGE, and enter its basic blocks in the page's table, that of
 * exact code if CONTEXT says so. LOOP: the superblock is a loop, and only its first block can be entered from outside;
 * NULL: it is not a loop. */
void host_translate(struct code_cache *cache, struct code_page *page, const struct build_context *context,
                    const struct loop *loop);

/* Would register allocation specific to LOOP reduce memory accesses? */
bool host_prefers_loop(const struct loop *loop);

/*
 * For listings of the most recently translated superblock.
 */
/* Start of the code of basic block SEGMENT; for the number past the last: start of the cold code. */
uint32_t host_code_of(const struct code_cache *cache, unsigned block);
/* Bytes of data embedded in the code at AT; 0: none. */
unsigned host_data_at(const struct code_cache *cache, uint32_t at);
/* Describe the cold code that begins at AT in TEXT (SIZE bytes); false: none begins there. */
bool host_describe(const struct code_cache *cache, uint32_t at, char *text, size_t size);
/* Print a line: the guest register held by each host register. */
void host_print_registers(const struct code_cache *cache, FILE *out);
/* Print a line: INSTRUCTION as objdump prints it, with symbolic names in place of addresses of this process, and a
 * description of its memory operand. START: start of the superblock's code. */
void host_print_instruction(const struct code_cache *cache, const char *instruction, uint32_t start, FILE *out);
/* Options with which objdump disassembles a raw file of this host's code. */
extern const char host_objdump_options[];

/* Patch the jump whose displacement field is at PLACE to go to TARGET. */
void host_patch_jump(uint32_t place, uint32_t target);
/* Patch the immediate operand at PLACE. */
void host_patch_check(uint32_t place, uint32_t value);

#endif
