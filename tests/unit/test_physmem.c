/*
 * Physical memory: RAM, holes, devices and DMA from an untrusted guest.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/memory/physmem.h"

/* A device that records its last access. */
struct probe {
    uint32_t offset, value;
    unsigned size, cpu;
    int reads, writes;
};

static uint32_t probe_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    struct probe *probe = opaque;
    probe->offset = offset;
    probe->size = size;
    probe->cpu = cpu;
    probe->reads++;
    return 0xa1b2c3d4;
}

static void probe_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct probe *probe = opaque;
    probe->offset = offset;
    probe->size = size;
    probe->value = value;
    probe->cpu = cpu;
    probe->writes++;
}

static const struct device_ops probe_ops = {"probe", probe_read, probe_write};

static int setup(void **state)
{
    struct physmem *mem = physmem_create(NULL, NULL);
    *state = mem;
    return mem ? 0 : -1;
}

static int teardown(void **state)
{
    physmem_free(*state);
    return 0;
}

static void ram_is_zero_and_one_mapping(void **state)
{
    struct physmem *mem = *state;
    struct err err = {0};
    assert_true(physmem_add_ram(mem, 0, 0x10000000, &err));
    assert_true(physmem_add_ram(mem, 0x20000000, 1792ull << 20, &err)); /* 2 GB in all */
    assert_true(mem->ram_bytes == 2048ull << 20);
    assert_ptr_equal(physmem_host(mem, 0x20000000), mem->base + 0x20000000);
    assert_int_equal(*physmem_host(mem, 0x0fffffff), 0);
    assert_int_equal(*physmem_host(mem, 0x8fffffff), 0);
    *physmem_host(mem, 0x8fffffff) = 5;
    *physmem_host(mem, 0) = 6;
    assert_int_equal(*physmem_host(mem, 0x8fffffff), 5);
    assert_true(physmem_page_is_ram(mem, 0x0fffffff));
    assert_false(physmem_page_is_ram(mem, 0x10000000));
    assert_true(physmem_page_is_ram(mem, 0x20000000));
    assert_false(physmem_page_is_ram(mem, 0x90000000));
    assert_false(physmem_page_is_ram(mem, 0xffffffff));
}

static void is_ram_takes_anything(void **state)
{
    struct physmem *mem = *state;
    assert_true(physmem_add_ram(mem, 0x1000, 0x2000, NULL));
    assert_true(physmem_add_ram(mem, 0xfffff000, 0x1000, NULL)); /* the last page there is */
    assert_true(physmem_is_ram(mem, 0x1000, 0x2000));
    assert_true(physmem_is_ram(mem, 0x2fff, 1));
    assert_false(physmem_is_ram(mem, 0x2fff, 2));
    assert_false(physmem_is_ram(mem, 0xfff, 2));
    assert_false(physmem_is_ram(mem, 0x1000, 0x2001));
    assert_true(physmem_is_ram(mem, 0xffffffff, 1));
    assert_false(physmem_is_ram(mem, 0xffffffff, 2));
    assert_false(physmem_is_ram(mem, 0x100001000ull, 1)); /* the address exceeds 32 bits */
    assert_false(physmem_is_ram(mem, UINT64_MAX, 1));
    assert_false(physmem_is_ram(mem, 0x1000, UINT64_MAX));
    assert_false(physmem_is_ram(mem, 0x1001, UINT64_MAX)); /* sum wraps to 0x1000 */
    assert_true(physmem_is_ram(mem, UINT64_MAX, 0));
}

static void bad_ram_is_refused(void **state)
{
    struct physmem *mem = *state;
    struct probe probe;
    static const struct {
        paddr base;
        uint64_t size;
        const char *mention;
    } cases[] = {
        {0x100, 0x1000, "pages"},         {0, 0x800, "pages"},          {0, 0, "pages"},
        {0, 0x100001000ull, "4 GB"},      {0xfffff000, 0x2000, "4 GB"}, {0x1000, ~0xfffull, "4 GB"},
        {0x10000, 0x1000, "overlaps"},    {0xf000, 0x2000, "overlaps"}, {0x17ff0000, 0x20000, "overlaps"},
        {0x18000000, 0x1000, "overlaps"},
    };
    assert_true(physmem_add_ram(mem, 0x10000, 0x1000, NULL));
    physmem_add_device(mem, 0x18000000, 0x100, &probe_ops, &probe);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err err = {0};
        if (physmem_add_ram(mem, cases[i].base, cases[i].size, &err))
            fail_msg("case %zu was accepted", i);
        if (!strstr(err.text, cases[i].mention))
            fail_msg("case %zu: \"%s\"", i, err.text);
    }
    assert_int_equal(mem->ram_bytes, 0x1000);
    struct err err = {0};
    if (!physmem_add_ram(mem, 0x11000, 0x1000, &err)) /* adjacent ranges do not overlap */
        fail_msg("%s", err.text);
}

