# Runs a program, and records where it ran and what it has changed. `NAME`, `REAL`, `RECORD`, `STATE`
# and `REAL_PATH` are set in front of this text.

# Prints the branch that git would be asked about with the options before a subcommand.
branch_of_git() {
  count=$1
  shift
  total=$#
  index=0
  for word; do
    if [ "$index" -lt "$count" ]; then set -- "$@" "$word"; fi
    index=$((index + 1))
  done
  shift "$total"
  "$REAL" "$@" symbolic-ref --short -q HEAD 2>/dev/null && return
  if "$REAL" "$@" rev-parse --git-dir >/dev/null 2>&1; then echo -; fi
}

branch_here() {
  PATH=$REAL_PATH git symbolic-ref --short -q HEAD 2>/dev/null && return
  if PATH=$REAL_PATH git rev-parse --git-dir >/dev/null 2>&1; then echo -; fi
}

# Prints the directory that a program enters because of an option.
entered() {
  while [ $# -gt 0 ]; do
    case $1 in
      -C | --prefix | --directory) printf '%s\n' "$2"; return ;;
      --prefix=* | --directory=*) printf '%s\n' "${1#*=}"; return ;;
    esac
    shift
  done
  echo .
}

record() { env -i PATH="$REAL_PATH" GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 HOME="$STATE" sh "$RECORD" "$1"; }

note() { printf 'runs\t%s\t%s\n' "$1" "$2" >> "$STATE/log"; }

case $NAME in
  git)
    count=0
    subcommand=
    skip=
    for word; do
      if [ -z "$skip" ]; then
        case $word in
          -C | -c | --git-dir | --work-tree | --namespace) skip=yes ;;
          -*) ;;
          *) subcommand=$word; break ;;
        esac
      else
        skip=
      fi
      count=$((count + 1))
    done
    note "$(branch_of_git "$count" "$@")" "git $subcommand"
    case $subcommand in
      commit | push) exit 0 ;;
      # They change neither files nor branches.
      rev-parse | status) exec "$REAL" "$@" ;;
    esac
    record before
    "$REAL" "$@"
    status=$?
    record after-git
    ;;
  npm | make)
    note "$(cd "$(entered "$@")" && branch_here)" "$NAME"
    exit 0
    ;;
  *)
    note "$(branch_here)" "$NAME"
    "$REAL" "$@"
    status=$?
    record after
    ;;
esac
exit "$status"
