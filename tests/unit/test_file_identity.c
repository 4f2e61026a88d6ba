/*
 * File identities: size and SHA-256 (FIPS 180-4, its examples); the cache never returns a result for other contents.
 */
#include "src/base/file_identity_cache.h"

#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ABC   "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static char folder[64], path[96];

static void put(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Set the file's modification time to AGO seconds ago. */
static void set_age(time_t ago)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_sec = time(NULL) - ago}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void check(const char *digest, uint64_t size)
{
    struct file_identity identity;
    struct err err = {""};
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    assert_true(file_identity_find(&identity, fd, path, &err));
    assert_string_equal(identity.digest, digest);
    assert_int_equal(identity.size, size);
    close(fd);
}

static void the_digest_is_that_of_the_standard(void **state)
{
    (void)state;
    put("abc");
    check(ABC, 3);
    put("");
    check(EMPTY, 0);
}

/* A change within the resolution of the file system's time stamps, with the same size. */
static void a_change_is_seen_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        put("abd");
        set_age(1);
        put("abc");
        set_age(1);
        check(ABC, 3);
    }
    set_age(1000); /* old mtime, new ctime */
    put("abd");
    set_age(1000);
    put("abc");
    set_age(1000);
    check(ABC, 3);
}

/* The result is cached for a file that is unchanged for some seconds (so this test takes some): the cached result is
 * modified to observe its use. A change of the file invalidates it. */
static void an_answer_is_kept(void **state)
{
    char command[320], kept[] = ABC;
    (void)state;
    put("abc");
    sleep(4);
    check(ABC, 3);
    kept[0] = 'c';
    snprintf(command, sizeof command, "sed -i s/%.8s/%.8s/ %s/simos/identities/*", ABC, kept, folder);
    assert_int_equal(system(command), 0);
    check(kept, 3);
    put("");
    check(EMPTY, 0);
}

/* A damaged cache or missing folder: the file is read. */
static void a_damaged_folder_does_no_harm(void **state)
{
    (void)state;
    put("abc");
    setenv("XDG_CACHE_HOME", "/nowhere/at/all", 1);
    check(ABC, 3);
    setenv("XDG_CACHE_HOME", path, 1); /* a file */
    check(ABC, 3);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    check(ABC, 3);
}

/* The place of the file's identity in the cache. */
static const char *place(void)
{
    static char name[128];
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    snprintf(name, sizeof name, "%s/simos/identities/%02x", folder,
             (unsigned)((status.st_dev * 31 + status.st_ino) % 256));
    return name;
}

/* Only a regular file is read there, and nothing is waited for. */
static void what_is_no_file_there_is_not_read(void **state)
{
    static const char *const links[] = {"/dev/zero", "/dev/tty", "/proc/kmsg", "nothing"};
    (void)state;
    put("abc");
    check(ABC, 3); /* makes the folder */
    alarm(20);     /* ends this program */
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        assert_int_equal(symlink(links[i], place()), 0);
        check(ABC, 3);
        unlink(place());
    }
    assert_int_equal(mkfifo(place(), 0600), 0);
    check(ABC, 3);
    unlink(place());
    assert_int_equal(mkdir(place(), 0700), 0);
    check(ABC, 3);
    alarm(0);
}

/* Of a line that is cut nothing is taken. */
static void a_damaged_line_is_not_taken(void **state)
{
    char line[320], digest[] = ABC;
    struct stat status;
    (void)state;
    put("abc");
    check(ABC, 3);
    digest[0] = 'c';
    assert_int_equal(stat(path, &status), 0);
    const int length = snprintf(line, sizeof line, "%lx:%lx %ld %ld.%09ld %ld.%09ld %s\n", (unsigned long)status.st_dev,
                                (unsigned long)status.st_ino, (long)status.st_size, (long)status.st_mtim.tv_sec,
                                status.st_mtim.tv_nsec, (long)status.st_ctim.tv_sec, status.st_ctim.tv_nsec, digest);
    for (int part = 0; part <= length; part++) {
        int fd = open(place(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        assert_int_equal(write(fd, line, (size_t)part), part);
        close(fd);
        check(part < length ? ABC : digest, 3);
    }
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, P_tmpdir "/simos-identity-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    return setenv("XDG_CACHE_HOME", folder, 1);
}

static int remove_folder(void **state)
{
    char command[160];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

#define IDENTITY_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IDENTITY_TEST(the_digest_is_that_of_the_standard),
        IDENTITY_TEST(a_change_is_seen_at_once),
        IDENTITY_TEST(an_answer_is_kept),
        IDENTITY_TEST(a_damaged_folder_does_no_harm),
        IDENTITY_TEST(what_is_no_file_there_is_not_read),
        IDENTITY_TEST(a_damaged_line_is_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
