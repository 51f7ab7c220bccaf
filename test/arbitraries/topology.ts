import fc from 'fast-check';

/**
 * A random topology that has no mistakes, known in two ways: as what it means, and as one of the many
 * texts that mean it. Tests hold what is made of the text against the meaning, which was never parsed.
 */
export interface AbstractTopology {
  /** In no particular order; each id and each type name is unique. */
  readonly nodes: readonly AbstractNode[];
  /** The edges in the order of the text. */
  readonly edges: readonly AbstractEdge[];
  /** A `.gg` text that means this. */
  readonly text: string;
}

/** One node. */
export interface AbstractNode {
  readonly id: string;
  readonly typeName: string;
  /** The name of operations that lead to it. */
  readonly camelName: string;
  readonly kind: 'object' | 'enum' | 'scalar';
  readonly labels: readonly string[];
  /** Empty for a node that declares none. */
  readonly fields: readonly AbstractProperty[];
  /** The values of an enum, else empty. */
  readonly values: readonly string[];
  readonly doc: string | undefined;
}

/** A typed or literal property; whoever has one of the same name has it with the same type. */
export interface AbstractProperty {
  readonly name: string;
  /** As GraphQL writes it; for a literal, the type that can be read off it. */
  readonly type: string;
  /** Its text after the colon. */
  readonly text: string;
}

/** One edge. */
export interface AbstractEdge {
  readonly type: string;
  /** Ids, each once. */
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  readonly args: readonly AbstractProperty[];
  /** The name that the edge gives its operation or union. */
  readonly name: string | undefined;
  readonly returns: string | undefined;
}

/** How large a topology may become. */
export interface TopologySize {
  readonly maxNodes?: number;
  readonly maxPipelines?: number;
}

/** Random topologies without mistakes, all features of the language among them. */
export function topologies({
  maxNodes = 12,
  maxPipelines = 8,
}: TopologySize = {}): fc.Arbitrary<AbstractTopology> {
  return nodeLists(maxNodes).chain((nodes) => {
    const text = writeTopology;
    return fc
      .array(pipeline(nodes), { maxLength: maxPipelines })
      .map(nameAfterPlace)
      .chain((pipelines) =>
        fc.array(fc.nat(), { minLength: 40, maxLength: 40 }).map((style) => ({
          nodes,
          edges: pipelines.flatMap(edgesOf),
          text: text(nodes, pipelines, style),
        })),
      );
  });
}

/** A pipeline before it is text: hops between groups of ids. */
interface Pipeline {
  readonly groups: readonly (readonly string[])[];
  readonly hops: readonly Omit<AbstractEdge, 'sources' | 'targets'>[];
}

const words = ['user', 'order', 'read', 'scan', 'cache', 'parcel', 'input', 'url', 'fast'];
const plainTypes = ['ID!', 'String!', 'Int', 'Float!', '[String!]!', 'Boolean', '[[Int]!]'];

/** What a property may say by its value alone, with the type that this gives. */
const literals: readonly [text: string, type: string][] = [
  ["'text with ) } | // in it'", 'String!'],
  ['"5"', 'String!'],
  ['42', 'Int!'],
  ['4294967296', 'Float!'],
  ['-0.5', 'Float!'],
  ['true', 'Boolean!'],
  ['[1, 2.5]', '[Float!]!'],
  ["['a', null]", '[String]!'],
];

/** The properties that a node or an edge may have: the type of each follows from its name. */
const properties: readonly AbstractProperty[] = [
  ...plainTypes.map((type, index) => ({ name: `typed${index}`, type, text: type })),
  ...literals.map(([text, type], index) => ({ name: `literal_${index}`, type, text })),
  { name: 'limit', type: 'Int', text: 'Int = 20' },
  { name: 'names', type: '[String!]!', text: '[String!]! = [\'a\', "b"]' },
];

