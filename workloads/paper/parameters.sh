#!/bin/sh
# Prints what the list of the positioned workload NAME sets of its disks, a NAME=VALUE a line: a machine description sets
# all parameters anew, so runs on other machines say these again. Nothing, if NAME has no list.
#
#     workloads/paper/parameters.sh NAME
set -eu
list=$(dirname "$0")/../jobs/$1.list
[ ! -e "$list" ] || sed -n 's/^set \(disk\.\)/\1/p' "$list"
