import type { CliCommand } from '../terminal/command.js';
import { exitCodes } from '../terminal/io.js';

export const command: CliCommand = {
  help: `
Completes commands, options, their values, and .gg files.

Examples:
  $ gg-svc completion bash > ~/.local/share/bash-completion/completions/gg-svc
  $ gg-svc completion zsh > "\${fpath[1]}/_gg-svc"
  $ gg-svc completion fish > ~/.config/fish/completions/gg-svc.fish`,
  define: (parser) => void parser.registeredArguments[0]?.choices(Object.keys(scripts)),
  async run([shell = ''], _options, io) {
    io.stdout(`${scripts[shell]}`);
    return exitCodes.fine;
  },
};

const scripts: Readonly<Record<string, string>> = {
  // For bash 3.2 and newer.
  bash: `# Completion of gg-svc for bash. Written by: gg-svc completion bash
_gg_svc() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  # Bash splits --format=json into three words.
  [ "$current" = '=' ] && current=''
  while IFS= read -r line; do
    case "$line" in
    :topology) _gg_svc_files -f -X '!*.gg'; _gg_svc_files -d ;;
    :file) _gg_svc_files -f ;;
    :directory) _gg_svc_files -d ;;
    "$current"*) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}

_gg_svc_files() {
  local file
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen "$@" -- "$current")
}

complete -o filenames -F _gg_svc gg-svc
`,
  // A file for a folder of `fpath`, which may also be sourced.
  zsh: `#compdef gg-svc
# Completion of gg-svc for zsh. Written by: gg-svc completion zsh
_gg-svc() {
  local line
  local -a candidates
  for line in "\${(@f)$($words[1] __complete "\${(@Q)words[2,CURRENT]}" 2> /dev/null)}"; do
    line=\${line//:/\\\\:}
    [[ -n $line ]] && candidates+=("\${line/$'\\t'/:}")
  done
  [[ $PREFIX == -*=* ]] && compset -P '*='
  case $candidates[1] in
  '\\:topology') _files -g '*.gg(-.)' ;;
  '\\:file') _files ;;
  '\\:directory') _files -/ ;;
  *) _describe -t candidates candidate candidates ;;
  esac
}

if [ "$funcstack[1]" = '_gg-svc' ]; then
  _gg-svc "$@"
else
  compdef _gg-svc gg-svc
fi
`,
  fish: `# Completion of gg-svc for fish. Written by: gg-svc completion fish
function __gg_svc_candidates
    set -l token (commandline -ct)
    set -l words (commandline -opc) "$token"
    set -l flag (string match -r '^-[^=]*=' -- "$token")
    set -l path (string replace -r '^-[^=]*=' '' -- "$token")
    for line in ($words[1] __complete $words[2..] 2> /dev/null)
        switch $line
            case :topology
                __fish_complete_path "$path" | string match -r '^.*(?:\\.gg|/)(?=\\t|$)'
            case :file
                __fish_complete_path "$path"
            case :directory
                __fish_complete_directories "$path" ''
            case '*'
                echo $line
        end | string replace -r -- '^' "$flag"
    end
end

complete -c gg-svc -f -a '(__gg_svc_candidates)'
`,
};
