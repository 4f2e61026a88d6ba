/* `simos info`: what is inside a checkpoint, for people. */
#include "checkpoint/checkpoint.h"
#include "src/restore.h"
#include "src/run.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The value of parameter NAME in TEXT, "NAME=VALUE" lines: up to the end of its line; "" if it is not there. */
static const char *value_of(const char *text, const char *name, int *length)
{
    size_t size = strlen(name);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, name, size) == 0 && line[size] == '=') {
            *length = (int)strcspn(line, "\n") - (int)size - 1;
            return line + size + 1;
        }
    *length = 0;
    return "";
}

/* A disk is a line "diskN BYTES SHA-256" of TEXT. */
static void print_disks(const char *text, const char *parameters)
{
    char name[32], digest[80];
    uint64_t size;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        int length;
        if (sscanf(line, "%15s %" SCNu64 " %79s", name, &size, digest) != 3)
            continue;
        char parameter[64];
        snprintf(parameter, sizeof parameter, "machine.%s", name);
        const char *path = value_of(parameters, parameter, &length);
        printf("%s: %.*s, %" PRIu64 " bytes, SHA-256 %s\n", name, length, path, size, digest);
    }
}

static void print_lines(const char *title, const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        printf("%s: %.*s\n", title, (int)strcspn(line, "\n"), line);
}

/* TEXT, which may hold anything, without what a terminal would take for a command. */
static void make_printable(char *text)
{
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' && *at != '\n')
            *at = '?';
        else if (*at == 127)
            *at = '?';
}

static char *text_of(struct checkpoint *checkpoint, const char *name, struct err *err)
{
    char *text = checkpoint_has(checkpoint, name) ? checkpoint_text(checkpoint, name, err) : NULL;
    if (!text)
        text = checked_memory(strdup(""));
    make_printable(text);
    return text;
}

static void print_size(const char *path, struct checkpoint *checkpoint)
{
    struct stat there;
    const struct checkpoint_section *section;
    uint64_t unpacked = 0;
    unsigned count = 0, timing = 0;
    for (size_t i = 0; (section = checkpoint_section_at(checkpoint, i)); i++) {
        count++;
        timing += section->timing;
        unpacked += section->size;
    }
    printf("file: %lld bytes, %" PRIu64 " unpacked; %u sections, %u of them for the same machine only\n\n",
           stat(path, &there) == 0 ? (long long)there.st_size : 0, unpacked, count, timing);
}

int restore_info(const char *path, struct err *err)
{
    static const char *const names[] = {"about", "job", "disks", "copies", "parameters"};
    enum { ABOUT, JOB, DISKS, COPIES, PARAMETERS, TEXTS };
    struct checkpoint *checkpoint = checkpoint_open(path, err);
    char *text[TEXTS];
    if (!checkpoint)
        return EXIT_SIMOS_FAILED;
    for (int i = 0; i < TEXTS; i++)
        text[i] = text_of(checkpoint, names[i], err);
    bool done = !*err->text;
    if (done) {
        fputs(text[ABOUT], stdout);
        print_disks(text[DISKS], text[PARAMETERS]);
        print_lines("copy", text[COPIES]);
        printf("job: %s%s", *text[JOB] ? text[JOB] : "none\n",
               *text[JOB] && text[JOB][strlen(text[JOB]) - 1] != '\n' ? "\n" : "");
        print_size(path, checkpoint);
        done = checkpoint_print(checkpoint, false, stdout, err);
    }
    if (done && (fflush(stdout) != 0 || ferror(stdout)))
        done = err_set(err, "stdout: cannot be written");
    for (int i = 0; i < TEXTS; i++)
        free(text[i]);
    checkpoint_close(checkpoint);
    return done ? 0 : EXIT_SIMOS_FAILED;
}
