/*
 * Signals: delivery, masks, queues, alternate stacks, timers, and those a processor exception becomes. Times and
 * process ids stay unprinted; timers only have to go off.
 */
#define _GNU_SOURCE
#include "corpus.h"

#include <errno.h>
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile sig_atomic_t taken, order[32], last_code;
static sigjmp_buf escape;

static void note(int number)
{
    if (taken < 32)
        order[taken] = number;
    taken++;
}

static void show_order(const char *what)
{
    printf("%s:", what);
    for (int i = 0; i < taken && i < 32; i++)
        printf(" %d", (int)order[i]);
    printf("\n");
    taken = 0;
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(number, &action, NULL);
}

static void handle_info(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = flags | SA_SIGINFO;
    sigaction(number, &action, NULL);
}

CASE_ALONE(signal_raise)
{
    handle(SIGUSR1, note, 0);
    for (int i = 0; i < 5; i++)
        raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    show_order("taken");
}

CASE_ALONE(signal_mask_and_pending)
{
    sigset_t set, pending;
    handle(SIGUSR1, note, 0);
    handle(SIGUSR2, note, 0);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR2);
    raise(SIGUSR1);
    raise(SIGUSR1);
    sigpending(&pending);
    printf("%d %d %d\n", sigismember(&pending, SIGUSR1), sigismember(&pending, SIGUSR2), sigismember(&pending, SIGHUP));
    show_order("blocked");
    sigdelset(&set, SIGUSR1);
    sigprocmask(SIG_SETMASK, &set, NULL);
    show_order("one open");
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    show_order("all open");
}

static void nest(int number)
{
    note(number);
    if (number == SIGUSR1)
        raise(SIGUSR2);
    note(-number);
}

CASE_ALONE(signal_nested)
{
    handle(SIGUSR1, nest, 0);
    handle(SIGUSR2, nest, 0);
    raise(SIGUSR1);
    show_order("order");
}

static void nest_self(int number)
{
    note(taken);
    if (taken < 5)
        raise(number);
    note(-taken);
}

CASE_ALONE(signal_nodefer)
{
    handle(SIGUSR1, nest_self, SA_NODEFER);
    raise(SIGUSR1);
    show_order("nodefer");
    handle(SIGUSR1, nest_self, 0);
    raise(SIGUSR1);
    show_order("defer");
}

CASE_ALONE(signal_mask_in_handler)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = nest;
    sigaddset(&action.sa_mask, SIGUSR2);
    sigaction(SIGUSR1, &action, NULL);
    handle(SIGUSR2, nest, 0);
    raise(SIGUSR1);
    show_order("order");
}

CASE_ALONE(signal_reset_hand)
{
    struct sigaction now;
    handle(SIGUSR1, note, SA_RESETHAND);
    raise(SIGUSR1);
    sigaction(SIGUSR1, NULL, &now);
    printf("%d\n", now.sa_handler == SIG_DFL);
    show_order("once");
    raise(SIGUSR1);
    printf("not reached\n");
}

CASE_ALONE(signal_ignored)
{
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    printf("%d\n", signal(SIGUSR1, SIG_DFL) == SIG_IGN);
    raise(SIGCHLD);
    raise(SIGWINCH);
    printf("alive\n");
}

static void note_value(int number, siginfo_t *info, void *context)
{
    (void)context;
    note(number == SIGRTMIN ? info->si_value.sival_int : -1);
    last_code = info->si_code;
}

CASE_ALONE(signal_queue)
{
    sigset_t set;
    handle_info(SIGRTMIN, note_value, 0);
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (int i = 10; i < 16; i++)
        sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
    show_order("blocked");
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    show_order("values");
    printf("%d\n", last_code == SI_QUEUE);
}

CASE_ALONE(signal_wait)
{
    sigset_t set;
    siginfo_t info;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN + 1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 5});
    int first = sigwaitinfo(&set, &info), second = sigtimedwait(&set, &info, &(struct timespec){1, 0});
    printf("%d %d %d\n", first == SIGUSR1, second == SIGRTMIN + 1, info.si_value.sival_int);
    errno = 0;
    printf("%d ", sigtimedwait(&set, &info, &(struct timespec){0, 1000000}));
    printf("%s\n", strerrorname_np(errno));
}

