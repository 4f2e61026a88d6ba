#!/bin/sh
# Four CPUs: the parallel programs come to what the host's own processor comes to; the compiler's second phase, the check of the file
# system and the commands of the shell script to what they come to on the host or under another emulator. On every CPU model.
. "$(dirname "$0")/../guest/harness.sh"
. "$(dirname "$0")/check.sh"
limit=7200
jobs=$root/workloads/jobs

# settings_of NAME: sets the variables of the job's list.
settings_of()
{
    eval "$(sed -n 's/^job [^ ]* //p' "$jobs/$1.list")"
}

# check_parallel NAME: each copy's checksum, natively.
check_parallel()
{
    settings_of "$1"
    gcc -O2 -std=gnu17 -o "$work/$PROGRAM" "$jobs/parallel/$PROGRAM.c" -lpthread
    # shellcheck disable=SC2086 # words
    "$work/$PROGRAM" $ARGUMENTS >"$work/native"
    for copy in $(seq "$COPIES"); do
        cat "$work/native"
    done >"$work/expected"
    head -n "$COPIES" "$workloads/$1.answer" >"$work/answer"
    check_same_file "$1: $PROGRAM, as on the host" "$work/expected" "$work/answer"
}

# check_fsck NAME: what the host's e2fsck says at its end.
check_fsck()
{
    cp --sparse=always "$(readlink -f "$workloads/$1.checked.img")" "$work/checked.img"
    chmod u+w "$work/checked.img"
    (PATH=$PATH:/usr/sbin:/sbin && e2fsck -f -y "$work/checked.img" 2>/dev/null) | tail -n 1 | sed 's/.*: //' >"$work/expected"
    tail -n 1 "$workloads/$1.answer" | sed 's/.*: //' >"$work/answer"
    check_same_file "$1: the check, as on the host" "$work/expected" "$work/answer"
}

# check_assembly NAME: the same compiler under QEMU's emulator of user programs makes the same assembly.
check_assembly()
{
    settings_of "$1"
    tree=$work/tree
    [ -d "$tree" ] || {
        mkdir -p "$tree/sources"
        debugfs -R "rdump / $tree" "$root/build/guest/multiprogramming.img" >/dev/null 2>&1
        debugfs -R "rdump / $tree/sources" "$workloads/$1.sources.img" >/dev/null 2>&1
    }
    cc1=$(find "$tree/usr/lib" -path '*h8300*' -name cc1 | head -n 1)
    rm -rf "$work/assembly"
    wc -l "$tree"/sources/libtommath/bn_*.c | awk '$2 != "total" && $1 >= 24 && $1 <= 150 { print $2 }' |
        head -n "$((MAKES * FILES))" >"$work/files"
    number=0
    while read -r file; do
        folder=$work/assembly/$((number / FILES + 1)) name=$(basename "$file" .c)
        number=$((number + 1))
        mkdir -p "$folder"
        qemu-mipsel -L "$tree" "$cc1" -E -quiet -mh -mint32 -D_MIPS_SIM=1 -D_ABIO32=1 -D_MIPS_SZPTR=32 -DMP_32BIT \
            -isystem "$tree/usr/include/mipsel-linux-gnu" -isystem "$tree/usr/include" -isystem "$(dirname "$cc1")/include" \
            "$file" -o "$work/$name.i" &&
            qemu-mipsel -L "$tree" "$cc1" -fpreprocessed -quiet -mh -mint32 -o "$folder/$name.s" "$work/$name.i"
    done <"$work/files" 2>"$work/errors"
    (cd "$work/assembly" && LC_ALL=C sha256sum ./*/*.s) >"$work/expected"
    grep '\.s$' "$workloads/$1.answer" >"$work/answer"
    check_equal "$1: a file of assembly for each C file" "$((MAKES * FILES))" "$(wc -l <"$work/answer")"
    check_same_file "$1: the same assembly as under QEMU" "$work/expected" "$work/answer"
}

# check_shell NAME: what some of its commands write, by the host's.
check_shell()
{
    mkdir -p "$work/shell"
    debugfs -R "rdump / $work/shell" "$workloads/$1.files.img" >/dev/null 2>&1
    (
        cd "$work/shell/zlib" && sha256sum ./*.c
        sum_of cat.h cat ./*.h
        sum_of sort.zlib env LC_ALL=C sort ./*.c
        sum_of who.count printf 'root root root\n# users=3\n'
        sum_of rsh.who printf 'root root root\n# users=3\n'
    ) | sort >"$work/expected"
    grep -E ' (\./.*\.c|cat\.h|sort\.zlib|who\.count|rsh\.who)$' "$workloads/$1.answer" | sort >"$work/answer"
    check_same_file "$1: the commands write what the host's write" "$work/expected" "$work/answer"
}

# sum_of FILE COMMAND...: a line of sha256sum over what the command prints.
sum_of()
{
    name=$1 && shift
    echo "$("$@" | sha256sum | cut -c -64)  $name"
}

for name in trfd-4 trfd-make arc2d-fsck; do
    check_parallel $name-short
    check_parallel $name
done
check_assembly trfd-make-short
check_assembly trfd-make
check_fsck arc2d-fsck-short
check_fsck arc2d-fsck
check_shell shell-short
check_shell shell

# The kernel has all four CPUs, and processes move between them.
cat >"$work/moves.tcl" <<'EOF'
set moves 0
annotation set pc set_task_cpu { incr moves }
annotation set mark end { log "CPUs: [symbol read nr_cpu_ids], moves: [expr {$moves > 0 ? "some" : "none"}]"; exit 0 }
EOF
for name in trfd-4 trfd-make arc2d-fsck shell; do
    simos restore "$workloads/$name-short.ckpt" --machine xia-torrellas --cpu embra --set cache.model=none --quiet --script "$work/moves.tcl"
    check_match "$name-short: four CPUs, between which processes move" "CPUs: 4, moves: some" "$work/err"
    check_workload $name-short xia-torrellas embra
    check_workload $name-short xia-torrellas mipsy
    check_workload $name xia-torrellas embra
done
finish
