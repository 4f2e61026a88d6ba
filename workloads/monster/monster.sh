#!/bin/sh
# Monster's analysis of compiler workloads redone: runs the programs of workloads.tsv and makes the page of the results.
#
#     workloads/monster/monster.sh SIMOS PROGRAMS OUT [NAME...]      (`make monster`)
#
# PROGRAMS is the initial RAM disk with the programs, build/guest-decstation/programs.cpio. MACHINE (decstation-3100) and MEMORY
# (64M, which that needs) are variables of the environment, as are WINDOW, the most instructions that are measured of a program
# (all), and SCALED, the same of the experiment with smaller caches (20000000). Each program is positioned by embra at its mark, and
# from the checkpoint measured by mipsy with the analysers of monster.tcl: NAME.stats; again with first-level caches of an eighth of
# the size, scaled-NAME.stats. It is also measured with its files on a disk that a second machine serves (netdisk.c), which has to be
# waited for, and 24 MB of memory: disk-NAME.log has what the analysers counted at both marks. placed-NAME.stats are the runs of
# placement.tsv (part II). OUT/index.html is the page, OUT/figures.json its numbers. What is done is not done again. JOBS=N: at most N
# runs at a time. EXPERIMENTS="scaled disk placement": these, and not the others.
set -eu
[ $# -ge 3 ] || { echo "usage: monster.sh SIMOS PROGRAMS OUT [NAME...]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
simos=$(realpath "$1") programs=$(realpath "$2")
mkdir -p "$3"
out=$(realpath "$3")
shift 3
machine=${MACHINE:-decstation-3100} memory=${MEMORY:-64M} window=${WINDOW:-}
scaled=${SCALED:-20000000} experiments=${EXPERIMENTS-scaled disk placement}
jobs=${JOBS:-$(nproc)}
tab=$(printf '\t')

# from_checkpoint NAME WINDOW OPTIONS...: one run from $out/PROGRAM.ckpt, kept when it has ended with status 0
from_checkpoint()
{
    kept=$1 checkpoint=$2 most=$3
    shift 3
    [ ! -s "$out/$kept.stats" ] || return 0
    "$simos" restore "$out/$checkpoint.ckpt" --quiet --table none --cpu mipsy --warmup 0 ${most:+--window "$most"} "$@" \
        --script "$here/monster.tcl" --stats "$out/$kept.stats.new" >"$out/$kept.log" 2>&1 </dev/null &&
        mv "$out/$kept.stats.new" "$out/$kept.stats"
}

# in_memory NAME BEFORE COMMAND SKIP: a program whose files are in memory, and the experiments from its checkpoint. With SKIP the first
# seconds of a program are not measured: its start, which of SPEC's programs of minutes is nothing.
in_memory()
{
    wanted=$1 missing_of=
    case $experiments in *scaled*) wanted="$1 scaled-$1" ;; esac
    for file in $wanted; do [ -s "$out/$file.stats" ] || missing_of=$1; done
    [ -n "$missing_of" ] || return 0
    echo "monster: $1" >&2
    rm -f "$out/$1.ckpt"
    measured="mark start && { $3; } >/tmp/log 2>&1"
    [ "$4" = 0 ] || measured="{ { $3; } >/tmp/log 2>&1 & } && sleep $4 && mark start && wait \$!"
    if ! { "$simos" run --quiet --table none --machine "$machine" --set machine.memory="$memory" \
        --initrd "$programs" --cpu embra --checkpoint "$out/$1.ckpt@mark:start" -- \
        sh -c "cd /usr/share/programs && { $2; } && $measured && mark end" >"$out/$1.log" 2>&1 </dev/null &&
        from_checkpoint "$1" "$1" "$window" &&
        case $wanted in *scaled*)
            from_checkpoint "scaled-$1" "$1" "$scaled" --set cache.l1i.size=8K --set cache.l1d.size=8K ;;
        esac; }; then
        echo "monster: $1 failed: $(tail -n 1 "$out/$1.log")" >&2
        rm -f "$out/$1.stats.new" "$out/scaled-$1.stats.new"
    fi
    rm -f "$out/$1.ckpt"
}

# make_tools: $out/guest.cpio and $out/guest-decstation.cpio, initial RAM disks with netdisk and placement, compiled for the older machine
make_tools()
{
    compiler=$("$here/../source-mips1.sh") || return 1
    for tool in netdisk placement; do
        "$compiler/cc" -O2 -o "$out/$tool" "$here/$tool.c" || return 1
        echo "file /bin/$tool 0755 $out/$tool"
    done | "$guests/guest/mkcpio" "$out/tools.cpio" || return 1
    for guest in guest guest-decstation; do cat "$guests/$guest/initrd.cpio" "$out/tools.cpio" >"$out/$guest.cpio"; done
}

# placed NAME POLICY SEED COMMAND: what part II says of placement: a run of placement.c, its pages placed by a policy
placed()
{
    [ ! -s "$out/placed-$1.stats" ] || return 0
    echo "monster: placement, $1" >&2
    "$simos" restore "$out/boot.ckpt" --quiet --table none --cpu mipsy --warmup 0 --set page_mapping.policy="$2" --set page_mapping.seed="$3" \
        --stats "$out/placed-$1.stats.new" -- sh -c "placement $4" >"$out/placed-$1.log" 2>&1 </dev/null &&
        mv "$out/placed-$1.stats.new" "$out/placed-$1.stats"
}
all_placed()
{
    "$simos" run --quiet --table none --machine "$machine" --initrd "$out/guest-decstation.cpio" --cpu embra \
        --checkpoint "$out/boot.ckpt@boot" -- true >"$out/boot.log" 2>&1 </dev/null || return 1
    while IFS=$tab read -r name policy seed command; do placed "$name" "$policy" "$seed" "$command" || return 1; done <"$here/placement.tsv"
    rm -f "$out/boot.ckpt"
}

