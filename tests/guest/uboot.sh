#!/bin/sh
# U-Boot, built from the source package, runs from the boot ROM to its prompt and obeys commands, on every CPU model: the
# same output, raw and as S-records.
#
#     tests/guest/uboot.sh SIMOS
set -eu
simos=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
limit=$here/../limit.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
uboot=$("$here/../../workloads/source-uboot.sh")
# shellcheck source=tests/checks.sh
. "$here/../checks.sh"

# The last command writes the exit status to the control device (docs/reference/guest.md).
cat >"$work/script.tcl" <<'END'
console expect "\nU-Boot 20" -timeout 10
console expect "\n=> " -timeout 10
foreach command {version {md.l 0xbfc00000 1} {mw.l 0x80400000 0x12345678 2} {md.l 0x80400000 2} {echo obeyed}} {
    console type "$command\n"
    console expect "$command" -timeout 10
    console expect "\n=> " -timeout 10
}
console type "mw.l 0xb8010014 7\n"
run
END
first=$(od -An -tx4 -N4 "$uboot/u-boot.bin" | tr -d ' ')
mipsel-linux-gnu-objcopy -I binary -O srec --change-addresses 0xbfc00000 "$uboot/u-boot.bin" "$work/u-boot.srec"
for model in mipsy embra mxs; do
    for kernel in "$uboot/u-boot.bin@0x1fc00000" "$work/u-boot.srec"; do
        said=$("$limit" 60 "$simos" shell --cpu $model --kernel "$kernel" "$work/script.tcl" 2>"$work/err" |
            tr -d '\r' | sed -n 's/^U-Boot 20.*/U-Boot/p; s/^\([0-9a-f]\{8\}:\( [0-9a-f]\{8\}\)*\) .*/\1/p; /^obeyed$/p' | tr '\n' '|')
        check "U-Boot on $model: $(basename "$kernel")" \
            "U-Boot|U-Boot|bfc00000: $first|80400000: 12345678 12345678|obeyed|" "$said$(cat "$work/err")"
    done
done
echo "uboot: $passed passed, $failed failed"
[ "$failed" = 0 ]
