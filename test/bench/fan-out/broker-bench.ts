import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { brokerCases } from '../../runtime/brokers/broker-servers.js';

const { values } = parseArgs({
  options: {
    program: { type: 'string', default: '' },
    report: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
  },
});
const rounds = values.quick ? 1 : 3;
const many = { events: values.quick ? 1_000 : 3_000, parallel: 50 };
const single = { events: values.quick ? 100 : 300, parallel: 1 };
/** In each process. */
const subscribers = 10;

/** A row: events per second, and milliseconds of a mutation that is alone. */
interface Figures {
  readonly rate: number[];
  readonly wait: number[];
}

const figures = new Map<string, Figures>();
for (let round = 0; round < rounds; round++) {
  await measure('none', null, 1);
  for (const { name, start, url } of brokerCases) {
    const server = await start(true);
    await measure(name, { broker: name, url: url(server.port), timeout: 30_000 }, 2);
    await server.stop();
  }
}
const text = report();
console.log(text);
if (!values.quick) writeFileSync(values.report, text);

async function measure(name: string, config: object | null, processes: number): Promise<void> {
  const known = figures.get(name) ?? { rate: [], wait: [] };
  figures.set(name, known);
  known.rate.push((1000 * many.events) / (await run(config, processes, many)));
  known.wait.push((await run(config, processes, single)) / single.events);
}

/** Publishes on the first process. Returns the milliseconds until every subscriber of all processes has every event. */
async function run(config: object | null, processes: number, { events, parallel }: typeof many): Promise<number> {
  const warming = 1_000;
  const total = events + warming;
  const started = Array.from({ length: processes }, () => start(config, total, parallel));
  for (const { said } of started) await said('ready');
  const [publisher] = started;
  publisher?.tell(warming);
  await publisher?.said('published');
  const begin = performance.now();
  publisher?.tell(events);
  await publisher?.said('published');
  for (const { said } of started) await said('received');
  const time = performance.now() - begin;
  for (const { stop } of started) stop();
  return time;
}

function start(config: object | null, total: number, parallel: number) {
  const args = [values.program, JSON.stringify(config), String(total), String(subscribers), String(parallel)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const said = new Map<string, () => void>();
  const heard = new Map<string, number>();
  createInterface(child.stdout).on('line', (line) => {
    heard.set(line, (heard.get(line) ?? 0) + 1);
    said.get(line)?.();
  });
  return {
    tell: (count: number) => void child.stdin.write(`${count}\n`),
    stop: () => void child.kill('SIGKILL'),
    /** Waits for a word, each of which answers once. */
    async said(word: string): Promise<void> {
      while ((heard.get(word) ?? 0) === 0) {
        await new Promise<void>((resolve, reject) => {
          said.set(word, resolve);
          child.once('exit', () => reject(new Error(`The process ended before it was ${word}.`)));
        });
      }
      heard.set(word, (heard.get(word) ?? 0) - 1);
    },
  };
}

function report(): string {
  const hub = median(figures.get('none')?.rate ?? []);
  const rows = [...figures].map(([name, { rate, wait }]) => {
    const title = name === 'none' ? 'no broker, one process' : `\`${name}\`, two processes`;
    const ratio = (median(rate) / hub).toFixed(2);
    return `| ${title} | ${Math.round(median(rate))} | ${ratio}× | ${median(wait).toFixed(2)} ms |`;
  });
  return `# Fan-out over two processes

\`npm run bench:brokers\` writes this page. One process runs mutations, ${many.parallel} at a time; each publishes an event that
waits for the acknowledgement of the broker. ${subscribers} subscribers in each process get all events, without HTTP. The clock
stops when the last of them has the last event. Medians of ${rounds} rounds of ${many.events} events. The processes and the broker
share two processors, and the disk of the machine decides about the brokers that keep events, so the ratios say more
than the numbers. Node ${process.versions.node}.

| | events per second | ratio | a mutation that is alone |
|---|---|---|---|
${rows.join('\n')}

Redis writes with \`appendfsync always\`, NATS and PostgreSQL with their defaults.
`;
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
