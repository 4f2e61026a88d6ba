#!/bin/sh
# Writes the patches of patches.list as files that KERNEL_PATCH takes, and prints their names:
#
#     workloads/placement/patches.sh ARCHIVE FOLDER
#
# ARCHIVE: the source of Linux, as KERNEL_SOURCE. The patches are FOLDER/NAME.patch; one that would be the same stays as it is.
#
# Environment: PLACEMENT_LIST, another list.
set -eu
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
list=${PLACEMENT_LIST:-$here/patches.list}
die() {
    echo "patches.sh: $*" >&2
    exit 1
}
[ $# = 2 ] || die "usage: patches.sh ARCHIVE FOLDER"
archive=$1 folder=$2
[ -f "$archive" ] || die "no archive $archive"
case $archive in /*) ;; *) archive=./$archive ;; esac

# NAME FILE EDIT of each patch
rows() {
    grep -v -e '^#' -e '^$' "$list"
}

# edit NAME FILE KIND REST: the file of the source, edited, on the standard output
edit() {
    path=$work/old/$2 rest=$4
    first=${rest%% *} second=${rest#* }
    case $3 in
    pad)
        cat "$path"
        printf '\nasm(".pushsection .text\\n\\t.space %d\\n\\t.popsection");\n' "$rest"
        ;;
    function)
        cat "$path"
        printf '\nstatic void __used noinline placement_%s(void)\n{\n\tasm volatile(".space %d");\n}\n' "$1" "$rest"
        ;;
    comment) sed "0,/^[a-z].*[ *]$first(/s|^[a-z].*[ *]$first(|/* Nothing is different but\\n * for this comment. */\\n&|" "$path" ;;
    rename)
        ! grep -qw "$second" "$path" || die "$1: $2 has a $second already"
        sed "s/\\<$first\\>/$second/g" "$path"
        ;;
    move) sed "/^[a-z].*[ *]$first(/,/^}/{H;d}; /^[a-z].*[ *]$second(/,/^}/{/^}/G}" "$path" ;;
    sed) sed "$rest" "$path" ;;
    *) die "$1: there is no edit $3" ;;
    esac
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/old"
rows | awk '!seen[$2]++ { print "*/" $2 }' >"$work/files"
tar -x -f "$archive" -C "$work/old" --strip-components 1 --wildcards --no-wildcards-match-slash -T "$work/files" 2>"$work/log" ||
    die "$archive: $(head -n 1 "$work/log")"
mkdir -p "$folder" "$work/patches"
rows | while read -r name file kind rest; do
    mkdir -p "$work/new/${file%/*}"
    edit "$name" "$file" "$kind" "$rest" >"$work/new/$file"
    ! cmp -s "$work/old/$file" "$work/new/$file" || die "$name changes nothing in $file"
    (cd "$work" && diff -u --label "a/$file" --label "b/$file" "old/$file" "new/$file") >>"$work/patches/$name.patch" || [ $? = 1 ]
done
rows | awk '!seen[$1]++ { print $1 }' | while read -r name; do
    cmp -s "$work/patches/$name.patch" "$folder/$name.patch" || mv "$work/patches/$name.patch" "$folder/$name.patch"
    echo "$name"
done
