/*
 * Text from outside where people read it: names of services, processes, locks, symbols, files, machines, statistics and
 * jobs come from the guest, or from files that someone else wrote. A terminal would obey what is hidden in them, and a
 * line break would forge a line.
 *
 * Each format has one function that puts such a text: this one for terminals and text tables, json_writer.h for JSON,
 * xml_writer.h for pages and figures.
 */
#ifndef SIMOS_BASE_PRINTABLE_H
#define SIMOS_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the UTF-8 character at TEXT; 0 if there is none (RFC 3629: no overlong forms, no surrogates). */
int printable_utf8_length(const char *text);

/* Is the UTF-8 character of LENGTH bytes at TEXT one that is obeyed instead of shown: a control character (C0, with
 * tabs and line breaks, DEL, and C1, U+0080 to U+009F), a line separator or change of direction (U+2028 to U+202E,
 * U+2066 to U+2069); or no character, U+FFFE and U+FFFF, which XML does not allow? */
bool printable_is_control(const char *text, int length);

/* Replace in TEXT by WITH: each such character, and each byte that is no UTF-8. TEXT may become shorter. */
void printable_replace(char *text, char with);
/* The same, '?', except for line breaks. */
void printable_lines(char *text);

enum { PRINTABLE_SIZE = 512 };
/* Copy TEXT, truncated to PRINTABLE_SIZE - 1 bytes, with '?' for what is not printable. Returns BUFFER. */
const char *printable_copy(char buffer[PRINTABLE_SIZE], const char *text);
/* TEXT as an argument of printf(); valid until the end of the block. */
#define PRINTABLE(text) printable_copy((char[PRINTABLE_SIZE]){""}, text)

#endif
