/* mxs: output files for pipeline viewers (Konata's "Kanata" format 0004; O3PipeView), for a chain of three additions:
 * fetched in cycle 0, issued in 2, 3 and 4, complete and graduated one cycle later. */
#include <stdlib.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "tests/unit/mxs_bench.h"

static char *file_of(const char *format)
{
    char path[] = "/tmp/simos-mxs-view-XXXXXX", view[64], kind[64];
    static char text[4096];
    const uint32_t words[] = {ADDIU(T0, T0, 1), ADDIU(T0, T0, 1), ADDIU(T0, T0, 1), BRANCH_BACK(0), NOP};
    close(mkstemp(path));
    snprintf(view, sizeof view, "mxs.view=%s", path);
    snprintf(kind, sizeof kind, "mxs.view_format=%s", format);
    struct machine *machine = BENCH("cache.model=none", "mxs.view_count=3", view, kind);
    start_program(machine, 0, words, 5);
    bench_graduates(machine, 5);
    machine_free(machine);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    unlink(path);
    return text;
}

static void konata(void **state)
{
    (void)state;
#define FETCHED(n, pc) "I\t" #n "\t" #n "\t0\nL\t" #n "\t0\t" pc ": addiu   $t0, $t0, 1\nS\t" #n "\t0\tF\n"
    assert_string_equal(file_of("konata"), "Kanata\t0004\nC=\t0\n" FETCHED(0, "80200000") FETCHED(1, "80200004")
                                               FETCHED(2, "80200008") "C\t2\nS\t0\t0\tX\n"
                                                                      "C\t1\nS\t0\t0\tG\nR\t0\t0\t0\nS\t1\t0\tX\n"
                                                                      "C\t1\nS\t1\t0\tG\nR\t1\t1\t0\nS\t2\t0\tX\n"
                                                                      "C\t1\nS\t2\t0\tG\nR\t2\t2\t0\n");
}

static void o3pipeview(void **state)
{
    (void)state;
    const char *text = file_of("o3pipeview");
    assert_non_null(strstr(text, "O3PipeView:fetch:0:0x80200004:0:2:addiu   $t0, $t0, 1\nO3PipeView:decode:0\n"
                                 "O3PipeView:rename:0\nO3PipeView:dispatch:0\nO3PipeView:issue:3000\n"
                                 "O3PipeView:complete:4000\nO3PipeView:retire:4000:store:0\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(konata), cmocka_unit_test(o3pipeview)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
