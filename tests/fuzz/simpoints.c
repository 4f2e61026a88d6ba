/*
 * `simos windows --simpoints`: the files of SimPoint. An input is the text of FILE.simpoints, of FILE.weights and, if
 * there is one, of FILE.labels, with form feeds between them.
 */
#include "src/sweep/simpoints.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct simpoints simpoints;
    struct err err = {""};
    char *text = checked_memory(strndup((const char *)input, size)), *weights = strchr(text, '\f'),
         *labels = weights ? strchr(weights + 1, '\f') : NULL;
    if (weights)
        *weights++ = 0;
    if (labels)
        *labels++ = 0;
    const bool done = simpoints_parse(&simpoints, "x", text, weights ? weights : "", labels, 3, &err);
    fuzz_check(done, &err);
    for (unsigned i = 0; done && i < simpoints.count; i++)
        if (simpoints.chosen[i].stratum >= simpoints.stratum_count ||
            simpoints.chosen[i].interval >= SIMPOINTS_INTERVALS_MAX)
            fuzz_fail("an interval", "belongs to no cluster");
    simpoints_release(&simpoints);
    free(text);
    return 0;
}
