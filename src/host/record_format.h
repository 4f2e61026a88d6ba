/*
 * Lines of a record (docs/how-to/record-replay.md): words separated by blanks, with a checksum over the file up to
 * there at the end of each line, which detects damaged, missing and moved lines.
 *
 *     in 48211034 9120331 idle console l ~6b1d02c9
 *
 * In a word every byte other than a visible ASCII character, and the backslash, is written as \ and two hexadecimal
 * digits; the empty word is \-.
 */
#ifndef SIMOS_HOST_RECORD_FORMAT_H
#define SIMOS_HOST_RECORD_FORMAT_H

#include "src/base/log.h"
#include "src/base/types.h"
#include <stdio.h>

#define RECORD_FIRST_LINE "simos record"
enum { RECORD_VERSION = 2 /* 1 has no checkpoints */ };

/* Where a machine takes input: at a poll, while all CPUs wait, or at a barrier (src/host/external.h). */
enum input_point { INPUT_AT_POLL, INPUT_AT_IDLE, INPUT_AT_BARRIER, INPUT_POINTS };
extern const char *const input_point_names[INPUT_POINTS];

/* Write a blank and BYTES as a word. */
void record_put_word(FILE *out, const void *bytes, size_t count);

/* The checksum after LINE (LENGTH bytes, without its checksum and newline), given the CHECKSUM before it; 0
 * initially. */
uint32_t record_checksum(uint32_t checksum, const char *line, size_t length);

/* Decode the word at *TEXT (up to a blank or END) in place, and advance *TEXT behind it and the following blanks.
 * Returns its start, with a 0 behind its *COUNT bytes; NULL if there is no word or it is invalid. The byte at END must
 * be writable. */
char *record_take_word(char **text, char *end, size_t *count);

/* As record_take_word(), for a decimal number. */
bool record_take_number(char **text, char *end, uint64_t *number);

#endif
