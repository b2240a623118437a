#!/usr/bin/env bash
# Takes the time that `rules eval` needs for a file of payloads, on one core and on all. Prints payloads a second; first
# of the floor, which reads the same file as JSON and writes a line for each payload. All packs get the events of days,
# and shell calls alone; synthetic rules the calls that are made for them. Usage: benches/eval.sh [PAYLOADS] [POLICY…],
# each named as in benches/common.sh.
source "$(dirname "$0")/common.sh"

payloads=${1:-1000000}
shift || true
policies=("$@")
((${#policies[@]})) || policies=(packs 100 10000)
build >&2
cargo build --profile "${BENCH_PROFILE:-release}" --locked -p hookrules-inside --bin json >&2
copy "${BENCH_PROFILE:-release}/json"
projects "${policies[@]}"
# Passes on as many lines as are measured. Unlike head it reads to the end, so that nobody before it fails.
first() {
  awk -v count="$payloads" 'NR <= count'
}

"$bin/calls" "$payloads" > "$base/calls.jsonl"
# Of four calls one is a shell call.
"$bin/calls" "$((payloads * 4))" | grep -F '"tool_name":"Bash"' | first > "$base/shell.jsonl"
"$bin/day" "$base/project" > "$base/one-day.jsonl"
for ((written = 0; written < payloads; written += $(wc -l < "$base/one-day.jsonl"))); do
  cat "$base/one-day.jsonl"
done | first > "$base/day.jsonl"

# Runs a command on a file of payloads and prints a row.
measure() {
  local policy=$1 calls=$2 cores=$3
  local begin=$EPOCHREALTIME
  "${@:4}" < "$base/$calls.jsonl" > "$base/decisions.jsonl"
  local end=$EPOCHREALTIME
  [[ $(wc -l < "$base/decisions.jsonl") == "$payloads" ]] || { echo "$policy, $calls: not every call is decided" >&2; exit 1; }
  if [[ $policy != floor && $calls == calls ]] && (($(synthetic "$policy") > 3)); then
    # A call in a hundred is one that a rule denies.
    local denied
    denied=$(grep -c '"decision":"deny"' "$base/decisions.jsonl")
    ((denied == (payloads + 62) / 100)) || { echo "$denied of $payloads calls were denied" >&2; exit 1; }
  fi
  awk -v policy="$policy" -v calls="$calls" -v cores="$cores" -v n="$payloads" -v begin="$begin" -v end="$end" \
    'BEGIN { s = end - begin; printf "%s\t%s\t%s\t%.1f\t%d\n", policy, calls, cores, s, n / s }'
}

printf 'policy\tcalls\tcores\tseconds\tpayloads a second\n'
for calls in shell day; do
  measure floor "$calls" 1 taskset --cpu-list 0 "$bin/json"
  measure floor "$calls" "$(nproc)" "$bin/json"
done
for policy in "${policies[@]}"; do
  kinds=(calls shell)
  is_synthetic "$policy" || kinds=(day shell)
  for calls in "${kinds[@]}"; do
    judge=("$rules" eval --policy "$(project_of "$policy")/.rules")
    measure "$policy" "$calls" 1 taskset --cpu-list 0 "${judge[@]}"
    measure "$policy" "$calls" "$(nproc)" "${judge[@]}"
  done
done
