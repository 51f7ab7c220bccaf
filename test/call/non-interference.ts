import fc from 'fast-check';
import { createClient } from 'graphql-ws';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { type Credentials, compile, type GqlServerOptions, type Principal } from '../../src/index.js';
import { hosts, type RunningHost } from '../conformance/hosts.js';

/**
 * Non-interference: two servers differ only in values that a caller may not read. Whatever the caller sends, over
 * whatever protocol, and whatever a caller with all rights has sent before, both give it the same bytes.
 */
export async function checkNonInterference(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const [one, other] = [await observe(world, 'A'), await observe(world, 'B')];
      expect(other, world.text).toEqual(one);
    }),
    { numRuns },
  );
}

/** What a place demands. */
interface Guard {
  readonly scopes?: 's' | undefined;
  readonly roles?: 'r' | undefined;
  readonly owner?: boolean;
}

interface Kind {
  readonly name: string;
  readonly type: string;
  /** Of the whole type, of its field `hidden`, and of its query and its list. */
  readonly ofType: Guard;
  readonly ofField: Guard;
  readonly ofQuery: Guard;
}

type Way = 'rest' | 'fields' | 'graphql' | 'aliased' | 'fragment' | 'batch' | 'sse' | 'ws' | 'mcp';

interface Asked {
  readonly way: Way;
  readonly operation: number;
  readonly fields: readonly string[];
  readonly isKeyed: boolean;
  /** Whether the caller with all rights sends the same first. */
  readonly isAfter: boolean;
}

interface World {
  readonly text: string;
  readonly kinds: readonly Kind[];
  readonly operations: readonly Operation[];
  readonly weak: Principal | null;
  readonly asked: readonly Asked[];
}

interface Operation {
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** The types of its objects. */
  readonly types: readonly Kind[];
}

const guard: fc.Arbitrary<Guard> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ scopes: 's' as const }) },
  { weight: 1, arbitrary: fc.constant({ roles: 'r' as const }) },
);

const callers = fc.constantFrom<Principal | null>(
  null,
  { id: 'weak' },
  { id: 'weak', scopes: ['s'] },
  { id: 'weak', roles: ['r'] },
);

const asked: fc.Arbitrary<Asked> = fc.record({
  way: fc.constantFrom<Way>('rest', 'fields', 'graphql', 'aliased', 'fragment', 'batch', 'sse', 'ws', 'mcp'),
  operation: fc.nat(20),
  fields: fc.subarray(['id', 'open', 'hidden'], { minLength: 1 }),
  isKeyed: fc.boolean(),
  isAfter: fc.boolean(),
});

/** Topologies that the compiler accepts. */
const worlds: fc.Arbitrary<World> = fc
  .record({
    guards: fc.array(
      fc.record({
        ofType: guard,
        ofField: fc.oneof(guard, fc.constant({ owner: true } as Guard)),
        ofQuery: guard,
      }),
      { minLength: 2, maxLength: 3 },
    ),
    raceGuard: guard,
    hasRace: fc.boolean(),
    isInternal: fc.boolean(),
    changeGuard: guard,
    followGuard: guard,
    weak: callers,
    asked: fc.array(asked, { minLength: 1, maxLength: 6 }),
  })
  .map(makeWorld)
  .filter(({ text }) => compile(text).diagnostics.every(({ severity }) => severity !== 'error'));

function makeWorld(drawn: {
  readonly guards: readonly Omit<Kind, 'name' | 'type'>[];
  readonly raceGuard: Guard;
  readonly hasRace: boolean;
  readonly isInternal: boolean;
  readonly changeGuard: Guard;
  readonly followGuard: Guard;
  readonly weak: Principal | null;
  readonly asked: readonly Asked[];
}): World {
  const kinds = drawn.guards.map((guards, at): Kind => ({ name: `k${at}`, type: `K${at}`, ...guards }));
  const [first] = kinds;
  if (first === undefined) throw new Error('There is at least one type.');
  const operations: Operation[] = [];
  const lines = kinds.flatMap((kind) => {
    const { name, type, ofType, ofField, ofQuery } = kind;
    operations.push({ name: `one_${name}`, kind: 'query', types: [kind] });
    operations.push({ name: `all_${name}`, kind: 'query', types: [kind] });
    return [
      ...tagsOf(ofType),
      `(${name}: Record {`,
      'id: ID!, own: String, open: String,',
      ...tagsOf(ofField),
      'hidden: String })',
      `(root)-[:PROCESS { operation: 'one_${name}'${wordsOf(ofQuery)}, returns: ${type} }]->(${name})`,
      `(root)-[:PROCESS { operation: 'all_${name}'${wordsOf(ofQuery)}, returns: [${type}!] }]->(${name})`,
    ];
  });
  if (drawn.hasRace) {
    operations.push({ name: 'raced', kind: 'query', types: kinds });
    lines.push(
      `(${kinds.map(({ name }) => name).join(' | ')})-[:RACE]->(raced)`,
      `(root)-[:PROCESS { operation: 'raced'${wordsOf(drawn.raceGuard)} }]->(raced)`,
    );
  }
  operations.push({ name: 'change', kind: 'mutation', types: [first] });
  operations.push({ name: 'told', kind: 'subscription', types: [first] });
  lines.push(
    '(what: Input { text: String })',
    `(what)-[:FOLD { operation: 'change'${wordsOf(drawn.changeGuard)}, returns: K0 }]->(k0)`,
    `(k0)-[:FORK { operation: 'told'${wordsOf(drawn.followGuard)} }]->(k0)`,
  );
  return { text: lines.join('\n'), kinds, operations, weak: drawn.weak, asked: drawn.asked };
}

