/*
 * A hub between processes (src/network/hub_peers.h): the same results as in one process; and peers that send garbage,
 * die or never join.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "tests/unit/hub_fixture.h"
#include <errno.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NODES = 3 };

static char directory[] = "/tmp/simos-hub.XXXXXX";

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory); /* fails if a socket remains */
}

static void set_net(char *net, size_t size)
{
    snprintf(net, size, "hub:%s/s", directory);
}

static void socket_name(struct sockaddr_un *name, unsigned node)
{
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(name->sun_path, sizeof name->sun_path, "%s/s.%u", directory, node);
}

/* Write the frames a node received, and all its statistics. */
static void write_results(struct hub_node *node, FILE *out)
{
    fputs(node->log, out);
    stats_write_json(node->machine->stats, out);
}

/* With the hub names of the multi-process run, so that statistics can be equal. */
static void run_here(char *results[NODES])
{
    char net[128];
    struct hub_node nodes[NODES];
    struct err err = {""};
    struct hub_local *local = hub_local_create();
    bool stays[NODES] = {true, true, true}, any = true;
    set_net(net, sizeof net);
    for (unsigned i = 0; i < NODES; i++)
        if (!hub_node_create(&nodes[i], i, NODES, net, hub_local_carrier(local), NULL, 0, &err))
            fail_msg("%s", err.text);
    while (any) {
        any = false;
        for (unsigned i = 0; i < NODES; i++) {
            if (!stays[i])
                continue;
            stays[i] = hub_node_run(&nodes[i], HUB_TEST_MILLISECONDS - i) == MACHINE_STOP_BARRIER;
            if (!stays[i])
                hub_port_leave(board_hub_port(nodes[i].machine));
            any |= stays[i];
        }
        assert_true(hub_local_exchange(local, &err));
    }
    for (unsigned i = 0; i < NODES; i++) {
        size_t size = 0;
        FILE *out = open_memstream(&results[i], &size);
        write_results(&nodes[i], out);
        fclose(out);
        hub_node_free(&nodes[i]);
    }
    hub_local_free(local);
}

/* In a child process; never returns. */
static void run_there(unsigned number, const char *path)
{
    char net[128];
    struct hub_node node;
    struct err err = {""};
    set_net(net, sizeof net);
    if (!hub_node_create(&node, number, NODES, net, NULL, NULL, 0, &err))
        _exit(1);
    if (hub_node_run(&node, HUB_TEST_MILLISECONDS - number) != MACHINE_STOP_TIME) {
        fprintf(stderr, "node %u: %s\n", number, node.machine->failure.text);
        _exit(2);
    }
    FILE *out = fopen(path, "w");
    if (!out)
        _exit(3);
    write_results(&node, out);
    fclose(out);
    hub_node_free(&node);
    _exit(0);
}

static char *read_results(const char *path)
{
    char *text = calloc(1, 1 << 20);
    FILE *in = fopen(path, "r");
    assert_non_null(text);
    assert_non_null(in);
    assert_true(fread(text, 1, (1 << 20) - 1, in) > 1000);
    fclose(in);
    unlink(path);
    return text;
}

