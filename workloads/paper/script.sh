#!/bin/sh
# Prints the script of the run RUN: what it collects, and that it is saved where it ends, from where answer.sh continues it. It
# ends with the measured part of its workload, or INSNS instructions after its checkpoint.
#
#     workloads/paper/script.sh OUT RUN [INSNS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sed "s|^annotation set mark end { |&checkpoint save {$1/ends/$2.ckpt}; |" "$here/annotations.tcl"
[ -z "${3-}" ] || cat <<END
annotation set simos restore {
    annotation set insn [expr {[insns] + $3}] { checkpoint save {$1/ends/$2.ckpt}; exit 0 }
}
END
case $2 in
*-whole | *-whole-mp8) cat "$here/whole.tcl" ;;
*-cold) cat "$here/cold.tcl" ;;
*-[0-9]*-mp8) ;;
*-mp8) cat "$here/coherence.tcl" ;;
esac
