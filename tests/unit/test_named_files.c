/*
 * The check of src/host/named_files.h, over all pairs of options and parameters that name files, made from their
 * tables: an output over an input or another output is refused, under every name of the file and below every folder;
 * and so is an output that another process is writing.
 */
#include "src/cli/commands.h"
#include "src/host/named_files.h"
#include "src/run/run_options.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit/test.h"

enum use { READS, READS_BELOW, WRITES, MAKES, NEW }; /* NEW: makes files, but never one that exists or is an output */

/* An option or parameter that names a file. VALUE names the file PATH in the folder d; "@" in it stands for PATH, "#"
 * for a "@". */
struct named {
    char name[48], value[64], path[32];
    enum use use;
};

enum { MOST = 64 };

static struct named all[MOST];
static unsigned count;

static const char target[] = "d/e/f.tcl";

static void write_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "# nothing\n", 10), 10);
    close(fd);
}

/* Enter a folder with the folder d/e and other names of d. */
static int enter_folder(void **state)
{
    static char folder[] = "/tmp/simos-named.XXXXXX";
    *state = mkdtemp(folder);
    return *state && chdir(folder) == 0 && mkdir("d", 0777) == 0 && mkdir("d/e", 0777) == 0 && symlink("d", "l") == 0
               ? 0
               : -1;
}

