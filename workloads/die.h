/*
 * How the tools that make the guest end when they cannot go on.
 */
#ifndef SIMOS_WORKLOADS_DIE_H
#define SIMOS_WORKLOADS_DIE_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *unfinished; /* an output, which is removed when the program fails; or NULL */

/* One line on stderr, after the program's name; exit status 1. */
__attribute__((noreturn, format(printf, 1, 2))) static void die(const char *format, ...)
{
    va_list args;

    fprintf(stderr, "%s: ", program_invocation_short_name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    if (unfinished)
        unlink(unfinished);
    exit(1);
}

#endif
