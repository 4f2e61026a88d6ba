#include "src/console_signals.h"

#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

void console_signals_take(struct console_signals *signals)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction present;
    sigset_t ours;
    sigemptyset(&ours);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN) /* nohup; a script's "&" */
            sigaddset(&ours, numbers[i]);
    sigprocmask(SIG_BLOCK, &ours, &signals->old_mask);
    signals->fd = signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
    if (signals->fd < 0)
        sigprocmask(SIG_SETMASK, &signals->old_mask, NULL);
}

void console_signals_release(struct console_signals *signals)
{
    if (signals->fd < 0)
        return;
    close(signals->fd);
    signals->fd = -1;
    sigprocmask(SIG_SETMASK, &signals->old_mask, NULL);
}

int console_signals_check(struct console_signals *signals)
{
    struct signalfd_siginfo info;
    if (signals->fd < 0 || read(signals->fd, &info, sizeof info) != sizeof info)
        return 0;
    console_signals_release(signals);
    return (int)info.ssi_signo;
}
