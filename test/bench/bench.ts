import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAnalysis } from './groups/analysis.js';
import { measureCommand } from './groups/command.js';
import { measureCompile } from './groups/compile.js';
import { measureEmission } from './groups/emission.js';
import { measureGrowth } from './groups/growth.js';
import { measureImport } from './groups/import.js';
import { measureHeap, measureMemory } from './groups/memory.js';
import { measureParsing } from './groups/parsing.js';
import { measureTypeSpec } from './groups/typespec.js';
import type { Group, Measurement } from './measurement.js';
import { describeMeasurement, isMet, isVoid, writeReport } from './report.js';
import { control, type GroupName, type Row, rows } from './targets.js';

const groups: Readonly<Record<GroupName, Group>> = {
  parsing: measureParsing,
  analysis: measureAnalysis,
  growth: measureGrowth,
  memory: measureMemory,
  emission: measureEmission,
  compile: measureCompile,
  import: measureImport,
  command: measureCommand,
  typespec: measureTypeSpec,
};

/** Lines with this mark carry a measurement from the process of a group to the one that started it. */
const mark = '\u0000measurement ';

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: process.cwd() },
    scratch: { type: 'string', default: process.cwd() },
    processors: { type: 'string', default: String(availableParallelism()) },
    pinned: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    group: { type: 'string' },
    heap: { type: 'string' },
  },
});

const wanted = values.only === '' ? rows.map(({ id }) => id as string) : values.only.split(',');
for (const id of wanted) {
  if (!rows.some((row) => row.id === id)) {
    console.error(`There is no row “${id}”. The rows are: ${rows.map((row) => row.id).join(', ')}.`);
    process.exit(2);
  }
}

if (values.heap !== undefined) console.log(measureHeap(Number(values.heap)));
else if (values.group !== undefined) await runGroup(values.group as GroupName);
else runAll();

async function runGroup(name: GroupName): Promise<void> {
  await groups[name]({
    root: values.root,
    scratch: values.scratch,
    isQuick: values.quick,
    wants: (row) => wanted.includes(row),
    report: (measurement) => console.log(`${mark}${JSON.stringify(measurement)}`),
  });
}

function runAll(): void {
  const names = [...new Set(rows.filter(({ id }) => wanted.includes(id)).map(({ group }) => group))];
  const measurements = names.flatMap(startGroup);
  for (const measurement of measurements) console.log(describeMeasurement(measurement));
  const judged = measurements.filter(({ judged, row }) => judged && row !== control.id);
  const met = judged.filter((one) => isMet(rows.find(({ id }) => id === one.row) as Row, one));
  console.log(`\n${met.length} of ${judged.length} judged figures meet their target.`);
  if (isVoid(measurements)) console.log('This run is void: the compiler against itself is outside its limits.');
  if ((values.quick && !values.report) || values.only !== '') return;
  const conditions = {
    nodeVersion: process.versions.node,
    processors: Number(values.processors),
    isPinned: values.pinned,
    peers: { 'graphql-js': versionOf('graphql'), TypeSpec: versionOf('@typespec/compiler') },
  };
  writeFileSync(join(values.root, 'test/bench/REPORT.md'), writeReport(measurements, conditions));
  console.log('The report is in test/bench/REPORT.md.');
}

function versionOf(packageName: string): string {
  const manifest = readFileSync(join(values.root, 'node_modules', packageName, 'package.json'), 'utf8');
  return JSON.parse(manifest).version;
}

/** Runs a group in a process of its own: what one group teaches the engine must not help another. */
function startGroup(name: GroupName): Measurement[] {
  // On one processor, threads that collect garbage beside the main one would only take it from each other.
  const args = [
    '--expose-gc',
    '--single-threaded-gc',
    process.argv[1] as string,
    ...process.argv.slice(2),
    `--group=${name}`,
  ];
  console.log(`measuring: ${name}`);
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`the group ${name} ended with ${status}`);
  const lines = stdout.split('\n').filter((line) => line.startsWith(mark));
  return lines.map((line) => JSON.parse(line.slice(mark.length)));
}
