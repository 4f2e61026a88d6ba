#!/bin/sh
# mkinitrd.sh MKCPIO KERNEL BUSYBOX OUTPUT [TREE]: builds the guest's initramfs. KERNEL and BUSYBOX are packages (.deb),
# or folders that source-kernel.sh and source-busybox.sh have made. The bytes of OUTPUT depend on these two and the files
# of initramfs/ alone; with KERNEL "decstation", on BUSYBOX, decstation/initramfs/ and what is in the folder TREE: there
# are no modules then, and the files of TREE come on top.
set -eu
LC_ALL=C
export LC_ALL
# shellcheck source=workloads/lock.sh
. "$(dirname "$0")/lock.sh"

# What a virtio disk with an ext4 file system, a network card and a source of entropy need; /init loads them in its own
# order, and only for devices that are there.
modules='drivers/virtio/virtio drivers/virtio/virtio_ring drivers/virtio/virtio_mmio drivers/block/virtio_blk
    lib/crc16 crypto/crc32c_generic fs/mbcache fs/jbd2/jbd2 fs/ext4/ext4
    net/core/failover drivers/net/net_failover drivers/net/virtio_net drivers/char/hw_random/virtio-rng'

# Removes a kernel module's appended signature: apt has checked the whole package on the host, and checking 1.6 MB of
# modules once more costs the guest 300 million instructions at every boot with a disk. The file ends in the signature,
# 12 bytes of which the last four hold its length, and a line of 28 bytes.
strip_signature() {
    [ "$(tail -c 28 "$1")" = '~Module signature appended~' ] || return 0
    # shellcheck disable=SC2046
    set -- "$1" $(tail -c 32 "$1" | od -An -tu1 -N4) "$(wc -c <"$1")"
    size=$(($6 - 40 - (($2 << 24) + ($3 << 16) + ($4 << 8) + $5)))
    [ "$size" -gt 0 ] || die "$1: damaged signature"
    head -c "$size" "$1" >"$1.plain"
    mv "$1.plain" "$1"
}

# The files, links and folders of $tree, as mkcpio wants them.
list_tree() {
    (cd "$tree" && find . -mindepth 1 | sort) | while read -r path; do
        path=${path#./}
        if [ -L "$tree/$path" ]; then
            echo "link /$path $(readlink "$tree/$path")"
        elif [ -d "$tree/$path" ]; then
            [ "$path" = bin ] || [ "$path" = lib ] || [ "$path" = usr ] || echo "dir /$path 0755"
        elif [ -x "$tree/$path" ]; then
            echo "file /$path 0755 $tree/$path"
        else
            echo "file /$path 0644 $tree/$path"
        fi
    done
}

[ $# -eq 4 ] || [ $# -eq 5 ] || die "usage: mkinitrd.sh MKCPIO KERNEL BUSYBOX OUTPUT [TREE]"
mkcpio=$1 kernel=$2 busybox=$3 output=$4 tree=${5-}
# Not an option, and not a host of tar's (HOST:FILE).
case $kernel in /*) ;; *) kernel=./$kernel ;; esac
case $busybox in /*) ;; *) busybox=./$busybox ;; esac
case $output in /*) ;; *) output=./$output ;; esac
files=$workloads/initramfs
applets='sh mount devmem dd stty setsid cttyhack insmod ifconfig switch_root od poweroff halt reboot md5sum'
if [ "$kernel" = ./decstation ]; then
    init=$workloads/decstation/initramfs
    applets='sh mount stty setsid cttyhack head halt md5sum'
    modules=
else
    init=$files
fi
work=$output.d
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
mkdir -p "$work"

if [ -d "$busybox" ]; then
    mkdir "$work/bin"
    cp "$busybox/busybox" "$work/bin/busybox" || die "$busybox: holds no busybox"
else
    package_files "$busybox" | tar -x -C "$work" ./bin/busybox || die "$busybox: holds no /bin/busybox"
fi
members=
for module in $modules; do
    members="$members ./lib/modules/*/kernel/$module.ko"
done
# shellcheck disable=SC2086
if [ -z "$members" ]; then
    :
elif [ -d "$kernel" ]; then
    (cd "$kernel" && tar -c $members) | tar -x -C "$work"
else
    (
        set -f
        package_files "$kernel" | tar -x -C "$work" --wildcards $members
    )
fi || die "$kernel: holds not all of the devices' kernel modules"

# The applets' names stand in busybox as one table: sorted, each ended by a zero byte, "[" and "[[" first. What is
# before the table need not end in a zero byte.
tr '\000' '\n' <"$work/bin/busybox" | awk '
    !found && previous ~ /\[$/ && $0 == "[[" { found = 1; name = $0; print "["; print; next }
    { previous = $0 }
    found && (!/^[a-z0-9][a-z0-9_.-]*$/ || $0 <= name) { exit }
    found { name = $0; print }' >"$work/applets"
# The kernel runs /sbin/modprobe whenever it looks for an optional driver: a process for nothing each time.
grep -vx modprobe "$work/applets" >"$work/applets.linked"
for applet in $applets; do
    grep -qx "$applet" "$work/applets" || die "$busybox: busybox has no applet $applet"
done

if [ -n "$modules" ]; then
    for module in "$work"/lib/modules/*/kernel/*/*.ko "$work"/lib/modules/*/kernel/*/*/*.ko; do
        strip_signature "$module"
    done

    # Some updates of Linux 6.1 (6.1.192 among them) made virtio depend on virtio_ring.
    cp "$files/devices" "$work/devices"
    if grep -q virtio_break_device "$work"/lib/modules/*/kernel/drivers/virtio/virtio.ko; then
        sed 's/^load_drivers virtio virtio_ring /load_drivers virtio_ring virtio /' "$files/devices" >"$work/devices"
        ! cmp -s "$files/devices" "$work/devices" || die "devices: does not load virtio and virtio_ring one after the other"
    fi
fi

{
    for dir in bin dev etc lib ${modules:+lib/modules} mnt proc sys usr; do
        echo "dir /$dir 0755"
    done
    echo "dir /root 0700"
    echo "dir /tmp 1777"
    echo "dir /run 0755"
    for link in /sbin /usr/bin /usr/sbin; do
        echo "link $link /bin"
    done
    # Standard input and output of /init, before it mounts the kernel's own /dev.
    echo "char /dev/console 0600 5 1"
    echo "char /dev/null 0666 1 3"
    [ -z "$modules" ] || echo "pipe /run/initctl 0600"
    echo "file /init 0755 $init/init"
    echo "file /etc/fstab 0644 $files/fstab"
    [ -z "$modules" ] || echo "file /etc/devices 0644 $work/devices"
    [ -z "$modules" ] || echo "file /etc/job 0755 $init/job"
    echo "file /etc/passwd 0644 $files/passwd"
    echo "file /etc/group 0644 $files/group"
    echo "file /bin/simos-mark 0755 $init/simos-mark"
    echo "link /bin/mark simos-mark"
    echo "file /bin/busybox 0755 $work/bin/busybox"
    while read -r applet; do
        [ "$applet" = busybox ] || echo "link /bin/$applet busybox"
    done <"$work/applets.linked"
    for module in $modules; do
        for file in "$work"/lib/modules/*/kernel/"$module.ko"; do
            echo "file /lib/modules/${module##*/}.ko 0644 $file"
        done
    done
    [ -z "$tree" ] || list_tree
} >"$work/list"
"$mkcpio" "$work/initrd.cpio" <"$work/list"
mv "$work/initrd.cpio" "$output"
