#!/bin/sh
# Figures 4.6, 4.7 and 5.3: all sizes of caches in one pass over the same stretch of a workload, from its checkpoint.
#
#     workloads/paper/caches.sh SIMOS CHECKPOINTS OUT FORM NAME [INSNS]      NAME: pmake, pmake-mp8, ...
#
# Makes OUT/caches-NAME.tsv, .txt and figures, if they are not there or are older than the checkpoint or simos. Of the first INSNS
# instructions, or of a WINDOW=N.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
simos=$1 checkpoint=$2/$5$4.ckpt prefix=$3/caches-$5 name=$5 form=$4 insns=${6-}
if [ "$prefix.tsv" -nt "$checkpoint" ] && [ "$prefix.tsv" -nt "$simos" ]; then
    exit 0
fi
echo "caches of $name"
case $name in
*-mp8) set -- --machine 1994-mp8 --over figure-5.3 ;;
*) set -- --machine 1994 --over figure-4.6 --over figure-4.7 --over figure-5.3 ;;
esac
for assignment in $("$here/parameters.sh" "$name$form"); do
    set -- "$@" --set "$assignment"
done
if [ -n "${WINDOW:-}" ]; then
    set -- "$simos" restore "$checkpoint" --window "$WINDOW" "$@"
else
    set -- "$here/../limit.sh" "$simos" "$checkpoint" "$insns" "$@"
fi
rm -f "$prefix.tsv"
"$@" --quiet --warmup 0 --cpu embra --script "$here/annotations.tcl" --out "$prefix.new" >"$prefix.out" 2>"$prefix.err" || {
    echo "caches of $name: $(tail -n 1 "$prefix.err")" >&2
    exit 1
}
# The counts come last: they say that all of it is there.
for made in "$prefix".new*; do
    case $made in
    *.tsv) ;;
    *) mv "$made" "$prefix${made#"$prefix".new}" ;;
    esac
done
mv "$prefix.new.tsv" "$prefix.tsv"
