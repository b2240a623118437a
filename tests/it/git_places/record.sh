# Records what has changed in the working trees since the last record, and on which branch git says that each is.
#
# Run as `record.sh MOMENT` in the directory of the program that runs. The moment is `start` or `end`; `before` and
# `after-git` git; `after` another program. `WORLD` has the working trees, `STATE` the records; they are set in front of
# this text.
LC_ALL=C
export LC_ALL
tab=$(printf '\t')

# Programs of one pipeline run at the same time.
until mkdir "$STATE/lock" 2>/dev/null; do sleep 0.01; done

# Prints a line for each file, with a sum of its contents, and for each link and directory.
snapshot() {
  find "$WORLD" -name .git -prune -o -path "$WORLD/bare.git" -prune -o -type f -exec cksum {} + -o -print | sort
}

# Prints the branch of a directory: `-` if its HEAD is detached, nothing outside of repositories.
branch() {
  git -C "$1" symbolic-ref --short -q HEAD 2>/dev/null && return
  if git -C "$1" rev-parse --git-dir >/dev/null 2>&1; then echo -; fi
}

# Prints the branch of each working tree.
branches() {
  find "$WORLD" -name .git -prune -print | while IFS= read -r link; do
    printf '%s\t%s\n' "${link%/.git}" "$(branch "${link%/.git}")"
  done
}

# Prints the branch that a changed file belongs to.
branch_of_file() {
  directory=${1%/*}
  until [ -d "$directory" ]; do directory=${directory%/*}; done
  if ! tree=$(git -C "$directory" rev-parse --show-toplevel 2>/dev/null); then
    # It belongs to the directory of the command.
    if [ "$moment" != before ]; then branch .; fi
    return
  fi
  if [ "$moment" = after-git ]; then
    while IFS=$tab read -r known name; do
      if [ "$known" = "$tree" ]; then echo "$name"; return; fi
    done < "$STATE/branches"
  fi
  branch "$tree"
}

moment=$1
snapshot > "$STATE/now"
if [ "$moment" = start ]; then
  mv "$STATE/now" "$STATE/files"
elif ! cmp -s "$STATE/files" "$STATE/now"; then
  sed 's/^[0-9]* [0-9]* //' "$STATE/now" > "$STATE/names"
  comm -3 "$STATE/files" "$STATE/now" | sed "s/^$tab//; s/^[0-9]* [0-9]* //" | sort -u | while IFS= read -r path; do
    verb=deletes
    if grep -qxF -e "$path" "$STATE/names"; then verb=writes; fi
    printf '%s\t%s\t%s\n' "$verb" "$(branch_of_file "$path")" "$path"
  done >> "$STATE/log"
  mv "$STATE/now" "$STATE/files"
fi
# What git writes belongs to the branch before it runs.
if [ "$moment" = before ]; then branches > "$STATE/branches"; fi
rmdir "$STATE/lock"
