#!/usr/bin/env bash
# Takes the time of the commands that an author of policies waits for: `rules check` of synthetic rules, of a single file
# as an editor sends it at a keystroke, and of all packs with their examples; and, to compare, the start of the program.
# Prints medians in milliseconds. Usage: benches/check.sh [RUNS]
source "$(dirname "$0")/common.sh"

runs=${1:-21}
build >&2
projects 500 1000 10000

# Runs a command so often and prints a row with the median. What fails is no measure.
measure() {
  local name=$1 input=$2 begin end
  shift 2
  "$@" < "$input" > "$base/answer" || { echo "$name: $* exits with $?" >&2; cat "$base/answer" >&2; exit 1; }
  for ((run = 0; run < runs; run++)); do
    begin=$EPOCHREALTIME
    "$@" < "$input" > /dev/null
    end=$EPOCHREALTIME
    echo "$begin $end"
  done | awk '{ printf "%.2f\n", ($2 - $1) * 1000 }' | sort -n |
    awk -v name="$name" '{ all[NR] = $1 } END { printf "%s\t%.1f\t%.1f\t%.1f\n", name, all[int((NR + 1) / 2)], all[1], all[NR] }'
}

printf 'command\tmedian, ms\tleast\tmost\n'
measure "\`rules --version\`, the start of the program" /dev/null "$rules" --version
for number in 1000 10000; do
  measure "\`rules check\` of $number rules" /dev/null "$rules" check "$(project_of "$number")/.rules"
done
file=$(project_of 500)/.rules/$(ls "$(project_of 500)/.rules" | grep 'rules$' | head -1)
measure "\`rules check --stdin-filename\` of a file of 500 rules" "$file" "$rules" check --stdin-filename "$file"
measure "\`rules check\` of all packs and their examples" /dev/null "$rules" check rules/std
measure "\`rules test\` of all packs" /dev/null "$rules" test rules/std
