# shellcheck shell=sh
# Packages of one release of Debian ($suite) for one architecture ($architecture) through a private apt state: sourced
# behind lock.sh and mirrors.sh. If nobody has set them, they are the guest's: Debian 12, mipsel.
#
# The private state (its own lists, cache and status file) keeps the host's apt state and its architecture list as they
# are and needs no root. Every index must carry the signature of a Debian archive key: those of the host's keyring, or
# else those of keys/debian-12.asc. apt refuses a source signed by anyone else, or by nobody.
#
# open_apt and next_mirror set $apt, the folder of the private state in $work, $mirror_uri, and $update_note, what apt had
# to complain about. Whoever sources this ends the process $downloader, if it is set, when it ends itself.

architecture=${architecture:-mipsel}

# apt settings that keep everything under $apt and drop hooks that the host's configuration may run after an update. The
# indexes of an archive have expired; what is fetched is known by its checksum.
write_apt_config() {
    mkdir -p "$apt/etc" "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/download"
    : >"$apt/status"
    cat >"$apt/apt.conf" <<CONF
APT::Architecture "$architecture";
#clear APT::Architectures;
APT::Architectures { "$architecture"; };
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Invoke;
#clear DPkg::Post-Invoke;
#clear DPkg::Pre-Install-Pkgs;
APT::Sandbox::User "";
APT::Install-Recommends "false";
APT::Keep-Downloaded-Packages "true";
Debug::NoLocking "true";
APT::Get::AllowUnauthenticated "false";
Acquire::AllowInsecureRepositories "false";
Acquire::AllowDowngradeToInsecureRepositories "false";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
Acquire::Retries "1";
Dir::State "$apt";
Dir::State::Lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$apt/etc";
Dir::Etc::Preferences "$apt/preferences";
Dir::Etc::PreferencesParts "/dev/null";
CONF
    # Only what Debian itself published for this release may be chosen, whatever else carries a Debian key.
    cat >"$apt/preferences" <<PINS
Package: *
Pin: release o=Debian, n=$suite*
Pin-Priority: 500

Package: *
Pin: release *
Pin-Priority: -1
PINS
}

# write_source URI SUITE: adds a source. Source packages only of the release itself, unless source_updates=yes: what is compiled
# in the guest need not be the newest.
write_source() {
    types=deb targets=Packages
    if [ "$2" = $suite ] || [ "${source_updates-}" = yes ]; then
        types='deb deb-src' targets='Packages Sources'
    fi
    printf 'Types: %s\nURIs: %s\nSuites: %s\nComponents: main\nArchitectures: %s\nTargets: %s\nSigned-By: %s\n\n' \
        "$types" "$1" "$2" "$architecture" "$targets" "$keyring" >>"$apt/etc/debian.sources"
}

# run_apt FOLDER COMMAND...: an apt command of the private state that downloads into FOLDER; what it says goes to the log.
run_apt() {
    into=$1
    shift
    until_stall "$into" "$@" >"$apt/log" 2>&1 || true
    [ -z "$stalled" ] || echo "E: nothing has come for $limit s" >>"$apt/log"
}

# apt_reason DEFAULT: prints the first thing that apt had to complain about, one line of at most 160 characters. A stall
# comes before all that followed from it.
apt_reason() {
    {
        grep '^E: nothing has come' "$apt/log" || grep '^[EW]: ' "$apt/log" || echo "E: $1"
    } | head -n 1 | sed 's/^[EW]: //; s/^Failed to fetch [^ ]*  *//' | cut -c 1-160
}

# Has apt read the release itself? Its updates alone are no archive.
has_release() {
    apt-cache -c "$apt/apt.conf" policy 2>/dev/null | grep -q "release .*,n=$suite,.*c=main"
}

# Makes the private state. next_mirror then reads the package lists of one mirror after the other.
start_apt() {
    apt=$work/apt
    write_apt_config
    choose_keyring "$apt"
    need_mirrors "$apt"
    echo "$(basename "$0" .sh): reading Debian's $architecture package lists" >&2
}

# Reads the package lists of the next of the mirrors that has the release; fails when none is left. The release itself
# first: a mirror that does not have it, or does not answer, is not asked for the release's updates.
next_mirror() {
    progress begin "Debian's $architecture package lists" bytes:0 "$apt/lists"
    while take_mirror "$apt"; do
        rm -rf "$apt/etc/debian.sources" "$apt/lists"
        mkdir -p "$apt/lists/partial"
        write_source "$mirror_uri" "$suite"
        run_apt "$apt/lists" apt-get -qq -c "$apt/apt.conf" update
        if ! has_release; then
            blame_mirror "$apt" "$(apt_reason "it has no Debian $suite for $architecture")"
            continue
        fi
        for source in ${mirror#* }; do
            write_source "${source%=*}" "${source##*=}"
        done
        run_apt "$apt/lists" apt-get -qq -c "$apt/apt.conf" update
        update_note=
        if grep -q '^[EW]: ' "$apt/log"; then
            update_note=" (apt: $(apt_reason ''))"
        fi
        progress end "Debian's $architecture package lists"
        return 0
    done
    progress end "Debian's $architecture package lists"
    return 1
}

# Makes the private state and reads the package lists of the first of the mirrors that has the release.
open_apt() {
    start_apt
    next_mirror || no_release
}

no_release() {
    cannot_be_had "no Debian $suite (component main, $architecture) at $(all_reasons "$apt"): set SIMOS_MIRROR to the URL of" \
        "a mirror that has it"
}

# candidate PACKAGE: prints the version that apt would install; nothing if there is none.
candidate() {
    apt-cache -c "$apt/apt.conf" policy "$1" | sed -n 's/^  Candidate: //p' | grep -vx '(none)' || true
}
