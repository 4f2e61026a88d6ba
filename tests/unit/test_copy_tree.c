/* Creating files at untrusted paths below a folder, and nowhere else (copy_tree.h). */
#include "src/host/copy_tree.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/unit/test.h"

/* A folder "in" beside a folder "out" that must not change: a file "victim" and a folder "dir". */
struct fixture {
    char path[64];
    struct copy_tree tree;
    struct err err;
};

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void assert_holds(const char *path, const char *text)
{
    char bytes[64] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t count = fread(bytes, 1, sizeof bytes - 1, f);
    bytes[count] = 0;
    fclose(f);
    assert_string_equal(bytes, text);
}

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    strcpy(fixture->path, P_tmpdir "/simos-tree-XXXXXX");
    assert_non_null(mkdtemp(fixture->path));
    assert_int_equal(chdir(fixture->path), 0);
    assert_int_equal(mkdir("in", 0777) | mkdir("out", 0777) | mkdir("out/dir", 0777), 0);
    write_file("out/victim", "safe");
    assert_true(copy_tree_open(&fixture->tree, "in", &fixture->err));
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    char command[128];
    copy_tree_close(&fixture->tree);
    assert_holds("out/victim", "safe");
    assert_int_equal(rmdir("out/dir"), 0); /* still there, still empty */
    snprintf(command, sizeof command, "rm -rf %s", fixture->path);
    assert_int_equal(system(command), 0);
    free(fixture);
    return 0;
}

static bool make_file(struct fixture *fixture, const char *path, unsigned mode, const char *text)
{
    struct copy_tree *tree = &fixture->tree;
    fixture->err.text[0] = 0;
    return copy_tree_begin_file(tree, path, mode, &fixture->err) &&
           copy_tree_write(tree, 0, text, strlen(text), &fixture->err) &&
           copy_tree_end_file(tree, strlen(text), &fixture->err);
}

static unsigned mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode & 07777;
}

static void test_files_and_folders(void **state)
{
    struct fixture *fixture = *state;
    assert_true(make_file(fixture, "a/b/c", 0640, "hello"));
    assert_holds("in/a/b/c", "hello");
    assert_int_equal(mode_of("in/a/b/c"), 0640);
    assert_true(copy_tree_make_folder(&fixture->tree, "a/d", 0500, &fixture->err));
    assert_int_equal(mode_of("in/a/d"), 0700); /* its owner can use it */
    assert_true(copy_tree_make_folder(&fixture->tree, "a", 0755, &fixture->err));
    assert_true(copy_tree_make_link(&fixture->tree, "a/e", "a/b/c", &fixture->err));
    assert_holds("in/a/e", "hello");
    assert_true(copy_tree_make_symlink(&fixture->tree, "a/l", "b/c", &fixture->err));
    assert_holds("in/a/l", "hello");
    assert_int_not_equal(access("in/a/b/.simos-copy-out", F_OK), 0);
}

/* Permissions are copied, set-user-ID bits are not. */
static void test_no_set_user_id(void **state)
{
    struct fixture *fixture = *state;
    assert_true(make_file(fixture, "a", 07755, ""));
    assert_int_equal(mode_of("in/a"), 0755);
    assert_true(copy_tree_make_folder(&fixture->tree, "d", 07777, &fixture->err));
    assert_int_equal(mode_of("in/d"), 0755);
}

/* The host's umask applies, and existing folders keep their permissions. */
static void test_umask(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(mkdir("in/private", 0700), 0);
    assert_true(copy_tree_make_folder(&fixture->tree, "private", 0777, &fixture->err));
    assert_int_equal(mode_of("in/private"), 0700);
    mode_t before = umask(077);
    struct copy_tree tree;
    assert_true(copy_tree_open(&tree, "in", &fixture->err));
    assert_true(copy_tree_make_folder(&tree, "closed", 0777, &fixture->err));
    assert_true(copy_tree_begin_file(&tree, "closed/file", 0666, &fixture->err));
    assert_true(copy_tree_end_file(&tree, 0, &fixture->err));
    copy_tree_close(&tree);
    umask(before);
    assert_int_equal(mode_of("in/closed"), 0700);
    assert_int_equal(mode_of("in/closed/file"), 0600);
}

