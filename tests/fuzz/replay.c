/*
 * Gives every file that is named, and every file of a folder that is named, to the target it is linked with, for a
 * compiler without libFuzzer. What takes longer than SECONDS of processor time is a failure.
 */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>

enum { SECONDS = 5 };

/* Only the targets that need it have one. */
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return 0;
}

/* Some targets have a mutator, which is never called here. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most)
{
    (void)bytes, (void)most;
    return size;
}

/* A report of the sanitizers ends with a signal, so that the input is named. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "abort_on_error=1:detect_leaks=1";
}

static char name[PATH_MAX];
static unsigned count;

static void say_input(int signal)
{
    static const char slow[] = "takes too long: ", failed[] = "failed: ";
    ssize_t done = signal == SIGPROF ? write(2, slow, sizeof slow - 1) : write(2, failed, sizeof failed - 1);
    done = write(2, name, strlen(name)) + write(2, "\n", done > 0);
    _exit(1);
}

static bool replay_file(const char *path)
{
    static const struct itimerval limit = {.it_value.tv_sec = SECONDS}, none;
    struct stat there;
    FILE *in = fopen(path, "rb");
    if (!in || fstat(fileno(in), &there) != 0)
        return false;
    size_t size = (size_t)there.st_size;
    uint8_t *input = checked_memory(malloc(size + !size));
    bool done = fread(input, 1, size, in) == size;
    fclose(in);
    snprintf(name, sizeof name, "%s", path);
    setitimer(ITIMER_PROF, &limit, NULL);
    if (done)
        LLVMFuzzerTestOneInput(input, size);
    setitimer(ITIMER_PROF, &none, NULL);
    free(input);
    count++;
    return done;
}

static bool replay(const char *path)
{
    const struct dirent *entry;
    DIR *folder = opendir(path);
    if (!folder)
        return replay_file(path);
    bool done = true;
    while ((entry = readdir(folder))) {
        char file[PATH_MAX];
        if (*entry->d_name == '.')
            continue;
        if (snprintf(file, sizeof file, "%s/%s", path, entry->d_name) >= (int)sizeof file)
            file[0] = 0;
        done = replay_file(file) && done;
    }
    closedir(folder);
    return done;
}

int main(int argc, char **argv)
{
    bool done = true;
    signal(SIGPROF, say_input);
    signal(SIGABRT, say_input);
    LLVMFuzzerInitialize(&argc, &argv);
    if (!freopen("/dev/null", "w", stdout))
        return 1;
    for (int i = 1; i < argc; i++)
        if (!replay(argv[i])) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            done = false;
        }
    fprintf(stderr, "replayed: %u\n", count);
    return done && count ? 0 : 1;
}
