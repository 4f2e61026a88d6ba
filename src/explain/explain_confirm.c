#include "src/explain/explain_confirm.h"

#include "src/base/printable.h"
#include "src/description/machine_file.h"
#include "src/results/values.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <signal.h>

/* Runs of B again */

/* Is OPTION, with VALUE, left out when a run is repeated? It writes a file, which stays as it is; or is given anew. */
static bool is_left_out(const struct option *option, const char *value)
{
    static const char *const anew[] = {"table", "provenance", "quiet", "console", "live"};
    for (size_t i = 0; i < sizeof anew / sizeof anew[0]; i++)
        if (strcmp(option->name, anew[i]) == 0)
            return true;
    return option->flags & (OPTION_WRITES | OPTION_MAKES) ||
           (strcmp(option->name, "script") == 0 && value && !strpbrk(value, "/.")); /* a library */
}

/* The value of OPTION (NULL: of none) at word *AT of WORDS, which end with NULL, or NULL; *AT becomes that of its last
 * word. */
static const char *value_of(const struct option *option, const char *const *words, size_t *at)
{
    const char *equals = strchr(words[*at], '=');
    if (!option || !option->value || equals)
        return equals ? equals + 1 : NULL;
    return option->value[0] != '[' && words[*at + 1] ? words[++*at] : NULL;
}

struct words {
    const char **word;
    size_t count;
};

static void put(struct words *words, const char *word)
{
    words->word = checked_memory(realloc(words->word, (words->count + 2) * sizeof *words->word));
    words->word[words->count++] = word;
    words->word[words->count] = NULL;
}

static bool can_be_repeated(const char *word)
{
    return strcmp(word, "run") == 0 || strcmp(word, "restore") == 0;
}

/* The words of B's run: those of OPTIONS, or of its file, which owns them. False with ERR. */
static bool find_words(const struct explain_options *options, const struct results *b, struct words *from,
                       struct err *err)
{
    const char *word;
    for (int at = 0; at < options->word_count; at++)
        put(from, options->words[at]);
    for (size_t i = 0; options->word_count == 0 && (word = results_word(b, i)); i++)
        put(from, word);
    if (from->count > 1 && options->word_count == 0 && !can_be_repeated(from->word[0]) &&
        can_be_repeated(from->word[1]))
        memmove(from->word, from->word + 1, from->count-- * sizeof *from->word);
    if (from->count == 0)
        return err_set(err,
                       "--confirm: %.200s does not say how it was made: give its command, as in -- run --machine "
                       "1994 ..., or make it with --provenance",
                       options->files[1]);
    return can_be_repeated(from->word[0]) ||
           err_set(err, "--confirm: \"%.64s\": only `run` and `restore` can be repeated", from->word[0]);
}

/* Is VALUE of OPTION a file of this host that a run reads without being asked whether it may? Parameters with host
 * access and options that are said to have it are refused by the run itself. */
static bool names_input(const struct option *option, const char *value)
{
    static const char disk[] = "machine.disk";
    if (strcmp(option->name, "machine") == 0)
        return !machine_text_find(value, NULL);
    return strcmp(option->name, "disk") == 0 ||
           (strcmp(option->name, "set") == 0 && strncmp(value, disk, strlen(disk)) == 0);
}

/* The words FROM are those of B's file: do they name no file of this host? Otherwise false with ERR. */
static bool check_origin(const struct explain_options *options, const struct words *from, struct err *err)
{
    static const char remedy[] = "is a file of this host: give the command after --, or use --trust";
    if (options->word_count > 0 || options->trust)
        return true;
    for (size_t at = 1; at < from->count && strcmp(from->word[at], "--") != 0; at++) {
        const struct option *option = commands_option(options->commands, from->word[at]);
        const char *value = value_of(option, from->word, &at);
        if (!option && strncmp(from->word[at], "-", 1) != 0)
            return err_set(err, "%.200s: its checkpoint %.200s %s", options->files[1], PRINTABLE(from->word[at]),
                           remedy);
        if (option && value && !is_left_out(option, value) && names_input(option, value))
            return err_set(err, "%.200s: its --%s %.200s %s", options->files[1], option->name, PRINTABLE(value),
                           remedy);
    }
    return true;
}