/* ROM is read as RAM is; stores go to a device below it, and change nothing. */
static void rom_is_only_read(void **state)
{
    struct physmem *mem = *state;
    struct probe probe = {0};
    uint32_t word = 0;
    struct err err = {0};
    physmem_add_device(mem, 0x1000, 0x100, &probe_ops, &probe);
    assert_true(physmem_add_ram(mem, 0x8000, 0x1000, NULL));
    assert_true(physmem_add_rom(mem, 0x1000, 0x2000, NULL));
    assert_int_equal(mem->ram_bytes, 0x1000);
    assert_int_equal(mem->rom_bytes, 0x2000);
    assert_true(physmem_is_ram(mem, 0x1000, 0x2000));
    assert_true(physmem_page_is_rom(mem, 0x2fff));
    assert_false(physmem_page_is_rom(mem, 0x8000));
    assert_false(physmem_is_writable(mem, 0x2fff, 1));
    assert_true(physmem_is_writable(mem, 0x8000, 0x1000));
    assert_true(physmem_is_writable(mem, 0x1000, 0));
    memcpy(physmem_host(mem, 0x1000), "\1\2\3\4", 4);
    assert_true(physmem_dma_read(mem, 0x1000, &word, 4));
    assert_int_equal(word, 0x04030201);
    assert_false(physmem_dma_write(mem, 0x1000, &word, 4));
    assert_false(physmem_dma_write(mem, 0x2ffe, &word, 4));
    physmem_store_to_rom(mem, 0x1010, 4, 3, 7);
    assert_int_equal(probe.writes, 1);
    assert_int_equal(probe.cpu, 3);
    physmem_store_to_rom(mem, 0x2010, 4, 3, 7); /* no device: a warning */
    assert_int_equal(probe.writes, 1);
    assert_int_equal(*physmem_host(mem, 0x1010), 0);
    assert_int_equal(*physmem_host(mem, 0x2010), 0);
    assert_false(physmem_add_rom(mem, 0x2000, 0x1000, &err));
    assert_non_null(strstr(err.text, "ROM of 4096 bytes at 0x00002000: overlaps"));
}

static void devices_answer_where_they_are(void **state)
{
    struct physmem *mem = *state;
    enum { COUNT = 20 };
    struct probe probes[COUNT] = {0};
    uint32_t value;
    assert_false(physmem_device_read(mem, 0x18000000, 4, 0, &value));
    /* in random order, some adjacent, some separate */
    for (int i = 0; i < COUNT; i++) {
        int n = i * 7 % COUNT;
        physmem_add_device(mem, 0x18000000 + (paddr)n * 0x1000, n % 2 ? 0x1000 : 0x100, &probe_ops, &probes[n]);
    }
    for (int n = 0; n < COUNT; n++) {
        paddr base = 0x18000000 + (paddr)n * 0x1000;
        paddr size = n % 2 ? 0x1000 : 0x100;
        assert_true(physmem_device_read(mem, base, 4, 3, &value));
        assert_true(value == 0xa1b2c3d4);
        assert_int_equal(probes[n].offset, 0);
        assert_int_equal(probes[n].cpu, 3);
        assert_true(physmem_device_write(mem, base + size - 1, 1, 2, 0x12345678));
        assert_int_equal(probes[n].offset, size - 1);
        assert_int_equal(probes[n].value, 0x78);
        assert_int_equal(probes[n].reads, 1);
        assert_int_equal(probes[n].writes, 1);
        if (size == 0x100) {
            assert_false(physmem_device_read(mem, base + size, 4, 0, &value));
            assert_false(physmem_device_write(mem, base + size, 4, 0, 0));
        }
    }
    assert_false(physmem_device_read(mem, 0x17fffffc, 4, 0, &value));
    assert_false(physmem_device_read(mem, 0x18000000 + COUNT * 0x1000, 4, 0, &value));
    assert_false(physmem_device_read(mem, 0xfffffffc, 4, 0, &value));
}

