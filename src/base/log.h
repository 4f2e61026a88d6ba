/*
 * Messages and errors, sorted by culprit.
 *   user or input   a function fails with a `struct err` that holds one line naming the culprit and the valid range;
 *                   the top level prints it as "simos: LINE" and exits with status 125
 *   our own bug     log_bug(): message, abort
 *   the guest       log_guest(): said once a site on stderr, and the device behaves as the chip does
 */
#ifndef SIMOS_LOG_H
#define SIMOS_LOG_H

#include <stdbool.h>

enum { ERR_TEXT_SIZE = 512, EXIT_SIMOS_FAILED = 125, EXIT_LIMIT = 124 };

/* One line saying what went wrong; empty while nothing did. */
struct err {
    char text[ERR_TEXT_SIZE];
};

/* Fill ERR with a formatted line (cut at ERR_TEXT_SIZE, newlines removed). Always returns false, so that a failing
 * function can `return err_set(...)`. The first error wins: a later call does not replace it. ERR may be NULL. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One more failure besides what ERR may hold already: that is printed now as the top level prints it, and REASON,
 * unless it is empty, takes its place. Always returns false. */
bool err_add(struct err *err, const struct err *reason);

/* One log a machine: remembers what has been said already. A NULL log drops messages. */
struct log;

/* A log that writes to stderr; QUIET drops guest warnings and notes. Freed with log_free(). */
struct log *log_create(bool quiet);
void log_free(struct log *log);

/* The guest misused hardware. SITE is a string constant that identifies the place; each site speaks once a machine;
 * sites are told apart by content. Control characters in the text become spaces. */
void log_guest(struct log *log, const char *site, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Something worth a line on stderr that is nobody's error ("simos: ..."). */
void log_info(struct log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same, of what a user knows after the first time: a quiet log drops it. */
void log_note(struct log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An internal invariant does not hold: message with the place, then abort. */
_Noreturn void log_bug_at(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define log_bug(...) log_bug_at(__FILE__, __LINE__, __VA_ARGS__)

/* MEMORY, just allocated, if there was any; otherwise a message, and abort. */
static inline void *checked_memory(void *memory)
{
    if (!memory)
        log_bug("out of memory");
    return memory;
}

#endif
