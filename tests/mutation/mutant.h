/*
 * Planted faults: `mutant(n)` is true in a process whose environment has SIMOS_MUTANT=n. plant.py puts these calls into
 * a copy of the sources; no other build has them.
 *
 * With SIMOS_MUTANTS_REACHED=FILE each call is noted: byte n of FILE, which exists, becomes 1. The file is mapped, so
 * the notes outlive a process that is killed.
 */
#ifndef MUTATION_MUTANT_H
#define MUTATION_MUTANT_H

enum { MUTANTS_MAX = 4096 };

extern unsigned mutant_selected;
extern unsigned char *mutant_reached;

static inline int mutant(unsigned number)
{
    mutant_reached[number] = 1;
    return mutant_selected == number;
}

#endif
