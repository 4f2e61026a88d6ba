#!/bin/sh
# Prints the script of the run RUN: what it collects, and that it is saved where it ends, from where answer.sh continues it.
#
#     workloads/paper/script.sh OUT RUN
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sed "s|^annotation set mark end { |&checkpoint save {$1/ends/$2.ckpt}; |" "$here/annotations.tcl"
case $2 in
*-[0-9]*-mp8) ;;
*-mp8) cat "$here/coherence.tcl" ;;
esac
