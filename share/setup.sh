# SPDX-License-Identifier: Apache-2.0
# Shell shared by share/demo, tests/run and .ci/run: what has to be installed, and how to build. To be sourced.
# shellcheck shell=bash

# Folder of the project, as seen from this file.
tachoRoot=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

say() {
    printf '%s\n' "$*" >&2
}

fail() {
    say "$@"
    exit 1
}

# packagesOf GROUP...: names of the packages in these groups of share/apt-packages.
packagesOf() {
    local name group group_wanted
    while read -r name group _; do
        for group_wanted in "$@"; do
            if [[ $group == "$group_wanted" ]]; then printf '%s\n' "$name"; fi
        done
    done < <(grep -v '^#' "$tachoRoot/share/apt-packages")
}

isInstalled() {
    [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# Empty, "sudo" or "sudo -n": how this user may install packages. Status 1: not at all.
installPrefix() {
    if [[ $(id -u) == 0 ]]; then return 0; fi
    if ! command -v sudo >/dev/null; then return 1; fi
    if [[ -t 0 ]]; then echo sudo; else sudo -n true 2>/dev/null && echo "sudo -n"; fi
}

aptInstall() { # PREFIX PACKAGE...
    local log=$tachoRoot/build/apt.log prefix=$1
    shift
    # shellcheck disable=SC2086 # the prefix is empty or several words
    aptGet() { $prefix env DEBIAN_FRONTEND=noninteractive apt-get "$@" </dev/null >>"$log" 2>&1; }
    : >"$log"
    # The lists of a fresh machine are empty or old; those of the others need no network.
    aptGet install -y --no-install-recommends "$@" && return 0
    aptGet update && aptGet install -y --no-install-recommends "$@" && return 0
    tail -n 5 "$log" >&2
    return 1
}

# installPackages GROUP...: installs what is missing, or says what to install and ends.
installPackages() {
    local package prefix missing=()
    if ! command -v dpkg-query >/dev/null; then return 0; fi # not Debian: configure() says what it lacks
    while read -r package; do
        if ! isInstalled "$package"; then missing+=("$package"); fi
    done < <(packagesOf "$@")
    if [[ ${#missing[@]} == 0 ]]; then return 0; fi
    mkdir -p "$tachoRoot/build"
    if prefix=$(installPrefix); then
        say "installing with apt: ${missing[*]}"
        if aptInstall "$prefix" "${missing[@]}"; then return 0; fi
        say "apt-get failed; its log is build/apt.log."
    fi
    fail "Please install: apt-get install ${missing[*]}"
}

# configure PRESET: quiet but for what is left out, and only when that is news.
configure() {
    local log=$tachoRoot/build/configure-$1.log leftOut=$tachoRoot/build/left-out-$1
    mkdir -p "$tachoRoot/build"
    if ! (cd "$tachoRoot" && cmake --preset "$1") >"$log" 2>&1; then
        grep -A 12 'CMake Error' "$log" >&2 || tail -n 20 "$log" >&2
        say "Configuring failed; the whole log is build/configure-$1.log."
        fail "tacho needs what these Debian packages hold: $(packagesOf build | tr '\n' ' ')"
    fi
    grep 'left out' "$log" | sed 's/^-- //' >"$leftOut.new" || true
    if ! cmp -s "$leftOut.new" "$leftOut"; then cat "$leftOut.new" >&2; fi
    mv "$leftOut.new" "$leftOut"
}

# build PRESET [TARGET...]: shows progress where there is something to do, else nothing.
build() {
    local tree=$tachoRoot/build/$1
    shift
    if ninja -C "$tree" -n "$@" | grep -q 'no work to do'; then return 0; fi
    say "building in ${tree#"$tachoRoot"/} ..."
    ninja -C "$tree" "$@" >&2
}