static int leave_folder(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", (const char *)*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void add_name(const char *name, enum use use, const char *value, const char *path)
{
    assert_true(count < MOST);
    struct named *named = &all[count++];
    named->use = use;
    snprintf(named->name, sizeof named->name, "%s", name);
    snprintf(named->value, sizeof named->value, "%s", value);
    snprintf(named->path, sizeof named->path, "%s", path);
}

static void add_option(const struct option *option)
{
    static const struct {
        const char *name, *value, *path;
    } special[] = {
        {"checkpoint", "@@boot", target},
        {"copy-out", "/x/f.tcl:d/e", target},
        {"copy-in", "d", target},
        {"symbols", "d", target},
        {"series", "d,every=1000", "d/0000.ckpt"},
        {"svg", "d", "d/mcpi.svg"},
        {"trend", "d", "d/trend.jsonl"},
        {"bbv", "@,every=1000", target},
        {"simpoints", "d/s", "d/s.weights"},
        {"out", "d/p", "d/p.txt"},
        {"gdb", "0,save=d", "d/new"},
        {"script", "./@", target},
        {"console", "file:@", target},
    };
    const char *value = "@", *path = target;
    const unsigned kinds = option->flags & (OPTION_READS | OPTION_READS_BELOW | OPTION_WRITES | OPTION_MAKES);
    if (!kinds) { /* it names no file of the host, or is no option of its own */
        static const char *const others[] = {"trust", "from", "live"}; /* authority, a name for messages, a port */
        bool other = false;
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            other |= strcmp(others[i], option->name) == 0;
        if ((option->flags & OPTION_HOST) && !other)
            fail_msg("--%s accesses the host: the table does not say which files", option->name);
        return;
    }
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (strcmp(special[i].name, option->name) == 0) {
            value = special[i].value;
            path = special[i].path;
        }
    char name[48];
    snprintf(name, sizeof name, "--%s", option->name);
    add_name(name,
             strcmp(option->name, "gdb") == 0 ? NEW
             : kinds & OPTION_READS           ? READS
             : kinds & OPTION_READS_BELOW     ? READS_BELOW
             : kinds & OPTION_WRITES          ? WRITES
                                              : MAKES,
             value, path);
}

static void add_parameter(const struct param_def *def)
{
    switch (def->type) {
    case PARAM_INPUT: add_name(def->name, READS, "@", target); break;
    case PARAM_WORDS: add_name(def->name, READS, "#@", target); break;
    case PARAM_OUTPUT: add_name(def->name, WRITES, "@", target); break;
    case PARAM_CONSOLE: add_name(def->name, WRITES, "file:@", target); break;
    case PARAM_DISK:
        if (strcmp(def->name, "machine.disk1") > 0)
            break; /* eight of the same */
        add_name(def->name, READS, "@", target);
        add_name(def->name, READS, "@,ro", target);
        add_name(def->name, READS, "@,overlay=other", target);
        add_name(def->name, WRITES, "@,write", target);
        add_name(def->name, WRITES, "image,overlay=@", target);
        break;
    default: break;
    }
}

static int make_list(void **state)
{
    const struct param_def *def;
    struct machine_options options;
    const struct option *option;
    struct option_walk walk = {0};
    while ((option = commands_next_option(&simos_commands, &walk)))
        add_option(option);
    machine_options_init(&options);
    for (size_t i = 0; (def = params_at(options.params, i)); i++)
        add_parameter(def);
    machine_options_release(&options);
    if (count < 32 || enter_folder(state) != 0)
        return -1;
    write_file("another.tcl");
    return 0;
}

/* A command that was parsed: parsing takes most of the time of a check. */
struct parsed {
    struct parsed *next;
    char name[48], value[256];
    const char *words[8];
    struct command_line line;
};

static struct parsed *all_parsed;

/* The command that gives NAMED, with PATH for its file. */
static const struct command_line *command_of(const struct named *named, const char *path)
{
    static const struct {
        const char *name, *command, *more[2]; /* what else the option needs */
    } needs[] = {
        {"--symbols", "run", {"--script", "services"}},
        {"--out", "sweep", {"--over", "cache.l2.size=256K..512K"}},
        {"--svg", "report", {"s.json"}},
        {"--html", "report", {"s.json"}},
        {"--mcpat", "report", {"s.json"}},
        {"--html", "test", {"rows.tcl"}},
        {"--junit", "test", {"rows.tcl"}},
        {"--markdown", "test", {"rows.tcl"}},
        {"--tap", "test", {"rows.tcl"}},
        {"--dashboard", "test", {"rows.tcl"}},
        {"--trend", "test", {"rows.tcl", "--commit=x"}},
        {"--program", "test", {"rows.tcl"}},
        {"--json", "test", {"rows.tcl"}},
        {"--placement", "explain", {"a.json", "b.json"}},
        {"--simpoints", "windows", {"--window=1", "folder"}},
        {"mxs.view", "run", {"--cpu", "mxs"}},
    };
    const bool option = named->name[0] == '-', event = strcmp(named->value, "@@boot") == 0;
    char value[256], *at = value;
    if (!option)
        at += sprintf(at, "%s=", named->name);
    for (const char *from = event ? "@" : named->value; *from; from++)
        at += *from == '@' ? sprintf(at, "%s", path) : sprintf(at, "%c", *from == '#' ? '@' : *from);
    strcpy(at, event ? "@boot" : "");
    for (struct parsed *command = all_parsed; command; command = command->next)
        if (strcmp(command->name, named->name) == 0 && strcmp(command->value, value) == 0)
            return &command->line;
    struct parsed *command = calloc(1, sizeof *command);
    strcpy(command->name, named->name);
    strcpy(command->value, value);
    const char **words = command->words;
    int words_count = 3;
    words[0] = "run";
    words[1] = option ? command->name : "--set";
    words[2] = command->value;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (strcmp(needs[i].name, named->name) == 0) {
            words[0] = needs[i].command;
            for (unsigned k = 0; k < 2 && needs[i].more[k]; k++)
                words[words_count++] = needs[i].more[k];
        }
    struct err err = {""};
    const bool samples = strcmp(named->name, "--samples") == 0; /* its file's name has an end of its own */
    if (samples)
        words[2] = "f.csv";
    if (!command_line_parse(&command->line, &simos_commands, COMMAND_PLACE_ALONE, words_count, words, &err))
        fail_msg("%s %s: %s", words[1], words[2], err.text);
    if (samples) {
        struct run_options *run = command_line_struct(&command->line, run_option_table);
        free(run->collect.samples_path);
        run->collect.samples_path = strdup(command->value);
    }
    command->next = all_parsed;
    all_parsed = command;
    return &command->line;
}

static int free_commands(void **state)
{
    while (all_parsed) {
        struct parsed *command = all_parsed;
        all_parsed = command->next;
        command_line_release(&command->line);
        free(command);
    }
    return leave_folder(state);
}

static void add_files(const struct command_line *line, const char *owner, struct named_files *files)
{
    line->command->add_files(line->options, owner, files);
}

static bool clashes(const struct named *a, const char *path, const struct named *b, struct err *err)
{
    struct named_files *files = named_files_create();
    *err = (struct err){""};
    add_files(command_of(a, path), "a ", files);
    add_files(command_of(b, b->path), "b ", files);
    bool clash = !named_files_check(files, err);
    if (clash && (!strstr(err->text, "would be written") || strchr(err->text, '\n')))
        fail_msg("%s, %s: %s", a->name, b->name, err->text);
    named_files_free(files);
    return clash;
}

static bool is_output(const struct named *named)
{
    return named->use == WRITES || named->use == MAKES;
}

/* Names of the file PATH, all of which are in another place than d: made in advance, and removed. */
enum { PLAIN, ROUND_ABOUT, THROUGH_LINK, SYMBOLIC, HARD, SPELLINGS };

static const char *spell(char *name, size_t size, unsigned spelling, const char *path)
{
    unlink("s.tcl");
    unlink("h.tcl");
    switch (spelling) {
    case ROUND_ABOUT: snprintf(name, size, "./d/../%s", path); break;
    case THROUGH_LINK: snprintf(name, size, "l%s", path + 1); break;
    case SYMBOLIC: strcpy(name, symlink(path, "s.tcl") == 0 ? "s.tcl" : ""); break;
    case HARD: strcpy(name, link(path, "h.tcl") == 0 ? "h.tcl" : ""); break;
    default: snprintf(name, size, "%s", path); break;
    }
    return name;
}

/* All pairs of a name of one file and any other, with all spellings of the first. */
static void test_pairs(void **state)
{
    (void)state;
    unsigned pairs = 0;
    char name[64];
    struct err err;
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < count * SPELLINGS; j++) {
            const struct named *a = &all[i], *b = &all[j / SPELLINGS];
            const unsigned spelling = j % SPELLINGS;
            if (!strchr(a->value, '@') || (is_output(a) + is_output(b) == 0))
                continue;
            /* What the rules for the files of such folders know are names; a series refuses files that are there. */
            const bool by_name =
                (b->use == MAKES && strcmp(b->name, "--copy-out") != 0) || strcmp(b->name, "--out") == 0;
            if (b->use == NEW || (by_name && spelling >= SYMBOLIC))
                continue;
            write_file(b->path);
            if (!clashes(a, spell(name, sizeof name, spelling, b->path), b, &err))
                fail_msg("%s over %s as %s is not refused", a->name, b->name, name);
            if (clashes(a, "another.tcl", b, &err))
                fail_msg("%s of another file than %s: %s", a->name, b->name, err.text);
            unlink(b->path);
            pairs++;
        }
    assert_true(pairs > 3000);
}

