/*
 * Registers through the packets g, G, p and P of src/gdb: every register of every CPU, with both values of Status.FR
 * and under every CPU model, is written through each packet and read back through each, and is that of the machine; or
 * the write is refused with an error and changes nothing.
 */
#include "cpu/privileged/cp0.h"
#include "cpu/fp/fpu.h"
#include "tests/unit/gdb_client.h"

/* Numbers of the target description. */
enum { STATUS = 32, LO, HI, BADVADDR, CAUSE, PC, F0S, FCSR = 70, FIR, F0, REGISTERS = 104 };

#define FR0 (STATUS_CU1 | STATUS_BEV | STATUS_ERL)
#define FR1 (FR0 | STATUS_FR)

static unsigned digits_of(unsigned number)
{
    return number < F0 ? 8 : 16;
}

/* The little-endian hexadecimal text of VALUE. */
static const char *hex(unsigned number, uint64_t value)
{
    static char text[4][20];
    static unsigned next;
    char *out = text[next++ % 4];
    for (unsigned i = 0; i < digits_of(number); i += 2)
        sprintf(out + i, "%02x", (unsigned)(value >> 4 * i) & 0xff);
    return out;
}

static uint64_t parse(unsigned number, const char *text)
{
    uint64_t value = 0;
    for (unsigned i = digits_of(number); i > 0; i -= 2)
        value = value << 8 | strtoul((char[]){text[i - 2], text[i - 1], 0}, NULL, 16);
    return value;
}

static size_t place_of(unsigned number)
{
    size_t place = 0;
    for (unsigned i = 0; i < number; i++)
        place += digits_of(i);
    return place;
}

static uint64_t read_p(struct client *c, unsigned number)
{
    const char *reply = ASK(c, "p%x", number);
    assert_int_equal(strlen(reply), digits_of(number));
    return parse(number, reply);
}

static uint64_t read_g(struct client *c, unsigned number)
{
    const char *reply = ask(c, "g");
    assert_int_equal(strlen(reply), place_of(REGISTERS));
    return parse(number, reply + place_of(number));
}

static bool write_p(struct client *c, unsigned number, uint64_t value)
{
    const char *reply = ASK(c, "P%x=%s", number, hex(number, value));
    assert_true(strcmp(reply, "OK") == 0 || reply[0] == 'E');
    return reply[0] == 'O';
}

static bool write_g(struct client *c, unsigned number, uint64_t value)
{
    char packet[3000] = "G";
    strcpy(packet + 1, ask(c, "g"));
    memcpy(packet + 1 + place_of(number), hex(number, value), digits_of(number));
    const char *reply = ask(c, packet);
    assert_true(strcmp(reply, "OK") == 0 || reply[0] == 'E');
    return reply[0] == 'O';
}

/* What the machine has in the register. */
static uint64_t truth(const struct core *core, unsigned number)
{
    const struct cpu *s = &core->s;
    const bool fr = s->cp0[CP0_STATUS] & STATUS_FR;
    if (number < 32)
        return s->gpr[number];
    if (number >= F0S && number < F0S + 32)
        return s->fpr[number - F0S][0];
    if (number >= F0) {
        const unsigned n = number - F0;
        return (fr ? (uint64_t)s->fpr[n][1] : n & 1 ? 0 : s->fpr[n + 1][0]) << 32 | s->fpr[n][0];
    }
    switch (number) {
    case STATUS: return s->cp0[CP0_STATUS];
    case LO: return s->lo;
    case HI: return s->hi;
    case BADVADDR: return s->cp0[CP0_BADVADDR];
    case CAUSE: return s->cp0[CP0_CAUSE];
    case PC: return s->pc;
    case FCSR: return s->fcr31;
    default: return 0x0073a120; /* FIR, as cfc1 $0 reads it */
    }
}

