import { type CompletedProgram, type CompletedValue, listCommands } from './describe-program.js';

/** The script for fish. */
export function fishCompletion({ commands, options }: CompletedProgram): string {
  const all = listCommands(commands);
  const top = { path: '', commands, options, operands: undefined };
  const lines = [top, ...all].flatMap(({ path, commands: inner, options: flags, operands }) => {
    const at = `complete -c gg-svc -n ${quote(`__gg_svc_at ${quote(path)}`)}`;
    return [
      ...inner.map(({ name, summary }) => `${at} -a ${name} -d ${quote(summary)}`),
      ...(operands === undefined ? [] : [`${at}${candidates(operands, '')}`]),
      ...flags.map(
        ({ flags: names, description, value }) =>
          `${at}${names.map(printFlag).join('')}${value === undefined ? '' : candidates(value, ' -x')} -d ${quote(description)}`,
      ),
    ];
  });
  return `# Completion of gg-svc for fish. Written by: gg-svc completion fish

function __gg_svc_at -d 'Whether the words before the cursor name this command'
    set -l path ''
    for word in (commandline -opc)[2..]
        set -l longer (string trim -- "$path $word")
        if contains -- $longer ${all.map(({ path }) => quote(path)).join(' ')}
            set path $longer
        end
    end
    test "$path" = "$argv[1]"
end

function __gg_svc_topologies -d 'The .gg files and the directories'
    __fish_complete_path (commandline -ct) | string match -r '^.*(?:\\.gg|/)(?=\\t|$)'
end

complete -c gg-svc -f
${lines.join('\n')}
`;
}

function printFlag(flag: string): string {
  return flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`;
}

/** The candidates for a value; an option needs its value, so it gets `-x`. */
function candidates(value: CompletedValue, exclusive: string): string {
  switch (value) {
    case 'topology':
      return `${exclusive} -a '(__gg_svc_topologies)'`;
    case 'file':
      return exclusive === '' ? ' -F' : ' -r -F';
    case 'directory':
      return `${exclusive} -a '(__fish_complete_directories (commandline -ct))'`;
    case 'text':
      return exclusive;
    default:
      return `${exclusive} -a ${quote(value.join(' '))}`;
  }
}

/** A word for fish, whose single quotes have escapes. */
function quote(word: string): string {
  return `'${word.replace(/[\\']/g, '\\$&')}'`;
}
