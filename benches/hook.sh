#!/usr/bin/env bash
# Compares `rules hook` under a policy with the floor program. Usage: benches/hook.sh [RUNS] [RULES]
set -euo pipefail
cd "$(dirname "$0")/.."

runs=${1:-500}
count=${2:-100}
cargo build --release --locked --bin rules
cargo build --release --manifest-path benches/Cargo.toml
bin=${CARGO_TARGET_DIR:-benches/target}/release
rules=${CARGO_TARGET_DIR:-target}/release/rules

project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
mkdir "$project/.rules"
"$bin/policy" "$count" > "$project/.rules/bench.rules"
"$rules" check "$project/.rules"

for payload in benches/payloads/*.json; do
  echo
  echo "== $(basename "$payload" .json)"
  "$bin/runner" --runs "$runs" --dir "$project" --payload "$payload" \
    -- "$(realpath "$rules")" hook claude-code --state-dir "$project/state" -- "$(realpath "$bin/floor")"
done