static const struct named *find(const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    fail_msg("no %s", name);
    return NULL;
}

/* Pairs of two folders. A file that is not there yet is no input. */
static void test_folders(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        const char *copied; /* value of --copy-out */
        bool there, clash;
    } cases[] = {
        {"--copy-out", "--symbols", "/x/f.tcl:d/e", true, true},
        {"--copy-out", "--symbols", "/x/f.tcl:d/e", false, false},
        {"--copy-out", "--copy-in", "/x/e:d", true, true},
        {"--copy-out", "--copy-in", "/x/g:d", true, false},
        {"--copy-out", "--series", "/x/0000.ckpt:d", false, true},
        {"--copy-out", "--series", "/x/0000.json:d", false, false},
        {"--copy-out", "--svg", "/x/mcpi.svg:d", false, true},
        {"--copy-out", "--copy-out", "/x/f.tcl:d/e", false, true},
        {"--copy-out", "--copy-out", "/x/e:d", false, true},
        {"--copy-out", "--out", "/x/p.txt:d", false, true},
        {"--series", "--symbols", "", true, false},
        {"--series", "--svg", "", true, false},
        {"--series", "--series", "", false, true},
        {"--out", "--symbols", "", true, false},
        {"--gdb", "--stats", "", true, false},
        {"--gdb", "--series", "", true, false},
    };
    struct err err;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct named a = *find(cases[i].a);
        if (*cases[i].copied)
            snprintf(a.value, sizeof a.value, "%s", cases[i].copied);
        unlink(target);
        if (cases[i].there)
            write_file(target);
        if (clashes(&a, a.path, find(cases[i].b), &err) != cases[i].clash)
            fail_msg("%s %s and %s: %s", a.name, a.value, cases[i].b, cases[i].clash ? "not refused" : err.text);
    }
    unlink(target);
}