static void sizes_and_edges(void **state)
{
    struct physmem *mem = *state;
    struct probe odd = {0}, last = {0};
    uint32_t value;
    physmem_add_device(mem, 0x18000000, 6, &probe_ops, &odd);
    physmem_add_device(mem, 0xfffff000, 0x1000, &probe_ops, &last);
    assert_true(physmem_device_read(mem, 0x18000001, 1, 0, &value));
    assert_int_equal(value, 0xd4);
    assert_true(physmem_device_read(mem, 0x18000004, 2, 0, &value));
    assert_int_equal(value, 0xc3d4);
    assert_int_equal(odd.size, 2);
    assert_true(physmem_device_write(mem, 0x18000002, 2, 0, 0x12345678));
    assert_int_equal(odd.value, 0x5678);
    value = 1;
    assert_false(physmem_device_read(mem, 0x18000004, 4, 0, &value)); /* extends beyond the end */
    assert_int_equal(value, 1);
    assert_false(physmem_device_write(mem, 0x18000004, 4, 0, 1));
    assert_int_equal(odd.reads, 2);
    assert_int_equal(odd.writes, 1);
    assert_true(physmem_device_read(mem, 0xfffffffc, 4, 0, &value));
    assert_int_equal(last.offset, 0xffc);
}

static void ram_is_no_device(void **state)
{
    uint32_t value;
    assert_true(physmem_add_ram(*state, 0, 0x1000, NULL));
    assert_false(physmem_device_read(*state, 0, 4, 0, &value));
    assert_false(physmem_device_write(*state, 0, 4, 0, 1));
    assert_int_equal(*physmem_host(*state, 0), 0);
}

struct hooks {
    const struct physmem *mem;
    int changed, observed;
    paddr address;
    uint32_t size;
    uint8_t seen; /* first byte of the range at the time of the callback */
};

static void on_changed(void *opaque, paddr address, uint32_t size)
{
    struct hooks *hooks = opaque;
    hooks->changed++;
    hooks->address = address;
    hooks->size = size;
    hooks->seen = *physmem_host(hooks->mem, address);
}

static void on_observed(void *opaque, paddr address, uint32_t size)
{
    struct hooks *hooks = opaque;
    hooks->observed++;
    hooks->address = address;
    hooks->size = size;
    *physmem_host(hooks->mem, address) = 0x77; /* as if a dirty line were written back */
}

static void dma_moves_all_or_nothing(void **state)
{
    struct physmem *mem = *state;
    struct hooks hooks = {.mem = mem};
    uint8_t out[16], in[16];
    memset(out, 0x5a, sizeof out);
    assert_true(physmem_add_ram(mem, 0x1000, 0x2000, NULL));
    assert_true(physmem_dma_write(mem, 0x1ff8, out, sizeof out)); /* without hooks, across a page boundary */
    assert_memory_equal(physmem_host(mem, 0x1ff8), out, sizeof out);
    mem->after_write = on_changed;
    mem->before_read = on_observed;
    mem->hook_opaque = &hooks;
    assert_true(physmem_dma_write(mem, 0x1100, out, sizeof out));
    assert_int_equal(hooks.changed, 1);
    assert_int_equal(hooks.address, 0x1100);
    assert_int_equal(hooks.size, sizeof out);
    assert_int_equal(hooks.seen, 0x5a); /* the callback came after the store */
    assert_true(physmem_dma_read(mem, 0x1100, in, sizeof in));
    assert_int_equal(hooks.observed, 1);
    assert_int_equal(in[0], 0x77); /* the callback came before the load */
    assert_int_equal(in[15], 0x5a);

    memset(in, 1, sizeof in);
    static const uint64_t bad[] = {0, 0xff8, 0x2ff8, 0x3000, 0xfffffff8, 0x100001000ull, UINT64_MAX, UINT64_MAX - 15};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(physmem_dma_write(mem, bad[i], out, sizeof out));
        assert_false(physmem_dma_read(mem, bad[i], in, sizeof in));
    }
    assert_int_equal(in[0], 1);
    assert_int_equal(*physmem_host(mem, 0x2fff), 0);
    assert_int_equal(*physmem_host(mem, 0x1000), 0);
    assert_true(physmem_dma_write(mem, UINT64_MAX, NULL, 0));
    assert_true(physmem_dma_read(mem, UINT64_MAX, NULL, 0));
    assert_int_equal(hooks.changed, 1);
    assert_int_equal(hooks.observed, 1);
}