/* Nodes join out of order, the last one late, and end at different times. */
static void processes_come_to_the_results_of_one_process(void **state)
{
    (void)state;
    static const unsigned order[NODES] = {2, 0, 1};
    char *here[NODES], path[128];
    pid_t children[NODES];
    for (unsigned i = 0; i < NODES; i++) {
        if (i == NODES - 1)
            usleep(100000);
        children[i] = fork();
        assert_true(children[i] >= 0);
        snprintf(path, sizeof path, "%s/results.%u", directory, order[i]);
        if (children[i] == 0)
            run_there(order[i], path);
    }
    run_here(here);
    for (unsigned i = 0; i < NODES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    for (unsigned i = 0; i < NODES; i++) {
        snprintf(path, sizeof path, "%s/results.%u", directory, i);
        char *there = read_results(path);
        assert_string_equal(here[i], there);
        free(there);
        free(here[i]);
    }
}

/* The test acts as peer: node 1 of 2; its messages are in the socket before node 0 runs. */

static void connect_to(int *fd, unsigned node)
{
    struct sockaddr_un name;
    socket_name(&name, node);
    *fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(*fd >= 0);
    assert_int_equal(connect(*fd, (struct sockaddr *)&name, sizeof name), 0);
}

static void say(int fd, const struct hub_header *header, const uint8_t *body, size_t size)
{
    uint8_t bytes[HUB_HEADER_BYTES];
    hub_header_encode(header, bytes);
    assert_int_equal(write(fd, bytes, sizeof bytes), sizeof bytes);
    if (size)
        assert_int_equal(write(fd, body, size), size);
}

static const struct hub_header greeting = {.kind = HUB_HELLO, .node = 1, .count = 2, .number = 100000};

static void greet(int fd)
{
    say(fd, &greeting, NULL, 0);
}
static void say_nothing(int fd)
{
    (void)fd;
}
static void say_text(int fd)
{
    static const char text[] = "GET / HTTP/1.0\r\nHost: nobody\r\n\r\n";
    assert_int_equal(write(fd, text, sizeof text), sizeof text);
}
static void say_a_wrong_number(int fd)
{
    say(fd, &(struct hub_header){.kind = HUB_HELLO, .node = 2, .count = 2, .number = 100000}, NULL, 0);
}
static void count_wrongly(int fd)
{
    say(fd, &(struct hub_header){.kind = HUB_HELLO, .node = 1, .count = 3, .number = 100000}, NULL, 0);
}
static void have_no_lookahead(int fd)
{
    say(fd, &(struct hub_header){.kind = HUB_HELLO, .node = 1, .count = 2, .number = 0}, NULL, 0);
}
static void begin_with_a_window(int fd)
{
    say(fd, &(struct hub_header){.kind = HUB_WINDOW, .node = 1}, NULL, 0);
}
static void greet_twice(int fd)
{
    greet(fd);
    greet(fd);
}
static void skip_a_window(int fd)
{
    greet(fd);
    say(fd, &(struct hub_header){.kind = HUB_WINDOW, .node = 1, .number = 1}, NULL, 0);
}
static void be_another(int fd)
{
    greet(fd);
    say(fd, &(struct hub_header){.kind = HUB_WINDOW, .node = 0}, NULL, 0);
}
static void announce_too_much(int fd)
{
    greet(fd);
    say(fd, &(struct hub_header){.kind = HUB_WINDOW, .node = 1, .count = 1, .body = 1u << 30}, NULL, 0);
}
static void send_an_oversized_frame(int fd)
{
    static uint8_t body[HUB_FRAME_HEADER_BYTES + 1519] = {[4] = 1, [8] = 1519 & 0xff, [9] = 1519 >> 8};
    greet(fd);
    say(fd, &(struct hub_header){.kind = HUB_WINDOW, .node = 1, .count = 1, .body = sizeof body}, body, sizeof body);
}
static void send_a_frame_into_the_past(int fd)
{
    static uint8_t body[HUB_FRAME_HEADER_BYTES + 60] = {[0] = 1, [8] = 60};
    greet(fd);
    say(fd, &(struct hub_header){.kind = HUB_WINDOW, .node = 1, .count = 1, .body = sizeof body}, body, sizeof body);
}
static void end_in_the_middle(int fd)
{
    static const uint8_t body[30];
    greet(fd);
    say(fd, &(struct hub_header){.kind = HUB_WINDOW, .node = 1, .count = 1, .body = 72}, body, sizeof body);
}
static void speak_after_leaving(int fd)
{
    greet(fd);
    say(fd, &(struct hub_header){.kind = HUB_WINDOW, .node = 1, .leaving = true}, NULL, 0);
    greet(fd);
}

/* Each message ends the run of node 0 with an error that contains TEXT; NULL: no effect. */
static void a_peer_cannot_do_more_than_end_the_run(void **state)
{
    (void)state;
    static const struct {
        void (*act)(int fd);
        const char *text;
    } rows[] = {
        {say_nothing, "node 1 has not joined within 1 s"},
        {say_text, "not messages of a hub"},
        {say_a_wrong_number, "node 2 has already joined, or does not exist"},
        {count_wrongly, "node 1 has net.nodes = 3, this one 2"},
        {have_no_lookahead, "node 1 has no lookahead"},
        {begin_with_a_window, "node 1 sends a window out of turn"},
        {greet, "node 1 has ended without leaving"},
        {greet_twice, "node 1 sends a greeting out of turn"},
        {skip_a_window, "window 1 instead of 0"},
        {be_another, "message of node 0, which is not expected"},
        {announce_too_much, "1073741824"},
        {send_an_oversized_frame, "a frame of 1519 bytes"},
        {send_a_frame_into_the_past, "before the end of its window"},
        {end_in_the_middle, "node 1 has ended without leaving"},
        {speak_after_leaving, NULL},
    };
    static const char *const assignments[] = {"net.join_time=1"};
    char net[128];
    set_net(net, sizeof net);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hub_node node;
        struct err err = {""};
        int fd;
        if (!hub_node_create(&node, 0, 2, net, NULL, assignments, 1, &err))
            fail_msg("%s", err.text);
        connect_to(&fd, 0);
        rows[i].act(fd);
        close(fd);
        enum machine_stop reason = hub_node_run(&node, 1);
        if (!rows[i].text)
            assert_int_equal(reason, MACHINE_STOP_TIME);
        else if (reason != MACHINE_STOP_FAILED || !strstr(node.machine->failure.text, rows[i].text) ||
                 !strstr(node.machine->failure.text, net))
            fail_msg("%s: got %d, %s", rows[i].text, (int)reason, node.machine->failure.text);
        else /* the run cannot be continued */
            assert_int_equal(hub_node_run(&node, 1), MACHINE_STOP_FAILED);
        hub_node_free(&node);
    }
}