/* Existing files are replaced atomically: open descriptors and other links keep the old contents. */
static void test_replaced_by_rename(void **state)
{
    struct fixture *fixture = *state;
    write_file("in/a", "old");
    assert_int_equal(link("in/a", "in/other"), 0);
    assert_int_equal(symlink("../out/victim", "in/s"), 0);
    assert_true(make_file(fixture, "a", 0644, "new"));
    assert_true(make_file(fixture, "s", 0644, "new")); /* the link itself is replaced */
    assert_holds("in/a", "new");
    assert_holds("in/other", "old");
    assert_holds("in/s", "new");
    /* An unfinished file leaves nothing. */
    assert_true(copy_tree_begin_file(&fixture->tree, "a", 0644, &fixture->err));
    assert_true(copy_tree_write(&fixture->tree, 0, "half", 4, &fixture->err));
    copy_tree_drop_file(&fixture->tree);
    assert_holds("in/a", "new");
    assert_int_not_equal(access("in/.simos-copy-out", F_OK), 0);
    /* A folder cannot be replaced by a file. */
    assert_int_equal(mkdir("in/d", 0777), 0);
    assert_false(make_file(fixture, "d", 0644, "new"));
}

static void test_paths_that_lead_out(void **state)
{
    static const char *const paths[] = {
        "../out/victim", "/etc/x",          "a/../../out/victim", "..", ".", "", "a/./b", "a//b", "a/b/", "/", "a/..",
        "./a",           ".simos-copy-out", "a/.simos-copy-out"};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        fixture->err.text[0] = 0;
        assert_false(make_file(fixture, paths[i], 0644, "bad"));
        assert_true(fixture->err.text[0]);
        assert_false(copy_tree_make_folder(&fixture->tree, paths[i], 0755, &fixture->err));
        assert_false(copy_tree_make_symlink(&fixture->tree, paths[i], "x", &fixture->err));
    }
    char name[400];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    assert_false(make_file(fixture, name, 0644, "bad"));
}

/* Neither existing links nor links of the stream are followed. */
static void test_links_are_not_followed(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(symlink("../out", "in/l"), 0);
    assert_int_equal(symlink("../out/dir", "in/d"), 0);
    assert_false(make_file(fixture, "l/victim", 0644, "bad"));
    assert_false(make_file(fixture, "l/dir/x", 0644, "bad"));
    assert_false(copy_tree_make_folder(&fixture->tree, "d", 0777, &fixture->err));
    assert_false(copy_tree_make_folder(&fixture->tree, "d/x", 0777, &fixture->err));
    assert_false(copy_tree_make_symlink(&fixture->tree, "d/x", "y", &fixture->err));
    assert_true(make_file(fixture, "ok", 0644, ""));
    assert_false(copy_tree_make_link(&fixture->tree, "new", "l/victim", &fixture->err));
    assert_false(copy_tree_make_link(&fixture->tree, "l/dir/new", "ok", &fixture->err));
    assert_false(copy_tree_make_link(&fixture->tree, "new", "l", &fixture->err)); /* no hard link to a link */
    assert_false(copy_tree_make_link(&fixture->tree, "new", "../out/victim", &fixture->err));
}

static void test_targets_of_links(void **state)
{
    static const struct {
        const char *path, *target;
        bool allowed;
    } cases[] = {
        {"l1", "x", true},
        {"l2", "x/y/./z", true},
        {"l3", "/etc/passwd", false},
        {"l4", "../x", false},
        {"a/l5", "../x", true},
        {"a/l6", "..", true},
        {"a/l7", "../../x", false},
        {"a/b/l8", "../../x", true},
        {"l9", "a/../x", false},
        {"a/l10", "b/..", false},
        {"l11", "", false},
        {"l12", "./../x", false},
        {"a/l13", ".././x", true},
        {"l14", "...", true},
        {"l15", "..x", true},
        {"a/l16", ".//..//..", false},
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (copy_tree_make_symlink(&fixture->tree, cases[i].path, cases[i].target, &fixture->err) != cases[i].allowed)
            fail_msg("%s -> %s", cases[i].path, cases[i].target);
}

static void test_missing_folder(void **state)
{
    struct fixture *fixture = *state;
    struct copy_tree tree;
    assert_false(copy_tree_open(&tree, "nowhere", &fixture->err));
    assert_non_null(strstr(fixture->err.text, "nowhere"));
    assert_false(copy_tree_open(&tree, "out/victim", &fixture->err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files_and_folders, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_set_user_id, setup, teardown),
        cmocka_unit_test_setup_teardown(test_umask, setup, teardown),
        cmocka_unit_test_setup_teardown(test_replaced_by_rename, setup, teardown),
        cmocka_unit_test_setup_teardown(test_paths_that_lead_out, setup, teardown),
        cmocka_unit_test_setup_teardown(test_links_are_not_followed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_targets_of_links, setup, teardown),
        cmocka_unit_test_setup_teardown(test_missing_folder, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
