#include "devices/disk/disk_format.h"
#include "devices/disk/disk_file.h"
#include <stdio.h>
#include <string.h>

/* How to make a raw image of the file %s. */
#define CONVERT "qemu-img convert -O raw %s raw.img"

static const struct format {
    const char *name, *remedy;
    int64_t at; /* offset of the mark; negative: from the end of the file */
    const char *mark;
    unsigned length;
} formats[] = {
#define MARK(text) text, sizeof text - 1
    {"qcow or qcow2", CONVERT, 0, MARK("QFI\xfb")},
    {"VMDK", CONVERT, 0, MARK("KDMV")},
    {"VMDK", CONVERT, 0, MARK("COWD")},
    {"VMDK", CONVERT, 0, MARK("# Disk DescriptorFile")},
    {"VDI", CONVERT, 64, MARK("\x7f\x10\xda\xbe")},
    {"VHDX", CONVERT, 0, MARK("vhdxfile")},
    {"VHD (vpc)", CONVERT, 0, MARK("conectix")},
    {"VHD (vpc)", CONVERT, -512, MARK("conectix")},
    {"QED", CONVERT, 0, MARK("QED\0")},
    {"Parallels", CONVERT, 0, MARK("WithoutFreeSpace")},
    {"Parallels", CONVERT, 0, MARK("WithouFreSpacExt")},
    {"bochs", CONVERT, 0, MARK("Bochs Virtual HD Image")},
    {"cloop", CONVERT, 0, MARK("#!/bin/sh\n#V2.0 Format\n")},
    {"DMG", CONVERT, -512, MARK("koly")},
    {"gzip", "gzip -dc %s >raw.img", 0, MARK("\x1f\x8b\x08")},
    {"xz", "xz -dc %s >raw.img", 0,
     MARK("\xfd"
          "7zXZ\0")},
    {"bzip2", "bzip2 -dc %s >raw.img", 0, MARK("BZh")},
    {"zstd", "zstd -dc %s >raw.img", 0, MARK("\x28\xb5\x2f\xfd")},
    {"lz4", "lz4 -dc %s >raw.img", 0, MARK("\x04\x22\x4d\x18")},
    {"zip", "unzip -p %s >raw.img", 0, MARK("PK\3\4")},
    {"7z", "7z x -so %s >raw.img", 0, MARK("7z\xbc\xaf\x27\x1c")},
#undef MARK
};

bool disk_format_check(int fd, uint64_t size, const char *name, struct err *err)
{
    char found[32], remedy[320];
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const struct format *format = &formats[i];
        uint64_t back = (uint64_t)-format->at, at = format->at < 0 ? size - back : (uint64_t)format->at;
        if ((format->at < 0 && size < back) || size < at + format->length ||
            !disk_file_read(fd, at, found, format->length) || memcmp(found, format->mark, format->length) != 0)
            continue;
        const char *rest = strstr(format->remedy, "%s");
        snprintf(remedy, sizeof remedy, "%.*s%.200s%s", (int)(rest - format->remedy), format->remedy, name, rest + 2);
        return err_set(err, "disk image %.200s: of the format %s, and a disk is a raw image: %s", name, format->name,
                       remedy);
    }
    return true;
}
