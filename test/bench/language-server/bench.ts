import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Range } from 'vscode-languageserver';
import { compile } from '../../../src/compile.js';
import { SegmentedText } from '../../../src/language-server/document/segmented-text.js';
import { Workspace } from '../../../src/language-server/workspace/workspace.js';
import { effortForCostlyInput } from '../effort.js';
import { generateTopology } from '../generate.js';
import { compareSides, freshText, type Side } from '../measure.js';
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
const effort = effortForCostlyInput(edges, values.quick);
const uri = 'file:///bench/large.gg';

const fullCompile: Side<string> = { fresh: () => freshText(text), run: (source) => compile(source) };

/** One character behind a quote goes in and out again, at another place each time; the text is kept parsed. */
function keptParsed(): Side<Place> {
  const parsed = new SegmentedText('large.gg', freshText(text));
  return {
    fresh: nextPlace,
    run: ({ offset }) => {
      parsed.edit({ start: offset, end: offset, text: 'x' });
      const findings = parsed.diagnostics();
      parsed.edit({ start: offset, end: offset + 1, text: '' });
      return findings;
    },
    units: 2,
  };
}

/** The same through the workspace of the language server, up to all findings of all phases. */
function checkedWhole(): Side<Place> {
  const workspace = new Workspace(new URL('file:///'));
  workspace.open(uri, 1, freshText(text));
  let version = 1;
  const edit = (range: Range, inserted: string) => {
    version += 1;
    const changed = workspace.change(uri, version, [{ range, text: inserted }]);
    if (changed === undefined) throw new Error('invariant: the file is open');
    workspace.findings.edited(changed.file, changed.edits);
    workspace.findings.compile(changed.file);
    return workspace.findings.of(changed.file);
  };
  return {
    fresh: nextPlace,
    run: ({ line, character }) => {
      const start = { line, character };
      edit({ start, end: start }, 'x');
      return edit({ start, end: { line, character: character + 1 } }, '');
    },
    units: 2,
  };
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

const editRatio = compareSides(keptParsed(), fullCompile, effort);
console.error('edits kept parsed: done');
const wholeRatio = compareSides(checkedWhole(), fullCompile, effort);
console.error('edits checked whole: done');

const node = [process.execPath, values.program];
const processor = values['server-processor'];
const latencies = await typeInEditor(
  processor === undefined ? node : ['taskset', '--cpu-list', processor, ...node],
  text,
  { rounds: values.quick ? 5 : 15 },
);
const report = render(latencies);
console.log(report);
if (!values.quick && values.report !== '') writeFileSync(values.report, report);

function render({ edit, completion, settled }: Latencies): string {
  const row = (title: string, { ours, baseline, ratio }: typeof editRatio, limit: number, target: string) =>
    `| ${title} | ${ms(ours / 1e6)} | ${ms(baseline / 1e6)} | ${percent(ratio.median)} (${percent(ratio.min)}–${percent(ratio.max)}) | ${target} | ${ratio.median <= limit ? 'met' : 'not met'} |`;
  const times = (title: string, list: readonly number[]) =>
    `| ${title} | ${ms(quantile(list, 0.5))} | ${ms(quantile(list, 0.95))} | ${list.length} |`;
  return [
    '# The language server',
    '',
    `\`npm run bench:lsp\`: one character is typed in a file of ${edges.toLocaleString('en')} edges (${(text.length / 1e6).toFixed(1)} MB), at another`,
    'place each time. The first table compares it with a full `compile()` of the same text, side by side in one process:',
    'processor time, medians of all rounds, in brackets the spread of the ratio. The second is what an editor sees: a',
    'client of the protocol at the other end of a pipe, with the server in a process of its own.',
    '',
    '| one edit | gg-svc | `compile()` | ratio | target | |',
    '|---|---|---|---|---|---|',
    row('the text is parsed again, with its findings', editRatio, 1 / 3, '≤ 1/3'),
    row('all findings of all phases', wholeRatio, 1 / 3, '≤ 1/3'),
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
