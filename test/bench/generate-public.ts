/**
 * Text shaped like the `.gg` files that people have published, by counts over some 5,900 of them: four
 * quoted strings an edge, a third of them numbers or booleans; labels on a third of the targets; comment
 * lines; groups, chains and several labels now and then; brackets, slashes and quotes inside strings.
 */

import { below, createRandom, pick, type Random } from './random.js';

/** What stands for one edge type, as often as it occurs in 5,000 edges. */
const edgeTypes: readonly (readonly [string, number])[] = [
  ['PROCESS', 2345],
  ['FORK', 638],
  ['RACE', 587],
  ['MEASURE', 483],
  ['FOLD', 396],
  ['TUNNEL', 267],
  ['SLIVER', 95],
  ['VENT', 81],
  ['DEPENDS_ON', 80],
  ['OBSERVE', 14],
  ['INTERFERE', 13],
];

/** Writes a topology of exactly that many edges. The same numbers always give the same text. */
export function generatePublicTopology(edges: number, seed = 1): string {
  const random = createRandom(seed);
  const lines: string[] = [];
  let left = edges;
  for (let index = 0; left > 0; index++) {
    if (index % 6 === 0) lines.push('', `// ${pick(sections, random)} ${index}`);
    if (random() < 0.9) lines.push(`(${declaration(random, index, 2 + below(4, random))})`);
    const hops = Math.min(left, random() < 0.01 ? 2 + below(6, random) : 1);
    left -= hops;
    lines.push(pipeline(random, index, hops));
  }
  return `${lines.join('\n')}\n`;
}

const sections = ['Ingestion', 'Verification of the first stage', 'State machine', 'Telemetry sinks'];
const nouns = ['worker', 'input', 'route', 'entry', 'verify_signature', 'buffer', 'sink', 'stage', 'query'];
const labels = ['Worker', 'State', 'Process', 'Entry', 'Bridge', 'Sink', 'Theorem', 'Value'];
const keys = ['status', 'retries', 'path', 'timeoutMs', 'label', 'mode', 'source_file', 'enabled', 'kind'];

function pipeline(random: Random, index: number, hops: number): string {
  const parts = [group(random, index, 0.03)];
  for (let hop = 0; hop < hops; hop++) {
    const settings = random() < 0.25 ? ` ${map(random, 1 + below(3, random))}` : '';
    parts.push(`-[:${edgeType(random)}${settings}]->`, group(random, index + hop + 1, 0.37));
  }
  return parts.join('');
}

/** A group of one node, or of two to five; `labelled` is how often a single node has a label. */
function group(random: Random, index: number, labelled: number): string {
  if (random() < 0.2) {
    const members = Array.from({ length: 2 + below(4, random) }, (_, at) => name(random, index + at));
    return `(${members.join(random() < 0.95 ? ' | ' : ', ')})`;
  }
  if (random() >= labelled) return `(${name(random, index)})`;
  return `(${declaration(random, index, random() < 0.2 ? 2 : 0)})`;
}

function declaration(random: Random, index: number, properties: number): string {
  const all = [pick(labels, random)];
  while (random() < 0.1) all.push(pick(labels, random));
  const settings = properties === 0 ? '' : ` ${map(random, properties)}`;
  return `${name(random, index)}: ${all.join(':')}${settings}`;
}

function map(random: Random, count: number): string {
  const sign = random() < 0.06 ? '=' : ': ';
  const offset = below(keys.length, random);
  const properties = Array.from(
    { length: count },
    (_, at) => `${keys[(offset + at) % keys.length]}${sign}${value(random)}`,
  );
  if (count < 4 || random() < 0.7) return `{ ${properties.join(', ')} }`;
  return `{\n  ${properties.join(',\n  ')}\n}`;
}

function value(random: Random): string {
  const kind = random();
  if (kind < 0.02) return String(below(500, random));
  if (kind < 0.03) return random() < 0.5 ? 'true' : 'false';
  if (kind < 0.04) return `["-c", "echo (${below(9, random)})"]`;
  const quote = random() < 0.15 ? '"' : "'";
  return quote + text(random) + quote;
}

function text(random: Random): string {
  const kind = random();
  if (kind < 0.37) return String(below(10_000, random));
  if (kind < 0.38) return 'true';
  if (kind < 0.42) return `verify(chain, ${below(9, random)})`;
  if (kind < 0.425) return 'aeon://mesh/node//state';
  if (kind < 0.43) return '∀x ∈ ℝ: {β₁ ≥ 0}';
  if (kind < 0.5) return 'src/engine/verify-signature-pipeline.ts';
  if (kind < 0.7) return 'waits for all branches and keeps the first result';
  return pick(['active', 'pending', 'strict', 'best_effort', 'sha256', 'edge-runtime'], random);
}

function edgeType(random: Random): string {
  let at = random() * edgeTypes.reduce((sum, [, count]) => sum + count, 0);
  for (const [type, count] of edgeTypes) {
    at -= count;
    if (at < 0) return type;
  }
  return 'PROCESS';
}

function name(random: Random, index: number): string {
  return `${pick(nouns, random)}_${index - below(Math.min(index + 1, 20), random)}`;
}
