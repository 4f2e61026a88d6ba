# The tutorial's commands work, in its order, and lead to its answer.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

mkdir "$work/here" "$work/here/build"
ln -s "$SIMOS" "$work/here/build/simos"
ln -s "$guest" "$work/here/build/guest"
awk -v folder="$work" '/^```sh/ { on = 1; file = sprintf("%s/step%02d", folder, ++n); next }
    /^```/ { on = 0 }
    on { print >file }' "$root/docs/tutorial.md"
check_equal "ten steps" 10 "$(find "$work" -name 'step*' | wc -l)"
for step in "$work"/step*; do
    (cd "$work/here" && "$root/tests/limit.sh" "${limit:-300}" sh -e "$step") >"$work/out" 2>"$work/err" </dev/null
    check_equal "$(basename "$step"): exit status" 0 $?
    cat "$work/out" "$work/err" >"$step.said"
done
check_match "1: the kernel is Debian's" '^Linux 6\.1\.' "$work/step01.said"
check_match "2: counters" '"i_mcpi": [0-9]' "$work/step02.said"
check_match "3: a checkpoint" 'boot' "$work/step03.said"
check_match "4: side by side" '^speed-up +1\.00 +[0-9]' "$work/step04.said"
check_match "5: services" '"calls": [1-9]' "$work/step05.said"
check_match "6: an annotation" '^ls has opened [1-9][0-9]* files' "$work/step06.said"
check_match "7: execution over time" '^execution over time: time' "$work/step07.said"
check_match "7: a stack" '^[a-z]+(;[^;]+)+ [0-9]+$' "$work/step07.said"
check_match "7: a figure" '</svg>' "$work/here/over-time-time.svg"
check_match "8: a profile" '^summary: [1-9]' "$work/step08.said"
check_match "9: spin locks over time" '^execution over time: eight' "$work/step09.said"
check_match "10: the lock that costs most is the one that the page says" \
    "^$(sed -n 's/^    \(most: \).*\((.*)\)$/\1.*\2/p' "$root/docs/tutorial.md" | sed 's/[()]/\\&/g')\$" "$work/step10.said"

finish
