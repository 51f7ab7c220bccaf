#!/usr/bin/env bash
# The first step of action.yml: runs the commands, writes the summary of the job, and gives the report of `diff` to the
# next step. Every command runs, even after a failed one.
set -euo pipefail

main() {
  cd -- "$GG_DIRECTORY"
  local command failed=0
  for command in $GG_COMMANDS; do
    case $command in
    check | fmt | diff) ;;
    *)
      echo '::error title=gg-svc::The input commands takes check, fmt and diff.'
      exit 2
      ;;
    esac
  done
  readFiles
  findProgram
  # Annotations refer to the repository, and gg-svc to its working directory.
  prefix=$(git rev-parse --show-prefix 2>/dev/null || true)
  for command in $GG_COMMANDS; do
    echo "::group::gg-svc $command"
    case $command in
    check) annotate "$program" check --format github -- ${files[@]+"${files[@]}"} || failed=1 ;;
    fmt) checkFormat || failed=1 ;;
    diff) compare || failed=1 ;;
    esac
    echo '::endgroup::'
  done
  exit "$failed"
}

# One path or glob a line. Globs are expanded by gg-svc.
readFiles() {
  files=()
  local line
  while IFS= read -r line; do
    line=${line%$'\r'}
    [ -z "${line// /}" ] || files+=("$line")
  done <<<"$GG_FILES"
}

# The installed program of the project, unless a version is asked for.
findProgram() {
  local folder=$PWD
  while [ -z "$GG_VERSION" ] && [ "$folder" != / ]; do
    program=$folder/node_modules/.bin/gg-svc
    [ ! -x "$program" ] || return 0
    folder=$(dirname -- "$folder")
  done
  local home=$RUNNER_TEMP/gg-svc
  mkdir -p -- "$home"
  protect npm install --prefix "$home" --no-save --no-audit --no-fund -- "gg-svc${GG_VERSION:+@$GG_VERSION}"
  program=$home/node_modules/.bin/gg-svc
}

checkFormat() {
  local output status=0 file
  output=$(protectErrors "$program" fmt --check -- ${files[@]+"${files[@]}"}) || status=$?
  if [ "$status" = 0 ]; then
    protect printf '%s\n' "$output"
    return 0
  fi
  while IFS= read -r file; do
    [ -z "$file" ] ||
      echo "::error file=$(escapeProperty "$prefix$file"),title=gg-svc fmt::The file is not formatted. Run gg-svc fmt."
  done <<<"$output"
  return "$status"
}

compare() {
  if [ -z "$GG_BASE" ] || [[ $GG_BASE =~ ^0+$ ]]; then
    echo '::notice title=gg-svc diff::There is no older revision to compare with.'
    return 0
  fi
  local base report status=0
  base=$(findBase) || {
    echo '::error title=gg-svc diff::git does not find the revision to compare with. Check out with fetch-depth: 0, or pass the input base.'
    return 1
  }
  annotate "$program" diff --format github "$base" HEAD -- ${files[@]+"${files[@]}"} || status=$?
  report=$(mktemp "$RUNNER_TEMP/gg-svc-diff.XXXXXX")
  # The errors were printed by the first run.
  "$program" diff --format markdown --fail-on never "$base" HEAD -- ${files[@]+"${files[@]}"} >"$report" 2>/dev/null || true
  if [ -s "$report" ]; then
    cat -- "$report" >>"$GITHUB_STEP_SUMMARY"
    echo "report=$report" >>"$GITHUB_OUTPUT"
  fi
  return "$status"
}

# The place where HEAD left its base. A checkout of one commit has neither the base nor the history between: the merge
# commit of a pull request is compared with the base itself, which is its parent.
findBase() {
  local commit
  commit=$(git rev-parse --quiet --verify --end-of-options "$GG_BASE^{commit}") || {
    git fetch --quiet --no-tags --depth=1 -- origin "$GG_BASE" >&2 || return 1
    commit=$(git rev-parse --verify FETCH_HEAD)
  }
  commit=$(git merge-base "$commit" HEAD 2>/dev/null || printf '%s\n' "$commit")
  # The report names it.
  git rev-parse --short "$commit"
}

# Prints the annotations of a command, and its other lines so that the runner does not read them as commands.
annotate() {
  local output status=0 line
  output=$(protectErrors "$@") || status=$?
  while IFS= read -r line; do
    if [[ $line =~ ^(::(error|warning|notice) file=)([^/,][^,]*)(,.*)$ && ${BASH_REMATCH[3]} != *%3A//* ]]; then
      printf '%s%s%s%s\n' "${BASH_REMATCH[1]}" "$(escapeProperty "$prefix")" "${BASH_REMATCH[3]}" "${BASH_REMATCH[4]}"
    elif [[ $line =~ ^::(error|warning|notice)\  ]]; then
      printf '%s\n' "$line"
    else
      protect printf '%s\n' "$line"
    fi
  done <<<"$output"
  return "$status"
}

# Runs a command whose output the runner must not read as workflow commands.
protect() {
  local token status=0
  token=gg-svc-$RANDOM$RANDOM$RANDOM
  echo "::stop-commands::$token"
  "$@" || status=$?
  echo "::$token::"
  return "$status"
}

# The same for standard error alone; standard output is kept.
protectErrors() {
  local errors status=0
  errors=$(mktemp)
  "$@" 2>"$errors" || status=$?
  [ ! -s "$errors" ] || protect cat -- "$errors" >&2
  rm -f -- "$errors"
  return "$status"
}

escapeProperty() {
  local text=${1//%/%25}
  text=${text//$'\r'/%0D}
  text=${text//$'\n'/%0A}
  text=${text//:/%3A}
  printf '%s' "${text//,/%2C}"
}

main
