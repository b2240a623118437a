#!/usr/bin/env bash
# Compares a whole `rules hook` with the floor program, in pairs. Prints a line for each number of rules, payload and
# state of the cache: medians and 95th percentiles in milliseconds, the ratio of the medians, the median of the paired
# differences, and the hook's peak of memory. Usage: benches/hook.sh [RUNS] [RULES…]
source "$(dirname "$0")/common.sh"

runs=${1:-500}
shift || true
counts=("$@")
((${#counts[@]})) || counts=(0 10 100 1000 10000)
build >&2
projects "${counts[@]}"

# The most memory that the hook has at once, in megabytes.
memory() {
  [[ -x /usr/bin/time ]] || { printf -- '-\n'; return; }
  CLAUDE_PROJECT_DIR="$base/$1" /usr/bin/time -f %M -o "$base/memory" "${hook[@]}" < "$base/payload.json" > "$base/out" 2>&1 || [[ $? == 2 ]]
  tail -n 1 "$base/memory" | awk '{ printf "%.1f\n", $1 / 1024 }'
}

measure() {
  printf '%s\t%s\t%s\t' "$1" "$2" "$3"
  "$bin/runner" --runs "$4" "${@:5}" --form row --dir "$base/$1" --payload "benches/payloads/$2.json" -- "${hook[@]}" -- "$bin/floor" | tr '\n' '\t'
  memory "$1"
}

printf 'rules\tpayload\tcache\tmedian\tp95\tfloor\tfloor p95\tratio\tdifference\tMB\n'
for count in "${counts[@]}"; do
  hook_of "$count"
  for payload in bash bash-hit write write-hit stop; do
    warm "$count" "$payload"
    answered "$count" "$payload"
    measure "$count" "$payload" warm "$runs"
  done
  # From the sources it takes long; a few starts say as much.
  measure "$count" bash cold $((count > 1000 ? 1 + runs / 50 : 1 + runs / 5)) --remove "$cache"
done