/* A value for the register that it can have, different each time; for one that cannot be written: its present one. */
static uint64_t some_value(const struct core *core, unsigned number, unsigned round)
{
    const uint64_t pattern = (UINT64_C(0x123456789abcdef1) + number) * (2 * round + 3);
    switch (number) {
    case 0: return 0;
    case STATUS: return core->s.cp0[CP0_STATUS] ^ (STATUS_IM & 0x5500 << (round & 1)) ^ STATUS_BEV;
    case CAUSE: return core->s.cp0[CP0_CAUSE] ^ CAUSE_IP_SOFTWARE ^ (round & 1 ? CAUSE_IV : 0);
    case PC: return PROGRAM_PC + 4 * (round % 5);
    case FCSR: return (uint32_t)pattern & mips32r2.fcsr_writable;
    case FIR: return 0x0073a120;
    }
    if (number < F0)
        return (uint32_t)pattern;
    return (number & 1) && !(core->s.cp0[CP0_STATUS] & STATUS_FR) ? (uint32_t)pattern : pattern;
}

/* A value that the register cannot have; false: there is none. */
static bool impossible_value(const struct core *core, unsigned number, uint64_t *value)
{
    *value = truth(core, number);
    switch (number) {
    case 0: *value = 5; return true;
    case STATUS: *value ^= 1 << 3; return true; /* supervisor mode */
    case CAUSE: *value ^= EXC_OV << CAUSE_EXCCODE_SHIFT; return true;
    case PC: *value ^= 2; return true;
    case FCSR: *value ^= 1 << 18; return true; /* NAN2008 */
    case FIR: *value = 1; return true;
    }
    *value |= UINT64_C(1) << 40;
    return number >= F0 && (number & 1) && !(core->s.cp0[CP0_STATUS] & STATUS_FR);
}

static void check_register(struct client *c, const struct core *core, unsigned number)
{
    bool (*const writers[])(struct client *, unsigned, uint64_t) = {write_p, write_g};
    uint64_t value;
    for (unsigned round = 0; round < 4; round++) {
        value = some_value(core, number, round);
        assert_true(writers[round & 1](c, number, value));
        assert_int_equal(truth(core, number), value);
        assert_int_equal(read_p(c, number), value);
        assert_int_equal(read_g(c, number), value);
    }
    for (unsigned round = 0; round < 2 && impossible_value(core, number, &value); round++) {
        const struct cpu before = core->s;
        assert_false(writers[round](c, number, value));
        assert_memory_equal(&core->s, &before, sizeof before);
    }
}

static void every_register(const char *model)
{
    struct client c;
    client_begin(&c, model, 2, 2);
    expect(&c, "QStartNoAckMode", "OK");
    c.no_ack = true;
    for (unsigned cpu = 0; cpu < 2; cpu++) {
        const struct core *core = c.machine->cores[cpu], *other = c.machine->cores[!cpu];
        const struct cpu untouched = other->s;
        expect(&c, cpu ? "Hg2" : "Hg1", "OK");
        for (unsigned fr = 0; fr < 2; fr++) {
            assert_true(write_p(&c, STATUS, fr ? FR1 : FR0));
            for (unsigned number = 0; number < REGISTERS; number++)
                check_register(&c, core, number);
            assert_int_equal(!!(core->s.cp0[CP0_STATUS] & STATUS_FR), fr);
        }
        assert_memory_equal(&other->s, &untouched, sizeof untouched);
    }
    client_end(&c);
}

static void on_mipsy(void **state)
{
    (void)state;
    every_register("mipsy");
}

static void on_embra(void **state)
{
    (void)state;
    every_register("embra");
}

static void on_mxs(void **state)
{
    (void)state;
    every_register("mxs");
}

/* All or nothing: one register that cannot have its value, or two that contradict each other, refuse the whole. */
static void a_packet_is_written_whole_or_not_at_all(void **state)
{
    struct client c;
    char packet[3000] = "G";
    (void)state;
    client_begin(&c, "mipsy", 1, 1);
    struct core *core = c.machine->cores[0];
    assert_true(write_p(&c, STATUS, FR1));
    const struct cpu before = core->s;
    strcpy(packet + 1, ask(&c, "g"));
    memcpy(packet + 1 + place_of(3), "11223344", 8);
    memcpy(packet + 1 + place_of(FIR), "00000000", 8);
    expect(&c, packet, "E01");
    strcpy(packet + 1, ask(&c, "g"));
    memcpy(packet + 1 + place_of(F0S + 3), "11223344", 8);
    memcpy(packet + 1 + place_of(F0 + 3), "1122334555667788", 16);
    expect(&c, packet, "E01");
    assert_memory_equal(&core->s, &before, sizeof before);
    memcpy(packet + 1 + place_of(F0 + 3), "1122334455667788", 16);
    expect(&c, packet, "OK");
    assert_int_equal(truth(core, F0 + 3), 0x8877665544332211);
    client_end(&c);
}

