#include "annotations/services/service_watch.h"

#include "annotations/services/services_state.h"

void services_watch(struct services *services, service_watch_fn *call, void *opaque)
{
    if (services->watcher_count == SERVICE_WATCHERS)
        log_bug("more than %d observers of services", SERVICE_WATCHERS);
    services->watcher[services->watcher_count++] = (struct service_watcher){call, opaque};
}

void services_unwatch(struct services *services, service_watch_fn *call, const void *opaque)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < services->watcher_count; i++)
        if (services->watcher[i].call != call || services->watcher[i].opaque != opaque)
            services->watcher[kept++] = services->watcher[i];
    services->watcher_count = kept;
}

void service_notify(struct service_cpu *percpu)
{
    const struct services *services = percpu->services;
    for (unsigned i = 0; i < services->watcher_count; i++)
        services->watcher[i].call(services->watcher[i].opaque, percpu->core);
}
