/* Deprecated names, with rows of its own: each works as before, its help says so, and whoever uses it is warned in one
 * line. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/base/deprecated.h"
#include "src/base/error_lines.h"
#include "src/base/version.h"
#include "src/cli/commands.h"
#include "src/command/command_line.h"
#include "src/run/run_options.h"

/* Instead of those of the program. */
const struct version version_built = {"1.4.2", "", "", ""};
const struct deprecated deprecated_names[] = {
    {DEPRECATED_COMMAND, "restore", "`simos run --from`"},
    {DEPRECATED_OPTION, "memory", "--ram"},
    {DEPRECATED_PARAMETER, "cache.l2.size", "cache.l2.bytes"},
    {DEPRECATED_PARAMETER, "machine.memory", "machine.ram"},
    {0},
};

/* What CALL with OPAQUE writes on stderr. */
static const char *said_by(void (*call)(void *opaque), void *opaque)
{
    static char text[1024];
    FILE *file = tmpfile();
    const int before = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    call(opaque);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* A use of names: the words of a command line, and what main() does with it. */
struct use {
    int count;
    const char *const *words;
    uint64_t memory, l2_size; /* that the machine gets */
};

static void use(void *opaque)
{
    struct use *use = opaque;
    struct command_line line;
    struct err err = {""};
    assert_true(command_line_parse(&line, &simos_commands, COMMAND_PLACE_ALONE, use->count, use->words, &err));
    command_line_warn_deprecated(&line);
    const struct machine_options *options =
        &((struct run_options *)command_line_struct(&line, run_option_table))->options;
    params_warn_deprecated(options->params, options->quiet);
    use->memory = params_u64(options->params, "machine.memory");
    use->l2_size = params_u64(options->params, "cache.l2.size");
    command_line_release(&line);
}

#define WORDS(...)                                                                                                     \
    (struct use)                                                                                                       \
    {                                                                                                                  \
        .count = sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), .words = (const char *[])                     \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

static void an_option_warns_once(void **state)
{
    (void)state;
    struct use twice = WORDS("run", "--memory", "64M", "--memory=32M", "--", "true");
    assert_string_equal(said_by(use, &twice), "simos: --memory is deprecated and will go with 2.0: use --ram\n");
    assert_int_equal(twice.memory, 32 << 20);
}

static void a_parameter_warns_once(void **state)
{
    (void)state;
    struct use twice = WORDS("run", "--set", "cache.l2.size=2M", "--set=cache.l2.size=1M", "--", "true");
    assert_string_equal(said_by(use, &twice),
                        "simos: cache.l2.size is deprecated and will go with 2.0: use cache.l2.bytes\n");
    assert_int_equal(twice.l2_size, 1 << 20);
}

static void a_command_warns(void **state)
{
    (void)state;
    struct use command = WORDS("restore", "some.ckpt", "--cpu", "mxs");
    assert_string_equal(said_by(use, &command),
                        "simos: `simos restore` is deprecated and will go with 2.0: use `simos run --from`\n");
}

/* Neither what is not used, nor a parameter that another option or a machine's description of ours sets. */
static void what_nobody_names_does_not_warn(void **state)
{
    (void)state;
    struct use other = WORDS("run", "--cpus", "2", "--machine", "1996", "--", "true", "--memory");
    assert_string_equal(said_by(use, &other), "");
}

static void quiet_keeps_the_terminal_free(void **state)
{
    (void)state;
    struct use quiet = WORDS("run", "--memory", "64M", "--set", "cache.l2.size=2M", "--quiet", "--", "true");
    assert_string_equal(said_by(use, &quiet), "");
    assert_int_equal(quiet.memory, 64 << 20);
}

static void a_program_that_listens_is_told(void **state)
{
    (void)state;
    int ends[2];
    char number[16], text[256];
    struct err err = {""};
    assert_int_equal(pipe(ends), 0);
    snprintf(number, sizeof number, "%d", ends[1]);
    setenv("SIMOS_ERRORS_FD", number, 1);
    assert_true(error_lines_open(&err));
    struct use quiet = WORDS("run", "--memory", "64M", "--quiet", "--", "true");
    said_by(use, &quiet);
    const ssize_t length = read(ends[0], text, sizeof text - 1);
    assert_true(length > 0);
    text[length] = '\0';
    assert_string_equal(text, "deprecated --memory is deprecated and will go with 2.0: use --ram\n");
    close(ends[0]);
    close(ends[1]);
}

static void help_names_what_takes_its_place(void **state)
{
    (void)state;
    char buffer[128], *text;
    size_t size;
    assert_string_equal(deprecated_help(DEPRECATED_OPTION, "memory", "size of RAM", buffer, sizeof buffer),
                        "deprecated: use --ram; size of RAM");
    assert_string_equal(deprecated_help(DEPRECATED_OPTION, "cpus", "how many", buffer, sizeof buffer), "how many");
    assert_string_equal(deprecated_help(DEPRECATED_PARAMETER, "memory", "of another kind", buffer, sizeof buffer),
                        "of another kind");
    struct machine_options options;
    machine_options_init(&options);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(params_print(options.params, "cache.l2.size", out), 1);
    fclose(out);
    assert_non_null(strstr(text, "  deprecated: use cache.l2.bytes; "));
    free(text);
    machine_options_release(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_option_warns_once),
        cmocka_unit_test(a_parameter_warns_once),
        cmocka_unit_test(a_command_warns),
        cmocka_unit_test(what_nobody_names_does_not_warn),
        cmocka_unit_test(quiet_keeps_the_terminal_free),
        cmocka_unit_test(help_names_what_takes_its_place),
        cmocka_unit_test(a_program_that_listens_is_told), /* the last: the descriptor stays */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
