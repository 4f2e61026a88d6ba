/*
 * Checkpoints: a file with all state of a machine that is registered as saved (src/base/saved.h), and texts that
 * describe the machine. The format is described in docs/how-to/checkpoints.md and checkpoint/format.h.
 *
 * The file is not trusted: checkpoint_open() reads it whole and verifies its structure and every checksum before any
 * value is used, and no memory is allocated for a length that the file only claims.
 *
 *     checkpoint_save("boot.ckpt", saved, texts, count, &err);
 *
 *     checkpoint = checkpoint_open("boot.ckpt", &err);
 *     parameters = checkpoint_text(checkpoint, "parameters", &err);
 *     checkpoint_load(checkpoint, saved, &terms, &err);
 *     checkpoint_close(checkpoint);
 */
#ifndef SIMOS_CHECKPOINT_CHECKPOINT_H
#define SIMOS_CHECKPOINT_CHECKPOINT_H

#include "src/base/saved.h"
#include <stdio.h>

enum {
    CHECKPOINT_FORMAT = 1, /* version of the file format */
    CHECKPOINT_BOARD = 1,  /* version of the guest-visible board: addresses, interrupts, CPU (src/base/board.h) */
    CHECKPOINT_SECTIONS_MAX = 1024,
    CHECKPOINT_TEXT_MAX = 1 << 20,
};

/* A text section, describing the machine. NAME is as in struct saved_section. */
struct checkpoint_text {
    const char *name, *text;
};

/* Write TEXTS, and then all sections in SAVED, to PATH. A temporary file beside it is renamed, so that on failure,
 * or if the process is killed, the previous file remains. False with ERR: path and reason. */
bool checkpoint_save(const char *path, const struct saved *saved, const struct checkpoint_text *texts, size_t count,
                     struct err *err);

/* The same for a file of a series: of sections with parts (struct saved_parts), only the parts that belong to this
 * file. */
bool checkpoint_save_part(const char *path, const struct saved *saved, const struct checkpoint_text *texts,
                          size_t count, struct err *err);

struct checkpoint;

/* A section of a checkpoint. */
struct checkpoint_section {
    char name[SAVED_NAME_MAX + 1];
    uint32_t version; /* 0: a text section */
    bool timing;      /* timing state, loaded into an identical machine only */
    uint64_t size;    /* uncompressed, bytes */
    uint64_t stored;  /* compressed, bytes */
};

/* Open and verify the file at PATH. NULL with ERR: path, section and reason. */
struct checkpoint *checkpoint_open(const char *path, struct err *err);
/* Has the file at PATH the header of a checkpoint? Nothing else of it is read. False with ERR. */
bool checkpoint_is(const char *path, struct err *err);
void checkpoint_close(struct checkpoint *checkpoint); /* NULL is ignored */
const char *checkpoint_path(const struct checkpoint *checkpoint);

/* Section INDEX in file order, from 0; NULL after the last. */
const struct checkpoint_section *checkpoint_section_at(const struct checkpoint *checkpoint, size_t index);

/* True if there is a section NAME. */
bool checkpoint_has(const struct checkpoint *checkpoint, const char *name);

/* The text NAME, to be freed by the caller. NULL with ERR if it is missing, or not a text of up to
 * CHECKPOINT_TEXT_MAX bytes. */
char *checkpoint_text(struct checkpoint *checkpoint, const char *name, struct err *err);

/* Load the machine's state in SAVED from the file, according to TERMS. The sections of both must be the same, in the
 * same order; timing sections, on either side, are skipped unless TERMS say that the machines are identical. False
 * with ERR: section and reason; the machine must not be used then. */
bool checkpoint_load(struct checkpoint *checkpoint, struct saved *saved, const struct saved_terms *terms,
                     struct err *err);

/* Load only the sections with parts, from a file of a series that a later one depends on; the oldest file first. */
bool checkpoint_load_parts(struct checkpoint *checkpoint, struct saved *saved, const struct saved_terms *terms,
                           struct err *err);

/* Print one line for each section, and with FIELDS the table of its fields. */
bool checkpoint_print(struct checkpoint *checkpoint, bool fields, FILE *out, struct err *err);

#endif
