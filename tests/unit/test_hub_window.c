/*
 * Windows of a hub (src/network/hub_window.h): the order in which frames of several nodes are delivered, and the
 * encoding of windows, which is untrusted input from other processes.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "src/network/hub_window.h"

static void add(struct hub_window *window, nsec arrival, uint8_t mark)
{
    uint8_t frame[60] = {mark};
    assert_true(hub_window_add(window, arrival, frame, sizeof frame));
}

/* Order by time, node number, and sequence within a node. */
static void frames_are_ordered_by_time_node_and_sequence(void **state)
{
    (void)state;
    struct hub_window a = {0}, b = {0}, c = {0};
    struct hub_arrival arrivals[8];
    hub_window_begin(&a, 0);
    hub_window_begin(&b, 0);
    hub_window_begin(&c, 0);
    add(&c, 100, 3);
    add(&c, 100, 4);
    add(&b, 300, 6);
    add(&b, 50, 1);
    add(&a, 100, 2);
    add(&a, 200, 5);
    const struct hub_window *windows[4] = {&a, &b, NULL, &c};
    assert_int_equal(hub_window_merge(windows, 4, arrivals), 6);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(arrivals[i].window->bytes[arrivals[i].frame->at], i + 1);
    assert_int_equal(arrivals[1].node, 0);
    assert_int_equal(arrivals[2].node, 3);
    hub_window_release(&a);
    hub_window_release(&b);
    hub_window_release(&c);
}

static void a_window_takes_what_a_card_may_send_and_not_more(void **state)
{
    (void)state;
    static const uint8_t frame[HUB_FRAME_BYTES_MAX + 1];
    struct hub_window window = {0};
    hub_window_begin(&window, 0);
    assert_true(hub_window_add(&window, 1, frame, HUB_FRAME_BYTES_MAX));
    assert_false(hub_window_add(&window, 1, frame, HUB_FRAME_BYTES_MAX + 1));
    assert_true(hub_window_add(&window, 1, frame, 14));
    assert_false(hub_window_add(&window, 1, frame, 13));
    while (window.count < HUB_WINDOW_FRAMES_MAX)
        assert_true(hub_window_add(&window, 1, frame, HUB_FRAME_BYTES_MAX));
    assert_false(hub_window_add(&window, 1, frame, 60));
    assert_int_equal(window.count, HUB_WINDOW_FRAMES_MAX);
    hub_window_release(&window);
}

/* The window of the tests below: number 7, of node 5. */
static size_t encode(uint8_t *bytes, size_t room)
{
    struct hub_window window = {0};
    hub_window_begin(&window, 7);
    window.idle_forever = true;
    add(&window, 8000, 0xaa);
    add(&window, 8001, 0xbb);
    size_t size = hub_window_encoded_size(&window);
    assert_true(size <= room);
    hub_window_encode(&window, 5, bytes);
    hub_window_release(&window);
    return size;
}

static void bytes_become_the_same_window(void **state)
{
    (void)state;
    struct err err = {""};
    struct hub_header header;
    struct hub_window window = {0};
    uint8_t bytes[512];
    size_t size = encode(bytes, sizeof bytes);
    assert_true(hub_header_decode(&header, bytes, &err));
    assert_int_equal(header.kind, HUB_WINDOW);
    assert_int_equal(header.node, 5);
    assert_int_equal(header.body, size - HUB_HEADER_BYTES);
    assert_true(hub_window_decode(&window, &header, bytes + HUB_HEADER_BYTES, 8000, &err));
    assert_int_equal(window.number, 7);
    assert_true(window.idle_forever);
    assert_false(window.leaving);
    assert_int_equal(window.count, 2);
    assert_int_equal(window.frames[0].arrival, 8000);
    assert_int_equal(window.frames[1].arrival, 8001);
    assert_int_equal(window.frames[1].length, 60);
    assert_int_equal(window.bytes[window.frames[1].at], 0xbb);
    hub_window_release(&window);
}

/* Each of these bytes, set to VALUE, must be rejected with a message that contains TEXT. */
static void nonsense_is_refused(void **state)
{
    (void)state;
    static const struct {
        unsigned at;
        uint8_t value;
        const char *text;
    } rows[] = {
        {0, 0, "not messages of a hub"},
        {3, 0, "not messages of a hub"},
        {4, 0, "kind 0"},
        {4, 3, "kind 3"},
        {4, HUB_HELLO, "a greeting"},
        {5, HUB_NODES_MAX, "node 64"},
        {6, 4, "flags 4"},
        {7, 1, "flags"},
        {8, 1, "bytes behind its frames"},
        {8, 3, "within the header of frame 2"},
        {11, 1, "frames in"},
        {12, 143, "ends within frame 1"},
        {12, 145, "1 bytes behind"},
        {15, 1, "at most"},
        {24, 0, "before the end of its window"},
        {31, 0x80, "before the end of its window"},
        {32, 61, "frame"},
        {32, 13, "valid: 14 to 1518"},
        {33, 6, "valid: 14 to 1518"},
        {35, 0xff, "valid: 14 to 1518"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct err err = {""};
        struct hub_header header;
        struct hub_window window = {0};
        uint8_t bytes[512] = {0};
        encode(bytes, sizeof bytes);
        bytes[rows[i].at] = rows[i].value;
        bool good = hub_header_decode(&header, bytes, &err) &&
                    hub_window_decode(&window, &header, bytes + HUB_HEADER_BYTES, 8000, &err);
        assert_false(good);
        if (!strstr(err.text, rows[i].text))
            fail_msg("byte %u = %u: %s", rows[i].at, rows[i].value, err.text);
        hub_window_release(&window);
    }
}

/* Arbitrary bytes: accepted windows are within the limits. (The sanitizers detect reads beyond the bytes.) */
static void any_bytes_are_taken_or_refused(void **state)
{
    (void)state;
    uint64_t random = 1;
    unsigned taken = 0;
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t original[512];
        size_t size = encode(original, sizeof original);
        uint8_t *bytes = malloc(size); /* exact size, so that sanitizers detect reads beyond it */
        assert_non_null(bytes);
        memcpy(bytes, original, size);
        for (unsigned change = 0; change <= round % 4; change++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            bytes[(random >> 33) % size] = (uint8_t)(random >> 56);
        }
        struct hub_header header;
        struct hub_window window = {0};
        if (hub_header_decode(&header, bytes, NULL) && header.body <= size - HUB_HEADER_BYTES &&
            hub_window_decode(&window, &header, bytes + HUB_HEADER_BYTES, 8000, NULL)) {
            taken++;
            assert_true(window.count <= HUB_WINDOW_FRAMES_MAX);
            for (uint32_t i = 0; i < window.count; i++) {
                assert_in_range(window.frames[i].length, 14, HUB_FRAME_BYTES_MAX);
                assert_true(window.frames[i].arrival >= 8000);
                assert_true(window.frames[i].at + window.frames[i].length <= window.size);
            }
        }
        hub_window_release(&window);
        free(bytes);
    }
    assert_in_range(taken, 1000, 19000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_ordered_by_time_node_and_sequence),
        cmocka_unit_test(a_window_takes_what_a_card_may_send_and_not_more),
        cmocka_unit_test(bytes_become_the_same_window),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(any_bytes_are_taken_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
