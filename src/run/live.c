#include "src/run/live.h"

#include "src/base/host_time.h"
#include "src/host/http_server.h"
#include "src/observe/machine_progress.h"
#include "src/page/page.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PICTURES = 2, FIRST_FD = 3, WAIT_MS = 10, WAITS = 100 };
static const double least_seconds = 0.5, costs = 200; /* a picture at most every 200 times its own duration */

/* Shared by both processes. Picture number N is in file N % PICTURES. */
struct shared {
    _Atomic uint32_t wanted;   /* somebody has asked since the last picture */
    _Atomic uint32_t pictures; /* taken so far */
    _Atomic double due;        /* host time of the next picture at the earliest */
    struct picture {
        size_t size; /* of the statistics, JSON */
        struct page_live progress;
    } picture[PICTURES];
};

struct live {
    struct shared *shared;
    int file[PICTURES]; /* memory files with the statistics */
    int end_fd;         /* a pipe to the server: closed, it ends, however this process does */
    pid_t server;
    struct machine *machine; /* NULL: no run goes on */
    const struct instrument *instrument;
    const struct machine_host *host;
    void *host_opaque;
    struct machine_progress progress;
    double begun, last; /* host time of the first instruction, and of the last picture */
    uint64_t insns;     /* at the last picture */
};

/* The server's process */

struct server {
    struct shared *shared;
    const int *file;
    double none_until; /* until then no picture is waited for: there was none a moment ago */
    uint32_t number;   /* of the picture that TEXT and PAGE are made of; 0: none */
    char *text, *page;
    size_t text_size, page_size;
    struct page_live progress;
};

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* The text of picture NUMBER, which is not overwritten meanwhile; NULL if it was. */
static char *read_picture(struct server *server, uint32_t number, size_t *size, struct page_live *progress)
{
    const struct picture *picture = &server->shared->picture[number % PICTURES];
    *size = picture->size;
    *progress = picture->progress;
    char *text = checked_memory(malloc(*size + 1));
    size_t got = 0;
    for (ssize_t more; got < *size; got += (size_t)more)
        if ((more = pread(server->file[number % PICTURES], text + got, *size - got, (off_t)got)) <= 0)
            break;
    text[got] = 0;
    if (got == *size && atomic_load(&server->shared->pictures) - number < PICTURES - 1)
        return text;
    free(text);
    return NULL;
}

/* Ask for a picture, wait for it a moment if it may come now, and take the last one. False if there is none. */
static bool update(struct server *server)
{
    const uint32_t before = atomic_load(&server->shared->pictures);
    const double earliest = fmax(atomic_load(&server->shared->due), server->none_until);
    atomic_store(&server->shared->wanted, 1);
    for (unsigned i = 0; i < WAITS && atomic_load(&server->shared->pictures) == before && host_seconds() >= earliest;
         i++)
        sleep_ms(WAIT_MS);
    if (atomic_load(&server->shared->pictures) == before)
        server->none_until = host_seconds() + least_seconds;
    for (uint32_t number; (number = atomic_load(&server->shared->pictures)) != server->number;) {
        size_t size;
        struct page_live progress;
        char *text = read_picture(server, number, &size, &progress);
        if (!text)
            continue;
        free(server->text);
        free(server->page);
        server->text = text;
        server->text_size = size;
        server->progress = progress;
        server->page = NULL;
        server->number = number;
    }
    return server->number != 0;
}

/* The page of the picture, made once. */
static void put_page(struct server *server, FILE *body)
{
    struct err err = {""};
    if (!server->page) {
        struct results column;
        json_t *root = json_loadb(server->text, server->text_size, 0, NULL);
        FILE *out = checked_memory(open_memstream(&server->page, &server->page_size));
        if (root && results_read(&column, "this run", root, &err)) {
            const struct result_files report = {.count = 1, .columns = {&column}};
            page_write(&report, &server->progress, out);
            results_release(&column);
        }
        fclose(out);
        json_decref(root);
    }
    fwrite(server->page, 1, server->page_size, body);
}

