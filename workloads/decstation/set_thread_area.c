/*
 * musl's thread pointer in a variable, where `rdhwr` would be an exception and an emulated instruction each time that a
 * program looks at errno. There is one thread: 1 tells musl that it cannot make more.
 */
#include "pthread_impl.h"
#include "syscall.h"

hidden uintptr_t __thread_pointer;

int __set_thread_area(void *pointer)
{
    __thread_pointer = (uintptr_t)pointer;
    return __syscall(SYS_set_thread_area, pointer) < 0 ? -1 : 1;
}
