#include "src/host/record.h"

#include "src/base/save_file.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct record {
    char *path;
    int fd;
    int error;      /* errno of the first failed write; later lines are discarded */
    bool existed;   /* the file existed before */
    bool begun;     /* the file has been truncated and written to */
    bool open;      /* the present machine's head has been written, its end has not */
    double seconds; /* limits */
    uint64_t insns;
    uint32_t checksum;
    FILE *line; /* under construction */
    char *line_text;
    size_t line_length;
    FILE *head; /* buffered lines of the present machine */
    char *head_text;
    size_t head_length;
};

static FILE *open_text(char **text, size_t *length)
{
    return checked_memory(open_memstream(text, length));
}

struct record *record_create(const char *path, struct err *err)
{
    struct stat status;
    bool existed = stat(path, &status) == 0;
    int fd = save_open("record", path, 0, err);
    if (fd < 0)
        return NULL;
    struct record *record = checked_memory(calloc(1, sizeof *record));
    record->path = checked_memory(strdup(path));
    record->fd = fd;
    record->existed = existed;
    record->insns = UINT64_MAX;
    record->head = open_text(&record->head_text, &record->head_length);
    return record;
}

static void write_all(struct record *record, const char *text, size_t length)
{
    while (length && !record->error) {
        ssize_t count = write(record->fd, text, length);
        if (count >= 0) {
            text += count;
            length -= (size_t)count;
        } else if (errno != EINTR)
            record->error = errno;
    }
}

/* Lines */

static FILE *begin_line(struct record *record, const char *kind)
{
    record->line = open_text(&record->line_text, &record->line_length);
    fputs(kind, record->line);
    return record->line;
}

static void end_line(struct record *record)
{
    fflush(record->line);
    record->checksum = record_checksum(record->checksum, record->line_text, record->line_length);
    fprintf(record->line, " ~%08" PRIx32 "\n", record->checksum);
    fclose(record->line);
    if (record->open)
        write_all(record, record->line_text, record->line_length);
    else
        fwrite(record->line_text, 1, record->line_length, record->head);
    free(record->line_text);
}

static void put_text(FILE *out, const char *text)
{
    record_put_word(out, text, strlen(text));
}

/* Head */

void record_limit(struct record *record, double seconds, uint64_t insns)
{
    record->seconds = seconds;
    record->insns = insns;
}

void record_head_limits(struct record *record)
{
    if (record->seconds > 0) {
        char text[32];
        snprintf(text, sizeof text, "%.17g", record->seconds);
        put_text(begin_line(record, "seconds"), text);
        end_line(record);
    }
    if (record->insns != UINT64_MAX) {
        fprintf(begin_line(record, "insns"), " %" PRIu64, record->insns);
        end_line(record);
    }
}

void record_head(struct record *record, const char *kind, const char *const *texts, unsigned count)
{
    if (!record->begun && record->checksum == 0) {
        fprintf(begin_line(record, RECORD_FIRST_LINE), " %d", RECORD_VERSION);
        end_line(record);
    }
    FILE *out = begin_line(record, kind);
    for (unsigned i = 0; i < count; i++)
        put_text(out, texts[i]);
    end_line(record);
}

void record_file(struct record *record, const char *role, const struct file_identity *identity, const char *path)
{
    FILE *out = begin_line(record, "file");
    put_text(out, role);
    fprintf(out, " %" PRIu64 " %s", identity->size, identity->digest);
    put_text(out, path);
    end_line(record);
}

void record_begin(struct record *record)
{
    if (record->open)
        return;
    fclose(record->head);
    if (!record->begun && ftruncate(record->fd, 0) != 0 && errno != EINVAL) /* EINVAL: not a regular file */
        record->error = errno;
    write_all(record, record->head_text, record->head_length);
    free(record->head_text);
    record->head = open_text(&record->head_text, &record->head_length);
    record->begun = record->open = true;
}

/* Events */

static FILE *begin_moment(struct record *record, const char *kind, const struct record_position *moment)
{
    FILE *out = begin_line(record, kind);
    fprintf(out, " %" PRIu64 " %" PRIu64 " %s", moment->time, moment->insns, input_point_names[moment->place]);
    return out;
}

void record_input(struct record *record, const struct record_position *moment, const char *source, const void *bytes,
                  size_t count)
{
    FILE *out = begin_moment(record, "in", moment);
    put_text(out, source);
    record_put_word(out, bytes, count);
    end_line(record);
}

void record_stop(struct record *record, const struct record_position *moment, unsigned reason)
{
    fprintf(begin_moment(record, "stop", moment), " %u", reason);
    end_line(record);
}

void record_time(struct record *record, const struct record_position *moment)
{
    begin_moment(record, "time", moment);
    end_line(record);
}

void record_saved(struct record *record, const struct record_position *moment,
                  const struct record_checkpoint *checkpoint)
{
    FILE *out = begin_moment(record, "checkpoint", moment);
    fprintf(out, " %" PRIu64 " %s", checkpoint->identity.size, checkpoint->identity.digest);
    put_text(out, checkpoint->path);
    for (unsigned i = 0; i < checkpoint->cpus; i++)
        fprintf(out, " %" PRIu64, checkpoint->cpu_insns[i]);
    end_line(record);
}

void record_end(struct record *record, const struct record_position *moment)
{
    if (!record->open)
        return;
    begin_moment(record, "end", moment);
    end_line(record);
    record->open = false;
}

/* Completion */

bool record_failed(const struct record *record, struct err *err)
{
    if (record->error)
        err_set(err, "record %s: %s", record->path, strerror(record->error));
    return record->error != 0;
}

bool record_close(struct record *record, struct err *err)
{
    if (!record)
        return true;
    if (!record->begun && !record->existed)
        unlink(record->path);
    if (save_close(record->fd) != 0 && !record->error)
        record->error = errno;
    bool done = !record_failed(record, err);
    fclose(record->head);
    free(record->head_text);
    free(record->path);
    free(record);
    return done;
}
