/*
 * Writing a record: everything that a run depends on and is not in it, so that src/replay.h can give it again. The form
 * of the file is docs/how-to/record-replay.md's.
 *
 * The head of a machine (what it is made of, its files) is kept back until it runs, so that a run that does not come
 * about leaves a file that was there alone. From then on every line is written at once: what a run that was killed has
 * taken in is there.
 */
#ifndef SIMOS_RECORD_H
#define SIMOS_RECORD_H

#include "src/file_identity.h"
#include "src/log.h"
#include "src/machine.h"
#include "src/record_format.h"

struct record;

/* To the file PATH, which can be written. NULL with ERR if it cannot. */
struct record *record_create(const char *path, struct err *err);
/* Complete it. False with ERR if something could not be written. NULL is allowed. */
bool record_close(struct record *record, struct err *err);

/* Runs of its machines end after SECONDS (0: no limit) and INSNS (UINT64_MAX: none). */
void record_limit(struct record *record, double seconds, uint64_t insns);

/* The head of a machine: it is made from OPTIONS. */
void record_machine(struct record *record, const struct machine_options *options);
/* Its file for ROLE (the parameter that names it), found at PATH. */
void record_file(struct record *record, const char *role, const struct file_identity *identity, const char *path);
/* It is about to run. */
void record_begin(struct record *record);

/* A moment of a run. */
struct record_moment {
    cycles time;    /* machine->now */
    uint64_t insns; /* machine_insns() */
    enum record_place place;
};

/* COUNT bytes of the input SOURCE; the end wanted from outside, with a reason; nothing, but the run has got there; the
 * machine is no more, nothing else will come. */
void record_input(struct record *record, const struct record_moment *moment, const char *source, const void *bytes,
                  size_t count);
void record_stop(struct record *record, const struct record_moment *moment, unsigned reason);
void record_time(struct record *record, const struct record_moment *moment);
void record_end(struct record *record, const struct record_moment *moment);

/* Could something not be written? Then the record is of no use: ERR says why. */
bool record_failed(const struct record *record, struct err *err);

#endif
