/* array_room: every element is kept, and memory is asked for at each power of two only. */
#include <stdlib.h>
#include "tests/unit/test.h"

static size_t asked, asked_bytes;

static void *counted_realloc(void *memory, size_t size)
{
    asked++;
    asked_bytes += size;
    return realloc(memory, size);
}
#define realloc counted_realloc
#include "src/base/array.h"
#undef realloc

static void grows_by_one(void **state)
{
    (void)state;
    uint64_t *array = NULL;
    size_t count = 0;
    asked = asked_bytes = 0;
    while (count < 1000) {
        array = array_room(array, count, sizeof *array);
        array[count] = count * 7;
        count++;
    }
    for (size_t i = 0; i < count; i++)
        assert_int_equal(array[i], i * 7);
    /* 1, 2, 4 ... 1024 elements */
    assert_int_equal(asked, 11);
    assert_int_equal(asked_bytes, 2047 * sizeof *array);
    free(array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(grows_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
