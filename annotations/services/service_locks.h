/*
 * Locks of the operating system: how often each is acquired, how often and how long it is waited for, and how long it
 * is held (SOSP'95 section 2.1.1 and table 5.4). Charges made in routines that acquire or release spin locks are also
 * counted in the service's part `sync`.
 *
 * Rules name the functions that acquire, wait for or release the lock that $a0 points at. A function exits at each
 * `jr $ra`, and at each jump to a function that does not wait for the same lock. Inlined releases of spin locks are
 * found by their instruction sequence (lock_code.h).
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_LOCKS_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_LOCKS_H

#include "annotations/services/lock_table.h"

/* What a function does with the lock that $a0 points at. */
enum lock_action {
    LOCK_ACQUIRE,   /* acquire */
    LOCK_TRY,       /* trylock; the result is 0 if it was not acquired */
    LOCK_SLOW_PATH, /* slow path, called by functions that acquire; its rules must be added before theirs */
    LOCK_RELEASE    /* release */
};

struct lock_rule {
    enum lock_kind kind;
    enum lock_action action;
    vaddr first, end; /* the function's addresses */
};

struct services;
struct locks;

/* Apply RULE from now on. False if the function's code cannot be read or an exit is needed and none was found. */
bool services_add_lock_rule(struct services *services, const struct lock_rule *rule);
/* Find inlined releases of spin locks in the code from FIRST to END, and hook them. Returns the number of spin-lock
 * releases found. */
unsigned services_add_lock_releases(struct services *services, vaddr first, vaddr end);
/* Locks below END are static kernel variables, distinguished by address; others are distinguished by their callers. */
void services_set_image_end(struct services *services, vaddr end);

/* The number of the lock that SYNC, which waits, is for; and the name of the lock of that number. There are lock rules.
 */
struct sync;
unsigned services_lock_waited_for(struct services *services, const struct sync *sync);
void services_lock_text(const struct services *services, unsigned lock, char *text, size_t size);

/* NULL is ignored. */
void locks_reset(struct locks *locks);
void locks_free(struct locks *locks);
/* Print the first ROWS locks; write all as a JSON array. */
void locks_print(const struct services *services, unsigned rows, FILE *out);
void locks_write_json(const struct services *services, struct json_writer *json);

#endif