# make_disk: $out/disk.img, a file system with all that PROGRAMS has and what the commands before the measurements leave in /tmp
make_disk()
{
    [ ! -s "$out/disk.img" ] || return 0
    echo "monster: the disk" >&2
    tree=$out/disk.d
    rm -rf "$tree"
    mkdir -p "$tree"
    (cd "$tree" && cpio -idm --quiet --no-absolute-filenames) <"$programs" 2>"$out/disk.log" || return 1
    prepared="exec 3>&1 >&2; $(awk -F '\t' '!done[$4]++ { print "cd /usr/share/programs && {", $4 "; };" }' "$here/workloads.tsv")"
    "$simos" run --quiet --table none --machine "$machine" --set machine.memory="$memory" --initrd "$programs" --cpu embra -- \
        sh -c "$prepared cd / && tar cf - tmp >&3" >"$out/disk.tar" 2>>"$out/disk.log" </dev/null || return 1
    tar xf "$out/disk.tar" -C "$tree" && rm "$out/disk.tar"
    rm -rf "$tree/dev" "$tree/proc" "$tree/init"
    mkdir -p "$tree/dev" "$tree/proc" "$tree/tmp"
    find "$tree" -exec touch -h -d @1686268800 {} +
    MKE2FS_CONFIG=$here/../images/mke2fs.conf E2FSPROGS_FAKE_TIME=1686268800 PATH=$PATH:/sbin:/usr/sbin mke2fs -q -F -t ext2 -b 1024 -m 0 \
        -U 51305000-0000-4000-8000-000000000004 -E hash_seed=51305000-0000-4000-8000-000000000005,root_owner=0:0 \
        -d "$tree" "$out/disk.img.new" $disk_size >>"$out/disk.log" 2>&1 || return 1
    rm -rf "$tree"
    cat "$here/monster.tcl" "$here/marks.tcl" >"$out/disk.tcl"
    # The server's first disk: of one with programs its guest would make its root.
    head -c 1048576 /dev/zero >"$out/empty.img"
    mv "$out/disk.img.new" "$out/disk.img"
}
disk_size=65536
guests=$(dirname "$(dirname "$programs")")

# on_disk NAME BEFORE COMMAND SKIP: a program whose files are on the disk that the second machine serves
on_disk()
{
    [ ! -s "$out/disk-$1.log" ] || return 0
    echo "monster: $1, from a disk" >&2
    hub="hub:$out/disk-$1.hub"
    "$simos" run --quiet --table none --machine 1994 --cpu embra --set cache.model=none --initrd "$out/guest.cpio" --disk "$out/empty.img" --disk "$out/disk.img" \
        --net "$hub" --set net.nodes=2 --set net.node=0 -- netdisk serve /dev/vdb 5000 >"$out/server-$1.log" 2>&1 </dev/null &
    server=$!
    # The directory that the commands before leave, without what they do.
    folder=$(printf '%s' "$2" | sed -n 's/.*cd \([^;]*\).*/\1/p')
    status=0
    "$simos" run --quiet --table none --machine "$machine" --initrd "$out/guest-decstation.cpio" --cpu embra --switch mipsy@mark:start \
        --net "$hub" --set net.nodes=2 --set net.node=1 --script "$out/disk.tcl" -- sh -c "netdisk attach 10.0.0.1 5000 /dev/nbd0 $((disk_size * 1024)) &&
            mkdir /disk && mount -t ext2 /dev/nbd0 /disk && mount -t devtmpfs devtmpfs /disk/dev && mount -t proc proc /disk/proc &&
            simos-mark start && chroot /disk sh -c 'cd ${folder:-/usr/share/programs} && { $3; } >/tmp/log 2>&1' && simos-mark end" \
        >"$out/disk-$1.log.new" 2>&1 </dev/null || status=$?
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    if [ $status -eq 0 ]; then
        mv "$out/disk-$1.log.new" "$out/disk-$1.log"
    else
        echo "monster: $1 from a disk failed: $(tail -n 1 "$out/disk-$1.log.new")" >&2
    fi
}

# measure NAME BEFORE COMMAND SKIP: all runs of a program
measure()
{
    in_memory "$@"
    case $experiments in *disk*) on_disk "$@" ;; esac
}

failed=0
case $experiments in *disk* | *placement*) make_tools || failed=1 ;; esac
case $experiments in *placement*) all_placed || failed=1 ;; esac
case $experiments in *disk*) make_disk || { echo "monster: the disk cannot be made: $(tail -n 1 "$out/disk.log")" >&2; failed=1 experiments=scaled; } ;; esac
running=0 pids=
while IFS=$tab read -r name what skip before command; do
    case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
    measure "$name" "$before" "$command" "$skip" &
    pids="$pids $!"
    running=$((running + 1))
    if [ $running -eq "$jobs" ]; then
        for pid in $pids; do wait "$pid"; done
        running=0 pids=
    fi
done <"$here/workloads.tsv"
for pid in $pids; do wait "$pid"; done

missing=0 measured=0
while IFS=$tab read -r name what skip before command; do
    if [ -s "$out/$name.stats" ]; then measured=$((measured + 1)); else missing=$((missing + 1)); fi
done <"$here/workloads.tsv"
[ $measured -gt 0 ] || { echo "monster: no run ended well" >&2; exit 1; }
SIMOS=$simos "$here/../pages/run.sh" monster "$out"
echo "$out/index.html" >&2
[ $failed -eq 0 ] || { echo "monster: an experiment failed" >&2; exit 1; }
[ $missing -eq 0 ] || { echo "monster: $missing runs are missing, which the page names" >&2; exit 1; }
