/*
 * Where the figures of a run come from (--provenance), for its statistics: the command line, and of each file that the
 * run reads its size and SHA-256, as they were when the run began.
 */
#ifndef SIMOS_RUN_PROVENANCE_H
#define SIMOS_RUN_PROVENANCE_H

#include "src/base/stats.h"
#include "src/host/named_files.h"
#include "src/run/run_options.h"

struct provenance;

/* Of RUN, which reads FILES; both must outlive the result. NULL is allowed in all other functions. */
struct provenance *provenance_create(const struct run_options *run, const struct named_files *files);
void provenance_free(struct provenance *provenance);

/* Read the files, when everything has been loaded: what the run refuses for its kind or its length is not read at all.
 * Files that do not exist, and what is no regular file, are left out. False with ERR naming one that cannot be read. */
bool provenance_read(struct provenance *provenance, struct err *err);

/* Add the member "provenance" to STATS, which must not be written after provenance_free(). */
void provenance_register(struct provenance *provenance, struct stats *stats);

#endif
