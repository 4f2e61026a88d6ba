/*
 * State machines (automata) that a script declares and that run in C, without evaluating scripts: one for each
 * processor, each process, or each memory line (SOSP'95 section 2.1.1). Cycles and counts of the processors are charged
 * to the state that the automaton is in; transitions are counted. States of per-processor and per-process automata can
 * be stacked (a pushdown automaton).
 *
 * An event takes the first transition whose event and source state match and whose conditions hold.
 *
 * Automata of lines receive misses, which is cheap, and all loads and stores if a transition needs them: then accesses
 * to the pages in range take the slow path (cpu/privileged/data_watch.h).
 */
#ifndef SIMOS_ANNOTATIONS_AUTOMATA_AUTOMATON_H
#define SIMOS_ANNOTATIONS_AUTOMATA_AUTOMATON_H

#include "annotations/accounts/account.h"
#include "annotations/accounts/events.h"
#include "annotations/accounts/returns.h"
#include "annotations/services/services.h"
#include "src/base/json_writer.h"

enum automaton_per { PER_CPU, PER_PROCESS, PER_LINE };

enum {
    AUTOMATON_NAME = 32,
    AUTOMATON_STATES = 16,
    AUTOMATON_STACK = 16, /* deeper pushes only change the state */
    AUTOMATON_COUNTS = 16,
    AUTOMATON_ANY = 0xff /* state, or "no change" */
};

enum automaton_event {
    WHEN_PC,        /* KEY: before the instruction at this address */
    WHEN_RETURN,    /* the function at KEY has returned */
    WHEN_EXCEPTION, /* KEY: exception code, or UINT32_MAX */
    WHEN_REFILL,    /* a TLB refill */
    WHEN_INTERRUPT, /* KEY: line, or UINT32_MAX */
    WHEN_ERET,
    WHEN_MODE,   /* KEY: enum mode, or UINT32_MAX */
    WHEN_SWITCH, /* context switch; of processes: to this process */
    WHEN_WAIT,
    WHEN_MISS, /* lines: a miss in the outermost cache; KEY: bit of enum miss_class, or all if misses are not classified
                */
    WHEN_LOAD, /* lines: any load, whether it hits or misses; its miss is raised first */
    WHEN_STORE, /* lines: any store */
};

/* Lines: condition on the processor of the line's previous event. */
enum automaton_by { BY_ANY, BY_SAME /* processor */, BY_OTHER };

enum automaton_move { MOVE_GO, MOVE_PUSH, MOVE_POP };

struct automaton_transition {
    enum automaton_event event;
    uint32_t key;
    uint8_t from, to; /* states, or AUTOMATON_ANY */
    enum automaton_move move;
    uint8_t count; /* index in plan.count; AUTOMATON_ANY: none */
    bool of_other; /* PER_PROCESS, WHEN_PC: move the process whose task_struct is in REG, not the current one */
    uint8_t reg;
    struct service_condition condition[SERVICE_CONDITIONS]; /* the transition applies if all hold */
    unsigned conditions;
    enum automaton_by by; /* PER_LINE; the first event of a line counts as BY_OTHER */
};

struct automaton_plan {
    char name[AUTOMATON_NAME];
    enum automaton_per per;
    unsigned states, counts;
    char state[AUTOMATON_STATES][AUTOMATON_NAME]; /* the first is the initial state */
    char count[AUTOMATON_COUNTS][AUTOMATON_NAME];
    unsigned transitions;
    struct automaton_transition *transition; /* owned by the creator of the plan; copied by automata_add() */
    struct automaton_range {                 /* PER_LINE: range of the loads and stores */
        bool by_virtual;
        uint32_t first, last;
    } range;
};

struct automata;

/* Create an empty set of automata. Automata per process, and WHEN_SWITCH, need SERVICES in automata_add(). */
struct automata *automata_create(const struct machine_view *machine, struct events *events, struct returns *returns);
void automata_free(struct automata *automata); /* NULL is ignored */

/* Add an automaton, which starts now. False with ERR if the name exists or something that PLAN needs is missing. */
bool automata_add(struct automata *automata, const struct automaton_plan *plan, struct services *services,
                  struct err *err);
/* Reset all counts and accounts; automata keep their states. */
void automata_reset(struct automata *automata);

/* A figure of state WHAT: entered, time, cycles, insns, members; or, with FIGURE NULL, the count named WHAT. False
 * with ERR if it does not exist: lines have entered and members only, and no members in the first state. */
bool automata_figure(struct automata *automata, const char *name, const char *what, const char *figure, uint64_t *value,
                     struct err *err);

/* Results as text, and as a JSON object. */
bool automata_any(const struct automata *automata);
void automata_print(struct automata *automata, FILE *out);
void automata_write_json(struct automata *automata, struct json_writer *json);

#endif
