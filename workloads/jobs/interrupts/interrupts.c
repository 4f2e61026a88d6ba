/*
 * Counts the cache misses that I/O interrupts cause, as a program that only has the processor's performance counters
 * can: Schaelicke, Davis and McKee, "Profiling I/O Interrupts in Modern Architectures", University of Utah 1999.
 *
 *     interrupts GEOMETRY SCOPE disk RUNS               idle, asynchronous reads, the counters' own system calls
 *     interrupts GEOMETRY SCOPE network HOST PORT RUNS  idle, and messages that come back
 *     interrupts GEOMETRY SCOPE user-network HOST PORT RUNS
 *     interrupts GEOMETRY SCOPE first-disk RUNS         user-: in user mode alone; first-: of it the first level alone
 *     interrupts GEOMETRY SCOPE first-network HOST PORT RUNS
 *     interrupts echo PORT DELAY                        the machine that sends messages back, late ones after DELAY us
 *
 * GEOMETRY: clock=HZ,l1d=SIZE:LINE:WAYS,l1i=...,l2=... SCOPE: `process` counts what happens while this process runs,
 * `all` everything. Beside the paper's experiments there are two that take causes away: the scenario `direct`, an
 * asynchronous read by the kernel (io_submit of a file without a file cache), whose interrupt wakes nobody; and the
 * patterns `filled` and `filled-once`, where the cache is filled a first time before counting begins, so that what the
 * request itself displaced is not counted. Each run is a line: CACHE SCENARIO PATTERN MODE RUN COUNT DONE; DONE is 1 if
 * the read or the answer had come when counting ended. Counting is between the marks 1 and 2; between 3 and 4 a message
 * is sent and comes back that is not counted.
 */
#define _GNU_SOURCE
#include <aio.h>
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/perf_event.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/cachectl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, FILES = 16, MESSAGE = 16, SECTOR = 512, WARM_RUNS = 2, RUNS_MAX = 1024 };
enum { CONTROL = 0x18010000, MARK_NUMBER = 0x18, MARK_COUNTED = 1, MARK_SHOWN = 3 };
enum cache { L1D, L1I, L2, CACHES };
enum scenario { IDLE, DISK, SIGNALLED, DIRECT, NETWORK, IDLE_NETWORK, OVERHEAD, OVERHEAD_NONE };
enum pattern { REPEAT, ONCE, FILLED, FILLED_ONCE };
static const char *const cache_names[] = {"l1d", "l1i", "l2"};
static const char *const scenario_names[] = {"idle",    "disk",         "signal",   "direct",
                                             "network", "idle-network", "overhead", "overhead-none"};
static const char *const pattern_names[] = {"repeat", "once", "filled", "filled-once"};
/* Raw events of the interAptiv: misses of L1-D, of L1-I (counter 1: 128 more), of L2. */
static const uint64_t events[] = {11, 9 + 128, 22};

static struct {
    unsigned clock;
    struct {
        unsigned size, line, ways;
    } cache[CACHES];
} geometry;
static int all_processes;
static volatile uint32_t *marks;
static int counter, connection = -1;
/* What is measured: `disk` and `network` both modes, user- the program's alone, first- of it the first level alone. */
static int only_user;
static enum cache last = L2;
/* Touches every line of the cache, again and again until PERIOD has passed since BEGIN, at least once. */
typedef void filler_fn(uint32_t begin, uint32_t period);
static filler_fn *filler;
static void **chase;

