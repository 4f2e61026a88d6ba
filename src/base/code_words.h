/*
 * Words that name instructions of the guest's kernel, as parameters and files have them: prefetch.guards,
 * prefetch.points (docs/reference/prefetch.md).
 */
#ifndef SIMOS_BASE_CODE_WORDS_H
#define SIMOS_BASE_CODE_WORDS_H

#include "src/base/address_list.h"
#include "src/base/input_file.h"
#include "src/base/log.h"

struct symbols;

/* Call TAKE for each word of TEXT, separated by blanks, commas or newlines; "@FILE" alone: of a file of KIND, in which
 * # begins a comment. False with ERR at the first word for which TAKE is, or if the file cannot be read. */
typedef bool code_word_fn(void *opaque, const char *word, struct err *err);
bool code_words_each(enum input_kind kind, const char *text, code_word_fn *take, void *opaque, struct err *err);

/* Add the addresses that WORD stands for to LIST: an ADDRESS, hexadecimal with 0x, a SYMBOL, or SYMBOL+OFFSET
 * (SYMBOLS may be NULL: none). Fails naming PARAMETER and the word. */
bool code_word_addresses(const struct symbols *symbols, const char *parameter, const char *word,
                         struct address_list *list, struct err *err);

#endif
