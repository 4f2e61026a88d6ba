/*
 * captures FOLDER: captures of network frames, for tests/python/test_formats.py to read with other programs' readers.
 * FOLDER/none.pcap, one.pcap and many.pcap, of 0, 1 and 10,000 frames of 14 to 1,514 bytes, from frame to frame 1 more,
 * one each 1.000000001 seconds.
 */
#include "src/host/pcap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 14, LONGEST = 1514 };

static void check(bool done, const struct err *err)
{
    if (done)
        return;
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        unsigned frames;
    } cases[] = {{"none", 0}, {"one", 1}, {"many", 10000}};
    if (count != 2) {
        fputs("usage: captures FOLDER\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err err = {""};
        char path[4096];
        uint8_t frame[LONGEST];
        snprintf(path, sizeof path, "%s/%s.pcap", arguments[1], cases[i].name);
        struct pcap *pcap = pcap_create(path, &err);
        check(pcap != NULL, &err);
        for (unsigned number = 0; number < cases[i].frames; number++) {
            memset(frame, (int)number, sizeof frame);
            pcap_add_frame(pcap, UINT64_C(1000000001) * number, frame, HEAD + number % (LONGEST - HEAD + 1));
        }
        check(pcap_flush(pcap, &err), &err);
        pcap_free(pcap);
    }
    return 0;
}
