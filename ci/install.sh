#!/usr/bin/env bash
# Install pcbrules from a checkout into an environment of its own, and put its command onto the path of later steps.
#   PCBRULES_SOURCE  folder of the checkout
#   PCBRULES_VENV    folder of the environment
#   PCBRULES_PYTHON  interpreter [python3]
set -euo pipefail
[ -f "$PCBRULES_SOURCE/pyproject.toml" ] || { echo "PCBRULES_SOURCE is no checkout of pcbrules: $PCBRULES_SOURCE"; exit 2; }
"${PCBRULES_PYTHON:-python3}" -m venv "$PCBRULES_VENV"
case ${OSTYPE:-} in msys* | cygwin*) bin=$PCBRULES_VENV/Scripts ;; *) bin=$PCBRULES_VENV/bin ;; esac
"$bin/python" -m pip install --quiet --disable-pip-version-check "$PCBRULES_SOURCE/" # a path, never a name
"$bin/pcbrules" --version
if [ -n "${GITHUB_PATH:-}" ]; then printf '%s\n' "$bin" >>"$GITHUB_PATH"; fi
