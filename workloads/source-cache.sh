# shellcheck shell=sh
# Results of the builds from source, in the cache: sourced by source-kernel.sh and source-busybox.sh, which set $0.
#
# Sets $cache (SIMOS_CACHE, default ${XDG_CACHE_HOME:-~/.cache}/simos).

home=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
cache=${SIMOS_CACHE:-${XDG_CACHE_HOME:-$home/.cache}/simos}
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac

die() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}

# A step of a build failed: its log stays.
failed() {
    cp "$log" "$cache/source/$what.log"
    die "$what cannot be built: $(grep -m 1 -iE 'error|\*\*\*' "$log" || tail -n 1 "$log") ($cache/source/$what.log)"
}

# make_once WHAT KEY FUNCTION: prints the folder source/WHAT-KEY of the cache. If it is not there, FUNCTION makes
# $work/result, with $log as its log. One at a time, so that none is made twice.
make_once() {
    what=$1
    folder=$cache/source/$what-$2
    mkdir -p "$cache/source" 2>/dev/null || die "cannot create the cache directory $cache/source (set SIMOS_CACHE)"
    exec 9>"$cache/source/$what.lock"
    [ -d "$folder" ] || flock 9
    if [ ! -d "$folder" ]; then
        work=$cache/source/work.$$
        log=$work/log
        trap 'rm -rf "$work"' EXIT
        trap 'exit 130' INT TERM
        rm -rf "$work"
        mkdir "$work"
        echo "$what: building from source; the log is $log" >&2
        "$3"
        mv "$work/result" "$folder"
        echo "$what: $folder" >&2
    fi
    echo "$folder"
}
