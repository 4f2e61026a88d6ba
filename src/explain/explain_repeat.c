#include "src/explain/explain_repeat.h"

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

static void put(struct explain_words *words, const char *word)
{
    words->word = checked_memory(realloc(words->word, (words->count + 2) * sizeof *words->word));
    words->word[words->count++] = word;
    words->word[words->count] = NULL;
}

static bool can_be_repeated(const char *word)
{
    return strcmp(word, "run") == 0 || strcmp(word, "restore") == 0;
}

/* The words of B's run: those of the command line, or of its file B, which owns them. False with ERR. */
static bool find_words(struct explain_repeat *repeat, const struct results *b, struct err *err)
{
    const struct explain_options *options = repeat->options;
    struct explain_words *from = &repeat->from;
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
                       "--%s: %.200s does not say how it was made: give its command, as in -- run --machine "
                       "1994 ..., or make it with --provenance",
                       repeat->option, options->files[1]);
    return can_be_repeated(from->word[0]) ||
           err_set(err, "--%s: \"%.64s\": only `run` and `restore` can be repeated", repeat->option, from->word[0]);
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
static bool check_origin(const struct explain_options *options, const struct explain_words *from, struct err *err)
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

bool explain_repeat_begin(struct explain_repeat *repeat, const struct explain_options *options, const char *option,
                          const struct results *b, struct err *err)
{
    *repeat = (struct explain_repeat){.options = options, .option = option};
    return find_words(repeat, b, err) && check_origin(options, &repeat->from, err);
}

void explain_repeat_end(struct explain_repeat *repeat)
{
    free(repeat->from.word);
    repeat->from = (struct explain_words){NULL, 0};
}

/* The words of a run like B with ASSIGNMENTS, whose statistics go to STATS. */
static void make_words(const struct explain_repeat *repeat, const char *const *assignments, const char *stats,
                       struct explain_words *to)
{
    const struct explain_options *options = repeat->options;
    const struct explain_words *from = &repeat->from;
    size_t at = 1;
    *to = (struct explain_words){NULL, 0};
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
    for (size_t i = 0; assignments[i]; i++) { /* behind B's own */
        put(to, "--set");
        put(to, assignments[i]);
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
static void complain(const struct explain_repeat *repeat, int error, int status, struct err *err)
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
    err_set(err, "--%s: the repeated run failed, status %d: %.*s", repeat->option,
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            length - first < 400 ? (int)(length - first) : 400, text + first);
    printable_replace(err->text, '?');
    free(text);
}

/* Run WORDS, which write their statistics to descriptor OUT of a pipe with the other end IN. NULL with ERR. */
static json_t *run_words(const struct explain_repeat *repeat, const struct explain_words *words, int in, int out,
                         struct err *err)
{
    const int error = memfd_create("messages", MFD_CLOEXEC);
    fflush(NULL);
    const pid_t parent = getpid(), pid = error < 0 ? -1 : fork();
    if (pid == 0)
        exec_run(parent, words->word, error);
    close(out);
    if (pid < 0) {
        err_set(err, "--%s: no process: %s", repeat->option, strerror(errno));
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
        complain(repeat, error, status, err);
    close(error);
    free(text);
    return root;
}

json_t *explain_repeat_run(const struct explain_repeat *repeat, const char *const *assignments, struct err *err)
{
    int ends[2];
    char stats[32];
    struct explain_words words;
    if (pipe(ends) != 0) {
        err_set(err, "--%s: no pipe: %s", repeat->option, strerror(errno));
        return NULL;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    snprintf(stats, sizeof stats, "/dev/fd/%d", ends[1]);
    make_words(repeat, assignments, stats, &words);
    json_t *root = run_words(repeat, &words, ends[0], ends[1], err);
    close(ends[0]);
    free(words.word);
    return root;
}

struct explanation *explain_repeat_compare(const struct explain_repeat *repeat, const struct explanation *e,
                                           const char *const *assignments, struct err *err)
{
    static const char *const titles[EXPLAIN_SIDES] = {"B", "the repeated run"};
    json_t *root = explain_repeat_run(repeat, assignments, err);
    json_t *const roots[EXPLAIN_SIDES] = {e->column[1]->root, root};
    struct explanation *again = root ? explanation_create(titles, roots, err) : NULL;
    json_decref(root);
    if (again)
        memcpy(again->name, titles, sizeof titles);
    return again;
}

bool explain_repeat_check(const struct explain_repeat *repeat, const struct explanation *e, struct err *err)
{
    static const char *const none[] = {NULL};
    struct explanation *again = explain_repeat_compare(repeat, e, none, err);
    const bool same = again && again->difference == 0;
    if (again && !same)
        err_set(err, "--%s: the command does not repeat %.200s: %" PRId64 " cycles instead of %" PRId64, repeat->option,
                repeat->options->files[1], again->cycles[1], again->cycles[0]);
    explanation_free(again);
    return same;
}