/* The words of a run like FROM with WHATIF free (NULL: nothing), whose statistics go to STATS. */
static void make_words(const struct explain_options *options, const struct words *from, const char *assignment,
                       const char *stats, struct words *to)
{
    size_t at = 1;
    *to = (struct words){NULL, 0};
    put(to, "simos");
    put(to, from->word[0]);
    if (options->trust)
        put(to, "--trust");
    put(to, "--stats");
    put(to, stats);
    put(to, "--table");
    put(to, "none");
    put(to, "--script");
    put(to, "cycles");
    if (assignment) {
        put(to, "--set");
        put(to, assignment);
    }
    if (options->word_count == 0) {
        put(to, "--from");
        put(to, options->files[1]);
    }
    for (; at < from->count && strcmp(from->word[at], "--") != 0; at++) {
        const size_t first = at;
        const struct option *option = commands_option(options->commands, from->word[at]);
        const char *value = value_of(option, from->word, &at);
        if (option && is_left_out(option, value))
            continue;
        put(to, from->word[first]);
        if (at > first)
            put(to, value);
    }
    for (; at < from->count; at++)
        put(to, from->word[at]);
}

/* Read all of DESCRIPTOR. The caller frees the text. */
static char *read_all(int descriptor, size_t *length)
{
    enum { MOST = 256 << 20 };
    size_t room = 1 << 16;
    char *text = checked_memory(malloc(room));
    *length = 0;
    for (;;) {
        const ssize_t more = read(descriptor, text + *length, room - *length);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0 || *length + (size_t)more > MOST)
            return text;
        *length += (size_t)more;
        if (*length == room)
            text = checked_memory(realloc(text, room *= 2));
    }
}

/* In the child, whose errors go to ERROR, without what its guest prints (src/base/error_lines.h): never returns. */
static void exec_run(pid_t parent, const char *const *words, int error)
{
    char number[16];
    const int null = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    snprintf(number, sizeof number, "%d", error);
    if (getppid() == parent && null >= 0 && dup2(null, 0) == 0 && dup2(null, 1) == 1 && dup2(null, 2) == 2 &&
        fcntl(error, F_SETFD, 0) == 0 && setenv("SIMOS_ERRORS_FD", number, 1) == 0)
        execv("/proc/self/exe", (char *const *)words);
    dprintf(error, "error cannot be started: %s\n", strerror(errno));
    _exit(EXIT_SIMOS_FAILED);
}

/* The run failed with STATUS: ERR gets the last line of its errors, which are in ERROR. */
static void complain(int error, int status, struct err *err)
{
    size_t length;
    lseek(error, 0, SEEK_SET);
    char *text = read_all(error, &length);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    size_t first = length;
    while (first > 0 && text[first - 1] != '\n')
        first--;
    static const char own[] = "error ";
    if (length - first > strlen(own) && strncmp(text + first, own, strlen(own)) == 0)
        first += strlen(own);
    err_set(err, "--confirm: the repeated run failed, status %d: %.*s",
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            length - first < 400 ? (int)(length - first) : 400, text + first);
    printable_replace(err->text, '?');
    free(text);
}

/* Run WORDS, which write their statistics to descriptor OUT of a pipe with the other end IN. NULL with ERR. */
static json_t *run_words(const struct words *words, int in, int out, struct err *err)
{
    const int error = memfd_create("messages", MFD_CLOEXEC);
    fflush(NULL);
    const pid_t parent = getpid(), pid = error < 0 ? -1 : fork();
    if (pid == 0)
        exec_run(parent, words->word, error);
    close(out);
    if (pid < 0) {
        err_set(err, "--confirm: no process: %s", strerror(errno));
        if (error >= 0)
            close(error);
        return NULL;
    }
    size_t length;
    char *text = read_all(in, &length);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    json_t *root = length > 0 ? json_file_parse("statistics", "of the repeated run", text, length, err) : NULL;
    if (length == 0)
        complain(error, status, err);
    close(error);
    free(text);
    return root;
}

/* The statistics of a run like B in which ASSIGNMENT holds (NULL: the same run), compared with those of B. The caller
 * frees the explanation. NULL with ERR. */
