#include "src/sweep/sweep_run.h"

#include "src/base/printable.h"
#include "src/base/progress.h"
#include "src/sweep/sweep_record.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS_TO_END = 10 /* between SIGTERM and SIGKILL */, SAID_MOST = 1 << 16 /* bytes of errors that are read */ };

/* A job whose process has ended with wait status HOW. */
struct ended {
    unsigned number;
    int how;
    int said; /* as in struct process */
};

struct process {
    pid_t id; /* 0: not running */
    int said; /* a file in memory with the errors of the job's simos (src/base/error_lines.h) */
};

struct sweep_run {
    const struct sweep_jobs *jobs;
    const struct sweep_run_options *options;
    struct sweep_run_totals *totals;
    struct err *err;
    char **identities;         /* of each job; NULL: not to be executed */
    struct process *processes; /* of each job */
    struct ended *unstored;    /* jobs that have ended, with results that are not stored yet */
    unsigned unstored_count;
    unsigned running, wanted, ended;
    struct progress *progress;
    bool stopping; /* processes are being terminated: ignore their results */
    sigset_t signals, old_signals;
};

/* The folder and its lock */

bool sweep_run_make_folder(const char *work, struct err *err)
{
    return mkdir(work, 0777) == 0 || errno == EEXIST || err_set(err, "folder %.256s: %s", work, strerror(errno));
}

/* Open and lock the work folder. Returns the lock's descriptor; -1 with ERR if another sweep has it. SHARED: one of
 * several processes that each execute a part of the jobs. */
static int open_work(const char *work, bool shared, struct err *err)
{
    char path[PATH_MAX];
    if (!sweep_run_make_folder(work, err) || !sweep_record_path(path, work, ".lock", "", err))
        return -1;
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (lock < 0)
        return err_set(err, "%.256s: %s", path, strerror(errno)), -1;
    if (flock(lock, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return lock; /* ignore other errors: some shared file systems have no locks */
    close(lock);
    return err_set(err, "folder %.256s: in use by another sweep", work), -1;
}

/* Processes */

/* The arguments of simos for JOB, with its statistics written to STATS. The caller frees the array. */
static const char **words_of(const struct sweep_job *job, const struct sweep_run_options *options, const char *stats)
{
    const char **words = checked_memory(calloc(job->word_count + 7, sizeof *words));
    unsigned count = 0;
    words[count++] = "simos";
    words[count++] = job->word_count > 0 ? job->words[0] : NULL;
    if (job->word_count == 0)
        return words;
    words[count++] = "--stats";
    words[count++] = stats;
    if (options->trust)
        words[count++] = "--trust";
    for (unsigned i = 1; i <= job->word_count; i++) {
        if (i == job->own_count && options->source_file) {
            words[count++] = "--from";
            words[count++] = options->source_file;
        }
        words[count++] = job->words[i]; /* the last one is NULL */
    }
    return words;
}

/* Descriptors of a job's input and output, and of what simos says there of itself; all closed on exec */
struct job_files {
    int in, out, error, said;
};

static void close_files(const struct job_files *files)
{
    const int all[] = {files->in, files->out, files->error, files->said};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i] >= 0)
            close(all[i]);
}

/* Make the file SUFFIX of job NAME for writing. -1 with ERR. */
static int make_file(const char *work, const char *name, const char *suffix, struct err *err)
{
    char path[PATH_MAX];
    if (!sweep_record_remove(path, work, name, suffix, err))
        return -1;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        err_set(err, "%.256s: %s", path, strerror(errno));
    return fd;
}

/* In the child: execute the job. Never returns. */
static void exec_job(const struct sweep_run *run, pid_t parent, const char *const *words, const struct job_files *files)
{
    setpgid(0, 0); /* a signal from the terminal goes to the sweep only, which then ends the job */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_SIMOS_FAILED);
    sigprocmask(SIG_SETMASK, &run->old_signals, NULL);
    char number[16];
    snprintf(number, sizeof number, "%d", files->said);
    if (dup2(files->in, 0) == 0 && dup2(files->out, 1) == 1 && dup2(files->error, 2) == 2 &&
        fcntl(files->said, F_SETFD, 0) == 0 && setenv("SIMOS_ERRORS_FD", number, 1) == 0) {
        execv(run->options->program ? run->options->program : "/proc/self/exe", (char *const *)words);
        dprintf(files->said, "error cannot be started: %s\n", strerror(errno));
    }
    _exit(EXIT_SIMOS_FAILED);
}

