# shellcheck shell=sh
# The guest's packages as workloads/guest.lock pins them: sourced by the scripts that fetch or unpack them, which set $0,
# and $workloads if they are not in this folder.
#
# guest.lock has two kinds of lines. `set NAME WANTED...`: what a set was asked for (a package with all that it depends
# on, or one source). `file SHA256 SIZE PACKAGE VERSION FILE SETS`: one file, in the archive's name with `:` and `~`
# replaced by `_`, and the sets that it belongs to, separated by commas. Sets are kernel, busybox, headers,
# kernel-malta, image-NAME (workloads/images/NAME.list) and source-PACKAGE.
#
# Sets $lock and $cache (SIMOS_CACHE, default ${XDG_CACHE_HOME:-~/.cache}/simos).

workloads=${workloads:-$(cd "$(dirname "$0")" && pwd)}
lock=${SIMOS_LOCK:-$workloads/guest.lock}
home=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
cache=${SIMOS_CACHE:-${XDG_CACHE_HOME:-$home/.cache}/simos}
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac

# progress begin LABEL MEASURE PLACE, progress end LABEL: a step that may take long (.ci/progress.sh).
progress() {
    [ -z "${PROGRESS-}" ] || "$workloads/../.ci/progress.sh" "$@"
}

die() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}

# cannot_be_had WHY: as die, with the status that says so: no package of that version is anywhere where it may come from.
# origin.sh then has it built from source, if it can be.
cannot_be_had() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 3
}

# Prints the packages that the image list $1 names, and those of the lists that it includes.
read_image_list() {
    [ -f "$workloads/images/$1.list" ] || die "there is no list $workloads/images/$1.list"
    while read -r word value; do
        case $word in
        '' | '#'* | size) ;;
        include) read_image_list "$value" ;;
        *) [ -z "$value" ] && echo "$word" || die "$1.list: '$word $value' is not understood" ;;
        esac
    done <"$workloads/images/$1.list"
}

# Prints on one line what the set $1 asks for today; for a set of one package, its name as far as it is known without
# the archive (the kernel's carries a version, so it is the metapackage that is asked for).
set_wants() {
    case $1 in
    kernel) echo linux-image-mips32r2el ;;
    kernel-malta) echo linux-image-4kc-malta ;;
    headers) echo linux-headers-mips32r2el ;;
    busybox) echo busybox-static ;;
    image-*)
        names=$(read_image_list "${1#image-}") || exit
        # shellcheck disable=SC2086 # one line
        echo $names
        ;;
    source-?*) echo "${1#source-}" ;;
    *) die "unknown set '$1' (known: kernel, kernel-malta, headers, busybox, image-NAME, source-PACKAGE)" ;;
    esac
}

# Prints the sets that `make run` needs.
run_sets() {
    echo kernel busybox image-development source-zlib
}

# Prints all sets that the tree has a use for.
all_sets() {
    printf '%s\n' kernel busybox headers kernel-malta
    (cd "$workloads/images" && ls -- *.list) | sed 's/\.list$//; s/^/image-/'
    sed -n 's/^disk //p' "$workloads"/jobs/*.list | tr ' ' '\n' | sed -n 's/^source:/source-/p' | sort -u
}

# lock_wants FILE SET: what the set was asked for when FILE was written; fails if FILE does not have it.
lock_wants() {
    awk -v name="$2" '$1 == "set" && $2 == name { found = 1; sub(/^set [^ ]+ /, ""); print } END { exit !found }' "$1" 2>/dev/null
}

# lock_rows FILE SET: prints "SHA256 SIZE PACKAGE VERSION FILE" of each of the set's files.
lock_rows() {
    awk -v name="$2" '$1 == "file" { n = split($7, sets, ",")
        for (i = 1; i <= n; i++) if (sets[i] == name) print $2, $3, $4, $5, $6 }' "$1"
}

# set_paths SET: fetches the set, prints the paths of its files.
set_paths() {
    fetched=$("$workloads/fetch.sh" "$1") || exit
    echo "$fetched" | cut -c 67-
}

# Prints the files of the Debian package $1 as a tar archive.
package_files() {
    case $(ar t "$1" | grep '^data\.tar') in
    data.tar.xz) ar p "$1" data.tar.xz | xz -dc ;;
    data.tar.gz) ar p "$1" data.tar.gz | gzip -dc ;;
    data.tar.zst) ar p "$1" data.tar.zst | zstd -dc ;;
    data.tar) ar p "$1" data.tar ;;
    *) die "$1: not a Debian package" ;;
    esac
}