static struct explanation *repeat(const struct explain_options *options, const struct explanation *e,
                                  const struct words *from, const char *assignment, struct err *err)
{
    static const char *const titles[EXPLAIN_SIDES] = {"B", "the repeated run"};
    int ends[2];
    char stats[32];
    struct words words;
    if (pipe(ends) != 0) {
        err_set(err, "--confirm: no pipe: %s", strerror(errno));
        return NULL;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    snprintf(stats, sizeof stats, "/dev/fd/%d", ends[1]);
    make_words(options, from, assignment, stats, &words);
    json_t *root = run_words(&words, ends[0], ends[1], err);
    close(ends[0]);
    free(words.word);
    json_t *const roots[EXPLAIN_SIDES] = {e->column[1]->root, root};
    struct explanation *again = root ? explanation_create(titles, roots, err) : NULL;
    json_decref(root);
    if (again)
        memcpy(again->name, titles, sizeof titles);
    return again;
}

static bool check_same(const struct explain_options *options, const struct explanation *e, const struct words *from,
                       struct err *err)
{
    struct explanation *again = repeat(options, e, from, NULL, err);
    const bool same = again && again->difference == 0;
    if (again && !same)
        err_set(err, "--confirm: the command does not repeat %.200s: %" PRId64 " cycles instead of %" PRId64,
                options->files[1], again->cycles[1], again->cycles[0]);
    explanation_free(again);
    return same;
}

/* Is what cause INDEX makes free what a larger cause does? */
static bool is_repeated(const struct explanation *e, size_t index, const char *whatif)
{
    char other[768];
    struct leaf_name free_name;
    for (size_t i = 0; i < index; i++)
        if (e->causes[i].difference > 0 && explanation_whatif(e, i, other, sizeof other, &free_name) &&
            strcmp(other, whatif) == 0)
            return true;
    return false;
}

/* Print what makes the gain differ from PREDICTED, if it is more than 10 % of it: AGAIN compares B with the repeated
 * run, in which the leaves FREE are free. */
static void print_side_effects(struct explanation *again, const struct leaf_name *free_name, int64_t predicted)
{
    enum { PART = 10, SHOWN = 3 };
    const int64_t gain = again->cycles[0] - again->cycles[1], off = gain - predicted;
    if ((off < 0 ? -off : off) <= predicted / PART)
        return;
    const uint64_t before = results_cpus_count(again->column[0], "exceptions.interrupt"),
                   after = results_cpus_count(again->column[1], "exceptions.interrupt");
    printf("    %+.0f %% against the prediction, which holds everything else as it is in B. What else changed:\n",
           100.0 * (double)off / (double)predicted);
    if (before != after)
        printf("    %" PRIu64 " interrupts instead of %" PRIu64 ": they come by the clock, or when a device is ready\n",
               after, before);
    explanation_leave_out(again, free_name);
    for (size_t i = 0; i < again->cause_count && i < SHOWN && again->causes[i].difference != 0; i++) {
        char what[512], why[256], amount[48];
        explanation_say(again, i, what, sizeof what);
        explanation_say_why(again, i, why, sizeof why);
        explanation_amount(again, again->causes[i].difference, amount, sizeof amount);
        printf("    %s: %s\n        %s\n", amount, what, why);
    }
}

/* Repeat B without cause INDEX, which ASSIGNMENT makes free, and print both gains. False with ERR. */
static bool confirm_cause(const struct explain_options *options, const struct explanation *e, const struct words *from,
                          const char *assignment, const struct leaf_name *free_name, int64_t predicted, struct err *err)
{
    struct explanation *again = repeat(options, e, from, assignment, err);
    if (!again)
        return false;
    const int64_t gain = again->cycles[0] - again->cycles[1];
    printf("%16" PRId64 " %16" PRId64 " %8.2f %%  %s\n", predicted, gain, 100.0 * (double)gain / (double)predicted,
           PRINTABLE(strchr(assignment, '=') + 1));
    print_side_effects(again, free_name, predicted);
    fflush(stdout);
    explanation_free(again);
    return true;
}

bool explain_confirm(const struct explain_options *options, const struct explanation *e, struct err *err)
{
    struct words from = {NULL, 0};
    bool done = find_words(options, e->column[1], &from, err) && check_origin(options, &from, err);
    unsigned confirmed = 0;
    if (done && e->level != LEAVES_BY_PLACE)
        done = err_set(err, "--confirm: both runs need --script cycles");
    done = done && check_same(options, e, &from, err);
    if (done)
        printf("\nB again, without a cause:\n%16s %16s %10s  %s\n", "predicted gain", "simulated gain", "of it",
               "what is free");
    for (size_t i = 0; done && i < e->cause_count && confirmed < options->confirm; i++) {
        enum { TEXT = 768 };
        static const char name[] = "whatif.free=";
        char assignment[sizeof name + TEXT];
        struct leaf_name free_name;
        memcpy(assignment, name, sizeof name);
        if (e->causes[i].difference <= 0 || !explanation_whatif(e, i, assignment + strlen(name), TEXT, &free_name) ||
            explanation_cycles(e, 1, &free_name) <= 0 || is_repeated(e, i, assignment + strlen(name)))
            continue;
        confirmed++;
        done = confirm_cause(options, e, &from, assignment, &free_name, explanation_cycles(e, 1, &free_name), err);
    }
    if (done && confirmed == 0)
        printf("(none: no cause by which B takes longer can be made free alone)\n");
    free(from.word);
    return done;
}
