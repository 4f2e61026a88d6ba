#include "src/history/cut_off.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* May the copy use FD too? Its offset is shared, so that who reads it says where. */
static bool is_harmless(int fd)
{
    struct stat status;
    const int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    return (flags & O_ACCMODE) == O_RDONLY || ((flags & O_ACCMODE) == O_RDWR && status.st_nlink == 0);
}

static bool close_to_host(int kept)
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    DIR *folder = opendir("/proc/self/fd");
    if (nothing < 0 || !folder)
        return false;
    const struct dirent *entry;
    while ((entry = readdir(folder))) {
        char *end;
        const int fd = (int)strtol(entry->d_name, &end, 10);
        if (*end || end == entry->d_name || fd == kept || fd == nothing || fd == dirfd(folder) || is_harmless(fd))
            continue;
        if (dup3(nothing, fd, O_CLOEXEC) < 0)
            return false;
    }
    closedir(folder);
    close(nothing);
    return true;
}

/* If the host runs out of memory, it should end a snapshot, not the run. */
static void offer_to_end(void)
{
    static const char score[] = "900";
    const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        const ssize_t done = write(fd, score, sizeof score - 1);
        (void)done;
        close(fd);
    }
}

bool cut_off(int kept, int parent)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    signal(SIGCHLD, SIG_IGN); /* its own copies are waited for by nobody */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent || !close_to_host(kept))
        return false;
    prctl(PR_SET_NAME, "simos-past");
    offer_to_end();
    return true;
}
