/* cmocka, with the headers that it needs before it. */
#ifndef SIMOS_TESTS_UNIT_TEST_H
#define SIMOS_TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* after these */
#include <cmocka.h>

#endif
