/**
 * The topologies that everything in this folder is measured on: made up, but shaped like the real
 * ones. Roughly one node declaration with four properties for each edge, some 160 characters an edge,
 * with comments, groups and chains. The same numbers always give the same text.
 */

import { createRandom, pick, type Random } from './random.js';

/** What to generate. */
export interface TopologyShape {
  /** How many edges the topology has, exactly. A chain counts one for each hop. */
  readonly edges: number;
  /** Another seed gives other names, types and numbers in the same proportions. */
  readonly seed?: number;
  /** Leaves FORK and RACE out, so that every edge becomes one REST operation. */
  readonly restOnly?: boolean;
}

/**
 * Writes a topology.
 *
 * @returns the text of a `.gg` file that compiles without diagnostics of severity error
 */
export function generateTopology({ edges, seed = 1, restOnly = false }: TopologyShape): string {
  const random = createRandom(seed);
  const parts: string[] = [`// A generated topology of ${edges} edges.\n`];
  let left = edges;
  for (let index = 1; left > 0; index++) {
    const names = clusterNames(index, random);
    parts.push(clusterPreamble(names, random));
    for (const { count, write } of restOnly ? restStatements : allStatements) {
      if (left === 0) break;
      // A statement that would pass the wanted number gives its place to a single edge, so that the
      // count comes out exact whatever the mix.
      const [taken, writer] = count <= left ? [count, write] : [1, writeFiller];
      parts.push(writer(names, random, left));
      left -= taken;
    }
  }
  return parts.join('');
}

/** What the ids of one cluster of edges are made of; the index keeps them apart from all others. */
interface ClusterNames {
  readonly index: number;
  readonly thing: string;
  readonly part: string;
}

/** One way to write `count` edges at once. */
interface StatementShape {
  readonly count: number;
  readonly write: (names: ClusterNames, random: Random, left: number) => string;
}

const things = ['order', 'parcel', 'invoice', 'customer', 'shipment', 'ticket', 'contract', 'reading'];
const parts = ['line', 'depot', 'driver', 'address', 'payment', 'label', 'sensor', 'route'];

const restStatements: readonly StatementShape[] = [
  { count: 1, write: writeRead },
  { count: 2, write: writeChain },
  { count: 1, write: writeSave },
  { count: 1, write: writeMerge },
];

const allStatements: readonly StatementShape[] = [
  ...restStatements,
  { count: 1, write: writeFork },
  { count: 1, write: writeBranches },
  { count: 1, write: writeRace },
  { count: 2, write: writeForkChain },
];

function clusterNames(index: number, random: Random): ClusterNames {
  return { index, thing: pick(things, random), part: pick(parts, random) };
}

/** The enum and the request node that the edges of the cluster refer to. */
function clusterPreamble({ index, thing }: ClusterNames, random: Random): string {
  return [
    `\n// ${capital(thing)} ${index}: what is asked for, what is kept and what is told.\n`,
    `(status_${index}: Enum { values: [OPEN, ACTIVE, CLOSED] })\n`,
    `(request_${index}: Request { id: ID!, state: Status${index}, ${properties(index, random, 3)} })\n`,
  ].join('');
}

function writeRead({ index, thing }: ClusterNames, random: Random): string {
  return [
    `/// Reads one ${thing} by its id.\n`,
    `(request_${index})-[:PROCESS { id: ID!, limit: Int = 20 }]->${node(`read_${thing}_${index}`, 'Record', index, random)}\n`,
  ].join('');
}

function writeChain({ index, thing, part }: ClusterNames, random: Random): string {
  return [
    `(read_${thing}_${index})-[:PROCESS]->${node(`find_${part}_${index}`, 'Record', index, random)}`,
    `\n  -[:PROCESS]->${node(`weigh_${part}_${index}`, 'Measure:Derived', index, random)} // the last step\n`,
  ].join('');
}

