/* Names: of services, of the services of system calls, and of counters. */
#include "annotations/services/service_names.h"

#include "annotations/services/services_state.h"

#include <string.h>

static const char fixed_names[SERVICE_FIXED_COUNT][SERVICE_NAME] = {
    [SERVICE_USER] = "USER",
    [SERVICE_IDLE] = "IDLE",
    [SERVICE_END_IDLE] = "END IDLE",
    [SERVICE_BOOT] = "BOOT",
    [SERVICE_DAEMONS] = "DAEMONS",
    [SERVICE_NEW_TASK] = "NEW TASK",
    [SERVICE_UTLB] = "UTLB",
    [SERVICE_KTLB] = "KTLB",
    [SERVICE_DBL_FAULT] = "DBL FAULT",
    [SERVICE_PFAULT] = "PFAULT",
    [SERVICE_INTERRUPT] = "OTHER INT",
    [SERVICE_ADDRESS] = "ADDRESS ERROR",
    [SERVICE_BUS] = "BUS ERROR",
    [SERVICE_BREAK] = "BREAK",
    [SERVICE_RESERVED] = "RESERVED INSN",
    [SERVICE_CPU_FAULT] = "FPU UNUSABLE",
    [SERVICE_ARITHMETIC] = "ARITHMETIC",
    [SERVICE_OTHER] = "OTHER EXCEPTION",
};

void service_names_init(struct services *services)
{
    memcpy(services->name, fixed_names, sizeof fixed_names);
    services->count = SERVICE_FIXED_COUNT;
}

unsigned service_named(const struct services *services, const char *name)
{
    unsigned service = 0;
    while (service < services->count && strcmp(services->name[service], name) != 0)
        service++;
    return service;
}

unsigned services_find(struct services *services, const char *name)
{
    char cut[SERVICE_NAME];
    snprintf(cut, sizeof cut, "%s", name);
    unsigned service = service_named(services, cut);
    if (service < services->count || service == SERVICES_MAX)
        return service;
    memcpy(services->name[service], cut, sizeof cut);
    services->count++;
    return service;
}

const char *services_name(const struct services *services, unsigned service)
{
    return services->name[service];
}

bool services_name_call(struct services *services, uint32_t number, const char *name)
{
    uint32_t index = number - SYSCALL_BASE;
    unsigned service = index < SYSCALLS_MAX ? services_find(services, name) : SERVICES_MAX;
    if (service == SERVICES_MAX)
        return false;
    services->call[index] = (uint16_t)service;
    return true;
}

/* CPU events */

unsigned service_of_call(struct services *services, uint32_t number)
{
    char name[SERVICE_NAME];
    uint32_t index = number - SYSCALL_BASE;
    if (index >= SYSCALLS_MAX) {
        unsigned service = services_find(services, "no system call");
        return service < SERVICES_MAX ? service : SERVICE_OTHER;
    }
    if (services->call[index] == 0) {
        snprintf(name, sizeof name, "system call %u", number);
        unsigned service = services_find(services, name);
        services->call[index] = (uint16_t)(service < SERVICES_MAX ? service : SERVICE_OTHER);
    }
    return services->call[index];
}

uint64_t *services_counter(struct services *services, const char *name)
{
    char cut[SERVICE_NAME];
    snprintf(cut, sizeof cut, "%s", name);
    unsigned i = 0;
    while (i < services->counter_count && strcmp(services->counters[i].name, cut) != 0)
        i++;
    if (i == COUNTERS_MAX)
        return NULL;
    if (i == services->counter_count) {
        memcpy(services->counters[i].name, cut, sizeof cut);
        services->counter_count++;
    }
    return &services->counters[i].value;
}
