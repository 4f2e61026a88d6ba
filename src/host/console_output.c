#include "src/host/console_output.h"

#include "src/base/host_time.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BUFFER_SIZE = 8192,
    FLUSH_NS = 20000000, /* maximum age of buffered output, host time */
};

struct stream {
    int fd;
    int error; /* errno of the first failed write; later output is discarded */
    bool mid_line;
    size_t length;
    uint8_t buffer[BUFFER_SIZE];
};

struct console_output {
    const struct console_output_hooks *hooks;
    struct stream streams[2];
    nsec flushed_at;
};

struct console_output *console_output_create(const struct console_output_hooks *hooks)
{
    struct console_output *output = checked_memory(calloc(1, sizeof *output));
    output->hooks = hooks;
    output->streams[CONSOLE_OUT].fd = STDOUT_FILENO;
    output->streams[CONSOLE_ERR].fd = STDERR_FILENO;
    return output;
}

void console_output_free(struct console_output *output)
{
    free(output);
}

/* A write waits for the reader; if that does not read, a signal ends the wait (src/base/open_outputs.h). */
static void write_out(struct stream *stream)
{
    size_t done = 0;
    while (done < stream->length && !stream->error) {
        struct pollfd writable = {.fd = stream->fd, .events = POLLOUT};
        ssize_t count = write(stream->fd, stream->buffer + done, stream->length - done);
        if (count >= 0)
            done += (size_t)count;
        else if (errno == EAGAIN) /* somebody else has made the descriptor non-blocking */
            poll(&writable, 1, -1);
        else if (errno != EINTR)
            stream->error = errno;
    }
    stream->length = 0;
}

bool console_output_is_empty(const struct console_output *output)
{
    return !output->streams[CONSOLE_OUT].length && !output->streams[CONSOLE_ERR].length;
}

bool console_output_is_idle(const struct console_output *output)
{
    return console_output_is_empty(output) && !output->streams[CONSOLE_OUT].mid_line &&
           !output->streams[CONSOLE_ERR].mid_line;
}

void console_output_flush(struct console_output *output)
{
    if (output->hooks->writing && !console_output_is_empty(output))
        output->hooks->writing(output->hooks->opaque);
    write_out(&output->streams[CONSOLE_OUT]);
    write_out(&output->streams[CONSOLE_ERR]);
    output->flushed_at = host_time();
}

void console_output_flush_old(struct console_output *output)
{
    if (!console_output_is_empty(output) && host_time() - output->flushed_at > FLUSH_NS)
        console_output_flush(output);
}

void console_output_put(struct console_output *output, enum console_stream which, uint8_t byte)
{
    struct stream *stream = &output->streams[which], *other = &output->streams[!which];
    /* both may be the same terminal: keep the order of the writes */
    if (other->length || stream->length == BUFFER_SIZE)
        console_output_flush(output);
    stream->buffer[stream->length++] = byte;
    stream->mid_line = byte != '\n';
}

bool console_output_failed(const struct console_output *output, struct err *err)
{
    static const char *const names[] = {"stdout", "stderr"};
    for (int i = 0; i < 2; i++)
        if (output->streams[i].error) {
            err_set(err, "%s: %s", names[i], strerror(output->streams[i].error));
            return true;
        }
    return false;
}
