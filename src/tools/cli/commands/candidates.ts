import type { Argument, Command, Option } from 'commander';

/**
 * The candidates for the last of the words after `gg-svc`, for the scripts of `gg-svc completion`: a line for each, with
 * a tab and its description if it has one. `:topology`, `:file` and `:directory` stand for files, which the shell lists.
 */
export function candidatesFor(program: Command, words: readonly string[]): readonly string[] {
  const given = words.slice(0, -1).filter((word) => word !== '=');
  // Bash splits --format=json into three words.
  const current = words.at(-1)?.replace(/^=$/, '') ?? '';
  const parser = given.reduce((found, word) => found.commands.find((one) => one.name() === word) ?? found, program);
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
  if (parser.commands.length > 0) return parser.commands.map((one) => `${one.name()}\t${one.summary()}`);
  const [operand] = parser.registeredArguments;
  return operand === undefined ? [] : valuesOf(operand, operand.name());
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
