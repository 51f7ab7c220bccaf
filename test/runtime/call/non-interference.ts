import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { useResponseCache } from '@graphql-yoga/plugin-response-cache';
import fc from 'fast-check';
import { createClient } from 'graphql-ws';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { type Analysis, analyze } from '../../../src/compiler/analyze.js';
import type { Credentials, GqlServerOptions, Principal } from '../../../src/index.js';
import { hosts, type RunningHost } from '../../conformance/hosts.js';

/**
 * Non-interference: two servers differ only in values that a caller may not read. Whatever the caller sends, over
 * whatever protocol, and whatever a caller with all rights has sent before, both give it the same bytes.
 */
export async function checkNonInterference(
  numRuns: number,
  { endOnFailure = false, change = (world: World) => world }: Search = {},
): Promise<void> {
  const { error } = console;
  // A spy would keep each line.
  console.error = () => undefined;
  try {
    await fc.assert(
      fc.asyncProperty(worlds.map(change), async (world) => {
        const [one, other] = await Promise.all([observe(world, 'A'), observe(world, 'B')]);
        expect(other, world.text).toEqual(one);
      }),
      { numRuns, endOnFailure },
    );
  } finally {
    console.error = error;
  }
}

interface Search {
  /** Ends with the first world that fails, instead of the smallest one. */
  readonly endOnFailure?: boolean;
  readonly change?: (world: World) => World;
}

/** The same world in which the caller makes the same change as the caller with all rights before it. */
export function repeatingChanges(world: World): World {
  const operation = world.operations.length - 1;
  const asked = world.asked.map((one) => ({ ...one, operation, isKeyed: true, isAfter: true }));
  return { ...world, asked };
}

/** What a place demands. */
interface Guard {
  readonly scopes?: 's' | undefined;
  readonly roles?: 'r' | undefined;
  readonly owner?: boolean;
  /** Of an operation: its guard in the option `guards` admits callers with the role. */
  readonly isFunction?: boolean;
}

interface Kind {
  readonly name: string;
  readonly type: string;
  /** Of the whole type, of its field `hidden`, and of its query and its list. */
  readonly ofType: Guard;
  readonly ofField: Guard;
  readonly ofQuery: Guard;
}

const ways = [
  'rest',
  'fields',
  'graphql',
  'aliased',
  'fragment',
  'batch',
  'persisted',
  'sse',
  'ws',
  'mcp',
  'replay',
  'resource',
] as const;

interface Asked {
  readonly way: (typeof ways)[number];
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
  /** Demands of operations that are not of one kind. */
  readonly ofSome: Guard;
  readonly ofPage: Guard;
  readonly changeGuard: Guard;
  readonly followGuard: Guard;
  /** The name of the host. */
  readonly host: string;
  readonly tools: 'operations' | 'chains';
  /** Whether the engine has a cache of responses. */
  readonly isCached: boolean;
}

interface Operation {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  /** The types of its objects. */
  readonly types: readonly Kind[];
  readonly isPaged?: boolean;
}

const guard: fc.Arbitrary<Guard> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ scopes: 's' as const }) },
  { weight: 1, arbitrary: fc.constant({ roles: 'r' as const }) },
);

const owned: fc.Arbitrary<Guard> = fc.constant({ owner: true });

const ofOperation: fc.Arbitrary<Guard> = fc.oneof(
  { weight: 5, arbitrary: guard },
  { weight: 1, arbitrary: fc.constant({ isFunction: true }) },
);

const callers = fc.constantFrom<Principal | null>(
  null,
  { id: 'weak' },
  { id: 'weak', scopes: ['s'] },
  { id: 'weak', roles: ['r'] },
);

const asked: fc.Arbitrary<Asked> = fc.record({
  way: fc.constantFrom(...ways),
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
        ofField: fc.oneof(guard, owned),
        ofQuery: fc.oneof({ weight: 6, arbitrary: ofOperation }, owned),
      }),
      { minLength: 3, maxLength: 3 },
    ),
    raceGuard: guard,
    hasRace: fc.boolean(),
    ofSome: ofOperation,
    ofPage: ofOperation,
    changeGuard: ofOperation,
    followGuard: ofOperation,
    weak: callers,
    host: fc.constantFrom('Beta on Node', 'Beta on Node', 'Beta on Express', 'Alpha standalone', 'Alpha on Fastify'),
    tools: fc.constantFrom('operations' as const, 'chains' as const),
    isCached: fc.boolean(),
    asked: fc.array(asked, { minLength: 1, maxLength: 6 }),
  })
  .map(makeWorld)
  .filter(({ text }) => analysisOf(text).diagnostics.every(({ severity }) => severity !== 'error'));

