#!/usr/bin/env bash
# Compares a whole `rules hook` with the floor program, in pairs. Prints a line for each policy, call and state of the
# cache: medians and 95th percentiles in milliseconds, the ratio of the medians, the median of the paired differences,
# and the hook's peak of memory. Usage: benches/hook.sh [RUNS] [POLICY…], each named as in benches/common.sh.
source "$(dirname "$0")/common.sh"

runs=${1:-500}
shift || true
policies=("$@")
((${#policies[@]})) || policies=(packs packs+10000 0 10 100 1000 10000)
build >&2
projects "${policies[@]}"

# The most memory that the hook has at once, in megabytes.
memory() {
  [[ -x /usr/bin/time ]] || { printf -- '-\n'; return; }
  CLAUDE_PROJECT_DIR="$directory" /usr/bin/time -f %M -o "$own/memory" "${hook[@]}" < "$own/payload.json" > "$own/out" 2>&1 || [[ $? == 2 ]]
  tail -n 1 "$own/memory" | awk '{ printf "%.1f\n", $1 / 1024 }'
}

measure() {
  printf '%s\t%s\t%s\t' "$1" "$2" "$3"
  "$bin/runner" --runs "$4" "${@:5}" --form row --dir "$directory" --payload "benches/payloads/$2.json" -- "${hook[@]}" -- "$bin/floor" | tr '\n' '\t'
  memory
}

printf 'policy\tcall\tcache\tmedian\tp95\tfloor\tfloor p95\tratio\tdifference\tMiB\n'
for policy in "${policies[@]}"; do
  hook_of "$policy"
  remember "$policy"
  for call in $(calls_for "$policy"); do
    warm "$call"
    answered "$policy" "$call"
    measure "$policy" "$call" warm "$runs"
  done
  # From the sources it takes long; a few starts say as much.
  few=$(($(synthetic "$policy") > 1000 ? 50 : 5))
  measure "$policy" bash cold $((1 + runs / few)) --remove "$cache"
done
