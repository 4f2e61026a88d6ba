/*
 * The host's outputs of a run, stdout and stderr: buffered, in the order in which the guest wrote, and written out at
 * the latest some milliseconds of the host's time later.
 */
#ifndef SIMOS_CONSOLE_OUTPUT_H
#define SIMOS_CONSOLE_OUTPUT_H

#include "src/base/log.h"
#include "src/base/types.h"

struct console_output;

enum console_stream { CONSOLE_OUT, CONSOLE_ERR };

struct console_output_hooks {
    /* Something is about to be written: what else stands on the terminal's line is to be erased. May be NULL. */
    void (*writing)(void *opaque);
    /* Nobody takes our output and SIGNAL wants the end of the process: there can be none in good order. Does not
     * return.
     */
    void (*dying)(void *opaque);
    void *opaque;
    int interrupt_fd; /* becomes readable when the process is to end; -1: none */
};

/* HOOKS must outlive it, and may change meanwhile. */
struct console_output *console_output_create(const struct console_output_hooks *hooks);
void console_output_free(struct console_output *output);

void console_output_put(struct console_output *output, enum console_stream stream, uint8_t byte);

/* Write out what is there: all of it now, or what has been there for long enough. */
void console_output_flush(struct console_output *output);
void console_output_flush_old(struct console_output *output);

/* Is nothing there to be written, and was the last character of both an end of line? */
bool console_output_is_at_rest(const struct console_output *output);
/* Is nothing there to be written? */
bool console_output_is_empty(const struct console_output *output);

/* Has an output failed (a closed pipe, a full disk)? Nothing more is written to it. ERR says which one and why. */
bool console_output_failed(const struct console_output *output, struct err *err);

#endif
