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
  readonly kind: 'object' | 'enum' | 'scalar' | 'input' | 'interface' | 'problem';
  readonly labels: readonly string[];
  /** Whether it is absent from the API. */
  readonly internal: boolean;
  /** The type names of the interfaces that it names. */
  readonly interfaces: readonly string[];
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
  /** The arguments of a field, with their parentheses. */
  readonly args?: string;
  /** The lines of its doc comment. */
  readonly doc?: readonly string[];
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
  /** What else it says of its operation. */
  readonly settings: readonly AbstractProperty[];
}

/** How large a topology may become. */
export interface TopologySize {
  readonly maxNodes?: number;
  readonly maxPipelines?: number;
  /** Whether only object types, enums, scalars and unions are made, without tags and settings. */
  readonly isPlain?: boolean;
}

/** Random topologies without mistakes, all features of the language among them. */
export function topologies({
  maxNodes = 12,
  maxPipelines = 8,
  isPlain = false,
}: TopologySize = {}): fc.Arbitrary<AbstractTopology> {
  return nodeLists(maxNodes, isPlain).chain((nodes) => {
    return fc
      .array(pipeline(nodes, isPlain), { maxLength: maxPipelines })
      .map(nameAfterPlace)
      .chain((pipelines) =>
        fc.array(fc.nat(), { minLength: 40, maxLength: 40 }).map((style) => ({
          nodes,
          edges: pipelines.flatMap(edgesOf),
          text: writeTopology(nodes, pipelines, style, isPlain),
        })),
      );
  });
}

