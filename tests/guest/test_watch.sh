# The watch registers of the processors through the stock kernel's ptrace: the same on every CPU model, also after a
# checkpoint with a register set; without the parameter there are none.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

mipsel-linux-gnu-gcc -O1 -static -o "$work/watch" "$root/tests/guest/watch.c" || fail "watch.c compiles"
cat >"$work/expected" <<'END'
store: trap by hardware, recorded 1, rounds 100, watched 0
load: trap by hardware, recorded 2, rounds 200, watched 7
fetch: trap by hardware, recorded 4, rounds 200, watched 7
end: exit 0
END

simos run --quiet --cpu embra --set cache.model=none --lockstep mipsy --set cpu.watch_registers=on --copy-in "$work/watch" -- /root/watch
check_same_file "a debugger's watch points" "$work/expected" "$work/out"
check_match "embra and mipsy in lockstep" '^lockstep: embra and mipsy are the same' "$work/err"
simos run --quiet --cpu embra --set cache.model=none --set cpu.watch_registers=on --copy-in "$work/watch" --checkpoint "$work/watched.ckpt@mark:watched" \
    -- sh -c 'grep watchpoint /proc/cpuinfo; /root/watch'
check_match "the kernel finds the registers" 'count: 4, address/irw mask: \[0x0ffc, 0x0ffc, 0x0ffb, 0x0ffb\]' "$work/out"
sed -n '2,$p' "$work/expected" >"$work/rest"
for cpu in mipsy mxs; do
    simos restore "$work/watched.ckpt" --trust --quiet --cpu $cpu --stats "$work/s.json"
    check_same_file "$cpu goes on from a checkpoint with a watched store" "$work/rest" "$work/out"
    check_between "$cpu: Watch exceptions" 2 5 "$(json "$work/s.json" .cpu0.exceptions.watch)"
done
simos run --quiet --cpu embra --set cache.model=none --copy-in "$work/watch" --stats "$work/s.json" -- sh -c 'grep watchpoint /proc/cpuinfo; /root/watch'
check_match "without the parameter there are none" 'watchpoint.*: no' "$work/out"
check_equal "... and no statistic" null "$(json "$work/s.json" .cpu0.exceptions.watch)"
finish
