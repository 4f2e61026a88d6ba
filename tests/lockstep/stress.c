/*
 * stress SCALE [PART...]: execute all parts, or those named; SCALE multiplies the rounds of each.
 */
#include "stress.h"

#include <string.h>

/* Rounds at scale 1: some million instructions per part. */
static const struct {
    const char *name;
    stress_part *run;
    unsigned rounds;
} parts[] = {
    {"integer", stress_integer, 60},
    {"calls", stress_calls, 8},
    {"strings", stress_strings, 12},
    {"float_bits", stress_float_bits, 4000},
    {"float_modes", stress_float_modes, 80},
    {"float_traps", stress_float_traps, 60},
    {"libm", stress_libm, 400},
    {"pages", stress_pages, 20},
    {"copies", stress_copies, 6},
    {"faults", stress_faults, 60},
    {"walk", stress_walk, 10},
    {"patches", stress_patches, 400},
    {"aliases", stress_aliases, 200},
    {"generated", stress_generated, 30},
    {"unaligned", stress_unaligned, 60},
    {"signals", stress_signals, 100},
    {"timers", stress_timers, 2},
    {"forks", stress_forks, 6},
    {"pipes", stress_pipes, 4},
    {"files", stress_files, 4},
    {"exec", stress_exec, 1},
    {"locks", stress_locks, 150},
    {"linked", stress_linked, 2000},
    {"condition", stress_condition, 60},
    {"local", stress_local, 4},
};

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--child") == 0) /* started by stress_exec() */
        return atoi(argv[2]) ^ 0x55;
    unsigned scale = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        bool wanted = argc <= 2;
        for (int word = 2; word < argc; word++)
            wanted |= strcmp(argv[word], parts[i].name) == 0;
        if (wanted)
            printf("%s %08x\n", parts[i].name, parts[i].run(parts[i].rounds * scale));
    }
    return 0;
}
