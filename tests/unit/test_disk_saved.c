/* Disks in a checkpoint: a restored machine behaves like the saved one, to the cycle; with another drive or other
 * latencies it reads and writes the same data. Impossible states are rejected. */
#include "tests/unit/tape.h"
#include "tests/unit/virtio_driver.h"
#include "devices/disk/scsi_bus.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "tests/unit/test.h"

enum { SECTORS = 512, RAM_BYTES = 1 << 20, DISKS = 2, SLOTS = 6, MOST = 24, HZ = 100000000 };
enum { AREA = 0x40000, DATA = 0x8000, FEATURES = VIRTIO_BLK_F_FLUSH };

struct disk_here {
    struct disk_image *image;
    struct virtio_driver driver;
};

struct small {
    struct event_queue *queue;
    struct physmem *mem;
    struct scsi_bus *bus;
    struct saved *saved;
    struct disk_here disks[DISKS];
};

static char path[64];

static const struct disk_config drive = {
    .model = DISK_HP97560, .speed = 1, .read_ahead = true, .immediate_report = true};

static struct small *small_open(const struct disk_config *config, uint64_t clock_hz)
{
    struct small *s = calloc(1, sizeof *s);
    s->queue = event_queue_create(clock_hz);
    s->mem = physmem_create(NULL, NULL);
    assert_true(s->mem && physmem_add_ram(s->mem, 0, RAM_BYTES, NULL));
    s->bus = scsi_bus_create((struct disk_clock){.queue = s->queue, .speed = config->speed});
    s->saved = saved_create(s->queue);
    for (unsigned i = 0; i < DISKS; i++) {
        char name[16];
        s->disks[i].image = disk_image_open(path, DISK_COPY_ON_WRITE, NULL);
        s->disks[i].driver.mem = s->mem;
        s->disks[i].driver.block = virtio_block_create_drive(s->queue, s->mem, s->disks[i].image, "saved", config,
                                                             s->bus, i, (struct irq_line){0}, NULL);
        snprintf(name, sizeof name, "disk%u", i);
        virtio_block_register_saved(s->disks[i].driver.block, s->saved, name);
        snprintf(name, sizeof name, "disk%u.image", i);
        disk_image_register_saved(s->disks[i].image, s->saved, name);
    }
    scsi_bus_register_saved(s->bus, s->saved, "scsi");
    return s;
}

static void small_close(struct small *s)
{
    saved_free(s->saved);
    for (unsigned i = 0; i < DISKS; i++) {
        virtio_block_free(s->disks[i].driver.block);
        disk_image_close(s->disks[i].image);
    }
    scsi_bus_free(s->bus);
    physmem_free(s->mem);
    event_queue_free(s->queue);
    free(s);
}

/* ---- saving and loading, as a checkpoint does ---- */

enum { SECTIONS = 16 };

static size_t save(const struct small *s, struct record_options *tapes)
{
    const struct saved_section *section;
    size_t count = 0;
    for (; (section = saved_at(s->saved, count)); count++) {
        assert_true(count < SECTIONS);
        tapes[count] = (struct record_options){0};
        struct saved_out out = {.put = tape_put, .opaque = &tapes[count]};
        saved_write(section, &out);
    }
    assert_true(saved_check_events(s->saved, NULL));
    return count;
}

static bool load(struct small *s, struct record_options *tapes, const struct saved_terms *terms, struct err *err)
{
    const struct saved_section *section;
    saved_load_begin(s->saved);
    for (size_t i = 0; (section = saved_at(s->saved, i)); i++) {
        struct saved_in in = {.get = tape_get, .opaque = &tapes[i]};
        tapes[i].at = 0;
        if (section->timing && !terms->same_machine)
            continue;
        if (!saved_read(s->saved, section, &in, terms, err))
            return false;
    }
    return saved_load_end(s->saved, terms, err);
}

static void free_tapes(struct record_options *tapes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tape_release(&tapes[i]);
}

/* ---- a driver whose requests depend on their number only ---- */

static uint32_t dice(uint32_t seed)
{
    seed = (seed ^ 61) ^ (seed >> 16);
    seed *= 9;
    seed ^= seed >> 4;
    seed *= 0x27d4eb2d;
    return seed ^ seed >> 15;
}

