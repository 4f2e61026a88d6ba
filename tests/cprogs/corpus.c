/*
 * Runs cases of the corpus.
 *
 *   corpus --list           one case name a line
 *   corpus [-v] CASE...     runs these cases in this process, one after the other
 *   corpus [-v] --all [TEXT]  runs every case (whose name contains TEXT) in a process of its own, printing a line
 *                           "== CASE" before and "-- how it ended" after its output; exit status 0 if all could be run
 */
#define _GNU_SOURCE
#include "corpus.h"

#include <stdlib.h>
#include <string.h>
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

static int corpus_run_forked(const struct corpus_case *entry)
{
    printf("== %s\n", entry->name);
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) {
        perror("corpus: fork");
        return 1;
    }
    if (child == 0) {
        alarm(CASE_SECONDS);
        entry->run();
        fflush(stdout);
        _exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child) {
        perror("corpus: waitpid");
        return 1;
    }
    if (WIFSIGNALED(status))
        printf("-- signal %d\n", WTERMSIG(status));
    else
        printf("-- status %d\n", WEXITSTATUS(status));
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
    if (strcmp(argv[first], "--list") == 0) {
        for (const struct corpus_case *const *entry = __start_corpus_cases; entry != __stop_corpus_cases; entry++)
            puts((*entry)->name);
        return 0;
    }
    if (strcmp(argv[first], "--all") == 0) {
        const char *text = first + 1 < argc ? argv[first + 1] : "";
        int failed = 0;
        for (const struct corpus_case *const *entry = __start_corpus_cases; entry != __stop_corpus_cases; entry++)
            if (strstr((*entry)->name, text))
                failed |= corpus_run_forked(*entry);
        return failed;
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