function nodeLists(maxNodes: number): fc.Arbitrary<readonly AbstractNode[]> {
  return fc
    .array(
      fc.record({
        parts: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
        camel: fc.boolean(),
        kind: fc.constantFrom('object', 'object', 'object', 'object', 'enum', 'scalar'),
        labels: fc.uniqueArray(fc.constantFrom('Record', 'Event', 'Entity'), { maxLength: 2 }),
        fields: fc.uniqueArray(fc.constantFrom(...properties), { maxLength: 5 }),
        refersTo: fc.option(fc.nat(), { nil: undefined }),
        values: fc.uniqueArray(fc.constantFrom('ACTIVE', 'B_1', 'c', 'ID', 'User'), { minLength: 1 }),
        doc: fc.option(fc.constantFrom('A thing.', 'Another | thing'), { nil: undefined }),
      }),
      { minLength: 2, maxLength: maxNodes },
    )
    .map((drafts) => {
      const names = drafts.map(({ parts }, index) => parts.map(capitalized).join('') + index);
      // The first two are objects, so that a RACE finds a source and a target.
      return drafts.map(({ parts, camel, kind: drawn, labels, fields, refersTo, values, doc }, index) => {
        const typeName = names[index] as string;
        const camelName = typeName.charAt(0).toLowerCase() + typeName.slice(1);
        const kind = index < 2 ? 'object' : (drawn as AbstractNode['kind']);
        const referred = refersTo === undefined ? undefined : (names[refersTo % names.length] as string);
        const reference =
          referred === undefined
            ? []
            : [{ name: `to${referred}`, type: `[${referred}!]`, text: `[${referred}!]` }];
        return {
          id: camel ? camelName : [...parts, index].join('_'),
          typeName,
          camelName,
          kind,
          labels: kind === 'enum' ? ['Enum', ...labels] : kind === 'scalar' ? ['Scalar', ...labels] : labels,
          fields: kind === 'object' ? [...fields, ...reference] : [],
          values: kind === 'enum' ? values : [],
          doc,
        };
      });
    });
}

/**
 * A pipeline between the nodes. The node that comes first is raced and nothing else, so that no race
 * has a branch that folds; where a RACE cannot stand, a MEASURE does.
 */
function pipeline(nodes: readonly AbstractNode[]): fc.Arbitrary<Pipeline> {
  const [racer, ...others] = nodes.map(({ id }) => id) as [string, ...string[]];
  const kindOf = new Map(nodes.map(({ id, kind }) => [id, kind]));
  const group = fc.uniqueArray(fc.constantFrom(...others), { minLength: 1, maxLength: 4 });
  const hop = fc.record({
    target: group,
    type: fc.constantFrom('PROCESS', 'PROCESS', 'FOLD', 'FORK', 'RACE', 'MEASURE', 'DEPENDS_ON'),
    args: fc.uniqueArray(fc.constantFrom(...properties.filter(({ name }) => name.startsWith('typed'))), {
      maxLength: 2,
    }),
    named: fc.boolean(),
    returns: fc.option(fc.constantFrom('Int', ...nodes.map(({ typeName }) => `[${typeName}!]!`)), {
      nil: undefined,
    }),
  });
  return fc
    .record({ head: group, fromRacer: fc.boolean(), hops: fc.array(hop, { minLength: 1, maxLength: 3 }) })
    .map(({ head, fromRacer, hops }) => {
      const groups = [fromRacer ? [racer] : head, ...hops.map(({ target }) => target)];
      return {
        groups,
        hops: hops.map(({ type: drawn, args, named, returns }, at) => {
          const canRace =
            at === 0 && fromRacer && hops[at]?.target.every((id) => kindOf.get(id) === 'object');
          const type = drawn === 'RACE' && !canRace ? 'MEASURE' : drawn;
          const honoured = type === 'PROCESS' || type === 'FOLD' ? returns : undefined;
          // A result of its own needs a name of its own, or it would clash with other edges' results.
          const name = type !== 'RACE' && (named || honoured !== undefined) ? 'named' : undefined;
          return { type, args: type === 'RACE' ? [] : args, name, returns: honoured };
        }),
      };
    });
}

