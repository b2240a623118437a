#!/usr/bin/env bash
# Compares a hook whose policy runs a command with that command alone: the difference is what it takes to start the
# hook, judge the event, interpret the command's end and answer. Usage: benches/exit-codes.sh [RUNS]
source "$(dirname "$0")/common.sh"

runs=${1:-500}
build
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
mkdir "$project/.rules"
head -c 10000 /dev/zero | tr '\0' x > "$project/context.txt"
printf 'echo no >&2\nexit 2\n' > "$project/refuse.sh"
cat > "$project/.rules/bench.rules" <<'RULES'
rule refuse {
  on PreToolUse
  run ["sh", "./refuse.sh"]
}

rule inform {
  on UserPromptSubmit
  run ["cat", "context.txt"]
}
RULES
"$rules" check "$project/.rules"

measure() {
  echo
  echo "== $1"
  "$bin/runner" --runs "$runs" --dir "$project" --payload "benches/payloads/$2.json" \
    -- "$rules" hook wave --scope project --state-dir "$project/state" -- "${@:3}"
}

measure "exit code 2 of a command" bash sh ./refuse.sh
measure "10 KB of standard output as context" wave/prompt cat context.txt
