import { type Argument, Command, type Option } from 'commander';
import { type CliCommandEntry, type CliCommandGroup, defineProjectOptions } from '../terminal/command.js';

/**
 * The candidates for the last of the words after `gg-svc`, for the scripts of `gg-svc completion`: a line for each, with
 * a tab and its description if it has one. `:topology`, `:file` and `:directory` stand for files, which the shell lists.
 */
export async function candidatesFor(
  words: readonly string[],
  commands: readonly (CliCommandEntry | CliCommandGroup)[],
): Promise<readonly string[]> {
  const given = words.slice(0, -1).filter((word) => word !== '=');
  // Bash splits --format=json into three words.
  const current = words.at(-1)?.replace(/^=$/, '') ?? '';
  const { parser, inner } = await commandIn(given, commands);
  const flag = /^--[\w-]+(?==)/.exec(current)?.[0] ?? given.at(-1);
  const isOpen = ({ short, long, required, optional }: Option) =>
    (required || optional) && (short === flag || long === flag);
  const option = parser.options.find(isOpen);
  if (option !== undefined) return valuesOf(option, /[<[]([^>\].]+)/.exec(option.flags)?.[1]);
  if (current.startsWith('-')) {
    const options = [
      ...parser.options.filter(({ hidden }) => !hidden),
      parser.createOption('-h, --help', 'display help for command'),
    ];
    return options.flatMap(({ short, long, description }) =>
      [short, long].flatMap((name) => (name === undefined ? [] : [`${name}\t${description}`])),
    );
  }
  if (inner.length > 0) return inner.map((entry) => `${nameOf(entry)}\t${entry.summary}`);
  const [operand] = parser.registeredArguments;
  return operand === undefined ? [] : valuesOf(operand, operand.name());
}

async function commandIn(words: readonly string[], commands: readonly (CliCommandEntry | CliCommandGroup)[]) {
  let parser = new Command().option('-V, --version', 'print the version');
  let inner = commands;
  for (const word of words) {
    const entry = inner.find((candidate) => nameOf(candidate) === word);
    if (entry === undefined) continue;
    parser = new Command().command(entry.usage);
    inner = 'commands' in entry ? entry.commands : [];
    if ('commands' in entry) continue;
    const { define, project } = await entry.load();
    define(parser);
    if (project !== undefined) defineProjectOptions(parser);
  }
  return { parser, inner };
}

function nameOf({ usage }: Pick<CliCommandEntry, 'usage'>): string {
  return usage.replace(/ .*/, '');
}

function valuesOf({ argChoices }: Argument | Option, placeholder = ''): readonly string[] {
  return argChoices ?? places.get(placeholder) ?? [];
}

/** The kinds of files that placeholders of arguments and options stand for; other values can be anything. */
const places: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ...{ files: ':topology', operands: ':topology', what: ':topology', directory: ':directory' },
    ...{ file: ':file', bundle: ':file', index: ':file', key: ':file', policy: ':file' },
  }).map(([placeholder, place]) => [placeholder, [place]]),
);
