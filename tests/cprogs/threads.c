/*
 * Threads: creation, locks, conditions, barriers, thread-local storage, atomic operations of every width. Outcomes do
 * not depend on who runs when.
 */
#define _GNU_SOURCE
#include "corpus.h"

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS  500

static void run(void *(*body)(void *), int count, void *results[])
{
    pthread_t thread[16];
    for (intptr_t i = 0; i < count; i++)
        if (pthread_create(&thread[i], NULL, body, (void *)i) != 0)
            abort();
    for (int i = 0; i < count; i++)
        pthread_join(thread[i], results ? &results[i] : NULL);
}

static void *square(void *argument)
{
    intptr_t v = (intptr_t)argument;
    return (void *)(v * v + 1);
}

CASE_ALONE(thread_results)
{
    void *results[8];
    run(square, 8, results);
    for (int i = 0; i < 8; i++)
        printf("%d ", (int)(intptr_t)results[i]);
    printf("\n");
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long counter;

static void *count_locked(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        counter += (unsigned)(intptr_t)argument + 1;
        pthread_mutex_unlock(&lock);
        if (i % 64 == 0)
            sched_yield();
    }
    return NULL;
}

CASE_ALONE(thread_mutex)
{
    run(count_locked, THREADS, NULL);
    printf("%llu\n", counter);
}

static pthread_spinlock_t spin;
static void *count_spinning(void *argument)
{
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_spin_lock(&spin);
        counter++;
        pthread_spin_unlock(&spin);
    }
    return NULL;
}

CASE_ALONE(thread_spinlock)
{
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    run(count_spinning, THREADS, NULL);
    printf("%llu\n", counter);
}

