import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: '' },
    report: { type: 'string', default: '' },
    'server-processor': { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});

const subscribers = 1000;
const rounds = values.quick ? 2 : 5;
const events = values.quick ? 10 : 20;

/** What a round of one contender came to. */
interface Round {
  /** Milliseconds from publishing an event until every subscriber has it; the median of its events. */
  readonly time: number;
  /** Milliseconds of the processor that the server spent on an event. */
  readonly processor: number;
  /** Bytes of the server for a subscriber who waits for events. */
  readonly memory: number;
}

const figures = new Map<string, Round[]>([
  ['gg-svc', []],
  ['bare Yoga', []],
]);
for (let round = 0; round < rounds; round++) {
  for (const [name, list] of figures) list.push(await measure(name));
  console.error(`round ${round + 1} of ${rounds}`);
}
const text = report();
console.log(text);
if (!values.quick) writeFileSync(values.report, text);

async function measure(name: string): Promise<Round> {
  const server = start(name);
  const { port } = await server.said<{ port: number }>();
  const sockets: Socket[] = [];
  let heard = 0;
  let onAll: () => void = () => undefined;
  const open = async (): Promise<void> => {
    const socket = await subscribe(port, () => {
      if (++heard === subscribers) onAll();
    });
    sockets.push(socket);
  };
  const everybody = (): Promise<void> =>
    new Promise((resolve) => {
      heard = 0;
      onAll = resolve;
      server.tell('publish');
    });

  // The first subscriber makes the server load what it needs, which is not what a subscriber costs.
  await open();
  server.tell('memory');
  const empty = await server.said<{ memory: number }>();
  for (let at = 1; at < subscribers; at += 50) {
    await Promise.all(Array.from({ length: Math.min(50, subscribers - at) }, open));
  }
  server.tell('memory');
  const idle = await server.said<{ memory: number }>();

  for (let at = 0; at < events; at++) await everybody();
  server.tell('processor');
  const before = await server.said<{ processor: number }>();
  const times: number[] = [];
  for (let at = 0; at < events; at++) {
    const begin = performance.now();
    await everybody();
    times.push(performance.now() - begin);
  }
  server.tell('processor');
  const after = await server.said<{ processor: number }>();
  for (const socket of sockets) socket.destroy();
  server.process.kill();
  return {
    time: median(times),
    processor: (after.processor - before.processor) / events,
    memory: (idle.memory - empty.memory) / (subscribers - 1),
  };
}

/** Subscribes over a bare connection, and counts events by the byte that begins their data. */
function subscribe(port: number, onEvent: () => void): Promise<Socket> {
  const query = 'subscription { userSaved { id name email age active } }';
  const body = JSON.stringify({ query });
  const head = 'Accept: text/event-stream\r\nContent-Type: application/json\r\n';
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`POST /graphql HTTP/1.1\r\nHost: a\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    });
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      resolve(socket);
      if (chunk.includes('"userSaved"')) onEvent();
    });
  });
}

function start(name: string) {
  const node = [process.execPath, '--expose-gc', values.server, name];
  const processor = values['server-processor'];
  const [program = '', ...args] = processor === undefined ? node : ['taskset', '--cpu-list', processor, ...node];
  const child: ChildProcess = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]();
  return {
    process: child,
    tell: (word: string) => void child.stdin?.write(`${word}\n`),
    async said<T>(): Promise<T> {
      const { value } = await lines.next();
      return JSON.parse(value as string) as T;
    },
  };
}

function report(): string {
  const of = (name: string, key: keyof Round) => median((figures.get(name) ?? []).map((round) => round[key]));
  const row = (title: string, key: keyof Round, unit: string, target?: number): string => {
    const [ours, theirs] = [of('gg-svc', key), of('bare Yoga', key)];
    const ratio = theirs / ours;
    const spread = (figures.get('gg-svc') ?? []).map((round) => round[key]);
    const range = `${Math.min(...spread).toFixed(1)}–${Math.max(...spread).toFixed(1)}`;
    const judgement = target === undefined ? ' | ' : `≥ ${target}× | ${ratio >= target ? 'met' : '**not met**'}`;
    return `| ${title} | ${ours.toFixed(1)} ${unit} (${range}) | ${theirs.toFixed(1)} ${unit} | ${ratio.toFixed(2)}× | ${judgement} |`;
  };
  return `# Fan-out of events

\`npm run bench:fan-out\` writes this page: one event to ${subscribers} subscribers over SSE who all ask for the same. ${
    values['server-processor'] === undefined
      ? 'Server and client share the processors.'
      : 'The server has a processor to itself, the client another.'
  }
Medians of ${rounds} rounds of ${events} events; in brackets, the spread of ours. Node ${process.versions.node}. As in
the other benchmarks of serving, processor time is judged; the time on the clock contains the work of the client.

| | gg-svc | bare Yoga | ratio | target | |
|---|---|---|---|---|---|
${row('processor time of the server for an event', 'processor', 'ms', 5)}
${row('time until every subscriber has an event', 'time', 'ms')}
${row('memory of an idle subscriber', 'memory', 'bytes', 1)}
`;
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
