/* Packets of the remote protocol (src/gdb/gdb_packet.h) over a socket pair: framing, checksums, acknowledgements,
 * malformed packets ("Overview" in the appendix "Remote Protocol" of the GDB manual). */
#include "src/gdb/gdb_packet.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/unit/test.h"

struct pair {
    struct gdb_connection connection;
    int peer;
};

static int setup(void **state)
{
    static struct pair pair;
    int ends[2];
    memset(&pair, 0, sizeof pair);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return -1;
    /* A missing packet fails the test instead of hanging it. */
    const struct timeval timeout = {.tv_sec = 5};
    if (setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) != 0)
        return -1;
    pair.connection.fd = ends[0];
    pair.peer = ends[1];
    *state = &pair;
    return 0;
}

static int teardown(void **state)
{
    struct pair *pair = *state;
    gdb_connection_close(&pair->connection);
    if (pair->peer >= 0)
        close(pair->peer);
    return 0;
}

static void peer_says(struct pair *pair, const char *text, size_t length)
{
    assert_int_equal(write(pair->peer, text, length), length);
}
#define SAYS(pair, text) peer_says(pair, text, sizeof text - 1)

static void peer_hangs_up(struct pair *pair)
{
    close(pair->peer);
    pair->peer = -1;
}

/* Check all bytes sent to the peer so far. */
static void peer_heard(struct pair *pair, const char *expected)
{
    char text[256] = "";
    ssize_t length = recv(pair->peer, text, sizeof text - 1, MSG_DONTWAIT);
    text[length > 0 ? length : 0] = '\0';
    assert_string_equal(text, expected);
}

static void receives(struct pair *pair, const char *expected, size_t expected_length)
{
    char buffer[64];
    size_t length;
    assert_true(gdb_packet_receive(&pair->connection, buffer, sizeof buffer, &length));
    assert_int_equal(length, expected_length);
    assert_memory_equal(buffer, expected, expected_length + 1); /* and the NUL */
}

static void receives_nothing(struct pair *pair)
{
    char buffer[64];
    size_t length;
    assert_false(gdb_packet_receive(&pair->connection, buffer, sizeof buffer, &length));
}

static void a_good_packet_is_acknowledged(void **state)
{
    struct pair *pair = *state;
    SAYS(pair, "$m80000000,4#55");
    receives(pair, "m80000000,4", 11);
    peer_heard(pair, "+");
}

static void checksum_digits_may_be_capitals(void **state)
{
    struct pair *pair = *state;
    SAYS(pair, "$*#2A$n#6E$:#3A");
    receives(pair, "*", 1);
    receives(pair, "n", 1);
    receives(pair, ":", 1);
}

static void bytes_between_packets_are_skipped(void **state)
{
    struct pair *pair = *state;
    SAYS(pair, "+-hello#00\n$g#67");
    receives(pair, "g", 1);
    peer_heard(pair, "+");
}

static void a_wrong_checksum_is_wanted_again(void **state)
{
    struct pair *pair = *state;
    SAYS(pair, "$g#68$g#6$g#zz$g#67");
    receives(pair, "g", 1);
    /* the second one's checksum is "6$", so that the third one is only apparent */
    peer_heard(pair, "--+");
}

static void an_empty_packet_is_a_packet(void **state)
{
    struct pair *pair = *state;
    SAYS(pair, "$#00$g#67");
    receives(pair, "", 0);
    receives(pair, "g", 1);
}

static void escapes_are_undone(void **state)
{
    struct pair *pair = *state;
    SAYS(pair, "$X}\x03}\x04}]}\n#ba"); /* # $ } * */
    receives(pair, "X#$}*", 5);
}

static void zero_bytes_pass(void **state)
{
    struct pair *pair = *state;
    peer_says(pair, "$X\0\0#58", 7);
    receives(pair, "X\0\0", 3);
}

static void the_longest_packet_fits_and_a_longer_one_is_refused(void **state)
{
    struct pair *pair = *state;
    char text[80], longest[64];
    memset(text, 'a', sizeof text);
    memset(longest, 'a', sizeof longest - 1);
    longest[63] = '\0';
    SAYS(pair, "$");
    peer_says(pair, text, 63);
    SAYS(pair, "#df"); /* 63 * 0x61 = 0x17df */
    receives(pair, longest, 63);
    SAYS(pair, "$");
    peer_says(pair, text, 64);
    SAYS(pair, "#40$g#67"); /* 64 * 0x61 = 0x1840: right, but no room for the NUL */
    receives(pair, "g", 1);
    peer_heard(pair, "+-+");
}

