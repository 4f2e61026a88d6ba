#!/bin/sh
# isolate.sh SCRATCH COMMAND: runs the shell command COMMAND in the current folder, so that a fault does no harm: what it
# writes to this folder, to build/guest or to the packages' cache lands in SCRATCH, it has no network but a loopback of
# its own, and its processes end with it. For root; without, COMMAND is run as it is.
#
# TMPDIR is SCRATCH/tmp.
set -u
scratch=$1
mkdir -p "$scratch/tmp"
export TMPDIR="$scratch/tmp"
if [ "$2" != --inside ]; then
    [ "$(id -u)" = 0 ] && unshare --mount --pid --net --fork --mount-proc true 2>/dev/null || exec sh -c "$2"
    exec setpriv --pdeathsig KILL unshare --mount --pid --net --fork --kill-child --mount-proc "$0" "$scratch" --inside "$2"
fi

# cover NAME FOLDER
cover()
{
    [ -d "$2" ] || return 0
    mkdir -p "$scratch/$1" "$scratch/$1-work"
    mount -t overlay overlay -o "lowerdir=$2,upperdir=$scratch/$1,workdir=$scratch/$1-work" "$2"
}
ip link set lo up 2>/dev/null
cover guest "$(realpath build/guest)"
cover cache "${SIMOS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/simos}"
cover tree "$PWD"
cd "$PWD" || exit # the one with the cover
sh -c "$3" # a process of its own: the first of a namespace takes no signal that it does not handle
