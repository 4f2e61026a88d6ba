/*
 * Which files of its series the next one needs (src/run/series.h says by what rule).
 */
#ifndef SIMOS_SERIES_NEEDS_H
#define SIMOS_SERIES_NEEDS_H

#include "checkpoint/series_member.h"

/* File MEMBER->number of the series of SAVED begins: what has changed since the last one becomes its own, and MEMBER's
 * needs are filled in. FILES are the identities of all files before it. */
void series_choose_needs(const struct saved *saved, const struct file_identity *files, struct series_member *member);

#endif
