# Functions of the benchmarks' scripts: they build what is measured, and make the projects that it is measured in.
#
# A policy is named by what it is made of: `none` for none, `packs` for all of them, `std/NAME` for one, `examples/NAME`
# and the files of the fixtures for those of the repository, a number for as many synthetic rules, `packs+NUMBER` for
# both, `marks+NUMBER` for a policy with marks in a session whose journal has as many lines.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Builds the product and the measuring programs, and says where they are. BENCH_PROFILE=everyday builds faster, for work
# on the scripts; its figures are others. BENCH_TARGET names the target that all are built for, as that of an archive;
# BENCH_RULES is a program that is measured instead of a built one.
build() {
  local profile=${BENCH_PROFILE:-release} target=${BENCH_TARGET:+--target=$BENCH_TARGET}
  [[ -n ${BENCH_RULES:-} ]] || cargo build --profile "$profile" --locked --bin rules $target
  cargo build --profile floor --locked -p hookrules-benches $target
  copy floor/{calls,day,floor,policy,runner} ${BENCH_RULES:-"$profile/rules"}
  rules=$bin/rules
}

# Copies built programs to where they are measured. A copy is what people have: `cargo install` and an archive make one.
# The page cache holds a file in larger or smaller pieces by how it was written, and mapping it costs a process up to
# four times as many page faults.
copy() {
  local target=${CARGO_TARGET_DIR:-target}/${BENCH_TARGET:-}
  bin=$(realpath "$target")/measured
  mkdir -p "$bin"
  local file
  for file in "$@"; do
    [[ $file == /* ]] || file=$target/$file
    cp --remove-destination -t "$bin" "$file"
  done
}

# Prints the policies that people have: all packs, each of them, the example projects, and two of the fixtures, which
# hold what people write most and what the language has.
real_policies() {
  local pack example
  echo packs
  for pack in rules/std/*.rules; do
    echo "std/$(basename "$pack" .rules)"
  done
  for example in examples/*/.rules; do
    dirname "$example"
  done
  echo tests/fixtures/shell/corpus.rules
  echo tests/fixtures/language
}

# Whether a policy consists of synthetic rules only.
is_synthetic() {
  [[ $1 =~ ^[0-9]+$ ]]
}

# Prints how many synthetic rules a policy has.
synthetic() {
  local number=${1#packs+}
  is_synthetic "$number" && echo "$number" || echo 0
}

# Prints the calls that a policy is measured on. A call with `-hit` in its name is one that a synthetic rule denies.
calls_for() {
  case $1 in
    marks+*) echo stop bash ;;
    *) is_synthetic "$1" && echo bash bash-hit write write-hit stop || echo ls bash write read stop prompt ;;
  esac
}

# Prints the directory of a policy's project.
project_of() {
  echo "$base/${1//[\/+]/-}"
}

use_packs() {
  local pack
  for pack in rules/std/*.rules; do
    echo "use \"std/$(basename "$pack" .rules)\""
  done
}

# Makes the project of a policy. Without a policy, there is the directory only.
project() {
  local rules
  [[ $1 != none ]] || return 0
  rules=$(project_of "$1")/.rules
  mkdir -p "$rules"
  case $1 in
    packs)
      use_packs > "$rules/packs.rules"
      # A rule of std/subagents records there. If it made the directory, a hook would write the compiled policy again.
      mkdir "$rules/log"
      ;;
    packs+*) use_packs > "$rules/packs.rules"; "$bin/policy" "$rules" "${1#packs+}" ;;
    marks+*) cp benches/marks.rules "$rules" ;;
    std/*) echo "use \"$1\"" > "$rules/packs.rules" ;;
    examples/*) cp "$1"/.rules/* "$rules" ;;
    *.rules) cp "$1" "$rules" ;;
    tests/*) cp "$1"/*.rules "$rules" ;;
    *) "$bin/policy" "$rules" "$1" ;;
  esac
}

# Makes a directory with a project for each policy, taken away at the end. Its name is always as long, so that it always
# takes as many instructions to look at. There is no directory of managed policy, as on most machines, unless
# `has_managed` is set.
projects() {
  base=$(mktemp -d /tmp/rules-bench-XXXXXXXX)
  trap 'rm -rf "$base"' EXIT
  mkdir "$base/none" ${has_managed:+"$base/managed"}
  local policy
  for policy in "$@"; do
    project "$policy"
  done
  # A compiled policy of files that have only just changed is compared with what they say.
  sleep 61
}

# Sets the array `hook` to the command of a project's hook: with the project's policy only, and with its own state, cache
# and directory of payloads and answers, so that several projects can be measured at once.
hook_of() {
  directory=$(project_of "$1")
  own=${directory/#$base\//$base/own-}
  cache=$own/cache
  mkdir -p "$own"
  hook=("$rules" hook claude-code --scope project --managed-dir "$base/managed" --config-dir "$own/config" --state-dir "$own/state"
    --cache-dir "$cache")
}

# Prints the events of a session that leave a number of lines in its journal: edits that are tested, the last one, too.
events_of_session() {
  local session=0f6f594c-1c52-467e-91cb-802aeeefb331 number name
  event() {
    printf '{"session_id":"%s","cwd":"%s","hook_event_name":"%s",%s}\n' "$session" "$directory" "$@"
  }
  event SessionStart '"source":"startup"'
  # An edit leaves two lines, and a test three.
  for ((number = 0; number < $1 / 5; number++)); do
    for name in PreToolUse PostToolUse; do
      event $name '"tool_name":"Edit","tool_use_id":"e'$number'","tool_input":{"file_path":"'"$directory"'/src/'$number'","old_string":"a","new_string":"b"},"tool_response":{}'
    done
    for name in PreToolUse PostToolUse; do
      event $name '"tool_name":"Bash","tool_use_id":"t'$number'","tool_input":{"command":"npm test"},"tool_response":{}'
    done
  done
}

# Makes the journal of a project whose policy has marks.
remember() {
  [[ $1 == marks+* ]] || return 0
  local event
  while IFS= read -r event; do
    CLAUDE_PROJECT_DIR="$directory" "${hook[@]}" <<< "$event" > "$own/out" || [[ $? == 2 ]]
  done < <(events_of_session "${1#marks+}")
  # What else so many hooks leave would be counted, too.
  rm -rf "$own/state/claims"
  local lines
  lines=$(wc -l < "$own"/state/journals/*)
  ((lines >= ${1#marks+})) || { echo "the journal of $1 has $lines lines" >&2; exit 1; }
}

# Puts a payload where the hook of the project gets it.
give() {
  sed "s|@DIR@|$directory|g" "benches/payloads/$1.json" > "$own/payload.json"
}

# Runs the hook of a project once on a payload, under the given command, to fill its caches. Another program, such as
# valgrind, compiles the policy anew.
warm() {
  give "$1"
  CLAUDE_PROJECT_DIR="$directory" "${@:2}" "${hook[@]}" < "$own/payload.json" > "$own/out" 2> "$own/err" || [[ $? == 2 ]]
}

# Fails where a payload is not answered as its name says.
answered() {
  local found=pass expected=pass
  grep -qE '"permissionDecision":"(deny|ask)"' "$own/out" && found=deny
  [[ $2 == *-hit ]] && (($(synthetic "$1") > 3)) && expected=deny
  [[ $found == "$expected" ]] || { echo "$2 with $1: $found instead of $expected: $(cat "$own/out")" >&2; exit 1; }
}
