#!/bin/sh
# against.sh MAKE PROGRAM REV: builds PROGRAM, a path below build/, as it was at commit REV, and prints where it is. If REV
# is the path of an executable, with a slash, a copy of that is meant.
#
# It is built in build/bench-against/COMMIT with the variables that this make was given, once. Its guest is this tree's:
# a pair of runs is of the same kernel and programs.
set -eu
make=$1 program=$2 rev=$3

die()
{
    echo "bench: $*" >&2
    exit 1
}

# repository COMMAND...: git also where the tree is another user's
repository()
{
    git -c safe.directory="$(pwd)" "$@"
}

case $rev in
*/*)
    if [ -f "$rev" ] && [ -x "$rev" ]; then
        tree=build/bench-against/executable
        mkdir -p "$tree/${program%/*}"
        cp -f "$rev" "$tree/$program"
        ln -sfn "$(pwd)/build/guest" "$tree/${program%/*}/guest"
        echo "$tree/$program"
        exit
    fi
    ;;
esac
commit=$(repository rev-parse --verify --quiet "$rev^{commit}") || die "BENCH_AGAINST: '$rev' is no commit here and no path of a program"
tree=build/bench-against/$commit
if [ ! -f "$tree/Makefile" ]; then
    rm -rf "$tree" "$tree.new"
    mkdir -p "$tree.new"
    repository archive "$commit" >"$tree.tar"
    tar -x -f "$tree.tar" -C "$tree.new"
    rm "$tree.tar"
    mv "$tree.new" "$tree"
fi
if [ ! -x "$tree/$program" ]; then
    echo "bench: building $rev in $tree" >&2
    # COMMIT: in this folder git would say this tree's.
    $make --no-print-directory -C "$tree" COMMIT="$(repository rev-parse --short "$commit")" "$program" >&2
fi
ln -sfn "$(pwd)/build/guest" "$tree/${program%/*}/guest"
echo "$tree/$program"
