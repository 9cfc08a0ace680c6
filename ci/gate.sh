#!/usr/bin/env bash
# The gate of a pull request: check the boards that it touches, against its target. For GitHub, GitLab, or a shell.
#
# Run it in the root of the checkout. Everything comes from the environment; nothing of it is ever run as a command.
#   PCBRULES_PROFILE       profile or ruleset file (required)
#   PCBRULES_BOARDS        board files and folders, one a line [boards]
#   PCBRULES_TARGET        commit of the target branch, or the branch as refs/heads/NAME, which is fetched from the origin;
#                          empty: no comparison, all boards
#   PCBRULES_CHANGED_ONLY  true: only boards that the change can touch [true]
#   PCBRULES_REGRESSION    bounds of a lost margin, one a line, such as 0.2dB
#   PCBRULES_FAIL_ON       error, warning or advice [error]
#   PCBRULES_WAIVERS       waiver file
#   PCBRULES_REQUIRE       rules that must judge something, one a line, such as SIG001 or SIG001:links.up
#   PCBRULES_HOLD_CHECKS   true: a check that is gone, switched off or relaxed since the target is an error, and a waiver
#                          of the change does not count before the target has it; false: such a check is a warning, and
#                          a waiver of the change counts at once [true]
#   PCBRULES_POLICY        file with such rules, one a line, # begins a comment; a line hold-checks stands for true above,
#                          whatever the variable says; read from the target branch
#   PCBRULES_OPTIONS       further options of `pcbrules check`, one word a line
#   PCBRULES_FIX           true: where a board fails, look for the cheapest changes after which nothing fails [false]
#   PCBRULES_SOURCE_URL    where files can be seen, with {file} and {line}
#   PCBRULES_OUT           folder for the reports [pcbrules-report]
# Writes report.md, report.json, report.sarif, junit.xml, console.txt and summary.md there, and fix.patch where it was
# asked for and found. The exit code is that of
# `pcbrules check`: 0, 1 failed, 2 wrong input, 3 not evaluated, or a board file that the change touches was not checked.
set -euo pipefail
export LC_ALL=C

