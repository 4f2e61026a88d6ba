/*
 * The remote protocol of src/gdb, packet by packet ("Packets", "Stop Reply Packets" and "General Query Packets" in the
 * appendix "Remote Protocol" of the GDB manual): each is done as the manual says, or not announced and answered with
 * the empty packet.
 */
#include "tests/unit/gdb_client.h"

/* Everything that is announced: each has a test below. Another feature needs one first. */
static void what_is_announced(void **state)
{
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 2, 2);
    expect(&c, "qSupported:multiprocess+;swbreak+;hwbreak+;qRelocInsn+;vContSupported+;no-resumed+;memory-tagging+",
           "PacketSize=3ff0;QStartNoAckMode+;qXfer:features:read+;vContSupported+");
    expect(&c, "qSupported", "PacketSize=3ff0;QStartNoAckMode+;qXfer:features:read+;vContSupported+");
    expect(&c, "vCont?", "vCont;c;C;s;S");
    client_end(&c);
}

/* The other packets of the manual, among them all that belong to features which are not announced. */
static void the_rest_is_not_supported(void **state)
{
    static const char *const packets[] = {
        "",
        "!",
        "A6,0,616263",
        "b2580",
        "B80200000,S",
        "bc",
        "bs",
        "D;1",
        "d",
        "F0",
        "i",
        "I",
        "j",
        "kill",
        "r",
        "R00",
        "t80200000:0,1",
        "x80200000,4",
        "z5,80200000,4",
        "Z5,80200000,4",
        "vAttach;1",
        "vCtrlC",
        "vFile:open:2f657463,0,0",
        "vFile:pread:3,10,0",
        "vFile:setfs:0",
        "vFile:unlink:2f746d70",
        "vFlashDone",
        "vFlashErase:0,1000",
        "vFlashWrite:0:x",
        "vKill;1",
        "vMustReplyEmpty",
        "vRun;2f62696e",
        "vStopped",
        "QAgent:1",
        "QAllow:WriteReg:1",
        "QCatchSyscalls:1",
        "QDisableRandomization:1",
        "QEnvironmentHexEncoded:41",
        "QEnvironmentReset",
        "QEnvironmentUnset:41",
        "QMemTags:80200000,4:0:00",
        "QNonStop:1",
        "QPassSignals:e;10",
        "QProgramSignals:e",
        "QRcmd,68",
        "QSaveRegisterState",
        "QSetWorkingDir:2f",
        "QStartNoAckMode:1",
        "QStartupWithShell:1",
        "QTBuffer:size:10",
        "QTDP:1:80200000:E:0:0",
        "QTStart",
        "QThreadEvents:1",
        "QThreadOptions;1",
        "Qbtrace:bts",
        "qAttachedX",
        "qC1",
        "qCRC:80200000,4",
        "qGetTIBAddr:1",
        "qGetTLSAddr:1,0,0",
        "qIsAddressTagged:80200000",
        "qL0010",
        "qMemTags:80200000,4:0",
        "qOffsets",
        "qP1",
        "qRegisterInfo0",
        "qSearch:memory:80200000;4;x",
        "qSupportedX",
        "qTStatus",
        "qTfV",
        "qTP:80200000:4",
        "qXfer:auxv:read::0,10",
        "qXfer:btrace:read::0,10",
        "qXfer:exec-file:read::0,10",
        "qXfer:features:write:target.xml:0:x",
        "qXfer:libraries:read::0,10",
        "qXfer:libraries-svr4:read::0,10",
        "qXfer:memory-map:read::0,10",
        "qXfer:osdata:read::0,10",
        "qXfer:sdata:read::0,10",
        "qXfer:siginfo:read::0,10",
        "qXfer:threads:read::0,10",
        "qXfer:traceframe-info:read::0,10",
        "qfThreadInfoX",
        "qsThreadInfo1",
        "g1",
        "?1",
    };
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 2, 2);
    for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++)
        expect(&c, packets[i], "");
    expect(&c, "?", "T05thread:1;"); /* and nothing has run or changed */
    assert_int_equal(machine_insns(c.machine), 0);
    client_end(&c);
}

/* PacketSize: the longest packet is accepted, a longer one is wanted again. */
static void packet_size(void **state)
{
    enum { ANNOUNCED = 0x3ff0 };
    static char packet[ANNOUNCED + 1];
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 1, 1);
    const size_t header = (size_t)sprintf(packet, "X80300000,%x:", ANNOUNCED - 17);
    assert_int_equal(header, 15);
    const size_t data = ANNOUNCED - header;
    sprintf(packet, "X80300000,%zx:", data);
    memset(packet + header, 'a', data);
    client_send(&c, packet, header + data);
    assert_string_equal(client_receive(&c), "OK");
    assert_int_equal(((uint8_t *)physmem_host(c.machine->mem, 0x300000))[data - 1], 'a');
    client_end(&c);
}

