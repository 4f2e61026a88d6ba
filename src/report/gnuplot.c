#include "src/report/gnuplot.h"
#include "src/base/printable.h"
#include "src/base/save_file.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_in_path(void)
{
    const char *path = getenv("PATH");
    char file[4096];
    for (const char *at = path ? path : ""; *at; at += strcspn(at, ":"), at += *at == ':') {
        int length = snprintf(file, sizeof file, "%.*s/gnuplot", (int)strcspn(at, ":"), at);
        if (length > 0 && (size_t)length < sizeof file && access(file, X_OK) == 0)
            return true;
    }
    return false;
}

bool gnuplot_is_installed(void)
{
    if (is_in_path())
        return true;
    fputs("simos: no figures: gnuplot is not installed (apt-get install gnuplot-nox)\n", stderr);
    return false;
}

/* Is the '>' at TEXT[AT] the end of "]]>", which gnuplot writes as it is, and XML does not have in a text? */
static bool ends_section(const char *text, size_t at)
{
    return text[at] == '>' && at >= 2 && text[at - 1] == ']' && text[at - 2] == ']';
}

void gnuplot_put_quoted(FILE *out, const char *foreign)
{
    const char *text = PRINTABLE(foreign);
    fputc('\'', out);
    for (size_t i = 0; text[i]; i++) {
        if (text[i] == '\'')
            fputc('\'', out);
        fputc(ends_section(text, i) ? '_' : text[i], out);
    }
    fputc('\'', out);
}

/* Line breaking */

static bool is_begin_of_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

/* May a line be broken after C? */
static bool is_end_of_piece(char c)
{
    return c == '\0' || strchr(" -_/,", c) != NULL;
}

/* The length in bytes of the first piece of TEXT, of at most MOST characters; *CHARACTERS: its characters. */
static size_t piece_at(const char *text, unsigned most, unsigned *characters)
{
    size_t bytes = 0;
    for (*characters = 0; text[bytes]; bytes++) {
        if (is_begin_of_character(text[bytes]) && (*characters)++ == most) {
            --*characters;
            break;
        }
        if (is_end_of_piece(text[bytes]))
            return bytes + 1;
    }
    return bytes;
}

unsigned gnuplot_longest_word(const char *text)
{
    unsigned longest = 0, characters;
    for (const char *at = text; *at;) {
        at += piece_at(at, GNUPLOT_PIECE, &characters);
        longest = characters > longest ? characters : longest;
    }
    return longest;
}

/* Print the byte AT of TEXT in double quotes; in a TIC, which is a format for printf, with '%' doubled. */
static void put_byte(FILE *out, const char *text, size_t at, bool tic)
{
    if (tic && text[at] == '%')
        fputc('%', out);
    fputc(strchr("\"\\\n`", text[at]) || ends_section(text, at) ? '_' : text[at], out);
}

/* Print the lines FIRST to LAST of TEXT. Returns the number of all lines. */
static unsigned put_lines(FILE *out, const char *foreign, unsigned room, unsigned first, unsigned last, bool tic)
{
    const char *text = PRINTABLE(foreign);
    unsigned line = 0, length = 0, characters;
    if (room == 0)
        room = 1;
    if (out)
        fputc('"', out);
    for (const char *at = text; *at;) {
        const size_t bytes = piece_at(at, room, &characters);
        if (length > 0 && length + characters > room) {
            length = 0;
            if (out && line >= first && line < last)
                fputs("\\n", out);
            line++;
        }
        for (size_t i = 0; out && line >= first && line <= last && i < bytes; i++)
            put_byte(out, text, (size_t)(at - text) + i, tic);
        length += characters;
        at += bytes;
    }
    if (out)
        fputc('"', out);
    return line + 1;
}

unsigned gnuplot_put_lines(FILE *out, const char *text, unsigned room)
{
    return put_lines(out, text, room, 0, UINT_MAX, false);
}

void gnuplot_put_line(FILE *out, const char *text, unsigned room, unsigned number)
{
    put_lines(out, text, room, number, number, false);
}

void gnuplot_put_tic(FILE *out, const char *text, unsigned room)
{
    put_lines(out, text, room, 0, 0, true);
}

