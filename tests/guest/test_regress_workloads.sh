# Rows of our own short workloads keep their limits against the baselines in workloads/regression (simos test). When they are
# meant to change: build/simos test workloads/regression/*.tcl --bless, one after the other.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"
for file in "$root"/workloads/regression/*.tcl; do
    name=$(basename "$file" .tcl)
    cp "$file" "${file%.tcl}.baseline" "$work"
    simos test "$work/$name.tcl" --quiet
    check_equal "$name: all rows keep their limits" 0 "$status"
    [ "$status" -eq 0 ] || head -n 20 "$work/out"
    check_equal "$name: on the kernel of the baseline" "$(grep '^kernel' "$work/$name.baseline" | cut -f 2)" \
        "$(sha256sum <"$guest/vmlinux" | cut -c 1-64)"
done
finish
