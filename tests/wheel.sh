#!/usr/bin/env bash
# Build the wheel, install it where nothing of the checkout is, and run the main job from there.
set -euo pipefail
python=$1
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)/"Prüf stand"
mkdir -p "$work"
trap 'rm -rf "$(dirname "$work")"' EXIT
"$python" -m build --wheel --outdir "$work/dist" "$root" >/dev/null
"$python" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check "$work"/dist/*.whl
cd "$work"
unset PYTHONPATH
venv/bin/pcbrules --version
venv/bin/pcbrules init --example hgx-h100-baseboard "mein board.yaml"
code=0
venv/bin/pcbrules check "mein board.yaml" --profile training -o "bericht ä.json" -o bericht.html || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 1 ] || [ "$code" -eq 3 ] || { echo "exit code $code"; exit 1; }
test -s "bericht ä.json" && test -s bericht.html
venv/bin/pcbrules explain SIG003 >/dev/null
venv/bin/pcbrules library laminates >/dev/null
venv/bin/pcbrules schema board >/dev/null
venv/bin/pcbrules schema report >/dev/null
gate=$(venv/bin/python -c 'from importlib.resources import files; print(files("pcbrules") / "_ci" / "gate.sh")')
bash -n "$gate"
echo "wheel: the main job runs without the checkout"
