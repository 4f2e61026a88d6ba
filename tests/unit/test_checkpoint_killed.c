/*
 * A process that is killed during a save (docs/how-to/checkpoints.md): at any system call, before or after it, the file
 * is either the old one or the complete new one. A save that fails leaves the old file, reports the reason, and removes
 * its temporary file.
 */
#include <stdio.h>
#include <dirent.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "checkpoint_fixture.h"
#include "tests/checkpoint/contents.h"

static char folder[64], path[96];
static struct toy *toy;
static struct bytes old_file, new_file;

/* Count the files in the folder, and remove temporary files of killed processes. */
static unsigned files_in_folder(void)
{
    unsigned count = 0;
    struct dirent *entry;
    DIR *open = opendir(folder);
    while ((entry = readdir(open))) {
        char name[400];
        count += entry->d_name[0] != '.';
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        if (strstr(name, ".new-"))
            unlink(name);
    }
    closedir(open);
    return count;
}

static void save_whole(struct bytes *file)
{
    struct err err = {""};
    if (!toy_save(toy, path, &err))
        fail_msg("%s", err.text);
    assert_true(bytes_read(file, path));
}

/* Two different files: of a machine, and of the same machine with more state. */
static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/simos-killed-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/toy.ckpt", folder);
    toy = toy_create(TOY_HZ);
    toy_live(toy);
    save_whole(&old_file);
    uint32_t noise = 7;
    for (unsigned i = 0; i < 10 * PAGE_SIZE; i++) {
        noise = noise * 1664525 + 1013904223;
        physmem_host(toy->mem, 3 * PAGE_SIZE)[i] = (uint8_t)(noise >> 24);
    }
    save_whole(&new_file);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    toy_free(toy);
    free(old_file.at);
    free(new_file.at);
    unlink(path);
    return rmdir(folder);
}

/* Continue PROCESS to the next entry or exit of a system call. False: it has ended. */
static bool go_on(pid_t process)
{
    int status = 0;
    if (ptrace(PTRACE_SYSCALL, process, NULL, NULL) != 0 || waitpid(process, &status, 0) != process)
        fail_msg("the process cannot be followed");
    return WIFSTOPPED(status);
}

/* Kill a saving process at its stop NUMBER. False: it ended before. */
static bool kill_at(unsigned number)
{
    struct err err = {""};
    int status;
    bool stopped = true;
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(2);
        raise(SIGSTOP);
        _exit(!toy_save(toy, path, &err));
    }
    pid_t waited = waitpid(process, &status, 0);
    if (waited == process && WIFEXITED(status) && WEXITSTATUS(status) == 2)
        skip(); /* no ptrace, as under QEMU user mode */
    if (waited != process || !WIFSTOPPED(status))
        fail_msg("no process can be followed here");
    for (unsigned i = 0; stopped && i < number; i++)
        stopped = go_on(process);
    if (stopped) {
        kill(process, SIGKILL);
        waitpid(process, &status, 0);
    }
    return stopped;
}

static bool is_file(const struct bytes *expected)
{
    struct bytes there;
    assert_true(bytes_read(&there, path));
    bool same = there.size == expected->size && memcmp(there.at, expected->at, there.size) == 0;
    free(there.at);
    return same;
}

static void killed_at_any_system_call(void **state)
{
    (void)state;
    unsigned number = 1, old = 0, begun = 0;
    /* With sanitizers the number of system calls varies. */
    for (bool stopped = true; stopped; number++) {
        assert_true(bytes_write(&old_file, path));
        stopped = kill_at(number);
        bool is_old = is_file(&old_file);
        if (!is_old && !is_file(&new_file))
            fail_msg("killed at stop %u: neither the old file nor the new one", number);
        old += is_old;
        begun += files_in_folder() > 1;
    }
    assert_true(is_file(&new_file));
    assert_in_range(old, 8, 10000);          /* before and after each of create, write, fsync, rename */
    assert_in_range(begun, 2, old);          /* at some of these stops a temporary file was incomplete */
    assert_in_range(number - old, 2, 10000); /* some stops are after the rename */
}

/* Test every maximum file size. */
static void a_full_disk_leaves_what_was_there(void **state)
{
    (void)state;
    struct rlimit limit, before;
    unsigned refused = 0;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t size = 0; size < new_file.size; size += 1 + size / 7) {
        struct err err = {""};
        assert_true(bytes_write(&old_file, path));
        limit = (struct rlimit){size, before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        bool saved = toy_save(toy, path, &err);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_false(saved);
        assert_non_null(strstr(err.text, "File too large"));
        assert_non_null(strstr(err.text, path));
        assert_true(is_file(&old_file));
        assert_int_equal(files_in_folder(), 1);
        refused++;
    }
    assert_in_range(refused, 20, 10000);
    struct err err = {""};
    assert_false(toy_save(toy, "/dev/full", &err));
    assert_string_equal(err.text, "checkpoint /dev/full: No space left on device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_at_any_system_call),
        cmocka_unit_test(a_full_disk_leaves_what_was_there),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
