#!/bin/sh
# Prints the option of `simos restore` by which a run ends N instructions after its checkpoint, all processors together, or
# where its workload ends before that. The option counts from power-on; a run that it ends has status 124.
#
#     workloads/limit.sh SIMOS CHECKPOINT N
set -eu
before=$("$1" info "$2" | sed -n 's/.* \([0-9]*\) instructions, .*/\1/p')
echo "--max-insns $((before + $3))"