# The change under test wrote the checkout: nothing of it is imported or run. Python takes no module of the working
# folder, git runs no hook and no setting of a repository that lies in a folder, and no relative path leads into it.
export PYTHONSAFEPATH=1
harden_git() {
    local number=${GIT_CONFIG_COUNT:-0} setting
    for setting in core.hooksPath=/dev/null core.fsmonitor=false safe.bareRepository=explicit; do
        export "GIT_CONFIG_KEY_$number=${setting%%=*}" "GIT_CONFIG_VALUE_$number=${setting#*=}"
        number=$((number + 1))
    done
    export GIT_CONFIG_COUNT=$number
}
harden_git
# Print the entries of a search path that are absolute, and not below a folder.
outside() {
    local entry kept= entries
    IFS=: read -r -a entries <<<"$1"
    for entry in ${entries[@]+"${entries[@]}"}; do
        case $entry/ in "${2:-:}"/*) ;; /*) kept+=${kept:+:}$entry ;; esac
    done
    printf %s "$kept"
}

profile=${PCBRULES_PROFILE:-}
target=${PCBRULES_TARGET:-}
out=${PCBRULES_OUT:-pcbrules-report}
waivers=${PCBRULES_WAIVERS:-}
policy=${PCBRULES_POLICY:-}
root=$(pwd -P)
case ${OSTYPE:-} in
msys* | cygwin*) ;; # PYTHONPATH is written otherwise there
*)
    PATH=$(outside "$PATH")
    if [ -n "${PYTHONPATH:-}" ]; then PYTHONPATH=$(outside "$PYTHONPATH" "$root"); fi
    ;;
esac
summary_limit=1000000 # bytes; GitHub takes 1 MiB

mkdir -p -- "$out"
case $out in /* | [A-Za-z]:*) ;; *)
    case $(cd -- "$out" && pwd -P) in "$root"/*) ;; *)
        echo "PCBRULES_OUT leads out of the checkout by a link of it, or is the checkout: $out" >&2
        exit 2
        ;;
    esac
    ;;
esac
out=$(cd -- "$out" && pwd)
rm -f -- "$out"/{report.md,report.json,report.sarif,junit.xml,console.txt,summary.md,fix.patch,baseline.json,baseline.txt,target-waivers.yaml}
scratch=$(mktemp -d)
trap 'for made in target fixing; do git -C "$root" worktree remove --force "$scratch/$made" >/dev/null 2>&1 || true; done; rm -rf -- "$scratch"' EXIT

missed=0 # board files that the change touches and that are not checked

# Print a file into the log; on GitHub no line of it is taken for a command.
show() {
    local mark=
    if [ -n "${GITHUB_ACTIONS:-}" ]; then
        mark=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
        echo "::stop-commands::$mark"
    fi
    cat -- "$1"
    if [ -n "$mark" ]; then echo "::$mark::"; fi
}

# A note of the gate itself, for log and summary.
note() {
    printf '%s\n' "$1" >"$scratch/note"
    show "$scratch/note"
    { sed 's/^/    /' "$scratch/note"; echo; } >>"$scratch/notes"
}

# Tell what came out, and end with the code. The verdict begins the summary; the notes of the gate stand below it.
finish() {
    local code=$1
    if [ "$missed" -gt 0 ] && [ "$code" -eq 0 ]; then # the gate passes nothing that it did not check
        echo "the gate is incomplete: the change touches a board file that is not checked" >"$scratch/missed"
        show "$scratch/missed"
        { printf '**INCOMPLETE** '; sed 's/^the gate is incomplete: t/(exit code 3): T/; s/$/./' "$scratch/missed"; echo; } >"$out/summary.md"
        code=3
    fi
    awk -v notes="$scratch/notes" '
        function put(  line) { if (!done) while ((getline line <notes) > 0) print line; done = 1 }
        /^(Note: |## |---$)/ { put() }
        { print; last = $0 }
        END { if (!done && last != "") print ""; put() }' "$scratch/body" >>"$out/summary.md"
    if [ "$(wc -c <"$out/summary.md")" -gt "$summary_limit" ]; then
        head -c "$summary_limit" "$out/summary.md" | sed '$d' >"$scratch/cut"
        printf '\n\n**The summary was cut here; the reports of the job hold all of it.**\n' >>"$scratch/cut"
        mv -- "$scratch/cut" "$out/summary.md"
    fi
    if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat -- "$out/summary.md" >>"$GITHUB_STEP_SUMMARY"; fi
    if [ -n "${GITHUB_OUTPUT:-}" ]; then
        echo "exit-code=$code" >>"$GITHUB_OUTPUT"
        if [ -s "$out/report.sarif" ]; then echo "sarif=true" >>"$GITHUB_OUTPUT"; fi
    fi
    exit "$code"
}

# A sentence for log and summary, and exit code 2.
refuse() {
    printf '%s\n' "$1" >"$scratch/refused"
    show "$scratch/refused" >&2
    { printf '# pcbrules\n\nNothing was checked.\n\n'; sed 's/^/    /' "$scratch/refused"; } >"$scratch/body"
    finish 2
}

: >"$scratch/notes"
: >"$out/summary.md"
[ -n "$profile" ] || refuse "PCBRULES_PROFILE is empty: name a profile (training, datacenter-inference, edge) or a ruleset file."
[ "${PCBRULES_CHANGED_ONLY:-true}" = true ] || [ "${PCBRULES_CHANGED_ONLY:-}" = false ] ||
    refuse "PCBRULES_CHANGED_ONLY is neither true nor false."
[ "${PCBRULES_FIX:-false}" = true ] || [ "${PCBRULES_FIX:-false}" = false ] || refuse "PCBRULES_FIX is neither true nor false."
hold=${PCBRULES_HOLD_CHECKS:-true}
[ "$hold" = true ] || [ "$hold" = false ] || refuse "PCBRULES_HOLD_CHECKS is neither true nor false."
case $profile in
*.[yY][aA][mM][lL] | *.[yY][mM][lL])
    [ -f "$profile" ] || refuse "The ruleset file $profile does not exist."
    ruleset=$(cd -- "$(dirname -- "$profile")" && pwd)/$(basename -- "$profile") # the same limits for both sides
    ;;
*) ruleset=$profile ;;
esac

unmade= # a waiver file that is named and not there: nothing is waived
if [ -n "$waivers" ] && [ ! -e "$waivers" ]; then
    unmade=$waivers
    note "note: the waiver file $waivers does not exist: nothing is waived"
fi

# Board files among files and folders; a folder as `pcbrules check` reads it.
boards=()
missing=()
places=()
while IFS= read -r place || [ -n "$place" ]; do
    place=${place%$'\r'}
    while [ "$place" != "${place//\/\//\/}" ]; do place=${place//\/\//\/}; done
    while [ "$place" != "${place#./}" ]; do place=${place#./}; done
    [ -z "$place" ] || places+=("$place")
    if [ -f "$place/matrix/matrix" ]; then # an ODB++ folder is one board
        boards+=("${place%/}")
    elif [ -d "$place" ]; then
        for file in "${place%/}"/*; do
            [ "${file%$'\n'*}" = "$file" ] || refuse "A file name in $place holds the end of a line."
            case $file in *.[yY][aA][mM][lL] | *.[yY][mM][lL]) [ ! -f "$file" ] || boards+=("${file#./}") ;; esac
        done
    elif [ -e "$place" ]; then
        boards+=("$place")
    elif [ -n "$place" ]; then
        missing+=("${place%/}")
    fi
done <<<"${PCBRULES_BOARDS:-boards}"
# A profile that is none is told whether or not a board is touched.
pcbrules rules -p "$ruleset" >/dev/null 2>"$scratch/profile" || refuse "$(cat -- "$scratch/profile")"

# What has changed since the target, and where a file was before it was renamed; paths from the root of the repository.
declare -A before=()
changed=()
removed=()
base=
tip=
prefix=
cure="Check out with full history (GitHub: fetch-depth: 0; GitLab: GIT_DEPTH: \"0\"; elsewhere: git fetch --unshallow)."
if [ -n "$target" ]; then
    case $target in -*) refuse "PCBRULES_TARGET is no commit: $target" ;; esac
    shallow=$(git rev-parse --is-shallow-repository 2>/dev/null) || shallow=
    case $target in
    refs/heads/*) # a branch of the origin as it is now
        git fetch --quiet --no-tags origin "$target" 2>"$scratch/fetch" ||
            refuse "The target branch $target cannot be fetched from the origin. $cure"
        target=$(git rev-parse FETCH_HEAD)
        ;;
    esac
    if ! git cat-file -e "$target^{commit}" 2>/dev/null && [ "$shallow" != true ]; then
        git fetch --quiet --no-tags origin "$target" 2>"$scratch/fetch" ||
            refuse "The target commit $target is not in this checkout and cannot be fetched. $cure"
    fi
    tip=$(git rev-parse --verify --quiet "$target^{commit}") ||
        refuse "The target commit $target is not in this checkout. $cure"
    base=$(git merge-base "$tip" HEAD 2>/dev/null) || base=
    # Without the whole history only a target that the change contains is certain to be what it is based on.
    if [ "$shallow" = true ] && [ "$base" != "$tip" ]; then
        refuse "This checkout is shallow: it does not show where the change left the target $target. $cure"
    fi
    base=${base:-$tip}
    prefix=$(git rev-parse --show-prefix)
    while IFS= read -r -d '' status; do
        IFS= read -r -d '' name
        changed+=("$name")
        case $status in
        R* | C*)
            IFS= read -r -d '' new
            before[$new]=$name
            changed+=("$new")
            ;;
        D*) removed+=("$name") ;;
        esac
    done < <(git diff --name-status --find-renames -z "$base" HEAD --)
fi

# A board is touched by a change of its file, of its overlay, of the waivers, of the policy, of a file below its folder that
# is no other board (the Touchstone file of a connector), and, where the profile is a file, of any YAML file that is no board.
# A board that is gone or renamed touches no other.
declare -A is_board=()
for board in ${boards[@]+"${boards[@]}"}; do is_board[$prefix$board]=yes; done
# Board files of the target that are gone: not there, and no board of today was one of them.
lost=()
declare -A was_board=()
if [ -n "$base" ]; then
    while IFS= read -r -d '' name; do
        [ ! -f "${name#"$prefix"}" ] || continue  # a folder or a device of its name is no board
        placed=
        folder=
        case $name in *.[yY][aA][mM][lL] | *.[yY][mM][lL]) folder=$(dirname -- "$name") ;; esac
        for place in ${places[@]+"${places[@]}"}; do
            if [ "$name" = "$prefix$place" ] || [ "$folder" = "$(dirname -- "$prefix$place/x")" ]; then placed=yes; fi
        done
        [ -n "$placed" ] || continue
        was_board[$name]=yes
        for new in "${!before[@]}"; do
            if [ "${before[$new]}" = "$name" ] && [ -n "${is_board[$new]:-}" ]; then placed=; fi
        done
        [ -z "$placed" ] || lost+=("${name#"$prefix"}")
    done < <(git ls-tree -r -z --full-tree --name-only "$base" --)
    for place in ${places[@]+"${places[@]}"}; do
        [ ! -f "$place/matrix/matrix" ] || continue
        if git cat-file -e "$base:$prefix${place%/}/matrix/matrix" 2>/dev/null; then lost+=("${place%/}"); fi
    done
fi
changed_file() {
    local file
    for file in ${changed[@]+"${changed[@]}"}; do [ "$file" != "$1" ] || return 0; done
    return 1
}
touched() {
    local board=$prefix$1 file folder=
    if [ -L "$1" ]; then # the board is the file that the link leads to
        board=$(readlink -f -- "$1") && board=$prefix${board#"$root"/}
        if [ "$prefix$1" != "$board" ] && changed_file "$prefix$1"; then return 0; fi
    fi
    case $board in */*) folder=${board%/*}/ ;; esac
    for file in ${changed[@]+"${changed[@]}"}; do
        if [ "$file" = "$board" ] || [ "$file" = "$prefix${waivers#./}" ]; then return 0; fi
        if [ -n "$policy" ] && [ "$file" = "$prefix${policy#./}" ]; then return 0; fi
        case $file in
        "${board%.*}".overlay.[yY][aA][mM][lL] | "${board%.*}".overlay.[yY][mM][lL]) return 0 ;;
        *.[yY][aA][mM][lL] | *.[yY][mM][lL])
            if [ -n "${is_board[$file]:-}${was_board[$file]:-}" ]; then continue; fi
            if [ "$ruleset" != "$profile" ]; then return 0; fi
            ;;
        esac
        case $file in "$folder"*) return 0 ;; esac
    done
    return 1
}

# A folder stands for the board files directly in it. Say what else in it and below it could be checked: board files in
# subfolders, hidden ones, JSON, layouts. Where the change touches one, or nothing is compared, the gate does not pass.
folders=()
more=
for place in ${places[@]+"${places[@]}"}; do
    [ -d "$place" ] && [ ! -f "$place/matrix/matrix" ] || continue
    folders+=("$place")
    [ -z "$more" ] || continue
    while IFS= read -r -d '' file; do
        if [ -z "${is_board[$prefix${file#./}]:-}" ]; then more=yes; fi
    done < <(find "$place" -name .git -prune -o ! -type d -print0)
done
[ -z "$more" ] || pcbrules check --left-out -- "${folders[@]}" >"$scratch/left-out" 2>"$scratch/why" || refuse "$(cat -- "$scratch/why")"
touched_below() {
    local file
    for file in ${changed[@]+"${changed[@]}"}; do
        case $file in "$1" | "$1"/*) return 0 ;; esac
    done
    return 1
}
unchecked=0
while IFS= read -r -d '' file; do
    file=${file#./}
    for place in ${places[@]+"${places[@]}"}; do [ "$file" != "${place%/}" ] || continue 2; done
    if [ -n "${is_board[$prefix$file]:-}" ]; then continue; fi
    unchecked=$((unchecked + 1))
    of_change=
    if [ -n "$base" ] && touched_below "$prefix$file"; then of_change=yes; fi
    if [ -z "$base" ] || [ -n "$of_change" ]; then missed=$((missed + 1)); fi
    if [ "$unchecked" -gt 10 ]; then continue; fi
    name=${file//[$'\n\r']/?}
    case ${file##*/} in
    .* | *.[jJ][sS][oO][nN]) told="$name looks like a board file and is not checked: add \`$name\` to the boards" ;;
    *.[yY][aA][mM][lL] | *.[yY][mM][lL])
        told="$name looks like a board file and is not checked: it is in a subfolder; add \`$(dirname -- "$name")/\` to the boards"
        ;;
    *) told="$name looks like a layout or a board file and is not checked: add \`$name\`, or the overlay of a layout, to the boards" ;;
    esac
    if [ -n "$of_change" ]; then told="warning: this change touches it: $told"; else told="note: $told"; fi
    printf '%s\n' "$told" >>"$scratch/unchecked"
