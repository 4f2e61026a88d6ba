#include "src/base/shipped_files.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool shipped_file_find(const char *name, unsigned up, char *path, size_t size)
{
    char folder[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (length <= 0)
        return false;
    folder[length] = 0;
    for (unsigned i = 0; i <= up; i++) {
        char *slash = strrchr(folder, '/');
        if (!slash)
            return false;
        *slash = 0;
        int needed = snprintf(path, size, "%s/%s", folder, name);
        if (needed > 0 && (size_t)needed < size && access(path, F_OK) == 0)
            return true;
    }
    return false;
}
