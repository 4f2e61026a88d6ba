/*
 * Locks of the operating system: how often each is taken, how often and how long it is waited for, how long it is held
 * (SOSP'95 section 2.1.1 and table 5.4). What a processor gets in routines that take spin locks or give them back is
 * charged to the service as ever, and to the service's part `sync` besides.
 *
 * Rules say which functions take a lock at $a0, wait for it, give it back. A function is left at each of its `jr $ra`,
 * and at each jump to a function that does not wait for the same lock. Where the kernel gives a spin lock back without
 * calling anybody, the place is found by what it looks like (lock_sites.h).
 */
#ifndef SIMOS_ANNOTATIONS_SERVICE_LOCKS_H
#define SIMOS_ANNOTATIONS_SERVICE_LOCKS_H

#include "annotations/symbols/subject.h"
#include <stdio.h>

enum lock_kind {
    LOCK_SPIN,
    LOCK_READ,  /* spinning, with other readers */
    LOCK_WRITE, /* spinning, with nobody */
    LOCK_MUTEX, /* from here on others run meanwhile */
    LOCK_SHARED,
    LOCK_EXCLUSIVE,
    LOCK_SEMAPHORE,
    LOCK_KINDS
};

/* What a function does with the lock that $a0 points at. */
enum lock_action {
    LOCK_TAKES,
    LOCK_TRIES, /* to take it; its result is 0 if it has not */
    LOCK_WAITS, /* for it; called by those that take it. Named before them. */
    LOCK_GIVES
};

struct lock_rule {
    enum lock_kind kind;
    enum lock_action action;
    vaddr first, end; /* the function's addresses */
};

struct services;
struct locks;
struct place;

/* From now on. False if its code cannot be read. */
bool services_add_lock_rule(struct services *services, const struct lock_rule *rule);
/* Spin locks are given back in the code from FIRST to END too, without a call: how many places were found. */
unsigned services_add_lock_releases(struct services *services, vaddr first, vaddr end);
/* Locks below END are variables of the kernel, each one told apart; others are told apart by who takes them. */
void services_set_image_end(struct services *services, vaddr end);

const char *lock_kind_name(enum lock_kind kind);

/* For services.c; NULL is fine. */
void locks_begin_again(struct locks *locks);
void locks_free(struct locks *locks);
/* Results: as text, the first ROWS; as a JSON array. */
void locks_print(const struct services *services, unsigned rows, FILE *out);
void locks_write_json(const struct services *services, FILE *out);

/* Inside of the accounting of services */

/* A lock that somebody has. */
struct lock_held {
    vaddr lock;
    unsigned entry; /* in the table of locks */
    cycles since;
    vaddr caller; /* where it was taken */
};

/* Waiting for a lock while others may run. */
struct lock_wait {
    vaddr lock;
    unsigned entry;
    bool waits;
    cycles since;
    vaddr tries, caller; /* whether it gets that lock is not known yet; who asks. 0: nothing is tried */
};

enum { TASK_HELD_MAX = 8, PLACE_HELD_MAX = 16 };

#endif
