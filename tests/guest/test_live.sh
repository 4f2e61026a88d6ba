# `--live PORT`: the page of a run that goes on. Looking changes nothing: the statistics are the same bytes with and without
# readers, whatever they send, with a debugger that only runs the guest, and with annotations that only read.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"
here=$root/tests/guest
# job_of N: work for a while
job_of() { echo "for i in \$(seq $1); do seq 3000 | sort | md5sum; done"; }
job=$(job_of 8)
clients=

# looked MODE COMMAND ARGUMENTS: `simos COMMAND --live 0 ARGUMENTS` and readers; as simos() leaves it, and what the readers say in $work/clients
looked()
{
    mode=$1 command=$2
    shift 2
    start "$command" --live 0 "$@"
    port_after "this run at"
    "$root/tests/limit.sh" 60 python3 "$here/live_clients.py" "$port" "$mode" >"$work/clients" 2>&1 &
    clients=$!
    wait "$running"
    status=$?
    running=
    wait "$clients"
    client_status=$?
}

simos run --quiet --cpu embra --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- true
check_equal "a checkpoint to start from" 0 "$status"

# What a client may use, of a run that waits for a debugger: it goes on beside the other checks, and needs some seconds.
start run --quiet --gdb 0 --live 0 --console "file:$work/log" --copy-in "$here" -- true
port_after "waiting for gdb on"
port_after "this run at"
waiting=$(cat "/proc/$running/task/$running/children") # limit.sh's child is simos, whose child is the server
server=$(cat "/proc/${waiting% }/task/${waiting% }/children")
check_match "the server has nothing open but its ports, a pipe and the pictures" '^3 /dev/null 2 memfd 1 pipe [12] socket$' - <<END
$(find "/proc/${server% }/fd" -type l -printf '%l\n' | sed 's/^\/memfd.*/memfd/; s/:.*//' | sort | uniq -c | xargs)
END
"$root/tests/limit.sh" 60 python3 "$here/live_clients.py" "$port" limits >"$work/limits" 2>&1 &
limits=$!
waiting=$running
running=

# Machines whose write buffers, buses and several CPUs would show an access that comes at another time.
while IFS='|' read -r mode times options; do
    job=$(job_of "$times")
    set -- restore "$work/boot.ckpt" --quiet --warmup 0 --provenance --stats "$work/same.json"
    # shellcheck disable=SC2086 # words
    simos "$@" $options -- sh -c "$job"
    check_equal "$options ends" 0 "$status"
    jq 'del(.provenance.words)' "$work/same.json" >"$work/plain.json"
    # shellcheck disable=SC2086 # words
    looked "$mode" "$@" $options -- sh -c "$job"
    jq 'del(.provenance.words)' "$work/same.json" >"$work/looked.json"
    check_equal "$options, looked at: ends" "0 0" "$status $client_status"
    check_same_file "$options: looking changes no byte" "$work/plain.json" "$work/looked.json"
    check_between "$options: a picture" 1 10000 "$(sed -n 's/ pictures,.*//p' "$work/clients")"
    check_between "$options: a whole page" 1 10000 "$(sed -n 's/.* pictures, \([0-9]*\) pages.*/\1/p' "$work/clients")"
    case $options in
    *' 1994 --script services'*)
        check_equal "checksums are those of sha256sum" "$(sha256sum <"$work/boot.ckpt" | cut -d ' ' -f 1)" \
            "$(json "$work/same.json" '.provenance.files[] | select(.role == "the checkpoint") | .sha256')"
        cp "$work/plain.json" "$work/services.json"
        ;;
    esac
done <<'END'
attack|30|--machine 1994 --script services --over-time 1ms
read|5|--machine 2015 --cpu mxs
read|12|--machine ultra-1
END
job=$(job_of 12)
simos run --quiet --cpu embra --cpus 4 --machine 1994-mp8 --stats "$work/plain.json" -- sh -c "$job"
looked read run --quiet --cpu embra --cpus 4 --machine 1994-mp8 --stats "$work/looked.json" -- sh -c "$job"
check_same_file "four CPUs: looking changes no byte" "$work/plain.json" "$work/looked.json"

# A reader is served while a hundred connections that read nothing are open, after 900 others.
start restore "$work/boot.ckpt" --live 0 --quiet --machine 1994 -- sh -c 'while :; do ls -lR / | md5sum; done'
port_after "this run at"
"$root/tests/limit.sh" 60 python3 "$here/live_clients.py" "$port" siege >"$work/clients" 2>&1
check_equal "readers in a siege: status" 0 $?
check_match "a reader is served in a siege" '^[0-9]* pictures, 1 pages' "$work/clients"
kill -TERM "$running"
wait "$running"
check_equal "and the run ends as others do" 143 $?
running=

# Annotations that only read.
job=$(job_of 30)
simos restore "$work/boot.ckpt" --quiet --warmup 0 --machine 1994 --stats "$work/plain.json" -- sh -c "$job"
check_equal "annotations change no figure" "$(json "$work/plain.json" 'del(.machine.models)' | md5sum)" \
    "$(json "$work/services.json" 'del(.annotations, .over_time, .provenance, .machine.models)' | md5sum)"

# A debugger that only runs the guest, and a reader beside it.
job=$(job_of 8)
simos restore "$work/boot.ckpt" --quiet --machine 1994 --stats "$work/plain.json" -- sh -c "$job"
start restore "$work/boot.ckpt" --quiet --machine 1994 --gdb 0 --live 0 --stats "$work/debugged.json" -- sh -c "$job"
port_after "waiting for gdb on"
gdb_port=$port
port_after "this run at"
python3 "$here/live_clients.py" "$port" read >"$work/clients" 2>&1 &
clients=$!
"$root/tests/limit.sh" 120 gdb-multiarch -batch -nx -ex "target remote 127.0.0.1:$gdb_port" -ex continue >"$work/gdb" 2>&1 </dev/null
wait "$running"
check_equal "a run with a debugger" 0 $?
running=
wait "$clients"
check_equal "a debugger that stops nothing changes nothing" "$(json "$work/plain.json" 'del(.machine.models)' | md5sum)" \
    "$(json "$work/debugged.json" 'del(.machine.models)' | md5sum)"

wait "$limits"
check_equal "what a client may use" "listens on the loopback alone: True
4096 and 4097 bytes: 503 431
a request of 10 s: True
33 connections: closed open 404" "$(cat "$work/limits")"
kill -TERM "$waiting"
wait "$waiting"
check_equal "... and the run ends" 143 $?

# A port that is taken.
python3 -c 'import socket, sys, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); print(s.getsockname()[1], flush=True); time.sleep(600)' >"$work/port" &
running=$!
wait_until '[ -s "$work/port" ]'
echo kept >"$work/kept.json"
"$SIMOS" run --live "$(cat "$work/port")" --stats "$work/kept.json" -- true >"$work/out" 2>"$work/err"
check_equal "a port that is taken: status, one line, nothing overwritten" \
    "125 simos: --live $(cat "$work/port"): Address already in use kept" "$? $(cat "$work/err") $(cat "$work/kept.json")"
kill "$running"
running=
for value in x -1 65536 ''; do
    simos run --live "$value" -- true
    check_equal "--live \"$value\" is refused" "125 1" "$status $(wc -l <"$work/err")"
done
simos run --live 0x10000 -- true
check_equal "--live takes a number as --gdb does" "125 simos: --live: 0x10000 is out of range; valid: 0..65535" "$status $(cat "$work/err")"
finish