static bool start(struct sweep_run *run, unsigned number)
{
    const struct sweep_job *job = &run->jobs->jobs[number];
    const char *work = run->options->work;
    char record[PATH_MAX], stats[PATH_MAX];
    if (!sweep_record_remove(record, work, job->name, ".job.json", run->err) ||
        !sweep_record_remove(stats, work, job->name, ".stats.json", run->err))
        return false;
    const struct job_files files = {.in = open("/dev/null", O_RDONLY | O_CLOEXEC),
                                    .out = make_file(work, job->name, ".out", run->err),
                                    .error = make_file(work, job->name, ".err", run->err),
                                    .said = memfd_create("errors", MFD_CLOEXEC)};
    if (files.in < 0 || files.out < 0 || files.error < 0 || files.said < 0) {
        if (files.in < 0 || files.said < 0)
            err_set(run->err, "%s: %s", files.in < 0 ? "/dev/null" : "a file in memory", strerror(errno));
        close_files(&files);
        return false;
    }
    fflush(NULL);
    const char **words = words_of(job, run->options, stats);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        exec_job(run, parent, words, &files);
    free(words);
    const int reason = errno;
    struct job_files parents = files;
    if (pid > 0)
        parents.said = -1;
    close_files(&parents);
    if (pid < 0)
        return err_set(run->err, "job %s: no process: %s", job->name, strerror(reason));
    run->processes[number] = (struct process){pid, files.said};
    run->running++;
    return true;
}

static void report(const struct sweep_run *run, unsigned number, const struct sweep_result *result)
{
    FILE *out = run->options->progress;
    if (!out)
        return;
    progress_erase(run->progress);
    fprintf(out, "[%u/%u] %s: ", run->ended, run->wanted, PRINTABLE(run->jobs->jobs[number].name));
    if (result->state == SWEEP_FINISHED)
        fprintf(out, "status %d\n", result->status);
    else
        fprintf(out, "failed: %s\n", result->reason);
    fflush(out);
}

/* The last lines of the file FD, which is closed; the caller frees them. */
static char *read_said(int fd)
{
    struct stat status;
    char *text = checked_memory(calloc(1, SAID_MOST + 1));
    const off_t size = fstat(fd, &status) == 0 ? status.st_size : 0;
    if (pread(fd, text, SAID_MOST, size > SAID_MOST ? size - SAID_MOST : 0) < 0)
        text[0] = '\0';
    close(fd);
    return text;
}

/* Store the result of ENDED. */
static bool store(struct sweep_run *run, struct ended ended)
{
    const unsigned number = ended.number;
    const struct sweep_job *job = &run->jobs->jobs[number];
    const char *work = run->options->work;
    struct sweep_result result;
    int signal = WIFSIGNALED(ended.how) ? WTERMSIG(ended.how) : 0;
    char *said = read_said(ended.said);
    sweep_record_evaluate(&result, work, job->name, signal ? 128 + signal : WEXITSTATUS(ended.how), signal, said);
    free(said);
    run->ended++;
    *(result.state == SWEEP_FINISHED ? &run->totals->finished : &run->totals->failed) += 1;
    bool done = sweep_record_write(&result, work, job->name, run->identities[number], run->err);
    if (done) /* report only results that are stored */
        report(run, number, &result);
    sweep_results_release(&result, 1);
    return done;
}

/* Note which processes have ended. Their results are stored after the next jobs have begun: reading statistics of some
 * 20 MB takes a second. */
static void reap(struct sweep_run *run)
{
    int how;
    for (unsigned i = 0; i < run->jobs->count; i++)
        if (run->processes[i].id && waitpid(run->processes[i].id, &how, WNOHANG) == run->processes[i].id) {
            const int said = run->processes[i].said;
            run->processes[i] = (struct process){0};
            run->running--;
            if (run->stopping)
                close(said);
            else
                run->unstored[run->unstored_count++] = (struct ended){i, how, said};
        }
}

static bool store_one(struct sweep_run *run)
{
    const struct ended first = run->unstored[0];
    memmove(run->unstored, run->unstored + 1, --run->unstored_count * sizeof *run->unstored);
    return store(run, first);
}

static void signal_all(const struct sweep_run *run, int signal)
{
    for (unsigned i = 0; i < run->jobs->count; i++)
        if (run->processes[i].id)
            kill(run->processes[i].id, signal);
}

static void draw(struct sweep_run *run)
{
    if (progress_is_due(run->progress))
        progress_draw(run->progress, (double)run->ended / run->wanted, "%u of %u jobs, %u running", run->ended,
                      run->wanted, run->running);
}

