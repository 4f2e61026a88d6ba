/*
 * Results: event rates, services, processes.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_REPORT_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_REPORT_H

#include "annotations/services/service_types.h"
#include "src/base/json_writer.h"
#include <stdio.h>

/* Print event rates (tables 4.2 and 5.2), services (tables 4.8 and 5.4) and processes; settles first. */
void services_print(struct services *services, FILE *out);
/* The same as members of a JSON object, indented by four, without the enclosing braces. */
void services_write_json(struct services *services, struct json_writer *json);

#endif
