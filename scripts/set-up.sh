#!/bin/sh
# Makes .venv with paicli in it: `scripts/set-up.sh` for use, `scripts/set-up.sh dev` with the tools for tests and checks.
# Does nothing when that has been done already. Uses uv where it is present, else python3 -m venv and pip.
set -eu
cd "$(dirname "$0")/.."

fail() {
    printf 'paicli: %s\n' "$@" >&2
    exit 1
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
    for name in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if command -v "$name" >/dev/null && is_new_enough "$name"; then
            echo "$name"
            return
        fi
    done
}

# What .venv holds: the kind of installation, for which folder and which pyproject.toml.
wanted_stamp() {
    printf '%s\n%s\n%s\n' "$1" "$PWD" "$(cksum <pyproject.toml)"
}

is_ready() {
    for done_kind in "$kind" dev; do
        if [ "$(cat ".venv/.paicli-$done_kind" 2>/dev/null)" = "$(wanted_stamp "$done_kind")" ] && is_new_enough .venv/bin/python; then
            return 0
        fi
    done
    return 1
}

with_uv() {
    command -v uv >/dev/null || return 1
    is_new_enough .venv/bin/python || uv venv --quiet --clear --python "${PYTHON:->=3.11}" .venv || return 1
    uv pip install -qq --python .venv/bin/python --editable "$target"
}

explain_python() {
    found=$(python3 --version 2>/dev/null) || found="no python3"
    fail "Python 3.11 or newer is needed; found: $found." \
        "Debian 12+, Ubuntu 24.04+:  sudo apt install python3 python3-venv" \
        "macOS:  brew install python@3.13" \
        "Any system with uv:  uv python install 3.13" \
        "A Python elsewhere:  make run PYTHON=/path/to/python3.13"
}

explain_venv() {
    version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    fail "$1 has no module venv (or ensurepip). On Debian, Ubuntu and WSL this line helps:" \
        "sudo apt install python3-venv" \
        "If that is for another Python than $version:  sudo apt install python$version-venv"
}

with_pip() {
    python=$(find_python)
    [ -n "$python" ] || explain_python
    "$python" -c 'import venv, ensurepip' 2>/dev/null || explain_venv "$python"
    if ! is_new_enough .venv/bin/python || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
        "$python" -m venv --clear .venv || fail "'$python -m venv .venv' failed; the lines above say why."
    fi
    .venv/bin/python -m pip install -qq --disable-pip-version-check --editable "$target" ||
        fail "pip could not install the packages; the lines above say why. Without a network nothing can be installed."
}

kind=${1:-run}
case $kind in
    run) target=. ;;
    dev) target=.[dev] ;;
    *) fail "usage: scripts/set-up.sh [run|dev]" ;;
esac

is_ready && exit 0
echo "paicli: setting up .venv (once, about a minute) …" >&2
with_uv || with_pip
wanted_stamp "$kind" >".venv/.paicli-$kind"
