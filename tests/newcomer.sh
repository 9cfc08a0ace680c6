#!/usr/bin/env bash
# A stranger's first hour: the README's main job, an own stackup that fails, explain, edit, pass.
# Usage: newcomer.sh BIN, where BIN holds the program.
set -euo pipefail
bin=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH="$bin:$PATH"

expect() { # CODE COMMAND...: run a command that must end with CODE; its output goes to $work/out
  local wanted=$1 code=0
  shift
  "$@" >"$work/out" 2>&1 || code=$?
  [ "$code" -eq "$wanted" ] || { echo "'$*' ended with $code, not $wanted:"; cat "$work/out"; exit 1; }
}
says() { grep -qF -- "$1" "$work/out" || { echo "not said: $1"; cat "$work/out"; exit 1; }; }

# the README's main job, from the checkout
cd "$root"
expect 0 pcbrules check boards/hgx-h100-baseboard.yaml --profile training
says "not a proof of compliance"

# an own stackup, as somebody types it the first time
cd "$work"
cat >mine.yaml <<'BOARD'
schema: 1
board: {name: my carrier, platform: edge-carrier, form_factor: som-carrier, size: {width: 100 mm, height: 80 mm}}
stackup:
- {kind: copper, name: L1, thickness: 40, role: signal}
- {kind: dielectric, thickness: 0.1 mm, material: s1000-2m, form: prepreg, glass: 1080}
- {kind: copper, name: L2, thickness: 30 um, role: gnd}
links:
  usb: {standard: usb3-gen3, path: [{trace: {layer: L1, width: 0.2 mm, gap: 0.15 mm, length: 50 mm}}]}
BOARD
expect 2 pcbrules check mine.yaml --profile edge
says "mine.yaml:4:39"                      # the bare number, with line and column
says "write the unit"
says "mine.yaml:6:"                        # the role that is none
says "unknown link standard"               # all faults in one run
[ ! -e mine.json ]

# all errors were told in one run; mended, with a second pair of layers and a copper foil
cat >mine.yaml <<'BOARD'
schema: 1
board: {name: my carrier, platform: edge-carrier, form_factor: som-carrier, size: {width: 100 mm, height: 80 mm}}
stackup:
- {kind: copper, name: L1, thickness: 40 um, base_weight: 0.5 oz, role: signal, foil: std-ed}
- {kind: dielectric, thickness: 0.1 mm, material: s1000-2m, form: prepreg, glass: 1080}
- {kind: copper, name: L2, thickness: 30 um, base_weight: 1 oz, role: ground, foil: std-ed}
- {kind: dielectric, thickness: 1.2 mm, material: s1000-2m, form: core, glass: 7628}
- {kind: copper, name: L3, thickness: 30 um, base_weight: 1 oz, role: ground, foil: std-ed}
- {kind: dielectric, thickness: 0.1 mm, material: s1000-2m, form: prepreg, glass: 1080}
- {kind: copper, name: L4, thickness: 40 um, base_weight: 0.5 oz, role: signal, foil: std-ed}
links:
  usb:
    standard: usb3-gen2
    lanes: 1
    path: [{trace: {layer: L1, width: 0.25 mm, gap: 0.15 mm, length: 50 mm, length_p: 50 mm, length_n: 50 mm, reference_gaps: []}}]
BOARD
expect 1 pcbrules check mine.yaml --profile edge --select SIG001
says "FAIL"
says "SIG001  links.usb.path.trace1"
says "mine.yaml:15"

# why?
expect 0 pcbrules explain SIG001 --profile edge
says "How to fix it"
says "deviation <= 10 %"

# the cure: a narrower trace
sed -i 's/width: 0.25 mm, gap/width: 0.135 mm, gap/' mine.yaml
expect 0 pcbrules check mine.yaml --profile edge --select SIG001 -o mine.json -o junit:mine.xml -o mine.sarif
test -s mine.json && test -s mine.xml && test -s mine.sarif

# the whole profile: what was not described is not a pass
expect 3 pcbrules check mine.yaml --profile edge
says "not evaluated"
expect 0 pcbrules check mine.yaml --profile edge --allow-incomplete

# a template to go on with
expect 0 pcbrules init --profile edge carrier.yaml
expect 3 pcbrules check carrier.yaml --profile edge
sed 's/#? //' carrier.yaml >filled.yaml
expect 0 pcbrules check filled.yaml --profile edge
echo "newcomer: from the README to a pass"
