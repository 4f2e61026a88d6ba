#include "src/base/error_lines.h"

#include "src/base/printable.h"
#include "src/base/style.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char variable[] = "SIMOS_ERRORS_FD";

enum { LINE_SIZE = 1024 /* at most, with its kind */ };

/* Of the process, as stderr is. -1: nobody has asked. */
static int channel = -1;

bool error_lines_open(struct err *err)
{
    const char *text = getenv(variable);
    if (!text || !*text)
        return true;
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    const bool is_number = errno == 0 && *end == '\0' && number >= 0 && number <= INT_MAX;
    const int flags = is_number ? fcntl((int)number, F_GETFL) : -1;
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
        return err_set(err, "%s: %.40s is no descriptor that can be written to", variable, text);
    channel = (int)number;
    if (channel > STDERR_FILENO)
        fcntl(channel, F_SETFD, FD_CLOEXEC);
    unsetenv(variable);
    return true;
}

/* Write to the channel; if its reader has gone, that has no effect on this process: no signal, and nobody is left who
 * wants to know. The signal mask, unlike the effect of a signal, is of this thread alone. */
static void put_bytes(const char *bytes, size_t size)
{
    sigset_t pipe, before, pending;
    ssize_t written;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    do
        written = write(channel, bytes, size);
    while (written < 0 && errno == EINTR);
    if (written < 0 && errno == EPIPE && !sigismember(&pending, SIGPIPE))
        sigtimedwait(&pipe, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* A line that is too long is cut. One write(), so that the lines of several processes do not mix. */
static void put(const char *kind, const char *text)
{
    char line[LINE_SIZE];
    if (channel < 0)
        return;
    const int length = snprintf(line, sizeof line - 1, "%s %s", kind, text);
    size_t size = length < (int)sizeof line - 1 ? (size_t)length : sizeof line - 2;
    line[size++] = '\n';
    put_bytes(line, size);
}

void error_lines_print(const char *format, ...)
{
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&line, format, arguments) < 0)
        log_bug("out of memory");
    va_end(arguments);
    printable_replace(line, ' ');
    fprintf(stderr, "%ssimos:%s %s\n", style_on(stderr, STYLE_ERROR), style_off(stderr), line);
    put("error", line);
    free(line);
}

void error_lines_bug(const char *line)
{
    put("bug", line);
}

void error_lines_deprecated(const char *line, bool quiet)
{
    if (!quiet)
        fprintf(stderr, "simos: %s\n", line);
    put("deprecated", line);
}

int error_lines_status_of_signal(int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    put("signal", text);
    return 128 + number;
}
