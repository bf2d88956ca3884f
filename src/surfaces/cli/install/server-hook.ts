/** The pre-receive hook of a git server, which makes published histories append-only and each clone's own. */

export const SERVER_HOOK = `#!/bin/sh
# pre-receive: histories that vedit publishes (refs/vedit-peers/*, refs/vedit-shared/*, refs/heads/vedit/*) only grow, and
# each clone's are its own; shared ones are those of all who may push. Printed by vedit hook server --print; put it into
# hooks/pre-receive of the bare repository, executable.
#
#   git config vedit.deleteAfterDays 180    lets histories be deleted whose newest commit is that old; default: never
#
# Where the server says who pushes (REMOTE_USER of http, or the variable of a host such as GitLab or Gitea), the first to
# push under the name of a clone owns it: file vedit-owners in the repository, '<clone> <user>' a line.
set -u
zero=0000000000000000000000000000000000000000
user=\${REMOTE_USER:-\${GL_USERNAME:-\${GITEA_PUSHER_NAME:-\${GL_USER:-}}}}
owners=$(git rev-parse --git-dir)/vedit-owners
days=$(git config --type=int vedit.deleteAfterDays || echo never)
new_owners=
refuse() {
  echo "vedit: $1: $2" >&2
  exit 1
}
while read -r old new ref; do
  case $ref in
    refs/vedit-shared/*|refs/heads/vedit/shared/*) clone=shared ;;
    refs/vedit-peers/*) clone=\${ref#refs/vedit-peers/} ;;
    refs/heads/vedit/*) clone=\${ref#refs/heads/vedit/} ;;
    *) continue ;;
  esac
  clone=\${clone%%/*}
  case $clone in
    *[!a-z0-9-]*|-*) refuse "$ref" "this is no name of a clone" ;;
    *-[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]) ;;
    shared) [ "\${ref#refs/vedit-peers/}" = "$ref" ] || refuse "$ref" "this is no name of a clone" ;;
    *) refuse "$ref" "this is no name of a clone" ;;
  esac
  if [ -n "$user" ] && [ "$clone" != shared ]; then
    owner=
    [ -f "$owners" ] && owner=$(sed -n "s/^$clone //p" "$owners" | head -n 1)
    if [ -z "$owner" ]; then
      new_owners="$new_owners$clone $user
"
    elif [ "$owner" != "$user" ] && [ "$new" != $zero ]; then
      refuse "$ref" "the histories of $clone are those of another user"
    fi
  fi
  if [ "$new" = $zero ]; then
    [ "$days" = never ] && refuse "$ref" "histories are not deleted here (git config vedit.deleteAfterDays)"
    age=$(( ($(date +%s) - $(git log -1 --format=%ct "$old")) / 86400 ))
    [ "$age" -ge "$days" ] || refuse "$ref" "its newest commit is $age days old, and histories stay for $days"
  elif [ "$(git cat-file -t "$new")" != commit ]; then
    refuse "$ref" "this is no commit"
  elif [ "$old" != $zero ]; then
    git merge-base --is-ancestor "$old" "$new" || refuse "$ref" "it would be rewritten: $old is not below $new"
  fi
done
[ -z "$new_owners" ] || printf '%s' "$new_owners" | sort -u >> "$owners"
`;
