/* Services in a few groups, for charts of execution over time. */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_GROUPS_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_GROUPS_H

#include "annotations/services/services.h"

/* A service never changes its group. Reclassification of a frame (RULE_RECLASSIFY) stays within the group. */
enum service_group {
    GROUP_USER,
    GROUP_IDLE,
    GROUP_CALLS,      /* system calls */
    GROUP_FAULTS,     /* page faults */
    GROUP_REFILLS,    /* TLB refills */
    GROUP_INTERRUPTS, /* of devices, timers and other processors; software interrupts */
    GROUP_DAEMONS,    /* kernel threads outside of any service */
    GROUP_OTHER,      /* other exceptions and services; END IDLE, BOOT, NEW TASK */
    GROUP_COUNT
};

/* Totals over all processors. */
struct service_groups {
    struct bucket group[GROUP_COUNT];
    struct bucket sync; /* the part of the above that was spent in spin-lock routines */
};

/* Name of GROUP, as "system calls". */
const char *service_group_name(enum service_group group);

/* Totals up to now. Between turns. */
void services_sum_groups(struct services *services, struct service_groups *sums);

#endif
