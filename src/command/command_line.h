/*
 * Parser of the command line, for all commands: it opens, runs and prints nothing.
 *
 * Options may stand anywhere before "--". They are applied in two passes: first those with OPTION_FIRST, then the
 * others.
 */
#ifndef SIMOS_COMMAND_COMMAND_LINE_H
#define SIMOS_COMMAND_COMMAND_LINE_H

#include "src/command/command.h"

/* Where the words of a command line stand: by themselves, or in a file as one of several runs: a node of a cluster, or
 * a job of a sweep, whose only result is the statistics that the sweep collects. */
enum command_place { COMMAND_PLACE_ALONE, COMMAND_PLACE_NODE, COMMAND_PLACE_JOB };

struct command_line {
    const struct commands *commands;
    const struct command *command; /* NULL: none is named */
    void *options;                 /* of the command, owned; NULL: it has none */
    enum command_place place;
    int count; /* all words, the command's name first */
    const char *const *words;
    /* While parsing: */
    const char *origin;   /* the file that the words come from; NULL: the command line */
    bool trusted;         /* --trust has been applied */
    unsigned given_count; /* the options so far, owned */
    const struct option **given;
    unsigned assigned_count; /* the values of those with OPTION_ASSIGNS so far, owned */
    const char **assigned;
};

/* Parse the COUNT words WORDS after the program's name, which must outlive LINE, at PLACE. Returns false with ERR
 * naming the invalid word, or an option or parameter that has no effect there. In both cases the caller calls
 * command_line_release(). */
bool command_line_parse(struct command_line *line, const struct commands *commands, enum command_place place, int count,
                        const char *const *words, struct err *err);
void command_line_release(struct command_line *line);

/* Parse the words of LINE, which have been parsed, onto its options as they are now. */
bool command_line_parse_again(struct command_line *line, struct err *err);

/* Warn of the command and of each option of LINE, which has been parsed, that is deprecated (src/base/deprecated.h);
 * with --quiet not on stderr. */
void command_line_warn_deprecated(const struct command_line *line);

/* The struct of TABLE, one of the tables of LINE's command; NULL if the command does not have the table. */
void *command_line_struct(const struct command_line *line, const struct option *table);

/* Complain about the operand WORD, which is one too many. False with ERR. */
bool command_line_unexpected(const char *word, struct err *err);

#endif