static void submit(struct small *s, unsigned disk, uint16_t slot, uint32_t number)
{
    struct virtio_driver *driver = &s->disks[disk].driver;
    paddr header = driver->header + 0x40u * slot, data = driver->desc + DATA + slot * MOST * 512u;
    uint32_t choice = dice(number) % 10, sectors = 1 + dice(number + 1) % MOST;
    uint32_t type = choice == 0 ? VIRTIO_BLK_FLUSH : choice < 6 ? VIRTIO_BLK_OUT : VIRTIO_BLK_IN;
    virtio_driver_header(driver, header, type, dice(number + 2) % (SECTORS - MOST));
    *physmem_host(s->mem, header + 32) = 0xff;
    for (uint32_t i = 0; i < sectors * 512; i += 4)
        memcpy(physmem_host(s->mem, data + i), &(uint32_t){dice(number + i)}, 4);
    uint16_t flags = type == VIRTIO_BLK_IN ? VIRTQ_WRITE : 0;
    virtio_driver_describe(driver, 3 * slot, header, 16, VIRTQ_NEXT, 3 * slot + (type == VIRTIO_BLK_FLUSH ? 2 : 1));
    virtio_driver_describe(driver, 3 * slot + 1, data, sectors * 512, VIRTQ_NEXT | flags, 3 * slot + 2);
    virtio_driver_describe(driver, 3 * slot + 2, header + 32, 1, VIRTQ_WRITE, 0);
    virtio_driver_offer(driver, 3 * slot);
    virtio_put(driver, VIRTIO_QUEUE_NOTIFY, 0);
}

static void start(struct small *s, uint32_t seed)
{
    for (unsigned disk = 0; disk < DISKS; disk++) {
        virtio_driver_start_with(&s->disks[disk].driver, (disk + 1) * AREA, 32, FEATURES);
        for (uint16_t slot = 0; slot < SLOTS; slot++)
            submit(s, disk, slot, seed + 1000 * disk + 10 * slot);
    }
}

static void step(struct small *s)
{
    event_queue_run(s->queue, event_queue_next(s->queue));
}

static bool is_busy(const struct small *s)
{
    return event_queue_next(s->queue) != CYCLES_NEVER;
}

static void assert_same_disks(struct small *a, struct small *b)
{
    static uint8_t one[SECTORS * 512], other[SECTORS * 512];
    for (unsigned i = 0; i < DISKS; i++) {
        assert_int_equal(virtio_driver_used_index(&a->disks[i].driver), SLOTS);
        assert_true(disk_image_read(a->disks[i].image, 0, one, sizeof one));
        assert_true(disk_image_read(b->disks[i].image, 0, other, sizeof other));
        assert_memory_equal(one, other, sizeof one);
    }
    assert_memory_equal(physmem_host(a->mem, 0), physmem_host(b->mem, 0), RAM_BYTES);
}

/* A machine like S, or with CONFIG, restored from the state of S. */
static struct small *loaded_from(struct small *s, const struct disk_config *config, uint64_t clock_hz, bool same)
{
    struct record_options tapes[SECTIONS];
    struct err err = {""};
    const struct saved_terms terms = {.same_machine = same, .clock_hz = HZ};
    size_t count = save(s, tapes);
    struct small *other = small_open(config, clock_hz);
    if (!load(other, tapes, &terms, &err))
        fail_msg("%s", err.text);
    memcpy(physmem_host(other->mem, 0), physmem_host(s->mem, 0), RAM_BYTES);
    for (unsigned i = 0; i < DISKS; i++) {
        struct virtio_block *block = other->disks[i].driver.block;
        other->disks[i].driver = s->disks[i].driver;
        other->disks[i].driver.mem = other->mem;
        other->disks[i].driver.block = block;
    }
    free_tapes(tapes, count);
    return other;
}

