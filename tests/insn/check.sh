#!/bin/sh
# Runs test programs, built with -DQEMU, under qemu-system-mipsel as an outside opinion on what they expect. Programs
# marked `qemu: no` are about this board or this processor and are left out; `qemu: -cpu NAME` is the processor of others than 34Kf.
set -u
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0
for elf in "$@"; do
    name=$(basename "$elf" .elf)
    grep -q 'qemu: no' "tests/insn/$name.S" && continue
    cpu=$(sed -n 's/.*qemu: -cpu \([0-9A-Za-z]*\).*/\1/p' "tests/insn/$name.S" | head -n 1)
    tests/limit.sh 20 qemu-system-mipsel -M malta -icount shift=2 -cpu "${cpu:-34Kf}" -m 128 -semihosting-config enable=on,target=native -nographic \
        -nic none -vga none -monitor none -serial none -kernel "$elf" </dev/null
    status=$?
    if [ $status = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: $status"
    fi
done
echo "insn against qemu: $passed passed, $failed failed"
[ $failed = 0 ]
