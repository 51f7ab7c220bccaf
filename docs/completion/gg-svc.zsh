#compdef gg-svc
# Completion of gg-svc for zsh. Written by: gg-svc completion zsh
_gg-svc() {
  local line
  local -a candidates
  for line in "${(@f)$($words[1] __complete "${(@Q)words[2,CURRENT]}" 2> /dev/null)}"; do
    line=${line//:/\\:}
    [[ -n $line ]] && candidates+=("${line/$'\t'/:}")
  done
  [[ $PREFIX == -*=* ]] && compset -P '*='
  case $candidates[1] in
  '\:topology') _files -g '*.gg(-.)' ;;
  '\:file') _files ;;
  '\:directory') _files -/ ;;
  *) _describe -t candidates candidate candidates ;;
  esac
}

if [ "$funcstack[1]" = '_gg-svc' ]; then
  _gg-svc "$@"
else
  compdef _gg-svc gg-svc
fi
