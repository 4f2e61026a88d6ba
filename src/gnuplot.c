#include "src/gnuplot.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
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

void gnuplot_put_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

void gnuplot_put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        fputc(*text == '"' || *text == '\\' || *text == '\n' ? '_' : *text, out);
    fputc('"', out);
}

bool gnuplot_draw(const char *path, void (*write)(const void *opaque, FILE *out), const void *opaque, struct err *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    sigaction(SIGPIPE, &ignore, &old);
    FILE *out = popen("exec gnuplot - >/dev/null 2>&1", "w");
    bool done = out != NULL;
    if (done) {
        write(opaque, out);
        int status = pclose(out);
        done = WIFEXITED(status) && WEXITSTATUS(status) == 0 && access(path, R_OK) == 0;
    }
    sigaction(SIGPIPE, &old, NULL);
    return done || err_set(err, "%.256s: gnuplot could not draw it", path);
}