/* Run ACT(MEM) in a child process. Returns the signal that ends it, or 0. */
static int signal_of(void (*act)(struct physmem *mem), struct physmem *mem)
{
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        signal(SIGSEGV, SIG_DFL);
        if (freopen("/dev/null", "w", stderr))
            act(mem);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static struct probe any;

static void add_over_device(struct physmem *mem)
{
    physmem_add_device(mem, 0x180000fc, 4, &probe_ops, &any);
}

static void add_around_device(struct physmem *mem)
{
    physmem_add_device(mem, 0x17ffff00, 0x1000, &probe_ops, &any);
}

static void add_over_ram(struct physmem *mem)
{
    physmem_add_device(mem, 0xf00, 4, &probe_ops, &any);
}

static void add_empty(struct physmem *mem)
{
    physmem_add_device(mem, 0x19000000, 0, &probe_ops, &any);
}

static void add_beyond(struct physmem *mem)
{
    physmem_add_device(mem, 0xfffff000, 0x1004, &probe_ops, &any);
}

static void add_crooked(struct physmem *mem)
{
    physmem_add_device(mem, 0x19000002, 4, &probe_ops, &any);
}

static void add_too_many(struct physmem *mem)
{
    for (paddr i = 0; i < PHYSMEM_MAX_DEVICES; i++)
        physmem_add_device(mem, 0x19000000 + 0x1000 * i, 4, &probe_ops, &any);
}

static void add_rightly(struct physmem *mem)
{
    for (paddr i = 1; i < PHYSMEM_MAX_DEVICES; i++)
        physmem_add_device(mem, 0x19000000 + 0x1000 * i, 4, &probe_ops, &any);
}

static void access_unaligned(struct physmem *mem)
{
    physmem_device_write(mem, 0x18000002, 4, 0, 0);
}

static void access_of_three_bytes(struct physmem *mem)
{
    physmem_device_write(mem, 0x18000000, 3, 0, 0);
}

static void bugs_abort(void **state)
{
    struct physmem *mem = *state;
    assert_true(physmem_add_ram(mem, 0, 0x1000, NULL));
    physmem_add_device(mem, 0x18000000, 0x100, &probe_ops, &any);
    assert_int_equal(signal_of(add_over_device, mem), SIGABRT);
    assert_int_equal(signal_of(add_around_device, mem), SIGABRT);
    assert_int_equal(signal_of(add_over_ram, mem), SIGABRT);
    assert_int_equal(signal_of(add_empty, mem), SIGABRT);
    assert_int_equal(signal_of(add_beyond, mem), SIGABRT);
    assert_int_equal(signal_of(add_crooked, mem), SIGABRT);
    assert_int_equal(signal_of(add_too_many, mem), SIGABRT);
    assert_int_equal(signal_of(add_rightly, mem), 0);
    assert_int_equal(signal_of(access_unaligned, mem), SIGABRT);
    assert_int_equal(signal_of(access_of_three_bytes, mem), SIGABRT);
}

static void touch_hole(struct physmem *mem)
{
    *(volatile uint8_t *)physmem_host(mem, 0x1000) = 1;
}

static void touch_beyond(struct physmem *mem)
{
    *(volatile uint8_t *)(mem->base + (1ull << 32)) = 1;
}

static void touch_ram(struct physmem *mem)
{
    *(volatile uint8_t *)physmem_host(mem, 0xfff) = 1;
}

/* A stray access of the simulator faults immediately. */
static void holes_are_inaccessible(void **state)
{
    assert_true(physmem_add_ram(*state, 0, 0x1000, NULL));
    assert_int_equal(signal_of(touch_hole, *state), SIGSEGV);
    assert_int_equal(signal_of(touch_beyond, *state), SIGSEGV);
    assert_int_equal(signal_of(touch_ram, *state), 0);
}

static void two_machines(void **state)
{
    struct physmem *mem = *state, *other = physmem_create(NULL, NULL);
    assert_non_null(other);
    assert_true(physmem_add_ram(mem, 0, 0x1000, NULL));
    assert_true(physmem_add_ram(other, 0, 0x1000, NULL));
    *physmem_host(mem, 0) = 1;
    assert_int_equal(*physmem_host(other, 0), 0);
    physmem_free(other);
    physmem_free(NULL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ram_is_zero_and_one_mapping),
        TEST(is_ram_takes_anything),
        TEST(bad_ram_is_refused),
        TEST(rom_is_only_read),
        TEST(devices_answer_where_they_are),
        TEST(sizes_and_edges),
        TEST(ram_is_no_device),
        TEST(dma_moves_all_or_nothing),
        TEST(bugs_abort),
        TEST(holes_are_inaccessible),
        TEST(two_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