function tagsOf({ scopes, roles, owner }: Guard): string[] {
  return [
    ...(scopes === undefined ? [] : ['/// @scopes s']),
    ...(roles === undefined ? [] : ['/// @roles r']),
    ...(owner === true ? ['/// @owner own'] : []),
  ];
}

function wordsOf({ scopes, roles }: Guard): string {
  if (scopes !== undefined) return ", scopes: ['s']";
  return roles === undefined ? ", auth: 'optional'" : ", roles: ['r']";
}

function meets(principal: Principal | null, ...guards: readonly Guard[]): boolean {
  return guards.every(
    ({ scopes, roles, owner }) =>
      (scopes === undefined || principal?.scopes?.includes(scopes) === true) &&
      (roles === undefined || principal?.roles?.includes(roles) === true) &&
      (owner !== true || principal !== null),
  );
}

/** The objects of an operation. What the weak caller may not read differs between the variants. */
function objectsOf(world: World, kind: Kind, ofOperation: Guard, variant: 'A' | 'B', name: string) {
  const { weak } = world;
  const mayCall = meets(weak, kind.ofType, ofOperation);
  return ['weak', 'other'].map((own) => {
    const mayRead = mayCall && meets(weak, kind.ofField) && (kind.ofField.owner !== true || own === 'weak');
    const hidden = mayRead ? `${name} hidden ${own}` : variant === 'A' ? `${name} secret A` : null;
    return {
      // The type of a member of a race.
      __typename: kind.type,
      id: `${name} ${own}`,
      own,
      open: mayCall ? `${name} open` : `${name} open ${variant}`,
      hidden,
    };
  });
}

const strong: Principal = { id: 'strong', scopes: ['s'], roles: ['r', 'all'] };

async function observe(world: World, variant: 'A' | 'B'): Promise<readonly string[]> {
  const host = hosts.find(({ name }) => name === 'Beta on Node');
  if (host === undefined) throw new Error('There is no such host.');
  const [first] = world.kinds as readonly [Kind];
  const principals = { weak: world.weak, strong } as const;
  const changed = objectsOf(world, first, {}, variant, 'changed');
  const server = await host.start({
    topologies: [{ name: 'world.gg', source: world.text }],
    authenticate: ({ header }: Credentials) => {
      const id = header('authorization');
      return id === 'Bearer weak' ? principals.weak : id === 'Bearer strong' ? strong : null;
    },
    owners: { exempt: ['all'] },
    idempotency: {},
    limits: { batching: 10, masking: true },
    mcp: { tools: 'operations' },
    hooks: [],
    resolvers: {
      Query: Object.fromEntries(
        world.kinds.flatMap((kind) => {
          const one = objectsOf(world, kind, kind.ofQuery, variant, kind.name);
          return [
            [`one_${kind.name}`, () => one[1]],
            [`all_${kind.name}`, () => one],
          ];
        }),
      ),
      Mutation: { change: () => changed[1] },
    },
  } as unknown as GqlServerOptions as never);
  try {
    const seen: string[] = [];
    // Subscribers to the same operation may share its events.
    const others = openStream(server, 'strong', []);
    await others.isOpen;
    const stream = openStream(server, 'weak', seen);
    await stream.isOpen;
    for (const [at, one] of world.asked.entries()) {
      if (one.isAfter) await ask(server, world, one, 'strong', `key${at}`);
      seen.push(await ask(server, world, one, 'weak', `key${at}`));
    }
    await stream.close();
    await others.close();
    return seen.map(withoutChance);
  } finally {
    await server.close();
  }
}

