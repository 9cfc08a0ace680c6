#!/usr/bin/env bash
# Install pcbrules from a checkout into an environment of its own, and put its command onto the path of later steps.
#   PCBRULES_SOURCE  folder of the checkout of pcbrules
#   PCBRULES_VENV    folder of the environment
#   PCBRULES_PYTHON  interpreter, by name or by its whole path [python3]
# The step runs in the checkout of the boards, which the change under test wrote: Python is started outside that
# checkout, and isolated, so that no folder of it, such as `pip/`, is imported.
set -euo pipefail
absolute() { case $1 in /* | [A-Za-z]:*) printf %s "$1" ;; *) printf %s "$PWD/$1" ;; esac }
[ -f "$PCBRULES_SOURCE/pyproject.toml" ] || { echo "PCBRULES_SOURCE is no checkout of pcbrules: $PCBRULES_SOURCE"; exit 2; }
source=$(absolute "$PCBRULES_SOURCE")
venv=$(absolute "$PCBRULES_VENV")
cd /
"${PCBRULES_PYTHON:-python3}" -I -m venv "$venv"
case ${OSTYPE:-} in msys* | cygwin*) bin=$venv/Scripts ;; *) bin=$venv/bin ;; esac
"$bin/python" -I -m pip install --quiet --disable-pip-version-check "$source/" # a path, never a name
"$bin/pcbrules" --version
if [ -n "${GITHUB_PATH:-}" ]; then printf '%s\n' "$bin" >>"$GITHUB_PATH"; fi
