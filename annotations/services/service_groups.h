/*
 * Services in few groups, for figures of execution over time.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICE_GROUPS_H
#define SIMOS_ANNOTATIONS_SERVICE_GROUPS_H

#include "annotations/services/services.h"

/* A service never changes its group, and what turns out to be another one is of the same group before. */
enum service_group {
    GROUP_USER,
    GROUP_IDLE,
    GROUP_CALLS,      /* system calls */
    GROUP_FAULTS,     /* page faults */
    GROUP_REFILLS,    /* TLB refills */
    GROUP_INTERRUPTS, /* of devices, clocks and processors; soft ones */
    GROUP_DAEMONS,    /* kernel threads outside of any service */
    GROUP_OTHER, /* all other exceptions and services; end of idling, boot, processes before they come to user mode */
    GROUP_COUNT
};

/* What all processors together have got by some moment. */
struct service_groups {
    struct bucket group[GROUP_COUNT];
    struct bucket sync; /* of all that, in routines that take spin locks and give them back */
};

/* "system calls" */
const char *service_group_name(enum service_group group);

/* By now. Between turns. */
void services_sum_groups(struct services *services, struct service_groups *sums);

#endif
