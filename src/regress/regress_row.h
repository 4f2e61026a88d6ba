/*
 * A row of a test: one number of the statistics of a run with `--script misses`, the sum over everything that its
 * patterns select, and the parts that add up to it.
 *
 *     row NAME FIGURE ?-PLACE PATTERN ...? ?-within PERCENT? ?-direction more|both? ?-at-most NUMBER? ?-exact?
 *         ?-placement own|as-linked|both?
 *
 * FIGURE is misses, stall, cycles, insns, wait or calls, with the places mode, service, process, routine, data, cache
 * and class; or acquires, contended, waited or held, with the places lock and kind. Patterns are those of Tcl's
 * `string match`; a place without pattern is not distinguished.
 */
#ifndef SIMOS_REGRESS_REGRESS_ROW_H
#define SIMOS_REGRESS_REGRESS_ROW_H

#include "src/base/log.h"
#include "src/base/types.h"
#include "src/results/results.h"

enum regress_figure {
    REGRESS_MISSES,
    REGRESS_STALL,
    REGRESS_CYCLES,
    REGRESS_INSNS,
    REGRESS_WAIT,
    REGRESS_CALLS,
    REGRESS_ACQUIRES,
    REGRESS_CONTENDED,
    REGRESS_WAITED,
    REGRESS_HELD,
    REGRESS_FIGURES
};

/* In the order of the columns of `misses`; the last two are of locks. */
enum regress_place {
    REGRESS_MODE,
    REGRESS_SERVICE,
    REGRESS_PROCESS,
    REGRESS_ROUTINE,
    REGRESS_DATA,
    REGRESS_CACHE,
    REGRESS_CLASS,
    REGRESS_LOCK,
    REGRESS_KIND,
    REGRESS_PLACES
};

/* Where the caches see the kernel in the repetitions that -within judges. */
enum regress_placement {
    REGRESS_OWN,       /* in random orders, the new one where the old one is: what its linker did does not count */
    REGRESS_AS_LINKED, /* where the linker put it */
    REGRESS_BOTH       /* in a file only: two rows */
};

struct regress_row {
    char *name; /* unique in the file */
    enum regress_figure figure;
    char *pattern[REGRESS_PLACES]; /* NULL: everything */
    bool has_within, both;         /* within a part of the baseline, or of the old kernel: only upwards unless BOTH */
    double within;                 /* per cent */
    bool has_most, exact;          /* of the run without perturbation */
    uint64_t most;
    enum regress_placement placement; /* own and as linked are the same without random placement */
};

const char *regress_figure_name(enum regress_figure figure);
/* What it is counted in: "misses", "cycles" ... */
const char *regress_figure_unit(enum regress_figure figure);
const char *regress_place_name(enum regress_place place);

/* Set ROW from COUNT WORDS, from NAME on. Returns false with ERR, also if a pattern matches no mode, cache, class or
 * kind of lock that there is; in both cases the caller calls regress_row_release(). */
bool regress_row_parse(struct regress_row *row, unsigned count, const char *const *words, struct err *err);
void regress_row_release(struct regress_row *row);
/* The row of ROW, which is REGRESS_BOTH, that is judged as linked; ROW becomes the other one. */
struct regress_row regress_row_divide(struct regress_row *row);

/* The first pattern of ROW whose bit is in PLACES (not 0), as `-service "clone"`. Returns TEXT. */
enum { REGRESS_PATTERN_TEXT = 96 };
const char *regress_row_pattern(const struct regress_row *row, unsigned places, char text[REGRESS_PATTERN_TEXT]);

/* A part of a value: its places joined by "; ", and its amount. */
struct regress_part {
    char *place;
    int64_t amount;
};

/* Parts by place, sorted, each place once. {0} is empty. */
struct regress_parts {
    size_t count, room;
    struct regress_part *parts;
};

/* Add AMOUNT to the part of PLACE. After any number of these, regress_parts_join() makes each place one part. */
void regress_parts_add(struct regress_parts *parts, const char *place, int64_t amount);
void regress_parts_join(struct regress_parts *parts);
/* The part of PLACE; NULL: none. Of joined parts. */
const struct regress_part *regress_parts_find(const struct regress_parts *parts, const char *place);
/* The order of joined parts, for qsort(). */
int regress_part_order(const void *a, const void *b);
void regress_parts_release(struct regress_parts *parts);

/* The value of ROW in RESULTS; with its parts, whose sum it is, added to PARTS. The bits of UNMATCHED by
 * enum regress_place: patterns that nothing in this run has matched; of modes, caches, classes and kinds, that nothing
 * could have matched. False with ERR if RESULTS lack the figures. */
bool regress_row_value(const struct regress_row *row, const struct results *results, uint64_t *value,
                       struct regress_parts *parts, unsigned *unmatched, struct err *err);

#endif
