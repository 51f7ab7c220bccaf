import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { appendTo } from '../../../src/compiler/graph/maps.js';
import { type Load, load } from './load.js';
import { type Figures, type Measured, writeReport } from './report.js';
import {
  answerTo,
  type ContenderName,
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
// Many short rounds: the report judges the fastest of them, and a machine is seldom quiet for long.
const roundsOfProcess = 40;
// Two processes of one program differ by some per cent as long as they live: the places of code and data differ.
const processesOfServer = values.quick ? 1 : 5;
// Enough that each round has its share of garbage collections.
const requests = values.quick ? 600 : 1_500;
// The compiler of V8 is done with a server after some ten thousand requests.
const firstRequests = values.quick ? 3_000 : 24_000;

/** A server that runs, in a process of its own. */
interface Running {
  readonly port: number;
  readonly process: ChildProcess;
  /** The lines that it writes. */
  readonly lines: AsyncIterator<string>;
}

const running = new Map<string, Running | string>();
const figures = new Map<string, Measured[][]>();

const rows = values.many ? rowsOfManyObjects : servingRows;
const asked = [selfRow, ...rows]
  .filter((row) => !values.rest || row.baseline.request.toLowerCase().endsWith('rest'))
  .filter((row) => row === selfRow || values.only === undefined || row.title.includes(values.only))
  .flatMap((row) => [...row.ours, row.baseline]);
const sides = new Map(asked.map((side) => [nameOf(side), side]));

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
  rounds: roundsOfProcess,
  processes: processesOfServer,
  connections,
  peers: Object.fromEntries(peers),
});
console.log(report);
if (!values.quick && !values.rest && values.only === undefined)
  writeFileSync(`${values.root}/test/bench/REPORT-HTTP${values.many ? '-MANY' : ''}.md`, report);

async function measureWithNewServers(): Promise<void> {
  running.clear();
  try {
    for (const [name, side] of sides) running.set(name, await start(side));
    for (const side of sides.values()) await measure(side, firstRequests);
    const measured = new Map<string, Measured[]>();
    for (let round = 0; round < roundsOfProcess; round++) {
      for (const side of shuffled([...sides.values()])) {
        const figure = await measure(side, requests);
        if (figure !== undefined) appendTo(measured, nameOf(side), figure);
      }
    }
    for (const [name, all] of measured) appendTo(figures, name, all);
  } finally {
    for (const server of running.values()) if (typeof server !== 'string') server.process.kill();
  }
}

/**
 * Each has a process of its own: what one kind of request leaves in a server, such as parsed documents, would change the
 * time of the others.
 */
function nameOf({ contender, variant, request }: Side): string {
  return [contender, variant, request].filter((part) => part !== undefined).join(' ');
}

function figuresOf(side: Side): Figures {
  const server = running.get(nameOf(side));
  if (typeof server === 'string') return { missing: server };
  return figures.get(nameOf(side)) ?? { missing: 'It was left out.' };
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

async function measure(side: Side, most: number): Promise<Measured | undefined> {
  const server = running.get(nameOf(side));
  if (server === undefined || typeof server === 'string') return undefined;
  const count = Math.ceil(most / weightOf(side.request));
  // The servers share a processor, and the one before may still have work to finish.
  await pause(50);
  await check(side.contender, side, server.port);
  const before = await processorTime(server);
  const loaded: Load = await load(server.port, requestOf(side.request, side.contender), connections, count);
  return { ...loaded, microseconds: ((await processorTime(server)) - before) / count };
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
