/* What each instruction cost: its misses and stalls, and its executions, from the two profiles that count them. */
#include "src/observe/profile.h"

#include "annotations/tcl/annotate.h"
#include <stdlib.h>

bool profile_insns_read(struct profile_insns *insns, const struct machine *machine, const char *path, struct err *err)
{
    *insns = (struct profile_insns){.machine = machine, .classify = memsys_classification(machine->memsys)};
    if (!insns->classify && !machine->execution_profile)
        return err_set(err, "profile %.256s: there are neither caches nor executions to profile", path);
    if (insns->classify)
        insns->missed = classify_profile(insns->classify, CLASSIFY_BY_PC, &insns->missed_count);
    insns->executed = profile_instructions(machine, (1u << MODE_COUNT) - 1, &insns->executed_count);
    return true;
}

void profile_insns_free(struct profile_insns *insns)
{
    free(insns->missed);
    free(insns->executed);
}

/* The two profiles are merged by their keys. */
bool profile_insns_next(const struct profile_insns *insns, struct profile_insn *insn)
{
    static const struct classify_profile_entry none;
    const size_t missed = insn->missed_read, executed = insn->executed_read;
    const bool any_missed = missed < insns->missed_count, any_executed = executed < insns->executed_count;
    if (!any_missed && !any_executed)
        return false;
    const uint64_t missed_key = any_missed ? insns->missed[missed].key : UINT64_MAX,
                   executed_key = any_executed ? insns->executed[executed].key : UINT64_MAX;
    const bool has_missed = missed_key <= executed_key, has_executed = executed_key <= missed_key;
    *insn = (struct profile_insn){.key = has_missed ? missed_key : executed_key,
                                  .costs = has_missed ? &insns->missed[missed] : &none,
                                  .executions = has_executed ? insns->executed[executed].count : 0,
                                  .missed_read = missed + has_missed,
                                  .executed_read = executed + has_executed};
    return true;
}

unsigned profile_insns_caches(const struct profile_insns *insns)
{
    unsigned count = 0;
    while (insns->classify && count < CLASSIFY_CACHES_MAX && classify_cache_name(insns->classify, count))
        count++;
    return count;
}

const char *profile_object(const struct machine *machine, uint64_t key, char name[PROFILE_NAME])
{
    const char *object = annotate_profile_object(machine->annotate, key);
    if (key >> 32)
        snprintf(name, PROFILE_NAME, "process %u", (unsigned)(key >> 32) - 1);
    else
        snprintf(name, PROFILE_NAME, "kernel");
    return object ? object : name;
}
