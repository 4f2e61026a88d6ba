/*
 * The section `series` of a checkpoint that belongs to a series. It is text:
 *
 *     number 3            the file is 0003.ckpt in the folder
 *     every 1000000       interval between checkpoints, in instructions
 *     insns 4711000000    instructions since power-on, over all CPUs
 *     needs 0 SIZE SHA256 another file of the folder, which holds pages or blocks of this state; ascending
 *     needs 2 SIZE SHA256
 *
 * File 0 needs no other and holds the complete state. The parser treats the text as untrusted input.
 */
#ifndef SIMOS_CHECKPOINT_SERIES_MEMBER_H
#define SIMOS_CHECKPOINT_SERIES_MEMBER_H

#include "checkpoint/checkpoint.h"
#include "src/base/file_identity.h"

enum {
    SERIES_FILES_MAX = 100000,    /* files of a series */
    SERIES_DEPENDENCIES_MAX = 16, /* files that one file may need: the bound on what a restore reads */
};

struct series_dependency {
    uint32_t number;
    struct file_identity identity;
};

struct series_member {
    uint32_t number;
    uint64_t every, insns;
    unsigned need_count;
    struct series_dependency needs[SERIES_DEPENDENCIES_MAX]; /* in ascending order; the first is number 0 */
};

/* FOLDER/NUMBER.ckpt; the caller frees it. */
char *series_path(const char *folder, uint32_t number);

/* Is NAME, without folders, that of a series_path()? */
bool series_is_member_name(const char *name);

/* Format MEMBER as text; the caller frees it. */
char *series_member_text(const struct series_member *member);
/* Parse TEXT into MEMBER. Returns false with ERR if it is invalid. */
bool series_member_parse(struct series_member *member, const char *text, struct err *err);

/* Does CHECKPOINT belong to a series? */
bool series_has_member(const struct checkpoint *checkpoint);
/* Read the section `series` of CHECKPOINT. Returns false with ERR naming the file. */
bool series_member_read(struct series_member *member, struct checkpoint *checkpoint, struct err *err);

/* Load into SAVED the parts of CHECKPOINT that other files of its series hold; call before loading CHECKPOINT itself.
 * Sets TERMS->over if there are such files. Each file must have the recorded size and digest. Returns false with ERR
 * naming the one that differs or cannot be read. */
bool series_load_dependencies(struct checkpoint *checkpoint, struct saved *saved, struct saved_terms *terms,
                              struct err *err);

#endif
