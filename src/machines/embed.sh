#!/bin/sh
# Prints C source that holds the machine descriptions given as arguments, each under its file's name without ".tcl",
# sorted by name.
set -eu
echo '/* Made from the files of src/machines by src/machines/embed.sh. */'
echo '#include "src/machine_file.h"'
echo 'const struct machine_text machine_texts[] = {'
for file in $(printf '%s\n' "$@" | sed 's/\.tcl$//' | LC_ALL=C sort); do
    printf '    {"%s",\n' "$(basename "$file")"
    sed 's/[\\"]/\\&/g; s/.*/     "&\\n"/' "$file.tcl"
    echo '    },'
done
echo '    {0},'
echo '};'
