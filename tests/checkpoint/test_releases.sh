#!/bin/sh
# Checkpoints that released versions have saved (tests/checkpoint/releases/save.sh): each is restored, and its program
# goes on to its end, or one line says which version has saved it and what this one does not read. What a version with this
# one's first number has saved is restored on another machine at least (docs/reference/compatibility.md). Records are replayed.
. "$(dirname "$0")/../guest/harness.sh"
folder=$(dirname "$0")/releases
first=$("$SIMOS" --version | sed -n '1s/^simos \([0-9]*\)\..*/\1/p') # 1 of 1.2

# refused FILE: with one line.
refused()
{
    check_equal "$1: one line" 1 "$(wc -l <"$work/err")"
    check_match "$1: which version, and why not" \
        '^simos: checkpoint .*: (section|header)[ :].*; simos [0-9]+\.[0-9].* saved it, this is [0-9]+\.[0-9]' "$work/err"
}

# What this version saves, it restores.
"$folder/save.sh" "$SIMOS" now "$work" >/dev/null 2>"$work/err"
check_equal "the checkpoints of a release are made" "0 6" "$? $(find "$work" -name 'now-*.ckpt' | wc -l)"
for saved in "$work"/now-*.ckpt; do
    simos restore "$saved" --quiet --table none --max-insns 1000000
    check_equal "$(basename "$saved" .ckpt): restored" 42 "$status"
done

"$folder/save.sh" --program "$work/program"
for saved in "$folder"/*.record "$work"/now.record; do
    simos run --replay "$saved" --kernel "$work/program" --quiet --table none
    check_equal "$(basename "$saved"): replayed" 42 "$status"
done

for saved in "$folder"/*.ckpt; do
    name=$(basename "$saved" .ckpt)
    "$SIMOS" info "$saved" >"$work/info" 2>"$work/err"
    check_equal "$name: info says what is in it" "0 10000" "$? $(sed -n 's/.* \([0-9]*\) instructions, by .*/\1/p' "$work/info")"
    simos restore "$saved" --quiet --table none --max-insns 1000000
    case $status in
    42) pass "$name: the same machine goes on" ;;
    125) refused "$name: the same machine" ;;
    *) fail "$name: the same machine: status $status" "$(head -n 3 "$work/err")" ;;
    esac
    # another machine takes the architectural state only
    simos restore "$saved" --quiet --table none --max-insns 1000000 --set cache.l1d.size=2K
    case $status in
    42) pass "$name: another machine goes on" ;;
    125)
        refused "$name: another machine"
        [ "${name%%.*}" != "$first" ] || fail "$name: another machine is refused, though $first.x saved it"
        ;;
    *) fail "$name: another machine: status $status" "$(head -n 3 "$work/err")" ;;
    esac
    # what it was once restored as, it is as well from what this version saves of it
    if [ "$status" = 42 ]; then
        simos restore "$saved" --quiet --table none --max-insns 1000000 --set cache.l1d.size=2K \
            --checkpoint "$work/again.ckpt@insns:12000"
        simos restore "$work/again.ckpt" --quiet --table none --max-insns 1000000
        check_equal "$name: saved again, it goes on" 42 "$status"
    fi
done
finish
