#!/usr/bin/env bash
# Takes the time that `rules eval` needs for a file of payloads, on one core and on all. Prints payloads a second.
# Usage: benches/eval.sh [PAYLOADS] [RULES…]
source "$(dirname "$0")/common.sh"

payloads=${1:-1000000}
shift || true
counts=("$@")
((${#counts[@]})) || counts=(100 10000)
build >&2
projects "${counts[@]}"
"$bin/calls" "$payloads" > "$base/calls.jsonl"

measure() {
  local begin=$EPOCHREALTIME
  "${@:3}" "$rules" eval --policy "$base/$1/.rules" < "$base/calls.jsonl" > "$base/decisions.jsonl"
  local end=$EPOCHREALTIME
  # A call in a hundred is one that a rule denies.
  local denied
  denied=$(grep -c '"decision":"deny"' "$base/decisions.jsonl")
  [[ $denied == $(((payloads + 62) / 100)) && $(wc -l < "$base/decisions.jsonl") == "$payloads" ]] ||
    { echo "$denied of $payloads calls were denied" >&2; exit 1; }
  awk -v rules="$1" -v cores="$2" -v n="$payloads" -v begin="$begin" -v end="$end" \
    'BEGIN { s = end - begin; printf "%s\t%s\t%.1f\t%d\n", rules, cores, s, n / s }'
}

printf 'rules\tcores\tseconds\tpayloads a second\n'
for count in "${counts[@]}"; do
  measure "$count" 1 taskset --cpu-list 0
  measure "$count" "$(nproc)"
done
