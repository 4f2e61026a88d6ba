/*
 * Are two machines the same? Everything that a guest can see or a user is told: the architectural state of all CPUs,
 * time and what is scheduled, accounts, caches, statistics, RAM. The two are made from the same options but
 * for the CPU model, and stand between two machine_run().
 *
 * Not compared, because it is no part of what a machine is: what models derive from the state (decoded pages,
 * translations, flat tables, page flags); the place where writes to $zero go (GPR_SINK); branch_target outside of delay
 * slots and ll_address without a link, which mean nothing then; the numbers by which the event queue orders events of
 * the same time (their order is compared); statistics that only one of the models has or that tell which model ran;
 * texts among the statistics.
 */
#ifndef SIMOS_COMPARE_H
#define SIMOS_COMPARE_H

#include "src/machine/machine.h"

struct compare;

/* FIRST and SECOND must outlive it; nothing may be registered in their statistics any more. Never NULL. */
struct compare *compare_create(struct machine *first, struct machine *second);
void compare_free(struct compare *compare);

/* Are they the same in everything but statistics and RAM? Cheap: below a microsecond a CPU. */
bool compare_state(const struct compare *compare);
/* All statistics that both have, exactly. A few microseconds a CPU. */
bool compare_statistics(const struct compare *compare);

/* Fill PAGES with the first LIMIT pages of RAM (physical page numbers) that differ; returns how many those are. Reads
 * all of RAM. */
unsigned compare_memory(const struct compare *compare, uint32_t *pages, unsigned limit);
/* Are these COUNT pages the same? */
bool compare_pages(const struct compare *compare, const uint32_t *pages, unsigned count);

/* How a figure is written. */
enum compare_form { COMPARE_HEX, COMPARE_DECIMAL, COMPARE_FLAG, COMPARE_NAME, COMPARE_NUMBER };

/* One figure of both. */
struct compare_figure {
    char name[64]; /* "cpu0.v0", "cpu1.Status", "event 3", "RAM 00201f48" */
    enum compare_form form;
    uint64_t value[2];
    double number[2];    /* COMPARE_NUMBER */
    const char *text[2]; /* COMPARE_NAME */
    bool differs;
};
typedef void compare_visit(void *opaque, const struct compare_figure *figure);

/* Call VISIT with every figure: of CPU; of the machine but its CPUs (time, events); of the statistics. Of long arrays
 * (TLB, tags, statistics) only what differs. */
void compare_visit_cpu(const struct compare *compare, unsigned cpu, compare_visit *visit, void *opaque);
void compare_visit_machine(const struct compare *compare, compare_visit *visit, void *opaque);
void compare_visit_statistics(const struct compare *compare, compare_visit *visit, void *opaque);
/* The words that differ on these pages. */
void compare_visit_pages(const struct compare *compare, const uint32_t *pages, unsigned count, compare_visit *visit,
                         void *opaque);

/* FIGURE's value in machine SIDE (0 or 1) as text. */
void compare_text(const struct compare_figure *figure, unsigned side, char *text, size_t size);

#endif