/* Figures */

const char *gnuplot_colour(const char *part, unsigned number)
{
    static const char *const named[][2] = {
        {"user", "#3b6ea5"},       {"kernel", "#c8423b"},     {"idle", GNUPLOT_IDLE},     {"sync", "#7b2d4f"},
        {"L1-I", "#f58518"},       {"L2-I", "#b85c00"},       {"L1-D", "#b279a2"},        {"L2-D", "#7d4a78"},
        {"USER-self", "#3b6ea5"},  {"USER-other", "#8fb7dc"}, {"USER-cold", "#1f3f66"},   {"KERN-self", "#c8423b"},
        {"KERN-other", "#e8928d"}, {"KERN-cold", "#7a1f1b"},  {"invalidated", "#4f7942"}, {"cold", "#4c9be8"},
        {"capacity", "#e8a33d"},   {"coherence", "#4f7942"},  {"upgrade", "#3d3d3d"},
    };
    /* None of those above. */
    static const char *const others[] = {"#2a9d8f", "#d4a373", "#9c89b8", "#5fa8a0", "#e07a3f", "#8e6bbf",
                                         "#8a9a5b", "#e49ab0", "#577590", "#6fb1a0", "#a8c65f", "#b0855b",
                                         "#2f4858", "#6b705c", "#ffadad", "#56423d", "#b8b8b8"};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strcmp(named[i][0], part) == 0)
            return named[i][1];
    return others[number % (sizeof others / sizeof others[0])];
}

void gnuplot_put_frame(FILE *out, const struct gnuplot_frame *frame)
{
    fprintf(out, "set terminal svg size %u,%u noenhanced background '#ffffff'\nset title ", frame->width,
            frame->height);
    gnuplot_put_lines(out, frame->title, frame->width / GNUPLOT_CHARACTER);
    fputs("\nset ylabel ", out);
    gnuplot_put_quoted(out, frame->y_label);
    fputs("\nset key outside right Left reverse samplen 2\nset border 3\nset xtics nomirror scale 0\n"
          "set ytics nomirror\nset grid ytics lc rgb '#d8d8d8'\nset style fill solid 1 border -1\n",
          out);
}

/* What gnuplot drew, in memory. */
struct drawing {
    char *text;
    size_t size;
};

static void put_drawing(const void *opaque, FILE *out)
{
    const struct drawing *drawing = opaque;
    fwrite(drawing->text, 1, drawing->size, out);
}

/* Take the file FD as DRAWING, whose text the caller frees. False if it is not a whole SVG file. */
static bool take_drawing(struct drawing *drawing, int fd)
{
    static const char end[] = "</svg>\n";
    const off_t size = lseek(fd, 0, SEEK_END);
    drawing->size = size < 0 ? 0 : (size_t)size;
    drawing->text = checked_memory(calloc(drawing->size + 1, 1));
    return pread(fd, drawing->text, drawing->size, 0) == (ssize_t)drawing->size && drawing->size > strlen(end) &&
           strstr(drawing->text + drawing->size - strlen(end) - 2, "</svg>");
}

bool gnuplot_draw(const char *path, void (*write)(const void *opaque, FILE *out), const void *opaque, struct err *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    char command[80];
    const int fd = memfd_create("figure", 0); /* gnuplot does not say that a disk is full */
    if (fd < 0)
        return err_set(err, "%.256s: %s", path, strerror(errno));
    snprintf(command, sizeof command, "exec gnuplot - >/dev/fd/%d 2>/dev/null", fd);
    sigaction(SIGPIPE, &ignore, &old);
    FILE *out = popen(command, "w");
    bool done = out != NULL;
    if (done) {
        write(opaque, out);
        int status = pclose(out);
        done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    sigaction(SIGPIPE, &old, NULL);
    struct drawing drawing = {NULL, 0};
    if (!done || !take_drawing(&drawing, fd))
        done = err_set(err, "%.256s: gnuplot could not draw it", path);
    else
        done = save_file("figure", path, put_drawing, &drawing, err);
    free(drawing.text);
    close(fd);
    return done;
}
