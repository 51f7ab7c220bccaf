import { verify } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { lookUp } from '../../../src/federation/lookup.js';
import { answerFrom } from '../../../src/federation/node/bundle-source.js';
import { sha256 } from '../../../src/federation/node/node-crypto.js';
import { verifyBundle } from '../../../src/federation/verify-bundle.js';
import { finish } from '../../federation/finish.js';
import { makeInputs } from './inputs.js';

const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const quick = process.argv.includes('--quick');
const root = option('root') ?? '.';

const records = 10_000;
const rounds = quick ? 3 : 9;
const lookups = 20_000;
const { bytes, trust, now, signatures, ways } = makeInputs(records);

/**
 * Milliseconds of processor time that something takes, those of the garbage collector's threads among them. Both sides
 * only compute, so this is what they cost on a machine that has nothing else to do, and on a busy one as well.
 */
async function time(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Runs two sides in turns; the ratio is taken within each round, so that a slow moment hits both. */
async function compare(ours: () => unknown, baseline: () => unknown) {
  await time(ours);
  await time(baseline);
  const found: { ours: number; baseline: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    // Whoever goes second finds a warmer machine, so they take turns at that too.
    if (round % 2 === 0) found.push({ ours: await time(ours), baseline: await time(baseline) });
    else found.push({ baseline: await time(baseline), ours: await time(ours) });
  }
  const ratios = found.map((one) => one.ours / one.baseline);
  return {
    ours: median(found.map((one) => one.ours)),
    baseline: median(found.map((one) => one.baseline)),
    ratio: median(ratios),
    least: Math.min(...ratios),
    most: Math.max(...ratios),
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}

const environment = { name: 'bundle', trust, now, sha256, history: undefined };
const loading = await compare(
  () => {
    const found = finish(verifyBundle(bytes, environment));
    if (!found.ok) throw new Error(found.problem.message);
  },
  () => {
    for (const { message, key, signature } of signatures) {
      if (!verify(null, message, key, signature)) throw new Error('a signature does not verify');
    }
  },
);

const found = finish(verifyBundle(bytes, environment));
if (!found.ok) throw new Error(found.problem.message);
const source = answerFrom(() => found);
const layer = { now: () => now, sha256 };
const answers = new Map<string, unknown>();
for (const [from, to] of ways) {
  answers.set(`${from} ${to}`, structuredClone(await lookUp(source, from, to, layer)));
}
let characters = 0;
const looking = await compare(
  async () => {
    for (let at = 0; at < lookups; at++) {
      const [from, to] = ways[at % ways.length] as readonly [string, string];
      characters += JSON.stringify(await lookUp(source, from, to, layer)).length;
    }
  },
  async () => {
    for (let at = 0; at < lookups; at++) {
      const [from, to] = ways[at % ways.length] as readonly [string, string];
      // The read is awaited as well: whoever answers a request has to be asynchronous.
      characters += JSON.stringify(await answers.get(`${from} ${to}`)).length;
    }
  },
);
if (characters === 0) throw new Error('nothing was looked up');

const row = (
  what: string,
  { ours, baseline, ratio, least, most }: typeof loading,
  unit: (milliseconds: number) => string,
  target: number,
): string =>
  `| ${what} | ${unit(ours)} | ${unit(baseline)} | ${ratio.toFixed(2)}× (${least.toFixed(2)}–${most.toFixed(2)}) | ${target}× | ${ratio <= target ? 'yes' : 'no'} |`;
const report = `# Federation: the cost of verifying

\`npm run bench:federation\` writes this page. Two sides run in turns in one process, ${rounds} rounds after one that
does not count; the ratio is taken within each round. Shown are the medians, and the extremes of the ratio. The times are
those of the processor, all threads together.

| what | gg-svc | baseline | ratio | target | held |
|---|---|---|---|---|---|
${row(`load ${records.toLocaleString('en')} records`, loading, (ms) => `${ms.toFixed(0)} ms`, 1.25)}
${row('one lookup, as JSON', looking, (ms) => `${((ms / lookups) * 1000).toFixed(1)} µs`, 2)}

- **Load**: a bundle of ${records / 2} chains and ${records / 2} routes (${(bytes.length / 1e6).toFixed(1)} MB) from its bytes to records that can be answered:
  UTF-8, strict JSON, shape, canonical form, order, Merkle root, every digest, every signature, revocations, times.
  The baseline is \`crypto.verify\` over the same ${signatures.length.toLocaleString('en')} payloads, which were made beforehand, and nothing else.
- **Lookup**: route, destination, witness of every hop, expiry, path proof, then \`JSON.stringify\`. The baseline reads
  the finished answer from a \`Map\`, awaits it, and stringifies it.

Node ${process.versions.node}, OpenSSL ${process.versions.openssl}, ${cpus()[0]?.model ?? 'unknown processor'}.
`;
const path = join(root, 'test/bench/REPORT-FEDERATION.md');
if (process.argv.includes('--no-report')) process.stdout.write(report);
else {
  writeFileSync(path, report);
  process.stdout.write(readFileSync(path, 'utf8'));
}
