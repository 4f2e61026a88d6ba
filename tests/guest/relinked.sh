#!/bin/sh
# A kernel relinked by function order from a profile (docs/reference/kernel-layout.md) misses less in the instruction cache,
# as it does under the layout map of the same profile. `make test-relinked`; not in `make test`: it builds a kernel twice.
. "$(dirname "$0")/harness.sh"
limit=${limit:-1200}
kernels=$root/build/guest-relinked
archive=${KERNEL_SOURCE:-$(find /usr/src -maxdepth 1 -name 'linux-source-*.tar.xz' | sort -V | tail -n 1)}
job='for i in 1 2 3; do ls -lR /bin /etc /dev | sort | md5sum; done; seq 2000 | sort -r | md5sum; exit 3'

# build NAME [FUNCTIONS]: the guest in build/guest-relinked/NAME
build()
{
    "$root/workloads/kernel-order.sh" "$archive" ${2:+"$2"} >"$work/$1.patch"
    KERNEL_PATCH=$work/$1.patch "$root/workloads/guest-decstation.sh" "$root/build/guest/mkcpio" "$root/build/guest-source/mklayout" \
        "$kernels/$1" >&2
    check_equal "$1: the kernel is built" 0 $?
}
# on KERNEL NAME OPTIONS...: the job; statistics in NAME.json
on()
{
    kernel=$1 name=$2
    shift 2
    simos run --quiet --trust --machine decstation-3100 --kernel "$kernels/$kernel/vmlinux" --initrd "$kernels/sections/initrd.cpio" \
        --stats "$work/$name.json" "$@" -- sh -c "$job"
    check_equal "$name: the job runs" 3 "$status"
    cp "$work/out" "$work/$name.out"
}

build sections
for ending in layout functions; do
    on sections profile --cpu embra --set cache.model=none --profile "$work/kernel.$ending"
done
build ordered "$work/kernel.functions"
# But for those in assembly language, which have no section of their own, and static ones of one name.
check_equal "the functions of the profile are in its order" "same" \
    "$(awk 'NR == FNR { at[$3] = "x" $1; next } $1 in at { if (at[$1] < last) wrong++; last = at[$1]; n++ }
        END { print (n > 1000 && wrong < n / 20) ? "same" : wrong " of " n }' "$kernels/ordered/kernel.sym" "$work/kernel.functions")"

# misses NAME: of the instruction cache in kernel mode
misses() { json "$work/$1.json" .cpu0.mode.kernel.miss.l1i; }
for size in 64K 8K; do
    cache="--cpu mipsy --set cache.l1i.size=$size"
    # shellcheck disable=SC2086 # words
    {
        on sections plain$size $cache
        on sections map$size $cache --set "cache.layout=@$work/kernel.layout"
        on ordered ordered$size $cache
    }
    check_same_file "$size: the same output" "$work/plain$size.out" "$work/ordered$size.out"
    for name in plain map ordered; do
        echo "# $size, $name: $(misses $name$size) misses of instructions in kernel mode, $(json "$work/$name$size.json" .cpu0.mode.kernel.cycles) cycles"
    done
    check_equal "$size: fewer misses with the map" true "$([ "$(misses map$size)" -lt "$(misses plain$size)" ] && echo true)"
    check_equal "$size: ... and with the relinked kernel" true "$([ "$(misses ordered$size)" -lt "$(misses plain$size)" ] && echo true)"
done
finish
