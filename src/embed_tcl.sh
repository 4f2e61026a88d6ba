#!/bin/sh
# Prints C source that holds Tcl files as texts, each under its file's name without ".tcl", sorted by name, and {0} at
# the end:
#
#     src/embed_tcl.sh HEADER TYPE ARRAY FILE.tcl...
#
# HEADER declares `const struct TYPE ARRAY[]`, whose members are the name and the text.
set -eu
header=$1 type=$2 array=$3
shift 3
echo "/* Made from the files of $(dirname "$1") by src/embed_tcl.sh. */"
echo "#include \"$header\""
echo "const struct $type $array[] = {"
for file in $(printf '%s\n' "$@" | sed 's/\.tcl$//' | LC_ALL=C sort); do
    printf '    {"%s",\n' "$(basename "$file")"
    sed 's/[\\"]/\\&/g; s/.*/     "&\\n"/' "$file.tcl"
    echo '    },'
done
echo '    {0},'
echo '};'
