#!/bin/sh
# Runs test programs on every CPU model, with the machine's caches and without, and on mipsy with all of their code
# translated at once; says what failed.
#
#     tests/insn/run.sh [ELF...]        all of build/tests/insn if none is named
#
# SIMOS          the simulator (build/simos)
# PROGRAMS       the folder of their sources, tests/insn or one like it (tests/insn)
# SIMOS_OPTIONS  options for all of them (none)
# SIMOS_MODELS   CPU models to run (mipsy embra mxs)
# TEST_JOBS      how many programs run at once (as many as there are processors)
# SIMOS_VARIANTS how: with the machine's caches, without, all code of mipsy translated (caches flat translated)
#
# A program's status is the number of the check that failed (see test.h); 124 and 125, the simulator's own, are failures
# too. Options that a program needs stand in its source after `simos:`.
set -u
cd "$(dirname "$0")/../.." || exit 1
SIMOS=${SIMOS:-build/simos}
SIMOS_MODELS=${SIMOS_MODELS:-mipsy embra mxs}
SIMOS_VARIANTS=${SIMOS_VARIANTS:-caches flat translated}
PROGRAMS=${PROGRAMS:-tests/insn}
SIMOS_OPTIONS=${SIMOS_OPTIONS:-}
export SIMOS PROGRAMS
[ -x "$SIMOS" ] || { echo "$SIMOS: there is no simulator" >&2; exit 1; }

# run_one ELF OPTIONS...: prints "pass", or a line that says what failed
run_one()
{
    elf=$1
    shift
    name=${elf##*/}
    name=${name%.elf}
    own=
    case " $SIMOS_OWN_OPTIONS " in
    *" $PROGRAMS/$name.S "*) own=$(sed -n 's|.*[*/ ]simos: *\(.*[^ ]\) *\*/.*|\1|p' "$PROGRAMS/$name.S") ;;
    esac
    # shellcheck disable=SC2086 # a list of options
    output=$(tests/limit.sh 60 "$SIMOS" run --quiet --kernel "$elf" --initrd none --max-insns 20000000 "$@" $own 2>&1 </dev/null)
    status=$?
    if [ $status = 0 ]; then
        echo pass
    else
        case $status in
        124) why="a limit ended the run" ;;
        125) why=$(echo "$output" | head -n 1) ;;
        *) [ $status -ge 192 ] && why="unexpected exception $((status - 192))" || why="check $status" ;;
        esac
        echo "FAIL $name ($*): $why"
    fi
}
# Several programs with the same options, which are in SIMOS_OPTIONS.
if [ "${1-}" = --some ]; then
    shift
    for elf; do
        # shellcheck disable=SC2086 # a list of options
        run_one "$elf" $SIMOS_OPTIONS
    done
    exit 0
fi

[ $# -gt 0 ] || set -- build/"$PROGRAMS"/*.elf
# run_all OPTIONS...: each program once
run_all()
{
    # shellcheck disable=SC2086 # file names without spaces
    printf '%s\n' $elfs | SIMOS_OPTIONS="$* $SIMOS_OPTIONS" xargs -P "${TEST_JOBS:-$(nproc)}" -n 8 tests/insn/run.sh --some
}
elfs=$*
# The sources that have options of their own.
SIMOS_OWN_OPTIONS=$(grep -l 'simos:' "$PROGRAMS"/*.S | tr '\n' ' ')
export SIMOS_OWN_OPTIONS
results=$(for model in $SIMOS_MODELS; do
    for variant in $SIMOS_VARIANTS; do
        case $variant:$model in
        caches:*) run_all --cpu "$model" --set mipsy.translate_after=0 ;; # mipsy interprets, embra translates at once
        flat:*) run_all --cpu "$model" --set mipsy.translate_after=0 --set cache.model=none ;;
        translated:mipsy) run_all --cpu mipsy --set mipsy.translate_after=1 ;;
        esac
    done
done)
echo "$results" | grep -v '^pass$' | sort
passed=$(echo "$results" | grep -c '^pass$')
failed=$(echo "$results" | grep -vc '^pass$')
echo "${PROGRAMS#tests/}: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
