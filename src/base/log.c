#include "src/base/log.h"
#include "src/base/error_lines.h"
#include "src/base/hash_map.h"
#include "src/base/printable.h"
#include "src/base/types.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOG_LINE_SIZE = 1024,
    LOG_MAX_SITES = 4096 /* far above the number of call sites: bounds the memory if SITE is not a constant */
};

struct log {
    bool quiet;
    struct hash_map said; /* the sites that have printed, by content */
};

/* Printed text may come from the guest or the command line: make it one line without terminal controls. */
static void make_one_line(char *text)
{
    printable_replace(text, ' ');
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
        error_lines_print("%s", err->text);
    *err = *reason;
    return false;
}

struct log *log_create(bool quiet)
{
    struct log *log = checked_memory(calloc(1, sizeof *log));
    log->quiet = quiet;
    return log;
}

void log_free(struct log *log)
{
    if (!log)
        return;
    hash_map_release(&log->said);
    free(log);
}

static bool is_site(const void *sought, const struct hash_slot *slot)
{
    return strcmp(slot->pointer, sought) == 0;
}

/* True for the first message of SITE. Sites are compared by content: equal constants of two files are one site, and
 * their addresses do not matter. */
static bool site_is_new(struct log *log, const char *site)
{
    const uint64_t hash = hash_text(site);
    if (hash_map_find_equal(&log->said, hash, is_site, site) || log->said.count >= LOG_MAX_SITES)
        return false;
    hash_map_add(&log->said, hash)->pointer = (char *)site;
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

/* Of the process, as its signal handlers are: a bug is found where no machine is known. */
static struct log_bug_step *bug_steps;

void log_bug_step_add(struct log_bug_step *step)
{
    struct log_bug_step **last = &bug_steps;
    while (*last)
        last = &(*last)->next;
    step->next = NULL;
    *last = step;
}

void log_bug_step_remove(struct log_bug_step *step)
{
    for (struct log_bug_step **at = &bug_steps; *at; at = &(*at)->next)
        if (*at == step) {
            *at = step->next;
            return;
        }
}

void log_bug_at(const char *file, int line, const char *format, ...)
{
    static const char prefix[] = "simos: ";
    char message[LOG_LINE_SIZE];
    int length = snprintf(message, sizeof message, "bug: %.200s:%d: ", file, line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + length, sizeof message - (size_t)length, format, arguments);
    va_end(arguments);
    make_one_line(message);
    fprintf(stderr, "%s%s\n", prefix, message);
    error_lines_bug(message + strlen("bug: "));
    while (bug_steps) {
        struct log_bug_step *step = bug_steps;
        bug_steps = step->next;
        step->save(step->opaque, message);
    }
    abort();
}
