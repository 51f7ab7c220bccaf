import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Range } from 'vscode-languageserver';
import { analyze } from '../../../src/analyze.js';
import { compile } from '../../../src/compile.js';
import { SegmentedText } from '../../../src/language-server/document/segmented-text.js';
import { Workspace } from '../../../src/language-server/workspace/workspace.js';
import { generateTopology } from '../generate.js';
import { freshText, spreadOf } from '../measure.js';
import { type Latencies, typeInEditor } from './editor.js';

const { values } = parseArgs({
  options: {
    program: { type: 'string', default: '' },
    report: { type: 'string', default: '' },
    'server-processor': { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});

const edges = 10_000;
// A file without findings is not spoken of, so it has one that stays.
const text = `${generateTopology({ edges })}(noted { kind: 'Int!' })\n`;
const rounds = values.quick ? 3 : 7;
const uri = 'file:///bench/large.gg';

/** What is measured: does its work once or more, and answers how many times. */
type Work = () => number;

/** Characters behind quotes go in and out again, each at another place; the text is kept parsed. */
function keptParsed(): Work {
  const parsed = new SegmentedText('large.gg', freshText(text));
  return () => {
    for (let time = 0; time < 200; time++) {
      const { offset } = nextPlace();
      parsed.edit({ start: offset, end: offset, text: 'x' });
      keep(parsed.diagnostics());
      parsed.edit({ start: offset, end: offset + 1, text: '' });
      keep(parsed.diagnostics());
    }
    return 400;
  };
}

/** The same through the workspace of the language server, up to all findings of all phases. */
function checkedWhole(): Work {
  const workspace = new Workspace(new URL('file:///'));
  workspace.open(uri, 1, freshText(text));
  let version = 1;
  const edit = (range: Range, inserted: string): void => {
    version += 1;
    const changed = workspace.change(uri, version, [{ range, text: inserted }]);
    if (changed === undefined) throw new Error('invariant: the file is open');
    workspace.findings.edited(changed.file, changed.edits);
    workspace.findings.compile(changed.file);
    keep(workspace.findings.of(changed.file));
  };
  return () => {
    const { line, character } = nextPlace();
    const start = { line, character };
    edit({ start, end: start }, 'x');
    edit({ start, end: { line, character: character + 1 } }, '');
    return 2;
  };
}

function analyzed(): Work {
  return () => {
    keep(analyze({ name: 'large.gg', source: freshText(text) }));
    return 1;
  };
}

function compiled(): Work {
  return () => {
    keep(compile({ name: 'large.gg', source: freshText(text) }));
    return 1;
  };
}

const sink: unknown[] = [];

/** Holds a result until the clock has stopped. */
function keep(result: unknown): void {
  sink[0] = result;
}

interface Place {
  readonly offset: number;
  readonly line: number;
  readonly character: number;
}

/** Behind each quote of the text a character makes no difference to its structure. */
const places: Place[] = [];
let lineStart = 0;
for (const [line, content] of text.split('\n').entries()) {
  const character = content.indexOf("'") + 1;
  if (character > 0) places.push({ line, character, offset: lineStart + character });
  lineStart += content.length + 1;
}

let next = 0;

function nextPlace(): Place {
  next += 7919;
  return places[next % places.length] as Place;
}

/** Milliseconds of the processor that one piece of a work takes, round by round; the works take turns. */
function measure(works: readonly Work[]): readonly (readonly number[])[] {
  const figures: number[][] = works.map(() => []);
  // The first round lets the engine settle.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, work] of works.entries()) {
      globalThis.gc?.();
      const start = process.cpuUsage();
      const times = work();
      const { user, system } = process.cpuUsage(start);
      if (round > 0) figures[index]?.push((user + system) / 1000 / times);
    }
    console.error(`round ${round} of ${rounds}`);
  }
  keep(undefined);
  return figures;
}

const [parseAgain = [], checkAgain = [], analysis = [], compilation = []] = measure([
  keptParsed(),
  checkedWhole(),
  analyzed(),
  compiled(),
]);

const node = [process.execPath, values.program];
const processor = values['server-processor'];
const latencies = await typeInEditor(
  processor === undefined ? node : ['taskset', '--cpu-list', processor, ...node],
  text,
  { rounds: values.quick ? 3 : 10 },
);
const report = render(latencies);
console.log(report);
if (!values.quick) writeFileSync(values.report, report);

function render({ edit, completion, settled }: Latencies): string {
  const row = (title: string, ours: readonly number[]) => {
    const ratio = spreadOf(ours.map((figure, round) => figure / (compilation[round] ?? Number.NaN)));
    return [
      `| ${title} | ${ms(spreadOf(ours).median)} | ${ms(spreadOf(compilation).median)} | ${percent(ratio.median)}`,
      ` (${percent(ratio.min)}–${percent(ratio.max)}) | ≤ 1/3 | ${ratio.median <= 1 / 3 ? 'met' : 'not met'} |`,
    ].join('');
  };
  const times = (title: string, list: readonly number[]) =>
    `| ${title} | ${ms(quantile(list, 0.5))} | ${ms(quantile(list, 0.95))} | ${list.length} |`;
  return [
    '# The language server',
    '',
    `\`npm run bench:lsp\`: one character is typed in a file of ${edges.toLocaleString('en')} edges (${(text.length / 1e6).toFixed(1)} MB), at another`,
    'place each time. The first table compares it with a full `compile()` of the same text, side by side in one process:',
    `processor time, medians of ${rounds} rounds, in brackets the spread of the ratio. The second is what an editor sees: a`,
    'client of the protocol at the other end of a pipe, with the server in a process of its own.',
    '',
    '| one edit | gg-svc | `compile()` | ratio | target | |',
    '|---|---|---|---|---|---|',
    row('the text is parsed again, with its findings', parseAgain),
    row('all findings of all phases', checkAgain),
    '',
    `All findings need the whole topology, so the second row is the compiler without its artifacts; by itself, on a text`,
    `that it sees for the first time, that takes ${ms(spreadOf(analysis).median)}.`,
    '',
    '| from an edit to | median | p95 | edits |',
    '|---|---|---|---|',
    times('the findings of the syntax', edit),
    times('completions, asked for in the same moment', completion),
    times('all findings, the pause of the typing included', settled),
    '',
    `Node ${process.versions.node} on a machine that other work shares; the load of it was ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors. The server waits for a pause`,
    'of 150 ms in the typing, or as long as the compiler took last time (at most a second), before it compiles.',
    '',
  ].join('\n');
}

function quantile(list: readonly number[], share: number): number {
  const sorted = [...list].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}

function percent(ratio: number): string {
  return `${(ratio * 100).toPrecision(2)} %`;
}
