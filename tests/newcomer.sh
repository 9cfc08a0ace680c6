#!/usr/bin/env bash
# A stranger's first hour: look at an example, describe an own board, fail, understand, repair, pass.
# Usage: newcomer.sh FOLDER_OF_BINARIES
set -euo pipefail
bin=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)/"erster Versuch"
mkdir -p "$work"
trap 'rm -rf "$(dirname "$work")"' EXIT
cd "$work"
pcbrules() { "$bin/pcbrules" "$@"; }

# expect CODE WORDS COMMAND...: the exit code, and words that must be printed
expect() {
    local wanted=$1 words=$2 code=0
    shift 2
    pcbrules "$@" >out.txt 2>&1 || code=$?
    if [ "$code" -ne "$wanted" ] || ! tr -s ' \n' '  ' <out.txt | grep -qF -- "$words" || grep -q Traceback out.txt; then
        cat out.txt
        echo "newcomer: pcbrules $*: exit code $code, wanted $wanted and the words '$words'"
        exit 1
    fi
}

# The README's commands name things that exist.
expect 0 "pcbrules " --version
grep -o 'boards/[a-z0-9-]*\.yaml' "$root/README.md" | sort -u | while read -r board; do test -s "$root/$board"; done
expect 2 "Did you mean" init --example hgx-h100-basebord
expect 0 "next: pcbrules check" init --example hgx-h100-baseboard
expect 2 "exists" init --example hgx-h100-baseboard
expect 2 "write 'training'" check hgx-h100-baseboard.yaml --profile trainning
expect 0 "exit code 0" check hgx-h100-baseboard.yaml --profile training

# An own board: a small carrier, with a slip in it.
cat >board.yaml <<'YAML'
schema: 1
board:
  name: my-carrier
  platform: edge-carrier
  form_factor: som-carrier
  size: {width: 100 mm, height: 120 mm}
  thickness: {value: 1.6 mm, over: copper}
stackup:
- {kind: copper, name: L1, thickness: 45 um, base_weight: 0.5 oz, role: signal, foil: ed}
- {kind: dielectric, thickness: 0.1 mm, material: 370hrr}
- {kind: copper, name: L2, thickness: 30 um, base_weight: 1 oz, role: ground, foil: ed}
- {kind: dielectric, thickness: 1.25 mm, material: 370hr}
- {kind: copper, name: L3, thickness: 30 um, base_weight: 1 oz, role: ground, foil: ed}
- {kind: dielectric, thickness: 0.1 mm, material: 370hr}
- {kind: copper, name: L4, thickness: 45 um, base_weight: 0.5 oz, role: signal, foil: ed}
links:
  pcie:
    standard: pcie3
    lanes: 4
    #? budget: {loss: 8 dB, source: guide of the module}
    path:
    - trace: {layer: L1, width: 5 mil, gap: 6 mil, length: 2 in, reference_gaps: []}
YAML
expect 2 "board.yaml:10:51: stackup[1].material: unknown laminate; found '370hrr'" check board.yaml -p edge
expect 0 "370hr" library laminates
sed -i.old 's/370hrr/370hr/' board.yaml

# It fails, says where and by how much; the rule explains itself; the trace is widened.
expect 1 "error SIG001 links.pcie.path.trace1" check board.yaml -p edge
expect 1 "board.yaml:22:" check board.yaml -p edge
expect 0 "Why it matters" explain SIG001 -p edge
sed -i.old 's/width: 5 mil/width: 7 mil/' board.yaml

# Now nothing fails, but much was not looked at. Some of it the board does not have; the rest is accepted by name.
expect 3 "? not evaluated SIG002" check board.yaml -p edge -v
sed -i.old 's/#? budget/budget/; s/reference_gaps/length_p: 2 in, length_n: 2 in, bends: 0, &/' board.yaml
printf 'rails: {}\n' >>board.yaml
expect 3 "SIG007" check board.yaml -p edge
cat >waivers.yaml <<'YAML'
acceptances:
- {rule: SIG007, reason: layout is not done, owner: jd, expires: 2026-12-31}
- {rule: THM001, reason: the module is chosen later, owner: jd, expires: 2026-12-31}
- {rule: THM004, reason: the module is chosen later, owner: jd, expires: 2026-12-31}
YAML
expect 0 "layout is not done" check board.yaml -p edge --waivers waivers.yaml --today 2026-06-01 -o report.json -o junit:results.xml
test -s report.json && test -s results.xml
expect 3 "PCB003" check board.yaml -p edge --waivers waivers.yaml --today 2027-01-01

# A layout: it is judged as it was drawn, its overlay is written, and the choices in it are made.
cp "$root/tests/data/layouts/design.kicad_pcb" .
expect 3 "the platform of the board is not declared" check design.kicad_pcb -p edge
expect 0 "choices to make; next: pcbrules check design.overlay.yaml" init --from design.kicad_pcb
sed -i.old 's/#? platform/platform/; s/#? form_factor/form_factor/; s/#? FR4/FR4/' design.overlay.yaml
expect 3 "design.overlay.yaml:1:1" check design.kicad_pcb -p edge
expect 3 "read of design.kicad_pcb" check design.overlay.yaml -p edge

echo "newcomer: failed, understood, repaired, passed"
