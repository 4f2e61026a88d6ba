/*
 * measure: runs a command and writes what it cost.
 *
 *     measure [-t SECONDS] [-l LINES] [-m MAPS] FILE COMMAND...
 *
 * FILE gets one line: seconds of wall time, seconds of processor time (user and system), and largest resident set in
 * KB. The exit status is the command's.
 *
 * -t: a command that takes longer is killed; exit status 124.
 * -l: the command's standard output goes to LINES, each line behind the wall time since the command's start at which
 * the line was complete, and the processor time that the command and the children it has waited for had used by then,
 *     in seconds. Carriage returns are left out.
 * -m: whenever the command has printed "BENCH end", its memory map (/proc/PID/smaps) is copied to MAPS.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MEASURE_TIMEOUT 124 /* exit statuses */
#define MEASURE_FAILED  125

struct options {
    double timeout; /* seconds, 0: none */
    const char *lines, *maps, *cost;
    char **command;
};

/* A command that runs. */
struct run {
    pid_t pid;
    clockid_t clock; /* of its processor time */
    struct timespec start;
    int output; /* of the command, -1: not ours */
    FILE *lines;
    const char *maps;
    char line[4096];
    size_t length;
};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
    exit(MEASURE_FAILED);
}

static double seconds(struct timespec t)
{
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double wall_time(const struct run *run)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return seconds(now) - seconds(run->start);
}

/* Of the processes that the command has started and waited for; the system counts it in hundredths of a second. */
static double children_time(const struct run *run)
{
    char name[32], text[1024];
    unsigned long user = 0, kernel = 0;

    snprintf(name, sizeof name, "/proc/%d/stat", (int)run->pid);
    FILE *in = fopen(name, "r");
    if (!in)
        die(name);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    /* The second field is a name in parentheses, these are the 16th and 17th. */
    const char *rest = strrchr(text, ')');
    if (!rest || sscanf(rest, ") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %lu", &user, &kernel) != 2) {
        errno = EINVAL;
        die(name);
    }
    return (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
}

static double processor_time(const struct run *run)
{
    struct timespec used = {0};

    clock_gettime(run->clock, &used);
    return seconds(used) + children_time(run);
}

static void copy_maps(const struct run *run)
{
    char name[32], buffer[65536];
    size_t count;

    snprintf(name, sizeof name, "/proc/%d/smaps", (int)run->pid);
    FILE *in = fopen(name, "r"), *out = fopen(run->maps, "w");
    if (!in || !out)
        die(in ? run->maps : name);
    while ((count = fread(buffer, 1, sizeof buffer, in)) > 0)
        if (fwrite(buffer, 1, count, out) != count)
            die(run->maps);
    fclose(in);
    if (fclose(out))
        die(run->maps);
}

static void end_line(struct run *run)
{
    run->line[run->length] = 0;
    run->length = 0;
    fprintf(run->lines, "%.6f %.6f %s\n", wall_time(run), processor_time(run), run->line);
    if (run->maps && !strcmp(run->line, "BENCH end"))
        copy_maps(run);
}

/* Takes what the command has printed; false at the end. */
static bool take_output(struct run *run)
{
    char buffer[4096];
    ssize_t count = read(run->output, buffer, sizeof buffer);

    if (count < 0 && errno == EINTR)
        return true;
    for (ssize_t i = 0; i < count; i++) {
        if (buffer[i] == '\n')
            end_line(run);
        else if (buffer[i] != '\r' && run->length < sizeof run->line - 1)
            run->line[run->length++] = buffer[i];
    }
    return count > 0;
}

/* Waits for the end of the command's output, if it is ours, and then of the command. False if the time was up. */
static bool follow(struct run *run, double timeout, int ended)
{
    struct pollfd fd = {.fd = run->output >= 0 ? run->output : ended, .events = POLLIN};

    for (;;) {
        double left = timeout - wall_time(run);
        if (timeout > 0 && left <= 0)
            return false;
        int ready = poll(&fd, 1, timeout > 0 ? (int)(left * 1000) + 1 : -1);
        if (ready < 0 && errno != EINTR)
            die("poll");
        if (ready <= 0)
            continue;
        if (fd.fd == ended)
            return true;
        if (!take_output(run))
            fd.fd = ended;
    }
}

static void start(struct run *run, const struct options *options)
{
    int fds[2] = {-1, -1};

    if (options->lines && pipe2(fds, O_CLOEXEC))
        die("pipe");
    run->output = fds[0];
    clock_gettime(CLOCK_MONOTONIC, &run->start);
    run->pid = fork();
    if (run->pid < 0)
        die("fork");
    if (run->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (fds[1] >= 0)
            dup2(fds[1], STDOUT_FILENO);
        execvp(options->command[0], options->command);
        die(options->command[0]);
    }
    if (fds[1] >= 0)
        close(fds[1]);
    if (clock_getcpuclockid(run->pid, &run->clock))
        die("processor time");
}

static void write_cost(const struct options *options, const struct run *run, const struct rusage *usage)
{
    FILE *out = fopen(options->cost, "w");

    if (!out)
        die(options->cost);
    fprintf(out, "%.3f %.3f %ld\n", wall_time(run),
            (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
                (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1e-6,
            usage->ru_maxrss);
    if (fclose(out))
        die(options->cost);
}

static bool read_options(struct options *options, int argc, char **argv)
{
    int option;

    while ((option = getopt(argc, argv, "+t:l:m:")) != -1) {
        switch (option) {
        case 't': options->timeout = strtod(optarg, NULL); break;
        case 'l': options->lines = optarg; break;
        case 'm': options->maps = optarg; break;
        default: return false;
        }
    }
    if (argc - optind < 2 || (options->maps && !options->lines))
        return false;
    options->cost = argv[optind];
    options->command = argv + optind + 1;
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {0};
    struct run run = {0};
    struct rusage usage;
    int status, ended;
    bool in_time;

    if (!read_options(&options, argc, argv)) {
        fputs("usage: measure [-t SECONDS] [-l LINES [-m MAPS]] FILE COMMAND...\n", stderr);
        return MEASURE_FAILED;
    }
    if (options.lines && !(run.lines = fopen(options.lines, "w")))
        die(options.lines);
    run.maps = options.maps;
    start(&run, &options);
    ended = (int)syscall(SYS_pidfd_open, run.pid, 0);
    if (ended < 0)
        die("pidfd_open");
    in_time = follow(&run, options.timeout, ended);
    if (!in_time)
        kill(run.pid, SIGKILL);
    if (wait4(run.pid, &status, 0, &usage) != run.pid)
        die("wait");
    if (run.lines && fclose(run.lines))
        die(options.lines);
    write_cost(&options, &run, &usage);
    if (!in_time)
        return MEASURE_TIMEOUT;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
