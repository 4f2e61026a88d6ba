#include "src/trace/trace_command.h"

#include "src/base/board.h"
#include "src/base/save_file.h"
#include "src/base/standard_output.h"
#include "src/command/command_line.h"
#include "src/command/option_values.h"
#include "src/command/shared_options.h"
#include "src/host/named_files.h"
#include "src/machine/machine.h"
#include "src/trace/trace_export.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct trace_options {
    const char *file;
    const struct trace_export *format; /* NULL: din */
    const char *out;                   /* prefix of the files to write; NULL: stdout */
    struct machine_options machine;    /* its parameters */
};

/* The files of a conversion, by CPU; those that are not written are NULL. */
struct outputs {
    const struct trace_options *options;
    const struct trace_export *format;
    struct saving *savings[BOARD_MAX_CPUS]; /* of --out; kept only when all are complete */
    FILE *files[BOARD_MAX_CPUS];
};

void trace_draw(struct progress *progress, const struct trace_reader *reader, uint64_t count)
{
    enum { OFTEN = 1 << 14 }; /* references between two checks of the clock */
    if (count % OFTEN == 0 && progress_is_due(progress))
        progress_draw(progress, trace_reader_fraction(reader), "%" PRIu64 " references", count);
}

static const struct trace_export *format_of(const struct trace_options *options)
{
    return options->format ? options->format : &trace_din;
}

/* The file that OPTIONS, with `out`, write for CPU: "PREFIX.champsim.0", or "PREFIX.din" where all CPUs share one.
 * False if CPU has none. */
static bool output_path(const struct trace_options *options, unsigned cpu, char *path, size_t size)
{
    const struct trace_export *format = format_of(options);
    const char *suffix = format->suffix ? format->suffix : format->name;
    if (format->each_cpu)
        snprintf(path, size, "%s.%s.%u", options->out, suffix, cpu);
    else
        snprintf(path, size, "%s.%s", options->out, suffix);
    return format->each_cpu || cpu == 0;
}

/* Open the files for the CPUS (a mask) of a trace. */
static bool open_outputs(struct outputs *outputs, uint64_t cpus, struct err *err)
{
    const struct trace_options *options = outputs->options;
    if (!options->out && outputs->format->each_cpu && (cpus & (cpus - 1)) != 0)
        return err_set(err, "trace %s: several CPUs: --out PREFIX writes a file for each; or choose one by trace.cpus",
                       options->file);
    for (unsigned cpu = 0; cpu < BOARD_MAX_CPUS; cpu++) {
        char path[4096];
        if (!options->out) {
            outputs->files[cpu] = stdout;
            continue;
        }
        if ((outputs->format->each_cpu && !(cpus >> cpu & 1)) || !output_path(options, cpu, path, sizeof path))
            continue;
        if (access(path, W_OK) != 0 && errno != ENOENT)
            return err_set(err, "trace %s: %s", path, strerror(errno));
        if (!(outputs->savings[cpu] = saving_begin("trace", path, err)))
            return false;
        outputs->files[cpu] = saving_stream(outputs->savings[cpu]);
    }
    return true;
}

/* The CPU whose file could not be written. */
static bool fail(const struct outputs *outputs, unsigned cpu, int error, struct err *err)
{
    char path[4096];
    if (!outputs->options->out)
        return standard_output_end(err) && err_set(err, "standard output: %s", strerror(error ? error : EIO));
    output_path(outputs->options, cpu, path, sizeof path);
    return err_set(err, "trace %s: %s", path, strerror(error ? error : EIO));
}

/* Complete all files, then put them in their places; unless DONE, and all is well, those that were there stay. */
static bool close_outputs(struct outputs *outputs, bool done, struct err *err)
{
    for (unsigned cpu = 0; done && cpu < BOARD_MAX_CPUS; cpu++)
        done = !outputs->savings[cpu] || saving_complete(outputs->savings[cpu], err);
    for (unsigned cpu = 0; done && cpu < BOARD_MAX_CPUS; cpu++)
        done = !outputs->savings[cpu] || saving_keep(outputs->savings[cpu], err);
    for (unsigned cpu = 0; cpu < BOARD_MAX_CPUS; cpu++)
        saving_free(outputs->savings[cpu]);
    return done;
}

