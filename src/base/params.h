/*
 * The typed parameter table. Every room describes its parameters in a constant table; a `struct params` holds the
 * values of one machine. The command line, Tcl, `simos params` and the generated reference page all use this.
 */
#ifndef SIMOS_PARAMS_H
#define SIMOS_PARAMS_H

#include "src/base/log.h"
#include "src/base/types.h"
#include <stdio.h>

enum param_type {
    PARAM_INT,    /* unsigned integer, decimal or 0x..., min..max */
    PARAM_SIZE,   /* bytes; K, M, G suffix (powers of two); min..max */
    PARAM_TIME,   /* nanoseconds, min..max; a bare number is ns, or suffix ns, us, ms, s */
    PARAM_HZ,     /* frequency; K, M, G suffix (powers of ten), optional "Hz"; min..max */
    PARAM_BOOL,   /* 0/1, true/false, yes/no, on/off */
    PARAM_CHOICE, /* one of the words in `choices`, separated by '|' */
    PARAM_STRING, /* any text up to 4096 bytes; empty allowed */
    /* Text, too, that names something of the host. The value "" or "none" names nothing; so does the initial value. */
    PARAM_INPUT,   /* a file that is read */
    PARAM_OUTPUT,  /* a file that is written */
    PARAM_DISK,    /* a disk image: read, and written if a word ",write" or ",overlay=" is in it */
    PARAM_NETWORK, /* a network that is joined */
    PARAM_CONSOLE, /* a terminal that is made, or a file that is written */
};

struct param_def {
    const char *name; /* dotted, lower case: "cache.l1d.size" */
    enum param_type type;
    const char *unit; /* "bytes", "cycles", "" ... as shown in help */
    const char *initial;
    uint64_t min, max; /* inclusive; UINT64_MAX prints as no limit. Not used by BOOL, CHOICE, STRING */
    bool power_of_two; /* 0 passes too if min is 0: it then means "none" */
    const char *choices;
    const char *help; /* one line */
};

struct params;

/* An empty table; a table with the same definitions and values. Never NULL. Definitions must outlive both. */
struct params *params_create(void);
struct params *params_copy(const struct params *params);
void params_free(struct params *params);

/* Add COUNT definitions with their initial values. A duplicate name or a bad initial value is a bug (aborts). */
void params_define(struct params *params, const struct param_def *defs, size_t count);

/* Set NAME from TEXT. A fraction is accepted if the value comes out whole ("1.5K", "33.3MHz"). Unknown name (with the
 * nearest known one suggested), malformed text, or a value out of range fails with a line that names the parameter and
 * its range. */
bool params_set(struct params *params, const char *name, const char *text, struct err *err);

/* Has NAME been set, if only to the value that it had, since it was defined or params_mark_unset() was called? */
bool params_is_set(const struct params *params, const char *name);
/* Does NAME begin with one of COUNT prefixes? */
bool params_begins_with(const char *name, const char *const *prefixes, size_t count);
/* What has been set so far counts as if it had not been. */
void params_mark_unset(struct params *params);

/* Authority. What a parameter makes a run do to the host has to be asked for by that run's command line. A file that
 * somebody else may have written (a checkpoint, a record, a machine description) can ask for it, and is refused. */

/* The values that are set from now on come from ORIGIN, a file in words for a message ("checkpoint x.ckpt"); NULL: from
 * the command line or a script of the user's own. */
void params_set_origin(struct params *params, const char *origin);
const char *params_origin(const struct params *params);

/* What a value does to the host and where it comes from: "writes", "checkpoint x.ckpt". ORIGIN is NULL if it is the
 * command line's. */
struct param_authority {
    const struct param_def *def;
    const char *value, *does, *origin;
};

/* The next value from *INDEX on that does something to the host, other than reading a disk image; false at the end. */
bool params_next_authority(const struct params *params, size_t *index, struct param_authority *authority);

/* False with ERR naming the first such value that does not come from the command line, and what it would do. Those
 * whose names are in the text EXEMPT are not asked. */
bool params_check_authority(const struct params *params, const char *exempt, struct err *err);

/* The file that the value of NAME comes from; NULL: the command line. */
const char *params_value_origin(const struct params *params, const char *name);
/* The value of NAME counts as the command line's. */
void params_clear_origin(struct params *params, const char *name);
void params_clear_origins(struct params *params); /* of all */

/* Give NAME in PARAMS the value and the origin that it has in FROM, which has the same definitions. */
void params_take(struct params *params, const struct params *from, const char *name);

/* "NAME=VALUE" as --set takes it. */
bool params_set_assignment(struct params *params, const char *assignment, struct err *err);

/* Values. Asking for an undefined name or with the wrong type is a bug (aborts). BOOL reads as 0/1 with params_u64. */
uint64_t params_u64(const struct params *params, const char *name);
const char *params_string(const struct params *params, const char *name); /* texts and CHOICE; owned by PARAMS */
bool params_bool(const struct params *params, const char *name);

/* Canonical text of the value ("16K", "50ns", "200MHz", "on"), into BUFFER; NULL-safe snprintf semantics. False if
 * unknown name. */
bool params_text(const struct params *params, const char *name, char *buffer, size_t size);

/* Iterate in definition order: INDEX from 0; NULL at the end. */
const struct param_def *params_at(const struct params *params, size_t index);
const struct param_def *params_find(const struct params *params, const char *name);

/* Print a table (name, value, default, range, unit, help) of those whose name starts with PREFIX (NULL: all). Texts
 * longer than 24 bytes stand below their row. Returns the number printed. */
int params_print(const struct params *params, const char *prefix, FILE *out);

#endif