CASE_ALONE(signal_suspend)
{
    sigset_t set, none;
    handle(SIGALRM, note, 0);
    sigemptyset(&none);
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 20000}}, NULL);
    errno = 0;
    int result = sigsuspend(&none);
    printf("%d %s\n", result, strerrorname_np(errno));
    sigprocmask(SIG_SETMASK, NULL, &none);
    printf("%d\n", sigismember(&none, SIGALRM));
    show_order("taken");
}

CASE_ALONE(signal_interval_timer)
{
    handle(SIGALRM, note, 0);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 5000}, {0, 5000}}, NULL);
    while (taken < 5)
        pause();
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    taken = 5;
    show_order("five");
}

CASE_ALONE(signal_timer_interrupts_loop)
{
    handle(SIGALRM, note, 0);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 10000}}, NULL);
    volatile unsigned spins = 0;
    volatile double x = 1, y = 1;
    while (taken == 0) {
        spins++;
        x = x * 1.5;
        x = x / 1.5;
        y = spins & 1 ? y + 1 : y - 1;
    }
    printf("%d %g %d\n", spins > 0, x, y <= 2);
    show_order("taken");
}

CASE_ALONE(signal_interrupts_read)
{
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        return;
    handle(SIGALRM, note, 0);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 20000}}, NULL);
    errno = 0;
    ssize_t n = read(ends[0], &byte, 1);
    printf("%zd %s\n", n, strerrorname_np(errno));
    show_order("taken");
}

static int restart_end;
static void write_then_note(int number)
{
    note(number);
    if (write(restart_end, "r", 1) != 1)
        note(-1);
}

CASE_ALONE(signal_restarts_read)
{
    int ends[2];
    char byte = 0;
    if (pipe(ends) != 0)
        return;
    restart_end = ends[1];
    handle(SIGALRM, write_then_note, SA_RESTART);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 20000}}, NULL);
    ssize_t n = read(ends[0], &byte, 1);
    printf("%zd %c\n", n, byte);
    show_order("taken");
}

static unsigned char *stack_low;
static size_t stack_size;
static void on_stack(int number)
{
    unsigned char here;
    note(number);
    note(&here >= stack_low && &here < stack_low + stack_size);
    stack_t now;
    sigaltstack(NULL, &now);
    note((now.ss_flags & SS_ONSTACK) != 0);
}

CASE_ALONE(signal_alternate_stack)
{
    stack_size = 32768;
    stack_low = malloc(stack_size);
    sigaltstack(&(stack_t){.ss_sp = stack_low, .ss_size = stack_size}, NULL);
    handle(SIGUSR1, on_stack, SA_ONSTACK);
    raise(SIGUSR1);
    show_order("on the stack");
    handle(SIGUSR1, on_stack, 0);
    raise(SIGUSR1);
    show_order("beside it");
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    handle(SIGUSR1, on_stack, SA_ONSTACK);
    raise(SIGUSR1);
    show_order("disabled");
}

static unsigned char *fault_base;
static volatile long fault_offset;
static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    note(number);
    last_code = info->si_code;
    fault_offset = (long)((unsigned char *)info->si_addr - fault_base);
    siglongjmp(escape, 1);
}

