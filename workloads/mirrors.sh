# shellcheck shell=sh
# Where a release of Debian is to be had, and whose signature it must carry: sourced behind lock.sh. $suite names the
# release; Debian 12, the guest's, if nobody has set it.

suite=${suite:-bookworm}

# Prints the Debian sources that this machine's apt uses, "URI RELEASE COMPONENT" a line, in whatever format they are
# written.
list_machine_sources() {
    ! command -v apt-get >/dev/null ||
        apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
            2>/dev/null | sort -u
}

# mirror URI SECURITY-URI: prints a line of "URI=SUITE" words, the release and its updates.
mirror() {
    echo "$1=$suite $1=$suite-updates $2=$suite-security"
}

# with_archive URI SECURITY-URI: a mirror, and the archive of old releases beside it.
with_archive() {
    mirror "$1" "$2"
    mirror "${1%/*}/debian-archive/debian" "${1%/*}/debian-archive/debian-security"
}

# Prints the mirrors that may have the release, a line each, in the order in which they are tried:
#  - the one that SIMOS_MIRROR names, its security updates at the same URL with "-security" behind it; or, if that is not
#    set, the mirror that this machine has the release from, or else its own Debian release;
#  - the same mirror where mirrors keep the releases that have left the main archive.
list_mirrors() {
    if [ -n "${SIMOS_MIRROR-}" ]; then
        with_archive "${SIMOS_MIRROR%/}" "${SIMOS_MIRROR%/}-security"
        return
    fi
    list_machine_sources >"$1/machine-sources"
    own=$(. /etc/os-release 2>/dev/null && [ "${ID-}" = debian ] && echo "${VERSION_CODENAME-}") || own=
    # shellcheck disable=SC2046 # two URIs
    set -- $(awk -v suite="$suite" -v own="$own" '
        $3 != "main" || $1 ~ /^cdrom:/ { next }
        { sub(/\/$/, "", $1); release = $2; security = sub(/[-\/]security$/, "", release) || sub(/\/updates$/, "", release) }
        release == suite { rank = 2 }
        release != suite { rank = release == own || release ~ /^((old)*stable|testing|unstable|sid)$/ }
        rank > best[security] { best[security] = rank; uri[security] = $1 }
        END { if (best[0]) print uri[0], best[1] ? uri[1] : uri[0] "-security" }' "$1/machine-sources")
    [ $# -eq 0 ] || with_archive "$1" "$2"
}

# need_mirrors FOLDER: writes FOLDER/mirrors, and an empty FOLDER/reasons: why none of those tried so far did. Sets $limit, the
# number of seconds that until_stall waits.
need_mirrors() {
    limit=${SIMOS_TIMEOUT:-30}
    case $limit in *[!0-9]* | 0*) die "SIMOS_TIMEOUT: '$limit' is no number of seconds from 1 on" ;; esac
    list_mirrors "$1" >"$1/mirrors"
    : >"$1/reasons"
    [ -s "$1/mirrors" ] ||
        cannot_be_had "this machine has no sources of Debian packages: set SIMOS_MIRROR to the URL of a Debian mirror"
}

# take_mirror FOLDER: sets $mirror to the next line of FOLDER/mirrors, and $mirror_uri; fails when there is none left.
take_mirror() {
    mirror=$(head -n 1 "$1/mirrors")
    mirror_uri=${mirror%%=*}
    sed -i 1d "$1/mirrors"
    [ -n "$mirror" ]
}

# blame_mirror FOLDER REASON: why the mirror that was taken last did not do.
blame_mirror() {
    echo "$mirror_uri ($2)" >>"$1/reasons"
}

# all_reasons FOLDER: prints on one line the first reason of each mirror.
all_reasons() {
    awk '!seen[$1]++ { printf "%s%s", count++ ? " and " : "", $0 }' "$1/reasons"
}

# Prints the processor time, in ticks, that process $1 and its children have used.
processor_ticks() {
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v job="$1" '
        { mine = $1 == job; sub(/.*\) /, ""); if (mine || $2 == job) ticks += $12 + $13 } END { print ticks + 0 }'
}

# until_stall FOLDER COMMAND...: runs COMMAND, which downloads into FOLDER, and ends it when for SIMOS_TIMEOUT seconds nothing
# has arrived there: limits of the downloaders themselves count anew for each file. One that computes, on a busy machine
# slowly, has not stalled. Sets $stalled, to yes or nothing, and $downloader as long as the command runs.
until_stall() {
    watched=$1 stalled=
    shift
    rm -f "$watched.stalled"
    "$@" 9>&- &
    downloader=$!
    (
        size='' used=0 quiet=0
        while [ $quiet -lt "$limit" ]; do
            sleep 1
            now=$(du -s -k "$watched" 2>/dev/null | cut -f 1)
            ticks=$(processor_ticks "$downloader")
            quiet=$((quiet + 1))
            # A process that waits wakes now and then.
            if [ "$now" != "$size" ] || [ $((ticks - used)) -ge 2 ]; then
                size=$now used=$ticks quiet=0
            fi
        done
        : >"$watched.stalled"
        kill "$downloader"
    ) >/dev/null 2>&1 9>&- &
    watcher=$!
    done_well=0
    wait "$downloader" || done_well=$?
    kill "$watcher" 2>/dev/null || true
    wait "$watcher" 2>/dev/null || true
    downloader=
    [ ! -e "$watched.stalled" ] || stalled=yes
    return $done_well
}

# choose_keyring FOLDER: sets $keyring to a file in FOLDER that apt and gpgv read: SIMOS_KEYRING, the host's Debian
# keyring, or the keys of Debian 12 that this tree holds (their fingerprints are in docs/how-to/guest.md).
choose_keyring() {
    keyring=$1/archive.gpg
    for file in "${SIMOS_KEYRING-}" /usr/share/keyrings/debian-archive-keyring.gpg \
        /usr/share/keyrings/debian-archive-keyring.pgp; do
        [ ! -s "$file" ] || { cat "$file" >"$keyring" && return; }
    done
    awk '/^-----BEGIN/ { body = 0 } body && !/^[=-]/ { print } /^$/ { body = 1 }' "$workloads/keys/debian-12.asc" |
        base64 -d >"$keyring"
}
