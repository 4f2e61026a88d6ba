/*
 * Capture files: the bytes of the format (draft-ietf-opsawg-pcap, sections 4 and 5; magic number of nanosecond
 * times), and write errors.
 */
#include "src/host/pcap.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "tests/unit/test.h"

static void make_path(char path[64])
{
    strcpy(path, P_tmpdir "/simos-pcap-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
}

static void test_format(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        0x4d, 0x3c, 0xb2, 0xa1, 2,    0,    4,    0,    0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0,
        0,    1,    0,    0,    0,                                                               /* file */
        0x15, 0xcd, 0x5b, 0x07, 0xff, 0xc9, 0x9a, 0x3b, 3, 0, 0, 0, 3, 0, 0, 0, 'a',  'b',  'c', /* frame */
        0x16, 0xcd, 0x5b, 0x07, 0,    0,    0,    0,    1, 0, 0, 0, 1, 0, 0, 0, 'd',
    };
    char path[64];
    uint8_t bytes[200];
    struct err err = {""};
    make_path(path);
    struct pcap *pcap = pcap_create(path, &err);
    assert_non_null(pcap);
    pcap_add_frame(pcap, 123456789999999999ull, (const uint8_t *)"abc", 3);
    pcap_add_frame(pcap, 123456790000000000ull, (const uint8_t *)"d", 1);
    assert_true(pcap_flush(pcap, &err));
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    assert_int_equal(fread(bytes, 1, sizeof bytes, in), sizeof expected);
    assert_memory_equal(bytes, expected, sizeof expected);
    fclose(in);
    pcap_free(pcap);
    unlink(path);
}

static void test_cannot_be_created(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"/nonexistent/x", "capture file /nonexistent/x: No such file or directory"},
        {"/", "capture file /: Is a directory"},
        {"/dev/full", "capture file /dev/full: No space left on device"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct err err = {""};
        assert_null(pcap_create(lines[i][0], &err));
        assert_string_equal(err.text, lines[i][1]);
    }
    pcap_free(NULL);
}

/* The disk fills up during a run: reported at every flush, and nothing is written after the gap. */
static void test_fails_under_way(void **state)
{
    (void)state;
    char path[64], expected[128];
    uint8_t frame[1514] = {0};
    struct rlimit old, limit;
    struct err err = {""};
    make_path(path);
    snprintf(expected, sizeof expected, "capture file %s: File too large", path);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    struct pcap *pcap = pcap_create(path, &err);
    assert_non_null(pcap);
    limit = (struct rlimit){.rlim_cur = 10000, .rlim_max = old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (unsigned i = 0; i < 100; i++)
        pcap_add_frame(pcap, i, frame, sizeof frame);
    setrlimit(RLIMIT_FSIZE, &old);
    pcap_add_frame(pcap, 100, frame, sizeof frame);
    for (unsigned i = 0; i < 2; i++) {
        err.text[0] = 0;
        assert_false(pcap_flush(pcap, &err));
        assert_string_equal(err.text, expected);
    }
    pcap_free(pcap);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_cannot_be_created),
        cmocka_unit_test(test_fails_under_way),
    };
    return cmocka_run_group_tests_name("pcap", tests, NULL, NULL);
}