done < <(if [ -n "$more" ]; then cat -- "$scratch/left-out"; fi)
if [ "$unchecked" -gt 0 ]; then
    if [ "$unchecked" -gt 10 ]; then echo "note: and $((unchecked - 10)) more" >>"$scratch/unchecked"; fi
    note "$(cat -- "$scratch/unchecked")"
fi

chosen=()
for board in ${boards[@]+"${boards[@]}"}; do
    if [ -z "$base" ] || [ "${PCBRULES_CHANGED_ONLY:-true}" = false ] || touched "$board"; then chosen+=("$board"); fi
done

# The policy of the target holds, and that of the change with it: a change cannot weaken it for itself, and what it
# adds is checked. One that the target lacks yet is read as it is.
required=
if [ -n "$policy" ]; then
    if [ -z "$base" ] || ! required=$(git show "$tip:$prefix${policy#./}" 2>/dev/null); then
        [ -f "$policy" ] || refuse "The policy file $policy does not exist."
        required=$(cat -- "$policy")
    elif [ ! -f "$policy" ] || [ "$required" != "$(cat -- "$policy")" ]; then
        note "note: the change alters the policy $policy: that of the target counts here too; after the merge that of the change will"
        if [ -f "$policy" ]; then required+=$'\n'$(cat -- "$policy"); fi
    fi