/* Before every event of a run: save, restore, and run both to the end with the same event times. */
static void test_goes_on_the_same(void **state)
{
    (void)state;
    for (unsigned moment = 0;; moment++) {
        struct small *a = small_open(&drive, HZ);
        start(a, 77);
        for (unsigned i = 0; i < moment && is_busy(a); i++)
            step(a);
        bool over = !is_busy(a);
        struct small *b = loaded_from(a, &drive, HZ, true);
        while (is_busy(a)) {
            assert_true(event_queue_next(a->queue) == event_queue_next(b->queue));
            step(a);
            step(b);
            for (unsigned i = 0; i < DISKS; i++)
                assert_int_equal(virtio_driver_used_index(&a->disks[i].driver),
                                 virtio_driver_used_index(&b->disks[i].driver));
        }
        assert_false(is_busy(b));
        assert_same_disks(a, b);
        small_close(a);
        small_close(b);
        if (over) {
            assert_true(moment > 30);
            return;
        }
    }
}

/* Another drive, speed or clock: requests restart and give the same data. */
static void test_another_machine(void **state)
{
    static const struct disk_config others[] = {
        {.model = DISK_FIXED, .speed = 1},
        {.model = DISK_HP97560, .speed = 100},
        {.model = DISK_HP97560, .speed = 1, .immediate_report = true},
    };
    (void)state;
    for (unsigned moment = 0; moment < 60; moment += 3)
        for (size_t k = 0; k < 3; k++) {
            struct small *a = small_open(k == 2 ? &others[0] : &drive, HZ);
            start(a, moment);
            for (unsigned i = 0; i < moment && is_busy(a); i++)
                step(a);
            struct small *b = loaded_from(a, &others[k], k ? 2 * HZ : HZ, false);
            while (is_busy(a))
                step(a);
            while (is_busy(b))
                step(b);
            assert_same_disks(a, b);
            small_close(a);
            small_close(b);
        }
}

/* Damaged files: rejected, or run without harm. */
static void test_damaged(void **state)
{
    uint32_t seed = 1, refused = 0;
    (void)state;
    struct small *a = small_open(&drive, HZ);
    struct record_options tapes[SECTIONS];
    start(a, 5);
    for (unsigned i = 0; i < 25; i++)
        step(a);
    size_t count = save(a, tapes);
    for (unsigned round = 0; round < 400; round++) {
        struct err err = {""};
        const struct saved_terms terms = {.same_machine = round % 3 != 0, .clock_hz = HZ};
        struct record_options *tape = &tapes[1 + dice(seed++) % (count - 1)];
        size_t place = dice(seed++) % tape->size, last = tape->size;
        uint8_t byte = tape->bytes[place];
        tape->bytes[place] = (uint8_t)dice(seed++);
        if (round % 10 == 0)
            tape->size = place;
        struct small *b = small_open(&drive, HZ);
        bool ok = load(b, tapes, &terms, &err);
        refused += !ok;
        memcpy(physmem_host(b->mem, 0), physmem_host(a->mem, 0), RAM_BYTES);
        for (unsigned i = 0; ok && i < 1000 && is_busy(b); i++)
            step(b);
        small_close(b);
        tape->bytes[place] = byte;
        tape->size = last;
    }
    assert_true(refused > 40);
    free_tapes(tapes, count);
    small_close(a);
}

/* Images of another size, and write-through disks, are rejected. */
static void test_another_image(void **state)
{
    (void)state;
    struct small *a = small_open(&drive, HZ);
    struct record_options tapes[SECTIONS];
    const struct saved_terms terms = {.same_machine = true, .clock_hz = HZ};
    start(a, 9);
    while (is_busy(a))
        step(a);
    size_t count = save(a, tapes);
    assert_true(disk_image_can_be_saved(a->disks[0].image));
    small_close(a);
    assert_int_equal(truncate(path, (SECTORS + 1) * 512), 0);
    struct small *b = small_open(&drive, HZ);
    struct err err = {""};
    assert_false(load(b, tapes, &terms, &err));
    assert_non_null(strstr(err.text, "the disk's image has"));
    small_close(b);
    struct disk_image *image = disk_image_open(path, DISK_WRITE_THROUGH, NULL);
    assert_false(disk_image_can_be_saved(image));
    disk_image_close(image);
    free_tapes(tapes, count);
}