static void no_acknowledgements(void **state)
{
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 1, 1);
    client_send(&c, "qC", 2);
    assert_int_equal(client_byte(&c), '+');
    assert_string_equal(client_receive(&c), "QC1");
    expect(&c, "QStartNoAckMode", "OK");
    c.no_ack = true;
    for (int i = 0; i < 2; i++) {
        client_send(&c, "qC", 2);
        assert_int_equal(client_byte(&c), '$');
        assert_int_equal(client_byte(&c), 'Q');
        assert_int_equal(client_byte(&c), 'C');
        assert_int_equal(client_byte(&c), '1');
        assert_int_equal(client_byte(&c), '#');
        client_byte(&c);
        client_byte(&c);
    }
    client_end(&c);
}

/* Target description */

static void the_description_in_pieces(void **state)
{
    static char whole[CLIENT_REPLY], pieces[CLIENT_REPLY];
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 1, 1);
    const char *reply = ask(&c, "qXfer:features:read:target.xml:0,3f00");
    assert_int_equal(reply[0], 'l');
    strcpy(whole, reply + 1);
    assert_non_null(strstr(whole, "<feature name=\"org.gnu.gdb.mips.cpu\">"));
    assert_non_null(strstr(whole, "<feature name=\"org.gnu.gdb.mips.cp0\">"));
    assert_non_null(strstr(whole, "<feature name=\"org.gnu.gdb.mips.fpu\">"));
    assert_null(strpbrk(whole, "#$}*")); /* would have to be escaped */
    for (;;) {
        reply = ASK(&c, "qXfer:features:read:target.xml:%zx,61", strlen(pieces));
        assert_true(reply[0] == 'l' || strlen(reply) == 1 + 0x61);
        strcat(pieces, reply + 1);
        if (reply[0] == 'l')
            break;
        assert_int_equal(reply[0], 'm');
    }
    assert_string_equal(pieces, whole);
    snprintf(pieces, sizeof pieces, "qXfer:features:read:target.xml:%zx,61", strlen(whole));
    expect(&c, pieces, "l");
    snprintf(pieces, sizeof pieces, "qXfer:features:read:target.xml:%zx,61", strlen(whole) + 1);
    expect(&c, pieces, "E00");
    expect(&c, "qXfer:features:read:nothing.xml:0,61", "E00");
    expect(&c, "qXfer:features:read:target.xml:0", "E00");
    expect(&c, "qXfer:features:read:target.xml:0,0", "E00");
    expect(&c, "qXfer:features:read:target.xml:x,61", "E00");
    client_end(&c);
}

/* Threads */

static void threads(void **state)
{
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 3, 2);
    expect(&c, "qfThreadInfo", "m1,2,3");
    expect(&c, "qsThreadInfo", "l");
    expect(&c, "qThreadExtraInfo,1",
           "435055203020"
           "6b65726e656c"); /* CPU 0 kernel */
    expect(&c, "qThreadExtraInfo,3",
           "435055203220"
           "6f6666"); /* CPU 2 off */
    static const char *const bad[] = {"4", "ff", "-1", "0", "", "x", "1x", "p1.1", "10000000000000001", "-2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char packet[64];
        snprintf(packet, sizeof packet, "T%s", bad[i]);
        expect(&c, packet, "E01");
        snprintf(packet, sizeof packet, "qThreadExtraInfo,%s", bad[i]);
        expect(&c, packet, "E01");
        const bool special = strcmp(bad[i], "0") == 0 || strcmp(bad[i], "-1") == 0; /* any and all */
        snprintf(packet, sizeof packet, "Hg%s", bad[i]);
        expect(&c, packet, special ? "OK" : "E01");
        snprintf(packet, sizeof packet, "Hc%s", bad[i]);
        expect(&c, packet, special ? "OK" : "E01");
        snprintf(packet, sizeof packet, "vCont;c:%s", bad[i]);
        if (!special)
            expect(&c, packet, "E01");
    }
    expect(&c, "Hx1", "E01");
    expect(&c, "H", "E01");
    for (char *packet = (char[]){"T1"}; packet[1] <= '3'; packet[1]++)
        expect(&c, packet, "OK");
    expect(&c, "qC", "QC1");
    expect(&c, "Hg2", "OK");
    expect(&c, "qC", "QC2");
    expect(&c, "Hg3", "OK");
    expect(&c, "qC", "QC3");
    expect(&c, "qAttached", "1");
    expect(&c, "qAttached:1", "1");
    expect(&c, "qSymbol::", "OK");
    expect(&c, "qRcmd,68656c70", "OK"); /* help */
    assert_string_not_equal(c.output, "");
    assert_int_equal(machine_insns(c.machine), 0);
    client_end(&c);
}

