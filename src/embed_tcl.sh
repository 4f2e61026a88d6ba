#!/bin/sh
# Prints C source that holds files as texts, each under its file's name without what is behind the dot, sorted by name,
# and {0} at the end:
#
#     src/embed_tcl.sh HEADER TYPE ARRAY FILE.SUFFIX...
#
# HEADER declares `const struct TYPE ARRAY[]`, whose members are the name and the text.
set -eu
header=$1 type=$2 array=$3
shift 3
echo "/* Made from the files of $(dirname "$1") by src/embed_tcl.sh. */"
echo "#include \"$header\""
echo "const struct $type $array[] = {"
for file in $(printf '%s\n' "$@" | LC_ALL=C sort -t . -k 1,1); do
    name=$(basename "$file")
    printf '    {"%s",\n' "${name%.*}"
    sed 's/[\\"]/\\&/g; s/.*/     "&\\n"/' "$file"
    echo '    },'
done
echo '    {0},'
echo '};'
