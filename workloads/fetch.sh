#!/bin/sh
# Fetches the guest's packages (stock Debian 12 mipsel kernel and static busybox) into a cache and prints their paths,
# one "KEY PATH" line each: "kernel PATH" and "busybox PATH"; with a KEY, the one path alone.
#
#     fetch.sh [--refresh] [kernel|busybox]
#
# --refresh looks for newer packages although the cache is complete.
#
# Packages come through a private apt state (its own lists, cache and status file), so neither the host's apt state nor
# its architecture list changes and no root is needed. The sources are the machine's own: apt itself reads them, in
# either format, and of what it lists only component `main` of a Debian 12 release is taken. Every package index must
# carry the signature of a Debian archive key that this machine already trusts: a source signed by anyone else, or by
# nobody, is refused by apt. Once the cache holds packages whose checksums match, no network and no apt is used.
#
# Environment: SIMOS_CACHE (default ${XDG_CACHE_HOME:-~/.cache}/simos), SIMOS_KERNEL_FLAVOUR (default mips32r2el).
set -eu

flavour=${SIMOS_KERNEL_FLAVOUR:-mips32r2el}
suite=bookworm
home=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
cache=${SIMOS_CACHE:-${XDG_CACHE_HOME:-$home/.cache}/simos}
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac
manifest=$cache/guest-$flavour.sha256
index=$cache/guest-$flavour.index

die() {
    echo "fetch: $*" >&2
    exit 1
}

# The index names the packages; the manifest holds the checksums that the signed package lists gave for them.
cache_valid() {
    [ -s "$manifest" ] && [ -s "$index" ] && (cd "$cache" && sha256sum --check --status "$manifest") 2>/dev/null
}

print_index() {
    while read -r key file; do
        case $wanted in
        '') echo "$key $cache/$file" ;;
        "$key") echo "$cache/$file" ;;
        esac
    done <"$index"
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

# Writes the private source file from the index targets that the machine's apt derives from its own sources.
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
        printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nArchitectures: mipsel\nTargets: Packages\n' \
            "$uri" "$release"
        [ -z "$signed" ] || echo "$signed"
        echo
    done <"$apt/targets" >"$apt/etc/debian.sources"
    [ -s "$apt/etc/debian.sources" ] || die "no Debian 12 source (suite $suite, component main) in /etc/apt/sources.list or sources.list.d"
}

# Prints "VERSION SHA256" of the package version that apt would install; nothing if there is none.
candidate() {
    version=$(apt-cache -c "$apt/apt.conf" policy "$1" | sed -n 's/^  Candidate: //p')
    case $version in '' | '(none)') return 0 ;; esac
    apt-cache -c "$apt/apt.conf" show "$1=$version" 2>/dev/null |
        awk -v version="$version" '/^SHA256:/ { print version, $2; exit }'
}

# fetch_package KEY NAME: downloads a package, checks it, and adds it to the new index and manifest.
fetch_package() {
    found=$(candidate "$2")
    [ -n "$found" ] || die "package $2 (mipsel) is in none of this machine's Debian sources$update_note"
    version=${found% *}
    file=$2_$(echo "$version" | tr ':~' '__').deb
    if ! echo "${found#* }  $cache/$file" | sha256sum --check --status 2>/dev/null; then
        echo "fetch: downloading $2 $version" >&2
        rm -rf "$apt/download"
        mkdir "$apt/download"
        (cd "$apt/download" && apt-get -qq -c "$apt/apt.conf" download "$2=$version" >"$apt/log" 2>&1) ||
            die "downloading $2 $version failed: $(grep -m1 '^E:' "$apt/log" || tail -n1 "$apt/log")"
        mv "$apt"/download/*.deb "$cache/$file"
        echo "${found#* }  $cache/$file" | sha256sum --check --status 2>/dev/null ||
            die "$cache/$file: checksum differs from the signed package list"
    fi
    echo "${found#* }  $file" >>"$apt/manifest"
    echo "$1 $file" >>"$apt/index"
}

refresh=no wanted=
for argument in "$@"; do
    case $argument in
    --refresh) refresh=yes ;;
    kernel | busybox) wanted=$argument ;;
    *) die "unknown argument '$argument' (known: --refresh, kernel, busybox)" ;;
    esac
done

if [ "$refresh" = no ] && cache_valid; then
    print_index
    exit 0
fi

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
echo "fetch: reading Debian's mipsel package lists" >&2
update_note=
apt-get -qq -c "$apt/apt.conf" update >"$apt/log" 2>&1 || true
if grep -q '^[EW]: ' "$apt/log"; then
    update_note=" (apt: $(grep -m1 '^[EW]: ' "$apt/log" | cut -c1-160))"
fi

# The metapackage linux-image-FLAVOUR depends on the current kernel, whose name carries its version.
kernel=$(apt-cache -c "$apt/apt.conf" depends --important "linux-image-$flavour" 2>/dev/null |
    sed -n 's/^  Depends: \(linux-image-[0-9].*\)$/\1/p' | head -n1)
[ -n "$kernel" ] || die "no kernel of flavour $flavour in this machine's Debian sources$update_note"

fetch_package kernel "$kernel"
fetch_package busybox busybox-static
mv "$apt/index" "$index"
mv "$apt/manifest" "$manifest"
print_index
