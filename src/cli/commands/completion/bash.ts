import {
  type CompletedOption,
  type CompletedProgram,
  type CompletedValue,
  listCommands,
  quote,
} from './describe-program.js';

/** The script for bash 3.2 and newer. */
export function bashCompletion({ commands, options }: CompletedProgram): string {
  const all = listCommands(commands);
  const top = { path: '', commands, options, operands: undefined };
  return `# Completion of gg-svc for bash. Written by: gg-svc completion bash
_gg_svc() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" path='' word index
  COMPREPLY=()
  # Bash splits --format=json into three words.
  if [ "$current" = '=' ]; then
    current=''
  elif [ "$previous" = '=' ]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${path:+$path }\${COMP_WORDS[index]}"
    case "$word" in
    ${all.map(({ path }) => quote(path)).join(' | ')}) path="$word" ;;
    esac
  done

  case "$path $previous" in
${[top, ...all].flatMap((command) => command.options.flatMap((option) => valueCase(command.path, option))).join('')}  esac

  case "$path" in
${[top, ...all]
  .map((command) => {
    const flags = complete(command.options.flatMap((option) => option.flags));
    const words = complete(command.operands ?? command.commands.map(({ name }) => name));
    return `  ${quote(command.path)})\n    case "$current" in\n    -*) ${flags} ;;\n    *) ${words} ;;\n    esac\n    ;;\n`;
  })
  .join('')}  esac
}

_gg_svc_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$@" -- "$current")
}

complete -o filenames -F _gg_svc gg-svc
`;
}

function valueCase(path: string, { flags, value }: CompletedOption): string[] {
  if (value === undefined) return [];
  const pattern = flags.map((flag) => quote(`${path} ${flag}`)).join(' | ');
  return [`  ${pattern})\n    ${complete(value)}\n    return\n    ;;\n`];
}

/** The command that adds the candidates for a value. */
function complete(value: CompletedValue): string {
  switch (value) {
    case 'topology':
      return "_gg_svc_words -f -X '!*.gg'; _gg_svc_words -d";
    case 'file':
      return '_gg_svc_words -f';
    case 'directory':
      return '_gg_svc_words -d';
    case 'text':
      return ':';
    default:
      return `_gg_svc_words -W ${quote(value.join(' '))}`;
  }
}
