#!/usr/bin/env bash
# Counts the instructions of a whole `rules hook` with callgrind, which counts the same each time. Prints a line for
# each policy, call and state of the cache; then what the events of a day take under all packs: their median, 95th
# percentile and maximum. Usage: benches/instructions.sh [POLICY…], each named as in benches/common.sh; `day` is the day.
#
# `benches/instructions.sh --check` counts the hooks of benches/instructions.tsv that do not take long, and fails if one
# takes over 5 % more than the file says. `--write` writes that file.
source "$(dirname "$0")/common.sh"

committed=benches/instructions.tsv
# Of the events of a day every one in so many is counted. It is odd, so that events before calls and after them are.
every=5
mode=print
[[ ${1:-} == --* ]] && mode=${1#--} && shift
if ! command -v valgrind >/dev/null; then
  echo "benches/instructions.sh: valgrind is not installed, so nothing is counted" >&2
  echo "instructions of a hook: no valgrind" >>"${RULES_SKIPPED:-/dev/null}"
  [[ $mode == check ]]
  exit
fi
policies=("$@")
if ((${#policies[@]} == 0)); then
  mapfile -t policies < <(real_policies)
  policies=(day "${policies[@]}" marks+0 marks+1000 packs+10000 0 10 100 1000 10000)
  # To compile ten thousand rules takes too long for a check.
  [[ $mode == check ]] && mapfile -t policies < <(echo day; real_policies; printf '%s\n' marks+0 marks+1000 0 100)
fi
build >&2
# The committed figures are those of hooks that find an empty directory of managed policy.
has_managed=yes
projects $(printf '%s\n' "${policies[@]}" | sed 's/^day$/packs/' | sort -u)

callgrind=(valgrind --tool=callgrind --callgrind-out-file=/dev/null)

# Counts a program on the project's payload. The environment is read at the start, so it is always the same.
count() {
  local log
  # An answer that nobody can read, as on the null device, is another way through the hook.
  log=$(env -i PATH=/usr/bin:/bin HOME="$base/home" CLAUDE_PROJECT_DIR="$directory" \
    "${callgrind[@]}" "$@" < "$own/payload.json" 2>&1 >"$own/out") || [[ $? == 2 ]]
  sed -n 's/.*Collected : //p' <<<"$log"
}

# Prints the rows of a policy: a hook that finds nothing compiled, which leaves what the others find, and then one for
# each call. Two of each would count the same.
rows() {
  local call calls counted
  read -ra calls < <(calls_for "$1")
  hook_of "$1"
  mkdir -p "$own/state"
  remember "$1"
  give "${calls[0]}"
  counted=$(count "${hook[@]}")
  printf '%s\t%s\tcold\t%s\n' "$1" "${calls[0]}" "$counted"
  for call in "${calls[@]}"; do
    give "$call"
    counted=$(count "${hook[@]}")
    answered "$1" "$call"
    printf '%s\t%s\twarm\t%s\n' "$1" "$call" "$counted"
  done
}

# Prints the rows of a day.
day() {
  hook_of packs
  # Its own state and cache: the hooks of the packs alone are counted at the same time.
  own=$base/own-day
  hook=("${hook[@]//own-packs/own-day}")
  # The first record that is kept makes the directory of the state, and the first hook of a home compiles the policy.
  mkdir -p "$own/state"
  give ls
  count "${hook[@]}" > /dev/null
  local event
  "$bin/day" "$directory" "$every" > "$own/events"
  while IFS= read -r event; do
    printf '%s\n' "$event" > "$own/payload.json"
    count "${hook[@]}"
  done < "$own/events" | sort -n > "$own/counts"
  awk -v sample="$(wc -l < "$own/events")" '
    function rank(part) { at = part * NR; return all[at > int(at) ? int(at) + 1 : at] }
    { all[NR] = $1 }
    END {
      if (NR != sample) exit 1
      print "packs\tday, median\twarm\t" rank(0.5)
      print "packs\tday, 95th percentile\twarm\t" rank(0.95)
      print "packs\tday, maximum\twarm\t" all[NR]
    }
  ' "$own/counts"
}

# Prints the table. The policies are counted on all cores, those first that take longest.
table() {
  printf 'policy\tcall\tcache\tinstructions\n'
  hook_of none
  warm bash "${callgrind[@]}"
  printf -- '-\tbash\tfloor\t%s\n' "$(count "$bin/floor")"
  printf 'none\tbash\twarm\t%s\n' "$(count "${hook[@]}")"
  local policy cores running=()
  cores=$(nproc)
  for policy in "${policies[@]}"; do
    while (($(jobs -rp | wc -l) >= cores)); do
      wait -n || true
    done
    case $policy in
      day) day > "$base/rows-day" & ;;
      *) rows "$policy" > "$base/rows-${policy//\//-}" & ;;
    esac
    running+=($!)
  done
  local process
  for process in "${running[@]}"; do
    wait "$process"
  done
  for policy in "${policies[@]}"; do
    cat "$base/rows-${policy//\//-}"
  done
}

case $mode in
  print) table ;;
  write) table > "$base/table"; tee "$committed" < "$base/table" ;;
  check)
    table > "$base/table"
    cat "$base/table"
    awk -F '\t' '
      { key = $1 FS $2 FS $3 }
      NR == FNR { before[key] = $4; next }
      FNR == 1 { next }
      !(key in before) { print "not in the committed figures: " key; failed = 1; next }
      $4 > before[key] * 1.05 { print "over 5 % more instructions: " key ": " before[key] " before, " $4 " now"; failed = 1 }
      { compared++ }
      END { if (!compared) { print "nothing was compared"; failed = 1 } exit failed }
    ' "$committed" "$base/table"
    awk -F '\t' '
      $3 != "warm" { next }
      $1 == "marks+0" { empty[$2] = $4 }
      $1 == "marks+1000" && $4 > empty[$2] + 200 * 1000 { print "over 200 instructions for a line of a journal: " $2; failed = 1 }
      END { exit failed }
    ' "$base/table"
    ;;
  *) echo "usage: benches/instructions.sh [--check|--write] [POLICY…]" >&2; exit 2 ;;
esac
