/*
 * Runs a command and lets it change nothing of the host but what is below the folders named: every system call that
 * makes, opens for writing, renames, removes or alters a file elsewhere, starts a program, or reaches a network is
 * refused (EPERM), and told in a line of LOG.
 *
 *     guard LOG FOLDER ... -- PROGRAM ...
 *
 * Files in memory, /dev/null and pipes are nobody's. The exit status is the program's; if anything was refused, it is
 * 99.
 *
 * By seccomp's user notifications (seccomp_unotify(2)): a filter in the command's processes picks the calls out, and
 * this process looks at their paths. It keeps watch over programs that are wrong, not over ones that know of it: a path
 * could be changed between the look and the call.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the path is in the address of a socket of this host. */
enum { SOCKET_PATH = 2 };

enum { STATUS_REFUSED = 99, STATUS_BROKEN = 98, FOLDERS_MAX = 8, RULES_MAX = 256 };

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* What a call does: FOLDER is the argument with the folder that its path is relative to, PATH that with the path; -1:
 * none. */
struct call {
    const char *name;
    int number, folder, path;
};

#define CALL(name, folder, path)                                                                                       \
    {                                                                                                                  \
#name, SYS_##name, folder, path                                                                                \
    }
static const struct call calls[] = {
    CALL(openat, 0, 1), /* for writing */
    CALL(openat2, 0, 1),   CALL(unlinkat, 0, 1),   CALL(renameat, 2, 3),     CALL(renameat2, 2, 3),
    CALL(linkat, 2, 3),    CALL(symlinkat, 1, 2),  CALL(mkdirat, 0, 1),      CALL(mknodat, 0, 1),
    CALL(fchmodat, 0, 1),  CALL(fchownat, 0, 1),   CALL(utimensat, 0, 1),    CALL(truncate, -1, 0),
    CALL(setxattr, -1, 0), CALL(lsetxattr, -1, 0), CALL(removexattr, -1, 0), CALL(mount, -1, 1),
    CALL(execve, -1, 0),   CALL(execveat, 0, 1),   CALL(socket, -1, -1), /* but those within this host */
    CALL(bind, -1, 1),
#ifdef __x86_64__
    CALL(open, -1, 0), /* for writing */
    CALL(creat, -1, 0),    CALL(unlink, -1, 0),    CALL(rename, -1, 1),      CALL(link, -1, 1),
    CALL(symlink, -1, 1),  CALL(mkdir, -1, 0),     CALL(rmdir, -1, 0),       CALL(mknod, -1, 0),
    CALL(chmod, -1, 0),    CALL(chown, -1, 0),     CALL(lchown, -1, 0),      CALL(utime, -1, 0),
    CALL(utimes, -1, 0),
#endif
};
enum { CALLS = sizeof calls / sizeof calls[0] };

static struct guard {
    FILE *log;
    char folders[FOLDERS_MAX][PATH_MAX];
    unsigned folder_count, refused;
    int listener;
    bool started; /* the command itself has been */
} guard;

_Noreturn static void fail(const char *what)
{
    fprintf(stderr, "guard: %s: %s\n", what, strerror(errno));
    exit(STATUS_BROKEN);
}

/* The filter */

static uint32_t argument(unsigned number)
{
    return (uint32_t)(offsetof(struct seccomp_data, args) + 8 * number); /* the lower half comes first */
}

static int install(void)
{
    struct sock_filter rules[RULES_MAX];
    unsigned short count = 0;
#define RULE(...) (rules[count++] = (struct sock_filter)__VA_ARGS__)
    const struct sock_filter load = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    const struct sock_filter notify = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    const struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    RULE(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
    RULE(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    RULE(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    rules[count++] = load;
    for (unsigned i = 0; i < CALLS; i++) {
        const bool opens = calls[i].number == SYS_openat || strcmp(calls[i].name, "open") == 0;
        if (!opens && calls[i].number != SYS_socket) {
            RULE(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i].number, 0, 1));
            rules[count++] = notify;
            continue;
        }
        RULE(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i].number, 0, 4));
        if (opens) {
            RULE(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument((unsigned)calls[i].path + 1)));
            RULE(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1));
        } else {
            RULE(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument(0)));
            RULE(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0));
        }
        rules[count++] = notify;
        rules[count++] = allow;
    }
    rules[count++] = allow;
#undef RULE
    const struct sock_fprog program = {count, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        fail("no_new_privs");
    /* a call that this process is looking at is not to fail because a timer of the program's goes off meanwhile */
    unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (listener < 0 && errno == EINVAL) /* Linux before 5.19 */
        listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (listener < 0)
        fail("seccomp");
    return listener;
}

/* The descriptor FD through the socket OVER; and from there. */
union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
};

static void send_descriptor(int over, int fd)
{
    union control control = {{0}};
    char byte = 0;
    struct iovec piece = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(head), &fd, sizeof fd);
    if (sendmsg(over, &message, 0) != 1)
        fail("sendmsg");
}

static int receive_descriptor(int over)
{
    union control control;
    char byte;
    int fd;
    struct iovec piece = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(over, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message))
        fail("the command could not be put under guard");
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
}

/* Paths */

