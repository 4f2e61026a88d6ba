#include "src/trace_command.h"

#include "cache/trace.h"
#include "src/standard_output.h"
#include <stdio.h>

static bool print(struct trace_reader *reader, const struct trace_filter *filter, struct err *err)
{
    struct reference reference;
    enum trace_next next;
    while ((next = trace_reader_next(reader, &reference, err)) == TRACE_REFERENCE)
        if (trace_filter_passes(filter, &reference) && !trace_print_din(stdout, &reference))
            return standard_output_end(err);
    return next == TRACE_END;
}

int trace_main(const char *path, const struct params *params, struct err *err)
{
    struct trace_info info;
    struct trace_filter filter;
    if (!trace_filter_from_params(&filter, params, err))
        return EXIT_SIMOS_FAILED;
    struct trace_reader *reader = trace_reader_open(path, &info, err);
    bool done = reader && print(reader, &filter, err);
    trace_reader_close(reader);
    return done ? 0 : EXIT_SIMOS_FAILED;
}