fi
requires=()
while IFS= read -r rule || [ -n "$rule" ]; do
    rule=${rule%%#*}
    rule=${rule//[[:space:]]/}
    case $rule in
    '') ;;
    hold-checks) hold=true ;;
    *) requires+=("--require=$rule") ;;
    esac
done <<<"${PCBRULES_REQUIRE:-}
$required"

# What is not there must have been there before the change.
for place in ${missing[@]+"${missing[@]}"}; do
    gone=
    for file in ${removed[@]+"${removed[@]}"} ${before[@]+"${before[@]}"}; do
        case $file in "$prefix$place" | "$prefix$place"/*) gone=yes ;; esac
    done
    [ -n "$gone" ] || refuse "There is no board file or folder: $place"
done
if [ ${#boards[@]} -eq 0 ] && [ ${#removed[@]} -eq 0 ] && [ ${#lost[@]} -eq 0 ]; then
    refuse "There is no board file in: ${PCBRULES_BOARDS:-boards}"
fi
if [ ${#chosen[@]} -eq 0 ] && [ ${#lost[@]} -eq 0 ]; then
    printf '# pcbrules\n\nNo board is touched by this change (0 of %s): nothing was checked.\n' "${#boards[@]}" >"$scratch/body"
    echo "no board is touched by this change (0 of ${#boards[@]}): nothing was checked"
    finish 0
fi

words=(--fail-on "${PCBRULES_FAIL_ON:-error}")
while IFS= read -r word; do
    word=${word%$'\r'}
    if [ -n "$word" ]; then words+=("$word"); fi
done <<<"${PCBRULES_OPTIONS:-}"
words+=(${requires[@]+"${requires[@]}"})
today=$(date -u +%Y-%m-%d)

# The same check of the target: the same tool and options; boards, waivers and ruleset file as it has them, so that a
# limit that the change relaxes hides no loss.
limits=$ruleset
against=()
if [ -n "$base" ]; then
    git worktree add --quiet --detach "$scratch/target" "$base"
    cd -- "$scratch/target/$prefix" 2>/dev/null || cd -- "$scratch/target"
    if [ "$ruleset" != "$profile" ] && [ -f "$profile" ] && pcbrules rules -p "$PWD/${profile#./}" >/dev/null 2>&1; then
        limits=$PWD/${profile#./}
    fi
    old=()
    for board in ${chosen[@]+"${chosen[@]}"}; do
        name=${before[$prefix$board]:-$prefix$board}
        name=${name#"$prefix"}
        [ ! -e "$name" ] || old+=("$name")
    done
    old+=(${lost[@]+"${lost[@]}"})
    permit=()
    if [ -n "$waivers" ] && [ -f "$waivers" ]; then permit=(--waivers "$waivers" --today "$today"); fi
    judge_target() {
        local code=0
        pcbrules check -p "$limits" "${words[@]}" ${permit[@]+"${permit[@]}"} -o "json:$out/baseline.json" -- "${old[@]}" \
            >/dev/null 2>"$out/baseline.txt" || code=$?
        return "$code"
    }
    if [ ${#old[@]} -gt 0 ]; then
        code=0
        judge_target || code=$?
        if [ "$code" -eq 2 ]; then # a board of the target cannot be read: compare with the others
            readable=()
            for name in "${old[@]}"; do
                code=0
                pcbrules check -p "$limits" "${words[@]}" ${permit[@]+"${permit[@]}"} -- "$name" >/dev/null 2>&1 || code=$?
                if [ "$code" -ne 2 ]; then readable+=("$name"); fi
            done
            old=(${readable[@]+"${readable[@]}"})
            if [ ${#old[@]} -gt 0 ]; then judge_target || true; fi
        fi
    fi
    cd -- "$root"
    if [ -s "$out/baseline.json" ]; then
        against=(--baseline "${out#"$root"/}/baseline.json")
        if [ "$limits" != "$ruleset" ]; then against+=(--force-baseline); fi
        while IFS= read -r bound; do
            bound=${bound%$'\r'}
            if [ -n "$bound" ]; then against+=(--regression "$bound"); fi
        done <<<"${PCBRULES_REGRESSION:-}"
    fi
    for board in ${chosen[@]+"${chosen[@]}"}; do
        name=${before[$prefix$board]:-$prefix$board}
        name=${name#"$prefix"}
        for file in ${old[@]+"${old[@]}"}; do [ "$file" != "$name" ] || continue 2; done
        if git cat-file -e "$base:$prefix$name" 2>/dev/null; then
            note "note: $board: this version cannot read the board of the target, so all its findings count"
        else
            note "note: $board is a new board: all its findings count"
        fi
    done
fi

if [ -n "$unmade" ]; then waivers=; fi
if [ -n "$waivers" ]; then words+=(--waivers "$waivers" --today "$today"); fi
if [ "$hold" = true ] && [ -n "$base" ]; then
    if [ -s "$out/baseline.json" ] || [ ${#lost[@]} -gt 0 ]; then against+=(--hold-checks); fi
    file=$prefix${waivers#./}
    if [ -z "$waivers" ]; then
        :
    elif { git ls-files --error-unmatch -- "$waivers" || git cat-file -e "$tip:$file"; } >/dev/null 2>&1; then
        git show "$tip:$file" >"$out/target-waivers.yaml" 2>/dev/null || echo 'waivers: []' >"$out/target-waivers.yaml"
        against+=(--held-waivers "${out#"$root"/}/target-waivers.yaml")
    else # git does not know it: it comes from elsewhere than the change
        against+=(--held-waivers "$waivers")
    fi
fi
for name in ${lost[@]+"${lost[@]}"}; do against+=(--gone "$name"); done
for board in ${boards[@]+"${boards[@]}"}; do # no other board has its name, and no waiver of it is unused
    for name in ${chosen[@]+"${chosen[@]}"}; do [ "$name" != "$board" ] || continue 2; done
    words+=(--unchecked "$board")
done
for board in ${chosen[@]+"${chosen[@]}"}; do
    name=${before[$prefix$board]:-}
    if [ -n "$name" ]; then against+=(--renamed "${name#"$prefix"}" "$board"); fi
done
if [ -n "${PCBRULES_SOURCE_URL:-}" ]; then words+=(--source-url "$PCBRULES_SOURCE_URL"); fi
code=0
pcbrules check -p "$profile" "${words[@]}" ${against[@]+"${against[@]}"} -o "markdown:$out/report.md" -o "json:$out/report.json" \
    -o "sarif:$out/report.sarif" -o "junit:$out/junit.xml" -- ${chosen[@]+"${chosen[@]}"} >"$out/console.txt" 2>&1 || code=$?
show "$out/console.txt"
if [ -z "$waivers" ] && grep -q 'add this to the waiver file' <(tr -s ' \n' ' ' <"$out/console.txt"); then
    if [ -n "$unmade" ]; then
        note "add the waiver file $unmade with the entry, in a change of its own"
    else
        note "the gate has no waiver file yet: name one by PCBRULES_WAIVERS (GitHub: the input waivers); it may be added later"
    fi
fi
# The changes are looked for with the level, the rules and the waivers of the check, and judged as the gate judges.
if [ "${PCBRULES_FIX:-false}" = true ] && [ "$code" -eq 1 ]; then
    asked=()
    case ${PCBRULES_FAIL_ON:-error} in warning | advice) asked+=(--warnings) ;; esac
    take=
    for word in "${words[@]}"; do
        case $word in
        --select=* | --ignore=*) asked+=("$word") ;;
        --select | --ignore) take=$word ;;
        *) [ -z "$take" ] || asked+=("$take" "$word"); take= ;;
        esac
    done
    if [ -s "$out/target-waivers.yaml" ]; then
        asked+=(--waivers "$out/target-waivers.yaml" --today "$today")
    elif [ -n "$waivers" ]; then
        asked+=(--waivers "$waivers" --today "$today")
    fi
    for board in ${chosen[@]+"${chosen[@]}"}; do
        rm -f -- "$scratch/patch"
        pcbrules fix -p "$profile" ${asked[@]+"${asked[@]}"} --patch "$scratch/patch" -- "$board" >"$scratch/fixed" 2>&1 || true
        if [ "$(tail -n 1 -- "$scratch/fixed")" = "nothing to fix: exit code 0" ]; then
            printf '%s: no finding fails by itself: lost margins and open checks have no patch\n' "$board" >"$scratch/fixed"
        fi
        show "$scratch/fixed"
        [ ! -s "$scratch/patch" ] || cat -- "$scratch/patch" >>"$out/fix.patch"
    done
    if [ -s "$out/fix.patch" ]; then
        git worktree add --quiet --detach "$scratch/fixing" HEAD
        cp -- "$out/fix.patch" "$scratch/fixing.patch"
        (
            cd -- "$scratch/fixing/$prefix"
            git apply -- "$scratch/fixing.patch"
            proof=0
            pcbrules check -p "$profile" "${words[@]}" ${against[@]+"${against[@]/#"${out#"$root"/}/"/"$out/"}"} --format concise \
                -- "${chosen[@]}" >"$scratch/proof" 2>&1 || proof=$?
            if [ "$proof" -eq 0 ]; then
                echo "the gate passes with fix.patch"
            else
                echo "with fix.patch the gate ends with $proof; an acceptance, or another change, is needed for:"
                grep -E ': (error|warning) (PCB0|[A-Z]{3}[0-9]{3} )' "$scratch/proof" | grep -v 'known in the baseline' |
                    cut -c 1-300 || tail -n 5 -- "$scratch/proof"
            fi
        ) >"$scratch/proven" 2>&1 || true
        show "$scratch/proven"
        { printf '**A proposal: fix.patch.**\n\n'; sed 's/^/    /' "$scratch/proven"; echo; } >>"$scratch/notes"
    fi
fi
if [ -s "$out/report.md" ]; then
    cat -- "$out/report.md" >"$scratch/body"
else
    { printf '# pcbrules\n\nNothing was checked.\n\n'; sed 's/^/    /' "$out/console.txt"; } >"$scratch/body"
fi
finish "$code"
