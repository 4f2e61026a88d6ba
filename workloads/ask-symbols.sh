#!/bin/sh
# ask-symbols.sh SIMOS FOLDER: makes FOLDER/kernel.sym, the symbols of the kernel there: the guest is asked for them. It runs
# without them too, so that they cannot be had is a remark and not an error.
set -eu
[ $# -eq 2 ] || {
    echo "usage: ask-symbols.sh SIMOS FOLDER" >&2
    exit 1
}
simos=$1 folder=$2 symbols=$2/kernel.sym

echo "$symbols: asking the guest for its kernel's symbols, once"
if "$(dirname "$0")/../.ci/progress.sh" step "asking the guest" seconds:10 - "$simos" run --quiet --cpu mipsy --kernel "$folder/vmlinux" --initrd "$folder/initrd.cpio" \
    --set guest.symbols=none -- cat /proc/kallsyms >"$symbols.new" 2>"$symbols.log" &&
    grep -q ' T start_kernel$' "$symbols.new"; then
    mv "$symbols.new" "$symbols"
else
    reason=$(grep -m 1 '^simos: ' "$symbols.log" || tail -n 1 "$symbols.log")
    rm -f "$symbols.new"
    echo "$symbols: could not be made: ${reason:-no start_kernel in /proc/kallsyms}" >&2
    echo "$symbols: the guest runs without it, its idle loop counted as kernel time; \`make guest' tries again" >&2
fi
rm -f "$symbols.log"
