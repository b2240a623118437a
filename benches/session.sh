#!/usr/bin/env bash
# Runs the hooks of a whole session at the 90th percentile (benches/src/day.rs), each paired with the floor program.
# Prints a line for each policy: what all its hooks take and what as many floors take, in seconds, their ratio, and
# medians and 95th percentiles in milliseconds. The first line has the floor in the place of the hook: how far two of the
# same are apart. Usage: benches/session.sh [RUNS] [POLICY…], each named as in benches/common.sh.
source "$(dirname "$0")/common.sh"

runs=${1:-3}
shift || true
policies=("$@")
((${#policies[@]})) || policies=(packs 100)
build >&2
projects "${policies[@]}"

measure() {
  "$bin/day" "$directory" > "$own/events"
  printf '%s\t%s\t' "$1" "$(($(wc -l < "$own/events") * runs))"
  "$bin/runner" --runs "$runs" --form session --dir "$directory" --payload "$own/events" -- "${@:2}" -- "$bin/floor"
}

printf 'policy\tevents\tseconds\tfloor, seconds\tratio\tmedian\tp95\tfloor\tfloor p95\n'
hook_of none
measure floor "$bin/floor"
for policy in "${policies[@]}"; do
  hook_of "$policy"
  warm ls
  measure "$policy" "${hook[@]}"
done
