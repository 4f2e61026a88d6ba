#include "src/host/end_signals.h"

#include "src/base/host_time.h"
#include "src/base/log.h"
#include "src/base/open_outputs.h"
#include "src/host/terminal.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
    SAME_NS = 250000000, /* repetitions within this time count as the same signal */
    LOOK_MS = 100,       /* between two looks at the outputs when the process is to end */
    RESTART = SIGURG,    /* makes the kernel repeat a write; without a handler it has no effect */
};

struct end_signals {
    bool interrupt;
    bool taken;
    sigset_t set, old_mask; /* signals taken; mask of the thread that took them */
    int signals_fd, came_fd, leave_fd;
    struct sigaction old_restart;
    pthread_t thread, writer; /* WRITER: the one that took the signals, and writes all outputs */
    pthread_mutex_t lock;     /* protects the following fields */
    int first;                /* the recorded signal; 0: none */
    bool asked;               /* it was returned by end_signals_check() */
    nsec first_at;
    void (*told)(void *opaque);
    void *told_opaque;
    struct terminal *terminal;
};

struct end_signals *end_signals_create(bool interrupt)
{
    struct end_signals *signals = checked_memory(calloc(1, sizeof *signals));
    signals->interrupt = interrupt;
    signals->signals_fd = signals->came_fd = signals->leave_fd = -1;
    pthread_mutex_init(&signals->lock, NULL);
    return signals;
}

void end_signals_free(struct end_signals *signals)
{
    if (!signals)
        return;
    end_signals_release(signals);
    open_outputs_report(stderr);
    pthread_mutex_destroy(&signals->lock);
    free(signals);
}

void end_signals_die(struct end_signals *signals, int number)
{
    sigset_t set;
    if (signals->terminal)
        terminal_suspend_raw(signals->terminal);
    sigemptyset(&set);
    sigaddset(&set, number);
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
    _exit(128 + number);
}

/* Signal thread */

static void add_one(int fd)
{
    const uint64_t one = 1;
    ssize_t written = write(fd, &one, sizeof one);
    (void)written; /* an eventfd that counts to two at most cannot block */
}

static void note(struct end_signals *signals, int number)
{
    pthread_mutex_lock(&signals->lock);
    if (!signals->first) {
        signals->first = number;
        signals->first_at = host_time();
        add_one(signals->came_fd);
        if (signals->told)
            signals->told(signals->told_opaque);
    } else if (host_time() - signals->first_at > SAME_NS)
        end_signals_die(signals, number);
    pthread_mutex_unlock(&signals->lock);
}

/* Stop the process by SIGTSTP. In an orphaned process group the signal has no effect, and raise() returns at once. */
static void stop(struct end_signals *signals)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    terminal_suspend_raw(signals->terminal);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(SIGTSTP);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    terminal_resume_raw(signals->terminal);
}

static void stop_or_continue(struct end_signals *signals, int number)
{
    pthread_mutex_lock(&signals->lock);
    if (signals->terminal && number == SIGTSTP)
        stop(signals);
    else if (signals->terminal)
        terminal_resume_raw(signals->terminal);
    pthread_mutex_unlock(&signals->lock);
}

/* How long THREAD has run; 0 if the host does not tell. */
static nsec time_of(pthread_t thread)
{
    clockid_t clock;
    struct timespec ran = {0};
    if (pthread_getcpuclockid(thread, &clock) == 0)
        clock_gettime(clock, &ran);
    return (nsec)ran.tv_sec * 1000000000u + (nsec)ran.tv_nsec;
}

static void *take_all(void *opaque)
{
    struct end_signals *signals = opaque;
    struct signalfd_siginfo info;
    for (;;) {
        struct pollfd fds[] = {{.fd = signals->leave_fd, .events = POLLIN},
                               {.fd = signals->signals_fd, .events = POLLIN}};
        const int ready = poll(fds, 2, signals->first ? LOOK_MS : -1);
        if ((ready < 0 && errno != EINTR) || fds[0].revents)
            return NULL;
        if (signals->first && open_outputs_give_up(host_time(), time_of(signals->writer)))
            pthread_kill(signals->writer, RESTART);
        if (ready <= 0)
            continue;
        if (read(signals->signals_fd, &info, sizeof info) != sizeof info)
            continue;
        if (info.ssi_signo == SIGTSTP || info.ssi_signo == SIGCONT)
            stop_or_continue(signals, (int)info.ssi_signo);
        else
            note(signals, (int)info.ssi_signo);
    }
}

static void do_nothing(int number)
{
    (void)number;
}

/* The signal thread blocks all signals, including those of a terminal set later. */
static bool start_thread(struct end_signals *signals)
{
    sigset_t all, mask;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &mask);
    signals->writer = pthread_self();
    bool done = pthread_create(&signals->thread, NULL, take_all, signals) == 0;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return done;
}

