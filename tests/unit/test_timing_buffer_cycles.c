/*
 * The write buffer, which computes future times when a write is made, against a model that steps cycle by cycle:
 * random writes and reads, each policy, at a fixed rate and into a busy next level. And a buffer that schedules late
 * against one that schedules when an entry is made: the same waits, counts and reservations at any time.
 */
#include "timing_fixture.h"

enum { SERVICE = 7, DEPTH_MAX = 8 };

/* In each cycle: completed entries leave; then the CPU acts; then, if the next level is free, the oldest entry
 * begins. */
struct model {
    unsigned depth, count;
    bool merge, through_port;
    enum write_buffer_reads reads;
    cycles time;
    struct {
        paddr block;
    } entry[DEPTH_MAX]; /* oldest first */
    bool begun;         /* the oldest entry has begun */
    cycles done;        /* its completion time */
    cycles port_free;
    unsigned older; /* the entries that were there before the read that waits */
    bool evicting;  /* the victim of the read that waits has no entry yet */
    paddr victim;
    cycles victim_entered;
};

/* The victim takes an entry as soon as one is free, while its read waits. */
static void enter_victim(struct model *m)
{
    if (!m->evicting)
        return;
    bool merged = false;
    for (unsigned i = m->begun; m->merge && i < m->count; i++)
        merged |= m->entry[i].block == m->victim;
    if (!merged && m->count == m->depth)
        return;
    if (!merged)
        m->entry[m->count++].block = m->victim;
    m->evicting = false;
    m->victim_entered = m->time;
}

static void begin_cycle(struct model *m)
{
    if (!m->begun || m->done != m->time)
        return;
    memmove(m->entry, m->entry + 1, sizeof m->entry - sizeof m->entry[0]);
    m->count--;
    m->older -= m->older > 0;
    m->begun = false;
    enter_victim(m);
}

static void end_cycle(struct model *m)
{
    if (!m->begun && m->count && (!m->through_port || m->port_free <= m->time)) {
        m->begun = true;
        m->done = m->port_free = m->time + SERVICE;
    }
    m->time++;
    begin_cycle(m);
}

static void pass_time(struct model *m, cycles until)
{
    while (m->time < until)
        end_cycle(m);
}

/* The CPU acts in the current cycle. Returns its wait. */
static cycles model_write(struct model *m, paddr block)
{
    cycles start = m->time;
    if (m->merge)
        for (unsigned i = m->begun; i < m->count; i++)
            if (m->entry[i].block == block)
                return 0;
    while (m->count == m->depth)
        end_cycle(m);
    m->entry[m->count++].block = block;
    return m->time - start;
}

static bool must_wait(const struct model *m, paddr line, uint32_t size)
{
    if (m->reads == READS_DRAIN)
        return m->older > 0;
    for (unsigned i = 0; i < m->older; i++)
        if (m->reads == READS_MATCH && m->entry[i].block >= line && m->entry[i].block < line + size)
            return true;
    return false;
}

/* VICTIM: the modified block that the read evicts; NO_BLOCK: none. */
#define NO_BLOCK UINT32_MAX
static cycles model_read(struct model *m, paddr line, uint32_t size, paddr victim)
{
    cycles start = m->time;
    m->older = m->count;
    m->evicting = victim != NO_BLOCK;
    m->victim = victim;
    enter_victim(m);
    while (must_wait(m, line, size))
        end_cycle(m);
    if (m->through_port) {
        while (m->port_free > m->time) { /* nothing begins meanwhile: the read has priority */
            m->time++;
            begin_cycle(m);
        }
        m->port_free = m->time + SERVICE;
    }
    m->older = 0;
    return m->time - start;
}

/* The CPU also waits until the victim of its read at time START has an entry. Returns that time. */
static cycles model_finish_victim(struct model *m, cycles start)
{
    while (m->evicting)
        end_cycle(m);
    return m->victim_entered - start;
}

/* Returns how many operations waited. */
static unsigned compare(unsigned seed, const struct write_buffer_config *config)
{
    struct write_buffer buffer;
    struct resource *port = malloc(sizeof *port);
    struct model model = {
        .depth = config->depth, .merge = config->merge, .through_port = !config->retire, .reads = config->reads};
    unsigned waited = 0;
    resource_init(port);
    write_buffer_init(&buffer, config,
                      &(struct write_buffer_next){.time = SERVICE, .port = {.bank = port, .count = 1}});
    for (unsigned i = 0; i < 3000; i++) {
        seed = seed * 1103515245 + 12345;
        unsigned random = seed >> 8;
        paddr block = random % 24 * 8;
        cycles expected, wait, now = model.time;
        if (random % 5 < 3) {
            expected = model_write(&model, block);
            wait = write_buffer_write(&buffer, now, block + random % 2 * 4, 4, 0);
        } else {
            const paddr victim = random / 512 % 2 ? random / 1024 % 24 * 8 : NO_BLOCK;
            expected = model_read(&model, block & ~31u, 32, victim);
            wait = write_buffer_read(&buffer, now, block & ~31u, 32);
            if (model.through_port)
                wait = resource_reserve(port, now + wait, SERVICE, NULL) - now;
            write_buffer_resume(&buffer);
            if (victim != NO_BLOCK) /* written when it is evicted: at the time of the read */
                assert_int_equal(write_buffer_write(&buffer, now, victim, 8, 0), model_finish_victim(&model, now));
        }
        assert_int_equal(wait, expected);
        waited += wait != 0;
        pass_time(&model, model.time + 1 + (random / 64 % 4 ? random / 256 % 4 : random / 256 % 40));
    }
    write_buffer_release(&buffer);
    free(port);
    return waited;
}