static unsigned char *map_pages(size_t count, int protection)
{
    void *p = mmap(NULL, count * 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        abort();
    return p;
}

CASE_ALONE(signal_fault_unmapped)
{
    fault_base = map_pages(3, PROT_READ | PROT_WRITE);
    munmap(fault_base + 4096, 4096);
    handle_info(SIGSEGV, on_fault, 0);
    for (volatile int i = 0; i < 3; i++) {
        if (sigsetjmp(escape, 1) == 0)
            *(volatile unsigned char *)(fault_base + 4096 + i * 1000) = 1;
        printf("SIGSEGV %d, unmapped %d, offset %ld\n", order[taken - 1] == SIGSEGV, last_code == SEGV_MAPERR,
               fault_offset);
    }
}

CASE_ALONE(signal_fault_protected)
{
    fault_base = map_pages(2, PROT_READ | PROT_WRITE);
    fault_base[4096 + 12] = 77;
    mprotect(fault_base + 4096, 4096, PROT_READ);
    handle_info(SIGSEGV, on_fault, 0);
    printf("%d\n", fault_base[4096 + 12]);
    if (sigsetjmp(escape, 1) == 0)
        *(volatile uint32_t *)(void *)(fault_base + 4096 + 12) = 5;
    printf("write: protected %d, offset %ld\n", last_code == SEGV_ACCERR, fault_offset);
    mprotect(fault_base + 4096, 4096, PROT_NONE);
    if (sigsetjmp(escape, 1) == 0)
        printf("%u\n", *(volatile uint32_t *)(void *)(fault_base + 4096 + 16));
    printf("read: protected %d, offset %ld\n", last_code == SEGV_ACCERR, fault_offset);
    mprotect(fault_base + 4096, 4096, PROT_READ | PROT_WRITE);
    printf("%d\n", fault_base[4096 + 12]);
}

static void open_page(int number, siginfo_t *info, void *context)
{
    (void)context;
    note(number == SIGSEGV);
    uintptr_t page = (uintptr_t)info->si_addr & ~(uintptr_t)4095;
    mprotect((void *)page, 4096, PROT_READ | PROT_WRITE);
}

/* The handler repairs the page, and the faulting instruction runs again. */
CASE_ALONE(signal_fault_repaired)
{
    unsigned char *pages = map_pages(8, PROT_NONE);
    handle_info(SIGSEGV, open_page, 0);
    unsigned sum = 0;
    for (int i = 0; i < 8; i++) {
        pages[i * 4096 + i] = (unsigned char)(i + 1);
        sum += pages[i * 4096 + i];
    }
    double *real = (double *)(void *)(pages + 4096 * 3 + 64);
    mprotect(pages + 4096 * 3, 4096, PROT_NONE);
    *real = 2.5;
    mprotect(pages + 4096 * 3, 4096, PROT_NONE);
    printf("%u %g\n", sum, *real * 2);
    show_order("faults");
}

CASE_ALONE(signal_fault_default)
{
    unsigned char *page = map_pages(1, PROT_NONE);
    printf("about to fault\n");
    *(volatile unsigned char *)page = 1;
    printf("not reached\n");
}

CASE_ALONE(signal_fault_null)
{
    volatile unsigned *nothing = OPAQUE((volatile unsigned *)NULL);
    fault_base = NULL;
    handle_info(SIGSEGV, on_fault, 0);
    if (sigsetjmp(escape, 1) == 0)
        printf("%u\n", nothing[3]);
    printf("SIGSEGV %d, unmapped %d, address %ld\n", order[0] == SIGSEGV, last_code == SEGV_MAPERR, fault_offset);
}

CASE_ALONE(signal_fault_on_alternate_stack)
{
    stack_size = 65536;
    stack_low = malloc(stack_size);
    sigaltstack(&(stack_t){.ss_sp = stack_low, .ss_size = stack_size}, NULL);
    fault_base = map_pages(1, PROT_NONE);
    handle_info(SIGSEGV, on_fault, SA_ONSTACK);
    for (volatile int i = 0; i < 4; i++)
        if (sigsetjmp(escape, 1) == 0)
            *(volatile unsigned char *)(fault_base + i * 16) = 1;
    show_order("faults");
    printf("offset %ld\n", fault_offset);
}

static void on_divide(int number, siginfo_t *info, void *context)
{
    (void)context;
    note(number);
    last_code = info->si_code;
    siglongjmp(escape, 1);
}

static NOINLINE int divide(int a, int b)
{
    return a / b;
}
static NOINLINE unsigned remainder_of(unsigned a, unsigned b)
{
    return a % b;
}

/* The compiler follows a division with a conditional trap on a divisor of zero. (In expected/.) */
CASE_ALONE(signal_integer_division)
{
    handle_info(SIGFPE, on_divide, 0);
    for (volatile int i = -2; i <= 2; i++) {
        last_code = 0;
        if (sigsetjmp(escape, 1) == 0)
            printf("%d %u\n", divide(100, i), remainder_of(100, (unsigned)i));
        else
            printf("SIGFPE %d, by zero %d\n", order[taken - 1] == SIGFPE, last_code == FPE_INTDIV);
    }
}

CASE_ALONE(signal_integer_division_default)
{
    printf("dividing\n");
    printf("%d\n", divide(OPAQUE(1), OPAQUE(0)));
}

/* Registers of both kinds come back unchanged from a handler that used them all. */
static void use_registers(int number)
{
    volatile double x = 1;
    for (int i = 1; i < 20; i++)
        x = x * i / 3 + number;
    note(x > 0);
}

static NOINLINE double mixed(double a, double b, double c, int d, int e, int f)
{
    double p = a * b, q = b * c, r = a - c;
    int g = d * e, h = e ^ f, i = d - f;
    raise(SIGUSR1);
    return p + q * 3 + r * 5 + g + h * 7 + i * 11;
}

CASE_ALONE(signal_keeps_registers)
{
    handle(SIGUSR1, use_registers, 0);
    printf("%a\n", mixed(OPAQUE(1.1), OPAQUE(2.2), OPAQUE(3.3), OPAQUE(4), OPAQUE(5), OPAQUE(6)));
    show_order("taken");
}

static void change_environment(int number)
{
    fesetround(FE_DOWNWARD);
    feraiseexcept(FE_DIVBYZERO);
    note(number == SIGUSR1);
}

/* The floating-point control register is part of what a signal frame keeps. (In expected/.) */
CASE_ALONE(signal_keeps_rounding)
{
    handle(SIGUSR1, change_environment, 0);
    fesetround(FE_UPWARD);
    feclearexcept(FE_ALL_EXCEPT);
    raise(SIGUSR1);
    printf("%d %d\n", fegetround() == FE_UPWARD, !!fetestexcept(FE_DIVBYZERO));
    fesetround(FE_TONEAREST);
    show_order("taken");
}

static ucontext_t main_context, side_context;
static void side(int first)
{
    for (int i = 0; i < 3; i++) {
        printf("side %d\n", first + i);
        swapcontext(&side_context, &main_context);
    }
}

CASE_ALONE(signal_contexts)
{
    static unsigned char stack[65536];
    getcontext(&side_context);
    side_context.uc_stack.ss_sp = stack;
    side_context.uc_stack.ss_size = sizeof stack;
    side_context.uc_link = &main_context;
    makecontext(&side_context, (void (*)(void))side, 1, 40);
    for (int i = 0; i < 4; i++) {
        printf("main %d\n", i);
        swapcontext(&main_context, &side_context);
    }
    printf("done\n");
}

CASE_ALONE(signal_kill_self)
{
    printf("terminating\n");
    kill(getpid(), SIGTERM);
    printf("not reached\n");
}

CASE_ALONE(signal_sleep_cut_short)
{
    handle(SIGALRM, note, 0);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 20000}}, NULL);
    struct timespec left = {0, 0};
    errno = 0;
    int result = nanosleep(&(struct timespec){5, 0}, &left);
    printf("%d %s %d\n", result, strerrorname_np(errno), left.tv_sec == 4);
    show_order("taken");
}

CASE_ALONE(signal_posix_timer)
{
    timer_t timer;
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN;
    event.sigev_value.sival_int = 9;
    handle_info(SIGRTMIN, note_value, 0);
    int failed = timer_create(CLOCK_MONOTONIC, &event, &timer);
    failed |= timer_settime(timer, 0, &(struct itimerspec){{0, 0}, {0, 10000000}}, NULL);
    while (!failed && taken == 0)
        pause();
    timer_delete(timer);
    printf("%d\n", failed);
    show_order("value");
}