/* Memory */

static void memory(void **state)
{
    static const char *const malformed[] = {
        "m",
        "m80300000",
        "m80300000,",
        "mx,4",
        "m80300000,4x",
        "m80300000,0",
        "m180300000,4",
        "M80300000",
        "M80300000,4",
        "M80300000,4:",
        "M80300000,4:001122",
        "M80300000,4:0011223344",
        "M80300000,4:0011223x",
        "X80300000,4:abc",
        "X80300000,4:abcde",
        "X80300000,2",
        "Mfffffffffffffffff,1:00",
    };
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 2, 2);
    uint8_t *ram = physmem_host(c.machine->mem, 0x300000);
    expect(&c, "M80300000,4:0180ff7f", "OK");
    expect(&c, "m80300000,4", "0180ff7f");
    expect(&c, "ma0300001,2", "80ff");       /* kseg1 */
    expect(&c, "mffffffff80300003,1", "7f"); /* sign-extended */
    expect(&c, "X80300000,0:", "OK");
    client_send(&c, "X80300000,5:a}\x03}]\0b", 19); /* '#' and '}' escaped, and a 0 */
    assert_string_equal(client_receive(&c), "OK");
    assert_memory_equal(ram, "a#}\0b", 5);
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        expect(&c, malformed[i], "E01");
    assert_memory_equal(ram, "a#}\0b", 5);

    /* the last page of RAM: what there is of it is read; nothing is written if not all can be */
    expect(&c, "M80fffffc,4:11223344", "OK");
    expect(&c, "m80fffffc,8", "11223344");
    expect(&c, "M80fffffc,8:5566778899aabbcc", "E14");
    expect(&c, "X80fffffe,4:abcd", "E14");
    expect(&c, "m80fffffc,4", "11223344");
    expect(&c, "m81000000,4", "E14");
    expect(&c, "M81000000,1:00", "E14");
    expect(&c, "M80fff000,1000:00", "E01");
    /* unmapped, devices, the end of the address space */
    expect(&c, "m40400000,4", "E14");
    expect(&c, "Mc0000000,4:00000000", "E14");
    expect(&c, "mbfbf8000,4", "E14");
    expect(&c, "Mbfbf8000,4:00000000", "E14");
    expect(&c, "mbfc00000,4", "E14");
    expect(&c, "Mbfc00000,4:00000000", "E14");
    /* ROM: only the guest cannot change it */
    struct err err = {""};
    assert_true(physmem_add_rom(c.machine->mem, 0x1fc00000, 0x1000, &err));
    expect(&c, "mbfc00000,4", "00000000");
    expect(&c, "Mbfc00000,4:11223344", "OK");
    expect(&c, "m9fc00000,4", "11223344");
    expect(&c, "Mbfc00ffe,4:11223344", "E14");
    expect(&c, "mbfc00ffe,4", "0000");
    expect(&c, "mfffffffe,4", "E14");
    expect(&c, "Mfffffffe,4:00000000", "E14");
    client_end(&c);
}

/* Breakpoints and watchpoints */