/* Wait until a process ends or a signal arrives. False: start no new jobs. */
static bool wait_for_event(struct sweep_run *run)
{
    const struct timespec interval = {.tv_nsec = 250000000};
    int signal;
    do
        draw(run);
    while ((signal = sigtimedwait(&run->signals, NULL, run->progress ? &interval : NULL)) < 0 && errno == EAGAIN);
    if (signal > 0 && signal != SIGCHLD)
        run->totals->signal = signal;
    reap(run);
    return run->totals->signal == 0;
}

/* Store what has ended by itself, terminate the running processes and wait for them. */
static void stop(struct sweep_run *run)
{
    const struct timespec timeout = {.tv_sec = SECONDS_TO_END};
    while (run->unstored_count > 0 && store_one(run))
        ;
    run->stopping = true;
    signal_all(run, SIGTERM);
    while (run->running > 0) {
        int signal = sigtimedwait(&run->signals, NULL, &timeout);
        if (signal != SIGCHLD)
            signal_all(run, SIGKILL);
        reap(run);
    }
}

static bool is_wanted(const struct sweep_run *run, unsigned number)
{
    return run->identities[number];
}

/* Number of processors that this process may use. */
static unsigned count_processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    return count > 0 ? (unsigned)count : 1;
}

static bool run_all(struct sweep_run *run)
{
    unsigned processes = run->options->processes, next = 0;
    bool going = true;
    if (processes == 0)
        processes = count_processors();
    while (going) {
        while (next < run->jobs->count && !is_wanted(run, next))
            next++;
        if (next < run->jobs->count && run->running < processes)
            going = start(run, next++);
        else if (run->unstored_count > 0)
            going = store_one(run);
        else if (run->running > 0)
            going = wait_for_event(run);
        else
            return true;
    }
    stop(run);
    return run->totals->signal != 0;
}

/* Block the signals that sigtimedwait() waits for, except those that the process ignores (nohup). */
static void block_signals(struct sweep_run *run)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction present;
    sigemptyset(&run->signals);
    sigaddset(&run->signals, SIGCHLD);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN)
            sigaddset(&run->signals, numbers[i]);
    signal(SIGCHLD, SIG_DFL); /* an inherited SIG_IGN would discard the children's exit status */
    sigprocmask(SIG_BLOCK, &run->signals, &run->old_signals);
}

/* Select the jobs to execute: those with an identity. */
static bool choose(struct sweep_run *run)
{
    struct sweep_inputs *inputs = sweep_inputs_create();
    bool done = true;
    for (unsigned i = 0; i < run->jobs->count && done; i++) {
        const struct sweep_job *job = &run->jobs->jobs[i];
        struct err reason = {""};
        struct sweep_result result;
        if (run->options->parts > 1 && i % run->options->parts != run->options->part)
            continue;
        char *identity = sweep_job_identity(job, inputs, &reason);
        if (!identity) {
            done = err_set(run->err, "job %s: %s", job->name, reason.text);
            continue;
        }
        sweep_record_read(&result, run->options->work, job->name, identity, NULL);
        if (result.state == SWEEP_FINISHED) {
            run->totals->reused++;
            free(identity);
        } else {
            run->identities[i] = identity;
            run->wanted++;
        }
        sweep_results_release(&result, 1);
    }
    sweep_inputs_free(inputs);
    return done;
}

bool sweep_run(const struct sweep_jobs *jobs, const struct sweep_run_options *options, struct sweep_run_totals *totals,
               struct err *err)
{
    struct sweep_run run = {.jobs = jobs, .options = options, .totals = totals, .err = err};
    *totals = (struct sweep_run_totals){0};
    int lock = open_work(options->work, options->parts > 1, err);
    if (lock < 0)
        return false;
    run.identities = checked_memory(calloc(jobs->count + 1, sizeof *run.identities));
    run.processes = checked_memory(calloc(jobs->count + 1, sizeof *run.processes));
    run.unstored = checked_memory(calloc(jobs->count + 1, sizeof *run.unstored));
    bool done = choose(&run);
    if (done) {
        run.progress = options->progress ? progress_create() : NULL;
        block_signals(&run);
        done = run_all(&run);
        progress_free(run.progress);
        sigprocmask(SIG_SETMASK, &run.old_signals, NULL);
    }
    for (unsigned i = 0; i < jobs->count; i++)
        free(run.identities[i]);
    free(run.identities);
    free(run.processes);
    free(run.unstored);
    close(lock);
    return done;
}
