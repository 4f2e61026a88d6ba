/*
 * Runs cases of the corpus.
 *
 *   corpus --list           one case name a line
 *   corpus --libc           the C library's version
 *   corpus [-v] CASE...     runs these cases in this process, one after the other
 *   corpus [-v] --all [TEXT]  runs every case (whose name contains TEXT) in child processes, printing a line "== CASE"
 *                           before and "-- how it ended" after its output; exit status 0 if all could be run
 */
#define _GNU_SOURCE
#include "corpus.h"

#include <gnu/libc-version.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds after which a case that hangs is ended by SIGALRM; cases that use the timer themselves end quickly. */
#define CASE_SECONDS 20

bool corpus_verbose;

/* The linker collects the entries of all files here. */
extern const struct corpus_case *const __start_corpus_cases[];
extern const struct corpus_case *const __stop_corpus_cases[];

static const struct corpus_case *corpus_find(const char *name)
{
    for (const struct corpus_case *const *entry = __start_corpus_cases; entry != __stop_corpus_cases; entry++)
        if (strcmp((*entry)->name, name) == 0)
            return *entry;
    return NULL;
}

typedef const struct corpus_case *const *corpus_entry;

/* Where a child is, in memory shared with the parent: the parent's only way to know where a child died. */
struct corpus_progress {
    volatile corpus_entry at;
    volatile bool finished; /* the child ended as it should, not inside a case */
};

static void corpus_run_child(corpus_entry entry, const char *text, struct corpus_progress *progress)
{
    static const int exceptions[] = {SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV};
    for (corpus_entry first = entry; entry != __stop_corpus_cases; entry++) {
        if (!strstr((*entry)->name, text))
            continue;
        if (entry != first && (*entry)->alone)
            break;
        progress->at = entry;
        printf("== %s\n", (*entry)->name);
        alarm(CASE_SECONDS);
        (*entry)->run();
        if ((*entry)->alone)
            break;
        printf("-- status 0\n");
        progress->at = entry + 1;
        for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
            signal(exceptions[i], SIG_DFL);
    }
    progress->finished = true;
    fflush(stdout);
    _exit(0);
}

/*
 * Runs all cases whose name contains a text. A child process takes one case that wants to be alone, or as many others
 * as come; when it ends, or dies, the next child goes on where it stopped.
 */
static int corpus_run_all(const char *text)
{
    struct corpus_progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED) {
        perror("corpus: mmap");
        return 1;
    }
    for (corpus_entry entry = __start_corpus_cases; entry != __stop_corpus_cases;) {
        if (!strstr((*entry)->name, text)) {
            entry++;
            continue;
        }
        fflush(stdout);
        progress->at = entry;
        progress->finished = false;
        pid_t child = fork();
        if (child < 0) {
            perror("corpus: fork");
            return 1;
        }
        if (child == 0)
            corpus_run_child(entry, text, progress);
        int status;
        if (waitpid(child, &status, 0) != child) {
            perror("corpus: waitpid");
            return 1;
        }
        /* A child with other cases has printed how the last of them ended, and stands behind it. */
        if (progress->finished && !(*entry)->alone) {
            entry = progress->at;
            continue;
        }
        if (WIFSIGNALED(status))
            printf("-- signal %d\n", WTERMSIG(status));
        else
            printf("-- status %d\n", WEXITSTATUS(status));
        entry = progress->at + 1;
    }
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    /* A case that dies keeps the lines it has printed, expected crashes leave no core files, no file of the machine is
     * read. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    setenv("TZ", "UTC0", 1);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    int first = 1;
    if (first < argc && strcmp(argv[first], "-v") == 0) {
        corpus_verbose = true;
        first++;
    }
    if (first >= argc) {
        fprintf(stderr, "usage: corpus --list | [-v] --all [TEXT] | [-v] CASE...\n");
        return 2;
    }
    if (strcmp(argv[first], "--libc") == 0) {
        puts(gnu_get_libc_version());
        return 0;
    }
    if (strcmp(argv[first], "--list") == 0) {
        for (const struct corpus_case *const *entry = __start_corpus_cases; entry != __stop_corpus_cases; entry++)
            puts((*entry)->name);
        return 0;
    }
    if (strcmp(argv[first], "--all") == 0) {
        const char *text = first + 1 < argc ? argv[first + 1] : "";
        return corpus_run_all(text);
    }
    for (int i = first; i < argc; i++) {
        const struct corpus_case *entry = corpus_find(argv[i]);
        if (!entry) {
            fprintf(stderr, "corpus: no case \"%s\" (corpus --list shows them)\n", argv[i]);
            return 2;
        }
        entry->run();
    }
    return 0;
}
