#!/bin/sh
# Unpacks what simos is built with for another architecture: this machine's own Debian release, that architecture's
# packages. For a cross-compiler's --sysroot and for user-mode emulation (qemu -L).
#
#     tests/hosts/sysroot.sh ARCHITECTURE FOLDER        ARCHITECTURE as Debian names it: arm64
#
# The packages come through a private apt state, so that dpkg's list of architectures stays as it is and no root is
# needed, from the sources that this machine's apt has; apt checks their signatures. They are kept in
# ${SIMOS_CACHE:-~/.cache/simos}; while they are all there, neither apt nor the network is used.
#
# Exit status 0: it is there; 2: the packages cannot be had (one line says why).
set -eu
architecture=$1 folder=$2
wanted="libc6-dev libdw-dev libelf-dev libfdt-dev zlib1g-dev libarchive-dev libslirp-dev nettle-dev libjansson-dev tcl-dev
    libreadline-dev libcmocka-dev"

unavailable()
{
    echo "sysroot: $*"
    exit 2
}

command -v dpkg-deb >/dev/null && command -v apt-get >/dev/null || unavailable "this is no Debian"
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
cache=${SIMOS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/simos}
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac
kept=$cache/hosts-$suite-$architecture
stamp=$(echo "$wanted" | tr -s '\n ' '  ')

complete()
{
    [ "$(cat "$kept/wanted" 2>/dev/null)" = "$stamp" ] && (cd "$kept" && sha256sum --check --status sums) 2>/dev/null
}

# Private lists, cache and status; hooks of the machine's configuration, which would act on its own state, are dropped.
write_config()
{
    mkdir -p "$apt/etc" "$apt/lists/partial" "$apt/cache/archives/partial"
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
Acquire::AllowInsecureRepositories "false";
Acquire::Languages "none";
Acquire::Retries "3";
Debug::NoLocking "true";
Dir::State "$apt";
Dir::State::Lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Cache::Archives "$apt/cache/archives";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$apt/etc";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
CONF
}

# Component main of this release, from wherever the machine's apt has it.
write_sources()
{
    apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
        2>/dev/null | sort -u | while read -r uri release component; do
        case $component:$release in
        "main:$suite" | "main:$suite-updates" | "main:$suite-security" | "main:$suite/updates") ;;
        *) continue ;;
        esac
        printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nArchitectures: %s\nTargets: Packages\n' \
            "$uri" "$release" "$architecture"
        printf 'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n'
    done >"$apt/etc/debian.sources"
    [ -s "$apt/etc/debian.sources" ] || unavailable "no source of Debian $suite in this machine's apt"
}

if ! complete; then
    mkdir -p "$cache" 2>/dev/null || unavailable "cannot create $cache"
    apt=$cache/apt-$architecture.$$
    trap 'rm -rf "$apt"' EXIT
    trap 'exit 130' INT TERM
    write_config
    write_sources
    apt-get -qq -c "$apt/apt.conf" update >"$apt/log" 2>&1 || true
    # shellcheck disable=SC2086 # a list of words
    apt-get -qq -y -c "$apt/apt.conf" --download-only install $wanted >>"$apt/log" 2>&1 ||
        unavailable "the $architecture packages cannot be fetched: $(grep -m 1 '^E:' "$apt/log" || tail -n 1 "$apt/log")"
    rm -rf "$kept"
    mkdir "$kept"
    mv "$apt"/cache/archives/*.deb "$kept"
    (cd "$kept" && sha256sum -- *.deb >sums && echo "$stamp" >wanted)
fi

rm -rf "$folder"
mkdir -p "$folder"
for package in "$kept"/*.deb; do
    dpkg-deb -x "$package" "$folder"
done
# Where /lib is /usr/lib, no package but base-files says so.
[ -e "$folder/lib" ] || ln -s usr/lib "$folder/lib"
# A link to /lib means the sysroot's, not this machine's.
find "$folder" -type l -lname '/*' | while read -r link; do
    ln -sfn "$(realpath -m "$folder")$(readlink "$link")" "$link"
done
