#!/usr/bin/env bash
# Counts the instructions of a whole `rules hook` with callgrind, which counts the same each time. Prints a line for
# each number of rules, payload and state of the cache. Usage: benches/instructions.sh [RULES…]
#
# `benches/instructions.sh --check` counts the hooks of benches/instructions.tsv, and fails if the one with 100 rules
# takes over 5 % more than stands there. `--write` writes that file.
source "$(dirname "$0")/common.sh"

committed=benches/instructions.tsv
mode=print
[[ ${1:-} == --* ]] && mode=${1#--} && shift
if ! command -v valgrind >/dev/null; then
  echo "benches/instructions.sh: valgrind is not installed, so nothing is counted" >&2
  [[ $mode == check ]]
  exit
fi
counts=("$@")
((${#counts[@]})) || counts=(0 10 100 1000 10000)
[[ $mode == check ]] && counts=(0 100)
build >&2
projects "${counts[@]}"

callgrind=(valgrind --tool=callgrind --callgrind-out-file=/dev/null)

# The environment is looked through at the start, so it is always the same.
count() {
  local log
  # An answer that nobody can read, as on the null device, is another way through the hook.
  log=$(env -i PATH=/usr/bin:/bin HOME="$base/home" CLAUDE_PROJECT_DIR="$base/$1" \
    "${callgrind[@]}" "${@:2}" < "$base/payload.json" 2>&1 >"$base/answer") || [[ $? == 2 ]]
  sed -n 's/.*Collected : //p' <<<"$log"
}

table() {
  printf 'rules\tpayload\tcache\tinstructions\n'
  local count payload
  hook_of none
  warm none bash "${callgrind[@]}"
  printf -- '-\tbash\tfloor\t%s\n' "$(count none "$bin/floor")"
  printf 'none\tbash\twarm\t%s\n' "$(count none "${hook[@]}")"
  for count in "${counts[@]}"; do
    hook_of "$count"
    for payload in bash bash-hit write write-hit stop; do
      warm "$count" "$payload" "${callgrind[@]}"
      answered "$count" "$payload"
      printf '%s\t%s\twarm\t%s\n' "$count" "$payload" "$(count "$count" "${hook[@]}")"
    done
    ((count > 1000)) && continue
    rm -rf "$cache"
    printf '%s\tbash\tcold\t%s\n' "$count" "$(count "$count" "${hook[@]}")"
  done
}

case $mode in
  print) table ;;
  write) table | tee "$committed" ;;
  check)
    table | tee "$base/table"
    awk -F '\t' '
      NR == FNR { before[$1 FS $2 FS $3] = $4; next }
      $1 == "100" && $3 == "warm" {
        key = $1 FS $2 FS $3
        if (!(key in before)) { print "not in the committed figures: " key; failed = 1 }
        else if ($4 > before[key] * 1.05) { print "over 5 % more instructions: " key ": " before[key] " before, " $4 " now"; failed = 1 }
        compared++
      }
      END { if (!compared) { print "nothing was compared"; failed = 1 } exit failed }
    ' "$committed" "$base/table"
    ;;
  *) echo "usage: benches/instructions.sh [--check|--write] [RULES…]" >&2; exit 2 ;;
esac