static void put_progress(const struct server *server, FILE *body)
{
    struct json_writer json = json_writer_to(body);
    json_begin_object(&json);
    json_member_count(&json, "picture", server->number);
    json_key(&json, "share");
    if (server->progress.share >= 0)
        json_put_double(&json, server->progress.share);
    else
        json_put_null(&json);
    json_key(&json, "host_seconds");
    json_put_rounded(&json, "%.3f", server->progress.host);
    json_key(&json, "mips");
    if (server->progress.mips >= 0)
        json_put_rounded(&json, "%.3f", server->progress.mips);
    else
        json_put_null(&json);
    json_end_object(&json);
    putc('\n', body);
}

static unsigned answer(void *opaque, const char *path, FILE *body, const char **type)
{
    struct server *server = opaque;
    const bool page = strcmp(path, "/") == 0, statistics = strcmp(path, "/statistics.json") == 0;
    if (!page && !statistics && strcmp(path, "/progress.json") != 0) {
        fputs("There is / and /statistics.json and /progress.json.\n", body);
        return 404;
    }
    if (!update(server)) {
        fputs("<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"1\"><title>simos</title>"
              "There is no picture of the run yet: it has not begun, or a debugger holds it. This page asks again.\n",
              body);
        return 503;
    }
    if (page)
        put_page(server, body);
    else {
        *type = "application/json";
        if (statistics)
            fwrite(server->text, 1, server->text_size, body);
        else
            put_progress(server, body);
    }
    return 200;
}

/* The process of the server: keeps nothing open but what it needs, ends with the run, and leaves signals to it. */
static void serve(const struct live *live, const int listener[HTTP_LISTENERS], int end_fd)
{
    enum { KEPT = 1 + HTTP_LISTENERS + PICTURES };
    int fds[KEPT] = {end_fd, live->file[0], live->file[1], listener[0], listener[1]};
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    const int nothing = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < FIRST_FD; fd++)
        dup2(nothing, fd);
    for (unsigned i = 0; i < KEPT; i++) /* above the places to which all are moved */
        fds[i] = fds[i] < 0 ? -1 : fcntl(fds[i], F_DUPFD_CLOEXEC, FIRST_FD + KEPT);
    for (unsigned i = 0; i < KEPT; i++)
        if (fds[i] >= 0)
            fds[i] = dup2(fds[i], FIRST_FD + (int)i);
        else
            close(FIRST_FD + (int)i);
    close_range(FIRST_FD + KEPT, ~0u, 0);
    struct server server = {.shared = live->shared, .file = fds + 1};
    http_serve(fds + 1 + PICTURES, fds[0], answer, &server);
    _exit(0);
}

/* The simulator's process */

static double share_of(const struct live *live)
{
    return machine_progress_share(&live->progress, live->machine);
}

/* Write the statistics as they are to OUT. */
static void put_statistics(const struct live *live, FILE *out)
{
    struct json_writer json = json_writer_to(out);
    for (unsigned i = 0; i < live->machine->cpus; i++) {
        core_sync(live->machine->cores[i]);
        core_account(live->machine->cores[i]);
    }
    json_begin_object(&json);
    stats_write_members(live->machine->stats, &json);
    instrument_write_members(live->instrument, &json);
    json_line(&json, 0);
    json_end_object(&json);
    putc('\n', out);
}

static void take_picture(struct live *live, double now)
{
    const uint32_t number = atomic_load(&live->shared->pictures) + 1;
    struct picture *picture = &live->shared->picture[number % PICTURES];
    char *text = NULL;
    size_t size = 0, put = 0;
    FILE *out = checked_memory(open_memstream(&text, &size));
    put_statistics(live, out);
    fclose(out);
    const int fd = live->file[number % PICTURES];
    for (ssize_t more; put < size; put += (size_t)more)
        if ((more = pwrite(fd, text + put, size - put, (off_t)put)) <= 0)
            break;
    free(text);
    const uint64_t insns = machine_insns(live->machine);
    const double ended = host_seconds();
    *picture = (struct picture){
        .size = put,
        .progress = {.share = share_of(live),
                     .host = now - live->begun,
                     .mips = now > live->last ? (double)(insns - live->insns) / (now - live->last) * 1e-6 : -1}};
    live->insns = insns;
    live->last = now;
    const double pause = costs * (ended - now);
    atomic_store(&live->shared->due, ended + (pause > least_seconds ? pause : least_seconds));
    atomic_store(&live->shared->pictures, number);
}

