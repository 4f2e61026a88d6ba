/*
 * Files that come with the program: its guest, its pages, the scripts that Tcl begins with. They are found by where the
 * executable is, in a build, below the PREFIX of `make install` and in a wheel alike. No file is opened.
 */
#ifndef SIMOS_BASE_SHIPPED_FILES_H
#define SIMOS_BASE_SHIPPED_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Find NAME, a file or folder, in the folder of the executable or in one of the UP above it, the nearest. PATH of SIZE
 * bytes gets its absolute path. False if it is in none of them. */
bool shipped_file_find(const char *name, unsigned up, char *path, size_t size);

#endif
