import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { appendTo } from '../../../src/compiler/graph/maps.js';
import { type Connections, type Load, load, openConnections } from './load.js';
import { type Figures, type Measured, type Turns, writeReport } from './report.js';
import {
  answerTo,
  type ContenderName,
  isOfManyObjects,
  requestOf,
  rowsOfManyObjects,
  type Side,
  selfRow,
  rows as servingRows,
  weightOf,
} from './rows.js';

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '.' },
    quick: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
    many: { type: 'boolean', default: false },
    only: { type: 'string' },
    traced: { type: 'string', default: '' },
    untraced: { type: 'string', default: '' },
    'server-processor': { type: 'string' },
  },
});

const connections = 32;
// Two sides are compared in many short turns that alternate, so that other work on the machine slows both.
const turnsOfProcess = values.quick ? 10 : 24;
// These come first and do not count: a server that has rested is slower at first.
const firstTurns = 4;
// Two processes of one program differ by some per cent as long as they live: the places of code and data differ.
const processesOfServer = values.quick ? 1 : 5;
// Enough that each turn has its share of garbage collections.
const requests = values.quick ? 600 : 1_000;
// The compiler of V8 is done with a server after some ten thousand requests.
const firstRequests = values.quick ? 3_000 : 24_000;

/** A server that runs, in a process of its own. */
interface Running {
  readonly port: number;
  readonly process: ChildProcess;
  /** The lines that it writes. */
  readonly lines: AsyncIterator<string>;
}

const figures = new Map<string, Turns[]>();
/** Why a pair has no figures: a server did not start. */
const missing = new Map<string, string>();

const rows = values.many ? rowsOfManyObjects : servingRows;
const pairs = [selfRow, ...rows]
  .filter((row) => !values.rest || row.baseline.request.toLowerCase().endsWith('rest'))
  .filter((row) => row === selfRow || values.only === undefined || row.title.includes(values.only))
  .flatMap(({ ours, baseline }) => ours.map((side) => ({ ours: side, baseline })));

for (let round = 1; round <= processesOfServer; round++) {
  await measureWithNewServers();
  console.error(`process ${round} of ${processesOfServer}`);
}

const { devDependencies } = JSON.parse(readFileSync(`${values.root}/package.json`, 'utf8')) as {
  devDependencies: Record<string, string>;
};
const peers = ['fastify', 'graphql-yoga', '@apollo/server', 'mercurius', 'sofa-api'].map((name) => [
  name,
  devDependencies[name] ?? '',
]);
const report = writeReport(rows, figuresOf, {
  nodeVersion: process.versions.node,
  isPinned: values['server-processor'] !== undefined,
  turns: turnsOfProcess,
  processes: processesOfServer,
  connections,
  peers: Object.fromEntries(peers),
});
console.log(report);
if (!values.quick && !values.rest && values.only === undefined)
  writeFileSync(`${values.root}/test/bench/REPORT-HTTP${values.many ? '-MANY' : ''}.md`, report);

/** Each pair has processes of its own, which answer as many requests on both sides: V8 goes on optimizing for long. */
async function measureWithNewServers(): Promise<void> {
  for (const { ours, baseline } of shuffled(pairs)) {
    const name = pairName(ours, baseline);
    const [our, other] = [await start(ours), await start(baseline)];
    try {
      if (typeof our === 'string' || typeof other === 'string') {
        missing.set(name, typeof other === 'string' ? other : String(our));
        continue;
      }
      await warmUp(ours, our);
      await warmUp(baseline, other);
      appendTo(figures, name, await compare(ours, our, baseline, other));
    } finally {
      for (const server of [our, other]) if (typeof server !== 'string') server.process.kill();
    }
  }
}

function nameOf({ contender, variant, request }: Side): string {
  return [contender, variant, request].filter((part) => part !== undefined).join(' ');
}

function pairName(ours: Side, baseline: Side): string {
  return `${nameOf(ours)} / ${nameOf(baseline)}`;
}

function figuresOf(ours: Side, baseline: Side): Figures {
  const name = pairName(ours, baseline);
  return figures.get(name) ?? { missing: missing.get(name) ?? 'It was left out.' };
}

/** Starts the process of a contender; a text says why it did not start. */
async function start({ contender, variant }: Side): Promise<Running | string> {
  const program = variant === 'untraced' ? values.untraced : values.traced;
  const processor = values['server-processor'];
  const command = [process.execPath, program, contender];
  const [file = '', ...args] =
    processor === undefined ? command : ['taskset', '--cpu-list', processor, ...command];
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString()}`.slice(0, 2_000);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done !== true) {
    const { port } = JSON.parse(first.value) as { port: number };
    return { port, process: child, lines };
  }
  const reason = /^\w*Error: .*$/m.exec(complaint)?.[0] ?? 'It did not start.';
  return reason.replaceAll('|', '/');
}

async function warmUp(side: Side, { port }: Running): Promise<void> {
  await check(side.contender, side, port);
  const count = isOfManyObjects(side) ? firstRequests / 15 : firstRequests;
  await load(port, requestOf(side.request, side.contender), connections, count);
}

/** Compares two servers in turns. */
async function compare(ours: Side, our: Running, baseline: Side, other: Running): Promise<Turns> {
  const opened = [
    await openConnections(our.port, connections),
    await openConnections(other.port, connections),
  ];
  const take = async (side: Side, server: Running, { load: send }: Connections): Promise<Measured> => {
    const count = Math.ceil(requests / weightOf(side));
    const before = await processorTime(server);
    const loaded: Load = await send(requestOf(side.request, side.contender), count);
    return { ...loaded, microseconds: ((await processorTime(server)) - before) / count };
  };
  try {
    const [open, otherOpen] = opened as [Connections, Connections];
    const turns: [Measured, Measured][] = [];
    for (let turn = -firstTurns; turn < turnsOfProcess; turn++) {
      const first = turn % 2 === 0 ? await take(ours, our, open) : undefined;
      const second = await take(baseline, other, otherOpen);
      const figure: [Measured, Measured] = [first ?? (await take(ours, our, open)), second];
      if (turn >= 0) turns.push(figure);
    }
    return turns;
  } finally {
    for (const { close } of opened) close();
  }
}

/** The processor time that a server has used, user and system, in microseconds. */
async function processorTime({ process, lines }: Running): Promise<number> {
  process.stdin?.write('\n');
  const { value } = await lines.next();
  return (JSON.parse(value as string) as { microseconds: number }).microseconds;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const rest = [...items];
  return items.map(() => rest.splice(Math.floor(Math.random() * rest.length), 1)[0] as Item);
}

/** A server that answers something else would make its ratio a lie. */
async function check(contender: ContenderName, { request }: Side, port: number): Promise<void> {
  const bytes = requestOf(request, contender);
  const text = (typeof bytes === 'function' ? bytes(0) : bytes).toString();
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [method = '', path = ''] = head.split(' ');
  const headers = head
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(': ', 2) as [string, string])
    .filter(([name]) => !/^(?:host|content-length)$/i.test(name));
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body === '' ? {} : { body }),
  });
  const answer = await response.text();
  if (answer.trim() !== JSON.stringify(answerTo(request)))
    throw new Error(`${contender} answers ${answer.slice(0, 200)}`);
}
