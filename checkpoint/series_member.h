/*
 * What a file of a series says of itself: its section `series`, a text.
 *
 *     number 3            it is 0003.ckpt in the folder
 *     every 1000000       instructions from one file to the next
 *     insns 4711000000    instructions since power-on, over all CPUs
 *     needs 0 SIZE SHA256 a file of the same folder that holds pages or blocks of this one's machine; the oldest first
 *     needs 2 SIZE SHA256
 *
 * Number 0 needs none and holds everything. Who reads a file may have been given anything.
 */
#ifndef SIMOS_SERIES_MEMBER_H
#define SIMOS_SERIES_MEMBER_H

#include "checkpoint/checkpoint.h"
#include "src/base/file_identity.h"

enum {
    SERIES_FILES_MAX = 100000, /* of a series */
    SERIES_NEEDS_MAX = 16,     /* files that one needs: a bound on what a restore reads */
};

struct series_need {
    uint32_t number;
    struct file_identity identity;
};

struct series_member {
    uint32_t number;
    uint64_t every, insns;
    unsigned need_count;
    struct series_need needs[SERIES_NEEDS_MAX]; /* ascending; the first is number 0 */
};

/* FOLDER/NUMBER.ckpt, to be freed. */
char *series_path(const char *folder, uint32_t number);

/* The text of MEMBER, to be freed. */
char *series_member_text(const struct series_member *member);
/* MEMBER from TEXT. False with ERR saying what is wrong with it. */
bool series_member_parse(struct series_member *member, const char *text, struct err *err);

/* Is CHECKPOINT a file of a series? */
bool series_has_member(const struct checkpoint *checkpoint);
/* What it says of itself. False with ERR naming the file. */
bool series_member_read(struct series_member *member, struct checkpoint *checkpoint, struct err *err);

/* Load into SAVED what CHECKPOINT needs of other files, before CHECKPOINT itself; TERMS->over becomes true if there is
 * any. Each must be the very file that it was. False with ERR naming the one that is not. */
bool series_load_needs(struct checkpoint *checkpoint, struct saved *saved, struct saved_terms *terms, struct err *err);

#endif
