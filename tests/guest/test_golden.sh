# Misses of each service by class, from a checkpoint, to the last digit (SOSP'95 tables 4.8 and 5.4; miss-classes.md): the
# same as in tests/guest/golden, whatever the host. When it is not, the report says which class of which service moved.
#
#     make golden     writes the files anew: after a change that is meant to change them, or of the guest
#
# The figures are those of one guest, kernel and initial RAM disk, which golden/decomposition.guest names: the one that
# workloads/guest.lock pins. When that is moved (make guest-update), they are written anew.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

golden=$root/tests/guest/golden/decomposition
job='ls / | head -n 3; (echo a) & wait; cat /proc/mounts | wc -l'

identity()
{
    (cd "$guest" && sha256sum vmlinux initrd.cpio)
}

# decompose MODEL: the services' figures, a line each, and what a report needs beside them
decompose()
{
    simos restore "$work/boot.ckpt" --cpu "$1" --warmup 0 --set cache.classify=full --script services --quiet \
        --stats "$work/$1.all" -- sh -c "$job"
    check_equal "$1: exit status" 0 "$status"
    jq -r '"{\"machine\": \({name: .machine.name, time: .machine.time} | tojson),",
        "\"parameters\": \({cpu: {clock: .parameters.cpu.clock}} | tojson),",
        "\"cpu0\": {\"mode\": \(.cpu0.mode | tojson)},",
        "\"annotations\": {\"events\": \(.annotations.events | tojson),",
        "\"services\": {",
        ([.annotations.services | to_entries[] | "\(.key | tojson): \(.value | tojson)"] | join(",\n")),
        "}}}"' "$work/$1.all" >"$work/$1.json"
}

simos run --cpu embra --quiet --checkpoint "$work/boot.ckpt@boot" -- true
check_equal "the checkpoint: exit status" 0 "$status"
decompose mipsy
decompose embra
simos report --compare "$work/mipsy.json" "$work/embra.json"
check_equal "mipsy and embra: the same misses of the same services by class" "0 the same: " \
    "$status $(head -n 1 "$work/out" | cut -c 1-10)"

# Every miss of every service has a class.
check_equal "classes sum up to the misses of the first level" "$(json "$work/mipsy.json" '[.annotations.services[].miss.l1i] | add')" \
    "$(json "$work/mipsy.json" '[.annotations.services[].class.l1i.insn[]] | add')"

if [ "${1:-}" = write ]; then
    identity >"$golden.guest"
    cp "$work/mipsy.json" "$golden.json"
    echo "written: $golden.json"
else
    check_equal "the guest is the pinned one (if it was moved: make golden)" "$(cat "$golden.guest")" "$(identity)"
    simos report --compare "$golden.json" "$work/mipsy.json"
    if [ "$status" = 0 ]; then
        pass "the decomposition is the golden one"
    else
        fail "the decomposition is the golden one, to the last digit (if it is meant to change: make golden)"
        cat "$work/out"
    fi
fi

# The report says which class of which service moved.
sed '/^"execve"/s/\("class":{"l1i":{"insn":{"cold":\)\([0-9]*\)/\11\2/' "$work/mipsy.json" >"$work/moved.json"
simos report --compare "$work/mipsy.json" "$work/moved.json"
check_equal "a file that differs: exit status" 1 "$status"
check_match "it says: cold misses of execve's instructions" '^execve +l1i insn cold misses +[0-9]+ +1[0-9]+ +\+1' "$work/out"
check_equal "and nothing else" 1 "$(sed -n '/^misses of services/,/^$/p' "$work/out" | grep -c ' misses ')"

finish
