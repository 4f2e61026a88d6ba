#include "src/base/log.h"
#include "src/base/types.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOG_LINE_SIZE = 1024,
    LOG_FIRST_CAPACITY = 64,
    LOG_MAX_SITES = 4096 /* far above the number of call sites: bounds the memory if SITE is not a constant */
};

struct log {
    bool quiet;
    const char **said; /* hash set of the sites that have printed; capacity is a power of two, never full */
    size_t count, capacity;
};

/* Printed text may come from the guest or the command line: make it one line without terminal controls. */
static void make_one_line(char *text)
{
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' '; length--)
        text[length - 1] = '\0';
}

bool err_set(struct err *err, const char *format, ...)
{
    if (!err || err->text[0])
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    make_one_line(err->text);
    if (!err->text[0])
        strcpy(err->text, "failed without a reason");
    return false;
}

bool err_add(struct err *err, const struct err *reason)
{
    if (!reason->text[0] || strcmp(err->text, reason->text) == 0)
        return false;
    if (err->text[0])
        fprintf(stderr, "simos: %s\n", err->text);
    *err = *reason;
    return false;
}

struct log *log_create(bool quiet)
{
    struct log *log = calloc(1, sizeof *log);
    if (log)
        log->said = calloc(LOG_FIRST_CAPACITY, sizeof *log->said);
    if (!log || !log->said)
        log_bug("out of memory");
    log->quiet = quiet;
    log->capacity = LOG_FIRST_CAPACITY;
    return log;
}

void log_free(struct log *log)
{
    if (!log)
        return;
    free(log->said);
    free(log);
}

/* The hash uses the content, not the address: equal constants of two files are one site, and their addresses do not
 * matter. */
static const char **site_slot(const char **said, size_t capacity, const char *site)
{
    uint32_t hash = 2166136261u;
    for (const char *c = site; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    size_t slot = hash & (capacity - 1);
    while (said[slot] && said[slot] != site && strcmp(said[slot], site) != 0)
        slot = (slot + 1) & (capacity - 1);
    return &said[slot];
}

static void sites_grow(struct log *log)
{
    size_t capacity = log->capacity * 2;
    const char **said = calloc(capacity, sizeof *said);
    if (!said)
        log_bug("out of memory");
    for (size_t i = 0; i < log->capacity; i++)
        if (log->said[i])
            *site_slot(said, capacity, log->said[i]) = log->said[i];
    free(log->said);
    log->said = said;
    log->capacity = capacity;
}

/* True for the first message of SITE. */
static bool site_is_new(struct log *log, const char *site)
{
    const char **slot = site_slot(log->said, log->capacity, site);
    if (*slot || log->count >= LOG_MAX_SITES)
        return false;
    *slot = site;
    if (++log->count * 2 > log->capacity)
        sites_grow(log);
    return true;
}

static void print_line(const char *prefix, const char *format, va_list arguments)
{
    char line[LOG_LINE_SIZE];
    vsnprintf(line, sizeof line, format, arguments);
    make_one_line(line);
    fprintf(stderr, "%s%s\n", prefix, line);
}

void log_guest(struct log *log, const char *site, const char *format, ...)
{
    if (!log || log->quiet || !site_is_new(log, site))
        return;
    va_list arguments;
    va_start(arguments, format);
    print_line("simos: guest: ", format, arguments);
    va_end(arguments);
}

void log_info(struct log *log, const char *format, ...)
{
    if (!log)
        return;
    va_list arguments;
    va_start(arguments, format);
    print_line("simos: ", format, arguments);
    va_end(arguments);
}

void log_note(struct log *log, const char *format, ...)
{
    if (!log || log->quiet)
        return;
    va_list arguments;
    va_start(arguments, format);
    print_line("simos: ", format, arguments);
    va_end(arguments);
}

void log_bug_at(const char *file, int line, const char *format, ...)
{
    char prefix[256];
    snprintf(prefix, sizeof prefix, "simos: bug: %s:%d: ", file, line);
    va_list arguments;
    va_start(arguments, format);
    print_line(prefix, format, arguments);
    va_end(arguments);
    abort();
}
