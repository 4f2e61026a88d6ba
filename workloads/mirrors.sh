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

# Prints the mirrors that may have the release, a line each, in the order in which they are tried:
#  - the one that SIMOS_MIRROR names, alone if it is set, its security updates at the same URL with "-security" behind it;
#  - the mirror that this machine has the release from, or else its own Debian release;
#  - the same mirror where mirrors keep the releases that have left the main archive.
list_mirrors() {
    if [ -n "${SIMOS_MIRROR-}" ]; then
        mirror "${SIMOS_MIRROR%/}" "${SIMOS_MIRROR%/}-security"
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
    [ $# -gt 0 ] || return 0
    mirror "$1" "$2"
    mirror "${1%/*}/debian-archive/debian" "${1%/*}/debian-archive/debian-security"
}

# need_mirrors FOLDER: writes FOLDER/mirrors.
need_mirrors() {
    list_mirrors "$1" >"$1/mirrors"
    [ -s "$1/mirrors" ] || die "this machine has no sources of Debian packages: set SIMOS_MIRROR to the URL of a Debian mirror"
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
