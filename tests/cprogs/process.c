/*
 * Processes: creation, waiting, pipes, sockets, descriptors, polling.
 */
#define _GNU_SOURCE
#include "corpus.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int child_status(int (*body)(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int code = body();
        fflush(stdout);
        _exit(code);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

static int body_status(void)
{
    return 37;
}
static int body_signal(void)
{
    raise(SIGKILL);
    return 0;
}
static int body_grandchild(void)
{
    return WEXITSTATUS(child_status(body_status)) + 1;
}
static int body_prints(void)
{
    printf("from the child\n");
    return 0;
}

CASE_ALONE(process_exit_status)
{
    int status = child_status(body_status);
    printf("%d %d\n", WIFEXITED(status), WEXITSTATUS(status));
}

CASE_ALONE(process_killed)
{
    int status = child_status(body_signal);
    printf("%d %d\n", WIFSIGNALED(status), WTERMSIG(status));
}

CASE_ALONE(process_grandchild)
{
    printf("%d\n", WEXITSTATUS(child_status(body_grandchild)));
}

CASE_ALONE(process_output_order)
{
    printf("before\n");
    child_status(body_prints);
    printf("after\n");
}

CASE_ALONE(process_ids)
{
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        _exit(getppid() == parent && getpid() != parent ? 1 : 2);
    int status;
    pid_t waited = waitpid(-1, &status, 0);
    printf("%d %d %d\n", child > 0, waited == child, WEXITSTATUS(status));
}

CASE_ALONE(process_many_children)
{
    pid_t children[12];
    int sum = 0;
    for (int i = 0; i < 12; i++)
        if ((children[i] = fork()) == 0)
            _exit(i * 3);
    for (int i = 11; i >= 0; i--) {
        int status;
        waitpid(children[i], &status, 0);
        sum = sum * 2 + WEXITSTATUS(status);
    }
    errno = 0;
    int none = (int)wait(NULL);
    printf("%d %d %s\n", sum, none, strerrorname_np(errno));
}

CASE_ALONE(process_stop_and_continue)
{
    pid_t child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        _exit(9);
    }
    int status;
    waitpid(child, &status, WUNTRACED);
    printf("%d %d\n", WIFSTOPPED(status), WSTOPSIG(status) == SIGSTOP);
    kill(child, SIGCONT);
    waitpid(child, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
}

static volatile sig_atomic_t children_gone;
static void count_child(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    if (info->si_code == CLD_EXITED && info->si_status == 4)
        children_gone++;
}

CASE_ALONE(process_child_signal)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = count_child;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGCHLD, &action, NULL);
    sigset_t block, before;
    sigemptyset(&block);
    sigaddset(&block, SIGCHLD);
    sigprocmask(SIG_BLOCK, &block, &before);
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(4);
        while (children_gone == i)
            sigsuspend(&before);
        waitpid(child, NULL, 0);
    }
    printf("%d\n", (int)children_gone);
}

