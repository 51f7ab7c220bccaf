#!/usr/bin/env bash
# The second step of action.yml: keeps one comment with the report on the pull request. Without the permission, as for
# pull requests of forks, the report is in the summary of the job alone.
set -euo pipefail

# GitHub refuses longer comments; the rest of the report is in the summary of the job.
readonly limit=60000

main() {
  # One comment for each directory, so that the action can run for several.
  marker="<!-- gg-svc diff: $(printf '%s' "$GG_DIRECTORY" | base64 | tr -d '\n') -->"
  local comments=/repos/$GITHUB_REPOSITORY/issues/$GG_PULL_REQUEST/comments
  local body page=1 list id='' length=100
  body=$(jsonBody)
  list=$(mktemp)
  while [ -z "$id" ] && [ "$length" = 100 ]; do
    request GET "$comments?per_page=100&page=$page" >"$list" || return 0
    read -r length id < <(findComment "$list") || return 0
    page=$((page + 1))
  done
  if [ -n "$id" ]; then
    request PATCH "/repos/$GITHUB_REPOSITORY/issues/comments/$id" "$body" >/dev/null || return 0
    echo 'The comment was updated.'
  elif grep -q '^- ' "$GG_REPORT"; then
    request POST "$comments" "$body" >/dev/null || return 0
    echo 'The comment was created.'
  else
    echo 'There are no changes to comment on.'
  fi
}

# A failure is no reason to fail the job: the report is in its summary.
request() {
  local answer status
  answer=$(mktemp)
  # The token is not an argument, which other processes could read.
  status=$(
    curl --silent --show-error --max-time 30 --request "$1" --output "$answer" --write-out '%{http_code}' \
      --header @<(printf 'Authorization: Bearer %s\n' "$GG_TOKEN") --header 'Accept: application/vnd.github+json' \
      --header 'Content-Type: application/json' ${3+--data-binary @-} "$GITHUB_API_URL$2" <<<"${3-}"
  ) || status=000
  if [[ $status == 2?? ]]; then
    cat -- "$answer"
    rm -f -- "$answer"
    return 0
  fi
  rm -f -- "$answer"
  if [ "$status" = 401 ] || [ "$status" = 403 ] || [ "$status" = 404 ]; then
    echo '::notice title=gg-svc diff::The token may not comment on this pull request, as for forks or without the permission pull-requests: write. The report is in the summary of the job.' >&2
  else
    echo "::warning title=gg-svc diff::GitHub did not take the comment (status $status). The report is in the summary of the job." >&2
  fi
  return 1
}

jsonBody() {
  # shellcheck disable=SC2016
  node -e '
    const [file, marker, limit] = process.argv.slice(1);
    const report = require("node:fs").readFileSync(file, "utf8");
    const end = report.lastIndexOf("\n", Number(limit));
    const shown = report.length <= limit ? report : `${report.slice(0, end)}\n\n… The rest is in the summary of the job.\n`;
    console.log(JSON.stringify({ body: `${marker}\n${shown}` }));
  ' "$GG_REPORT" "$marker" "$limit"
}

# The number of comments, and the id of the one that a bot began with the marker: anybody can write such a comment.
findComment() {
  # shellcheck disable=SC2016
  node -e '
    const [file, marker] = process.argv.slice(1);
    const list = JSON.parse(require("node:fs").readFileSync(file, "utf8"));
    const mine = list.find(({ user, body }) => user?.type === "Bot" && body?.startsWith(marker));
    console.log(`${list.length} ${mine?.id ?? ""}`);
  ' "$1" "$marker"
}

main
