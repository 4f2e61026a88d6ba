/* Threads that contend for shared data. */
#define _GNU_SOURCE
#include "stress.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { THREADS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned locked_count, turn, rounds_wanted;
static atomic_uint counted, flags;
static _Atomic uint8_t bytes_counted[4];
static _Thread_local uint32_t own[16];
static uint32_t results[THREADS];

static void run(void *(*body)(void *))
{
    pthread_t thread[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&thread[i], NULL, body, (void *)i) == 0);
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
}

static void *take_lock(void *argument)
{
    for (unsigned i = 0; i < rounds_wanted; i++) {
        pthread_mutex_lock(&lock);
        unsigned seen = locked_count;
        if (i % 16 == (uintptr_t)argument)
            sched_yield();
        locked_count = seen + 1;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

uint32_t stress_locks(unsigned rounds)
{
    rounds_wanted = rounds;
    locked_count = 0;
    run(take_lock);
    CHECK(locked_count == rounds * THREADS);
    return locked_count;
}

/* ll and sc on words and, with masks, on bytes. */
static void *count_linked(void *argument)
{
    unsigned self = (unsigned)(uintptr_t)argument;
    for (unsigned i = 0; i < rounds_wanted; i++) {
        atomic_fetch_add(&counted, 1);
        atomic_fetch_xor(&flags, 1u << (self + i % 3));
        atomic_fetch_add(&bytes_counted[(self + i) % 4], 3);
        uint32_t expected = atomic_load(&flags);
        while (!atomic_compare_exchange_weak(&flags, &expected, expected ^ 1u << (self + i % 3)))
            ;
    }
    return NULL;
}

uint32_t stress_linked(unsigned rounds)
{
    unsigned bytes = 0;
    rounds_wanted = rounds;
    counted = flags = 0;
    for (unsigned i = 0; i < 4; i++)
        bytes_counted[i] = 0;
    run(count_linked);
    CHECK(counted == rounds * THREADS && flags == 0);
    for (unsigned i = 0; i < 4; i++)
        bytes += bytes_counted[i];
    CHECK((uint8_t)bytes == (uint8_t)(3 * rounds * THREADS));
    return counted;
}

static void *wait_turn(void *argument)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < rounds_wanted; i++) {
        pthread_mutex_lock(&lock);
        while (turn % THREADS != (uintptr_t)argument)
            pthread_cond_wait(&changed, &lock);
        sum = stress_mix(sum, turn++);
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    results[(uintptr_t)argument] = sum;
    return NULL;
}

uint32_t stress_condition(unsigned rounds)
{
    rounds_wanted = rounds;
    turn = 0;
    run(wait_turn);
    return results[0] ^ results[1] ^ results[2] ^ results[3];
}

/* Thread-private data and floating-point registers. */
static void *keep_own(void *argument)
{
    uint32_t seed = (uint32_t)(uintptr_t)argument + 1;
    double x = seed;
    for (unsigned i = 0; i < 2000; i++) {
        own[i % 16] = stress_mix(own[(i + 5) % 16], stress_random(&seed));
        x = x * 1.25 + own[i % 16] % 7;
        if (x > 1e6)
            x /= 1e6;
        if (i % 256 == 0)
            sched_yield();
    }
    results[(uintptr_t)argument] = own[3] ^ (uint32_t)(x * 1000);
    return NULL;
}

uint32_t stress_local(unsigned rounds)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        run(keep_own);
        for (unsigned j = 0; j < THREADS; j++)
            sum = stress_mix(sum, results[j]);
    }
    return sum;
}
