/*
 * The filter of guest frames to libslirp: lengths and fields of RFC 826 (ARP), 791 (IP), 792 (ICMP), 768 (UDP) and
 * 793 (TCP), each at the last value that passes and the first that does not.
 */
#include "src/network/net_filter.h"
#include <string.h>
#include "tests/unit/test.h"

enum { IP = 14, L4 = 34 };

/* A packet of PROTOCOL with COUNT bytes after the IP header, valid for UDP and TCP. */
static uint32_t make(uint8_t *frame, uint8_t protocol, uint8_t count)
{
    memset(frame, 0, 200);
    frame[12] = 8;
    frame[IP] = 0x45;
    frame[IP + 3] = 20 + count;
    frame[IP + 9] = protocol;
    frame[L4 + 5] = count; /* of UDP: its length */
    frame[L4 + 12] = 0x50; /* of TCP: 5 words of header */
    return L4 + count;
}

static void test_arp(void **state)
{
    static const uint8_t arp[14 + 8] = {[12] = 8, 6, 0, 1, 8, 0, 6, 4, 0, 1};
    uint8_t frame[200] = {0};
    (void)state;
    memcpy(frame, arp, sizeof arp);
    assert_true(net_filter_passes(frame, 42));
    assert_true(net_filter_passes(frame, 60));
    assert_false(net_filter_passes(frame, 41));
    for (unsigned i = 12; i < 20; i++) { /* another Ethernet type, hardware, protocol, or length of an address */
        frame[i]++;
        assert_false(net_filter_passes(frame, 42));
        frame[i]--;
    }
}

static void test_types(void **state)
{
    uint8_t frame[200];
    (void)state;
    uint32_t length = make(frame, 17, 20);
    frame[12] = 0x86, frame[13] = 0xdd; /* IPv6 */
    assert_false(net_filter_passes(frame, length));
    frame[12] = 0x88, frame[13] = 0xf8; /* NC-SI, which libslirp accepts */
    assert_false(net_filter_passes(frame, length));
    frame[12] = 0, frame[13] = 46; /* a length instead of a type: a frame of IEEE 802.3 */
    assert_false(net_filter_passes(frame, length));
    assert_false(net_filter_passes(frame, 14));
}

static void test_ip(void **state)
{
    uint8_t frame[200];
    (void)state;
    uint32_t length = make(frame, 17, 20);
    assert_true(net_filter_passes(frame, length));
    assert_true(net_filter_passes(frame, length + 6)); /* padded */
    assert_false(net_filter_passes(frame, length - 1));
    assert_false(net_filter_passes(frame, L4 - 1));
    frame[IP] = 0x65;
    assert_false(net_filter_passes(frame, length));
    frame[IP] = 0x44;
    assert_false(net_filter_passes(frame, length));
    frame[IP] = 0x4f; /* options that exceed the packet */
    assert_false(net_filter_passes(frame, length));
    frame[IP] = 0x45;
    for (unsigned total = 0; total < 28; total++) {
        frame[IP + 3] = (uint8_t)total;
        assert_false(net_filter_passes(frame, length));
    }
    for (unsigned protocol = 0; protocol < 256; protocol++) {
        make(frame, (uint8_t)protocol, 20);
        assert_int_equal(net_filter_passes(frame, length), protocol == 1 || protocol == 6 || protocol == 17);
    }
}

static void test_fragments(void **state)
{
    uint8_t frame[200];
    (void)state;
    uint32_t length = make(frame, 17, 20);
    for (unsigned bit = 0; bit < 16; bit++) {
        frame[IP + 6] = (uint8_t)(1u << bit >> 8);
        frame[IP + 7] = (uint8_t)(1u << bit);
        assert_int_equal(net_filter_passes(frame, length), bit >= 14); /* "don't fragment", and a reserved bit */
    }
}

static void test_payloads(void **state)
{
    uint8_t frame[200];
    (void)state;
    assert_true(net_filter_passes(frame, make(frame, 1, 8)));
    assert_false(net_filter_passes(frame, make(frame, 1, 7)));
    assert_true(net_filter_passes(frame, make(frame, 17, 8)));
    assert_false(net_filter_passes(frame, make(frame, 17, 7)));
    uint32_t length = make(frame, 17, 30);
    for (unsigned bytes = 0; bytes < 40; bytes++) { /* the length field of UDP */
        frame[L4 + 5] = (uint8_t)bytes;
        assert_int_equal(net_filter_passes(frame, length), bytes >= 8 && bytes <= 30);
    }
    assert_true(net_filter_passes(frame, make(frame, 6, 20)));
    assert_false(net_filter_passes(frame, make(frame, 6, 19)));
    length = make(frame, 6, 31);
    for (unsigned words = 0; words < 16; words++) { /* the header length of TCP */
        frame[L4 + 12] = (uint8_t)(words << 4);
        assert_int_equal(net_filter_passes(frame, length), words == 5 || words == 6 || words == 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arp),       cmocka_unit_test(test_types),    cmocka_unit_test(test_ip),
        cmocka_unit_test(test_fragments), cmocka_unit_test(test_payloads),
    };
    return cmocka_run_group_tests_name("net_filter", tests, NULL, NULL);
}
