#include "src/sweep/trace_command.h"

#include "cache/observe/trace.h"
#include "src/base/standard_output.h"
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

void trace_draw(struct progress *progress, const struct trace_reader *reader, uint64_t count)
{
    enum { OFTEN = 1 << 14 }; /* references between two checks of the clock */
    if (count % OFTEN == 0 && progress_is_due(progress))
        progress_draw(progress, trace_reader_fraction(reader), "%" PRIu64 " references", count);
}

static bool print(struct trace_reader *reader, const struct trace_filter *filter, struct progress *progress,
                  struct err *err)
{
    struct reference reference;
    enum trace_next next;
    uint64_t count = 0;
    while ((next = trace_reader_next(reader, &reference, err)) == TRACE_REFERENCE) {
        trace_draw(progress, reader, ++count);
        if (trace_filter_passes(filter, &reference) && !trace_print_din(stdout, &reference))
            return standard_output_end(err);
    }
    return next == TRACE_END;
}

int trace_main(const char *path, const struct params *params, struct err *err)
{
    struct trace_info info;
    struct trace_filter filter;
    if (!trace_filter_from_params(&filter, params, err))
        return EXIT_SIMOS_FAILED;
    struct trace_reader *reader = trace_reader_open(path, &info, err);
    /* no progress line if the text goes to a terminal */
    struct progress *progress = isatty(STDOUT_FILENO) ? NULL : progress_create();
    bool done = reader && print(reader, &filter, progress, err);
    progress_free(progress);
    trace_reader_close(reader);
    return done ? 0 : EXIT_SIMOS_FAILED;
}
