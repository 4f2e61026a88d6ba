/*
 * The lines of a record (docs/how-to/record-replay.md): words between blanks, and at the end of each line a checksum
 * over the file up to there, so that a line that was damaged, lost or moved is found.
 *
 *     in 48211034 9120331 idle console l ~6b1d02c9
 *
 * In a word every byte that is not a visible ASCII character, and the backslash, is \ and two hexadecimal digits; the
 * empty word is \-.
 */
#ifndef SIMOS_RECORD_FORMAT_H
#define SIMOS_RECORD_FORMAT_H

#include "src/log.h"
#include "src/types.h"
#include <stdio.h>

#define RECORD_FIRST_LINE "simos record"
enum { RECORD_VERSION = 1 };

/* Where a machine takes input: at a poll, while all CPUs wait, at a barrier (src/external.h). */
enum record_place { RECORD_POLL, RECORD_IDLE, RECORD_BARRIER, RECORD_PLACES };
extern const char *const record_place_names[RECORD_PLACES];

/* A blank and BYTES as a word. */
void record_put_word(FILE *out, const void *bytes, size_t count);

/* The checksum after LINE (LENGTH bytes, without blank, checksum and end), if it was CHECKSUM before; 0 at first. */
uint32_t record_checksum(uint32_t checksum, const char *line, size_t length);

/* Decode the word at *TEXT (up to a blank or END), in place; *TEXT is then behind it and its blanks. Returns its start,
 * with a 0 behind its *COUNT bytes; NULL if there is none or it is none. The byte at END must be writable. */
char *record_take_word(char **text, char *end, size_t *count);

/* The same, a decimal number. */
bool record_take_number(char **text, char *end, uint64_t *number);

#endif
