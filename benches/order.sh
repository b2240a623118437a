#!/usr/bin/env bash
# Writes benches/order.txt: the names of the functions that hooks run, as callgrind finds them, those first that the most
# kinds of hooks run. `.ci/link-in-order` places them next to each other in the program of an archive. The compilation
# of a policy is left out, as a hook seldom does it. Names have no hashes, so they are those of any build.
#
# `benches/order.sh --check` writes nothing, and fails if hooks run functions with more than a tenth of their bytes that
# the file does not name: then it is to be written again. BENCH_RULES is a program with symbols that is there already.
export BENCH_TARGET=${BENCH_TARGET-x86_64-unknown-linux-musl}
# A program in order would be as good, but a function that is placed twice could not be told.
export RULES_ORDER=off CARGO_PROFILE_RELEASE_STRIP=none
source "$(dirname "$0")/common.sh"

listed=benches/order.txt
command -v valgrind >/dev/null || { echo "benches/order.sh: valgrind is not installed" >&2; exit 1; }
build >&2
projects none packs 100

# Writes the mangled names of the functions that a hook runs on the project's payload to a file of the kind.
trace() {
  env -i PATH=/usr/bin:/bin HOME="$base/home" CLAUDE_PROJECT_DIR="$directory" valgrind --tool=callgrind --demangle=no \
    --compress-strings=no --callgrind-out-file="$base/traced" "${hook[@]}" <"$own/payload.json" >"$own/out" 2>"$own/err" ||
    [[ $? == 2 ]]
  sed -n "s/^fn=//p" "$base/traced" | sed "s/'[0-9]*\$//" | sort -u >>"$base/kinds/$1"
}

# Runs the hooks of each kind. The first of a project compiles the policy; the next ones find it.
kinds() {
  local policy call event
  mkdir "$base/kinds"
  for policy in none packs 100; do
    hook_of "$policy"
    mkdir -p "$own/state"
    give ls
    trace ignored
    for call in $(calls_for "$policy"); do
      give "$call"
      trace "${policy/none/no policy}, $call"
    done
  done
  rm "$base/kinds/ignored"
  hook_of packs
  printf '{"session_id":"s","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"git push --force"}}' \
    "$directory" >"$own/payload.json"
  trace "packs, denied"
  grep -q '"deny"' "$own/out" || { echo "the hook does not deny: $(cat "$own/out")" >&2; exit 1; }
  # A few events of a day as one kind: each of the others has more weight.
  "$bin/day" "$directory" 40 >"$own/events"
  while IFS= read -r event; do
    printf '%s\n' "$event" >"$own/payload.json"
    trace "packs, events of a day"
  done <"$own/events"
  sort -u -o "$base/kinds/packs, events of a day"{,}
}

# Demangles names, and takes out the hashes, which differ from build to build. `.ci/link-in-order` does the same: names
# match only if both do.
plain_names() {
  c++filt | sed -E 's/::h[0-9a-f]{16}//; s/\[[0-9a-f]{8,16}\]//g'
}

# Prints each function: its name without hashes, the number of kinds of hooks that run it, and those kinds.
table() {
  local kind
  for kind in "$base"/kinds/*; do
    plain_names <"$kind" | sort -u | sed "s|\$|\t${kind##*/}|"
  done | awk -F '\t' '
    $1 ~ /^(0x|\(below)/ { next }
    { count[$1]++; kinds[$1] = kinds[$1] (kinds[$1] == "" ? "" : "; ") $2 }
    END { for (name in count) printf "%03d\t%s\t%s\n", count[name], kinds[name], name }
  ' | sort -t "$(printf '\t')" -k 1,1nr -k 2,2 -k 3,3
}

export LC_ALL=C
kinds
table >"$base/table"
if [[ ${1:-} == --check ]]; then
  # With the bytes of each function, as a list out of date matters by what lies elsewhere.
  nm --print-size --radix=d --defined-only "$rules" |
    awk 'NF == 4 && tolower($3) ~ /^[tw]$/ { print $4 "\t" $2 }' | plain_names >"$base/sizes"
  awk -F '\t' '
    FILENAME == ARGV[1] { listed[$0] = 1; next }
    FILENAME == ARGV[2] { size[$1] = $2 + 0; next }
    { all += size[$3]; if (!($3 in listed)) { missing += size[$3]; missed++ } }
    END {
      printf "hooks run %d functions that benches/order.txt does not name: %d of %d bytes\n", missed, missing, all
      exit all == 0 || missing > all / 10
    }
  ' "$listed" "$base/sizes" "$base/table"
else
  awk -F '\t' '
    BEGIN { print "# Functions that hooks run, by the kinds of hooks that run them; benches/order.sh writes this file." }
    $2 != kinds { kinds = $2; print "\n# " $2 }
    { print $3 }
  ' "$base/table" >"$listed"
  echo "$(grep -vc '^#\|^$' "$listed") functions in $listed"
fi
