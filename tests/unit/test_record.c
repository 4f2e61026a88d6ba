/*
 * Recordings (docs/how-to/record-replay.md): recorded data is read back; files that are damaged, truncated, newer or of
 * another kind are rejected, or used up to the damage.
 */
#include "src/machine/recorded_options.h"
#include "src/host/record.h"
#include "src/host/replay.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

struct files {
    char record[64], other[80];
    struct machine_options options;
};

static int set_up(void **state)
{
    static const char *const command[] = {"sh", "-c", "echo ' \\ \n", ""};
    struct files *files = calloc(1, sizeof *files);
    snprintf(files->record, sizeof files->record, "/tmp/simos-test-XXXXXX");
    close(mkstemp(files->record));
    snprintf(files->other, sizeof files->other, "%s.other", files->record);
    machine_options_init(&files->options);
    files->options.command = command;
    files->options.command_count = 4;
    *state = files;
    return 0;
}

static int tear_down(void **state)
{
    struct files *files = *state;
    unlink(files->record);
    unlink(files->other);
    machine_options_release(&files->options);
    free(files);
    return 0;
}

static struct record_position at(cycles time, uint64_t insns, enum input_point place)
{
    return (struct record_position){time, insns, place};
}

static const uint8_t frame[] = {0, 1, ' ', '\\', '~', '\n', 255, 'a'};

