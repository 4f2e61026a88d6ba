/* `simos info`: prints the contents of a checkpoint. */
#include "checkpoint/checkpoint.h"
#include "src/command/command_line.h"
#include "src/run/restore.h"
#include "src/base/printable.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Print the lines "diskN BYTES SHA-256 PATH" of TEXT. */
static void print_disks(const char *text)
{
    char name[16], digest[80];
    uint64_t size;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        int at = 0;
        if (sscanf(line, "%15s %" SCNu64 " %79s %n", name, &size, digest, &at) >= 3 && at > 0)
            printf("%s: %.*s, %" PRIu64 " bytes, SHA-256 %s\n", name, (int)strcspn(line + at, "\n"), line + at, size,
                   digest);
    }
}

static void print_copies(const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, "stream ", 7) != 0)
            printf("touches the host: copy: %.*s\n", (int)strcspn(line, "\n"), line);
}

/* Print what the parameters of the checkpoint PATH access on the host, which `restore` allows only with --trust. */
static bool print_authority(const char *path, struct err *err)
{
    struct restore *restore = restore_open(path, err);
    struct params *params = restore ? restore_params(restore, err) : NULL;
    struct param_authority found;
    for (size_t index = 0; params && params_next_authority(params, &index, &found);) {
        if (found.def->traits & TRAIT_POWER_ON)
            continue;
        char *text = checked_memory(strdup(found.value));
        printable_lines(text);
        printf("touches the host: %s=%s %s\n", found.def->name, text, found.does);
        free(text);
    }
    const bool done = params;
    params_free(params);
    restore_close(restore);
    return done;
}

static char *text_of(struct checkpoint *checkpoint, const char *name, struct err *err)
{
    char *text = checkpoint_has(checkpoint, name) ? checkpoint_text(checkpoint, name, err) : NULL;
    if (!text)
        text = checked_memory(strdup(""));
    printable_lines(text);
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
    static const char *const names[] = {"about", "job", "disks", "copies"};
    enum { ABOUT, JOB, DISKS, COPIES, TEXTS };
    struct checkpoint *checkpoint = checkpoint_open(path, err);
    char *text[TEXTS];
    if (!checkpoint)
        return EXIT_SIMOS_FAILED;
    for (int i = 0; i < TEXTS; i++)
        text[i] = text_of(checkpoint, names[i], err);
    bool done = !*err->text;
    if (done) {
        fputs(text[ABOUT], stdout);
        print_disks(text[DISKS]);
        done = print_authority(path, err);
    }
    if (done) {
        print_copies(text[COPIES]);
        printf("job: %s%s", *text[JOB] ? text[JOB] : "none\n",
               *text[JOB] && text[JOB][strlen(text[JOB]) - 1] != '\n' ? "\n" : "");
        print_size(path, checkpoint);
        done = checkpoint_print(checkpoint, false, stdout, err);
    }
    for (int i = 0; i < TEXTS; i++)
        free(text[i]);
    checkpoint_close(checkpoint);
    return done ? 0 : EXIT_SIMOS_FAILED;
}

/* The command */

struct info_options {
    const char *path;
};

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct info_options *options = line->options;
    if (count == 0)
        return err_set(err, "`info` needs the file that --checkpoint has written");
    options->path = words[0];
    return count == 1 || command_line_unexpected(words[1], err);
}

static int execute(struct command_line *line, struct err *err)
{
    const struct info_options *options = line->options;
    return restore_info(options->path, err);
}

const struct command info_command = {
    .name = "info",
    .usages = {{"info CKPT", "contents of a checkpoint, and its access to this host"}},
    .page = "how-to/checkpoints.md",
    .size = sizeof(struct info_options),
    .operands = take_operands,
    .main = execute,
};
