/*
 * The host's output streams of a run, stdout and stderr: buffered in the order of the guest's writes, and flushed after
 * a few milliseconds of host time at the latest.
 */
#ifndef SIMOS_HOST_CONSOLE_OUTPUT_H
#define SIMOS_HOST_CONSOLE_OUTPUT_H

#include "src/base/log.h"
#include "src/base/types.h"

struct console_output;

enum console_stream { CONSOLE_OUT, CONSOLE_ERR };

struct console_output_hooks {
    /* Called before output is written, to erase other text on the terminal's line. May be NULL. */
    void (*writing)(void *opaque);
    void *opaque;
};

/* HOOKS must outlive the output; its members may change. */
struct console_output *console_output_create(const struct console_output_hooks *hooks);
void console_output_free(struct console_output *output);

void console_output_put(struct console_output *output, enum console_stream stream, uint8_t byte);

/* Write buffered output: all of it now, or only if it has been buffered for long enough. */
void console_output_flush(struct console_output *output);
void console_output_flush_old(struct console_output *output);

/* Are the buffers empty, and was the last character of both streams a newline? */
bool console_output_is_idle(const struct console_output *output);
/* Are the buffers empty? */
bool console_output_is_empty(const struct console_output *output);

/* Has a write failed (closed pipe, full disk)? No more is written to that stream. ERR names it and the reason. */
bool console_output_failed(const struct console_output *output, struct err *err);

#endif
