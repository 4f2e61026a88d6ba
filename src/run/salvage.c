#include "src/run/salvage.h"

#include "src/host/external.h"
#include "src/machine/board_net.h"
#include "src/observe/profile.h"
#include "src/report/run_table.h"
#include "src/base/error_lines.h"

/* Say what became of an output. */
static void say(const struct err *err, const char *what, const char *path)
{
    if (err->text[0])
        error_lines_print("%s", err->text);
    else
        fprintf(stderr, "simos: incomplete, up to the error: %s%s\n", what, path);
}

static void flush_console(void *opaque, const char *message)
{
    const struct salvage *salvage = opaque;
    (void)message;
    if (salvage->console)
        console_flush(salvage->console, NULL);
}

static void settle(void *opaque, const char *message)
{
    const struct salvage *salvage = opaque;
    (void)message;
    machine_settle(salvage->machine);
}

/* Its replay comes to the error. */
static void note_progress(void *opaque, const char *message)
{
    const struct salvage *salvage = opaque;
    (void)message;
    external_note_progress(salvage->machine->external);
}

static void mark(void *opaque, const char *message)
{
    const struct salvage *salvage = opaque;
    stats_text(salvage->machine->stats, "incomplete", "the error in simos at which the run ended", message);
}

static void save_stats(void *opaque, const char *message)
{
    const struct salvage *salvage = opaque;
    struct err err = {""};
    (void)message;
    if (!salvage->run->stats_path)
        return;
    stats_save_json(salvage->machine->stats, salvage->run->stats_path, &err);
    say(&err, "", salvage->run->stats_path);
}

static void save_profile(void *opaque, const char *message)
{
    const struct salvage *salvage = opaque;
    struct err err = {""};
    (void)message;
    if (!salvage->run->profile_path)
        return;
    profile_save(salvage->machine, salvage->run->profile_path, &err);
    say(&err, "", salvage->run->profile_path);
}

static void save_streams(void *opaque, const char *message)
{
    const struct salvage *salvage = opaque;
    (void)message;
    for (unsigned i = 0; i < 2; i++) {
        struct err err = {""};
        if (!(i ? board_net_flush(board_net_of(salvage->machine), &err) : machine_finish_files(salvage->machine, &err)))
            say(&err, "", "");
    }
}

/* What annotations have collected, which goes to the statistics; the trace; the collectors' files. */
static void end_instruments(void *opaque, const char *message)
{
    const struct salvage *salvage = opaque;
    struct err err = {""};
    if (!salvage->instrument || salvage->instrument_ended)
        return;
    instrument_end(salvage->instrument, &err);
    if (err.text[0] || salvage->run->trace_path)
        say(&err, "", salvage->run->trace_path ? salvage->run->trace_path : "");
    save_stats(opaque, message);
}

static void save_collected(void *opaque, const char *message)
{
    const struct salvage *salvage = opaque;
    struct err err = {""};
    (void)message;
    if (!salvage->instrument || !collect_is_wanted(&salvage->run->collect))
        return;
    instrument_save(salvage->instrument, &err);
    say(&err, "what the collectors collected", "");
}

static void print_table(void *opaque, const char *message)
{
    const struct salvage *salvage = opaque;
    (void)message;
    run_table_print(salvage->machine, salvage->run->table, 0, 0, stderr);
}

/* Statistics first, as they are; those of annotations, whose scripts run again, replace them. */
static void (*const saves[SALVAGE_STEPS])(void *opaque, const char *message) = {
    flush_console, settle,       note_progress,   mark,           save_stats,
    save_profile,  save_streams, end_instruments, save_collected, print_table};

void salvage_begin(struct salvage *salvage, const struct run_options *run, struct machine *machine,
                   struct instrument *instrument, struct console *console)
{
    *salvage = (struct salvage){.run = run, .instrument = instrument, .console = console, .machine = machine};
    for (unsigned i = 0; i < SALVAGE_STEPS; i++) {
        salvage->steps[i] = (struct log_bug_step){.save = saves[i], .opaque = salvage};
        log_bug_step_add(&salvage->steps[i]);
    }
}

void salvage_end(struct salvage *salvage)
{
    for (unsigned i = 0; i < SALVAGE_STEPS; i++)
        log_bug_step_remove(&salvage->steps[i]);
}