static void look(struct live *live)
{
    if (!live->machine || !atomic_load_explicit(&live->shared->wanted, memory_order_relaxed))
        return;
    const double now = host_seconds();
    if (now < atomic_load(&live->shared->due))
        return;
    atomic_store(&live->shared->wanted, 0);
    take_picture(live, now);
}

static void poll_host(void *opaque)
{
    struct live *live = opaque;
    if (live->host->poll)
        live->host->poll(live->host_opaque);
    look(live);
}

static void about_to_sleep(void *opaque)
{
    struct live *live = opaque;
    if (live->host->sleep)
        live->host->sleep(live->host_opaque);
    look(live);
}

static void uart_output(void *opaque, unsigned uart, uint8_t byte)
{
    const struct live *live = opaque;
    if (live->host->uart_output)
        live->host->uart_output(live->host_opaque, uart, byte);
}

static void userland_up(void *opaque)
{
    const struct live *live = opaque;
    if (live->host->userland_up)
        live->host->userland_up(live->host_opaque);
}

static void mark(void *opaque, const char *name)
{
    const struct live *live = opaque;
    if (live->host->mark)
        live->host->mark(live->host_opaque, name);
}

static const struct machine_host interposed_host = {
    .uart_output = uart_output, .userland_up = userland_up, .mark = mark, .poll = poll_host, .sleep = about_to_sleep};

const struct machine_host *live_host(struct live *live, const struct machine_host *host, void *opaque)
{
    if (!live)
        return host;
    live->host = host;
    live->host_opaque = opaque;
    return &interposed_host;
}

void *live_host_opaque(struct live *live, void *opaque)
{
    return live ? live : opaque;
}

void live_begin(struct live *live, struct machine *machine, const struct instrument *instrument,
                const struct machine_limits *end)
{
    if (!live)
        return;
    live->instrument = instrument;
    live->machine = machine;
    live->insns = machine_insns(machine);
    live->begun = live->last = host_seconds();
    machine_progress_begin(&live->progress, machine, end);
}

void live_end(struct live *live)
{
    if (live)
        live->machine = NULL;
}

static void close_listeners(const int listener[HTTP_LISTENERS])
{
    for (unsigned i = 0; i < HTTP_LISTENERS; i++)
        if (listener[i] >= 0)
            close(listener[i]);
}

struct live *live_create(unsigned port, struct err *err)
{
    unsigned actual;
    int ends[2], listener[HTTP_LISTENERS];
    if (!http_listen("--live", port, listener, &actual, err))
        return NULL;
    struct live *live = checked_memory(calloc(1, sizeof *live));
    live->shared = mmap(NULL, sizeof *live->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    live->file[0] = memfd_create("simos-live", MFD_CLOEXEC);
    live->file[1] = memfd_create("simos-live", MFD_CLOEXEC);
    live->server = live->shared != MAP_FAILED && live->file[0] >= 0 && live->file[1] >= 0 && pipe2(ends, O_CLOEXEC) == 0
                       ? fork()
                       : -1;
    if (live->server < 0) {
        err_set(err, "--live %u: %s", port, strerror(errno));
        close_listeners(listener);
        free(live);
        return NULL;
    }
    if (live->server == 0) {
        close(ends[1]);
        serve(live, listener, ends[0]);
    }
    close_listeners(listener);
    close(ends[0]);
    live->end_fd = ends[1];
    fprintf(stderr, "simos: this run at http://127.0.0.1:%u/\n", actual);
    return live;
}

void live_free(struct live *live)
{
    if (!live)
        return;
    close(live->end_fd);
    kill(live->server, SIGKILL); /* it may be making a page */
    waitpid(live->server, NULL, 0);
    for (unsigned i = 0; i < PICTURES; i++)
        close(live->file[i]);
    munmap(live->shared, sizeof *live->shared);
    free(live);
}
