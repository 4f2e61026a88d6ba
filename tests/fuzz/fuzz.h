/*
 * What the targets share: the file that a reader is given, and what must hold whatever is in it: every input is taken,
 * or refused with a line.
 *
 * A target is a file with LLVMFuzzerTestOneInput(), which calls the reader as a command does. libFuzzer's main() drives
 * it
 * (`make fuzz`), or replay.c over the corpus (`make test-corpus`).
 */
#ifndef SIMOS_TESTS_FUZZ_FUZZ_H
#define SIMOS_TESTS_FUZZ_FUZZ_H

#include "src/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *input, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);

/* A file in memory, which has a path. */
struct fuzz_file {
    int fd;
    char path[40];
};

static int fuzz_said_to;

/* Before libFuzzer closes stderr to what readers say of their input. */
__attribute__((constructor)) static void fuzz_keep_stderr(void)
{
    fuzz_said_to = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
}

_Noreturn static inline void fuzz_fail(const char *what, const char *why)
{
    dprintf(fuzz_said_to, "fuzz: %s: %s\n", what, why);
    abort();
}

static inline struct fuzz_file fuzz_file_create(void)
{
    struct fuzz_file file = {.fd = memfd_create("input", MFD_CLOEXEC)};
    if (file.fd < 0)
        fuzz_fail("a file in memory", "the host refuses it");
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

/* FILE holds SIZE BYTES, and nothing else. */
static inline void fuzz_file_fill(const struct fuzz_file *file, const void *bytes, size_t size)
{
    if (ftruncate(file->fd, 0) != 0 || pwrite(file->fd, bytes, size, 0) != (ssize_t)size)
        fuzz_fail("a file in memory", "it cannot be written");
}

/* The reader says DONE. */
static inline void fuzz_check(bool done, const struct err *err)
{
    if (done != (err->text[0] == 0))
        fuzz_fail(done ? "taken with a line" : "refused without a line", err->text);
    if (strpbrk(err->text, "\n\r\033"))
        fuzz_fail("more than a line", err->text);
}

/* How often WORD is in TEXT. */
static inline unsigned fuzz_count(const char *text, const char *word)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
}

/* The drawings in TEXT, called WHAT, have places that are numbers. */
static inline void fuzz_check_drawn(const char *text, const char *what)
{
    if (strstr(text, "=\"nan") || strstr(text, "=\"-nan") || strstr(text, "=\"inf") || strstr(text, "=\"-inf"))
        fuzz_fail(what, "is drawn where no place is");
}

static inline void fuzz_must(bool good, const char *what, const struct err *err)
{
    if (!good)
        fuzz_fail(what, err->text);
}

/* Where what is printed goes. */
static inline FILE *fuzz_sink(void)
{
    static FILE *sink;
    if (!sink)
        sink = checked_memory(fopen("/dev/null", "w"));
    return sink;
}

static inline int fuzz_remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return (int)TEMP_FAILURE_RETRY(remove(path)); /* the guard makes it one that libFuzzer's timer may interrupt */
}

static char fuzz_folder[4096];

static inline void fuzz_leave_folder(void)
{
    if (chdir("/") == 0)
        nftw(fuzz_folder, fuzz_remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

/* The working directory is now one of this process alone, which goes with it. */
static inline void fuzz_enter_folder(void)
{
    const char *parent = getenv("TMPDIR");
    snprintf(fuzz_folder, sizeof fuzz_folder, "%s/simos-fuzz.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(fuzz_folder) || chdir(fuzz_folder) != 0)
        fuzz_fail(fuzz_folder, "cannot be made");
    atexit(fuzz_leave_folder);
}

/* INPUT as a text, to be freed. */
static inline char *fuzz_text(const uint8_t *input, size_t size)
{
    char *text = checked_memory(malloc(size + 1));
    memcpy(text, input, size);
    text[size] = 0;
    return text;
}

/* The next COUNT bytes of an input, or as many as there are, the rest zeros. */
static inline void fuzz_take(const uint8_t **input, size_t *size, void *bytes, size_t count)
{
    size_t there = count < *size ? count : *size;
    memset(bytes, 0, count);
    memcpy(bytes, *input, there);
    *input += there;
    *size -= there;
}

#endif
