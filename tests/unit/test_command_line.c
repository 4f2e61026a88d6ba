/* The command line parser: words to options, and a one-line message for every error. */
#include <string.h>
#include "tests/unit/test.h"
#include "src/cli/commands.h"
#include "src/host/named_files.h"
#include "src/run/run_options.h"
#include "src/sweep/sweep_batch.h"

enum { MAX_WORDS = 32 };

/* Parse TEXT, split at blanks. */
static bool parse(struct command_line *line, const char *text, struct err *err)
{
    static char buffer[1024];
    static const char *words[MAX_WORDS];
    int count = 0;
    snprintf(buffer, sizeof buffer, "%s", text);
    for (char *save, *word = strtok_r(buffer, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        assert_in_range(count, 0, MAX_WORDS - 1);
        words[count++] = word;
    }
    *err = (struct err){""};
    return command_line_parse(line, &simos_commands, COMMAND_PLACE_ALONE, count, words, err);
}

static struct run_options *run_of(const struct command_line *line)
{
    struct run_options *run = command_line_struct(line, run_option_table);
    assert_non_null(run);
    return run;
}

/* Is PATH a file that LINE reads and calls NAME? */
static bool reads(const struct command_line *line, const char *name, const char *path)
{
    struct named_files *files = named_files_create();
    const char *next_name, *next_path;
    unsigned index = 0;
    bool found = false;
    line->command->add_files(line->options, "", files);
    while (!found && named_files_next_input(files, &index, &next_name, &next_path))
        found = strcmp(next_name, name) == 0 && strcmp(next_path, path) == 0;
    named_files_free(files);
    return found;
}

static bool is_use(const struct command_line *line, uint32_t use)
{
    return line->command->uses(line->options) & use;
}

static void options_become_parameters(void **state)
{
    (void)state;
    struct command_line line;
    struct err err;
    assert_true(parse(&line,
                      "run --cpus 4 --memory=64M --cpu mipsy --kernel k --initrd i --disk a --disk b,ro "
                      "--set cache.l2.size=2M --stats s.json --max-insns 1000 --seconds 1.5 --quiet --gdb "
                      "1234,save=some/folder "
                      "-- sh -c x --cpus",
                      &err));
    const struct params *params = run_of(&line)->options.params;
    assert_string_equal(line.command->name, "run");
    assert_int_equal(params_u64(params, "machine.cpus"), 4);
    assert_int_equal(params_u64(params, "machine.memory"), 64 << 20);
    assert_string_equal(params_string(params, "guest.kernel"), "k");
    assert_string_equal(params_string(params, "guest.initrd"), "i");
    assert_string_equal(params_string(params, "machine.disk0"), "a");
    assert_string_equal(params_string(params, "machine.disk1"), "b,ro");
    assert_int_equal(params_u64(params, "cache.l2.size"), 2 << 20);
    assert_string_equal(run_of(&line)->stats_path, "s.json");
    assert_int_equal(run_of(&line)->max_insns, 1000);
    assert_true(run_of(&line)->seconds == 1.5);
    assert_true(run_of(&line)->options.quiet);
    assert_true(run_of(&line)->gdb);
    assert_int_equal(run_of(&line)->gdb_port, 1234);
    assert_string_equal(run_of(&line)->gdb_save, "some/folder");
    assert_int_equal(run_of(&line)->options.command_count, 4);
    assert_string_equal(run_of(&line)->options.command[3], "--cpus");
    command_line_release(&line);
}

static void nothing_is_said_and_nothing_is_set(void **state)
{
    (void)state;
    struct command_line line;
    struct err err;
    assert_true(parse(&line, "run", &err));
    assert_int_equal(run_of(&line)->options.command_count, 0);
    assert_int_equal(run_of(&line)->max_insns, UINT64_MAX);
    assert_true(run_of(&line)->seconds == 0);
    assert_null(run_of(&line)->stats_path);
    assert_null(run_of(&line)->lockstep);
    assert_false(run_of(&line)->gdb || run_of(&line)->options.quiet);
    assert_string_equal(run_of(&line)->options.machine_name, "1994");
    command_line_release(&line);
}

static void switches_are_kept_in_order(void **state)
{
    (void)state;
    struct command_line line;
    struct err err;
    assert_true(parse(&line,
                      "run --switch mipsy@mark:a@b:c --switch=mipsy@boot --switch mipsy@time:1.5e-3 --switch "
                      "mipsy@insns:18446744073709551615 --switch mipsy@mark:a",
                      &err));
    const struct machine_switch *switches = run_of(&line)->options.switches;
    assert_int_equal(run_of(&line)->options.switch_count, 5);
    assert_string_equal(switches[0].model, "mipsy");
    assert_int_equal(switches[0].event.kind, MACHINE_EVENT_MARK);
    assert_string_equal(switches[0].event.mark, "a@b:c");
    assert_int_equal(switches[1].event.kind, MACHINE_EVENT_BOOT);
    assert_int_equal(switches[2].event.kind, MACHINE_EVENT_TIME);
    assert_true(switches[2].event.seconds == 1.5e-3);
    assert_int_equal(switches[3].event.kind, MACHINE_EVENT_INSNS);
    assert_int_equal(switches[3].event.insns, UINT64_MAX);
    command_line_release(&line);
}

static void names_of_marks_are_as_long_as_the_device_allows(void **state)
{
    (void)state;
    char text[320] = "mark:";
    struct machine_event event;
    struct err err = {""};
    memset(text + 5, 'x', CONTROL_NAME_MAX);
    assert_true(machine_event_parse(&event, text, &err));
    assert_int_equal(strlen(event.mark), CONTROL_NAME_MAX);
    text[5 + CONTROL_NAME_MAX] = 'x';
    assert_false(machine_event_parse(&event, text, &err));
    assert_non_null(strstr(err.text, "at most 255 bytes"));
}

/* --machine is applied before --set, wherever it stands. */
static void machine_comes_first(void **state)
{
    (void)state;
    struct command_line line;
    struct err err;
    assert_true(parse(&line, "run --set cache.l2.size=2M --machine 1994", &err));
    assert_int_equal(params_u64(run_of(&line)->options.params, "cache.l2.size"), 2 << 20);
    command_line_release(&line);
}

static void an_empty_initrd_is_none(void **state)
{
    (void)state;
    static const char *const words[] = {"run", "--initrd", ""};
    struct command_line line;
    struct err err = {""};
    assert_true(command_line_parse(&line, &simos_commands, COMMAND_PLACE_ALONE, 3, words, &err));
    assert_string_equal(params_string(run_of(&line)->options.params, "guest.initrd"), "none");
    command_line_release(&line);
}

static void other_subcommands_take_operands(void **state)
{
    (void)state;
    struct command_line line;
    struct err err;
    assert_true(parse(&line, "shell --cpus 2 file.tcl", &err));
    assert_string_equal(line.command->name, "shell");
    assert_true(reads(&line, "the script", "file.tcl"));
    command_line_release(&line);
    assert_true(parse(&line, "shell", &err));
    command_line_release(&line);
    assert_true(parse(&line, "params --machine 1994 cpu cache.l2", &err));
    assert_string_equal(line.command->name, "params");
    command_line_release(&line);
    assert_true(parse(&line, "params --picture --machine 1998", &err)); /* the host need not support its CPU model */
    assert_true(is_use(&line, OPTION_USE(PICTURE)));
    command_line_release(&line);
    assert_true(parse(&line, "run --machine 1998 --cpu mipsy", &err));
    assert_string_equal(params_string(run_of(&line)->options.params, "cpu.model"), "mipsy");
    command_line_release(&line);
    assert_true(parse(&line, "machines", &err));
    assert_string_equal(line.command->name, "machines");
    command_line_release(&line);
    assert_true(parse(&line, "--help", &err));
    assert_string_equal(line.command->name, "help");
    command_line_release(&line);
    assert_true(parse(&line, "run --help", &err));
    assert_string_equal(line.command->name, "help");
    command_line_release(&line);
    assert_true(parse(&line, "run --cpus 2 --help", &err));
    assert_string_equal(line.command->name, "help");
    command_line_release(&line);
    assert_true(parse(&line, "run -- ls --help", &err));
    assert_string_equal(line.command->name, "run");
    command_line_release(&line);
}

static void sweeps_of_jobs_and_reports_have_their_own_options(void **state)
{
    (void)state;
    struct command_line line;
    struct err err;
    const struct sweep_batch_options *batch;
    assert_true(parse(&line, "sweep --quiet a.tcl --jobs 3 --out x --part 1/2", &err));
    batch = command_line_struct(&line, sweep_batch_option_table);
    assert_true(reads(&line, "the sweep", "a.tcl"));
    assert_string_equal(run_of(&line)->out, "x");
    assert_int_equal(batch->processes, 3);
    assert_int_equal(batch->part, 1);
    assert_int_equal(batch->parts, 2);
    assert_int_equal(batch->slurm, SWEEP_BATCH_NO_SLURM);
    assert_int_equal(sweep_batch_mode(batch), SWEEP_BATCH_PART);
    command_line_release(&line);
    assert_true(parse(&line, "sweep --slurm a.tcl", &err)); /* the value of --slurm must follow "=" */
    batch = command_line_struct(&line, sweep_batch_option_table);
    assert_true(reads(&line, "the sweep", "a.tcl"));
    assert_int_equal(sweep_batch_mode(batch), SWEEP_BATCH_SLURM_SUBMIT);
    command_line_release(&line);
    assert_true(parse(&line, "sweep a.tcl --slurm=write", &err));
    batch = command_line_struct(&line, sweep_batch_option_table);
    assert_int_equal(sweep_batch_mode(batch), SWEEP_BATCH_SLURM_WRITE);
    command_line_release(&line);
    assert_true(parse(&line, "report a.json b.json --svg .", &err));
    assert_string_equal(line.command->name, "report");
    assert_null(command_line_struct(&line, run_option_table));
    assert_true(reads(&line, "the statistics", "a.json"));
    assert_true(reads(&line, "the statistics", "b.json"));
    assert_false(is_use(&line, OPTION_USE(COMPARE)));
    command_line_release(&line);
    assert_true(parse(&line, "report --compare a.json b.json", &err));
    assert_true(is_use(&line, OPTION_USE(COMPARE)));
    command_line_release(&line);
}

static void every_mistake_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "no command"},
        {"walk", "walk"},
        {"report", "needs files"},
        {"report --compare a.json", "OLD.json NEW.json"},
        {"report --compare a.json b.json c.json", "OLD.json NEW.json"},
        {"report --compare --svg . a.json b.json", "--svg: not together with --compare"},
        {"report --svg= a.json", "no folder is named"},
        {"report --cpus 2 a.json", "--cpus: `report` has no such option"},
        {"report a.json -- ls", "take a command"},
        {"run --svg x", "--svg: only `report`"},
        {"run --compare", "--compare: only `report`"},
        {"sweep a.tcl --cpus 2", "--cpus: not allowed with a FILE.tcl, which defines the jobs"},
        {"sweep --machine 1996 a.tcl", "--machine: not allowed with a FILE.tcl"},
        {"sweep a.tcl --over figure-4.6", "--over: not allowed with a FILE.tcl"},
        {"sweep a.tcl -- ls", "not allowed with a.tcl, which defines the jobs"},
        {"sweep a.tcl b.tcl", "\"b.tcl\""},
        {"sweep a.tcl --jobs 0", "--jobs"},
        {"sweep a.tcl --jobs x", "--jobs"},
        {"sweep a.tcl --part 2/2", "is not I/N"},
        {"sweep a.tcl --part 0/0", "is not I/N"},
        {"sweep a.tcl --part -1/2", "is not I/N"},
        {"sweep a.tcl --part 1", "is not I/N"},
        {"sweep a.tcl --part 1/2x", "is not I/N"},
        {"sweep a.tcl --part 0/9999999", "is not I/N"},
        {"sweep a.tcl --slurm=later", "\"later\" is not \"write\""},
        {"sweep a.tcl --slurm --merge", "--merge: not together with --slurm"},
        {"sweep a.tcl --merge --part 1/2", "--part: not together with --merge"},
        {"sweep --jobs 2 --over figure-4.6", "need a FILE.tcl"},
        {"run --jobs 2", "--jobs: only `sweep`"},
        {"run --merge", "--merge: only `sweep`"},
        {"run --slurm", "--slurm: only `sweep`"},
        {"run --bogus", "--bogus"},
        {"run -x", "-x"},
        {"run echo", "echo"},
        {"run --", "no command after --"},
        {"run --cpus", "--cpus needs a value"},
        {"run --cpus 0", "machine.cpus: 0 is out of range; valid: 1..64"},
        {"run --cpus 65", "1..64"},
        {"run --cpus two", "machine.cpus"},
        {"run --memory 3G", "16M..2G"},
        {"run --cpu mxz", "mipsy|embra|mxs"},
        {"run --switch", "--switch needs a value: MODEL@EVENT"},
        {"run --switch= ", "--switch \"\": not MODEL@EVENT"},
        {"run --switch mipsy", "--switch \"mipsy\": not MODEL@EVENT"},
        {"run --switch @boot", "no CPU model is called \"\""},
        {"run --switch zork@boot", "no CPU model is called \"zork\"; valid: mipsy"},
        {"run --switch mipsy@", "\"\" is no event; valid: boot, mark:NAME, time:SECONDS, insns:N"},
        {"run --switch mipsy@boots", "\"boots\" is no event"},
        {"run --switch mipsy@mark:", "mark: has no name"},
        {"run --switch mipsy@mark:\t", "printable"},
        {"run --switch mipsy@time:", "time: is not"},
        {"run --switch mipsy@time:0", "time:0 is not"},
        {"run --switch mipsy@time:nan", "time:nan is not"},
        {"run --switch mipsy@time:2e9", "up to 1e9"},
        {"run --switch mipsy@time:1s", "time:1s is not"},
        {"run --switch mipsy@insns:0", "insns:0 is not"},
        {"run --switch mipsy@insns:-1", "insns:-1 is not"},
        {"run --switch mipsy@insns:1.5", "insns:1.5 is not"},
        {"run --switch mipsy@insns:18446744073709551616", "is not a number of instructions"},
        {"run --switch mipsy@mark:a --switch mipsy@mark:a", "to mipsy at mark:a already"},
        {"run --switch mipsy@time:1 --switch mipsy@time:1.0", "to mipsy at time:1.0 already"},
        {"run --machine /nonexistent", "/nonexistent"},
        {"run --set x", "NAME=VALUE"},
        {"run --set cache.l2.size=3K", "cache.l2.size"},
        {"run --set cache.l2.sice=2M", "did you mean \"cache.l2.size\""},
        {"run --set CACHE.L2.SIZE=2M", "did you mean \"cache.l2.size\""},
        {"run --set L2.Size=2M", "did you mean \"cache.l2.size\""},
        {"run --CPUS 2", "did you mean --cpus?"},
        {"Restore a", "did you mean \"restore\"?"},
        {"run --quiet=1", "--quiet takes no value"},
        {"run --seconds 0", "--seconds"},
        {"run --seconds -1", "--seconds"},
        {"run --seconds nan", "--seconds"},
        {"run --seconds 1s", "--seconds"},
        {"run --max-insns 0", "--max-insns"},
        {"run --max-insns 99999999999999999999", "--max-insns"},
        {"run --gdb 65536", "0..65535"},
        {"run --gdb 65536,save=x", "0..65535"},
        {"run --gdb 1,save=", "save=FOLDER"},
        {"run --gdb 1,keep=x", "save=FOLDER"},
        {"run --lockstep qemu", "--lockstep: cpu.model: "},
        {"run --lockstep", "--lockstep needs a value"},
        {"run --net", "--net needs a value"},
        {"run --checkpoint a", "not FILE@EVENT"},
        {"run --checkpoint a@never", "\"never\" is no event"},
        {"run --checkpoint @boot", "not FILE@EVENT"},
        {"run --checkpoint a@boot --checkpoint b@boot", "only one"},
        {"shell --checkpoint a@boot", "only `run` and `restore`"},
        {"run --series a", "not FOLDER,every=N"},
        {"run --series ,every=1", "not FOLDER,every=N"},
        {"run --series a,every=0", "every=0 is not a number of instructions"},
        {"run --series a,every=1M", "every=1M is not a number of instructions"},
        {"run --series a,every=18446744073709551616", "is not a number of instructions"},
        {"run --series a,every=5,to=boot", "\",to=boot\" is not ,from=EVENT"},
        {"run --series a,every=5,from=noon", "\"noon\" is no event"},
        {"run --series a,every=5 --series b,every=5", "only one"},
        {"shell --series a,every=5", "only `run` and `restore`"},
        {"run --window 5", "--window: only `restore`"},
        {"restore a --window 0", "--window"},
        {"restore a --warmup -1", "--warmup"},
        {"restore", "needs the file"},
        {"restore a b", "\"b\""},
        {"cluster a.tcl --record b", "--record: only `run`"},
        {"restore a --record b --replay c", "only one of them"},
        {"info", "needs the file"},
        {"info a -- ls", "take a command"},
        {"run --stats= ", "--stats"},
        {"run --disk= ", "--disk"},
        {"run --disk 1 --disk 2 --disk 3 --disk 4 --disk 5 --disk 6 --disk 7 --disk 8 --disk 9", "at most 8"},
        {"shell a b", "\"b\""},
        {"shell -- x", "only `run`"},
        {"shell --picture", "--picture: only `params`"},
        {"params --picture cpu", "\"cpu\": --picture"},
        {"machines 1994", "\"1994\""},
        {"params cpu --nonsense", "--nonsense"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct command_line line;
        struct err err;
        assert_false(parse(&line, bad[i].text, &err));
        if (!strstr(err.text, bad[i].says))
            fail_msg("\"%s\": %s", bad[i].text, err.text);
        command_line_release(&line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_become_parameters),
        cmocka_unit_test(nothing_is_said_and_nothing_is_set),
        cmocka_unit_test(switches_are_kept_in_order),
        cmocka_unit_test(names_of_marks_are_as_long_as_the_device_allows),
        cmocka_unit_test(machine_comes_first),
        cmocka_unit_test(an_empty_initrd_is_none),
        cmocka_unit_test(other_subcommands_take_operands),
        cmocka_unit_test(sweeps_of_jobs_and_reports_have_their_own_options),
        cmocka_unit_test(every_mistake_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
