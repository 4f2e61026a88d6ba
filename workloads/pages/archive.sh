#!/bin/sh
# The pages of papers with what they are made of, for another host to make them again and compare:
#
#     workloads/pages/archive.sh make SIMOS BUILD ARCHIVE      (`make paper-archive`)
#     workloads/pages/archive.sh check SIMOS ARCHIVE           (`make paper-archive-check ARCHIVE=FILE`)
#
# make: ARCHIVE, a tar.xz, of every page below BUILD that was made: the statistics and outputs of its runs, the page and all that was
# made with it; `manifest` with the sum of each file; `versions` with those of simos, its guest (guest.lock) and the claims. The same
# files give the same bytes. check: makes each page again from the archive's runs, with this host's simos, and names every file that is
# another one; status 1 if one is.
set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '4,5s/^#     //p' "$0" >&2; exit 2; }

# What the pages are: the first column of pages.tsv.
pages() { tail -n +2 "$here/pages.tsv" | cut -f 1; }

# What is neither read nor written by a page's module: state of runs, programs, files that are being written.
left_out='\.(ckpt|hub|img|elf|sym|o|points|layout|new)$'

# sums: of every file below the current folder
sums() { find . -type f ! -name manifest | sort | sed 's|^\./||' | tr '\n' '\0' | xargs -0 -r sha256sum; }

versions()
{
    "$1" --version
    (cd "$here/.." && sha256sum guest.lock && find . -name claims.toml | sort | xargs sha256sum)
}

# page_again PAGE OUT: the page from what is in OUT
page_again() { SIMOS=$simos "$here/run.sh" "$1" "$2" >"$2.log" 2>&1; }

case ${1-} in
make)
    [ $# = 4 ] || usage
    simos=$(realpath "$2") build=$(realpath "$3") archive=$4
    folder=$(mktemp -d "${TMPDIR:-/tmp}/paper-archive.XXXXXX")
    trap 'rm -rf "$folder"' EXIT
    for page in $(pages); do
        [ -s "$build/$page/index.html" ] || continue
        (cd "$build" && find "$page" -type f | grep -Ev "$left_out" | sort) >"$folder.list"
        tar -C "$build" -cf - -T "$folder.list" | tar -C "$folder" -xf -
        rm "$folder.list"
    done
    [ -n "$(ls "$folder")" ] || { echo "paper-archive: no page was made below $build (make paper, make monster ...)" >&2; exit 1; }
    versions "$simos" >"$folder/versions"
    (cd "$folder" && sums >manifest)
    tar -C "$folder" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf - . | xz -6 >"$archive.new"
    mv "$archive.new" "$archive"
    echo "$archive: $(cd "$folder" && find . -name index.html | wc -l) pages, $(du -h "$archive" | cut -f 1)"
    ;;
check)
    [ $# = 3 ] || usage
    simos=$(realpath "$2") archive=$3
    folder=$(mktemp -d "${TMPDIR:-/tmp}/paper-archive.XXXXXX")
    trap 'rm -rf "$folder"' EXIT
    refuse() { echo "paper-archive: $archive: $1" >&2; exit 125; }
    tar -tvf "$archive" >"$folder/list" 2>/dev/null || refuse "is no archive"
    ! grep -qv '^[-d]' "$folder/list" || refuse "has something else than files and folders"
    mkdir "$folder/was" "$folder/is"
    tar -C "$folder/was" --no-same-owner --no-same-permissions -xf "$archive" 2>/dev/null || refuse "cannot be unpacked"
    [ -s "$folder/was/manifest" ] || refuse "has no manifest"
    (cd "$folder/was" && sums) >"$folder/sums"
    cmp -s "$folder/sums" "$folder/was/manifest" || refuse "is not what its manifest says"
    versions "$simos" | diff "$folder/was/versions" - >"$folder/diff" || sed -n 's/^</then: /p; s/^>/now:  /p' "$folder/diff"
    failed=0 count=0
    for page in $(pages); do
        [ -d "$folder/was/$page" ] || continue
        count=$((count + 1))
        cp -a "$folder/was/$page" "$folder/is/$page"
        rm -f "$folder/is/$page/index.html" "$folder/is/$page/verdicts.tsv"
        page_again "$page" "$folder/is/$page" || { echo "$page: cannot be made again: $(tail -n 1 "$folder/is/$page.log")"; failed=1; continue; }
        diff -rq "$folder/was/$page" "$folder/is/$page" >"$folder/diff" || {
            sed -E "s|^Files $folder/was/([^ ]*) and .*|\\1: is another one|; s|^Only in $folder/was/([^:]*): |\\1/: was not made again: |
                s|^Only in $folder/is/([^:]*): |\\1/: is new: |" "$folder/diff"
            failed=1
        }
    done
    [ $failed = 1 ] || echo "$archive: $count pages are the same, byte for byte"
    exit $failed
    ;;
*) usage ;;
esac
