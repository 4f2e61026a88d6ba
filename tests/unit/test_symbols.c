/* The symbol file: parsing, rejection, lookup. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/base/symbols.h"

static char path[] = "/tmp/simos-symbols-XXXXXX";

static struct symbols *load(const char *text, size_t length, struct err *err)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fwrite(text, 1, length, file);
    fclose(file);
    return symbols_load(path, err);
}

static void finds_by_name_and_by_address(void **state)
{
    (void)state;
    static const char text[] = "80200000 t twice\n80100000 T _text\nffffffff80100040 T wide\n80100010 t twice\n"
                               "c0000000 t module_thing\t[ext4]\n80100020 D data";
    struct err err = {""};
    struct symbols *symbols = load(text, strlen(text), &err);
    assert_non_null(symbols);
    assert_int_equal(symbols_find(symbols, "_text")->address, 0x80100000);
    assert_int_equal(symbols_find(symbols, "twice")->address, 0x80100010);
    assert_int_equal(symbols_find(symbols, "wide")->address, 0x80100040);
    struct address_list list = {0};
    vaddr address = 0;
    assert_true(symbols_find_all(symbols, "wide", &list));
    assert_int_equal(list.count, 1);
    assert_true(address_list_move(&list, "wide", 4, &err));
    assert_true(address_list_single(&list, "wide", &address, &err));
    assert_int_equal(address, 0x80100044);
    address_list_release(&list);
    assert_true(symbols_find_all(symbols, "twice", &list));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.address[0], 0x80100010);
    assert_int_equal(list.address[1], 0x80200000);
    assert_false(address_list_move(&list, "twice", 4, &err));
    assert_string_equal(err.text, "2 symbols are called \"twice\"; give the address of one: 0x80100010, 0x80200000");
    address_list_release(&list);
    assert_false(symbols_find_all(symbols, "twic", &list));
    assert_int_equal(list.count, 0);
    assert_int_equal(symbols_find(symbols, "data")->address, 0x80100020);
    assert_null(symbols_find(symbols, "module_thing"));
    assert_null(symbols_find(symbols, "twic"));
    assert_null(symbols_at(symbols, 0x800fffff));
    assert_string_equal(symbols_at(symbols, 0x80100000)->name, "_text");
    assert_string_equal(symbols_at(symbols, 0x8010000f)->name, "_text");
    assert_string_equal(symbols_at(symbols, 0x8010001f)->name, "twice");
    assert_int_equal(symbols_at(symbols, 0xffffffff)->address, 0x80200000);
    vaddr last = 0;
    size_t count = 0;
    for (const struct symbol *symbol; (symbol = symbols_get(symbols, count)); count++) {
        assert_true(symbol->address >= last);
        last = symbol->address;
    }
    assert_int_equal(count, 5);
    symbols_free(symbols);
}

static void refuses_what_is_no_symbol_file(void **state)
{
    (void)state;
    static const char *const bad[] = {"hello\n",          "80100000 T\n",     "80100000  T x\n",
                                      "1234567890 T x\n", "80100000 T a\n\n", "80100000 T a\n801 T\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = {""};
        assert_null(load(bad[i], strlen(bad[i]), &err));
        assert_non_null(strstr(err.text, path));
        assert_non_null(strstr(err.text, "line "));
    }
    struct err err = {""};
    assert_null(load("80100000 T a\0b\n", 15, &err));
    assert_null(symbols_load("/nonexistent", &err));
}

/* Without KALLSYMS_ALL data has no names in the file (and _gp is no data). */
static void data_has_names_if_the_file_has_data(void **state)
{
    (void)state;
    struct err err = {""};
    static const char functions[] = "80100000 T _text\n80200000 D _gp\n";
    struct symbols *symbols = load(functions, strlen(functions), &err);
    assert_null(symbols_exported_at(symbols, 0x80200010));
    symbols_free(symbols);
    static const char all[] = "80100000 T _text\n80200000 D _gp\n80200008 b jiffies\n";
    symbols = load(all, strlen(all), &err);
    assert_string_equal(symbols_exported_at(symbols, 0x80200010)->name, "jiffies");
    symbols_free(symbols);
}

static void an_empty_file_has_none(void **state)
{
    (void)state;
    struct err err = {""};
    struct symbols *symbols = load("", 0, &err);
    assert_non_null(symbols);
    assert_null(symbols_find(symbols, "x"));
    assert_null(symbols_at(symbols, 0x80000000));
    assert_null(symbols_get(symbols, 0));
    symbols_free(symbols);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_by_name_and_by_address),
        cmocka_unit_test(refuses_what_is_no_symbol_file),
        cmocka_unit_test(data_has_names_if_the_file_has_data),
        cmocka_unit_test(an_empty_file_has_none),
    };
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
