/*
 * Chooses which earlier files of its series a checkpoint needs (the rule is in src/run/series.h).
 */
#ifndef SIMOS_RUN_SERIES_NEEDS_H
#define SIMOS_RUN_SERIES_NEEDS_H

#include "checkpoint/series_member.h"

/* Begin file MEMBER->number of the series of SAVED: assign the pages and blocks that changed since the previous file to
 * it, and fill in MEMBER->needs. FILES: identities of all earlier files. */
void series_choose_dependencies(const struct saved *saved, const struct file_identity *files,
                                struct series_member *member);

#endif
