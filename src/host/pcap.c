#include "src/host/pcap.h"

#include "src/base/save_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_NANOSECONDS = (int)0xa1b23c4d, VERSION_MAJOR = 2, VERSION_MINOR = 4, SNAP_LENGTH = 65535, ETHERNET = 1 };

#define SECOND 1000000000u

struct file_header {
    uint32_t magic;
    uint16_t version_major, version_minor;
    uint32_t zone, accuracy; /* unused, 0 */
    uint32_t snap_length, link_type;
};

struct frame_header {
    uint32_t seconds, nanoseconds, captured, length;
};

_Static_assert(sizeof(struct file_header) == 24 && sizeof(struct frame_header) == 16, "the headers as in the file");

struct pcap {
    const char *path;
    FILE *out;
    int error; /* errno of the first failure; later frames are discarded */
};

static void append(struct pcap *pcap, const void *bytes, size_t count)
{
    if (pcap->error || fwrite(bytes, 1, count, pcap->out) == count)
        return;
    pcap->error = errno ? errno : EIO;
}

struct pcap *pcap_create(const char *path, struct err *err)
{
    const struct file_header header = {.magic = (uint32_t)MAGIC_NANOSECONDS,
                                       .version_major = VERSION_MAJOR,
                                       .version_minor = VERSION_MINOR,
                                       .snap_length = SNAP_LENGTH,
                                       .link_type = ETHERNET};
    int descriptor = save_open("capture file", path, O_TRUNC, err);
    if (descriptor < 0)
        return NULL;
    FILE *out = checked_memory(fdopen(descriptor, "wb"));
    struct pcap *pcap = checked_memory(calloc(1, sizeof *pcap));
    *pcap = (struct pcap){.path = path, .out = out};
    append(pcap, &header, sizeof header);
    if (pcap_flush(pcap, err))
        return pcap;
    pcap_free(pcap);
    return NULL;
}

void pcap_add_frame(struct pcap *pcap, nsec time, const uint8_t *frame, uint32_t length)
{
    const struct frame_header header = {.seconds = (uint32_t)(time / SECOND),
                                        .nanoseconds = (uint32_t)(time % SECOND),
                                        .captured = length,
                                        .length = length};
    append(pcap, &header, sizeof header);
    append(pcap, frame, length);
}

bool pcap_flush(struct pcap *pcap, struct err *err)
{
    if (!pcap->error && fflush(pcap->out) != 0)
        pcap->error = errno ? errno : EIO;
    return !pcap->error || err_set(err, "capture file %s: %s", pcap->path, strerror(pcap->error));
}

void pcap_free(struct pcap *pcap)
{
    if (!pcap)
        return;
    save_close_stream(pcap->out);
    free(pcap);
}
