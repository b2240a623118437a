# For the scripts beside it: builds what is measured, and makes the projects that it is measured in.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Builds the product and the measuring programs, and says where they are.
build() {
  cargo build --release --locked --bin rules
  cargo build --profile floor --locked -p hookrules-benches
  rules=$(realpath "${CARGO_TARGET_DIR:-target}/release/rules")
  bin=$(realpath "${CARGO_TARGET_DIR:-target}/floor")
}

# Makes a directory with a project for each number of rules, taken away at the end. Its name is always as long, so that
# it always takes as many instructions to look at.
projects() {
  base=$(mktemp -d /tmp/rules-bench-XXXXXXXX)
  trap 'rm -rf "$base"' EXIT
  mkdir "$base/none" "$base/managed"
  local count
  for count in "$@"; do
    "$bin/policy" "$base/$count/.rules" "$count"
  done
  # A compiled policy of files that have only just changed is compared with what they say.
  sleep 61
}

# The hook of a project, as an array `hook`: no policy but that of the bench, state and cache of its own.
hook_of() {
  cache=$base/cache-$1
  hook=("$rules" hook claude-code --scope project --managed-dir "$base/managed" --config-dir "$base/config-$1" --state-dir "$base/state"
    --cache-dir "$cache")
}

# Runs the hook of a project once on a payload, in whatever else is said, so that what can be warm is. A policy is
# compiled anew by another program, and valgrind is one.
warm() {
  sed "s|@DIR@|$base/$1|g" "benches/payloads/$2.json" > "$base/payload.json"
  CLAUDE_PROJECT_DIR="$base/$1" "${@:3}" "${hook[@]}" < "$base/payload.json" > "$base/out" 2> "$base/err" || [[ $? == 2 ]]
}

# Fails where a payload is not answered as its name says.
answered() {
  local found=pass
  grep -q '"permissionDecision":"deny"' "$base/out" && found=deny
  local expected=pass
  [[ $2 == *-hit && $1 -gt 3 ]] && expected=deny
  [[ $found == "$expected" ]] || { echo "$2 with $1 rules: $found instead of $expected: $(cat "$base/out" "$base/err")" >&2; exit 1; }
}
