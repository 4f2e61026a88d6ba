/* Inside of automata: what their files share. automaton.c runs them, automaton_report.c has the results. */
#ifndef SIMOS_ANNOTATIONS_AUTOMATON_STATE_H
#define SIMOS_ANNOTATIONS_AUTOMATON_STATE_H

#include "annotations/automata/automaton.h"
#include "cache/classify/miss_watch.h"
#include "src/base/board.h"

enum { PROCESS_SLOTS = 1 << 10 };

/* A machine of a processor or process. */
struct instance {
    struct instance *next; /* of those in a slot */
    vaddr task;
    unsigned pid;
    cycles since; /* it is in its state */
    uint8_t state, depth;
    uint8_t stack[AUTOMATON_STACK];
};

struct on_cpu {
    struct instance own;                /* per processor */
    struct instance *current;           /* that, or the process' */
    struct account charged[MODE_COUNT]; /* of the modes' figures, up to where it has been */
};

/* Where in the code something happens. */
struct automaton_place {
    struct automaton_place *next;
    struct automaton *automaton;
    enum automaton_event event; /* WHEN_PC, WHEN_RETURN */
    vaddr address;
};

struct automaton_sum {
    uint64_t entered;
    cycles time; /* that machines have been in it */
    struct account account;
};

struct automaton {
    struct automaton *next; /* in the order in which they were added */
    struct automata *all;
    struct automaton_plan plan;
    struct services *services; /* NULL: not needed */
    uint32_t events;           /* bit N: a transition is of enum automaton_event N */
    struct automaton_place *places;
    struct automaton_sum sum[AUTOMATON_STATES];
    uint64_t counted[AUTOMATON_COUNTS];
    struct on_cpu cpu[BOARD_MAX_CPUS];
    struct instance *process[PROCESS_SLOTS]; /* by the address of the task_struct */
    uint8_t *line;     /* state by line, of the outermost cache, of the physical address space; NULL: of others */
    uint8_t *line_cpu; /* by line: 1 + the processor of its last event; NULL: nobody asks */
    uint64_t line_members[AUTOMATON_STATES]; /* lines that are in a state, but for the first one */
    unsigned line_shift;
    enum memsys_cache outermost;
    struct miss_watch *miss_watch;
    bool watches_accesses;
};

struct automata {
    const struct subject *subject;
    struct events *events;
    struct returns *returns;
    struct services *services; /* once one has needed them */
    struct account_plan plan;
    struct automaton *first;
    vaddr task[BOARD_MAX_CPUS]; /* that was current */
    cycles now;                 /* of the event at work */
};

/* All figures up to the present. */
void automaton_settle(struct automaton *automaton);

#endif