/** The topology that was drawn last. */
let latest: { readonly text: string; readonly analysis: Analysis } | undefined;

/** Drawing a world compiles its topology; both of its servers take the result. */
function analysisOf(text: string): Analysis {
  if (latest?.text !== text) latest = { text, analysis: analyze({ name: 'world.gg', source: text }) };
  return latest.analysis;
}

interface Drawn extends Omit<World, 'text' | 'kinds' | 'operations'> {
  readonly guards: readonly Omit<Kind, 'name' | 'type'>[];
  readonly raceGuard: Guard;
  readonly hasRace: boolean;
}

function makeWorld(drawn: Drawn): World {
  const { ofSome, ofPage, changeGuard, followGuard } = drawn;
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
      `(${name}: Record { implements: [Some],`,
      'id: ID!, own: String, open: String,',
      ...tagsOf(ofField),
      'hidden: String })',
      `(root)-[:PROCESS { operation: 'one_${name}'${wordsOf(ofQuery)}, returns: ${type} }]->(${name})`,
      `(root)-[:PROCESS { operation: 'all_${name}'${wordsOf(ofQuery)}, returns: [${type}!] }]->(${name})`,
    ];
  });
  operations.push({ name: 'some', kind: 'query', types: kinds });
  operations.push({ name: 'page', kind: 'query', types: [first], isPaged: true });
  lines.push(
    '(some: Interface { id: ID!, open: String })',
    `(root)-[:PROCESS { operation: 'some'${wordsOf(ofSome)}, returns: [Some!] }]->(some)`,
    `(root)-[:PROCESS { operation: 'page'${wordsOf(ofPage)}, returns: [K0!]!, page: 1 }]->(k0)`,
  );
  if (drawn.hasRace) {
    // What a mutation changes does not race (GG3011).
    const racing = kinds.slice(1);
    operations.push({ name: 'raced', kind: 'query', types: racing });
    lines.push(
      `(${racing.map(({ name }) => name).join(' | ')})-[:RACE]->(raced)`,
      `(root)-[:PROCESS { operation: 'raced'${wordsOf(drawn.raceGuard)} }]->(raced)`,
    );
  }
  operations.push({ name: 'change', kind: 'mutation', types: [first] });
  lines.push(
    '(what: Input { text: String })',
    `(what)-[:FOLD { operation: 'change'${wordsOf(changeGuard)}, returns: K0 }]->(k0)`,
    `(k0)-[:FORK { operation: 'told'${wordsOf(followGuard)} }]->(k0)`,
  );
  return { ...drawn, text: lines.join('\n'), kinds, operations };
}

function tagsOf({ scopes, roles, owner }: Guard): string[] {
  return [
    ...(scopes === undefined ? [] : ['/// @scopes s']),
    ...(roles === undefined ? [] : ['/// @roles r']),
    ...(owner === true ? ['/// @owner own'] : []),
  ];
}

function wordsOf({ scopes, roles, owner }: Guard): string {
  if (owner === true) return ", owner: 'own'";
  if (scopes !== undefined) return ", scopes: ['s']";
  return roles === undefined ? ", auth: 'optional'" : ", roles: ['r']";
}

function meets(principal: Principal | null, ...guards: readonly Guard[]): boolean {
  return guards.every(
    ({ scopes, roles, owner, isFunction }) =>
      (isFunction !== true || isAdmitted({ principal })) &&
      (scopes === undefined || principal?.scopes?.includes(scopes) === true) &&
      (roles === undefined || principal?.roles?.includes(roles) === true) &&
      (owner !== true || principal !== null),
  );
}

/** The guard of operations in the option `guards`. */
function isAdmitted({ principal }: { readonly principal: Principal | null }): boolean {
  return principal?.roles?.includes('r') === true;
}

