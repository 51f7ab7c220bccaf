import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { answerLength, load } from '../http/load.js';

const { values } = parseArgs({
  options: {
    program: { type: 'string', default: '' },
    folder: { type: 'string', default: '' },
    report: { type: 'string', default: '' },
    'server-processor': { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});

const connections = 16;
/** Processes of the same program differ by some percent, so the servers are started anew several times. */
const generations = values.quick ? 1 : 5;
/** How often each server of a generation is compared with the first one. */
const pairs = values.quick ? 5 : 8;
/**
 * The requests of a window. It lasts a second, the longest interval between messages to the page. Those of a pair follow
 * each other, so that both meet the same state of the machine.
 */
const sizes = {
  '1,000 requests a second': values.quick ? 200 : 1_000,
  'full speed': values.quick ? 1_000 : 70_000,
} as const;
const firstRequests = values.quick ? 3_000 : 20_000;

const topology =
  '(root)-[:PROCESS { id: ID! }]->(read_user { id: ID!, name: String!, email: String!, age: Int! })\n(root)-[:PROCESS]->(processor: Record { microseconds: Float! })\n';
const resolvers = `
const user = { id: '1', name: 'Ada Lovelace', email: 'ada@example.com', age: 36 };
export default {
  Query: {
    readUser: (_parent, { id }) => ({ ...user, id }),
    processor: () => {
      const { user, system } = process.cpuUsage();
      return { microseconds: user + system };
    },
  },
};
`;

/** The servers: the first is what the others are compared with. */
const contenders = [
  { name: '--no-studio', args: ['--no-studio'], hasPage: false },
  { name: '--no-studio again', args: ['--no-studio'], hasPage: false },
  { name: 'studio closed', args: [], hasPage: false },
  { name: 'page open', args: [], hasPage: true },
] as const;

/** What a request costs. */
interface Cost {
  /** Microseconds of the processor of the server. */
  readonly processor: number;
  /** In milliseconds. */
  readonly p99: number;
}

const request = Buffer.from('GET /api/readUser?id=1 HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n');
const loads = {
  '1,000 requests a second': loadPaced,
  'full speed': async (port: number, requests: number) => (await load(port, request, connections, requests)).p99,
} as const;
type LoadName = keyof typeof loads;

writeFileSync(join(values.folder, 'bench.gg'), topology);
writeFileSync(join(values.folder, 'bench.resolvers.mjs'), resolvers);
const figures = new Map<string, Cost[]>();
const ratios = new Map<string, number[]>();
for (let generation = 1; generation <= generations; generation++) {
  await compareServers();
  console.error(`generation ${generation} of ${generations}`);
}
const text = report();
console.log(text);
if (!values.quick) writeFileSync(values.report, text);

/** Starts all servers, and compares each with the first one, pair by pair. */
async function compareServers(): Promise<void> {
  const running = await Promise.all(contenders.map(start));
  const [base, ...others] = running as readonly Server[] as readonly [Server, ...Server[]];
  try {
    for (const { port } of running) {
      await load(port, request, connections, firstRequests);
      await loadPaced(port, sizes['1,000 requests a second']);
    }
    for (let pair = 0; pair < pairs; pair++) {
      for (const name of Object.keys(loads) as LoadName[]) {
        for (const other of shuffled(others)) {
          const cost = new Map<Server, number>();
          for (const server of shuffled([base, other])) cost.set(server, await measure(name, server));
          const ratio = (cost.get(other) ?? Number.NaN) / (cost.get(base) ?? Number.NaN);
          add(ratios, `${name} ${other.name}`, ratio);
        }
      }
    }
  } finally {
    for (const { child, page } of running) {
      page?.destroy();
      child.kill();
    }
  }
}

interface Server {
  readonly name: string;
  readonly port: number;
  readonly child: ChildProcess;
  readonly page: Socket | undefined;
}

async function start({ name, args, hasPage }: (typeof contenders)[number]): Promise<Server> {
  const command = [process.execPath, values.program, 'dev', 'bench.gg', '--port', '0', ...args];
  const processor = values['server-processor'];
  const [file = '', ...rest] = processor === undefined ? command : ['taskset', '--cpu-list', processor, ...command];
  // The studio is off in production.
  const env = { ...process.env, NODE_ENV: 'development' };
  const child = spawn(file, rest, { cwd: values.folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /http:\/\/127\.0\.0\.1:(\d+)\/graphql/.exec(line);
    if (found === null) continue;
    child.stdout.resume();
    const port = Number(found[1]);
    return { name, port, child, page: hasPage ? await openPage(port) : undefined };
  }
  throw new Error(`${name} did not start.`);
}

/** Opens the messages of the studio, as its page does, and reads them. */
function openPage(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET /_gg/api/messages HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: text/event-stream\r\n\r\n`);
    });
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      if (chunk.includes('HTTP/1.1 200')) resolve(socket);
    });
  });
}

/**
 * Measures one window of a load that has run for a fifth of a second before: the first calls after a pause are all
 * recorded. Returns the microseconds of the processor for a request.
 */
async function measure(name: LoadName, server: Server): Promise<number> {
  await loads[name](server.port, sizes[name] / 5);
  const before = await processorOf(server);
  const p99 = await loads[name](server.port, sizes[name]);
  const processor = ((await processorOf(server)) - before) / sizes[name];
  add(figures, `${name} ${server.name}`, { processor, p99 });
  return processor;
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

async function processorOf({ port }: Server): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/processor`);
  return ((await response.json()) as { microseconds: number }).microseconds;
}

/** Sends a request each millisecond, whether the ones before were answered or not. Returns the 99th percentile. */
async function loadPaced(port: number, requests: number): Promise<number> {
  const latencies: number[] = [];
  const clients = await Promise.all(Array.from({ length: connections }, () => connectTo(port, latencies)));
  const begin = performance.now();
  for (let sent = 0; sent < requests; ) {
    const due = Math.min(requests, Math.floor(performance.now() - begin));
    for (; sent < due; sent++) clients[sent % connections]?.send();
    await pause(1);
  }
  while (latencies.length < requests) await pause(5);
  for (const { socket } of clients) socket.destroy();
  latencies.sort((one, other) => one - other);
  return latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
}

function connectTo(port: number, latencies: number[]): Promise<{ socket: Socket; send(): void }> {
  return new Promise((resolve, reject) => {
    const sent: number[] = [];
    let rest: Buffer = Buffer.alloc(0);
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () =>
      resolve({
        socket,
        send: () => {
          sent.push(performance.now());
          socket.write(request);
        },
      }),
    );
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (let length = answerLength(rest); length !== undefined; length = answerLength(rest)) {
        if (rest.toString('latin1', 9, 12) !== '200') throw new Error(`An answer was ${rest.toString('latin1')}`);
        rest = rest.subarray(length);
        latencies.push(performance.now() - (sent.shift() ?? Number.NaN));
      }
    });
  });
}