/* The text at ADDRESS of the process. False: there is none. */
static bool read_text(pid_t process, uint64_t address, char text[PATH_MAX])
{
    char name[40];
    snprintf(name, sizeof name, "/proc/%d/mem", process);
    int memory = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t count = memory < 0 ? -1 : pread(memory, text, PATH_MAX - 1, (off_t)address);
    for (size_t most = 4096 - address % 4096; count < 0 && memory >= 0 && most < PATH_MAX; most = PATH_MAX)
        count = pread(memory, text, most, (off_t)address); /* it lies at the end of what there is */
    if (memory >= 0)
        close(memory);
    if (count < 0)
        return false;
    text[count] = 0;
    return true;
}

/* PATH of the process, relative to its folder FOLDER, as one from the root. The last component need not be there. */
static bool resolve(pid_t process, int folder, const char *path, char whole[PATH_MAX])
{
    char joined[2 * PATH_MAX + 64], parent[PATH_MAX];
    if (strncmp(path, "/proc/self/", 11) == 0)
        snprintf(joined, sizeof joined, "/proc/%d/%s", process, path + 11);
    else if (*path == '/')
        snprintf(joined, sizeof joined, "%s", path);
    else if (folder == AT_FDCWD)
        snprintf(joined, sizeof joined, "/proc/%d/cwd/%s", process, path);
    else
        snprintf(joined, sizeof joined, "/proc/%d/fd/%d/%s", process, folder, path);
    ssize_t length = readlink(joined, whole, PATH_MAX - 1);
    if (length > 0 && strncmp(joined, "/proc/", 6) == 0 && strncmp(whole, "/memfd:", length < 7 ? 1 : 7) == 0) {
        whole[length] = 0;
        return true;
    }
    if (realpath(joined, whole))
        return true;
    char *slash = strrchr(joined, '/');
    *slash = 0;
    if (!realpath(*joined ? joined : "/", parent))
        return false;
    return snprintf(whole, PATH_MAX, "%s/%s", parent, slash + 1) < PATH_MAX;
}

static bool is_allowed(const char *path)
{
    if (strncmp(path, "/memfd:", 7) == 0 || strcmp(path, "/dev/null") == 0)
        return true;
    for (unsigned i = 0; i < guard.folder_count; i++) {
        size_t length = strlen(guard.folders[i]);
        if (strncmp(path, guard.folders[i], length) == 0 && path[length] == '/')
            return true;
    }
    return false;
}

/* May REQUEST be done? What it is about goes to TEXT. */
static bool judge(const struct seccomp_notif *request, const struct call *call, char text[PATH_MAX])
{
    char path[PATH_MAX];
    const pid_t process = (pid_t)request->pid;
    strcpy(text, "");
    if (call->path < 0)
        return false;
    if (call->number == SYS_execve && !guard.started)
        return guard.started = true;
    if (!read_text(process, request->data.args[call->path] + (call->number == SYS_bind ? SOCKET_PATH : 0), path))
        return true; /* the call will fail */
    if (call->number == SYS_bind && !*path)
        return true; /* an abstract name: no file */
    int folder = call->folder < 0 ? AT_FDCWD : (int)request->data.args[call->folder];
    if (!resolve(process, folder, path, text))
        return true; /* the same: there is no such folder */
    return call->number != SYS_execve && call->number != SYS_execveat && is_allowed(text);
}

static void answer(void)
{
    struct seccomp_notif request = {0};
    struct seccomp_notif_resp response = {0};
    char text[PATH_MAX];
    if (ioctl(guard.listener, SECCOMP_IOCTL_NOTIF_RECV, &request) != 0)
        return; /* who called is no more */
    const struct call *call = calls;
    while (call->number != request.data.nr)
        call++;
    response.id = request.id;
    if (judge(&request, call, text))
        response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    else {
        response.error = -EPERM;
        guard.refused++;
        fprintf(guard.log, "%s %s\n", call->name, text);
        fflush(guard.log);
    }
    ioctl(guard.listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* The command's wait status. */
static int watch(pid_t child)
{
    struct pollfd ready = {.fd = guard.listener, .events = POLLIN};
    for (;;) {
        int status;
        if (poll(&ready, 1, 100) > 0 && ready.revents & POLLIN)
            answer();
        else if (ready.revents & (POLLHUP | POLLERR) || waitpid(child, &status, WNOHANG) == child) {
            if (ready.revents & (POLLHUP | POLLERR) && waitpid(child, &status, 0) != child)
                fail("waitpid");
            return status;
        }
    }
}

int main(int argc, char **argv)
{
    int at = 2, over[2];
    if (argc > 1)
        guard.log = fopen(argv[1], "w");
    for (; at < argc && strcmp(argv[at], "--") != 0 && guard.folder_count < FOLDERS_MAX; at++)
        if (!realpath(argv[at], guard.folders[guard.folder_count++]))
            fail(argv[at]);
    if (!guard.log || at + 1 >= argc || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, over) != 0) {
        fprintf(stderr, "usage: guard LOG FOLDER ... -- PROGRAM ...\n");
        return STATUS_BROKEN;
    }
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int listener = install();
        send_descriptor(over[1], listener);
        close(listener);
        execv(argv[at + 1], argv + at + 1);
        fail(argv[at + 1]);
    }
    close(over[1]);
    guard.listener = receive_descriptor(over[0]);
    signal(SIGINT, SIG_IGN); /* the command ends, and with it this */
    int status = watch(child);
    if (guard.refused)
        return STATUS_REFUSED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
