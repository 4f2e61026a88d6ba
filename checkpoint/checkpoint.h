/*
 * Checkpoints: the file that holds everything of a machine that registered as saved (src/saved.h), with texts that say
 * what it is of. The format is in docs/how-to/checkpoints.md and checkpoint/format.h.
 *
 * A reader takes nothing for granted: checkpoint_open() reads the whole file once and verifies its structure and every
 * checksum before anybody looks at a value; nothing is allocated for a length that the file claims.
 *
 *     checkpoint_save("boot.ckpt", saved, texts, count, &err);
 *
 *     checkpoint = checkpoint_open("boot.ckpt", &err);
 *     parameters = checkpoint_text(checkpoint, "parameters", &err);
 *     checkpoint_load(checkpoint, saved, &terms, &err);
 *     checkpoint_close(checkpoint);
 */
#ifndef SIMOS_CHECKPOINT_H
#define SIMOS_CHECKPOINT_H

#include "src/saved.h"
#include <stdio.h>

enum {
    CHECKPOINT_FORMAT = 1, /* of the file */
    CHECKPOINT_BOARD = 1,  /* what the guest sees: addresses, interrupts, CPU (src/board.h) */
    CHECKPOINT_SECTIONS_MAX = 1024,
    CHECKPOINT_TEXT_MAX = 1 << 20,
};

/* A section that is a text: what the machine was made from. NAME as in struct saved_section. */
struct checkpoint_text {
    const char *name, *text;
};

/* Write everything in SAVED, and before it TEXTS, to PATH: a temporary file beside it is renamed, so that a failure, or
 * an end of the process, leaves what was there. ERR names the path and the reason. */
bool checkpoint_save(const char *path, const struct saved *saved, const struct checkpoint_text *texts, size_t count,
                     struct err *err);

/* The same of a file of a series: of a section with parts (struct saved_parts) only what is this file's own. */
bool checkpoint_save_part(const char *path, const struct saved *saved, const struct checkpoint_text *texts,
                          size_t count, struct err *err);

struct checkpoint;

/* What a file holds. */
struct checkpoint_section {
    char name[SAVED_NAME_MAX + 1];
    uint32_t version; /* 0: a text */
    bool timing;      /* for the same machine only */
    uint64_t size;    /* bytes */
    uint64_t stored;  /* the same compressed, in the file */
};

/* Open and verify the file at PATH. NULL with ERR: the path, the section, and what is wrong with it. */
struct checkpoint *checkpoint_open(const char *path, struct err *err);
void checkpoint_close(struct checkpoint *checkpoint); /* NULL is allowed */
const char *checkpoint_path(const struct checkpoint *checkpoint);

/* The sections in the order of the file: INDEX from 0, NULL at the end. */
const struct checkpoint_section *checkpoint_section_at(const struct checkpoint *checkpoint, size_t index);

/* Is there a section NAME? */
bool checkpoint_has(const struct checkpoint *checkpoint, const char *name);

/* The text NAME, to be freed. NULL with ERR if there is none, or it is not text of up to CHECKPOINT_TEXT_MAX bytes. */
char *checkpoint_text(struct checkpoint *checkpoint, const char *name, struct err *err);

/* Fill what is in SAVED from the file, as TERMS say. The file must have exactly these sections, in this order; those of
 * timing, on either side, count for the same machine only. False
 * with ERR naming the section and what is wrong: the machine is of no further use then. */
bool checkpoint_load(struct checkpoint *checkpoint, struct saved *saved, const struct saved_terms *terms,
                     struct err *err);

/* Only the sections with parts, from a file of a series that a later one draws on: the oldest first. */
bool checkpoint_load_parts(struct checkpoint *checkpoint, struct saved *saved, const struct saved_terms *terms,
                           struct err *err);

/* Print what is inside: a line a section, and with FIELDS the table of each. */
bool checkpoint_print(struct checkpoint *checkpoint, bool fields, FILE *out, struct err *err);

#endif