CASE_ALONE(pipe_transfer)
{
    int ends[2];
    if (pipe(ends) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        unsigned char block[997];
        uint32_t state = 1;
        for (int i = 0; i < 100; i++) {
            for (size_t k = 0; k < sizeof block; k++)
                block[k] = (unsigned char)(corpus_random(&state) >> 5);
            if (write(ends[1], block, sizeof block) != (ssize_t)sizeof block)
                _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    unsigned char block[1024];
    uint32_t hash = 1;
    long total = 0;
    for (ssize_t n; (n = read(ends[0], block, sizeof block)) > 0; total += n)
        for (ssize_t k = 0; k < n; k++)
            hash = hash * 31 + block[k];
    waitpid(child, NULL, 0);
    printf("%ld bytes, %08x\n", total, hash);
}

CASE_ALONE(pipe_ping_pong)
{
    int down[2], up[2];
    if (pipe(down) != 0 || pipe(up) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        int v;
        while (read(down[0], &v, sizeof v) == sizeof v && v >= 0) {
            v = v * 3 + 1;
            if (write(up[1], &v, sizeof v) != sizeof v)
                break;
        }
        _exit(0);
    }
    int v = 1;
    for (int i = 0; i < 40; i++) {
        if (write(down[1], &v, sizeof v) != sizeof v || read(up[0], &v, sizeof v) != sizeof v)
            break;
        v %= 100000;
    }
    printf("%d\n", v);
    v = -1;
    if (write(down[1], &v, sizeof v) == sizeof v)
        waitpid(child, NULL, 0);
}

CASE_ALONE(pipe_broken)
{
    int ends[2];
    if (pipe(ends) != 0)
        return;
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    errno = 0;
    ssize_t n = write(ends[1], "x", 1);
    printf("%zd %s\n", n, strerrorname_np(errno));
    signal(SIGPIPE, SIG_DFL);
    n = write(ends[1], "x", 1);
    printf("not reached %zd\n", n);
}

CASE_ALONE(pipe_nonblocking)
{
    int ends[2];
    char block[4096];
    memset(block, 'p', sizeof block);
    if (pipe2(ends, O_NONBLOCK) != 0)
        return;
    errno = 0;
    ssize_t n = read(ends[0], block, 1);
    printf("%zd %s\n", n, strerrorname_np(errno));
    long total = 0;
    while ((n = write(ends[1], block, sizeof block)) > 0)
        total += n;
    printf("%ld %s\n", total, strerrorname_np(errno));
}

CASE_ALONE(pipe_poll_and_select)
{
    int ends[2];
    if (pipe(ends) != 0)
        return;
    struct pollfd fds[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}};
    printf("%d", poll(fds, 2, 0));
    printf(" %d %d\n", fds[0].revents & POLLIN, fds[1].revents & POLLOUT);
    if (write(ends[1], "ab", 2) != 2)
        return;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    printf("%d", select(ends[0] + 1, &set, NULL, NULL, NULL));
    printf(" %d\n", !!FD_ISSET(ends[0], &set));
    close(ends[1]);
    char two[3] = "";
    printf("%zd", read(ends[0], two, 2));
    printf(" %s %d", two, poll(fds, 1, 10));
    printf(" %d\n", fds[0].revents == POLLHUP);
}

CASE_ALONE(socket_pair)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        char word[32];
        ssize_t n = recv(ends[1], word, sizeof word, 0);
        for (ssize_t i = 0; i < n; i++)
            word[i] = (char)(word[i] - 'a' + 'A');
        _exit(send(ends[1], word, (size_t)n, 0) == n ? 0 : 1);
    }
    char word[32] = "";
    if (send(ends[0], "socket", 6, 0) != 6)
        return;
    ssize_t n = recv(ends[0], word, sizeof word - 1, 0);
    waitpid(child, NULL, 0);
    printf("%zd %s\n", n, word);
}

CASE_ALONE(descriptor_passing)
{
    int ends[2], inner[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0 || pipe(inner) != 0)
        return;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    char byte = 'd';
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &inner[1], sizeof(int));
    printf("%zd\n", sendmsg(ends[0], &message, 0));
    memset(&control, 0, sizeof control);
    byte = 0;
    printf("%zd\n", recvmsg(ends[1], &message, 0));
    int got = -1;
    if ((header = CMSG_FIRSTHDR(&message)))
        memcpy(&got, CMSG_DATA(header), sizeof got);
    char word[8] = "";
    if (write(got, "passed", 6) == 6 && read(inner[0], word, 6) == 6)
        printf("%c %s\n", byte, word);
}