static void agrees_from_cycle_to_cycle(void **state)
{
    (void)state;
    unsigned waited = 0;
    for (unsigned variant = 0; variant < 4 * 3 * 2 * 2; variant++) {
        const struct write_buffer_config config = {.depth = 1u << variant % 4,
                                                   .width = 8,
                                                   .reads = (enum write_buffer_reads)(variant / 4 % 3),
                                                   .merge = variant / 12 % 2,
                                                   .retire = variant / 24 ? SERVICE : 0};
        for (unsigned seed = 1; seed <= 5; seed++)
            waited += compare(seed * 1000 + variant, &config);
    }
    assert_true(waited > 100000); /* of 720000 */
}

struct pair_member {
    struct write_buffer buffer;
    struct resource port;
};

static struct retirement over_bus(void *bus, paddr address, uint32_t size, cycles now, struct reservations *log)
{
    (void)address;
    (void)size;
    cycles start = resource_reserve(bus, now, SERVICE, log);
    return (struct retirement){start, start + SERVICE};
}

static struct retirement at_a_fixed_rate(void *bus, paddr address, uint32_t size, cycles now, struct reservations *log)
{
    (void)bus;
    (void)address;
    (void)size;
    (void)log;
    return (struct retirement){now, now + SERVICE};
}

/* One operation of the CPU, whose time is NOW: a write, a posted write that takes long and is made ahead of that time,
 * a read with its victim, or a drain. Returns its wait. */
static cycles operate(struct pair_member *one, unsigned random, cycles now, bool fixed)
{
    struct write_buffer *buffer = &one->buffer;
    const paddr block = random % 24 * 8;
    switch (random / 32 % 8) {
    case 0: {
        cycles wait = write_buffer_read(buffer, now, block & ~31u, 32);
        if (!fixed)
            wait = resource_reserve(&one->port, now + wait, SERVICE, NULL) - now;
        write_buffer_resume(buffer);
        return wait + (random & 1 ? write_buffer_write(buffer, now, block ^ 32, 8, 0) : 0);
    }
    case 1: write_buffer_pass(buffer, now); return 0;
    case 2: {
        const cycles ready = write_buffer_ready(buffer, now + random / 256 % 30);
        return write_buffer_write(buffer, ready, block, 8, random / 1024 % 60);
    }
    case 3: return random & 1 ? write_buffer_drain(buffer, now) : 0;
    case 4: return write_buffer_write(buffer, now, block + random % 4, 8, 0); /* one block or two */
    default: return write_buffer_store(buffer, now, block + random % 5, 4);   /* likewise */
    }
}

static void assert_same_state(struct pair_member *pair)
{
    for (unsigned i = 0; i < 2; i++)
        write_buffer_settle(&pair[i].buffer);
    assert_memory_equal(&pair[0].buffer.counts, &pair[1].buffer.counts, sizeof pair[0].buffer.counts);
    assert_memory_equal(&pair[0].port.counts, &pair[1].port.counts, sizeof pair[0].port.counts);
    assert_int_equal(write_buffer_count(&pair[0].buffer), write_buffer_count(&pair[1].buffer));
    assert_int_equal(pair[0].buffer.end, pair[1].buffer.end);
    assert_int_equal(pair[0].buffer.retired, pair[1].buffer.retired);
}

static void scheduling_late_changes_nothing(void **state)
{
    (void)state;
    struct pair_member *pair = calloc(2, sizeof *pair);
    for (unsigned variant = 0; variant < 8 * 3 * 2; variant++) {
        unsigned seed = variant;
        cycles now = 0;
        const bool fixed = variant / 24;
        const struct write_buffer_config config = {
            .depth = 1 + variant % 8, .width = 8, .reads = (enum write_buffer_reads)(variant / 8 % 3)};
        struct write_buffer_next next[] = {
            {.time = SERVICE, .port = {.bank = fixed ? NULL : &pair[0].port, .count = 1}}, /* scheduled late */
            {.retire = fixed ? at_a_fixed_rate : over_bus, .bus = &pair[1].port}};         /* scheduled at once */
        for (unsigned i = 0; i < 2; i++) {
            resource_init(&pair[i].port);
            write_buffer_init(&pair[i].buffer, &config, &next[i]);
        }
        for (unsigned i = 0; i < 20000; i++) {
            seed = seed * 1103515245 + 12345;
            const unsigned random = seed >> 8;
            const cycles wait = operate(&pair[0], random, now, fixed);
            assert_int_equal(operate(&pair[1], random, now, fixed), wait);
            now += wait + 1 + random / 4096 % 4 * (random / 16384 % 8);
            if (random / 65536 % 64 == 0)
                assert_same_state(pair);
        }
        assert_same_state(pair);
        for (unsigned i = 0; i < 2; i++)
            write_buffer_release(&pair[i].buffer);
    }
    free(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scheduling_late_changes_nothing),
        cmocka_unit_test(agrees_from_cycle_to_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
