# shellcheck shell=sh
# Debian 12 packages for mipsel through a private apt state: sourced by fetch.sh and fetch-image.sh, which set $0.
#
# The private state (its own lists, cache and status file) keeps the host's apt state and its architecture list as they
# are and needs no root. The sources are the machine's own: apt itself reads them, in either format, and of what it
# lists only component `main` of a Debian 12 release is taken. Every package index must carry the signature of a Debian
# archive key that this machine already trusts: a source signed by anyone else, or by nobody, is refused by apt.
#
# Sets $cache (SIMOS_CACHE, default ${XDG_CACHE_HOME:-~/.cache}/simos); open_apt sets $apt, the folder of the private
# state, which goes when the script ends, and $update_note, what apt had to complain about.

suite=bookworm
home=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
cache=${SIMOS_CACHE:-${XDG_CACHE_HOME:-$home/.cache}/simos}
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac

die() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}

# apt settings that keep everything under $apt and drop hooks that the host's configuration may run after an update.
write_apt_config() {
    mkdir -p "$apt/etc" "$apt/lists/partial" "$apt/cache/archives/partial"
    : >"$apt/status"
    cat >"$apt/apt.conf" <<CONF
APT::Architecture "mipsel";
#clear APT::Architectures;
APT::Architectures { "mipsel"; };
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
APT::Sandbox::User "";
APT::Get::AllowUnauthenticated "false";
Acquire::AllowInsecureRepositories "false";
Acquire::AllowDowngradeToInsecureRepositories "false";
Acquire::Languages "none";
Acquire::Retries "3";
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

# Writes the private source file from the index targets that the machine's apt derives from its own sources. With
# sources=yes source packages too, of the release itself: what is compiled in the guest need not be the newest.
write_sources() {
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    signed=
    [ -s "$keyring" ] && signed="Signed-By: $keyring"
    apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
        2>/dev/null | sort -u >"$apt/targets" || die "apt-get cannot read this machine's package sources"
    while read -r uri release component; do
        case $component in main) ;; *) continue ;; esac
        case $release in
        "$suite" | "$suite"-updates | "$suite"-security | "$suite"/updates) ;;
        stable | oldstable | oldoldstable | stable-* | oldstable-* | oldoldstable-*) ;;
        *) continue ;;
        esac
        case $uri in cdrom:*) continue ;; esac
        types=deb targets=Packages
        case ${sources-}$release in
        "yes$suite" | yesstable | yesoldstable | yesoldoldstable) types='deb deb-src' targets='Packages Sources' ;;
        esac
        printf 'Types: %s\nURIs: %s\nSuites: %s\nComponents: main\nArchitectures: mipsel\nTargets: %s\n' \
            "$types" "$uri" "$release" "$targets"
        [ -z "$signed" ] || echo "$signed"
        echo
    done <"$apt/targets" >"$apt/etc/debian.sources"
    [ -s "$apt/etc/debian.sources" ] || die "no Debian 12 source (suite $suite, component main) in /etc/apt/sources.list or sources.list.d"
}

# Makes the private state and reads the package lists.
open_apt() {
    for tool in apt-get apt-cache dpkg-deb sha256sum; do
        command -v "$tool" >/dev/null || die "$tool not found: the guest's packages are fetched with Debian's apt"
    done
    mkdir -p "$cache" 2>/dev/null || die "cannot create the cache directory $cache (set SIMOS_CACHE)"
    apt=$cache/apt.$$
    trap 'rm -rf "$apt"' EXIT
    trap 'exit 130' INT TERM
    rm -rf "$apt"
    mkdir "$apt" 2>/dev/null || die "cannot write to the cache directory $cache (set SIMOS_CACHE)"
    write_apt_config
    write_sources
    echo "$(basename "$0" .sh): reading Debian's mipsel package lists" >&2
    update_note=
    apt-get -qq -c "$apt/apt.conf" update >"$apt/log" 2>&1 || true
    if grep -q '^[EW]: ' "$apt/log"; then
        update_note=" (apt: $(grep -m1 '^[EW]: ' "$apt/log" | cut -c1-160))"
    fi
}
