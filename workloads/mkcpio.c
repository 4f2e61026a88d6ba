/*
 * mkcpio: writes an initramfs archive (cpio, "newc" format) from a list, without root and without touching device
 * nodes on the host.
 *
 *     mkcpio OUTPUT <LIST
 *
 * One entry a line; blank lines and lines that begin with # are skipped; fields are separated by blanks:
 *     dir  PATH MODE
 *     file PATH MODE SOURCE
 *     link PATH TARGET                (symbolic)
 *     char PATH MODE MAJOR MINOR
 *     pipe PATH MODE                  (named)
 * A SOURCE is the rest of its line and may contain blanks.
 * The bytes written depend on the list and the sources alone: every entry belongs to root, has time 0, and is numbered
 * in the order of the list. Directories must stand before what they hold, as the kernel unpacks in order.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MKCPIO_MAX_FILE (256u << 20) /* bytes of one file */
#define MKCPIO_BLOCK    512          /* the archive's size is a multiple of this */

struct archive {
    FILE *f;
    const char *name;
    uint64_t size;
    unsigned entries;
    unsigned line; /* of the list */
};

__attribute__((noreturn, format(printf, 2, 3))) static void die(struct archive *a, const char *format, ...)
{
    va_list args;

    fputs("mkcpio: ", stderr);
    if (a->line)
        fprintf(stderr, "line %u: ", a->line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    if (a->f)
        unlink(a->name);
    exit(1);
}

static void archive_write(struct archive *a, const void *bytes, size_t size)
{
    if (fwrite(bytes, 1, size, a->f) != size)
        die(a, "%s: %s", a->name, strerror(errno));
    a->size += size;
}

static void archive_pad(struct archive *a, unsigned alignment)
{
    static const uint8_t zeros[MKCPIO_BLOCK];

    archive_write(a, zeros, (size_t)(-a->size % alignment));
}

/* One header, name and content. device is major << 8 | minor. */
static void archive_add(struct archive *a, const char *path, unsigned mode, const void *content, size_t size,
                        unsigned device)
{
    char header[128];
    unsigned links = S_ISDIR(mode) ? 2 : 1;
    int length =
        snprintf(header, sizeof header, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", a->entries, mode,
                 0u, 0u, links, 0u, (unsigned)size, 0u, 0u, device >> 8, device & 255, (unsigned)strlen(path) + 1, 0u);

    archive_write(a, header, (size_t)length);
    archive_write(a, path, strlen(path) + 1);
    archive_pad(a, 4);
    archive_write(a, content, size);
    archive_pad(a, 4);
    a->entries++;
}

static void archive_add_file(struct archive *a, const char *path, unsigned mode, const char *source)
{
    FILE *f = fopen(source, "rb");
    uint8_t *content;
    struct stat st;
    size_t size;

    if (!f || fstat(fileno(f), &st))
        die(a, "%s: %s", source, strerror(errno));
    if (!S_ISREG(st.st_mode) || st.st_size > MKCPIO_MAX_FILE)
        die(a, "%s: not a file of at most %u bytes", source, MKCPIO_MAX_FILE);
    size = (size_t)st.st_size;
    content = malloc(size + 1);
    if (!content)
        die(a, "out of memory");
    if (fread(content, 1, size, f) != size)
        die(a, "%s: cannot be read", source);
    fclose(f);
    archive_add(a, path, S_IFREG | mode, content, size, 0);
    free(content);
}

/*
 * Splits a line at blanks, in place; returns the number of fields, at most max. A file's fourth field is all that is
 * left of the line.
 */
static unsigned split(char *line, char **fields, unsigned max)
{
    unsigned n = 0;

    line[strcspn(line, "\n")] = 0;
    while (n < max && *(line += strspn(line, " \t"))) {
        fields[n++] = line;
        if (n == 4 && !strcmp(fields[0], "file"))
            break;
        line += strcspn(line, " \t");
        if (*line)
            *line++ = 0;
    }
    return n;
}

static unsigned parse_number(struct archive *a, const char *text, int base, unsigned max)
{
    char *end;
    unsigned long value = strtoul(text, &end, base);

    if (end == text || *end || value > max)
        die(a, base == 8 ? "'%s' is not a mode (octal, at most %o)" : "'%s' is not a number of at most %u", text, max);
    return (unsigned)value;
}

static void add_line(struct archive *a, char **field, unsigned n)
{
    const char *kind = field[0], *path = n > 1 ? field[1] : "";

    while (*path == '/')
        path++;
    if (!*path || n < 3)
        die(a, "'%s' needs a path and more", kind);
    if (!strcmp(kind, "dir") && n == 3) {
        archive_add(a, path, S_IFDIR | parse_number(a, field[2], 8, 07777), "", 0, 0);
    } else if (!strcmp(kind, "file") && n == 4) {
        archive_add_file(a, path, parse_number(a, field[2], 8, 07777), field[3]);
    } else if (!strcmp(kind, "link") && n == 3) {
        archive_add(a, path, S_IFLNK | 0777, field[2], strlen(field[2]), 0);
    } else if (!strcmp(kind, "char") && n == 5) {
        unsigned major = parse_number(a, field[3], 10, 255), minor = parse_number(a, field[4], 10, 255);

        archive_add(a, path, S_IFCHR | parse_number(a, field[2], 8, 07777), "", 0, major << 8 | minor);
    } else if (!strcmp(kind, "pipe") && n == 3) {
        archive_add(a, path, S_IFIFO | parse_number(a, field[2], 8, 07777), "", 0, 0);
    } else {
        die(a, "'%s' with %u fields (known: dir 3, file 4, link 3, char 5, pipe 3)", kind, n);
    }
}

int main(int argc, char **argv)
{
    struct archive a = {0};
    char *line = NULL, *field[6];
    size_t room = 0;
    ssize_t length;

    if (argc != 2) {
        fputs("usage: mkcpio OUTPUT <LIST\n", stderr);
        return 1;
    }
    a.name = argv[1];
    a.f = fopen(a.name, "wb");
    if (!a.f)
        die(&a, "%s: %s", a.name, strerror(errno));
    while ((length = getline(&line, &room, stdin)) > 0) {
        unsigned n;

        a.line++;
        if (line[0] == '#')
            continue;
        n = split(line, field, 6);
        if (n > 0)
            add_line(&a, field, n);
    }
    free(line);
    a.line = 0;
    a.entries = 0;
    archive_add(&a, "TRAILER!!!", 0, "", 0, 0);
    archive_pad(&a, MKCPIO_BLOCK);
    if (fclose(a.f))
        die(&a, "%s: %s", a.name, strerror(errno));
    return 0;
}