static void malformed(void **state)
{
    static const char *const packets[] = {
        "p",
        "px",
        "p68",
        "pffffffffffffffffff",
        "p1,",
        "P",
        "P1",
        "P1=",
        "P1=0011",
        "P1=001122",
        "P1=0011223344",
        "P1=0011223x",
        "P68=00000000",
        "P48=00112233",
        "G",
        "G00",
    };
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 1, 1);
    const struct cpu before = c.machine->cores[0]->s;
    for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++)
        expect(&c, packets[i], "E01");
    char packet[3000] = "G";
    strcpy(packet + 1, ask(&c, "g"));
    packet[1 + place_of(5)] = '7';
    strcat(packet, "00");
    expect(&c, packet, "E01");
    packet[strlen(packet) - 4] = '\0';
    expect(&c, packet, "E01");
    assert_memory_equal(&c.machine->cores[0]->s, &before, sizeof before);
    client_end(&c);
}

/* The guest goes on with what was written: registers, pc in and out of a delay slot, status. */
static void the_guest_sees_what_is_written(const char *model)
{
    struct client c;
    client_begin(&c, model, 1, 1);
    struct core *core = c.machine->cores[0];
    for (int i = 0; i < 23; i++)
        expect(&c, "s", "T05thread:1;");
    assert_true(write_p(&c, PC, LOOP_PC));
    assert_true(write_p(&c, 8, 0x1233)); /* addiu t0, t0, 1; sw t0 */
    expect(&c, "s", "T05thread:1;");
    assert_int_equal(core->s.gpr[8], 0x1234);
    expect(&c, "s", "T05thread:1;");
    expect(&c, "m80300000,4", "34120000");
    expect(&c, "s", "T05thread:1;");
    expect(&c, "s", "T05thread:1;");
    assert_int_equal(core->s.pc, LOOP_PC + 16); /* the delay slot */
    assert_true(core->s.in_delay_slot);
    assert_true(write_p(&c, PC, LOOP_PC + 4)); /* away from it: the branch is forgotten */
    assert_false(core->s.in_delay_slot);
    expect(&c, "s", "T05thread:1;");
    assert_int_equal(core->s.pc, LOOP_PC + 8);
    /* ldc1 $f2, 0($t1) under FR = 0 and 1 */
    expect(&c, "M80200000,4:000022d5", "OK");
    expect(&c, "M80300000,8:0000000000000840", "OK"); /* 3.0 */
    for (unsigned fr = 0; fr < 2; fr++) {
        assert_true(write_p(&c, STATUS, fr ? FR1 : FR0));
        assert_true(write_p(&c, F0 + 3, 0));
        assert_true(write_p(&c, F0 + 2, 0));
        assert_true(write_p(&c, PC, PROGRAM_PC));
        expect(&c, "s", "T05thread:1;");
        assert_int_equal(read_p(&c, F0 + 2), 0x4008000000000000);
        assert_int_equal(read_p(&c, F0S + 2), 0);
        assert_int_equal(read_p(&c, F0S + 3), fr ? 0 : 0x40080000);
        assert_int_equal(read_p(&c, F0 + 3), fr ? 0 : 0x40080000);
    }
    client_end(&c);
}

static void on_every_model(void **state)
{
    (void)state;
    the_guest_sees_what_is_written("mipsy");
    the_guest_sees_what_is_written("embra");
    the_guest_sees_what_is_written("mxs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_mipsy),       cmocka_unit_test(on_embra),
        cmocka_unit_test(on_mxs),         cmocka_unit_test(malformed),
        cmocka_unit_test(on_every_model), cmocka_unit_test(a_packet_is_written_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
