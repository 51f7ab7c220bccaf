import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedProgram,
  type CompletedValue,
  listCommands,
  quote,
} from './describe-program.js';

/** The script for zsh: a file for a folder of `fpath`, which may also be sourced. */
export function zshCompletion({ commands, options }: CompletedProgram): string {
  const top = { path: '', name: '', summary: '', commands, options };
  return `#compdef gg-svc
# Completion of gg-svc for zsh. Written by: gg-svc completion zsh

${[top, ...listCommands(commands)].map(printFunction).join('\n')}
if [ "$funcstack[1]" = '_gg-svc' ]; then
  _gg-svc "$@"
else
  compdef _gg-svc gg-svc
fi
`;
}

function printFunction({ path, commands, options, operands }: CompletedCommand): string {
  const flags = options.map((option) => `    ${optionSpec(option)} \\\n`).join('');
  if (commands.length === 0) {
    const rest =
      operands === undefined ? '' : `    ${quote(`*:${operandName(operands)}:${action(operands)}`)} \\\n`;
    return `${functionName(path)}() {\n  _arguments -s -S \\\n${rest}${flags.replace(/ \\\n$/, '\n')}}\n`;
  }
  const names = commands
    .map(({ name, summary }) => `      ${quote(`${name}:${escapeSpec(summary)}`)}\n`)
    .join('');
  const cases = commands
    .map((command) => `      ${command.name}) ${functionName(command.path)} ;;\n`)
    .join('');
  return `${functionName(path)}() {
  local curcontext="$curcontext" state line
  _arguments -C \\
${flags}    '1: :->command' \\
    '*:: :->arguments'
  case $state in
  command)
    local -a commands=(
${names}    )
    _describe -t commands command commands
    ;;
  arguments)
    case $line[1] in
${cases}    esac
    ;;
  esac
}
`;
}

function functionName(path: string): string {
  return ['_gg-svc', ...path.split(' ')].filter((part) => part !== '').join('_');
}

/** `'(-f --format)'{-f,--format=}'[output format]:format:(text json)'`: one of the flags is enough. */
function optionSpec({ flags, description, value }: CompletedOption): string {
  const after = `[${escapeSpec(description)}]${value === undefined ? '' : `: :${action(value)}`}`;
  const forms = flags.map((flag) => (value !== undefined && flag.startsWith('--') ? `${flag}=` : flag));
  const [only] = forms;
  if (forms.length === 1) return quote(`${only}${after}`);
  return `${quote(`(${flags.join(' ')})`)}{${forms.join(',')}}${quote(after)}`;
}

function operandName(value: CompletedValue): string {
  return typeof value === 'string' ? value : 'value';
}

function action(value: CompletedValue): string {
  switch (value) {
    case 'topology':
      return '_files -g "*.gg(-.)"';
    case 'file':
      return '_files';
    case 'directory':
      return '_files -/';
    case 'text':
      return '';
    default:
      return `(${value.join(' ')})`;
  }
}

/** Escapes the characters that end a description. */
function escapeSpec(text: string): string {
  return text.replace(/[\\[\]:]/g, '\\$&');
}