static void __attribute__((noreturn)) die(const char *what)
{
    fprintf(stderr, "interrupts: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void *pages(size_t size, size_t alignment, int protection)
{
    char *at = mmap(NULL, size + alignment, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        die("mmap");
    at += -(uintptr_t)at & (alignment - 1);
    memset(at, 0, size);
    return at;
}

/* Time without a system call. */

static inline uint32_t cycles(void)
{
    uint32_t count;
    __asm__ volatile(".set push\n.set mips32r2\nrdhwr %0, $2\n.set pop" : "=r"(count));
    return count;
}

static uint32_t ticks_of(unsigned microseconds)
{
    uint32_t resolution;
    __asm__ volatile(".set push\n.set mips32r2\nrdhwr %0, $3\n.set pop" : "=r"(resolution));
    return (uint32_t)((uint64_t)geometry.clock / resolution * microseconds / 1000000);
}

/* Fillers. Their loops use no other data, and no other code, than the lines that they touch: in a quiet system they
 * miss nothing. */

static void follow(uint32_t begin, uint32_t period)
{
    void **const first = chase, **at = first;
    do
        do {
            at = *at;
            __asm__ volatile("" : "+r"(at)); /* the load is not removed */
        } while (at != first);
    while (cycles() - begin < period);
}

/* Link the lines of COUNT pages (of SIZE bytes each) into a ring. */
static void **ring(char *const *page, unsigned count, unsigned size, unsigned line)
{
    void **first = (void **)page[0], **last = first;
    for (unsigned i = 0; i < count; i++)
        for (unsigned at = 0; at < size; at += line) {
            *last = page[i] + at;
            last = (void **)(page[i] + at);
        }
    *last = first;
    return first;
}

/* The second level is physically indexed: as many pages of each colour as it has ways. */
static void **fill_l2(unsigned size, unsigned line, unsigned ways)
{
    const unsigned colours = size / ways / PAGE, wanted = size / PAGE, count = 16 * wanted;
    char *memory = pages((size_t)count * PAGE, PAGE, PROT_READ | PROT_WRITE);
    char **page = calloc(wanted, sizeof *page);
    unsigned *taken = calloc(colours, sizeof *taken), got = 0;
    const int map = open("/proc/self/pagemap", O_RDONLY);
    if (map < 0 || !page || !taken || mlock(memory, (size_t)count * PAGE) != 0)
        die("pages of the second level");
    for (unsigned i = 0; i < count && got < wanted; i++) {
        uint64_t frame;
        if (pread(map, &frame, sizeof frame, (off_t)(((uintptr_t)memory / PAGE + i) * sizeof frame)) != sizeof frame)
            die("/proc/self/pagemap");
        const unsigned colour = (unsigned)(frame & 0x7fffffffffffff) % colours;
        if (taken[colour]++ < ways)
            page[got++] = memory + (size_t)i * PAGE;
    }
    close(map);
    errno = ENOMEM;
    if (got < wanted)
        die("not enough pages of each colour");
    return ring(page, wanted, PAGE, line);
}

/* In each line a branch to the next one, in the last the loop of follow(). */
static filler_fn *fill_l1i(unsigned size, unsigned line)
{
    uint32_t *code = pages(size, size, PROT_READ | PROT_WRITE | PROT_EXEC);
    const unsigned last = size / 4 - line / 4;
    for (unsigned at = 0; at < last; at += line / 4)
        code[at] = 0x10000000 | (line / 4 - 1);
    const uint32_t loop[] = {
        0x7c02103b,                               /* rdhwr $v0, $2 */
        0x00441023,                               /* subu  $v0, $v0, $a0 */
        0x0045102b,                               /* sltu  $v0, $v0, $a1 */
        0x14400000 | ((0 - (last + 4)) & 0xffff), /* bnez  $v0, code */
        0,
        0x03e00008, /* jr    $ra */
        0,
    };
    memcpy(code + last, loop, sizeof loop);
    if (cacheflush(code, (int)size, BCACHE) != 0)
        die("cacheflush");
    return (filler_fn *)(uintptr_t)code;
}

static void choose(enum cache cache)
{
    static void **rings[CACHES];
    const unsigned size = geometry.cache[cache].size, line = geometry.cache[cache].line;
    if (cache == L1I) {
        static filler_fn *code;
        filler = code = code ? code : fill_l1i(size, line);
        return;
    }
    if (!rings[cache]) {
        char *memory = cache == L1D ? pages(size, size, PROT_READ | PROT_WRITE) : NULL;
        rings[cache] = cache == L1D ? ring(&memory, 1, size, line) : fill_l2(size, line, geometry.cache[L2].ways);
    }
    chase = rings[cache];
    filler = follow;
}

/* What is measured */

static struct aiocb request;
static char buffer[MESSAGE];

/* A read by the kernel itself, past the file cache. */
static struct {
    aio_context_t context;
    struct iocb read;
    int files[FILES], is_done;
    char sector[SECTOR] __attribute__((aligned(SECTOR)));
} direct;

static void start_direct(unsigned file)
{
    char name[16];
    struct iocb *const list[] = {&direct.read};
    snprintf(name, sizeof name, "/files/%u", file);
    if (direct.context == 0 && syscall(SYS_io_setup, 1, &direct.context) != 0)
        die("io_setup");
    if (direct.files[file] == 0 && (direct.files[file] = open(name, O_RDONLY | O_DIRECT)) < 0)
        die(name);
    memset(&direct.read, 0, sizeof direct.read);
    direct.read.aio_lio_opcode = IOCB_CMD_PREAD;
    direct.read.aio_fildes = (uint32_t)direct.files[file];
    direct.read.aio_buf = (uintptr_t)direct.sector;
    direct.read.aio_nbytes = sizeof direct.sector;
    direct.is_done = 0;
    if (syscall(SYS_io_submit, direct.context, 1L, list) != 1)
        die("io_submit");
}

/* Whether it is done; with WAIT, when it is. */
static int end_direct(int wait)
{
    const struct timespec at_once = {0, 0};
    struct io_event event;
    if (!direct.is_done &&
        syscall(SYS_io_getevents, direct.context, (long)wait, 1L, &event, wait ? NULL : &at_once) == 1) {
        direct.is_done = 1;
        if (event.res != MESSAGE)
            die("the direct read");
    }
    return direct.is_done;
}

static void schedule(enum scenario scenario, enum cache cache)
{
    static uint32_t random = 1;
    static int files[FILES];
    char name[16];
    if (scenario == NETWORK) {
        memset(buffer, 0, sizeof buffer);
        buffer[0] = cache == L2;
        if (send(connection, buffer, sizeof buffer, 0) != sizeof buffer)
            die("send");
    }
    if (scenario != DISK && scenario != SIGNALLED && scenario != DIRECT)
        return;
    random = random * 1664525 + 1013904223;
    const unsigned file = random >> 28;
    if (scenario == DIRECT) {
        start_direct(file);
        return;
    }
    snprintf(name, sizeof name, "/files/%u", file);
    if (files[file] == 0 && (files[file] = open(name, O_RDONLY)) < 0)
        die(name);
    if ((errno = posix_fadvise(files[file], 0, 0, POSIX_FADV_DONTNEED)) != 0)
        die("posix_fadvise");
    memset(&request, 0, sizeof request);
    request.aio_fildes = files[file];
    request.aio_buf = buffer;
    request.aio_nbytes = sizeof buffer;
    request.aio_sigevent.sigev_notify = scenario == SIGNALLED ? SIGEV_SIGNAL : SIGEV_NONE;
    request.aio_sigevent.sigev_signo = SIGUSR1;
    if (aio_read(&request) != 0)
        die("aio_read");
    sched_yield(); /* to the thread that reads */
}

static int is_done(enum scenario scenario)
{
    if (scenario == DISK || scenario == SIGNALLED)
        return aio_error(&request) == 0;
    if (scenario == DIRECT)
        return end_direct(0);
    if (scenario == NETWORK)
        return recv(connection, buffer, sizeof buffer, MSG_DONTWAIT | MSG_PEEK) == sizeof buffer;
    return 1;
}

static void finish(enum scenario scenario)
{
    const struct aiocb *const list[] = {&request};
    if (scenario == DISK || scenario == SIGNALLED) {
        while (aio_error(&request) == EINPROGRESS)
            aio_suspend(list, 1, NULL);
        if (aio_return(&request) != sizeof buffer)
            die("the asynchronous read");
    }
    if (scenario == DIRECT)
        end_direct(1);
    if (scenario == NETWORK && recv(connection, buffer, sizeof buffer, MSG_WAITALL) != sizeof buffer)
        die("recv");
    usleep(20000);
}

/* Figure 1 (b) of the paper, or (a) if the pattern is ONCE or FILLED_ONCE. */
static void use_cache(enum pattern pattern, uint32_t period)
{
    const uint32_t begin = cycles();
    if (pattern == REPEAT || pattern == FILLED) {
        filler(begin, period);
        return;
    }
    filler(begin, 0);
    while (cycles() - begin < period)
        continue;
    filler(begin, 0);
}

static void start_counter(void)
{
    if (ioctl(counter, PERF_EVENT_IOC_ENABLE, 0) != 0)
        die("PERF_EVENT_IOC_ENABLE");
}
static void stop_counter(void)
{
    if (ioctl(counter, PERF_EVENT_IOC_DISABLE, 0) != 0)
        die("PERF_EVENT_IOC_DISABLE");
}

static long long run(enum cache cache, enum scenario scenario, enum pattern pattern, uint32_t mark, int *done)
{
    const unsigned network_period = cache == L2 ? 5000 : 2000;
    const int network = scenario == NETWORK || scenario == IDLE_NETWORK;
    const uint32_t period = ticks_of(network ? network_period : 25000);
    long long count;
    if (ioctl(counter, PERF_EVENT_IOC_RESET, 0) != 0)
        die("PERF_EVENT_IOC_RESET");
    schedule(scenario, cache);
    if (pattern == FILLED || pattern == FILLED_ONCE)
        filler(0, 0);
    start_counter();
    if (mark)
        marks[MARK_NUMBER / 4] = mark;
    if (scenario == OVERHEAD || scenario == OVERHEAD_NONE) {
        filler(0, 0);
        if (scenario == OVERHEAD) {
            stop_counter();
            start_counter();
        }
        filler(0, 0);
    } else {
        use_cache(pattern, period);
    }
    if (mark)
        marks[MARK_NUMBER / 4] = mark + 1;
    stop_counter();
    *done = is_done(scenario);
    if (read(counter, &count, sizeof count) != sizeof count)
        die("reading the counter");
    finish(scenario);
    return count;
}

/* Whether the 95 % confidence interval of the COUNT results is within 5 % of the mean (section 2.3). Outliers are not
 * removed here: a distribution with two modes is not narrow. */
static int is_narrow(const long long *results, unsigned count)
{
    double sum = 0, squares = 0;
    for (unsigned i = 0; i < count; i++) {
        sum += (double)results[i];
        squares += (double)results[i] * (double)results[i];
    }
    const double mean = sum / count, variance = (squares - sum * mean) / (count - 1) / count;
    return 4 * 1.1 * variance <= 0.05 * mean * 0.05 * mean;
}

static void experiment(enum cache cache, enum scenario scenario, enum pattern pattern, int kernel, unsigned runs)
{
    static long long results[RUNS_MAX];
    static int done[RUNS_MAX];
    struct perf_event_attr attr = {.type = PERF_TYPE_RAW,
                                   .size = sizeof attr,
                                   .config = events[cache],
                                   .disabled = 1,
                                   .exclude_kernel = !kernel,
                                   .exclude_user = (unsigned)kernel};
    unsigned count = 0;
    int ignored;
    counter = (int)syscall(SYS_perf_event_open, &attr, all_processes ? -1 : 0, all_processes ? 0 : -1, -1, 0);
    if (counter < 0)
        die("perf_event_open");
    choose(cache);
    for (unsigned i = 0; i < WARM_RUNS; i++)
        run(cache, scenario, pattern, scenario == NETWORK && cache == L1D && i > 0 ? MARK_SHOWN : 0, &ignored);
    while (count < runs || (runs >= 16 && count < runs + runs / 2 && !is_narrow(results, count))) {
        results[count] = run(cache, scenario, pattern, MARK_COUNTED, &done[count]);
        count++;
    }
    close(counter);
    for (unsigned i = 0; i < count; i++)
        printf("%s %s %s %s %u %lld %d\n", cache_names[cache], scenario_names[scenario], pattern_names[pattern],
               kernel ? "kernel" : "user", i + 1, results[i], done[i]);
    fflush(stdout);
}

static void on_signal(int signal)
{
    (void)signal;
}

static void disk_experiments(unsigned runs)
{
    const struct aioinit init = {.aio_threads = 1, .aio_num = 4, .aio_idle_time = 1000};
    const struct sigaction action = {.sa_handler = on_signal};
    aio_init(&init);
    if (sigaction(SIGUSR1, &action, NULL) != 0)
        die("sigaction");
    for (enum cache cache = L1D; cache <= last; cache++) {
        if (!only_user) {
            experiment(cache, OVERHEAD_NONE, ONCE, 0, runs);
            experiment(cache, OVERHEAD, ONCE, 0, runs);
            for (enum scenario scenario = IDLE; scenario <= SIGNALLED; scenario++)
                experiment(cache, scenario, REPEAT, 1, runs);
        }
        if (cache == L1D && !only_user) {
            for (enum scenario scenario = IDLE; scenario <= SIGNALLED; scenario++)
                experiment(cache, scenario, ONCE, 0, runs);
            experiment(cache, IDLE, FILLED_ONCE, 0, runs);
            experiment(cache, DISK, FILLED_ONCE, 0, runs);
        }
        for (enum scenario scenario = IDLE; scenario <= DIRECT; scenario++) {
            experiment(cache, scenario, REPEAT, 0, runs);
            experiment(cache, scenario, FILLED, 0, runs);
        }
    }
}

static void network_experiments(const char *host, const char *port, unsigned runs)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    const int yes = 1;
    inet_pton(AF_INET, host, &address.sin_addr);
    for (unsigned tries = 0;; tries++) {
        connection = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(connection, (const struct sockaddr *)&address, sizeof address) == 0)
            break;
        if (tries == 120)
            die("connect");
        close(connection);
        sleep(1);
    }
    if (setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0)
        die("TCP_NODELAY");
    for (enum cache cache = L1D; cache <= last; cache++) {
        for (int kernel = 0; kernel < (only_user ? 1 : 2); kernel++) {
            experiment(cache, IDLE_NETWORK, REPEAT, kernel, runs);
            experiment(cache, NETWORK, REPEAT, kernel, runs);
        }
        experiment(cache, IDLE_NETWORK, FILLED, 0, runs);
        experiment(cache, NETWORK, FILLED, 0, runs);
    }
}

static void echo(const char *port, useconds_t delay)
{
    const struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    const int yes = 1, server = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(server, (const struct sockaddr *)&address, sizeof address) != 0 || listen(server, 1) != 0)
        die("listen");
    for (;;) {
        char message[MESSAGE];
        const int client = accept(server, NULL, NULL);
        if (client < 0)
            die("accept");
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        while (recv(client, message, sizeof message, MSG_WAITALL) == sizeof message) {
            if (message[0])
                usleep(delay);
            if (send(client, message, sizeof message, 0) != sizeof message)
                break;
        }
        close(client);
    }
}

