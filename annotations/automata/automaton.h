/*
 * State machines that a script declares and that run here, without asking it: one for each processor, each process, or
 * each line of memory (SOSP'95 section 2.1.1). What processors get while a machine is in a state is charged to the
 * state; transitions are counted. Of those of processors and processes the states may be stacked (a pushdown
 * automaton).
 *
 * An event goes to the first transition that is meant for it, for the state that there is, and whose conditions hold.
 *
 * Lines hear of misses, which is cheap, and of every load and store if a transition asks for them: then accesses to the
 * pages in range take the slow path (cpu/data_watch.h).
 */
#ifndef SIMOS_ANNOTATIONS_AUTOMATON_H
#define SIMOS_ANNOTATIONS_AUTOMATON_H

#include "annotations/accounts/account.h"
#include "annotations/accounts/events.h"
#include "annotations/accounts/returns.h"
#include "annotations/services/services.h"

enum automaton_per { PER_CPU, PER_PROCESS, PER_LINE };

enum {
    AUTOMATON_NAME = 32,
    AUTOMATON_STATES = 16,
    AUTOMATON_STACK = 16, /* deeper ones are not told apart */
    AUTOMATON_COUNTS = 16,
    AUTOMATON_ANY = 0xff /* state, or the one that there is */
};

enum automaton_event {
    WHEN_PC,        /* KEY: before the instruction at this address */
    WHEN_RETURN,    /* the function at KEY has returned */
    WHEN_EXCEPTION, /* KEY: exception code, or UINT32_MAX */
    WHEN_REFILL,    /* of the TLB */
    WHEN_INTERRUPT, /* KEY: line, or UINT32_MAX */
    WHEN_ERET,
    WHEN_MODE,   /* KEY: enum mode, or UINT32_MAX */
    WHEN_SWITCH, /* another process is current; of processes: this one is, from now on */
    WHEN_WAIT,
    WHEN_MISS,  /* of a line, in the outermost cache; KEY: bit of enum miss_class, all if they are not classified */
    WHEN_LOAD,  /* of a line: every load, in whatever cache it hits; a miss that it makes comes first */
    WHEN_STORE, /* ... every store */
};

/* Of lines: whose event before it was. */
enum automaton_by { BY_ANY, BY_SAME /* processor */, BY_OTHER };

enum automaton_move { MOVE_GO, MOVE_PUSH, MOVE_POP };

struct automaton_transition {
    enum automaton_event event;
    uint32_t key;
    uint8_t from, to; /* states, or AUTOMATON_ANY */
    enum automaton_move move;
    uint8_t count; /* index; AUTOMATON_ANY: none */
    bool of_other; /* PER_PROCESS, at WHEN_PC: not the current process, but whose task_struct is in REG */
    uint8_t reg;
    struct service_condition condition[SERVICE_CONDITIONS]; /* all hold */
    unsigned conditions;
    enum automaton_by by; /* PER_LINE; a line's first event is by another processor */
};

struct automaton_plan {
    char name[AUTOMATON_NAME];
    enum automaton_per per;
    unsigned states, counts;
    char state[AUTOMATON_STATES][AUTOMATON_NAME]; /* the first is where all begin */
    char count[AUTOMATON_COUNTS][AUTOMATON_NAME];
    unsigned transitions;
    struct automaton_transition *transition; /* owned by who made it; copied */
    struct automaton_range {                 /* of lines: where loads and stores are heard */
        bool by_virtual;
        uint32_t first, last;
    } range;
};

struct automata;

/* None yet. Of processes, and for WHEN_SWITCH, SERVICES must be there by the time that one is added. */
struct automata *automata_create(const struct subject *subject, struct events *events, struct returns *returns);
void automata_free(struct automata *automata); /* NULL is fine */

/* One more, from now on. False with ERR: there is one of that name, or what it needs is not there. */
bool automata_add(struct automata *automata, const struct automaton_plan *plan, struct services *services,
                  struct err *err);
/* All counts and accounts begin anew; states stay. */
void automata_begin_again(struct automata *automata);

/* A figure of STATE: entered, time, cycles, insns, members; or of a count of that name, with FIGURE NULL. */
bool automata_figure(struct automata *automata, const char *name, const char *what, const char *figure,
                     uint64_t *value);

/* Results. As text; as a JSON object. */
bool automata_any(const struct automata *automata);
void automata_print(struct automata *automata, FILE *out);
void automata_write_json(struct automata *automata, FILE *out);

#endif
