#!/usr/bin/env bash
# Build the wheel, install it where nothing of the checkout is, and run the main job from there.
set -euo pipefail
python=$1
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)/"Prüf stand"
mkdir -p "$work"
trap 'rm -rf "$(dirname "$work")"' EXIT
"$python" -m venv "$work/build"
"$work/build/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$work/dist" "$root"
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
venv/bin/python -c 'import importlib.resources as r; assert (r.files("pcbrules") / "py.typed").is_file(), "py.typed"'
echo "wheel: the main job runs without the checkout"

# The templates: the action's installation from a checkout, and the job of GitLab with the gate of what it installs.
PCBRULES_SOURCE=$root PCBRULES_VENV=$work/action PCBRULES_PYTHON=$PWD/venv/bin/python GITHUB_PATH=$work/path \
    bash "$root/ci/install.sh"
[ "$(cat "$work/path")" = "$work/action/bin" ]
mkdir -p repo/boards
cd repo
git init -q
cp "$root/boards/jetson-orin-carrier.yaml" boards/
"$work/venv/bin/python" - "$root/ci/gitlab.yml" >"$work/job.sh" <<'PYTHON'
import sys, yaml
print("\n".join(yaml.safe_load(open(sys.argv[1], encoding="utf-8"))[".pcbrules"]["script"]))
PYTHON
PATH=$work/action/bin:$PATH PCBRULES_INSTALL=$root PCBRULES_PROFILE=edge PCBRULES_OPTIONS=--select=STK \
    bash -e "$work/job.sh" >/dev/null
test -s pcbrules-report/junit.xml && test -s pcbrules-report/report.sarif
echo "wheel: the templates install from a checkout, and the gate runs"
