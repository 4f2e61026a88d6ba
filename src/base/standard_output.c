#include "src/base/standard_output.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool standard_output_is_closed(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP));
}

bool standard_output_end(struct err *err)
{
    errno = 0;
    const bool flushed = fflush(stdout) == 0;
    int reason = errno;
    if (flushed && !ferror(stdout))
        return true;
    if (standard_output_is_closed()) {
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        signal(SIGPIPE, SIG_DFL);
        sigprocmask(SIG_UNBLOCK, &pipe, NULL);
        raise(SIGPIPE);
    }
    /* stdio does not keep why an earlier write failed; one more byte of what is incomplete anyway fails again */
    if (flushed)
        reason = write(STDOUT_FILENO, "\n", 1) < 0 ? errno : 0;
    return err_set(err, "stdout: %s", reason == 0 ? "cannot be written" : strerror(reason));
}
