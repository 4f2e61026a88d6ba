/* Every option and every parameter that names a host file is known to the check of src/run/named_files.h. */
#include "src/cli/command_options.h"
#include "src/run/named_files.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* after the headers it needs */
#include <cmocka.h>

/* Enter an empty folder, so that no name is that of a file. */
static int enter_folder(void **state)
{
    static char folder[] = "/tmp/simos-named.XXXXXX";
    *state = mkdtemp(folder);
    return *state && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    return chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

/* Do WORDS name two conflicting files? */
static bool clashes(const char *const *words, int count)
{
    struct command_line line;
    struct err err = {""};
    if (!command_line_parse(&line, count, words, &err))
        fail_msg("%s %s: %s", words[1], words[2], err.text);
    struct named_files *files = named_files_create();
    named_files_add_run(files, "", &line.run);
    bool clash = !named_files_check(files, &err);
    assert_int_equal(clash, strstr(err.text, "are the same file") != NULL);
    named_files_free(files);
    command_line_release(&line);
    return clash;
}

/* The value of OPTION that names the file "new"; NULL: the option names no single file to read or write. */
static const char *value_of(const struct option *option)
{
    static const char *const none[] = {"gdb", "trust", "from", "symbols", "series"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (strcmp(option->name, none[i]) == 0)
            return NULL;
    return strcmp(option->name, "checkpoint") == 0 ? "new@boot"
           : strcmp(option->name, "copy-out") == 0 ? "/new"
           : strcmp(option->name, "script") == 0   ? "./new"
                                                   : "new";
}

static void test_options(void **state)
{
    (void)state;
    unsigned tried = 0;
    for (unsigned i = 0; i < command_option_count; i++) {
        const struct option *option = &command_options[i];
        const char *value = option->flags & OPTION_HOST ? value_of(option) : NULL;
        if (!value)
            continue;
        char word[64];
        const bool out = strcmp(option->name, "out") == 0; /* a prefix of file names */
        const bool stats = strcmp(option->name, "stats") == 0;
        snprintf(word, sizeof word, "--%s", option->name);
        const char *const words[] = {out ? "sweep" : "run",
                                     word,
                                     value,
                                     stats ? "--profile" : "--stats",
                                     out ? "new.txt" : "./new",
                                     "--over",
                                     "cache.l2.size=256K..512K"};
        if (!clashes(words, out ? 7 : 5))
            fail_msg("--%s is not known", option->name);
        tried++;
    }
    assert_true(tried >= 10);
}

static void test_params(void **state)
{
    (void)state;
    struct machine_options options;
    unsigned tried = 0;
    const struct param_def *def;
    machine_options_init(&options);
    for (size_t i = 0; (def = params_at(options.params, i)); i++) {
        if (def->type < PARAM_INPUT || def->type == PARAM_NETWORK)
            continue;
        char word[128];
        snprintf(word, sizeof word, "%s=%snew", def->name,
                 def->type == PARAM_CONSOLE ? "file:"
                 : def->type == PARAM_WORDS ? "@"
                                            : "");
        const char *const words[] = {"run", "--set", word, "--stats", "new"};
        if (!clashes(words, 5))
            fail_msg("%s is not known", def->name);
        tried++;
    }
    machine_options_release(&options);
    assert_true(tried >= 7);
}

static void test_different_files(void **state)
{
    (void)state;
    const char *const words[] = {"run", "--stats", "new", "--profile", "new2", "--trace", "../new", "--disk", "image"};
    assert_false(clashes(words, 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_options), cmocka_unit_test(test_params),
                                       cmocka_unit_test(test_different_files)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