static void prepare(void)
{
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    if (sched_setaffinity(0, sizeof first, &first) != 0)
        die("sched_setaffinity");
    const int memory = open("/dev/mem", O_RDWR | O_SYNC);
    void *control = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, CONTROL);
    if (memory < 0 || control == MAP_FAILED)
        die("/dev/mem");
    marks = control;
    if (mlockall(MCL_CURRENT) != 0)
        die("mlockall");
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "echo") == 0) {
        echo(argv[2], (useconds_t)atoi(argv[3]));
        return 0;
    }
    if (argc < 5 || sscanf(argv[1], "clock=%u,l1d=%u:%u:%u,l1i=%u:%u:%u,l2=%u:%u:%u", &geometry.clock,
                           &geometry.cache[L1D].size, &geometry.cache[L1D].line, &geometry.cache[L1D].ways,
                           &geometry.cache[L1I].size, &geometry.cache[L1I].line, &geometry.cache[L1I].ways,
                           &geometry.cache[L2].size, &geometry.cache[L2].line, &geometry.cache[L2].ways) != 10) {
        fprintf(stderr, "usage: interrupts GEOMETRY process|all [first-]disk RUNS\n"
                        "       interrupts GEOMETRY process|all [user-|first-]network HOST PORT RUNS\n"
                        "       interrupts echo PORT DELAY\n");
        return 2;
    }
    all_processes = strcmp(argv[2], "all") == 0;
    if (!all_processes && strcmp(argv[2], "process") != 0)
        return 2;
    prepare();
    const unsigned runs = (unsigned)atoi(argv[argc - 1]);
    if (runs < 1 || runs > RUNS_MAX / 2)
        return 2;
    const int first = strncmp(argv[3], "first-", 6) == 0;
    only_user = first || strncmp(argv[3], "user-", 5) == 0;
    last = first ? L1I : L2;
    const char *const device = argv[3] + (first ? 6 : only_user ? 5 : 0);
    if (strcmp(device, "disk") == 0 && argc == 5)
        disk_experiments(runs);
    else if (strcmp(device, "network") == 0 && argc == 7)
        network_experiments(argv[4], argv[5], runs);
    else
        return 2;
    return 0;
}