static void breakpoints(void **state)
{
    static const char *const refused[] = {
        "Z0",
        "Z0,",
        "Z0,80200004",
        "Z0,80200004,",
        "Z0,80200004,2",
        "Z0,80200004,8",
        "Z0,80200005,4",
        "Z1,80200004,2",
        "Z0,80200004,4;X1,00",
        "Z0,80200004,4;cmds:0,00",
        "Z0,80200004,4x",
        "z0,80200004",
        "Z2,80300000,0",
        "Z3,ffffffff,2",
        "Z2,80300000",
        "Z4,80300000,4;X1,00",
    };
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 2, 2);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        expect(&c, refused[i], "E01");
    for (char *type = (char[]){"0"}; *type <= '1'; (*type)++) {
        char insert[32], remove[32];
        snprintf(insert, sizeof insert, "Z%s,8020000c,4", type);
        snprintf(remove, sizeof remove, "z%s,8020000c,4", type);
        expect(&c, insert, "OK");
        expect(&c, insert, "OK");              /* inserting twice is inserting once */
        expect(&c, "m8020000c,4", "04002a8d"); /* memory is as it was */
        for (int i = 0; i < 6; i++) {
            const char *reply = ask(&c, "vCont;c");
            assert_true(strcmp(reply, "T05thread:1;") == 0 || strcmp(reply, "T05thread:2;") == 0);
            expect(&c, "p25", "0c002080");
        }
        expect(&c, remove, "OK");
        expect(&c, remove, "OK");
    }
    /* those of Z0 and Z1 are independent */
    expect(&c, "Z0,80200008,4", "OK");
    expect(&c, "Z1,80200008,4", "OK");
    expect(&c, "z0,80200008,4", "OK");
    ask(&c, "vCont;c");
    expect(&c, "p25", "08002080");
    expect(&c, "z1,80200008,4", "OK");
    const uint64_t before = machine_insns(c.machine);
    expect(&c, "vCont;s:1", "T05thread:1;"); /* none is left: the step is one instruction */
    assert_int_equal(machine_insns(c.machine), before + 1);
    client_end(&c);
}

static void more_breakpoints_than_the_limit(void **state)
{
    enum { LIMIT = 8192 };
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 1, 1);
    expect(&c, "QStartNoAckMode", "OK");
    c.no_ack = true;
    for (unsigned i = 0; i < LIMIT; i++)
        assert_string_equal(ASK(&c, "Z0,%x,4", 0x80400000 + 4 * i), "OK");
    expect(&c, "Z0,80200004,4", "E01");
    expect(&c, "Z1,80400000,4", "OK"); /* there is one */
    expect(&c, "z0,80400004,4", "OK");
    expect(&c, "Z0,80200004,4", "OK");
    expect(&c, "c", "T05thread:1;");
    expect(&c, "p25", "04002080");
    client_end(&c);
}

static void watchpoints(void **state)
{
    static const struct {
        const char *packet, *reply;
        unsigned insns; /* up to the instruction behind the access */
    } rows[] = {
        {"Z2,80300000,4", "T05watch:ffffffff80300000;thread:1;", 3},
        {"Z2,80300003,1", "T05watch:ffffffff80300003;thread:1;", 3},
        {"Z3,80300004,4", "T05rwatch:ffffffff80300004;thread:1;", 4},
        {"Z4,80300004,2", "T05awatch:ffffffff80300004;thread:1;", 4},
        {"Z4,80300000,8", "T05awatch:ffffffff80300000;thread:1;", 3},
        {"Z2,a0300000,4", "T05watch:ffffffffa0300000;thread:1;", 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct client c;
        char remove[32];
        client_begin(&c, "mipsy", 2, 1);
        expect(&c, rows[i].packet, "OK");
        expect(&c, "vCont;c", rows[i].reply);
        expect(&c, "?", rows[i].reply);
        assert_int_equal(c.machine->cores[0]->s.insns, rows[i].insns);
        snprintf(remove, sizeof remove, "z%s", rows[i].packet + 1);
        expect(&c, remove, "OK");
        expect(&c, "vCont;s:1", "T05thread:1;"); /* the step over the access, which has been made */
        assert_int_equal(c.machine->cores[0]->s.insns, rows[i].insns);
        expect(&c, "vCont;s:1", "T05thread:1;");
        assert_int_equal(c.machine->cores[0]->s.insns, rows[i].insns + 1);
        client_end(&c);
    }
}

/* Sessions */

static void the_last_stop_and_a_break(void **state)
{
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 2, 2);
    expect(&c, "?", "T05thread:1;");
    client_send_bytes(&c, "\003", 1); /* already stopped: no answer */
    expect(&c, "?", "T05thread:1;");
    client_send(&c, "vCont;c:2", 9);
    usleep(1000);
    client_send_bytes(&c, "\003", 1);
    assert_string_equal(client_receive(&c), "T02thread:2;");
    expect(&c, "?", "T02thread:2;");
    expect(&c, "qC", "QC2");
    client_end(&c);
}

