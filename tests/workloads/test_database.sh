#!/bin/sh
# Database: all transactions, and accounts that balance after the server has crashed and come back, on every CPU model.
. "$(dirname "$0")/../guest/harness.sh"
. "$(dirname "$0")/check.sh"
limit=7200

# check_answer NAME TRANSACTIONS ALL: measured, and those before together with them
check_answer()
{
    check_equal "$1: every transaction was done, and is in the history" \
        "number of transactions actually processed: $2/$2
transactions in the history: $3" "$(head -n 2 "$workloads/$1.answer")"
    # shellcheck disable=SC2046 # five words
    set -- "$1" $(sed -n 3p "$workloads/$1.answer")
    check_equal "$1: accounts, branches and tellers have what the history says" "$3 $3 $3" "$4 $5 $6"
}

check_answer database-short 8 16
check_answer database 1000 1500
check_answer database-mp8 1020 1320
check_models database
check_workload database-mp8 1994-mp8 mipsy
finish
