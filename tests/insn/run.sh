#!/bin/sh
# Runs test programs on every CPU model, with the machine's caches and without, and on mipsy with all of their code
# translated at once; says what failed.
#
#     tests/insn/run.sh [ELF...]        all of build/tests/insn if none is named
#
# SIMOS          the simulator (build/simos)
# SIMOS_MODELS   CPU models to run (mipsy embra mxs)
# SIMOS_VARIANTS how: with the machine's caches, without, all code of mipsy translated (caches flat translated)
#
# A program's status is the number of the check that failed (see test.h); 124 and 125, the simulator's own, are failures
# too. Options that a program needs stand in its source after `simos:`.
set -u
cd "$(dirname "$0")/../.." || exit 1
SIMOS=${SIMOS:-build/simos}
SIMOS_MODELS=${SIMOS_MODELS:-mipsy embra mxs}
SIMOS_VARIANTS=${SIMOS_VARIANTS:-caches flat translated}
export SIMOS
[ -x "$SIMOS" ] || { echo "$SIMOS: there is no simulator" >&2; exit 1; }

# One run: prints a line if it fails. $1 = ELF, the rest are options.
if [ "${1-}" = --one ]; then
    elf=$2
    shift 2
    name=$(basename "$elf" .elf)
    own=$(sed -n 's|.*[*/ ]simos: *\(.*[^ ]\) *\*/.*|\1|p' "tests/insn/$name.S")
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
    exit 0
fi

[ $# -gt 0 ] || set -- build/tests/insn/*.elf
# run_all OPTIONS...: each program once
run_all()
{
    # shellcheck disable=SC2086 # file names without spaces
    printf '%s\n' $elfs | xargs -P "$(nproc)" -I ELF tests/insn/run.sh --one ELF "$@"
}
elfs=$*
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
echo "insn: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
