#include "src/base/style.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool style_is_terminal(FILE *out)
{
    const char *term = getenv("TERM");
    return isatty(fileno(out)) && !(term && strcmp(term, "dumb") == 0);
}

static bool has_colour(FILE *out)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no && *no) && term && *term && style_is_terminal(out);
}

const char *style_on(FILE *out, enum style style)
{
    static const char *const sequences[] = {
        [STYLE_HEADING] = "\033[1m", [STYLE_ERROR] = "\033[1;31m", [STYLE_FAINT] = "\033[2m"};
    return has_colour(out) ? sequences[style] : "";
}

const char *style_off(FILE *out)
{
    return has_colour(out) ? "\033[0m" : "";
}

int style_columns(FILE *out)
{
    struct winsize size;
    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}
