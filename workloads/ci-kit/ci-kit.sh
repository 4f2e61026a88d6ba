#!/bin/sh
# Judges a commit of another project with `simos test`, in CI or by hand (docs/how-to/ci-kit.md):
#
#     ci-kit.sh --kernel TREE [OPTION...] TEST.tcl...
#     ci-kit.sh --program FILE [OPTION...] TEST.tcl...
#
#   --kernel TREE     a git repository of Linux: the commit's kernel is built, and booted
#   --program FILE    the tests' `program`: FILE, relative to the top of the git repository that this folder is in
#   --build COMMAND   makes FILE: run by sh at the top of a checkout of the commit; without it FILE is taken as it is
#   --against REV     the commit to compare with; without it the baselines beside the tests
#   --commit REV      the commit to judge (HEAD)
#   --out FOLDER      results, and what they are made from (simos-results)
#   --trend FOLDER    also a line about the commit there
#   --bisect          for `git bisect run`: measure until every row is decided
#   --strict          what cannot be decided fails, too
#
# FOLDER gets report.md, report.html, junit.xml, report.tap, report.json and dashboard.json.
#
# Exit status: 0 the commit is good, 1 a row fails, 2 (--strict) a row is undecided, 125 the commit cannot be tested: it does
# not build, say.
#
# Environment: SIMOS, a program to use instead of building the one that this folder belongs to; CC, of --build
# (mipsel-linux-gnu-gcc).
set -eu
simos_tree=$(cd "$(dirname "$0")/../.." && pwd)

die() {
    echo "ci-kit: $*" >&2
    exit 125
}
usage() {
    sed -n '/^#     ci-kit/,/^#   --strict/s/^# \{0,1\}//p' "$0" >&2
    exit 125
}

kernel='' program='' build='' against='' commit=HEAD out=simos-results trend='' bisect='' strict=''
while [ $# -gt 0 ]; do
    case $1 in
    --kernel | --program | --build | --against | --commit | --out | --trend)
        [ $# -ge 2 ] && [ -n "$2" ] || die "$1 needs a value"
        case $1 in
        --kernel) kernel=$2 ;;
        --program) program=$2 ;;
        --build) build=$2 ;;
        --against) against=$2 ;;
        --commit) commit=$2 ;;
        --out) out=$2 ;;
        --trend) trend=$2 ;;
        esac
        shift 2
        ;;
    --bisect) bisect=yes && shift ;;
    --strict) strict=yes && shift ;;
    --) shift && break ;;
    -*) usage ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || usage
for test; do
    [ -f "$test" ] || die "there is no test $test"
done
if [ -n "$kernel" ]; then
    [ -z "$program$build" ] || die "--kernel: not together with --program and --build"
    project=$kernel
else
    [ -n "$program" ] || usage
    [ -n "$build" ] || [ -z "$against" ] || die "--against needs --build, which makes the other commit's program"
    case $program in /* | ../* | */../*) [ -z "$build" ] || die "--program $program: not below the top of the repository" ;; esac
    project=.
fi
mkdir -p "$out" || die "$out cannot be made"
out=$(cd "$out" && pwd)

# A program or kernel that comes from a commit, and not from this folder as it is.
from_git=
[ -z "$kernel$build" ] || from_git=yes
if [ -n "$from_git" ] || [ -n "$trend" ]; then
    project=$(git -C "$project" rev-parse --show-toplevel) || die "$project is in no git repository"
fi
# revision REV: its full name
revision() {
    git -C "$project" rev-parse --verify --quiet --end-of-options "$1^{commit}" ||
        die "$project has no commit $1 (a shallow clone? fetch-depth: 0 gets all)"
}
new='' old=''
if [ -n "$from_git" ] || [ -n "$trend" ]; then
    new=$(revision "$commit")
    [ -z "$against" ] || old=$(revision "$against")
fi

# The simulator, and the guest that programs run in.
if [ -z "${SIMOS-}" ]; then
    make -C "$simos_tree" build/simos >"$out/simos.log" 2>&1 || die "simos cannot be built: $(tail -n 1 "$out/simos.log") ($out/simos.log)"
    SIMOS=$simos_tree/build/simos
fi
if [ -z "$kernel" ] && [ ! -f "$simos_tree/build/guest/kernel.sym" ]; then
    make -C "$simos_tree" guest >"$out/guest.log" 2>&1 || die "the guest cannot be made: $(tail -n 1 "$out/guest.log") ($out/guest.log)"
fi

# The folder that all checkouts of the repository of $1 share; nothing if it is none, or no more.
common_folder() {
    (cd "$1" && cd "$(git rev-parse --git-common-dir 2>/dev/null)" 2>/dev/null && pwd -P)
}

# check_out REVISION: into $out/tree, always the same, so that the next build compiles only what is different.
check_out() {
    if [ -e "$out/tree/.git" ] && [ "$(common_folder "$out/tree")" = "$(common_folder "$project")" ]; then
        git -C "$out/tree" checkout --quiet --force --detach "$1" --
    else
        rm -rf "$out/tree"
        git -C "$project" worktree prune
        git -C "$project" worktree add --quiet --force --detach "$out/tree" "$1"
    fi >"$out/checkout.log" 2>&1 || die "$1 cannot be checked out: $(tail -n 1 "$out/checkout.log")"
}

# make_side SIDE REVISION: what is tested of a commit, $out/SIDE/vmlinux and the files beside it, or $out/SIDE/NAME
make_side() {
    check_out "$2"
    mkdir -p "$out/$1"
    log=$out/$1.log
    if [ -n "$kernel" ]; then
        make -C "$simos_tree" guest-source KERNEL_SOURCE="$out/tree" GUEST_SOURCE="$out/$1" >"$log" 2>&1 ||
            die "$2 does not build: $(grep -m 1 -e 'cannot be built' "$log" || tail -n 1 "$log") ($log)"
    else
        (cd "$out/tree" && CC="${CC:-mipsel-linux-gnu-gcc}" LDFLAGS="${LDFLAGS--static}" sh -c "$build") >"$log" 2>&1 </dev/null ||
            die "$2 does not build: $(grep -m 1 -e 'error:' "$log" || tail -n 1 "$log") ($log)"
        [ -f "$out/tree/$program" ] || die "$2 does not build: there is no $program after: $build"
        cp "$out/tree/$program" "$out/$1/"
    fi
}

[ -z "$old" ] || make_side old "$old"
[ -z "$from_git" ] || make_side new "$new"
if [ -n "$kernel" ]; then
    option=--kernel name=vmlinux
else
    option=--program name=${program##*/}
fi

# The arguments of `simos test`, behind the tests.
if [ -n "$from_git" ]; then
    [ -z "$old" ] || set -- "$@" $option "$out/old/$name"
    set -- "$@" $option "$out/new/$name"
else
    set -- "$@" $option "$program"
fi
[ -z "$bisect" ] || set -- "$@" --decide
[ -z "$trend" ] || set -- "$@" --trend "$trend" --commit "$new"
status=0
"$SIMOS" test "$@" --quiet --markdown "$out/report.md" --html "$out/report.html" --junit "$out/junit.xml" --tap "$out/report.tap" \
    --json "$out/report.json" --dashboard "$out/dashboard.json" || status=$?
[ $status -ne 2 ] || [ -n "$strict" ] || status=0
exit $status