/** A pipeline before it is text: hops between groups of ids. */
interface Pipeline {
  readonly groups: readonly (readonly string[])[];
  readonly hops: readonly Omit<AbstractEdge, 'sources' | 'targets'>[];
  /** The doc comment of its edges. */
  readonly doc: string | undefined;
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

const standardScalars = ['DateTime', 'Date!', 'Duration', 'UUID!', '[URL!]', 'JSON', 'BigInt', 'Long!', 'EmailAddress'];

const plainProperties: readonly AbstractProperty[] = [
  ...plainTypes.map((type, index) => ({ name: `typed${index}`, type, text: type })),
  ...literals.map(([text, type], index) => ({ name: `literal_${index}`, type, text })),
  { name: 'limit', type: 'Int', text: 'Int = 20' },
  { name: 'names', type: '[String!]!', text: '[String!]! = [\'a\', "b"]' },
];

/** The properties that a node or an edge may have: the type of each follows from its name. */
const properties: readonly AbstractProperty[] = [
  ...plainProperties,
  ...typed('count', 'Int', 'The number.', '@minimum 1', '@exclusiveMaximum 9', '@example 3'),
  ...typed('ratio', 'Float!', '@exclusiveMinimum 0', '@multipleOf 0.5', '@maximum 4'),
  ...typed('code', 'String!', '@pattern ^[A-Z]{3}-[0-9]{4}$', '@example ABC-1234', '@example DEF-5678'),
  ...typed('slug', 'ID!', '@pattern ^[a-z]+-[a-z0-9]{2,4}$', '@maxLength 20'),
  ...typed('mail', 'String', '@format email', '@minLength 3'),
  ...typed('tags', '[String!]', '@minItems 1', '@maxItems 3', '@minLength 2'),
  ...typed('old', 'Int', '@deprecated Use count.'),
  ...typed('secret', 'String!', 'Not for everybody.', '@scopes read:secrets other', '@minLength 2'),
  ...typed('known', '[Int!]', '@auth required'),
  ...typed('shared', 'Int', '@anyScope read:a read:b', '@roles admin'),
  ...typed('shown', 'Boolean', '@auth optional'),
  ...standardScalars.map((type) => ({ name: `scalar${type.replace(/\W/g, '')}`, type, text: type })),
  { name: 'fee', type: 'Decimal', text: 'Decimal = 12.50' },
  { name: 'since', type: 'DateTime!', text: "DateTime! = '2024-01-31T09:30:00Z'" },
  {
    name: 'part',
    type: '[String!]',
    text: '[String!]',
    args: '(first: Int! = 10, \n/// @maximum 5\n top: Int, after: ID)',
  },
  { name: 'priced', type: 'Float!', text: 'Float!', args: '(currency: String!, at: DateTime)' },
];

function typed(name: string, type: string, ...doc: readonly string[]): AbstractProperty[] {
  return [{ name, type, text: type, doc }];
}

/** Callers read these properties and never give them. */
const isRead = ({ doc = [] }: AbstractProperty) => doc.some((line) => /^@(auth|scopes|anyScope|roles)/.test(line));

const argumentsOf = (list: readonly AbstractProperty[]) =>
  list.filter((property) => property.args === undefined && !property.name.startsWith('literal') && !isRead(property));

const plainKinds = ['object', 'object', 'object', 'object', 'enum', 'scalar'] as const;
const otherKinds = ['input', 'interface', 'problem'] as const;

function nodeLists(maxNodes: number, isPlain: boolean): fc.Arbitrary<readonly AbstractNode[]> {
  return fc
    .array(
      fc.record({
        parts: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
        camel: fc.boolean(),
        kind: fc.constantFrom(...plainKinds, ...(isPlain ? [] : otherKinds)),
        labels: fc.uniqueArray(fc.constantFrom('Record', 'Event', 'Entity'), { maxLength: 2 }),
        fields: fc.uniqueArray(fc.constantFrom(...(isPlain ? plainProperties : properties)), {
          maxLength: 5,
        }),
        refersTo: fc.option(fc.nat(), { nil: undefined }),
        // Internal, an input of one field, an implementing type, or a list with pages: what the kind can be.
        special: isPlain ? fc.constant(false) : fc.boolean(),
        values: fc.uniqueArray(fc.constantFrom('ACTIVE', 'B_1', 'c', 'ID', 'User'), { minLength: 1 }),
        doc: fc.option(fc.constantFrom('A thing.', 'Another | thing'), { nil: undefined }),
      }),
      { minLength: 2, maxLength: maxNodes },
    )
    .map((drafts) => {
      // The first two are objects, so that a RACE finds a source and a target.
      const kinds = drafts.map(({ kind }, index) => (index < 2 ? 'object' : kind));
      const names = drafts.map(({ parts }, index) => parts.map(capitalized).join('') + index);
      const isInternal = (index: number) => index > 1 && kinds[index] === 'object' && drafts[index]?.special === true;
      const isReferred = (index: number, by: AbstractNode['kind']) =>
        !isInternal(index) && !['problem', by === 'object' ? 'input' : 'interface'].includes(kinds[index] as string);
      const interfaces = drafts.flatMap((draft, index) =>
        kinds[index] === 'interface' ? [{ name: names[index] as string, fields: interfaceFields(draft.fields) }] : [],
      );
      return drafts.map(({ parts, camel, labels, fields, refersTo, special, values, doc }, index): AbstractNode => {
        const typeName = names[index] as string;
        const camelName = typeName.charAt(0).toLowerCase() + typeName.slice(1);
        const kind = kinds[index] as AbstractNode['kind'];
        const internal = isInternal(index);
        const at = (refersTo ?? 0) % names.length;
        const referred = names[at] as string;
        const reference =
          !isReferred(at, kind) || refersTo === undefined
            ? []
            : referenceTo(referred, at === 0 && special && kind === 'object');
        // The second implements every interface, so that none is without a type.
        const kept = index === 1 ? interfaces : kind === 'object' && special ? interfaces.slice(0, 2) : [];
        const isOneOf = kind === 'input' && special && fields.some(mayBeOneOf);
        const own: Readonly<Record<AbstractNode['kind'], readonly AbstractProperty[]>> = {
          object: unique([...fields, ...kept.flatMap((type) => type.fields), ...reference]),
          input: isOneOf ? fields.filter(mayBeOneOf) : [...inputFields(fields), ...reference],
          interface: interfaceFields(fields),
          problem: fields.filter(({ args, doc: tags }) => args === undefined && tags === undefined),
          enum: [],
          scalar: [],
        };
        return {
          id: camel ? camelName : [...parts, index].join('_'),
          typeName,
          camelName,
          kind,
          labels: [...(kind === 'object' ? [] : [capitalized(kind)]), ...(isOneOf ? ['OneOf'] : []), ...labels],
          internal,
          interfaces: kept.map(({ name }) => name),
          fields: own[kind],
          values: kind === 'enum' ? values : [],
          doc,
        };
      });
    });
}

/** A field of a list; with pages it is a connection. */
function referenceTo(type: string, hasPages: boolean): AbstractProperty[] {
  const list = `[${type}!]`;
  const pages = { type: `${type}Connection`, doc: ['All of them.', '@page 3'] };
  return [{ name: `to${type}`, type: list, text: list, ...(hasPages ? pages : {}) }];
}

/** An interface without fields has an id, which the types that implement it would have to repeat. */
function interfaceFields(fields: readonly AbstractProperty[]): readonly AbstractProperty[] {
  return fields.length === 0 ? properties.slice(0, 1) : fields;
}

function inputFields(fields: readonly AbstractProperty[]): readonly AbstractProperty[] {
  return fields.filter((field) => field.args === undefined && !isRead(field));
}

function mayBeOneOf(property: AbstractProperty): boolean {
  const { text, args, type } = property;
  return args === undefined && text === type && !type.endsWith('!') && !isRead(property);
}

function unique(list: readonly AbstractProperty[]): readonly AbstractProperty[] {
  return [...new Map(list.map((property) => [property.name, property])).values()];
}

/**
 * A pipeline between the nodes. The node that comes first is raced and nothing else, so that no race
 * has a branch that folds; where a RACE cannot stand, a MEASURE does.
 */
function pipeline(nodes: readonly AbstractNode[], isPlain: boolean): fc.Arbitrary<Pipeline> {
  const [racer, ...others] = nodes.map(({ id }) => id) as [string, ...string[]];
  const kindOf = new Map(nodes.map(({ id, kind }) => [id, kind]));
  const ofKinds = (...kinds: readonly AbstractNode['kind'][]) => nodes.filter(({ kind }) => kinds.includes(kind));
  const results = ofKinds('object', 'enum', 'scalar', 'interface').filter(({ internal }) => !internal);
  const idsOf = (list: readonly AbstractNode[]) => others.filter((id) => list.some((node) => node.id === id));
  const groupOf = (list: readonly AbstractNode[]) =>
    fc.uniqueArray(fc.constantFrom(...idsOf(list)), { minLength: 1, maxLength: 4 });
  const group = groupOf(results);
  // No argument has the type of an interface, so an edge from one, or from a field of one, says its own.
  const interfaces = ofKinds('interface').map(({ typeName }) => `to${typeName}`);
  const refersToInterface = (id: string) =>
    nodes.some(
      (node) =>
        node.id === id && (node.kind === 'interface' || node.fields.some(({ name }) => interfaces.includes(name))),
    );
  const problems = ofKinds('problem').map(({ typeName }) => typeName);
  const hop = fc.record({
    target: group,
    type: fc.constantFrom('PROCESS', 'PROCESS', 'FOLD', 'FORK', 'RACE', 'MEASURE', 'DEPENDS_ON'),
    args: fc.uniqueArray(fc.constantFrom(...argumentsOf(isPlain ? plainProperties : properties)), {
      maxLength: 2,
    }),
    named: fc.boolean(),
    returns: fc.option(fc.constantFrom('Int', ...results.map(({ typeName }) => `[${typeName}!]!`)), {
      nil: undefined,
    }),
    settings: fc.record({
      route: fc.boolean(),
      mixed: fc.boolean(),
      method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'),
      status: fc.constantFrom(undefined, undefined, 201, 204),
      null: fc.constantFrom(undefined, 404),
      throws: fc.subarray(problems),
      page: fc.boolean(),
      auth: fc.constantFrom(undefined, undefined, 'required', 'optional'),
      scopes: fc.subarray(['a', 'b:c', "d'e"]),
      anyScope: fc.subarray(['x', 'y:z']),
      roles: fc.subarray(['admin', 'doctor']),
      internal: fc.nat(4).map((number) => number === 0),
    }),
  });
  return fc
    .record({
      head: groupOf([...results, ...ofKinds('input'), ...nodes.filter(({ internal }) => internal)]),
      fromRacer: fc.boolean(),
      hops: fc.array(hop, { minLength: 1, maxLength: 3 }),
      doc: fc.constantFrom(undefined, ...(isPlain ? [] : ['What it does.\n/// @tag Shop', '@deprecated Use another.'])),
    })
    .map(({ head, fromRacer, hops, doc }) => {
      const groups = [fromRacer ? [racer] : head, ...hops.map(({ target }) => target)];
      return {
        groups,
        doc: hops.every(({ type }) => type === 'PROCESS' || type === 'FOLD') ? doc : undefined,
        hops: hops.map(({ type: drawn, args: own, named, returns, settings }, at) => {
          const needsOwn = own.length === 0 && groups[at]?.some(refersToInterface);
          const args = needsOwn ? properties.slice(0, 1) : own;
          const canRace = at === 0 && fromRacer && hops[at]?.target.every((id) => kindOf.get(id) === 'object');
          const type = drawn === 'RACE' && !canRace ? 'MEASURE' : drawn;
          const honoured = type === 'PROCESS' || type === 'FOLD' ? returns : undefined;
          // A result of its own needs a name of its own, or it would clash with other edges' results.
          const name = type !== 'RACE' && (named || honoured !== undefined) ? 'named' : undefined;
          return {
            type,
            args: type === 'RACE' ? [] : args,
            name,
            returns: honoured,
            settings: isPlain ? [] : settingsOf(type, args, honoured, settings),
          };
        }),
      };
    });
}

/** Accepts every leak. */
const open: AbstractProperty = { name: 'open', type: '', text: "'drawn at random'" };

/** What an edge of its own operation says of it, as far as its type may; NAME is the name to come. */
function settingsOf(
  type: string,
  args: readonly AbstractProperty[],
  returns: string | undefined,
  drawn: {
    readonly route: boolean;
    readonly mixed: boolean;
    readonly method: string;
    readonly status: number | undefined;
    readonly null: number | undefined;
    readonly throws: readonly string[];
    readonly page: boolean;
    readonly auth: string | undefined;
    readonly scopes: readonly string[];
    readonly anyScope: readonly string[];
    readonly roles: readonly string[];
    readonly internal: boolean;
  },
): readonly AbstractProperty[] {
  // Guards are drawn without regard to what reaches what.
  if (type === 'RACE') return [open];
  if (!['PROCESS', 'FOLD', 'FORK'].includes(type)) return [];
  const inPath = args.find((arg) => ['ID!', 'UUID!', 'DateTime', 'Int'].includes(arg.type))?.name;
  const pages = type === 'PROCESS' && returns !== 'Int' && drawn.page;
  const isGuarded = !drawn.internal;
  const path = `/own/NAME${inPath === undefined ? '' : `/${drawn.mixed ? `to-{${inPath}}.end` : `{${inPath}}/end`}`}`;
  const given: readonly (readonly [name: string, text: string, isMeant: boolean])[] = [
    ['route', `'${type === 'FOLD' ? drawn.method : 'GET'} ${path}'`, type !== 'FORK' && drawn.route],
    ['status', `${drawn.status}`, type !== 'FORK' && drawn.status !== undefined],
    ['null', `${drawn.null}`, type !== 'FORK' && !pages && !returns?.endsWith('!') && drawn.null !== undefined],
    ['throws', `[${drawn.throws.join(', ')}]`, drawn.throws.length > 0],
    ['page', '2', pages],
    ['auth', `'${drawn.auth}'`, isGuarded && drawn.auth !== undefined],
    ['scopes', JSON.stringify(drawn.scopes), isGuarded && drawn.auth !== 'optional' && drawn.scopes.length > 0],
    ['anyScope', JSON.stringify(drawn.anyScope), isGuarded && drawn.auth !== 'optional' && drawn.anyScope.length > 0],
    ['roles', JSON.stringify(drawn.roles), isGuarded && drawn.auth !== 'optional' && drawn.roles.length > 0],
    [open.name, open.text, true],
    ['internal', 'true', drawn.internal],
  ];
  return given.flatMap(([name, text, isMeant]) => (isMeant ? [{ name, type: '', text }] : []));
}

/** Gives each name its number, so that no two edges share one; an edge of several targets has none. */
function nameAfterPlace(pipelines: readonly Pipeline[]): readonly Pipeline[] {
  let count = 0;
  return pipelines.map(({ groups, hops, doc }) => ({
    groups,
    doc,
    hops: hops.map((hop, at) => {
      const shared = hop.settings.filter(({ name }) => name === open.name);
      if (hop.name === undefined) return { ...hop, settings: shared };
      if ((groups[at + 1]?.length ?? 0) > 1) return { ...hop, name: undefined, returns: undefined, settings: shared };
      count += 1;
      const name = `operation${count}`;
      const settings = hop.settings.map((setting) => ({
        ...setting,
        text: setting.text.replace('NAME', name),
      }));
      return { ...hop, name, settings };
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
  isPlain: boolean,
): string {
  const docsOfValues = isPlain ? [''] : ['', '', '\n/// Why.\n', '\n/// @deprecated Old.\n'];
  let used = 0;
  const choose = <T>(...choices: readonly T[]): T => {
    const number = style[used % style.length] ?? 0;
    used += 1;
    return choices[number % choices.length] as T;
  };
  const space = () => choose('', ' ', '\n', '  // why\n', ' /* why */ ');

  const writeProperty = ({ name, args, text, doc = [] }: AbstractProperty) => {
    const comment = doc.map((line) => `\n/// ${line}`).join('');
    const sign = args === undefined ? choose(': ', ' : ', ':', ' = ', '=') : choose(': ', ':');
    return `${comment}${comment === '' ? '' : '\n'}${name}${args ?? ''}${sign}${text}`;
  };
  const writeMap = (list: readonly AbstractProperty[]) =>
    list.length === 0
      ? choose('', '', ' {}')
      : ` {${space()}${list.map(writeProperty).join(`,${space()}`)}${choose('', ',')}${space()}}`;
  const setting = (name: string, text: string) => ({ name, type: '', text });
  const writeTerm = ({ id, kind, labels, fields, values, internal, interfaces }: AbstractNode) => {
    const documented = values.map((value) => `${choose(...docsOfValues)}${value}`);
    const own = [
      ...(internal ? [setting('internal', 'true')] : []),
      ...(interfaces.length === 0 ? [] : [setting('implements', `[${interfaces.join(', ')}]`)]),
      ...(kind === 'problem' ? [setting('status', choose('404', '409', '500'))] : []),
      ...(values.length === 0 ? fields : [setting('values', `[${documented.join(', ')}]`)]),
    ];
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
    if (way !== 'parts' || node.kind !== 'object') return `${docOf(node)}(${space()}${writeTerm(node)}${space()})`;
    const first = { ...node, interfaces: [], fields: node.fields.slice(0, 1) };
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
  const writeHop = ({ type, args, name, returns, settings: others }: Pipeline['hops'][number]) => {
    const settings = [
      ...args,
      ...(name === undefined ? [] : [{ name: 'operation', type: '', text: `'${name}'` }]),
      ...(returns === undefined ? [] : [{ name: 'returns', type: '', text: returns }]),
      ...others,
    ];
    return `${choose('', ' ', '\n  ')}-[:${type}${writeMap(settings)}${choose('', ' ')}]->${choose('', ' ')}`;
  };
  const edges = pipelines.map(({ groups, hops, doc }) => {
    const parts = groups.map(
      (ids, at) => (at === 0 ? '' : writeHop(hops[at - 1] as Pipeline['hops'][number])) + writeGroup(ids),
    );
    return `${doc === undefined ? '' : `/// ${doc}\n`}${parts.join('')}`;
  });
  const parts = choose(true, false) ? [...statements, ...edges] : [...edges, ...statements];
  return `${parts.filter((part) => part !== '').join(choose('\n', '\n\n', '\r\n'))}${choose('', '\n')}`;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