static int setup(void **state)
{
    (void)state;
    strcpy(path, P_tmpdir "/simos-saved-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0 && ftruncate(fd, SECTORS * 512) == 0);
    return close(fd);
}

static int teardown(void **state)
{
    (void)state;
    return unlink(path);
}

#define SAVED_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* ---- a series: each file has the blocks written since the previous one ---- */

struct plain {
    struct event_queue *queue;
    struct disk_image *image;
    struct saved *saved;
    const struct saved_section *section;
};

static struct plain plain_open(void)
{
    struct plain plain = {event_queue_create(HZ), disk_image_open(path, DISK_COPY_ON_WRITE, NULL), NULL, NULL};
    plain.saved = saved_create(plain.queue);
    disk_image_register_saved(plain.image, plain.saved, "image");
    plain.section = saved_at(plain.saved, 1);
    return plain;
}

static void plain_close(struct plain *plain)
{
    saved_free(plain->saved);
    disk_image_close(plain->image);
    event_queue_free(plain->queue);
}

/* Set a sector of block BLOCK to VALUE. */
static void put_sector(const struct plain *plain, unsigned block, uint8_t value)
{
    uint8_t sector[512];
    memset(sector, value, sizeof sector);
    assert_true(disk_image_write(plain->image, block * DISK_BLOCK_SIZE + 512, sector, sizeof sector));
}

static void a_file_of_a_series_has_the_blocks_written_since(void **state)
{
    (void)state;
    enum { FILES = 4, BLOCKS = SECTORS * 512 / DISK_BLOCK_SIZE };
    /* blocks written before each file, and how many of the current blocks each file holds at the end */
    static const unsigned written[FILES][2] = {{3, 9}, {5, 5}, {3, 7}, {60, 60}};
    static const uint64_t last[FILES] = {1, 1, 2, 1};
    struct plain from = plain_open();
    const struct saved_parts *parts = from.section->ops->parts;
    struct record_options tapes[FILES] = {{0}};
    uint8_t a[512], b[512];
    for (unsigned i = 0; i < FILES; i++) {
        for (unsigned j = 0; j < 2; j++)
            put_sector(&from, written[i][j], (uint8_t)(16 * i + j + 1));
        parts->begin(from.image, i);
        struct saved_out out = {.put = tape_put, .opaque = &tapes[i], .series = true};
        saved_write(from.section, &out);
    }
    uint64_t units[FILES] = {0};
    parts->count(from.image, units);
    assert_memory_equal(units, last, sizeof last);
    struct plain to = plain_open();
    for (unsigned i = 0; i < FILES; i++) {
        struct saved_in in = {.get = tape_get, .opaque = &tapes[i], .version = 2, .continues = i > 0};
        const struct saved_terms terms = {.same_machine = true, .clock_hz = HZ, .over = i > 0};
        assert_true(saved_read(to.saved, to.section, &in, &terms, NULL));
        tape_release(&tapes[i]);
    }
    for (unsigned sector = 0; sector < SECTORS; sector++) {
        assert_true(disk_image_read(from.image, 512 * sector, a, 512) &&
                    disk_image_read(to.image, 512 * sector, b, 512));
        assert_memory_equal(a, b, 512);
    }
    /* the oldest file's blocks are taken over; a complete checkpoint has all blocks */
    parts->take_over(from.image, 0);
    memset(units, 0, sizeof units);
    parts->count(from.image, units);
    assert_int_equal(units[0], 0);
    assert_int_equal(units[FILES - 1], last[0] + last[FILES - 1]);
    struct record_options whole = {0};
    struct saved_out out = {.put = tape_put, .opaque = &whole};
    saved_write(from.section, &out);
    assert_in_range(whole.size, 5 * DISK_BLOCK_SIZE, 6 * DISK_BLOCK_SIZE);
    tape_release(&whole);
    plain_close(&from);
    plain_close(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SAVED_TEST(test_goes_on_the_same),
        SAVED_TEST(test_another_machine),
        SAVED_TEST(test_damaged),
        SAVED_TEST(test_another_image),
        SAVED_TEST(a_file_of_a_series_has_the_blocks_written_since),
    };
    return cmocka_run_group_tests_name("disk_saved", tests, NULL, NULL);
}