static bool convert(struct outputs *outputs, void *state, struct trace_reader *reader,
                    const struct trace_filter *filter, struct progress *progress, struct err *err)
{
    const struct trace_export *format = outputs->format;
    struct reference reference;
    enum trace_next next;
    uint64_t count = 0;
    while ((next = trace_reader_next(reader, &reference, err)) == TRACE_REFERENCE) {
        trace_draw(progress, reader, ++count);
        errno = 0;
        if (trace_filter_passes(filter, &reference) && !format->put(state, &reference, outputs->files))
            return fail(outputs, format->each_cpu ? reference.cpu : 0, errno, err);
    }
    errno = 0;
    if (format->end && !format->end(state, outputs->files))
        return fail(outputs, 0, errno, err);
    if (next == TRACE_END && count == 0) {
        struct log *log = log_create(false);
        log_info(log, "trace %s: it has no references", outputs->options->file);
        log_free(log);
    }
    return next == TRACE_END;
}

static bool write_trace(const struct trace_options *options, struct trace_reader *reader, const struct trace_info *info,
                        const struct trace_filter *filter, struct err *err)
{
    struct outputs outputs = {.options = options, .format = format_of(options)};
    const struct trace_export *format = outputs.format;
    const char *lacks = format->lacks ? format->lacks(info) : NULL;
    if (lacks)
        return err_set(err, "trace %s: %s %s", options->file, format->name, lacks) && false;
    if (!open_outputs(&outputs, filter->cpus & UINT64_MAX >> (64 - info->cpus), err))
        return close_outputs(&outputs, false, err);
    void *state = format->create ? format->create(info) : NULL;
    /* no progress line if the text goes to a terminal */
    struct progress *progress = !options->out && isatty(STDOUT_FILENO) ? NULL : progress_create();
    const bool done = convert(&outputs, state, reader, filter, progress, err);
    progress_free(progress);
    if (format->destroy)
        format->destroy(state);
    return close_outputs(&outputs, done, err);
}

static int export(const struct trace_options *options, struct err *err)
{
    struct trace_info info;
    struct trace_filter filter;
    if (!trace_filter_from_params(&filter, options->machine.params, err))
        return EXIT_SIMOS_FAILED;
    struct trace_reader *reader = trace_reader_open(options->file, &info, err);
    const bool done = reader && write_trace(options, reader, &info, &filter, err);
    trace_reader_close(reader);
    return done ? 0 : EXIT_SIMOS_FAILED;
}

/* The command */

static void init(void *opaque, const struct command_line *line)
{
    struct trace_options *options = opaque;
    (void)line;
    machine_options_init(&options->machine);
}

static void release(void *opaque)
{
    struct trace_options *options = opaque;
    machine_options_release(&options->machine);
}

static struct params *params_of(void *opaque)
{
    struct trace_options *options = opaque;
    return options->machine.params;
}

static bool set_format(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct trace_options *options = opaque;
    options->format = trace_export_find(value);
    return options->format || err_set(err, "--%s: \"%.64s\" is not one of %s", option->name, value, TRACE_FORMATS);
}

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct trace_options *options = line->options;
    if (count == 0)
        return err_set(err, "`trace` needs the FILE that --trace has written");
    options->file = words[0];
    return count == 1 || command_line_unexpected(words[1], err);
}

/* Which CPUs the trace has is not known yet: whether their files can be written is seen when they are opened. */
static void add_files(const void *opaque, const char *owner, struct named_files *files)
{
    const struct trace_options *options = opaque;
    char path[4096];
    (void)owner;
    named_files_add_input(files, "the trace", options->file);
    for (unsigned cpu = 0; options->out && cpu < BOARD_MAX_CPUS; cpu++)
        if (output_path(options, cpu, path, sizeof path))
            named_files_add_output(files, "--out", NULL, path);
}

static int execute(struct command_line *line, struct err *err)
{
    return export(line->options, err);
}

static const struct option option_table[] = {
    {OPTION_SET, .apply = option_set_assignment, .member = offsetof(struct trace_options, machine.params)},
    {"format", "FORMAT", OPTION_GROUP_RESULTS, 0,
     "the format to write (din): din, references; of trace.level=0 champsim, drmemtrace, drmemtrace-system, "
     "ramulator-cpu; of requests to memory "
     "ramulator, ramulator2, dramsim3, dramsys",
     .apply = set_format},
    {OPTION_OUT, .apply = option_set_prefix, .member = offsetof(struct trace_options, out)},
    {.name = NULL},
};

const struct command trace_command = {
    .name = "trace",
    .usages = {{"trace [options] FILE", "a trace in the format of another program"}},
    .page = "how-to/trace.md",
    .tables = {{option_table, 0, 0}},
    .size = sizeof(struct trace_options),
    .init = init,
    .release = release,
    .params = params_of,
    .operands = take_operands,
    .always = OPTION_USE(NO_OVER) | OPTION_USE(PRINT),
    .add_files = add_files,
    .main = execute,
};
