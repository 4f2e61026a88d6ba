/*
 * Description files of clusters (src/cluster/cluster_file.h): valid files are parsed, invalid ones are rejected with a
 * message that names file, line and reason.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "src/cluster/cluster_file.h"
#include <stdio.h>

static void nodes_come_with_their_words(void **state)
{
    (void)state;
    static const char text[] = "# two machines\n"
                               "set common {--cpu embra --memory 64M}\n"
                               "service server {*}$common -- sh -c {nc -l | md5sum}\n"
                               "foreach n {1 2} { node client-$n {*}$common -- echo $n }\n"
                               "node idle\n";
    struct cluster_file file;
    struct err err = {""};
    if (!cluster_file_parse(&file, "two.tcl", text, &err))
        fail_msg("%s", err.text);
    assert_int_equal(file.count, 4);
    assert_string_equal(file.nodes[0].name, "server");
    assert_true(file.nodes[0].service);
    assert_int_equal(file.nodes[0].word_count, 8);
    assert_string_equal(file.nodes[0].words[0], "--cpu");
    assert_string_equal(file.nodes[0].words[7], "nc -l | md5sum");
    assert_string_equal(file.nodes[2].name, "client-2");
    assert_false(file.nodes[2].service);
    assert_string_equal(file.nodes[2].words[6], "2");
    assert_int_equal(file.nodes[3].word_count, 0);
    cluster_file_release(&file);
}

static void a_bad_file_is_named_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "cluster bad.tcl: there is no `node NAME ...` in it"},
        {"service a", "cluster bad.tcl: there is no `node NAME ...` in it"},
        {"\nnode", "cluster bad.tcl, line 2: wrong # args: should be \"node NAME ?WORD ...?\""},
        {"node a\nnode a", "cluster bad.tcl, line 2: node \"a\": this name is already used"},
        {"node {a b}", "node \"a b\": a name is"},
        {"node ../a", "node \"../a\": a name is"},
        {"node {}", "node \"\": a name is"},
        {"node abcdefghijabcdefghijabcdefghijab", "a name is 1 to 31"},
        {"for {set i 0} {$i < 65} {incr i} {node n$i}", "node \"n64\": too many nodes"},
        {"nodes a", "line 1: invalid command name \"nodes\""},
        {"exec true", "invalid command name \"exec\""},
        {"node a {", "missing close-brace"},
        {"while 1 {}", "takes more than 1000000 commands"},
        {"expr {7**20000000}", "takes more than 1000000 commands, 4 s"}, /* not interruptible in Tcl */
        {"after 100000", "invalid command name"},                        /* would wait */
        {"interp create a; a eval {after 100000}", "invalid command name"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cluster_file file;
        struct err err = {""};
        assert_false(cluster_file_parse(&file, "bad.tcl", rows[i].text, &err));
        if (!strstr(err.text, rows[i].message))
            fail_msg("%s: %s", rows[i].text, err.text);
        cluster_file_release(&file);
    }
}

static void what_is_no_text_is_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/simos-cluster.XXXXXX";
    struct cluster_file file;
    struct err err = {""};
    int fd = mkstemp(path);
    FILE *out = fdopen(fd, "w");
    assert_non_null(out);
    fwrite("node a\0", 1, 7, out);
    fclose(out);
    assert_false(cluster_file_read(&file, path, &err));
    assert_non_null(strstr(err.text, "is not a text file"));
    cluster_file_release(&file);
    remove(path);
    err = (struct err){""};
    assert_false(cluster_file_read(&file, path, &err));
    assert_non_null(strstr(err.text, "No such file"));
    cluster_file_release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_come_with_their_words),
        cmocka_unit_test(a_bad_file_is_named_with_its_line),
        cmocka_unit_test(what_is_no_text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