/* The test acts as peer and stays connected: each wait for it ends after the time of its parameter. */

static void send_half_a_greeting(int fd)
{
    uint8_t bytes[HUB_HEADER_BYTES];
    hub_header_encode(&greeting, bytes);
    assert_int_equal(write(fd, bytes, sizeof bytes / 2), sizeof bytes / 2);
}
static void send_half_a_header(int fd)
{
    greet(fd);
    send_half_a_greeting(fd);
}
static void send_half_a_frame(int fd)
{
    static const uint8_t body[30];
    greet(fd);
    say(fd, &(struct hub_header){.kind = HUB_WINDOW, .node = 1, .count = 1, .body = 72}, body, sizeof body);
}

/* Windows for 60 ms, in one piece, and no reading: more than a socket holds of what node 0 sends meanwhile. */
static void never_read(int fd)
{
    enum { WINDOWS = 600 };
    static uint8_t bytes[WINDOWS * HUB_HEADER_BYTES];
    greet(fd);
    for (unsigned i = 0; i < WINDOWS; i++)
        hub_header_encode(&(struct hub_header){.kind = HUB_WINDOW, .node = 1, .number = i},
                          bytes + (size_t)i * HUB_HEADER_BYTES);
    assert_int_equal(write(fd, bytes, sizeof bytes), sizeof bytes);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void a_peer_that_stays_silent_is_not_awaited_for_ever(void **state)
{
    (void)state;
    static const struct {
        void (*act)(int fd);
        const char *assignments[2]; /* the other time is 600 s */
        const char *text;
    } rows[] = {
        {say_nothing, {"net.join_time=1", "net.peer_time=600"}, "node 1 has not joined within 1 s (net.join_time)"},
        {send_half_a_greeting,
         {"net.join_time=1", "net.peer_time=600"},
         "node 1 has not joined within 1 s (net.join_time)"},
        {greet, {"net.join_time=600", "net.peer_time=1"}, "node 1 has sent nothing within 1 s (net.peer_time)"},
        {send_half_a_header,
         {"net.join_time=600", "net.peer_time=2"},
         "node 1 has not sent the rest of its message within 2 s (net.peer_time)"},
        {send_half_a_frame,
         {"net.join_time=600", "net.peer_time=1"},
         "node 1 has not sent the rest of its message within 1 s (net.peer_time)"},
        {never_read,
         {"net.join_time=600", "net.peer_time=1"},
         "node 1 has not read what was sent to it within 1 s (net.peer_time)"},
    };
    char net[128];
    set_net(net, sizeof net);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hub_node node;
        struct err err = {""};
        int fd;
        if (!hub_node_create(&node, 0, 2, net, NULL, rows[i].assignments, 2, &err))
            fail_msg("%s", err.text);
        node.silent_after = 1000;
        connect_to(&fd, 0);
        rows[i].act(fd);
        if (hub_node_run(&node, 60) != MACHINE_STOP_FAILED || !strstr(node.machine->failure.text, rows[i].text))
            fail_msg("%s: got %s", rows[i].text, node.machine->failure.text);
        double since = seconds();
        hub_node_free(&node); /* sends the rest, no longer than net.peer_time or 10 s */
        assert_true(seconds() - since < 30);
        close(fd);
    }
}