static void detach_and_connect_again(void **state)
{
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 2, 2);
    expect(&c, "Z0,80200008,4", "OK");
    expect(&c, "Hc2", "OK");
    expect(&c, "D", "OK");
    assert_int_equal(client_session_end(&c), MACHINE_STOP_HOOK);
    assert_int_equal(client_byte(&c), -1);
    close(c.fd);
    assert_false(gdb_server_has_caller(c.server));
    c.fd = client_connect(&c);
    assert_true(gdb_server_has_caller(c.server));
    client_begin_session(&c);
    expect(&c, "?", "T05thread:1;");
    expect(&c, "vCont;s", "T05thread:1;"); /* nothing is left of the first session */
    expect(&c, "vCont;s", "T05thread:1;");
    expect(&c, "vCont;s", "T05thread:1;");
    close(c.fd); /* the connection is lost */
    assert_int_equal(client_session_end(&c), MACHINE_STOP_HOOK);
    client_begin_session(&c);
    c.fd = client_connect(&c);
    expect(&c, "?", "T05thread:1;");
    client_send(&c, "k", 1); /* no answer but the acknowledgement */
    assert_int_equal(client_byte(&c), '+');
    assert_int_equal(client_byte(&c), -1);
    assert_int_equal(client_session_end(&c), MACHINE_STOP_REQUEST);
    close(c.fd);
    c.fd = -1;
    client_end(&c);
}

static void a_connection_lost_while_the_guest_runs(void **state)
{
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 1, 1);
    client_send(&c, "c", 1);
    assert_int_equal(client_byte(&c), '+');
    close(c.fd);
    assert_int_equal(client_session_end(&c), MACHINE_STOP_HOOK);
    c.fd = -1;
    client_end(&c);
}

static void one_debugger_at_a_time(void **state)
{
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 1, 1);
    expect(&c, "qC", "QC1");
    struct client other = c;
    for (int i = 0; i < 3; i++) {
        other.fd = client_connect(&c);
        assert_int_equal(client_byte(&other), -1);
        close(other.fd);
        expect(&c, "qC", "QC1");
    }
    client_send(&c, "c", 1);
    other.fd = client_connect(&c);
    assert_int_equal(client_byte(&other), -1);
    close(other.fd);
    client_send_bytes(&c, "\003", 1);
    assert_string_equal(client_receive(&c), "T02thread:1;");
    client_end(&c);
}

/* What SIGTERM does: waiting for a debugger, or for its next packet, ends. */
static void waiting_ends(void **state)
{
    const uint64_t one = 1;
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 1, 1);
    expect(&c, "qC", "QC1");
    assert_int_equal(write(c.end_fd, &one, sizeof one), sizeof one);
    assert_int_equal(client_session_end(&c), MACHINE_STOP_REQUEST);
    assert_int_equal(client_byte(&c), -1);
    close(c.fd);
    client_begin_session(&c);
    assert_int_equal(client_session_end(&c), MACHINE_STOP_REQUEST);
    c.fd = -1;
    client_end(&c);
}

/* The debugger that has resumed the guest is told the status, whatever ended the run; and nobody else. */
static void exit_status(void **state)
{
    static const struct {
        int status;
        const char *reply;
    } rows[] = {{0, "W00"}, {9, "W09"}, {124, "W7c"}, {125, "W7d"}, {143, "W8f"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct client c;
        client_begin(&c, "mipsy", 1, 1);
        static const uint32_t stuck[] = {WAIT}; /* all interrupts are masked */
        memcpy(physmem_host(c.machine->mem, PROGRAM_BASE), stuck, sizeof stuck);
        client_send(&c, "vCont;c", 7);
        assert_int_equal(client_session_end(&c), MACHINE_STOP_DEADLOCK);
        c.no_ack = true;
        client_send_bytes(&c, "+", 1);
        gdb_server_end(c.server, rows[i].status);
        assert_string_equal(client_receive(&c), rows[i].reply);
        assert_int_equal(client_byte(&c), -1);
        close(c.fd);
        machine_free(c.machine);
        close(c.end_fd);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_announced),
        cmocka_unit_test(the_rest_is_not_supported),
        cmocka_unit_test(packet_size),
        cmocka_unit_test(no_acknowledgements),
        cmocka_unit_test(the_description_in_pieces),
        cmocka_unit_test(threads),
        cmocka_unit_test(memory),
        cmocka_unit_test(breakpoints),
        cmocka_unit_test(more_breakpoints_than_the_limit),
        cmocka_unit_test(watchpoints),
        cmocka_unit_test(the_last_stop_and_a_break),
        cmocka_unit_test(detach_and_connect_again),
        cmocka_unit_test(a_connection_lost_while_the_guest_runs),
        cmocka_unit_test(one_debugger_at_a_time),
        cmocka_unit_test(waiting_ends),
        cmocka_unit_test(exit_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