/** The objects of an operation. What the weak caller may not read differs between the variants. */
function objectsOf(world: World, kind: Kind, ofOperation: Guard, variant: 'A' | 'B', name: string) {
  const { weak } = world;
  // Each result has an object of another owner.
  const mayCall = meets(weak, kind.ofType, ofOperation) && ofOperation.owner !== true;
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
  const { weak, kinds, ofSome, ofPage, isCached } = world;
  const host = hosts.find(({ name }) => name === world.host);
  if (host === undefined) throw new Error('There is no such host.');
  const [first] = kinds as readonly [Kind];
  const changed = objectsOf(world, first, {}, variant, 'changed');
  const some = kinds.flatMap((kind) => objectsOf(world, kind, ofSome, variant, `some ${kind.name}`));
  const page = objectsOf(world, first, ofPage, variant, 'page');
  let changes = 0;
  const guardOf = ({ isFunction }: Guard, ...names: readonly string[]) =>
    isFunction === true ? names.map((name) => [name, isAdmitted]) : [];
  const started = await host.start({
    topologies: analysisOf(world.text),
    authenticate: ({ header }: Credentials) => {
      const id = header('authorization');
      return id === 'Bearer weak' ? weak : id === 'Bearer strong' ? strong : null;
    },
    owners: { exempt: ['all'] },
    guards: {
      Query: Object.fromEntries([
        ...kinds.flatMap(({ name, ofQuery }) => guardOf(ofQuery, `one_${name}`, `all_${name}`)),
        ...guardOf(ofSome, 'some'),
        ...guardOf(ofPage, 'page'),
      ]),
      Mutation: Object.fromEntries(guardOf(world.changeGuard, 'change')),
      Subscription: Object.fromEntries(guardOf(world.followGuard, 'told')),
    },
    idempotency: {},
    limits: { batching: 10, masking: true },
    mcp: { tools: world.tools },
    ...(isCached && host.engine === 'beta' ? { plugins: { yoga: [cacheResponses()] } } : {}),
    resolvers: {
      Query: {
        some: () => some,
        page: () => page,
        ...Object.fromEntries(
          kinds.flatMap((kind) => {
            const one = objectsOf(world, kind, kind.ofQuery, variant, kind.name);
            return [
              [`one_${kind.name}`, () => one[1]],
              [`all_${kind.name}`, () => one],
            ];
          }),
        ),
      },
      Mutation: {
        change: () => {
          changes += 1;
          return changed[1];
        },
      },
    },
  } as unknown as GqlServerOptions as never);
  const agent = new Agent({ keepAlive: true });
  const server = { origin: started.origin, send: overHttp(started.origin, agent) };
  try {
    const seen: string[] = [];
    // Subscribers to the same operation may share its events.
    const others = openStream(server, 'strong');
    const begin = await others.opening;
    const stream = openStream(server, 'weak');
    await stream.opening;
    for (const [at, one] of world.asked.entries()) {
      const key = `key${at}`;
      if (one.isAfter) await ask(server, world, one, 'strong', key);
      if (one.way !== 'replay') seen.push(await ask(server, world, one, 'weak', key));
      else if (begin !== undefined) seen.push(await openStream(server, 'weak', begin).read(changes));
    }
    seen.push(await stream.read(changes));
    await others.read(changes);
    return seen.map(withoutChance);
  } finally {
    agent.destroy();
    await started.close();
  }
}

/** A server that runs, and how requests are sent to it. */
interface AskedServer extends Pick<RunningHost, 'origin'> {
  send(path: string, init: Sent): Promise<Received>;
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

interface Received {
  readonly status: number | undefined;
  /** Names and values, one after the other. */
  readonly headers: readonly string[];
  readonly body: AsyncIterable<Uint8Array>;
}

/** Much cheaper than `fetch`, which matters for so many requests. */
function overHttp(origin: string, agent: Agent): AskedServer['send'] {
  return async (path, { headers, body, signal }) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(origin + path, { method, agent, signal, headers: { accept: '*/*', ...headers } });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.rawHeaders, body: answer };
  };
}

function cacheResponses(): unknown {
  return useResponseCache({ session: (request) => request.headers.get('authorization'), ttl: 60_000 });
}

