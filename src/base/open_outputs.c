#include "src/base/open_outputs.h"

#include "src/base/log.h"
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOTHING = -1 /* queued: not looked at yet, or not known */ };

struct open_output {
    struct open_output *next;
    int fd; /* -1: closed after it was given up, and not reported yet */
    char *name;
    int queued; /* bytes that the reader has not taken, when last looked at */
    nsec ran;   /* of the thread that writes, when last looked at */
    nsec moved; /* when the reader last took some, or began to be looked at; 0: not looked at yet */
    bool discarded, reported;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct open_output *outputs; /* the last one added first */

static struct open_output *find(int fd)
{
    struct open_output *output = outputs;
    while (output && output->fd != fd)
        output = output->next;
    return output;
}

static bool can_wait(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode) || S_ISSOCK(status.st_mode));
}

void open_outputs_add(int fd, const char *what, const char *path)
{
    if (!can_wait(fd))
        return;
    pthread_mutex_lock(&lock);
    if (!find(fd)) {
        struct open_output *output = checked_memory(calloc(1, sizeof *output));
        *output = (struct open_output){.next = outputs, .fd = fd, .queued = NOTHING};
        if (asprintf(&output->name, "%s%s%s", what, *path ? " " : "", path) < 0)
            log_bug("out of memory");
        outputs = output;
    }
    pthread_mutex_unlock(&lock);
}

static void release(struct open_output **link)
{
    struct open_output *output = *link;
    *link = output->next;
    free(output->name);
    free(output);
}

void open_outputs_remove(int fd)
{
    pthread_mutex_lock(&lock);
    for (struct open_output **link = &outputs; *link; link = &(*link)->next) {
        if ((*link)->fd != fd)
            continue;
        if ((*link)->discarded && !(*link)->reported)
            (*link)->fd = -1;
        else
            release(link);
        break;
    }
    pthread_mutex_unlock(&lock);
}

/* The bytes that the reader of FD has not taken yet. */
static int queued_of(int fd)
{
    int count;
    /* terminals and sockets; pipes */
    return ioctl(fd, TIOCOUTQ, &count) == 0 || ioctl(fd, FIONREAD, &count) == 0 ? count : NOTHING;
}

/* Has the reader of OUTPUT taken nothing for long enough? One that is gone takes nothing either, but holds up no
 * write. */
static bool is_stuck(struct open_output *output, nsec now, nsec ran)
{
    struct pollfd fd = {.fd = output->fd, .events = POLLOUT};
    const bool full = poll(&fd, 1, 0) == 0;
    const int queued = full ? queued_of(output->fd) : NOTHING;
    if (!full || queued != output->queued || ran != output->ran || output->moved == 0)
        output->moved = now;
    output->queued = queued;
    output->ran = ran;
    return full && now - output->moved >= OPEN_OUTPUTS_PATIENCE;
}

/* Let FD lead to /dev/null. */
static bool discard(int fd)
{
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int flags = fcntl(fd, F_GETFD);
    const bool done = nothing >= 0 && dup3(nothing, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0) >= 0;
    if (nothing >= 0)
        close(nothing);
    return done;
}

bool open_outputs_give_up(nsec now, nsec ran)
{
    bool any = false;
    pthread_mutex_lock(&lock);
    for (struct open_output *output = outputs; output; output = output->next)
        if (output->fd >= 0 && !output->discarded && is_stuck(output, now, ran) && discard(output->fd))
            output->discarded = any = true;
    pthread_mutex_unlock(&lock);
    return any;
}

void open_outputs_report(FILE *out)
{
    pthread_mutex_lock(&lock);
    for (struct open_output **link = &outputs; *link;) {
        struct open_output *output = *link;
        if (output->discarded && !output->reported)
            fprintf(out, "simos: %s: incomplete: its reader took nothing for %u s after the signal\n", output->name,
                    (unsigned)(OPEN_OUTPUTS_PATIENCE / 1000000000));
        output->reported = output->discarded;
        if (output->fd < 0)
            release(link);
        else
            link = &output->next;
    }
    pthread_mutex_unlock(&lock);
}