/* Atomic read-modify-write operations, one case a type: bytes and halfwords go through masked ll/sc loops. */
#define ATOMIC(name, type)                                                                                             \
    static _Atomic type add_##name, xor_##name, max_##name;                                                            \
    static void *atomics_##name(void *argument)                                                                        \
    {                                                                                                                  \
        unsigned self = (unsigned)(intptr_t)argument;                                                                  \
        for (unsigned i = 0; i < ROUNDS; i++) {                                                                        \
            atomic_fetch_add(&add_##name, (type)(i + self));                                                           \
            atomic_fetch_xor(&xor_##name, (type)(i * 257 + self));                                                     \
            type seen = atomic_load(&max_##name), mine = (type)(i * 3 + self);                                         \
            while (mine > seen && !atomic_compare_exchange_weak(&max_##name, &seen, mine)) {                           \
            }                                                                                                          \
        }                                                                                                              \
        return NULL;                                                                                                   \
    }                                                                                                                  \
    CASE_ALONE(thread_atomic_##name)                                                                                   \
    {                                                                                                                  \
        run(atomics_##name, THREADS, NULL);                                                                            \
        printf("%llu %llu %llu\n", (unsigned long long)add_##name, (unsigned long long)xor_##name,                     \
               (unsigned long long)max_##name);                                                                        \
    }
ATOMIC(u8, uint8_t)
ATOMIC(i16, int16_t)
ATOMIC(u32, uint32_t)

CASE_ALONE(atomic_single)
{
    _Atomic uint32_t v = 5;
    _Atomic uint16_t h = 0xfffe;
    _Atomic uint8_t b = 0x80;
    atomic_flag flag = ATOMIC_FLAG_INIT;
    uint32_t expected = 4, old = 12;
    uint32_t got[] = {
        atomic_fetch_add(&v, 3),
        atomic_exchange(&v, 100),
        atomic_fetch_or(&h, 1),
        atomic_fetch_add(&h, 2),
        atomic_load(&h),
        atomic_fetch_sub(&b, 0x81),
        atomic_load(&b),
        atomic_flag_test_and_set(&flag),
        atomic_flag_test_and_set(&flag),
        atomic_compare_exchange_strong(&v, &expected, 7),
        expected,
        atomic_compare_exchange_strong(&v, &expected, 7),
        v,
        __atomic_fetch_nand(&old, 10, __ATOMIC_SEQ_CST),
        __sync_add_and_fetch(&old, 10),
        __sync_bool_compare_and_swap(&old, 1, 10),
    };
    for (size_t i = 0; i < sizeof got / sizeof got[0]; i++)
        printf("%x ", got[i]);
    printf("\n");
}

/* A bounded queue with two conditions. */
static int queue[8], queued, next_in, next_out;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;

static void *produce(void *argument)
{
    int base = (int)(intptr_t)argument * 1000;
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&lock);
        while (queued == 8)
            pthread_cond_wait(&not_full, &lock);
        queue[next_in] = base + i;
        next_in = (next_in + 1) % 8;
        queued++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *consume(void *argument)
{
    intptr_t sum = 0;
    (void)argument;
    for (int i = 0; i < 300; i++) {
        pthread_mutex_lock(&lock);
        while (queued == 0)
            pthread_cond_wait(&not_empty, &lock);
        sum += queue[next_out];
        next_out = (next_out + 1) % 8;
        queued--;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
    }
    return (void *)sum;
}

CASE_ALONE(thread_condition_queue)
{
    pthread_t consumer;
    void *sum;
    pthread_create(&consumer, NULL, consume, NULL);
    run(produce, 3, NULL);
    pthread_join(consumer, &sum);
    printf("%d left %d\n", (int)(intptr_t)sum, queued);
}

/* Turns taken strictly in order through one condition. */
static int turn;
static void *take_turns(void *argument)
{
    int self = (int)(intptr_t)argument;
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        while (turn % 3 != self)
            pthread_cond_wait(&not_empty, &lock);
        printf("%d ", self);
        turn++;
        pthread_cond_broadcast(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

CASE_ALONE(thread_turns)
{
    run(take_turns, 3, NULL);
    printf("\n");
}

static pthread_barrier_t barrier;
static int stage[THREADS], leaders;
static void *meet(void *argument)
{
    int self = (int)(intptr_t)argument, wrong = 0;
    for (int i = 1; i <= 10; i++) {
        stage[self] = i;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            __atomic_fetch_add(&leaders, 1, __ATOMIC_SEQ_CST);
        for (int k = 0; k < THREADS; k++)
            wrong += __atomic_load_n(&stage[k], __ATOMIC_SEQ_CST) < i;
        pthread_barrier_wait(&barrier);
    }
    return (void *)(intptr_t)wrong;
}

CASE_ALONE(thread_barrier)
{
    void *wrong[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    run(meet, THREADS, wrong);
    int total = 0;
    for (int i = 0; i < THREADS; i++)
        total += (int)(intptr_t)wrong[i];
    printf("%d %d\n", total, leaders);
}

static _Thread_local int local = 100;
static _Thread_local double local_real = 0.5;
static _Thread_local char local_zero[40];
static void *use_local(void *argument)
{
    int self = (int)(intptr_t)argument;
    for (int i = 0; i < 50; i++) {
        local += self;
        local_real *= 1 + self * 0.125;
        local_zero[i % 40] = (char)(local_zero[i % 40] + self);
        if (i % 16 == 0)
            sched_yield();
    }
    return (void *)(intptr_t)(local + (int)(local_real > 1) * 10000 + local_zero[3]);
}

CASE_ALONE(thread_local_storage)
{
    void *results[THREADS];
    local = -1;
    run(use_local, THREADS, results);
    for (int i = 0; i < THREADS; i++)
        printf("%d ", (int)(intptr_t)results[i]);
    printf("%d %g\n", local, local_real);
}

static pthread_key_t key;
static int destroyed;
static void destroy(void *value)
{
    __atomic_fetch_add(&destroyed, (int)(intptr_t)value, __ATOMIC_SEQ_CST);
}
static void *use_key(void *argument)
{
    pthread_setspecific(key, (void *)((intptr_t)argument + 10));
    sched_yield();
    return pthread_getspecific(key);
}

CASE_ALONE(thread_keys)
{
    void *results[THREADS];
    pthread_key_create(&key, destroy);
    run(use_key, THREADS, results);
    for (int i = 0; i < THREADS; i++)
        printf("%d ", (int)(intptr_t)results[i]);
    printf("%d %d\n", destroyed, pthread_getspecific(key) == NULL);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised;
static void initialise(void)
{
    initialised++;
}
static void *call_once(void *argument)
{
    pthread_once(&once, initialise);
    return argument;
}

CASE_ALONE(thread_once)
{
    run(call_once, THREADS, NULL);
    printf("%d\n", initialised);
}

static sem_t semaphore;
static void *post(void *argument)
{
    for (int i = 0; i < 25; i++)
        sem_post(&semaphore);
    return argument;
}

CASE_ALONE(thread_semaphore)
{
    sem_init(&semaphore, 0, 0);
    pthread_t poster;
    pthread_create(&poster, NULL, post, NULL);
    for (int i = 0; i < 25; i++)
        sem_wait(&semaphore);
    pthread_join(poster, NULL);
    int value = -1;
    sem_getvalue(&semaphore, &value);
    errno = 0;
    int failed = sem_trywait(&semaphore);
    printf("%d %d %s\n", value, failed, strerrorname_np(errno));
}

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int pair_low, pair_high;
static void *read_or_write(void *argument)
{
    intptr_t torn = 0;
    for (int i = 0; i < 200; i++) {
        if ((intptr_t)argument == 0) {
            pthread_rwlock_wrlock(&rwlock);
            pair_low++;
            pair_high--;
        } else {
            pthread_rwlock_rdlock(&rwlock);
            torn += pair_low + pair_high != 0;
        }
        pthread_rwlock_unlock(&rwlock);
    }
    return (void *)torn;
}

CASE_ALONE(thread_rwlock)
{
    void *torn[THREADS];
    run(read_or_write, THREADS, torn);
    printf("%d %d %d %d\n", pair_low, (int)(intptr_t)torn[1], (int)(intptr_t)torn[2], (int)(intptr_t)torn[3]);
}

CASE_ALONE(thread_mutex_kinds)
{
    pthread_mutexattr_t kind;
    pthread_mutex_t recursive, checking;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &kind);
    int a = pthread_mutex_lock(&recursive), b = pthread_mutex_lock(&recursive);
    int c = pthread_mutex_unlock(&recursive), d = pthread_mutex_unlock(&recursive);
    printf("%d %d %d %d\n", a, b, c, d);
    a = pthread_mutex_lock(&checking);
    b = pthread_mutex_lock(&checking);
    c = pthread_mutex_unlock(&checking);
    d = pthread_mutex_unlock(&checking);
    printf("%d %s %d %s\n", a, strerrorname_np(b), c, strerrorname_np(d));
}

CASE_ALONE(thread_timed_waits)
{
    struct timespec past;
    clock_gettime(CLOCK_REALTIME, &past);
    past.tv_nsec += 2000000;
    if (past.tv_nsec >= 1000000000) {
        past.tv_sec++;
        past.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&lock);
    printf("%s", strerrorname_np(pthread_cond_timedwait(&not_full, &lock, &past)));
    printf(" %s\n", strerrorname_np(pthread_mutex_timedlock(&lock, &past)));
    pthread_mutex_unlock(&lock);
}

/* Each thread has its own rounding mode. */
static void *rounds(void *argument)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    volatile double one = 1, three = -3, sum = 0;
    fesetround(modes[(intptr_t)argument]);
    for (int i = 0; i < 64; i++) {
        sum = sum + one / three;
        sched_yield();
    }
    int kept = fegetround() == modes[(intptr_t)argument];
    fesetround(FE_TONEAREST);
    double *result = malloc(2 * sizeof *result);
    result[0] = sum;
    result[1] = kept;
    return result;
}

CASE_ALONE(thread_rounding_modes)
{
    void *results[4];
    run(rounds, 4, results);
    for (int i = 0; i < 4; i++) {
        printf("%a %g\n", ((double *)results[i])[0], ((double *)results[i])[1]);
        free(results[i]);
    }
}

static void *wait_cancelled(void *argument)
{
    while (argument == NULL)
        pause();
    return argument;
}

CASE_ALONE(thread_cancel)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, wait_cancelled, NULL);
    int sent = pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("%d %d\n", sent, result == PTHREAD_CANCELED);
}

static _Thread_local volatile sig_atomic_t mine;
static volatile sig_atomic_t arrived;
static void note_thread(int number)
{
    (void)number;
    mine++;
    arrived++;
}
static void *await_signal(void *argument)
{
    (void)argument;
    while (mine == 0)
        sched_yield();
    return (void *)(intptr_t)mine;
}

CASE_ALONE(thread_directed_signal)
{
    pthread_t thread;
    void *result;
    signal(SIGUSR1, note_thread);
    pthread_create(&thread, NULL, await_signal, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, &result);
    printf("%d %d %d\n", (int)(intptr_t)result, (int)mine, (int)arrived);
}

static void *deep_stack(void *argument)
{
    volatile unsigned char room[60000];
    for (size_t i = 0; i < sizeof room; i += 1000)
        room[i] = (unsigned char)(i / 1000);
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof room; i += 1000)
        sum += room[i];
    return (void *)((intptr_t)argument + (intptr_t)sum);
}

CASE_ALONE(thread_stacks)
{
    pthread_attr_t attributes;
    pthread_t thread[3];
    int sum = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 131072);
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&thread[i], &attributes, deep_stack, (void *)(i * 10000));
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(thread[i], &result);
        sum += (int)(intptr_t)result;
    }
    printf("%d\n", sum);
}