static const char digest[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/* A recording with one entry of every kind. */
static void write_record(const struct files *files)
{
    struct err err = {""};
    struct file_identity identity = {.size = 3};
    snprintf(identity.digest, sizeof identity.digest, "%s", digest);
    struct record *record = record_create(files->record, &err);
    const struct record_position first = at(100, 40, INPUT_AT_POLL), second = at(100, 40, INPUT_AT_IDLE),
                                 third = at(2000, 90, INPUT_AT_BARRIER),
                                 last = at(UINT64_MAX, UINT64_MAX, INPUT_AT_POLL);
    assert_non_null(record);
    record_limit(record, 1.5, 1000);
    record_machine(record, &files->options);
    record_file(record, "guest.kernel", &identity, "/a b");
    record_begin(record);
    record_input(record, &first, "console", "x", 1);
    record_input(record, &second, "net.user", frame, sizeof frame);
    record_input(record, &second, "net.user", "", 0);
    record_time(record, &third);
    record_stop(record, &third, 15);
    record_end(record, &last);
    assert_true(record_close(record, &err));
}

static char *read_text(const char *path, size_t *length)
{
    char *text = malloc(1 << 20);
    int fd = open(path, O_RDONLY);
    ssize_t count = read(fd, text, 1 << 20);
    close(fd);
    assert_true(count > 0 && count < 1 << 20);
    *length = (size_t)count;
    return text;
}

/* Writes a new file: to truncate one that has just been written makes ext4 write it to the disk. */
static void write_text(const char *path, const char *text, size_t length)
{
    unlink(path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_int_equal(write(fd, text, length), length);
    close(fd);
}

static void what_is_written_is_read(void **state)
{
    const struct files *files = *state;
    struct err err = {""};
    struct record *record = record_create(files->record, &err);
    struct file_identity identity = {.size = 3};
    const struct record_position moment = at(7, 5, INPUT_AT_IDLE), last = at(9, 6, INPUT_AT_POLL);
    snprintf(identity.digest, sizeof identity.digest, "%s", digest);
    record_machine(record, &files->options);
    record_file(record, "guest.kernel", &identity, "/a b");
    record_begin(record);
    record_input(record, &moment, "net.user", frame, sizeof frame);
    record_stop(record, &moment, 15);
    record_end(record, &last);
    assert_true(record_close(record, &err));

    struct replay *replay = replay_open(files->record, &err);
    assert_non_null(replay);
    const struct replay_machine *machine = replay_next(replay, &err);
    assert_non_null(machine);
    assert_true(replay_check(machine, &files->options, &err));
    assert_true(replay_check_file(machine, "guest.kernel", "/c", &identity, &err));
    const struct replay_event *event = replay_event(machine, 0);
    assert_int_equal(event->kind, REPLAY_INPUT);
    assert_int_equal(event->position.time, 7);
    assert_int_equal(event->position.insns, 5);
    assert_int_equal(event->position.place, INPUT_AT_IDLE);
    assert_string_equal(event->source, "net.user");
    assert_int_equal(event->count, sizeof frame);
    assert_memory_equal(event->bytes, frame, sizeof frame);
    assert_int_equal(replay_event(machine, 1)->reason, 15);
    assert_int_equal(replay_event(machine, 2)->kind, REPLAY_END);
    assert_null(replay_event(machine, 3));
    assert_null(replay_next(replay, &err));

    struct err other = {""};
    identity.size = 4;
    assert_false(replay_check_file(machine, "guest.kernel", "/c", &identity, &other));
    assert_non_null(strstr(other.text, "/c, is not the recorded file"));
    replay_free(replay);
}

/* FIPS 180-4, the published example "abc"; and the empty file. */
static void files_are_known_by_their_sha_256(void **state)
{
    const struct files *files = *state;
    struct file_identity identity;
    struct err err = {""};
    write_text(files->other, "abc", 3);
    assert_true(file_identity_read(&identity, INPUT_CHECKPOINT, files->other, &err));
    assert_string_equal(identity.digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(identity.size, 3);
    write_text(files->other, "", 0);
    assert_true(file_identity_read(&identity, INPUT_CHECKPOINT, files->other, &err));
    assert_string_equal(identity.digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_false(file_identity_read(&identity, INPUT_CHECKPOINT, "/nonexistent", &err));
}

static void options_come_from_the_record(void **state)
{
    struct files *files = *state;
    struct err err = {""};
    struct machine_options options;
    double seconds = 0;
    uint64_t insns = UINT64_MAX;
    assert_true(params_set(files->options.params, "machine.cpus", "3", &err));
    assert_true(params_set(files->options.params, "guest.kernel", "/a b\\c", &err));
    assert_true(machine_options_add_switch(&files->options, "embra@mark:x", &err));
    struct record *record = record_create(files->record, &err);
    record_limit(record, 0.1, 1000);
    record_machine(record, &files->options);
    record_begin(record);
    assert_true(record_close(record, &err));
    struct replay *replay = replay_open(files->record, &err);
    const struct replay_machine *machine = replay_peek(replay, &err);

    machine_options_init(&options);
    assert_true(replay_adopt(machine, &options, false, &seconds, &insns, &err));
    assert_int_equal(params_u64(options.params, "machine.cpus"), 3);
    assert_string_equal(params_string(options.params, "guest.kernel"), "/a b\\c");
    assert_int_equal(options.command_count, 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(options.command[i], files->options.command[i]);
    assert_int_equal(options.switch_count, 1);
    assert_true(machine_event_equal(&options.switches[0].event, &files->options.switches[0].event));
    assert_true(seconds == 0.1);
    assert_int_equal(insns, 1000);
    machine_options_release(&options);

    /* a setting that differs from the recording; file locations may differ */
    machine_options_init(&options);
    assert_true(params_set(options.params, "machine.cpus", "2", &err));
    assert_false(replay_adopt(machine, &options, false, &seconds, &insns, &err));
    assert_non_null(strstr(err.text, "machine.cpus is \"2\" here, \"3\" in the record"));
    machine_options_release(&options);
    /* also if it equals the default */
    machine_options_init(&options);
    err.text[0] = 0;
    assert_true(params_set(options.params, "machine.cpus", "1", &err));
    assert_false(replay_adopt(machine, &options, false, &seconds, &insns, &err));
    assert_non_null(strstr(err.text, "machine.cpus is \"1\" here, \"3\" in the record"));
    machine_options_release(&options);
    machine_options_init(&options);
    err.text[0] = 0;
    assert_true(params_set(options.params, "guest.kernel", "/elsewhere", &err));
    assert_true(replay_adopt(machine, &options, false, &seconds, &insns, &err));
    assert_string_equal(params_string(options.params, "guest.kernel"), "/elsewhere");
    machine_options_release(&options);
    replay_free(replay);
}

/* Every damaged byte is detected, unless it is in an incomplete last line. */
static void a_damaged_record_is_refused(void **state)
{
    const struct files *files = *state;
    size_t length;
    write_record(files);
    char *text = read_text(files->record, &length);
    for (size_t i = 0; i < length; i++) {
        struct err err = {""};
        char was = text[i];
        text[i] = (char)(was ^ 1);
        write_text(files->other, text, length);
        text[i] = was;
        struct replay *replay = replay_open(files->other, &err);
        if (i == length - 1)
            assert_true(!replay || replay_event(replay_peek(replay, &err), 0) != NULL);
        else
            assert_null(replay);
        if (!replay)
            assert_non_null(strstr(err.text, files->other));
        replay_free(replay);
    }
    free(text);
}

static void a_record_that_breaks_off_holds_so_far(void **state)
{
    const struct files *files = *state;
    size_t length, head = 0;
    struct err err = {""};
    struct record *record = record_create(files->record, &err);
    record_machine(record, &files->options);
    record_begin(record);
    for (uint64_t i = 0; i < 20; i++) {
        const struct record_position moment = at(i, i, INPUT_AT_POLL);
        record_input(record, &moment, "console", "x", 1);
    }
    assert_true(record_close(record, &err)); /* as after a kill */
    char *text = read_text(files->record, &length);
    head = (size_t)(strstr(text, "in 0 ") - text);
    for (size_t cut = 0; cut <= length; cut++) {
        size_t lines = 0, events = 0;
        for (size_t i = head; i < cut; i++)
            lines += text[i] == '\n';
        write_text(files->other, text, cut);
        struct replay *replay = replay_open(files->other, &err);
        if (cut >= head)
            assert_non_null(replay);
        if (cut == 0)
            assert_null(replay);
        if (replay)
            while (replay_event(replay_peek(replay, &err), events))
                events++;
        if (replay)
            assert_int_equal(events, lines);
        replay_free(replay);
    }
    free(text);
}

static void other_files_are_refused(void **state)
{
    const struct files *files = *state;
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"", "no record of a run"},
        {"simos record", "no record of a run"},
        {"simos record x\n", "no record of a run"},
        {"simos record 0 ~00000000\n", "version 0; this simos reads versions 1 to 2"},
        {"simos record 3 ~00000000\n", "version 3; this simos reads versions 1 to 2"},
        {"simos record 99999999999999999999999\n", "this simos reads versions 1 to 2"},
        {"\177ELF\n", "no record of a run"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct err err = {""};
        write_text(files->other, rows[i].text, strlen(rows[i].text));
        assert_null(replay_open(files->other, &err));
        assert_non_null(strstr(err.text, rows[i].says));
    }
    struct err err = {""};
    assert_null(replay_open("/nonexistent", &err));
    assert_null(replay_open("/", &err));
    assert_null(replay_open("/dev/zero", &err));
}

/* Lines with valid checksums and arbitrary contents are rejected without harm. */
static void hostile_lines_are_not_understood(void **state)
{
    const struct files *files = *state;
    static const char *const lines[] = {
        "nonsense",
        "in",
        "in 1",
        "in 1 1 poll",
        "in 1 1 poll console",
        "in 1 1 poll console \\zz",
        "in 1 1 poll console \\0",
        "in 1 1 poll console x y",
        "in 1 1 nowhere console x",
        "in -1 1 poll console x",
        "in 18446744073709551616 1 poll console x",
        "in 1 1 poll \\00 x",
        "stop 1 1 poll 128",
        "stop 1 1 poll",
        "time 1 1",
        "end 1 1 poll 1",
        "machine",
        "machine a b",
        "param a",
        "param a b c",
        "param \\00 b",
        "file a 1 0123 /a",
        "file a x 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef /a",
        "seconds nan",
        "seconds -1",
        "seconds 1e99",
        "insns 0",
        "insns x",
        "switch",
        "word",
        " word a",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct err err = {""};
        char text[1024], head[] = "simos record 1", machine[] = "machine m";
        uint32_t first = record_checksum(0, head, strlen(head));
        uint32_t second = record_checksum(first, machine, strlen(machine));
        uint32_t third = record_checksum(second, lines[i], strlen(lines[i]));
        snprintf(text, sizeof text, "%s ~%08" PRIx32 "\n%s ~%08" PRIx32 "\n%s ~%08" PRIx32 "\n", head, first, machine,
                 second, lines[i], third);
        write_text(files->other, text, strlen(text));
        struct replay *replay = replay_open(files->other, &err);
        if (replay)
            fail_msg("taken for good: %s", lines[i]);
        assert_non_null(strstr(err.text, "line 3: not understood"));
    }
}

static void a_file_that_was_there_stays_until_something_runs(void **state)
{
    const struct files *files = *state;
    struct err err = {""};
    size_t length;
    write_text(files->record, "old", 3);
    struct record *record = record_create(files->record, &err);
    record_machine(record, &files->options);
    assert_true(record_close(record, &err));
    char *text = read_text(files->record, &length);
    assert_int_equal(length, 3);
    free(text);
    record = record_create(files->other, &err);
    record_machine(record, &files->options);
    assert_true(record_close(record, &err));
    assert_int_not_equal(access(files->other, F_OK), 0);
}

static void a_full_disk_is_said(void **state)
{
    const struct files *files = *state;
    struct err err = {""};
    struct record *record = record_create("/dev/full", &err);
    record_machine(record, &files->options);
    record_begin(record);
    assert_true(record_failed(record, NULL));
    assert_false(record_close(record, &err));
    assert_string_equal(err.text, "record /dev/full: No space left on device");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_is_written_is_read),
        TEST(files_are_known_by_their_sha_256),
        TEST(options_come_from_the_record),
        TEST(a_damaged_record_is_refused),
        TEST(a_record_that_breaks_off_holds_so_far),
        TEST(other_files_are_refused),
        TEST(hostile_lines_are_not_understood),
        TEST(a_file_that_was_there_stays_until_something_runs),
        TEST(a_full_disk_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
