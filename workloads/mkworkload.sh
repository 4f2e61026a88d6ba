#!/bin/sh
# Brings a guest to where a workload is measured, and keeps it there: makes FOLDER/NAME.ckpt with the disks it needs.
#
#     mkworkload.sh SIMOS NAME FOLDER
#
# jobs/NAME.list says what it is: `image NAME`: the root; or `guest NAME INITRD`: another guest, build/guest-NAME, without a
# root; `machine NAME`: where it is positioned (1994); `disk NAME SIZE
# CONTENT...`: a file system more, /dev/vdb and so on, empty or with the folders files:FOLDER (of jobs/) and
# source:PACKAGE (Debian's); `set PARAMETER=VALUE`; `job FILE VARIABLE=VALUE...`: the script that the guest runs, behind
# these assignments. The script warms everything up and says `simos-mark start`; that is where the
# checkpoint is taken. Then it does what is measured, says `simos-mark end`, and prints what came out of it.
#
# The run goes on to its end, by embra: a workload that fails is none, and what it prints is NAME.answer, with which runs
# on other machines are compared. What it says by `say TEXT` is shown. Files in FOLDER are links into the cache, where they are called by a checksum over
# everything that they are made from: made again if one of these changes, or if this simos cannot restore them. The same
# inputs give the same bytes.
set -eu
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/sbin:/sbin
# shellcheck source=workloads/lock.sh
. "$(dirname "$0")/lock.sh"
here=$workloads

# Every file is at most this old: the day before the guest's clock starts.
newest=1686268800

[ $# -eq 3 ] || die "usage: mkworkload.sh SIMOS NAME FOLDER"
simos=$(realpath "$1") name=$2 folder=$3
case $folder in /*) ;; *) folder=./$folder ;; esac
list=$here/jobs/$name.list
[ -f "$list" ] || die "there is no list $list"

# Prints the values of the lines `$1 ...` of the list.
values_of() {
    sed -n "s/^$1 //p" "$list"
}

# Prints what the guest runs.
print_job() {
    # shellcheck disable=SC2046 # words
    set -- $(values_of job | cut -d ' ' -f 1)
    echo 'set -e'
    echo 'say() { echo "say: $*" >&2; }'
    values_of job | sed 's/^[^ ]* *//'
    grep -v '^ *#' "$here/jobs/$1"
}

# Puts what the words `files:FOLDER` and `source:PACKAGE` name into the folder $1.
gather() {
    into=$1 && shift
    mkdir "$into"
    for word; do
        case $word in
        files:*) cp -R "$here/jobs/${word#files:}" "$into" ;;
        source:*)
            mkdir "$into/${word#source:}"
            archive=$(set_paths "source-${word#source:}") &&
                tar -x --no-same-owner --strip-components=1 -C "$into/${word#source:}" -f "$archive" ||
                die "the source of ${word#source:} cannot be unpacked"
            ;;
        *) die "$name.list: '$word' is not understood" ;;
        esac
    done
    chmod -R u=rwX,go=rX "$into"
    find "$into" -exec touch -h -d "@$newest" {} +
}

# Makes the file $1, a file system of size $3 with the label $2 that holds what the other words say. Its bytes depend on
# these alone.
make_disk() {
    file=$1 label=$2 size=$3
    shift 3
    gather "$file.d" "$@"
    MKE2FS_CONFIG=$here/images/mke2fs.conf E2FSPROGS_FAKE_TIME=$newest mke2fs -q -F -t ext4 -m 0 -L "$label" \
        -U 51305000-0000-4000-8000-000000000003 -d "$file.d" \
        -E hash_seed=51305000-0000-4000-8000-000000000002,lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0 \
        "$file" "$size" >"$file.log" 2>&1 || die "mke2fs: $(tail -n 1 "$file.log")"
    "$here/../build/guest/stampext" "$file" $newest </dev/null
    rm -r "$file.log" "$file.d"
}

# Is the checkpoint in the folder $1 one that this simos can go on from?
is_usable() {
    [ -s "$1/$name.ckpt" ] && [ -e "$1/$name.answer" ] &&
        "$simos" restore --cpu embra --window 1000 "$1/$name.ckpt" >/dev/null 2>&1
}

