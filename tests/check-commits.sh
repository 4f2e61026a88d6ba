#!/bin/sh
# Checks the form of commit messages (CONTRIBUTING.md): a subject of at most 72 characters of the form "part: change",
# and a body that is not empty. Merge commits are not checked.
#
#     tests/check-commits.sh [REVISION]     the commits after REVISION; after the last tag; if there is no tag, after the
#                                           commit by which `make check` calls this script
#
# Prints one line a violation, oldest commit first. Exit status: 0 no violation, or no git history to check;
# 1 at least one violation; 2 REVISION is not a commit.
set -u
cd "$(dirname "$0")/.." || exit 2

# The clone may be another user's.
history()
{
    git -c safe.directory="$PWD" "$@" 2>/dev/null
}

# A tree without its own .git may lie inside another project's clone.
if [ ! -e .git ] || ! history rev-parse --quiet --verify HEAD >/dev/null; then
    echo "check-commits: no git history, nothing to check"
    exit 0
fi

since=${1-$(history describe --tags --abbrev=0)}
[ -n "$since" ] || since=$(history log -1 --format=%H -Stests/check-commits.sh -- Makefile)
range=HEAD
if [ -n "$since" ]; then
    if ! history rev-parse --quiet --verify "$since^{commit}" >/dev/null; then
        echo "check-commits: $since is not a commit" >&2
        exit 2
    fi
    range=$since..HEAD
fi

# One record a commit: hash, subject, body. In the C locale length() counts bytes; without the continuation bytes of
# UTF-8 these are characters.
history log --no-merges --reverse --format='%x01%h%x02%s%x02%b' "$range" -- | LC_ALL=C awk '
    BEGIN { RS = "\001"; FS = "\002" }
    NR == 1 { next }
    {
        characters = $2
        gsub(/[\200-\277]/, "", characters)
        if (length(characters) > 72)
            complain("the subject has " length(characters) " characters, more than 72")
        if ($2 !~ /^[^ :][^:]*: [^ ]/)
            complain("the subject is not of the form \"part: change\"")
        if ($3 !~ /[^ \t\n]/)
            complain("the body is empty")
    }
    function complain(what)
    {
        print $1 " " $2 ": " what
        bad = 1
    }
    END { exit bad }'
