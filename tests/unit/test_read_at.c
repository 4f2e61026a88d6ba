/* read_at: bytes from an offset, fewer only at the end of the file; the file's position stays. */
#include "src/base/read_at.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "tests/unit/test.h"

static void what_the_file_has(void **state)
{
    (void)state;
    char buffer[8] = {0};
    FILE *file = tmpfile();
    assert_non_null(file);
    const int fd = fileno(file);
    assert_int_equal(write(fd, "0123456789", 10), 10);
    lseek(fd, 3, SEEK_SET);
    assert_int_equal(read_at(fd, buffer, 4, 2), 4);
    assert_string_equal(buffer, "2345");
    assert_int_equal(read_at(fd, buffer, sizeof buffer, 7), 3);
    assert_memory_equal(buffer, "7895", 4);
    assert_int_equal(read_at(fd, buffer, 4, 10), 0);
    assert_int_equal(read_at(fd, buffer, 0, 2), 0);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 3);
    fclose(file);
}

static void what_cannot_be_read(void **state)
{
    (void)state;
    char byte;
    const int folder = open("/", O_RDONLY);
    assert_int_equal(read_at(folder, &byte, 1, 0), -1);
    assert_int_equal(errno, EISDIR);
    close(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_the_file_has), cmocka_unit_test(what_cannot_be_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
