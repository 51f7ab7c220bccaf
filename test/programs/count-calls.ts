// Prints how often each function runs while topologies of two sizes are compiled: `node count-calls.mjs 300 3000`.
import { Session } from 'node:inspector/promises';
import { compile } from '../../src/compiler/compile.js';
import { generateTopology } from '../bench/generate.js';

/** The bundle and its chunks lie here; packages do not. */
const folder = new URL('.', import.meta.url).href;
const sizes = process.argv.slice(2).map(Number);
const session = new Session();
session.connect();
await session.post('Profiler.enable');
// The first compilation analyzes the grammar.
compile(generateTopology({ edges: 10 }), { artifacts: 'all' });
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const counts = [];
for (const edges of sizes) {
  const text = generateTopology({ edges });
  await session.post('Profiler.takePreciseCoverage');
  const { ok } = compile(text, { artifacts: 'all' });
  const { result } = await session.post('Profiler.takePreciseCoverage');
  if (!ok) throw new Error(`The topology of ${edges} edges has errors.`);
  const functions = result.filter(({ url }) => url.startsWith(folder)).flatMap((script) => script.functions);
  counts.push(
    functions.map(({ functionName, ranges: [range] }) => ({
      name: `${functionName}@${range?.startOffset}`,
      count: range?.count ?? 0,
    })),
  );
}
console.log(JSON.stringify(counts));
