#!/bin/sh
# Prints C source that holds the libraries given as arguments, each under its file's name without ".tcl", sorted by name.
set -eu
echo '/* Made from the files of annotations/linux by annotations/linux/embed.sh. */'
echo '#include "annotations/annotate_state.h"'
echo 'const struct annotate_library annotate_libraries[] = {'
for file in $(printf '%s\n' "$@" | sed 's/\.tcl$//' | LC_ALL=C sort); do
    printf '    {"%s",\n' "$(basename "$file")"
    sed 's/[\\"]/\\&/g; s/.*/     "&\\n"/' "$file.tcl"
    echo '    },'
done
echo '    {0},'
echo '};'
