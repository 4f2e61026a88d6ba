#!/bin/sh
# The wheel on machines that have nothing but Python: `pip install` in an empty environment, as a user who is not root, then a
# machine by the command and one by the package, and the notebooks. Each step's seconds are printed.
#
#     tests/hosts/wheel.sh WHEEL SIMOS FOLDER RELEASE...
#
# SIMOS is the same program in the working copy: the wheel's gives the same statistics. RELEASE is a release of Debian, or a
# folder: a root file system with Python 3.11 or later, such as `podman export` unpacks (it is copied). FOLDER gets a log each. Needs root
# and debootstrap; KEEP=1 keeps the machines.
set -u
cd "$(dirname "$0")/../.." || exit
[ "$(id -u)" = 0 ] || { echo "wheel: skipped: not root" && exit; }
command -v debootstrap >/dev/null || { echo "wheel: skipped: no debootstrap" && exit; }
[ $# -ge 4 ] || { echo "usage: wheel.sh WHEEL SIMOS FOLDER RELEASE..." >&2; exit 2; }
script=tests/hosts/wheel.sh
# shellcheck source=tests/hosts/chroot.sh
. tests/hosts/chroot.sh
wheel=$1 simos=$2
mkdir -p "$3"
folder=$(realpath "$3")
shift 3
passed=0 failed=0

# step NAME COMMAND: by the user of the chroot, in a home of its own; its output goes to the log.
step() {
    started=$(date +%s.%N)
    in_chroot "setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/home/user sh -c 'cd && $2'" >"$folder/output" 2>&1
    status=$?
    cat "$folder/output" >>"$folder/$name.log"
    printf '%s: %s: status %d, %.1f s\n' "$name" "$1" "$status" "$(date +%s.%N | awk -v started="$started" '{ print $1 - started }')"
    if [ $status = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $name: $1 (see $folder/$name.log)"; fi
}

# same NAME FILE FILE
same() {
    if cmp -s "$2" "$3"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $name: $1: $2 is not $3"; fi
}

# Where this machine's pip takes packages from.
pip_settings() {
    python3 -m pip config list 2>/dev/null | sed -n "s/^[^=]*\.\(index-url\|extra-index-url\|trusted-host\|proxy\)='\(.*\)'$/\1 = \2/p" |
        sed '1i [global]'
}

job='uname -r; sort /etc/passwd | md5sum'
"$simos" run --quiet --stats "$folder/here.json" -- sh -c "$job" >"$folder/here.out" 2>/dev/null </dev/null || exit
for release; do
    name=${release##*/}
    : >"$folder/$name.log"
    if [ -d "$release" ]; then
        chroot=$folder/$name
        rm -rf --one-file-system "$chroot"
        cp -a "$release" "$chroot"
        for place in proc dev; do
            mount --rbind /$place "$chroot/$place" && mount --make-rslave "$chroot/$place"
        done
        cp /etc/resolv.conf "$chroot/etc/resolv.conf"
    else
        make_chroot "$folder/$name" "$release" python3,python3-venv "$folder/$name.log" ||
            { failed=$((failed + 1)) && echo "FAIL $name: debootstrap (see $folder/$name.log)" && continue; }
    fi
    pip_settings >"$chroot/etc/pip.conf"
    mkdir -p "$chroot/home/user"
    cp "$wheel" "$chroot/home/user"
    chown -R 1000:1000 "$chroot/home/user"
    cat >"$chroot/home/user/machine.py" <<'END_OF_PYTHON'
import simoslab as sl

session = sl.Session(sl.Machine("1994"))
session.fast_forward(until=sl.Boot())
run = session.run(["uname", "-r"])
print(run.cpi_stack())
assert sl.find_program().parts[-4:] == ("simos_program", "lib", "simos", "simos"), sl.find_program()
END_OF_PYTHON

    step "an empty environment" "python3 -m venv env"
    step "pip install" "env/bin/pip install --quiet --disable-pip-version-check ./${wheel##*/}"
    step "simos run" "env/bin/simos run --quiet --stats there.json -- sh -c \"$job\" >there.out"
    same "output" "$folder/here.out" "$chroot/home/user/there.out"
    same "statistics" "$folder/here.json" "$chroot/home/user/there.json"
    step "python -m simoslab run" "env/bin/python -m simoslab run --quiet -- uname -r"
    step "import simoslab" "env/bin/python machine.py"
    step "simos shell" "echo puts [info library] | env/bin/simos shell --kernel none | grep simos_program/lib/simos/tcl"
    step "simos docs" "test -f \"\$(env/bin/simos docs)\""
    step "pip install nbclient ipykernel" "env/bin/pip install --quiet --disable-pip-version-check nbclient ipykernel"
    step "the notebooks" "for book in env/lib/python3*/site-packages/simos_program/share/doc/simos/notebooks/*.ipynb; do
        env/bin/jupyter execute \$book || exit 1; done"
    leave_chroot
done
echo "wheel: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