/** Gives each name its number, so that no two edges share one; an edge of several targets has none. */
function nameAfterPlace(pipelines: readonly Pipeline[]): readonly Pipeline[] {
  let count = 0;
  return pipelines.map(({ groups, hops }) => ({
    groups,
    hops: hops.map((hop, at) => {
      if (hop.name === undefined) return hop;
      if ((groups[at + 1]?.length ?? 0) > 1) return { ...hop, name: undefined, returns: undefined };
      count += 1;
      return { ...hop, name: `operation${count}` };
    }),
  }));
}

function edgesOf({ groups, hops }: Pipeline): AbstractEdge[] {
  return hops.map((hop, at) => ({
    ...hop,
    sources: groups[at] as readonly string[],
    targets: groups[at + 1] as readonly string[],
  }));
}

/** Writes the text; each number of the style decides one of its freedoms, over and over. */
function writeTopology(
  nodes: readonly AbstractNode[],
  pipelines: readonly Pipeline[],
  style: readonly number[],
): string {
  let used = 0;
  const choose = <T>(...choices: readonly T[]): T => {
    const number = style[used % style.length] ?? 0;
    used += 1;
    return choices[number % choices.length] as T;
  };
  const space = () => choose('', ' ', '\n', '  // why\n', ' /* why */ ');

  const writeProperty = ({ name, text }: AbstractProperty) =>
    `${name}${choose(': ', ' : ', ':', ' = ', '=')}${text}`;
  const writeMap = (list: readonly AbstractProperty[]) =>
    list.length === 0
      ? choose('', '', ' {}')
      : ` {${space()}${list.map(writeProperty).join(`,${space()}`)}${choose('', ',')}${space()}}`;
  const writeTerm = ({ id, labels, fields, values }: AbstractNode) => {
    const own = values.length === 0 ? fields : [{ name: 'values', type: '', text: `[${values.join(', ')}]` }];
    return `${id}${labels.map((label) => `${choose(':', ': ', ' : ')}${label}`).join('')}${writeMap(own)}`;
  };
  const docOf = ({ doc }: AbstractNode) => (doc === undefined ? '' : `/// ${doc}\n`);

  // A node is declared by itself, in two parts, or where an edge first mentions it.
  const inline = new Map<string, AbstractNode>();
  const statements = nodes.map((node) => {
    const way = node.doc === undefined ? choose('alone', 'inline', 'parts') : 'alone';
    if (way === 'inline' && pipelines.some(({ groups }) => groups.flat().includes(node.id))) {
      inline.set(node.id, node);
      return '';
    }
    if (way !== 'parts' || node.kind !== 'object')
      return `${docOf(node)}(${space()}${writeTerm(node)}${space()})`;
    const first = { ...node, fields: node.fields.slice(0, 1) };
    const rest = { ...node, labels: [], fields: node.fields };
    return `(${writeTerm(first)})\n(${writeTerm(rest)})`;
  });
  const writeEnd = (id: string) => {
    const node = inline.get(id);
    inline.delete(id);
    return node === undefined ? id : writeTerm(node);
  };
  const writeGroup = (ids: readonly string[]) =>
    `(${space()}${ids.map(writeEnd).join(choose(' | ', '|', ', ', '\n| '))}${space()})`;
  const writeHop = ({ type, args, name, returns }: Pipeline['hops'][number]) => {
    const settings = [
      ...args,
      ...(name === undefined ? [] : [{ name: 'operation', type: '', text: `'${name}'` }]),
      ...(returns === undefined ? [] : [{ name: 'returns', type: '', text: returns }]),
    ];
    return `${choose('', ' ', '\n  ')}-[:${type}${writeMap(settings)}${choose('', ' ')}]->${choose('', ' ')}`;
  };
  const edges = pipelines.map(({ groups, hops }) =>
    groups
      .map(
        (ids, at) => (at === 0 ? '' : writeHop(hops[at - 1] as Pipeline['hops'][number])) + writeGroup(ids),
      )
      .join(''),
  );
  const parts = choose(true, false) ? [...statements, ...edges] : [...edges, ...statements];
  return `${parts.filter((part) => part !== '').join(choose('\n', '\n\n', '\r\n'))}${choose('', '\n')}`;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
