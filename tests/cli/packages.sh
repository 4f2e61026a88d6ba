#!/bin/sh
# Where packages are missing and nobody may install them, make prints one command that installs all that its goals need. What the
# guests are built from source with does not depend on the variables of that make.
#
#     tests/cli/packages.sh
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

# A host without any package, root or sudo; a tree in which nothing has been made.
mkdir -p "$dir/bin" "$dir/tree"
printf '#!/bin/sh\n' >"$dir/bin/dpkg-query"
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/sudo"
printf '#!/bin/sh\necho "apt-get $*" >>"%s"\n' "$dir/apt" >"$dir/bin/apt-get"
printf '#!/bin/sh\necho 1000\n' >"$dir/bin/id"
chmod +x "$dir"/bin/*
tar -c --exclude=./build --exclude=./.git . | tar -x -C "$dir/tree"

# check WHAT SET... -- GOAL...: make GOAL... names the packages of all SETs, in one command, once.
check()
{
    what=$1 wanted=
    shift
    while [ "$1" != -- ]; do
        wanted="$wanted $1"
        shift
    done
    shift
    rm -rf "$dir/tree/build"
    env -u MAKEFLAGS -u MAKELEVEL -u DEPS_RUN "PATH=$dir/bin:$PATH" make -C "$dir/tree" -j4 "$@" >"$dir/out" 2>&1
    status=$?
    commands=$(grep -c 'apt-get install' "$dir/out")
    lacking=
    for package in $wanted; do
        grep -q "apt-get install.* $package " "$dir/out" || lacking="$lacking $package"
    done
    if [ $status = 2 ] && [ "$commands" = 1 ] && [ -z "$lacking" ]; then
        passed=$((passed + 1))
    else
        echo "FAIL: $what: status $status, $commands commands, packages not named:$lacking"
        head -n 10 "$dir/out"
        failed=$((failed + 1))
    fi
}

check "two sets, one goal each" zlib1g-dev libcmocka-dev busybox-static -- bench-files test-unit
check "two sets of one goal" zlib1g-dev busybox-static qemu-system-mips -- bench-files
check "with overrides" zlib1g-dev libcmocka-dev -- test-unit 'CFLAGS=-O1 -g' WERROR=1
check "the default goal" zlib1g-dev --
check "the same again" zlib1g-dev --

# With root it is installed, all at once.
printf '#!/bin/sh\necho 0\n' >"$dir/bin/id"
rm -rf "$dir/tree/build"
env -u MAKEFLAGS -u MAKELEVEL -u DEPS_RUN "PATH=$dir/bin:$PATH" make -C "$dir/tree" build/.deps-build build/.deps-bench >"$dir/out" 2>&1
if [ "$(head -n 1 "$dir/apt" | grep -c ' zlib1g-dev .* busybox-static')" = 1 ]; then
    passed=$((passed + 1))
else
    echo "FAIL: root: $(cat "$dir/apt" "$dir/out")"
    failed=$((failed + 1))
fi

# The compiler and flags for simos are not those for the guest.
cat >"$dir/outer" <<'END'
all:
	@sh -c '. "$$0" && printf "all:\n\t@echo \$$(CC) \$$(CFLAGS) \$$(MAKEOVERRIDES)\n" | make -s -f -' workloads/source-cache.sh
END
for given in "CC=other" "CFLAGS=-other" "CC=other -j2"; do
    # shellcheck disable=SC2086 # words
    used=$(env -u MAKEFLAGS -u MAKELEVEL CFLAGS=-O7 make -s -f "$dir/outer" $given 2>&1)
    if [ "$used" = cc ]; then
        passed=$((passed + 1))
    else
        echo "FAIL: make $given: a guest is built with: $used"
        failed=$((failed + 1))
    fi
done
echo "packages: $passed passed, $failed failed"
[ "$failed" = 0 ]
