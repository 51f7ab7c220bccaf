import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { appendTo } from '../../../src/compiler/graph/maps.js';
import { type Connections, type Load, load, openConnections, type RequestSource } from './load.js';
import type { Figures, FiguresOf, Measured, Turns } from './report.js';
import type { AnySide, Row } from './rows.js';

/** How the servers of a benchmark are started, loaded and checked. */
export interface Comparison<S extends AnySide> {
  /** The program of a server, with its arguments. */
  readonly command: (side: S) => readonly string[];
  /** The processor of the server; undefined if it may use all. */
  readonly processor: string | undefined;
  readonly requestOf: (side: S) => RequestSource;
  /** Whether a server answers as it must. One that answers something else would make its ratio a lie. */
  readonly isRight: (side: S, answer: string) => boolean;
  readonly connections: number;
  /**
   * The turns of each pair of processes. Two sides are compared in many short turns that alternate, so that other work on
   * the machine slows both.
   */
  readonly turns: number;
  /**
   * The processes of each server. Two processes of one program differ by some per cent as long as they live: the places of
   * code and data differ.
   */
  readonly processes: number;
  /** No process is started of which the run would probably take longer, in milliseconds. */
  readonly most?: number;
  /**
   * The requests of one turn: enough that each turn has its share of garbage collections, and that the caches of the
   * processor hold the code and the data of the server for most of them.
   */
  readonly requests: (side: S) => number;
  /** The requests before the first turn: the compiler of V8 is done with a server after ten to twenty thousand. */
  readonly firstRequests: (side: S) => number;
}

// These come first and do not count: a server that has rested is slower at first.
const firstTurns = 4;

/** A server that runs, in a process of its own. */
interface Running {
  readonly port: number;
  readonly process: ChildProcess;
  /** The lines that it writes. */
  readonly lines: AsyncIterator<string>;
}

/**
 * Measures the pairs of sides of rows. Each pair has processes of its own, which answer as many requests on both sides: V8
 * goes on optimizing for long.
 */
export async function measureRows<S extends AnySide>(
  rows: readonly Row<S>[],
  comparison: Comparison<S>,
): Promise<FiguresOf> {
  const figures = new Map<string, Turns[]>();
  /** Why a pair has no figures: a server did not start. */
  const missing = new Map<string, string>();
  const pairs = rows.flatMap(({ ours, baseline }) => ours.map((side) => ({ ours: side, baseline })));
  const begin = performance.now();
  for (let round = 1; round <= comparison.processes; round++) {
    for (const { ours, baseline } of shuffled(pairs)) {
      const name = pairName(ours, baseline);
      const [our, other] = [await start(ours, comparison), await start(baseline, comparison)];
      try {
        if (typeof our === 'string' || typeof other === 'string') {
          missing.set(name, typeof other === 'string' ? other : String(our));
          continue;
        }
        await warmUp(ours, our, comparison);
        await warmUp(baseline, other, comparison);
        appendTo(figures, name, await compare(ours, our, baseline, other, comparison));
      } finally {
        for (const server of [our, other]) if (typeof server !== 'string') server.process.kill();
      }
    }
    console.error(`process ${round} of ${comparison.processes}`);
    const elapsed = performance.now() - begin;
    if ((elapsed / round) * (round + 1) > (comparison.most ?? Number.POSITIVE_INFINITY)) break;
  }
  return (ours, baseline): Figures => {
    const name = pairName(ours, baseline);
    return figures.get(name) ?? { missing: missing.get(name) ?? 'It was left out.' };
  };
}

function pairName(...sides: readonly [ours: AnySide, baseline: AnySide]): string {
  return sides
    .map(({ contender, variant, request }) =>
      [contender, variant, request].filter((part) => part !== undefined).join(' '),
    )
    .join(' / ');
}

/** Starts the process of a contender; a text says why it did not start. */
async function start<S extends AnySide>(side: S, { command, processor }: Comparison<S>): Promise<Running | string> {
  const node = [process.execPath, ...command(side)];
  const [file = '', ...args] = processor === undefined ? node : ['taskset', '--cpu-list', processor, ...node];
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

async function warmUp<S extends AnySide>(side: S, { port }: Running, comparison: Comparison<S>): Promise<void> {
  await check(side, port, comparison);
  await load(port, comparison.requestOf(side), comparison.connections, comparison.firstRequests(side));
}

/** Compares two servers in turns. */
async function compare<S extends AnySide>(
  ours: S,
  our: Running,
  baseline: S,
  other: Running,
  { connections, requests, requestOf, turns: count }: Comparison<S>,
): Promise<Turns> {
  const opened = [await openConnections(our.port, connections), await openConnections(other.port, connections)];
  const take = async (side: S, server: Running, { load: send }: Connections): Promise<Measured> => {
    const before = await processorTime(server);
    const loaded: Load = await send(requestOf(side), requests(side));
    return { ...loaded, microseconds: ((await processorTime(server)) - before) / requests(side) };
  };
  try {
    const [open, otherOpen] = opened as [Connections, Connections];
    const turns: [Measured, Measured][] = [];
    for (let turn = -firstTurns; turn < count; turn++) {
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

async function check<S extends AnySide>(side: S, port: number, { requestOf, isRight }: Comparison<S>): Promise<void> {
  const bytes = requestOf(side);
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
  if (!isRight(side, answer)) throw new Error(`${side.contender} answers ${answer.slice(0, 200)}`);
}
