#!/bin/sh
# instructions.sh MEASURE COMMAND...: runs COMMAND and prints how many instructions the host executed for it in user mode.
# With `which` in place of COMMAND: prints what counts them here, "processor" or "valgrind".
#
# The processor counts where the system lets it, otherwise valgrind (cachegrind without its cache model), which sees the
# same instructions and is twenty times slower or more. The command's output is thrown away, unless it fails.
set -u
measure=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

die()
{
    echo "bench: $*" >&2
    exit 1
}

counter=processor
"$measure" "$work/cost" true || die "$measure does not run"
if [ "$(cut -d ' ' -f 4 "$work/cost")" = 0 ]; then
    counter=valgrind
    command -v valgrind >/dev/null ||
        die "this processor's instruction counter cannot be read and there is no valgrind"
fi
if [ "$*" = which ]; then
    echo $counter
    exit 0
fi

[ $counter = processor ] ||
    set -- valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$@"
"$measure" "$work/cost" "$@" >/dev/null 2>"$work/err" </dev/null || {
    tail -n 5 "$work/err" >&2
    die "failed: $*"
}
if [ $counter = processor ]; then
    count=$(cut -d ' ' -f 4 "$work/cost")
else
    count=$(sed -n 's/^==.*I *refs: *//p' "$work/err" | tr -d ,)
fi
[ "${count:-0}" -gt 0 ] || die "no instructions counted: $*"
echo "$count"
