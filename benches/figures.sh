#!/usr/bin/env bash
# Measures what book/src/speed.md shows and writes the figures there, each table between its marks.
# Usage: benches/figures.sh [hook] [archive] [session] [instructions] [inside] [peers] [eval] [check]; without a name all of
# them, which takes over an hour. The machine should have nothing else to do.
set -euo pipefail
cd "$(dirname "$0")/.."

page=book/src/speed.md
names=("$@")
((${#names[@]})) || names=(hook archive session instructions inside peers eval check)

# Prints a table of tabs as one of Markdown.
markdown() {
  awk -F '\t' -v OFS=' | ' '
    { $1 = $1; print "| " $0 " |" }
    NR == 1 { line = "|"; for (i = 1; i <= NF; i++) line = line "---|"; print line }
  '
}

measure() {
  case $1 in
    hook) benches/hook.sh ;;
    archive) BENCH_TARGET=x86_64-unknown-linux-musl benches/hook.sh 300 none packs packs+10000 ;;
    session) benches/session.sh ;;
    instructions) benches/instructions.sh --write ;;
    inside) cargo run --release --locked -p hookrules-inside --bin hookrules-inside ;;
    peers) cargo run --release --locked --manifest-path benches/peers/Cargo.toml --target-dir "${CARGO_TARGET_DIR:-target}/peers" ;;
    eval) benches/eval.sh ;;
    check) benches/check.sh ;;
    *) echo "usage: benches/figures.sh [hook] [archive] [session] [instructions] [inside] [peers] [eval] [check]" >&2; exit 2 ;;
  esac
}

for name in "${names[@]}"; do
  grep -q "^<!-- figures: $name -->$" "$page" || { echo "$page has no place for $name" >&2; exit 1; }
  table=$(mktemp)
  measure "$name" | tee /dev/stderr | markdown > "$table"
  awk -v name="$name" -v table="$table" '
    $0 == "<!-- end -->" { inside = 0 }
    !inside
    $0 == "<!-- figures: " name " -->" { inside = 1; print ""; while ((getline line < table) > 0) print line; print "" }
  ' "$page" > "$table.page"
  cp "$table.page" "$page"
  rm "$table" "$table.page"
done