CASE_ALONE(descriptor_duplicates)
{
    int ends[2];
    if (pipe(ends) != 0)
        return;
    int copy = dup(ends[1]), high = fcntl(ends[1], F_DUPFD, 50);
    close(ends[1]);
    char word[8] = "";
    if (write(copy, "a", 1) != 1 || write(high, "b", 1) != 1 || read(ends[0], word, 2) != 2)
        return;
    int same = dup2(copy, 60), flags = fcntl(60, F_GETFD);
    printf("%s %d %d %d\n", word, high >= 50, same, flags);
    fcntl(60, F_SETFD, FD_CLOEXEC);
    printf("%d %d\n", fcntl(60, F_GETFD) == FD_CLOEXEC, (fcntl(ends[0], F_GETFL) & O_ACCMODE) == O_RDONLY);
}

CASE_ALONE(vectored_io)
{
    int ends[2];
    char a[4] = "", b[6] = "", c[4] = "";
    if (pipe(ends) != 0)
        return;
    struct iovec out[3] = {{(void *)"abc", 3}, {(void *)"defgh", 5}, {(void *)"ij", 2}};
    struct iovec in[3] = {{a, 2}, {b, 5}, {c, 3}};
    printf("%zd", writev(ends[1], out, 3));
    printf(" %zd", readv(ends[0], in, 3));
    printf(" %s %s %s\n", a, b, c);
}

CASE_ALONE(event_counters)
{
    int event = eventfd(3, 0), epoll = epoll_create1(0);
    struct epoll_event want = {.events = EPOLLIN, .data = {.u32 = 77}}, got;
    epoll_ctl(epoll, EPOLL_CTL_ADD, event, &want);
    printf("%d", epoll_wait(epoll, &got, 1, 0));
    printf(" %u\n", got.data.u32);
    uint64_t v = 5;
    if (write(event, &v, 8) != 8 || read(event, &v, 8) != 8)
        return;
    int ready = epoll_wait(epoll, &got, 1, 0);
    printf("%llu %d\n", (unsigned long long)v, ready);
}

CASE_ALONE(file_in_memory)
{
    char word[16] = "";
    int file = memfd_create("corpus", 0);
    if (pwrite(file, "0123456789", 10, 5) != 10)
        return;
    long long end = lseek(file, -3, SEEK_END), here = lseek(file, 0, SEEK_CUR);
    printf("%lld %lld\n", end, here);
    printf("%zd", read(file, word, 15));
    printf(" %s\n", word);
    struct stat st;
    fstat(file, &st);
    printf("%lld %d\n", (long long)st.st_size, S_ISREG(st.st_mode));
    if (ftruncate(file, 7) != 0)
        return;
    memset(word, 0, sizeof word);
    printf("%zd", pread(file, word, 15, 5));
    printf(" %s\n", word);
}

CASE_ALONE(clock_moves_forward)
{
    struct timespec a, b, c;
    clock_gettime(CLOCK_MONOTONIC, &a);
    nanosleep(&(struct timespec){0, 3000000}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &b);
    for (int i = 0; i < 20; i++) {
        clock_gettime(CLOCK_MONOTONIC, &c);
        if (c.tv_sec < b.tv_sec || (c.tv_sec == b.tv_sec && c.tv_nsec < b.tv_nsec))
            printf("backwards\n");
        b = c;
    }
    long long slept = (b.tv_sec - a.tv_sec) * 1000000000ll + (b.tv_nsec - a.tv_nsec);
    printf("%d\n", slept >= 3000000);
}

CASE_ALONE(scheduler_yield)
{
    int status = 0;
    for (int i = 0; i < 10; i++)
        status |= sched_yield();
    printf("%d %d\n", status, sched_get_priority_max(SCHED_FIFO) > sched_get_priority_min(SCHED_FIFO));
}

static int exec_failures(void)
{
    char *arguments[] = {(char *)"nothing", NULL};
    errno = 0;
    execv("/no/such/program", arguments);
    printf("%s\n", strerrorname_np(errno));
    execv("/", arguments);
    printf("%s\n", strerrorname_np(errno));
    return 3;
}

CASE_ALONE(exec_failures)
{
    printf("%d\n", WEXITSTATUS(child_status(exec_failures)));
}