/* A node with a lower number accepts the connection, and says nothing. */
static void a_silent_node_that_listens_is_not_awaited_for_ever(void **state)
{
    (void)state;
    static const char *const assignments[] = {"net.join_time=1"};
    struct hub_node node;
    struct err err = {""};
    struct sockaddr_un name;
    char net[128];
    set_net(net, sizeof net);
    socket_name(&name, 0);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&name, sizeof name), 0);
    assert_int_equal(listen(fd, 1), 0);
    assert_true(hub_node_create(&node, 1, 2, net, NULL, assignments, 1, &err));
    assert_int_equal(hub_node_run(&node, 1), MACHINE_STOP_FAILED);
    assert_non_null(
        strstr(node.machine->failure.text, "node 0 has not joined within 1 s (net.join_time): it is connected"));
    hub_node_free(&node);
    close(fd);
    unlink(name.sun_path);
}

/* No peer joins, not even the socket. */
static void who_does_not_come_is_not_awaited_for_ever(void **state)
{
    (void)state;
    static const char *const assignments[] = {"net.join_time=1"};
    struct hub_node node;
    struct err err = {""};
    char net[128];
    set_net(net, sizeof net);
    assert_true(hub_node_create(&node, 1, 2, net, NULL, assignments, 1, &err));
    assert_int_equal(hub_node_run(&node, 1), MACHINE_STOP_FAILED);
    assert_non_null(strstr(node.machine->failure.text, "node 0 has not joined within 1 s (net.join_time)"));
    hub_node_free(&node);
}

/* The host's poll() is called meanwhile, so that a signal can end the wait. */
static unsigned polls;
static struct hub_node *waiting;

static void stop_at_the_third_poll(void *opaque)
{
    (void)opaque;
    if (++polls == 3)
        machine_request_stop(waiting->machine);
}

static void a_wait_can_be_ended(void **state)
{
    (void)state;
    static const struct machine_host host = {.poll = stop_at_the_third_poll};
    struct hub_node node;
    struct err err = {""};
    char net[128];
    set_net(net, sizeof net);
    assert_true(hub_node_create(&node, 1, 2, net, NULL, NULL, 0, &err));
    waiting = &node;
    node.machine->host = &host;
    assert_int_equal(hub_node_run(&node, 1), MACHINE_STOP_REQUEST);
    assert_int_equal(node.machine->now, 0);
    hub_node_free(&node);
}

/* A duplicate number; a stale socket of a killed process; a foreign file. */
static void addresses_that_are_taken(void **state)
{
    (void)state;
    struct hub_node first, second;
    struct err err = {""};
    struct sockaddr_un name;
    char net[256];
    set_net(net, sizeof net);
    assert_true(hub_node_create(&first, 0, 2, net, NULL, NULL, 0, &err));
    assert_false(hub_node_create(&second, 0, 2, net, NULL, NULL, 0, &err));
    assert_non_null(strstr(err.text, "there is a node 0 (net.node) already"));
    hub_node_free(&first);

    socket_name(&name, 0);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&name, sizeof name), 0);
    close(fd);
    err = (struct err){""};
    if (!hub_node_create(&first, 0, 2, net, NULL, NULL, 0, &err))
        fail_msg("%s", err.text);
    hub_node_free(&first);
    assert_int_equal(access(name.sun_path, F_OK), -1);

    FILE *file = fopen(name.sun_path, "w");
    assert_non_null(file);
    fclose(file);
    assert_false(hub_node_create(&first, 0, 2, net, NULL, NULL, 0, &err));
    assert_non_null(strstr(err.text, "exists"));
    assert_int_equal(unlink(name.sun_path), 0); /* it was not removed */

    err = (struct err){""};
    memset(net, 'x', sizeof net - 1);
    net[sizeof net - 1] = 0;
    memcpy(net, "hub:", 4);
    assert_false(hub_node_create(&first, 0, 2, net, NULL, NULL, 0, &err));
    assert_non_null(strstr(err.text, "at most 104 bytes"));
    err = (struct err){""};
    assert_false(hub_node_create(&first, 0, 2, "hub:/nowhere/at/all", NULL, NULL, 0, &err));
    assert_non_null(strstr(err.text, "No such file or directory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_come_to_the_results_of_one_process),
        cmocka_unit_test(a_peer_cannot_do_more_than_end_the_run),
        cmocka_unit_test(who_does_not_come_is_not_awaited_for_ever),
        cmocka_unit_test(a_peer_that_stays_silent_is_not_awaited_for_ever),
        cmocka_unit_test(a_silent_node_that_listens_is_not_awaited_for_ever),
        cmocka_unit_test(a_wait_can_be_ended),
        cmocka_unit_test(addresses_that_are_taken),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