/** References of masked errors and ids of events are drawn at random. */
function withoutChance(text: string): string {
  return text
    .replace(/"reference":"[^"]*"/g, '"reference":"…"')
    .replace(/^id: .*$/gm, 'id: …')
    .replace(/"(?:event-id|date|keep-alive)","[^"]*"/g, '"…"');
}

/** The events that a caller follows meanwhile. */
function openStream(server: RunningHost, as: 'weak' | 'strong', seen: string[]) {
  const ending = new AbortController();
  const headers = { authorization: `Bearer ${as}`, accept: 'text/event-stream' };
  const body = JSON.stringify({ query: 'subscription { told { id open hidden } }' });
  const opened = server.ask('/graphql', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    signal: ending.signal,
  });
  let text = '';
  const read = opened.then(async (response) => {
    text = `${response.status} `;
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array);
  });
  read.catch(() => undefined);
  return {
    isOpen: opened,
    async close() {
      // What was published before this answer has been written.
      await server.ask('/health/live');
      await new Promise((resolve) => setImmediate(resolve));
      ending.abort();
      await read.catch(() => undefined);
      seen.push(text.replace(/^:\s*$/gm, ''));
    },
  };
}

function selectionOf(operation: Operation, fields: readonly string[]): string {
  if (operation.types.length === 1) return `{ ${fields.join(' ')} }`;
  const parts = operation.types.map(
    ({ type }, at) => `... on ${type} { ${fields.map((name) => `f${at}${name}: ${name}`).join(' ')} }`,
  );
  return `{ __typename ${parts.join(' ')} }`;
}

async function ask(
  server: RunningHost,
  { operations }: World,
  { way, operation: at, fields, isKeyed }: Asked,
  as: 'weak' | 'strong',
  key: string,
): Promise<string> {
  const callable = operations.filter(({ kind }) => kind !== 'subscription');
  const operation = callable[at % callable.length] as Operation;
  const { name, kind } = operation;
  const isMutation = kind === 'mutation';
  const selection = selectionOf(operation, fields);
  const headers: Record<string, string> = {
    authorization: `Bearer ${as}`,
    'content-type': 'application/json',
    ...(isKeyed ? { 'idempotency-key': key } : {}),
  };
  const send = async (path: string, body?: unknown, more: Record<string, string> = {}): Promise<string> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await server.ask(path, { ...init, headers: { ...headers, ...more } });
    return (
      JSON.stringify([answer.status, [...answer.headers].flatMap((pair) => pair)]) + (await answer.text())
    );
  };
  const args = isMutation ? '(input: { text: "a" })' : '';
  const root = isMutation ? 'mutation' : 'query';
  const query = `${root} { ${name}${args} ${selection} }`;
  switch (way) {
    case 'rest':
      return isMutation ? send(`/api/${name}`, { input: { text: 'a' } }) : send(`/api/${name}`);
    case 'fields':
      return isMutation || operation.types.length > 1
        ? send('/graphql', { query })
        : send(`/api/${name}?fields=${fields.join()}`);
    case 'aliased':
      return send('/graphql', { query: `${root} { a: ${name}${args} ${selection} }` });
    case 'fragment':
      return send('/graphql', {
        query: `${root} { ...F } fragment F on ${isMutation ? 'Mutation' : 'Query'} { ${name}${args} ${selection} }`,
      });
    case 'batch':
      return send('/graphql', [{ query }, { query: '{ __typename }' }, { query }]);
    case 'sse':
      return send('/graphql', { query }, { accept: 'text/event-stream' });
    case 'ws':
      return overSocket(server, query, as, isKeyed ? key : undefined);
    case 'mcp': {
      const params = { name, arguments: isMutation ? { input: { text: 'a' } } : {} };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      return send('/mcp', body, {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      });
    }
    default:
      return send('/graphql', { query });
  }
}

async function overSocket(
  server: RunningHost,
  query: string,
  as: string,
  key: string | undefined,
): Promise<string> {
  const client = createClient({
    url: `${server.origin.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${as}` },
  });
  const seen: unknown[] = [];
  await new Promise<void>((resolve) => {
    const payload = { query, ...(key === undefined ? {} : { extensions: { idempotencyKey: key } }) };
    const end = (error: unknown): void => {
      seen.push(error);
      resolve();
    };
    client.subscribe(payload, { next: (result) => void seen.push(result), error: end, complete: resolve });
  });
  await client.dispose();
  return JSON.stringify(seen);
}
