/*
 * Where the figures of a run come from (--provenance), for its statistics: the command line, and of each file that the
 * run reads its size and SHA-256, as they were when the run began.
 */
#ifndef SIMOS_RUN_PROVENANCE_H
#define SIMOS_RUN_PROVENANCE_H

#include "src/base/stats.h"
#include "src/run/named_files.h"
#include "src/run/run_options.h"

struct provenance;

/* Read the files of RUN, whose command line must outlive the result. Files that do not exist, and what is no regular
 * file, are left out. NULL with ERR naming one that cannot be read. */
struct provenance *provenance_create(const struct run_options *run, const struct named_files *files, struct err *err);
void provenance_free(struct provenance *provenance); /* NULL is allowed, here and below */

/* Add the member "provenance" to STATS, which must not be written after provenance_free(). */
void provenance_register(struct provenance *provenance, struct stats *stats);

#endif