# Makes everything in the folder $1. Disks are named relative to it, so that the checkpoint does not depend on where
# it was made; simos looks for them beside it.
position() {
    ln "$root" "$1/$name.root.${root##*.}" 2>/dev/null || cp --sparse=always "$root" "$1/$name.root.${root##*.}"
    set -- "$1" "$option" "$name.root.${root##*.}"
    values_of disk >"$1/disks"
    while read -r label rest; do
        # shellcheck disable=SC2086 # words
        make_disk "$1/$name.$label.img" "$label" $rest
        set -- "$@" --disk "$name.$label.img"
    done <"$1/disks"
    values_of set >"$1/settings"
    while read -r setting; do
        set -- "$@" --set "$setting"
    done <"$1/settings"
    rm "$1/disks" "$1/settings"
    machine=$(values_of machine)
    echo "workload $name: booting" >&2
    (
        cd "$1" && shift
        exec "$simos" run --quiet --machine "${machine:-1994}" --cpu embra --set cache.model=none "$@" \
            --checkpoint "$name.ckpt@mark:start" -- sh -c "$(print_job)" >"$name.answer" 2>"$name.log"
    ) &
    job=$!
    show_progress "$1/$name.log" $job
    wait $job || die "$name: the job failed in the guest (status $?): $(grep -v '^ *$' "$1/$name.log" | tail -n 5)"
    job=
    rm "$1/$name.log"
    chmod 444 "$1"/*
}

# Shows what the guest's job says in the file $1 as long as process $2 runs.
show_progress() {
    shown=0
    while sleep 1; do
        running=yes
        kill -0 "$2" 2>/dev/null || running=no
        lines=$(grep -c . "$1" 2>/dev/null || true)
        [ "${lines:-0}" -le $shown ] || sed -n "$((shown + 1)),${lines}s/^say: /workload $name: /p" "$1" >&2
        shown=${lines:-0}
        [ $running = yes ] || break
    done
}

other=$(values_of guest) image=$(values_of image)
if [ -n "$other" ]; then
    rule=guest-${other% *} archive=${other#* } option=--initrd
    guest=$here/../build/$rule
    [ "$archive" = initrd.cpio ] || rule=$rule-${archive%.cpio}
    root=$guest/$archive initrd=
else
    rule=image-$image option=--disk
    guest=$here/../build/guest
    root=$guest/$image.img initrd=$guest/initrd.cpio
fi
[ -s "$root" ] || die "$root is not there: type \`make $rule'"
root=$(readlink -f "$root")
key=$({
    basename "$root"
    for word in $(values_of disk); do
        case $word in
        files:*) (cd "$here/jobs" && find "${word#files:}" -type f | sort | xargs cat) ;;
        source:*) "$here/fetch.sh" "source-${word#source:}" | cut -c -64 ;;
        esac
    done
    sha256sum <"$guest/vmlinux"
    sha256sum <"${initrd:-$root}"
    cat "$guest/kernel.sym" "$here/mkworkload.sh" "$here/images/mke2fs.conf" "$here/stampext.c" "$list"
    print_job
} | sha256sum | cut -c 1-16)
place=$cache/workloads/$name-$key
if ! is_usable "$place"; then
    # One at a time, in a folder of a fixed name: the checkpoint holds it.
    mkdir -p "$cache/workloads"
    exec 9>"$cache/workloads/$name.lock" && flock 9
fi
if ! is_usable "$place"; then
    work=$place.new job=
    trap '[ -z "$job" ] || kill $job 2>/dev/null || :; rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    rm -rf "$work"
    mkdir "$work"
    position "$work"
    is_usable "$work" || die "$name: what was saved cannot be restored"
    rm -rf "$place"
    mv "$work" "$place"
    # Those of other inputs stay a while: another check-out may use them.
    find "$cache/workloads" -maxdepth 1 -name "$name-????????????????" -mtime +30 -exec rm -rf {} +
fi
touch -c "$place" 2>/dev/null || true
mkdir -p "$folder"
ln -sf "$place"/* "$folder"
echo "$folder/$name.ckpt: positioned" >&2
