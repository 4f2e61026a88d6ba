/*
 * Statistics files are not trusted. Whether the annotations of one have the form that simos writes, and whether its
 * accounts add up. A part that is absent is not recorded; one that is there and is something else is damage.
 */
#ifndef SIMOS_RESULTS_ACCOUNTS_H
#define SIMOS_RESULTS_ACCOUNTS_H

#include "src/base/json_file.h"
#include "src/measure/measures.h"

/* The columns of annotations.cycles, as `--script cycles` writes them: texts, and behind them two counts. */
enum { PLACE_MODE, PLACE_ROUTINE, PLACE_CAUSE, PLACE_DATA, PLACE_CLASS, PLACE_COUNT, PLACE_CYCLES, PLACE_COLUMNS };

/* Is VALUE a non-negative integer? */
bool results_is_count(const json_t *value);
/* The count VALUE, and the count NAME of OBJECT; 0 if it is none. */
uint64_t results_count_in(const json_t *value);
uint64_t results_count_of(const json_t *object, const char *name);
/* The number NAME of OBJECT; 0 if it is none. */
double results_number_of(const json_t *object, const char *name);

/* Of STALL, the member of an account with cycles by cause: the sum of those that are part of SIDE. 0 if it is none. */
double results_stall_of(const json_t *stall, enum measure_side side);

/* Have the annotations of ROOT, called TITLE, the form of annotations? False with ERR, which names TITLE and the place.
 */
bool results_check_annotations(const json_t *root, const char *title, struct err *err);

/* Do the accounts by mode of ROOT, called TITLE, add up to the cycles of its processors, and those by service and by
 * place, if it has any, to the same? False with ERR, which names TITLE and the place. */
bool results_check_accounts(const json_t *root, const char *title, struct err *err);

#endif
