/*
 * Shared by the timing tests: a parameter table of their own, so that no memory system is needed.
 */
#ifndef SIMOS_TESTS_UNIT_TIMING_FIXTURE_H
#define SIMOS_TESTS_UNIT_TIMING_FIXTURE_H

#include "cache/timing/bus.h"
#include "cache/timing/dram.h"
#include "cache/timing/write_buffer.h"
#include "tests/unit/params_fixture.h"

#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

#define MHZ UINT64_C(1000000)

#define BANKS_ROW(NAME)                                                                                                \
    {                                                                                                                  \
        "cache." NAME ".banks", PARAM_INT, MEMORY_TRAITS, "", "1", 1, 64, true, NULL, "banks"                          \
    }

static const struct param_def timing_rows[] = {
    BUS_PARAMS,
    DRAM_PARAMS,
    WRITE_BUFFER_PARAMS("l1d"),
    WRITE_BUFFER_PARAMS("l2"),
    WRITE_BUFFER_PARAMS("l3"),
    TIME_ROW("cache.l2i.occupancy", MEMORY_TRAITS, "0", "busy with an access"),
    TIME_ROW("cache.l2.occupancy", MEMORY_TRAITS, "0", "busy with an access"),
    TIME_ROW("cache.l3i.occupancy", MEMORY_TRAITS, "0", "busy with an access"),
    TIME_ROW("cache.l3.occupancy", MEMORY_TRAITS, "0", "busy with an access"),
    BANKS_ROW("l2i"),
    BANKS_ROW("l2"),
    BANKS_ROW("l3i"),
    BANKS_ROW("l3"),
    TIME_ROW("cache.l1d.write_back_time", MEMORY_TRAITS, "0", "before the fill"),
    TIME_ROW("cache.l2.write_back_time", MEMORY_TRAITS, "0", "before the fill"),
    TIME_ROW("cache.l3.write_back_time", MEMORY_TRAITS, "0", "before the fill"),
};

/* SETTINGS: "name=value name=value", or "". */
static inline struct params *timing_params(const char *settings)
{
    return params_from(timing_rows, sizeof timing_rows / sizeof timing_rows[0], settings);
}

/* A bus for CPUs of 100 MHz, memory latency of 100 cycles and lines of 64 bytes. With bus.clock=50MHz, bus.width=8: a
 * bus cycle is 2 cycles, the data phase of a line 16. */
static inline struct bus *bus_of(const char *settings)
{
    struct params *params = timing_params(settings);
    struct bus_environment environment = {
        .clock_hz = 100 * MHZ, .line = 64, .miss_time = 100, .upgrade_time = 100, .uncached_latency = 100};
    struct bus *bus;
    struct err err = {""};
    if (!bus_create(&bus, params, &environment, &err))
        fail_msg("%s", err.text);
    params_free(params);
    return bus;
}

/* Creating the bus must fail with an error that begins with NAME. */
static inline void assert_bus_refused(const char *settings, const char *name)
{
    struct params *params = timing_params(settings);
    struct bus_environment environment = {
        .clock_hz = 100 * MHZ, .line = 64, .miss_time = 100, .upgrade_time = 20, .uncached_latency = 100};
    struct bus *bus;
    struct err err = {""};
    assert_false(bus_create(&bus, params, &environment, &err));
    assert_null(bus);
    if (strncmp(err.text, name, strlen(name)) != 0)
        fail_msg("not %s but: %s", name, err.text);
    params_free(params);
}

static inline unsigned transact(struct bus *bus, enum bus_kind kind, paddr address, cycles now)
{
    struct bus_transaction transaction = {
        .kind = kind, .from_cpu = kind != BUS_WRITE, .address = address, .size = 64, .now = now};
    return (unsigned)bus_transact(bus, &transaction, NULL, NULL);
}

static inline unsigned bus_value(struct bus *bus, const char *name)
{
    struct stats *stats = stats_create();
    double value = -1;
    bus_register_stats(bus, stats);
    if (!stats_value(stats, name, &value))
        fail_msg("no statistic %s", name);
    stats_free(stats);
    return (unsigned)value;
}

#endif
