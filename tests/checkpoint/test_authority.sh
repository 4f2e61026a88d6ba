#!/bin/sh
# What a file may ask of the host (docs/reference/security.md): a checkpoint, a record, a machine, sweep or cluster file that would
# write, read, join a network or run a script is refused in one line that names the file, with status 125, and nothing is
# touched. --trust, or saying it again on the command line, allows it.
. "$(dirname "$0")/../guest/harness.sh"
cd "$work" || exit
mkdir victims
echo precious >victims/file
echo data >input
fast="--cpu embra --set cache.model=none --quiet"
# shellcheck disable=SC2086 # a list of options
simos run $fast --checkpoint plain.ckpt@boot -- true
check_equal "a checkpoint" 0 "$status"

# refused RULE PATTERN WORDS...: and what is in victims/ stays as it is
refused()
{
    rule=$1 pattern=$2
    shift 2
    simos "$@"
    check_equal "$rule: refused" "125 1" "$status $(wc -l <err)"
    check_match "... by name" "$pattern" err
    check_equal "... before anything is touched" "file precious" "$(ls victims) $(cat victims/file)"
    echo precious >victims/file
}

# Checkpoints.
for authority in "machine.net=user joins a network" "mxs.view=victims/file writes"; do
    setting=${authority%% *}
    # shellcheck disable=SC2086
    simos run $fast --set "$setting" --checkpoint asks.ckpt@boot -- true
    echo precious >victims/file
    refused "a checkpoint with $setting" "^simos: checkpoint asks.ckpt: its $authority on this host: repeat it on the command line, or use --trust" \
        restore asks.ckpt --quiet
    simos info asks.ckpt
    check_match "... simos info says so" "^touches the host: $authority" out
    simos restore asks.ckpt --quiet --set "$setting"
    check_equal "... said again, it is done" 0 "$status"
    simos restore asks.ckpt --quiet --trust
    check_equal "... trusted, it is done" 0 "$status"
    echo precious >victims/file
done
# shellcheck disable=SC2086
simos run $fast --copy-in input --copy-out /root/input:victims --checkpoint copies.ckpt@boot -- true
rm -f victims/input
refused "a checkpoint with files in" "checkpoint copies.ckpt: its copy-in .*/input:/root reads on this host" restore copies.ckpt --quiet
refused "a checkpoint with files out" "checkpoint copies.ckpt: its copy-out /root/input:.*/victims writes on this host" \
    restore copies.ckpt --quiet --copy-in input
simos info copies.ckpt
check_equal "... simos info says so" 2 "$(grep -c '^touches the host: copy: ' out)"
simos restore copies.ckpt --quiet --trust
check_same_file "... trusted, they travel" input victims/input
rm -f victims/input
cp plain.ckpt disk.img
# shellcheck disable=SC2086
simos run $fast --disk "disk.img,overlay=victims/file" --checkpoint disk.ckpt@boot -- true
rm -rf victims/file && echo precious >victims/file

# Machine descriptions.
for line in "param console.device file:victims/file" "param net.pcap victims/file" "param machine.net user" \
    "param machine.disk0 victims/file,write" "param mxs.view victims/file" "param guest.kernel /etc/passwd"; do
    echo "$line" >asks.tcl
    # shellcheck disable=SC2086
    refused "a machine with $line" "^simos: machine asks.tcl: its .* on this host: repeat it" run --machine asks.tcl $fast -- true
done
echo 'param console.device file:victims/file' >asks.tcl
# shellcheck disable=SC2086
simos run --machine asks.tcl --trust $fast -- true
check_equal "a trusted machine may" 0 "$status"
echo precious >victims/file

# Records.
# shellcheck disable=SC2086
simos run $fast --net user --record net.rec -- true
refused "a record with a network" "net.rec: its machine.net=user joins a network on this host" run --replay net.rec --quiet
simos run --replay net.rec --quiet --net user
check_equal "... said again" 0 "$status"
# shellcheck disable=SC2086
simos run $fast --copy-in input --record copy.rec -- true
refused "a record with files in" "copy.rec: its copy-in reads .*input.* on this host" run --replay copy.rec --quiet
simos run --replay copy.rec --quiet --trust
check_equal "... trusted" 0 "$status"

# Sweeps: their jobs are processes of simos, which hear from where their words come.
echo 'annotation set simos enter { close [open victims/made w] }' >evil.tcl
for line in "option --script evil.tcl" "option --stats victims/file" "option --copy-out /etc/passwd:victims" "param net.pcap victims/file" \
    "option --trust" "option --from {}"; do
    printf 'checkpoint plain.ckpt\nmachine 1994\n%s\n' "$line" >asks.tcl
    rm -rf asks.work
    simos sweep asks.tcl --quiet
    check_match "a sweep with $line: refused" "asks.tcl: its .*(touches|on) this host|not in a sweep" "$(cat out err >both; echo both)"
    check_equal "... before anything is touched" "file precious" "$(ls victims) $(cat victims/file)"
done
printf 'checkpoint plain.ckpt\nmachine 1994\noption --quiet --script evil.tcl\n' >asks.tcl
simos sweep asks.tcl --quiet --trust
check_equal "a trusted sweep may" "0 file made" "$status $(ls victims | xargs)"
rm -f victims/made
printf 'checkpoint plain.ckpt\nmachine 2015\nparam mxs.view victims/file\noption --quiet --warmup 0 --window 100000\n' >asks.tcl
simos sweep asks.tcl --quiet --trust
check_equal "... write a file, of which the job has the lock" "0 yes" "$status $(test "$(wc -c <victims/file)" -gt 1000 && echo yes)"
echo precious >victims/file

# Clusters.
for words in "--script evil.tcl" "--pcap victims/file" "--net user" "--stats victims/file" "--console file:victims/file"; do
    echo "node one --set cache.model=none $words -- true" >asks.tcl
    refused "a cluster with $words" "asks.tcl: .*((on|touches) this host|--console: not in a cluster)" cluster asks.tcl --cpu embra --quiet
done
echo "node one --set cache.model=none --net hub:inside -- true" >asks.tcl
simos cluster asks.tcl --cpu embra --quiet
check_equal "a network within a cluster is not the host's" 0 "$status"

# A checkpoint's kernel is in its RAM: its file is not looked for.
mkdir guest
cp "$guest/kernel.sym" guest
check_equal "a checkpoint needs no kernel" "0 7" "$(cp "$SIMOS" alone && ./alone restore plain.ckpt --quiet -- sh -c 'echo 7; exit 0' >out 2>err
    echo "$? $(cat out)")"
# Nor are the files beside it, unless the command line names it, too.
mkdir beside
cp "$guest/vmlinux" "$guest/initrd.cpio" "$guest/kernel.sym" beside
simos run $fast --kernel beside/vmlinux --checkpoint beside.ckpt@boot -- true
refused "symbols beside a kernel that only the checkpoint names" \
    "made with those beside its kernel, beside/vmlinux: say --kernel on the command line, or --trust the file" \
    restore beside.ckpt --quiet -- true
for remedy in "--kernel beside/vmlinux" --trust; do
    # shellcheck disable=SC2086 # two words
    simos restore beside.ckpt $remedy --quiet -- true
    check_equal "... with $remedy they are" 0 "$status"
done
finish
