/* Internal interface of the automata: automaton.c runs them, automaton_report.c prints the results. */
#ifndef SIMOS_ANNOTATIONS_AUTOMATA_AUTOMATON_STATE_H
#define SIMOS_ANNOTATIONS_AUTOMATA_AUTOMATON_STATE_H

#include "annotations/automata/automaton.h"
#include "cache/classify/miss_observer.h"
#include "src/base/board.h"
#include "src/base/hash_map.h"

/* Automaton instance of a processor or process. */
struct instance {
    unsigned pid; /* of its process */
    cycles since; /* time of entry into its state */
    uint8_t state, depth;
    uint8_t stack[AUTOMATON_STACK];
};

struct on_cpu {
    struct instance own;                /* PER_CPU */
    struct instance *current;           /* instance that is charged: own, or the process's */
    struct account charged[MODE_COUNT]; /* the modes' counters up to which they have been charged */
};

/* A PC hook of an automaton. */
struct automaton_hook {
    struct automaton_hook *next;
    struct automaton *automaton;
    enum automaton_event event; /* WHEN_PC, WHEN_RETURN */
    vaddr address;
};

struct automaton_sum {
    uint64_t entered;
    cycles time; /* sum over the instances of the time in this state */
    struct account account;
};

struct automaton {
    struct automaton *next; /* in order of creation */
    struct automata *all;
    struct automaton_plan plan;
    struct services *services; /* NULL: not available */
    uint32_t events;           /* bit mask of enum automaton_event: events that have transitions */
    struct automaton_hook *places;
    struct automaton_sum sum[AUTOMATON_STATES];
    uint64_t counted[AUTOMATON_COUNTS];
    struct on_cpu cpu[BOARD_MAX_CPUS];
    struct hash_map processes; /* PER_PROCESS: instances by address of the task_struct; their order affects no result */
    uint8_t *line; /* PER_LINE: state of each line (of the outermost cache) of the physical address space; else NULL */
    uint8_t *line_cpu; /* by line: 1 + the processor of the line's last event; NULL: no transition tests it */
    uint64_t line_members[AUTOMATON_STATES]; /* number of lines in a state; not valid for the first */
    unsigned line_shift;
    enum memsys_cache outermost;
    struct miss_observer *miss_observer;
    bool watches_accesses;
};

struct automata {
    const struct machine_view *machine;
    struct events *events;
    struct returns *returns;
    struct services *services; /* set when the first automaton with services is added */
    struct account_plan plan;
    struct automaton *first;
    vaddr task[BOARD_MAX_CPUS]; /* current process of each processor */
    cycles now;                 /* time of the current event */
};

/* Charge everything up to now. */
void automaton_update(struct automaton *automaton);

#endif