/** References of masked errors and ids of events are drawn at random, and hosts measure their time. */
function withoutChance(text: string): string {
  return text
    .replace(/"reference":"[^"]*"/g, '"reference":"…"')
    .replace(/\w+-\w+:\d+-\w+/g, '(id of an event)')
    .replace(/"(?:date|keep-alive|last-modified)","[^"]*"/gi, '"…"');
}

/** The events that a caller follows, from the id of an event or from now on, over REST. */
function openStream(server: AskedServer, as: 'weak' | 'strong', after?: string) {
  const ending = new AbortController();
  const headers = {
    authorization: `Bearer ${as}`,
    accept: 'text/event-stream',
    ...(after === undefined ? {} : { 'last-event-id': after }),
  };
  const opened = server.send('/api/told?fields=id,open,hidden', { headers, signal: ending.signal });
  const seen = new EventEmitter();
  let text = '';
  let isEnded = false;
  const read = async (): Promise<void> => {
    const response = await opened;
    text = `${response.status} `;
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      text += decoder.decode(chunk);
      seen.emit('more');
    }
  };
  const ended = read()
    .catch(() => undefined)
    .finally(() => {
      isEnded = true;
      seen.emit('more');
    });
  /** The first block says that the stream is open. */
  const idOf = (): string | undefined => /^id: (.*)$/m.exec(text)?.[1];
  const until = async (isMet: () => boolean): Promise<void> => {
    while (!isEnded && !isMet()) await once(seen, 'more');
  };
  return {
    /** The id of its first block; undefined if the stream is refused. */
    opening: until(() => idOf() !== undefined).then(idOf),
    /** Reads so many events, if the stream is not refused, and ends it. */
    async read(count: number): Promise<string> {
      await until(() => eventsIn(text) >= count);
      ending.abort();
      await ended;
      return text.replace(/^:.*$/gm, '');
    },
  };
}

function eventsIn(text: string): number {
  return text.match(/^data: ./gm)?.length ?? 0;
}

function selectionOf(operation: Operation, fields: readonly string[]): string {
  if (operation.isPaged === true)
    return `{ edges { node { ${fields.join(' ')} } cursor } pageInfo { hasNextPage endCursor } }`;
  if (operation.types.length === 1) return `{ ${fields.join(' ')} }`;
  const parts = operation.types.map(
    ({ type }, at) => `... on ${type} { ${fields.map((name) => `f${at}${name}: ${name}`).join(' ')} }`,
  );
  return `{ __typename ${parts.join(' ')} }`;
}

async function ask(
  server: AskedServer,
  { operations, tools }: World,
  { way, operation: at, fields, isKeyed }: Asked,
  as: 'weak' | 'strong',
  key: string,
): Promise<string> {
  const operation = operations[at % operations.length] as Operation;
  const { name, kind } = operation;
  const isMutation = kind === 'mutation';
  const selection = selectionOf(operation, fields);
  const headers: Record<string, string> = {
    authorization: `Bearer ${as}`,
    'content-type': 'application/json',
    ...(isKeyed ? { 'idempotency-key': key } : {}),
  };
  const send = async (path: string, body?: unknown, more: Record<string, string> = {}): Promise<string> => {
    const answer = await server.send(path, {
      headers: { ...headers, ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return JSON.stringify([answer.status, answer.headers]) + (await textOf(answer.body));
  };
  const callAgent = (method: string, params: object): Promise<string> =>
    send(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method, params },
      { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    );
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
    case 'persisted': {
      // A caller with all rights has perhaps sent the text before.
      const sha256Hash = createHash('sha256').update(query).digest('hex');
      const extensions = { persistedQuery: { version: 1, sha256Hash } };
      return send('/graphql', as === 'strong' ? { query, extensions } : { extensions });
    }
    case 'mcp': {
      const given = isMutation ? { input: { text: 'a' } } : {};
      const chained = { [name]: given, all_k0: {} };
      return tools === 'operations'
        ? callAgent('tools/call', { name, arguments: given })
        : callAgent('tools/call', { name: isMutation ? 'change' : 'read', arguments: chained });
    }
    case 'resource':
      return callAgent('resources/read', { uri: 'gg://events/told' });
    default:
      return send('/graphql', { query });
  }
}

async function overSocket(server: AskedServer, query: string, as: string, key: string | undefined): Promise<string> {
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
