#!/bin/sh
# Prints what the list of the positioned workload NAME sets of its disks, a NAME=VALUE a line: a machine description sets
# all parameters anew, so runs on other machines say these again.
#
#     workloads/paper/parameters.sh NAME
set -eu
sed -n 's/^set \(disk\.\)/\1/p' "$(dirname "$0")/../jobs/$1.list"
