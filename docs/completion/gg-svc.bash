# Completion of gg-svc for bash. Written by: gg-svc completion bash
_gg_svc() {
  local current="${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  # Bash splits --format=json into three words.
  [ "$current" = '=' ] && current=''
  while IFS= read -r line; do
    case "$line" in
    :topology) _gg_svc_files -f -X '!*.gg'; _gg_svc_files -d ;;
    :file) _gg_svc_files -f ;;
    :directory) _gg_svc_files -d ;;
    "$current"*) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}

_gg_svc_files() {
  local file
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen "$@" -- "$current")
}

complete -o filenames -F _gg_svc gg-svc
