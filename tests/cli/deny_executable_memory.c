/*
 * deny_executable_memory COMMAND...: runs it as on a host that gives nobody memory that is both writable and executable
 * (as some kernels do for safety): mmap of such fails with EACCES. Linux: a system call filter.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CANNOT_DENY = 99, CANNOT_RUN = 98, BOTH = PROT_WRITE | PROT_EXEC };

int main(int count, char **words)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, BOTH),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, BOTH, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof code[0], code};
    if (count < 2)
        return CANNOT_RUN;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
        perror("deny_executable_memory: this host has no system call filters");
        return CANNOT_DENY;
    }
    execv(words[1], words + 1);
    perror(words[1]);
    return CANNOT_RUN;
}
