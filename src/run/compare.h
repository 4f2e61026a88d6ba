/*
 * Compares two machines: everything visible to a guest or reported to the user, i.e. the architectural state of all
 * CPUs, time and scheduled events, accounts, caches, statistics, RAM. The machines are built from the same options
 * except the CPU model, and compared between two machine_run().
 *
 * Not compared, because it is not state of the machine: data that models derive from the state (decoded pages,
 * translations, flat tables, page flags); what cpu/privileged/state_compare.h leaves out; sequence numbers of events of
 * the same time (their order is compared); statistics that only one of the models has or that name the model; string
 * statistics.
 */
#ifndef SIMOS_RUN_COMPARE_H
#define SIMOS_RUN_COMPARE_H

#include "src/machine/machine.h"

struct compare;

/* FIRST and SECOND must outlive the result, and no statistics may be registered after this call. Never returns NULL. */
struct compare *compare_create(struct machine *first, struct machine *second);
void compare_free(struct compare *compare);

/* Are they equal, apart from statistics and RAM? Fast: below one microsecond per CPU. */
bool compare_state(const struct compare *compare);
/* Are all statistics equal that both machines have? A few microseconds per CPU. */
bool compare_statistics(const struct compare *compare);

/* Store the first LIMIT differing pages of RAM (physical page numbers) in PAGES; returns their number. Reads all of
 * RAM. */
unsigned compare_memory(const struct compare *compare, uint32_t *pages, unsigned limit);
/* Are these COUNT pages equal? */
bool compare_pages(const struct compare *compare, const uint32_t *pages, unsigned count);

/* Output format of a value. */
enum compare_form { COMPARE_HEX, COMPARE_DECIMAL, COMPARE_FLAG, COMPARE_NAME, COMPARE_NUMBER };

/* One value in both machines. */
struct compare_figure {
    char name[64]; /* "cpu0.v0", "cpu1.Status", "event 3", "RAM 00201f48" */
    enum compare_form form;
    uint64_t value[2];
    double number[2];    /* for COMPARE_NUMBER */
    const char *text[2]; /* for COMPARE_NAME */
    bool differs;
};
typedef void compare_visit(void *opaque, const struct compare_figure *figure);

/* Call VISIT for every value of one CPU; of the machine except its CPUs (time, events); of the statistics. Of large
 * arrays (TLB, cache tags, statistics) only differing values are visited. */
void compare_visit_cpu(const struct compare *compare, unsigned cpu, compare_visit *visit, void *opaque);
void compare_visit_machine(const struct compare *compare, compare_visit *visit, void *opaque);
void compare_visit_statistics(const struct compare *compare, compare_visit *visit, void *opaque);
/* Call VISIT for the words that differ in these pages. */
void compare_visit_pages(const struct compare *compare, const uint32_t *pages, unsigned count, compare_visit *visit,
                         void *opaque);

/* Format the value of machine SIDE (0 or 1). */
void compare_text(const struct compare_figure *figure, unsigned side, char *text, size_t size);

#endif
