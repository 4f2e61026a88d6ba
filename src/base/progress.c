#include "src/base/progress.h"

#include "src/base/host_time.h"
#include "src/base/log.h"
#include "src/base/style.h"
#include "src/base/printable.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_SIZE = 240, LEFT_SIZE = 64 };

static const double first_seconds = 2, interval_seconds = 0.5;

struct progress {
    bool drawn;
    double started, updated; /* host time, seconds */
};

struct progress *progress_create(void)
{
    if (!style_is_terminal(stderr))
        return NULL;
    struct progress *progress = checked_memory(calloc(1, sizeof *progress));
    progress->started = progress->updated = host_seconds();
    return progress;
}

void progress_free(struct progress *progress)
{
    progress_erase(progress);
    free(progress);
}

static void put(const char *text)
{
    /* a failed write of the progress line is ignored */
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

void progress_erase(struct progress *progress)
{
    if (!progress || !progress->drawn)
        return;
    put("\r\033[K");
    progress->drawn = false;
}

bool progress_is_due(const struct progress *progress)
{
    if (!progress)
        return false;
    const double now = host_seconds();
    return now - progress->started >= first_seconds && now - progress->updated >= interval_seconds;
}

/* Write ", 42 %, 1 min 20 s left" for an operation that took SECONDS up to the fraction SHARE. */
static void describe_rest(double share, double seconds, char text[LEFT_SIZE])
{
    const double rest = share > 0 ? seconds / share - seconds : -1;
    const unsigned long left = rest >= 0 && rest < 1e8 ? (unsigned long)(rest + 0.5) : 0;
    *text = 0;
    if (share < 0 || share > 1)
        return;
    const int length = snprintf(text, LEFT_SIZE, ", %.0f %%", 100 * share);
    if (share < 1e-3) /* too early for an estimate */
        return;
    if (left < 60)
        snprintf(text + length, LEFT_SIZE - (size_t)length, ", %lu s left", left);
    else if (left < 3600)
        snprintf(text + length, LEFT_SIZE - (size_t)length, ", %lu min %lu s left", left / 60, left % 60);
    else
        snprintf(text + length, LEFT_SIZE - (size_t)length, ", %lu h %lu min left", left / 3600, left / 60 % 60);
}

void progress_draw(struct progress *progress, double share, const char *format, ...)
{
    char text[TEXT_SIZE], left[LEFT_SIZE], line[TEXT_SIZE + LEFT_SIZE + 32];
    va_list arguments;
    if (!progress)
        return;
    progress->updated = host_seconds();
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printable_replace(text, '?');
    describe_rest(share, progress->updated - progress->started, left);
    /* a line wider than the terminal could not be erased: truncate the text */
    int room = style_columns(stderr) - 1 - (int)strlen(left);
    snprintf(line, sizeof line, "\r\033[K%.*s%s%s%s", room > 0 ? room : 0, text, style_on(stderr, STYLE_FAINT), left,
             style_off(stderr));
    put(line);
    progress->drawn = true;
}
