/*
 * The typed parameter table. Each module describes its parameters in a constant table; a `struct params` holds the
 * values of one machine. Used by the command line, Tcl, `simos params` and the generated reference page.
 */
#ifndef SIMOS_BASE_PARAMS_H
#define SIMOS_BASE_PARAMS_H

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
    /* Text that names a host resource. The values "" and "none", and the initial value, name none. */
    PARAM_INPUT,   /* a file that is read */
    PARAM_OUTPUT,  /* a file for reading */
    PARAM_DISK,    /* a file for writing */
    PARAM_NETWORK, /* a network to join */
    PARAM_CONSOLE, /* a pseudo-terminal to create, or a file for writing */
    PARAM_WORDS,   /* words, or "@FILE": those of a file that is read */
};

/* What a parameter is to a checkpoint, a record, a machine description and a sweep. Every definition has exactly one of
 * the first three, and any of the others. */
enum param_trait {
    /* What a machine is that is restored from a checkpoint with another value: */
    TRAIT_FIXED = 1 << 0,   /* refused: the guest knows the value, or its RAM depends on it */
    TRAIT_TIMED = 1 << 1,   /* another machine, with cold caches and new statistics */
    TRAIT_UNTIMED = 1 << 2, /* the same machine, which continues exactly */
    /* Part of a machine description, which gives its default to each that it does not set. */
    TRAIT_HARDWARE = 1 << 3,
    /* Of the memory systems of a sweep, which have misses but no time. */
    TRAIT_SWEPT = 1 << 4,
    /* A replay may have another value: it names a place on this host (what is read there is compared instead), ... */
    TRAIT_LOCATION = 1 << 5,
    TRAIT_OBSERVES = 1 << 6, /* ... or observes, and the run is the same. */
    /* Names a file that only power-on reads: the RAM of a restored machine has its contents. */
    TRAIT_POWER_ON = 1 << 7,
};

struct param_def {
    const char *name; /* dotted, lower case: "cache.l1d.size" */
    enum param_type type;
    unsigned traits;  /* enum param_trait */
    const char *unit; /* "bytes", "cycles", "" ... as shown in help */
    const char *initial;
    uint64_t min, max; /* inclusive; UINT64_MAX prints as no limit. Not used by BOOL, CHOICE, STRING */
    bool power_of_two; /* if min is 0, 0 is valid too and means "none" */
    const char *choices;
    const char *help; /* one line */
};

struct params;

/* Create an empty table; create a copy of a table with its definitions and values. Never NULL. The definitions must
 * outlive both. */
struct params *params_create(void);
struct params *params_copy(const struct params *params);
void params_free(struct params *params);

/* Add COUNT definitions with their initial values. A duplicate name, an invalid initial value, or traits without one of
 * FIXED, TIMED and UNTIMED are a bug (aborts). */
void params_define(struct params *params, const struct param_def *defs, size_t count);

/* Set NAME from TEXT. A fraction is accepted if the value is an integer ("1.5K", "33.3MHz"). Fails for an unknown name
 * (suggesting the nearest known one), malformed text, or a value out of range, with a message naming the parameter and
 * its range. */
bool params_set(struct params *params, const char *name, const char *text, struct err *err);

/* The same for a NAME that a user has written: as an option's, in a script, in a file. */
bool params_set_named(struct params *params, const char *name, const char *text, struct err *err);

/* Warn of each parameter whose name a user has written and that is deprecated (src/base/deprecated.h). */
void params_warn_deprecated(const struct params *params, bool quiet);

/* Parse TEXT as a number of TYPE (INT, SIZE, TIME, HZ), as in the value of a parameter. False if it is none, or does
 * not fit. */
bool params_parse_number(enum param_type type, const char *text, uint64_t *number);

/* Is the value of NAME, a CHOICE, the word WORD? A WORD that is none of its choices is a bug (aborts). */
bool params_is(const struct params *params, const char *name, const char *word);

/* Was NAME set, even to the same value, since its definition or the last params_mark_unset()? */
bool params_is_set(const struct params *params, const char *name);
/* Treat all parameters as not set. */
void params_mark_unset(struct params *params);

/* Authority. Accesses of a run to the host must be requested by its command line. Requests in a file of possibly other
 * origin (a checkpoint, a record, a machine description) are rejected. */

/* ORIGIN of the values set from now on: a file, described for messages ("checkpoint x.ckpt"); NULL: the command line or
 * a script of the user. */
void params_set_origin(struct params *params, const char *origin);
const char *params_origin(const struct params *params);

/* The host access of a value and its origin: "writes", "checkpoint x.ckpt". ORIGIN is NULL for the command line. */
struct param_authority {
    const struct param_def *def;
    const char *value, *does, *origin;
};

/* The next value from *INDEX on with a host access other than reading a disk image; false at the end. */
bool params_next_authority(const struct params *params, size_t *index, struct param_authority *authority);

/* False with ERR naming the first host access with an origin other than the command line. Parameters with one of the
 * traits EXEMPT are not checked. */
bool params_check_authority(const struct params *params, unsigned exempt, struct err *err);

/* The origin of NAME's value; NULL: the command line. */
const char *params_value_origin(const struct params *params, const char *name);
/* Set the origin of NAME's value to the command line. */
void params_clear_origin(struct params *params, const char *name);
void params_clear_origins(struct params *params); /* of all */

/* Copy NAME's value and origin from FROM, which has the same definitions. */
void params_copy_value(struct params *params, const struct params *from, const char *name);

/* Parse TEXT as a value of DEF, a number or BOOL, without a table; ERR as of params_set(). */
bool param_parse(const struct param_def *def, const char *text, uint64_t *number, struct err *err);

/* Set from "NAME=VALUE", the argument of --set. */
bool params_set_assignment(struct params *params, const char *assignment, struct err *err);

/* Values. An undefined name or a wrong type is a bug (aborts). BOOL reads as 0/1 with params_u64. */
uint64_t params_u64(const struct params *params, const char *name);
const char *params_string(const struct params *params, const char *name); /* texts and CHOICE; owned by PARAMS */
bool params_bool(const struct params *params, const char *name);

/* Write the canonical text of the value ("16K", "50ns", "200MHz", "on") to BUFFER; NULL-safe snprintf semantics. False
 * for an unknown name. */
bool params_text(const struct params *params, const char *name, char *buffer, size_t size);

/* Iterate in definition order: INDEX from 0; NULL at the end. */
const struct param_def *params_at(const struct params *params, size_t index);
const struct param_def *params_find(const struct params *params, const char *name);

/* Print a table (name, value, default, range, unit, help) of the parameters with names starting with PREFIX (NULL:
 * all). Texts longer than 24 bytes are printed below their row. Returns the number of parameters printed. */
int params_print(const struct params *params, const char *prefix, FILE *out);

#endif