static void a_packet_longer_than_the_input_buffer_is_refused(void **state)
{
    struct pair *pair = *state;
    char text[1000];
    memset(text, '0', sizeof text);
    SAYS(pair, "$");
    for (unsigned i = 0; i < 3 * GDB_PACKET_MAX; i += sizeof text)
        peer_says(pair, text, sizeof text);
    SAYS(pair, "#00$g#67");
    receives(pair, "g", 1);
    peer_heard(pair, "-+");
}

static void a_break_outside_a_packet_is_reported(void **state)
{
    struct pair *pair = *state;
    SAYS(pair, "\003$g#67");
    receives(pair, "", 0);
    assert_true(pair->connection.interrupted);
    receives(pair, "g", 1);
}

static void the_end_of_the_connection_is_reported_anywhere(void **state)
{
    static const char *const beginnings[] = {"", "+", "$", "$g", "$X}", "$g#", "$g#6"};
    struct pair *pair = *state;
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        if (i > 0) {
            teardown(state);
            setup(state);
        }
        peer_says(pair, beginnings[i], strlen(beginnings[i]));
        peer_hangs_up(pair);
        receives_nothing(pair);
    }
}

static void without_acknowledgements_none_are_sent(void **state)
{
    struct pair *pair = *state;
    pair->connection.no_ack = true;
    SAYS(pair, "$g#00$g#67");
    receives(pair, "g", 1);
    assert_true(gdb_packet_send(&pair->connection, "OK"));
    peer_heard(pair, "$OK#9a");
}

static void a_packet_is_sent_until_acknowledged(void **state)
{
    struct pair *pair = *state;
    SAYS(pair, "-noise-+");
    assert_true(gdb_packet_send(&pair->connection, "OK"));
    peer_heard(pair, "$OK#9a$OK#9a$OK#9a");
}

static void sending_gives_up(void **state)
{
    struct pair *pair = *state;
    SAYS(pair, "--------------------");
    assert_false(gdb_packet_send(&pair->connection, "OK"));
    peer_hangs_up(pair);
    assert_false(gdb_packet_send(&pair->connection, "OK"));
}

static void a_break_while_waiting_for_an_acknowledgement_is_kept(void **state)
{
    struct pair *pair = *state;
    SAYS(pair, "\003+");
    assert_true(gdb_packet_send(&pair->connection, "OK"));
    assert_true(pair->connection.interrupted);
}

static void a_pending_break_is_seen_without_blocking(void **state)
{
    struct pair *pair = *state;
    assert_false(gdb_connection_break_pending(&pair->connection));
    SAYS(pair, "++");
    assert_false(gdb_connection_break_pending(&pair->connection));
    SAYS(pair, "+\003");
    assert_true(gdb_connection_break_pending(&pair->connection));
    assert_false(gdb_connection_break_pending(&pair->connection));
    peer_hangs_up(pair);
    assert_true(gdb_connection_break_pending(&pair->connection));
}

static void hexadecimal(void **state)
{
    const uint8_t bytes[4] = {0x00, 0x9f, 0xa0, 0xff};
    char text[16];
    uint8_t back[4] = {1, 2, 3, 4};
    (void)state;
    assert_ptr_equal(gdb_hex_put(text, bytes, sizeof bytes), text + 8);
    assert_string_equal(text, "009fa0ff");
    assert_true(gdb_hex_get("009FA0ff", back, sizeof back));
    assert_memory_equal(back, bytes, sizeof bytes);
    assert_false(gdb_hex_get("009fa0f", back, sizeof back));
    assert_false(gdb_hex_get("009fa0fg", back, sizeof back));
    assert_false(gdb_hex_get("", back, 1));
    assert_true(gdb_hex_get("", back, 0));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_good_packet_is_acknowledged),
        TEST(checksum_digits_may_be_capitals),
        TEST(bytes_between_packets_are_skipped),
        TEST(a_wrong_checksum_is_wanted_again),
        TEST(an_empty_packet_is_a_packet),
        TEST(escapes_are_undone),
        TEST(zero_bytes_pass),
        TEST(the_longest_packet_fits_and_a_longer_one_is_refused),
        TEST(a_packet_longer_than_the_input_buffer_is_refused),
        TEST(a_break_outside_a_packet_is_reported),
        TEST(the_end_of_the_connection_is_reported_anywhere),
        TEST(without_acknowledgements_none_are_sent),
        TEST(a_packet_is_sent_until_acknowledged),
        TEST(sending_gives_up),
        TEST(a_break_while_waiting_for_an_acknowledgement_is_kept),
        TEST(a_pending_break_is_seen_without_blocking),
        TEST(hexadecimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