/* A link below a folder of symbols is followed: the file that it leads to is read. One in a copied tree is copied. */
static void test_links_below(void **state)
{
    (void)state;
    struct err err;
    write_file("elsewhere");
    assert_int_equal(symlink("../elsewhere", "d/link"), 0);
    assert_true(clashes(find("--stats"), "elsewhere", find("--symbols"), &err));
    assert_false(clashes(find("--stats"), "elsewhere", find("--copy-in"), &err));
    unlink("d/link");
    assert_int_equal(link("elsewhere", "d/hard"), 0);
    assert_true(clashes(find("--stats"), "elsewhere", find("--copy-in"), &err));
    unlink("d/hard");
    unlink("elsewhere");
}

/* Check the files of A alone, in this process or, while HOLDER has them, in another. */
static bool may_write(const struct named *a, struct named_files *files, struct err *err)
{
    *err = (struct err){""};
    add_files(command_of(a, a->path), "", files);
    return named_files_check(files, err);
}

static bool may_another_write(const struct named *a)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        for (int fd = 3; fd < 64; fd++)
            close(fd); /* as another simos, which is none of ours */
        _exit(execl("/proc/self/exe", "another", a->name, a->value, a->path, NULL));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 7));
    return WEXITSTATUS(status) == 0;
}

/* Of two processes that name one output one is refused, whether the file exists or not and whichever options name it.
 */
static void test_two_processes(void **state)
{
    (void)state;
    struct err err;
    unsigned tried = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct named *a = &all[i];
        if (!is_output(a))
            continue;
        for (unsigned there = 0; there < 2; there++) {
            struct named_files *files = named_files_create();
            unlink(a->path);
            if (there)
                write_file(a->path);
            assert_true(may_another_write(a));
            assert_true(may_write(a, files, &err));
            if (may_another_write(a))
                fail_msg("%s: two write it", a->name);
            if (a->use == WRITES && strcmp(a->path, target) == 0 && may_another_write(find("--stats")))
                fail_msg("%s and another's --stats: two write it", a->name);
            named_files_free(files);
            assert_true(may_another_write(a));
            tried++;
        }
        unlink(a->path);
    }
    assert_true(tried >= 30);
}

/* The other process: exit status 0 if it may write. */
static int another(const char *const *words)
{
    struct named named = {.use = WRITES};
    struct err err;
    snprintf(named.name, sizeof named.name, "%s", words[1]);
    snprintf(named.value, sizeof named.value, "%s", words[2]);
    snprintf(named.path, sizeof named.path, "%s", words[3]);
    struct named_files *files = named_files_create();
    bool may = may_write(&named, files, &err);
    named_files_free(files);
    return may ? 0 : strstr(err.text, "in use by another run") ? 7 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 4)
        return another((const char *const *)argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_folders),
                                       cmocka_unit_test(test_links_below), cmocka_unit_test(test_two_processes)};
    return cmocka_run_group_tests_name("named_files", tests, make_list, free_commands);
}
