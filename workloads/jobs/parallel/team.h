/*
 * A team of threads that runs a program in parallel loops, as a compiler of the Alliant's kind or a programmer's hand divides them:
 * each member has a part of every loop and waits at its end for the others.
 */
#ifndef TEAM_H
#define TEAM_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { MEMBERS = 4 };

static pthread_barrier_t team_barrier;

/* Ends the program, saying WHAT failed. */
static inline void team_die(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* Waits until all members are here. True for one of them. */
static inline int team_wait(void)
{
    return pthread_barrier_wait(&team_barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
}

/* Runs WORK(0) to WORK(MEMBERS - 1) at a time, and returns when all have returned. */
static inline void team_run(void *(*work)(void *))
{
    pthread_t threads[MEMBERS];
    if (pthread_barrier_init(&team_barrier, NULL, MEMBERS) != 0)
        team_die("no barrier");
    for (long i = 0; i < MEMBERS; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
            team_die("no thread");
    for (int i = 0; i < MEMBERS; i++)
        pthread_join(threads[i], NULL);
}

/* An array of COUNT doubles, all 0, in pages of its own: they come one fault at a time, to the thread that is first there. */
static inline double *team_array(size_t count)
{
    void *array = mmap(NULL, count * sizeof(double), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (array == MAP_FAILED)
        team_die("out of memory");
    return array;
}

/* Frees the COUNT doubles at ARRAY, whose pages no CPU may know any more. */
static inline void team_free(double *array, size_t count)
{
    munmap(array, count * sizeof *array);
}

/* A number that depends on every bit of the COUNT doubles at ARRAY. */
static inline unsigned long long team_checksum(const double *array, size_t count)
{
    unsigned long long sum = 14695981039346656037ULL;
    const unsigned char *bytes = (const unsigned char *)array;
    for (size_t i = 0; i < count * sizeof *array; i++)
        sum = (sum ^ bytes[i]) * 1099511628211ULL;
    return sum;
}

#endif
