#!/bin/sh
# limit.sh SECONDS COMMAND...: runs COMMAND, each process of which may use SECONDS of processor time. One that needs more
# is ended by SIGXCPU: exit status 152. A busy machine ends nothing, therefore: how long a command waits for its turn does
# not count. One that waits for ever is ended in the same way after ten times SECONDS of wall clock, at least 300 s.
#
# LIMIT_SCALE    a factor for SECONDS: programs with sanitizers are that much slower (1)
# LIMIT_MOST     what SECONDS are at most (no limit)
seconds=$(($1 * ${LIMIT_SCALE:-1}))
[ $seconds -le "${LIMIT_MOST:-$seconds}" ] || seconds=$LIMIT_MOST
shift
wall=$((seconds * 10))
[ $wall -ge 300 ] || wall=300
ulimit -c 0
exec timeout --foreground --preserve-status -s XCPU -k 10 $wall prlimit --cpu=$seconds:$((seconds + 10)) "$@"
