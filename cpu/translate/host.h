/*
 * What the translator asks of a host: machine code for segments, the thunks between machine code and C, and jumps that
 * can be linked. x86_*.c implement it; on another host there is only none.c.
 *
 * Private to cpu/translate.
 */
#ifndef SIMOS_CPU_TRANSLATE_HOST_H
#define SIMOS_CPU_TRANSLATE_HOST_H

#include "cpu/translate/translate.h"
#include "cpu/translate/loops.h"

/* Fill the beginning of the cache's memory with the thunks, and cache->thunk, first, at. */
void host_make_thunks(struct code_cache *cache);

/* Free what the host keeps with the cache. */
void host_free(struct code_cache *cache);

/* Run the code at CODE until it returns. */
enum translate_exit host_run(struct code_cache *cache, struct core *core, uint32_t code);

/* Is there room for the code of a trace? */
bool host_has_room(const struct code_cache *cache);

/* Translate the cache's trace, code of PAGE; enter its segments in the page's table. LOOP: it is one, whose first
 * segment alone can be entered from elsewhere; NULL: it is none. */
void host_translate(struct code_cache *cache, struct code_page *page, const struct build_context *context,
                    const struct loop *loop);

/* Would an assignment of registers of its own make LOOP faster? */
bool host_prefers_loop(const struct loop *loop);

/*
 * For dumps, of the trace translated last.
 */
/* Where the code of SEGMENT begins; of the number behind the last: the code that is seldom executed. */
uint32_t host_code_of(const struct code_cache *cache, unsigned segment);
/* Bytes of data at AT, in the midst of code; 0: there are none. */
unsigned host_data_at(const struct code_cache *cache, uint32_t at);
/* What the seldom executed code that begins at AT is for, into TEXT of SIZE bytes; false: none begins there. */
bool host_describe(const struct code_cache *cache, uint32_t at, char *text, size_t size);
/* Print a line: which of the host's registers is what. */
void host_print_registers(const struct code_cache *cache, FILE *out);
/* Print a line: INSTRUCTION as objdump has it, with names in place of addresses of this process, and with what its
 * memory operand is. START: where the trace's code begins. */
void host_print_instruction(const struct code_cache *cache, const char *instruction, uint32_t start, FILE *out);
/* What makes objdump disassemble a file of this host's code. */
extern const char host_objdump_options[];

/* Make the jump whose distance field is at PLACE go to TARGET. */
void host_patch_jump(uint32_t place, uint32_t target);
/* Set the immediate at PLACE. */
void host_patch_check(uint32_t place, uint32_t value);

#endif
