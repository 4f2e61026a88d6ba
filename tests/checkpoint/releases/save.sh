#!/bin/sh
# Saves the checkpoints and the record of a release that tests/checkpoint/test_releases.sh restores and replays: a bare program that counts to
# 4138 in a register and in memory and ends with the low byte of that, 42, under each CPU model on 1 and 4 CPUs. Run
# with the program of the release, once, when it is made:
#
#     tests/checkpoint/releases/save.sh SIMOS VERSION [FOLDER]
#     tests/checkpoint/releases/save.sh --program FILE                writes the program alone
set -eu
if [ "$1" = --program ]; then
    program=$2
else
    simos=$1 version=$2
    folder=${3:-$(dirname "$0")}
    program=$(mktemp)
    trap 'rm -f "$program"' EXIT
fi
# An ELF file for 0x80002000: lui $9, 0x8001; lui $10, 0xb801; li $8, 4138; 1: lw $11, 0($9); addiu $11, $11, 1;
# sw $11, 0($9); addiu $8, $8, -1; bnez $8, 1b; nop; sw $11, 20($10), which ends the run; b .; nop
{
    printf '\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\10\0\1\0\0\0\0\040\0\200\064\0\0\0\0\0\0\0\0\020\0\160'
    printf '\064\0\040\0\1\0\0\0\0\0\0\0'
    printf '\1\0\0\0\124\0\0\0\0\040\0\200\0\040\0\0\060\0\0\0\060\0\0\0\7\0\0\0\020\0\0\0'
    printf '\001\200\011\074\001\270\012\074\052\020\010\044\000\000\053\215\001\000\153\045\000\000\053\255'
    printf '\377\377\010\045\373\377\000\025\000\000\000\000\024\000\113\255\377\377\000\020\000\000\000\000'
} >"$program"
[ "$1" != --program ] || exit 0
status=0
"$simos" run --kernel "$program" --initrd none --set guest.symbols=none --memory 16M --cpu embra --set cache.model=none --quiet \
    --max-insns 1000000 --record "$folder/$version.record" </dev/null || status=$?
[ $status = 42 ] || { echo "record: status $status, not 42" >&2; exit 1; }
for model in mipsy embra mxs; do
    for cpus in 1 4; do
        status=0
        "$simos" run --kernel "$program" --initrd none --set guest.symbols=none --memory 16M --cpu $model --cpus $cpus \
            --set cache.l1i.size=1K --set cache.l1d.size=1K --set cache.l2.size=16K --quiet --max-insns 1000000 \
            --checkpoint "$folder/$version-$model-$cpus.ckpt@insns:10000" </dev/null || status=$?
        [ $status = 42 ] || { echo "$model, $cpus CPUs: status $status, not 42" >&2; exit 1; }
    done
done