function report(): string {
  const rows = (Object.keys(loads) as LoadName[]).flatMap((name) =>
    contenders.map((contender) => row(name, contender.name)),
  );
  const pinned =
    values['server-processor'] === undefined
      ? 'Servers and client share the processors.'
      : 'The servers have a processor, the client another.';
  return `# The cost of the studio

\`npm run build && npm run bench:studio\` writes this page: \`GET /api/readUser?id=1\` with a resolver, through \`gg-svc dev\`. With
a page open, the server counts every call, and sends some of them to the page with their spans. ${pinned}

The servers are started ${generations} times. Each time, each of them is compared with \`--no-studio\` in ${pairs} pairs of windows that follow
each other in random order, with ${sizes['1,000 requests a second']} requests at 1,000 a second and ${sizes['full speed']} at full speed, each
after a fifth as many that are not measured. A ratio is that of the processor time for a request in a pair; the table has
the median of all pairs. The ratio of \`--no-studio again\`, which is the same program, is the noise. Node ${process.versions.node}.

| load | server | processor time for a request | ratio (quartiles) | p99 | target | |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

function row(name: LoadName, contender: string): string {
  const costs = figures.get(`${name} ${contender}`) ?? [];
  const own = ratios.get(`${name} ${contender}`);
  const ratio = own === undefined ? undefined : quantile(own, 0.5);
  const target = { 'studio closed': 1.03, 'page open': 1.1 }[contender];
  const spread = own && `${quantile(own, 0.25).toFixed(2)}–${quantile(own, 0.75).toFixed(2)}`;
  const judged =
    target === undefined || ratio === undefined ? ' | ' : `≤ ${target} | ${ratio <= target ? 'met' : '**not met**'}`;
  const microseconds = quantile(
    costs.map(({ processor }) => processor),
    0.5,
  ).toFixed(1);
  const p99 = quantile(
    costs.map((cost) => cost.p99),
    0.5,
  ).toFixed(2);
  return `| ${name} | ${contender} | ${microseconds} µs | ${ratio === undefined ? '' : `${ratio.toFixed(2)} (${spread})`} | ${p99} ms | ${judged} |`;
}

function quantile(list: readonly number[], share: number): number {
  const sorted = [...list].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item);
}
