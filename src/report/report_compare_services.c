#include "src/report/report_compare_services.h"

#include "src/results/service_changes.h"
#include <inttypes.h>
#include <stdlib.h>

enum { PRINTED = 40 };

static void print(const struct service_changes *changes, bool misses, FILE *out)
{
    size_t seen = 0;
    for (size_t i = 0; i < changes->count; i++) {
        const struct service_change *change = &changes->change[i];
        if (change->is_miss != misses || ++seen > PRINTED)
            continue;
        if (seen == 1)
            fprintf(out, "\n%s\n", misses ? "misses of services, by class" : "services");
        fprintf(out, "%-22s %-30s %15" PRId64 " %15" PRId64 "  %c%" PRIu64 "\n", change->service, change->count_name,
                change->before, change->after, change->after > change->before ? '+' : '-', service_change_size(change));
    }
    if (seen > PRINTED)
        fprintf(out, "and %zu more\n", seen - PRINTED);
}

void report_compare_services(const struct results *before, const struct results *after, FILE *out)
{
    struct service_changes changes;
    service_changes_find(&changes, before, after);
    print(&changes, false, out);
    print(&changes, true, out);
    free(changes.change);
}
