/*
 * Messages and errors, by cause.
 *   user or input   a function fails with a `struct err` that holds one line naming the cause and the valid range;
 *                   the top level prints it as "simos: LINE" and exits with status 125
 *   simulator bug   log_bug(): message, abort
 *   guest           log_guest(): printed once per site on stderr, and the device behaves as the chip does
 */
#ifndef SIMOS_BASE_LOG_H
#define SIMOS_BASE_LOG_H

#include <stdbool.h>

enum { ERR_TEXT_SIZE = 512, EXIT_SIMOS_FAILED = 125, EXIT_LIMIT = 124 };

/* An error line; empty while no error has occurred. */
struct err {
    char text[ERR_TEXT_SIZE];
};

/* Set ERR to a formatted line (truncated to ERR_TEXT_SIZE, newlines removed). Always returns false, so that a failing
 * function can `return err_set(...)`. The first error is kept: a later call does not replace it. ERR may be NULL. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Report an additional error: if REASON is not empty, an error already in ERR is printed as the top level would print
 * it, and replaced by REASON. Always returns false. */
bool err_add(struct err *err, const struct err *reason);

/* One log per machine: records which sites have already printed. A NULL log drops messages. */
struct log;

/* Create a log that writes to stderr; QUIET drops guest warnings and notes. Free it with log_free(). */
struct log *log_create(bool quiet);
void log_free(struct log *log);

/* Warn that the guest misused hardware. SITE is a string constant that identifies the cause; each site prints once per
 * machine; sites are compared by content. Control characters in the text become spaces. */
void log_guest(struct log *log, const char *site, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Print a line on stderr that is not an error ("simos: ..."). */
void log_info(struct log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As log_info(), for information that is useful only the first time: a quiet log drops it. */
void log_note(struct log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What is saved at a violated invariant, embedded in its owner. SAVE is called with OPAQUE and the message; nothing
 * that it finds can be relied on. */
struct log_bug_step {
    void (*save)(void *opaque, const char *message);
    void *opaque;
    struct log_bug_step *next;
};

/* Add STEP behind the others, or remove it (nothing happens if it was not added). */
void log_bug_step_add(struct log_bug_step *step);
void log_bug_step_remove(struct log_bug_step *step);

/* A violated invariant: print the source line and a message, take the steps in order, each once, then abort. If a step
 * violates an invariant itself, the next one follows. */
_Noreturn void log_bug_at(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define log_bug(...) log_bug_at(__FILE__, __LINE__, __VA_ARGS__)

/* Return MEMORY, the result of an allocation; if it is NULL, print a message and abort. */
static inline void *checked_memory(void *memory)
{
    if (!memory)
        log_bug("out of memory");
    return memory;
}

#endif
