#!/bin/sh
# Makes a copy of this example at DIR to try it in: DIR/main, a git repository on `main`, and two linked worktrees of it,
# DIR/topic on the branch `topic` and DIR/release on `release/2.0`.
#
#   sh worktrees.sh DIR
set -eu

example=$(cd "$(dirname "$0")" && pwd)
directory=${1:?usage: sh worktrees.sh DIR}
if [ -e "$directory" ]; then
  echo "$directory exists" >&2
  exit 1
fi

# Git has no other configuration or repository than this one, so the result is the same on every machine.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
: "${GIT_AUTHOR_NAME:=example}" "${GIT_AUTHOR_EMAIL:=example@example.org}"
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"

mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
cp -R "$example" "$directory/main"
chmod -R u+w "$directory/main"
cd "$directory/main"
git init -q
git symbolic-ref HEAD refs/heads/main
git add .
git commit -q -m "The example"
git worktree add -q -b topic ../topic
git worktree add -q -b release/2.0 ../release