/* Activation */

/* Add those of COUNT NUMBERS to SET that the process does not ignore. */
static void add_wanted(sigset_t *set, const int *numbers, size_t count)
{
    struct sigaction present;
    for (size_t i = 0; i < count; i++)
        if (sigaction(numbers[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN) /* nohup, background jobs */
            sigaddset(set, numbers[i]);
}

static void close_all(struct end_signals *signals)
{
    int *const fds[] = {&signals->signals_fd, &signals->came_fd, &signals->leave_fd};
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        if (*fds[i] >= 0)
            close(*fds[i]);
        *fds[i] = -1;
    }
}

void end_signals_take(struct end_signals *signals)
{
    static const int numbers[] = {SIGTERM, SIGHUP, SIGINT};
    if (signals->taken)
        return;
    sigemptyset(&signals->set);
    add_wanted(&signals->set, numbers, signals->interrupt ? 3 : 2);
    signals->first = 0;
    signals->asked = false;
    open_outputs_add(STDOUT_FILENO, "stdout", "");
    open_outputs_add(STDERR_FILENO, "stderr", "");
    const struct sigaction restart = {.sa_handler = do_nothing, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigaction(RESTART, &restart, &signals->old_restart);
    pthread_sigmask(SIG_BLOCK, &signals->set, &signals->old_mask);
    signals->signals_fd = signalfd(-1, &signals->set, SFD_NONBLOCK | SFD_CLOEXEC);
    signals->came_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    signals->leave_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    signals->taken =
        signals->signals_fd >= 0 && signals->came_fd >= 0 && signals->leave_fd >= 0 && start_thread(signals);
    if (signals->taken) {
        end_signals_set_terminal(signals, signals->terminal);
        return;
    }
    close_all(signals);
    sigaction(RESTART, &signals->old_restart, NULL);
    pthread_sigmask(SIG_SETMASK, &signals->old_mask, NULL);
}

/* Stop the thread. Signals that it has not received yet are recorded too. */
static void stop_recording(struct end_signals *signals)
{
    struct signalfd_siginfo info;
    add_one(signals->leave_fd);
    pthread_join(signals->thread, NULL);
    while (read(signals->signals_fd, &info, sizeof info) == sizeof info)
        if (!signals->first && sigismember(&signals->set, (int)info.ssi_signo) == 1)
            signals->first = (int)info.ssi_signo;
    close_all(signals);
    signals->taken = false;
    sigaction(RESTART, &signals->old_restart, NULL);
}

void end_signals_release(struct end_signals *signals)
{
    if (!signals->taken)
        return;
    stop_recording(signals);
    if (signals->first && !signals->asked)
        end_signals_die(signals, signals->first);
    pthread_sigmask(SIG_SETMASK, &signals->old_mask, NULL);
}

int end_signals_end(struct end_signals *signals)
{
    if (!signals->taken)
        return 0;
    stop_recording(signals);
    pthread_sigmask(SIG_SETMASK, &signals->old_mask, NULL);
    return signals->first;
}

/* Checking */

int end_signals_check(struct end_signals *signals)
{
    uint64_t count;
    int number = 0;
    pthread_mutex_lock(&signals->lock);
    if (signals->first && !signals->asked) {
        number = signals->first;
        signals->asked = true;
        ssize_t done = read(signals->came_fd, &count, sizeof count);
        (void)done;
    }
    pthread_mutex_unlock(&signals->lock);
    return number;
}

int end_signals_peek(struct end_signals *signals)
{
    if (!signals)
        return 0;
    pthread_mutex_lock(&signals->lock);
    int number = signals->asked ? 0 : signals->first;
    pthread_mutex_unlock(&signals->lock);
    return number;
}

int end_signals_fd(const struct end_signals *signals)
{
    return signals->came_fd;
}

void end_signals_set_observer(struct end_signals *signals, void (*told)(void *opaque), void *opaque)
{
    pthread_mutex_lock(&signals->lock);
    signals->told = told;
    signals->told_opaque = opaque;
    if (told && signals->first && !signals->asked)
        told(opaque);
    pthread_mutex_unlock(&signals->lock);
}

void end_signals_set_terminal(struct end_signals *signals, struct terminal *terminal)
{
    static const int numbers[] = {SIGTSTP, SIGCONT};
    sigset_t both;
    sigemptyset(&both);
    if (terminal)
        add_wanted(&both, numbers, 2);
    pthread_mutex_lock(&signals->lock);
    signals->terminal = terminal;
    pthread_mutex_unlock(&signals->lock);
    if (!signals->taken)
        return;
    sigset_t all = signals->set;
    sigorset(&all, &signals->set, &both);
    signalfd(signals->signals_fd, &all, 0);
    sigset_t mask;
    sigorset(&mask, &signals->old_mask, &all);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}