function writeSave({ index, thing }: ClusterNames, random: Random): string {
  return [
    `(input_${thing}_${index} { ${properties(index, random, 4)} })`,
    `-[:FOLD]->${node(`save_${thing}_${index}`, 'Record', index, random)}\n`,
  ].join('');
}

function writeMerge({ index, thing, part }: ClusterNames): string {
  return [
    '/* Both halves have to be there before anything is written. */\n',
    `(input_${thing}_${index} | find_${part}_${index})-[:FOLD]->(merge_${thing}_${index}: Record { id: ID!, `,
    `owner: Read${capital(thing)}${index}, at: String!, count: Int! })\n`,
  ].join('');
}

function writeFork({ index, thing }: ClusterNames, random: Random): string {
  return [
    `(save_${thing}_${index})-[:FORK]->(`,
    optional(bareNode(`${thing}_saved_${index}`, 'Event', index, random)),
    ` | audit_${thing}_${index})\n`,
  ].join('');
}

function writeBranches({ index, part }: ClusterNames, random: Random): string {
  return [
    `(request_${index})-[:PROCESS]->(\n  `,
    bareNode(`cache_${part}_${index}`, 'Store', index, random),
    `\n  | store_${part}_${index}: Store)\n`,
  ].join('');
}

function writeRace({ index, part }: ClusterNames, random: Random): string {
  return `(cache_${part}_${index} | store_${part}_${index})-[:RACE]->${node(`fast_${part}_${index}`, 'Record', index, random)}\n`;
}

function writeForkChain({ index, thing }: ClusterNames, random: Random): string {
  return [
    `(merge_${thing}_${index})-[:FORK]->(${thing}_merged_${index}: Event { id: ID!, ${optional(properties(index, random, 3))} })`,
    `-[:PROCESS]->(report_${thing}_${index})\n`,
  ].join('');
}

function writeFiller({ index }: ClusterNames, random: Random, left: number): string {
  return `(request_${index})-[:PROCESS]->${node(`extra_${left}_${index}`, 'Record', index, random)}\n`;
}

function node(id: string, labels: string, index: number, random: Random): string {
  return `(${bareNode(id, labels, index, random)})`;
}

function bareNode(id: string, labels: string, index: number, random: Random): string {
  return `${id}: ${labels} { ${random() < 0.5 ? 'id: ID!, ' : "kind: 'record', "}${properties(index, random, 3)} }`;
}

/** Different properties, `count` of them: declarations and constants in about equal number. */
function properties(index: number, random: Random, count: number): string {
  const offset = Math.floor(random() * propertyForms.length);
  const chosen: string[] = [];
  for (let at = 0; at < count; at++) {
    // The step is coprime to the number of forms, so that no form can come twice in one map.
    const form = propertyForms[(offset + at * 5) % propertyForms.length] as PropertyForm;
    chosen.push(form(index, random));
  }
  return chosen.join(', ');
}

/** The same properties without the exclamation marks: an event has what its mutation gives, and no more. */
function optional(text: string): string {
  return text.replaceAll('!', '');
}

type PropertyForm = (index: number, random: Random) => string;

const propertyForms: readonly PropertyForm[] = [
  () => 'name: String!',
  () => 'email: String',
  (_, random) => `region: '${pick(['eu-west', 'us-east', 'ap-south'], random)}'`,
  () => 'amount: Float',
  () => 'count: Int!',
  (index) => `status: Status${index} = ACTIVE`,
  (_, random) => `retries: ${Math.floor(random() * 9)}`,
  () => 'tags: [String!]!',
  (index, random) => `title: "No. ${index}, ${pick(['first', 'second', 'last'], random)}"`,
  (_, random) => `weight: ${(0.5 + Math.floor(random() * 90)).toFixed(1)}`,
  () => 'active: Boolean = true',
  () => 'at: String!',
  () => "sorts: ['asc', 'desc']",
];

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
