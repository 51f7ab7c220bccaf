import { createHmac } from 'node:crypto';
import { answers, selections } from './many-data.js';

/** The rows of the serving benchmark, and what each is held to. */

/** The servers that take part. */
export type ContenderName =
  | 'node:http'
  /** The same server in another process. */
  | 'node:http again'
  | 'bare Fastify'
  | 'SOFA'
  | 'gg-svc on Node'
  | 'gg-svc on Fastify'
  | 'gg-svc with a token'
  | 'gg-svc with an API key'
  | 'gg-svc with a rate limit'
  | 'gg-svc with metrics'
  | 'gg-svc with access lines'
  | 'bare Yoga'
  | 'bare Apollo on Fastify'
  | 'Mercurius'
  | 'Mercurius with JIT'
  | 'gg-svc, many objects'
  | 'bare Yoga, many objects'
  | 'Mercurius with JIT, many objects'
  | 'Fastify, many objects';

/** One kind of request, made to one contender. */
export interface Side extends AnySide {
  readonly contender: ContenderName;
  readonly request: RequestKind;
}

/** A side of any benchmark that loads servers. */
export interface AnySide {
  readonly contender: string;
  readonly request: string;
  /** The program without its tracing, where that is what is compared. */
  readonly variant?: 'untraced';
}

/**
 * The kind of request: REST, a GraphQL operation that the server knows, or one that is new to it; or one that is
 * answered with many objects.
 */
export type RequestKind = 'rest' | 'known' | 'new' | ManyKind | `${ManyKind} over REST`;

type ManyKind = keyof typeof answers;

/** One claim. */
export interface Row<S extends AnySide = Side> {
  readonly title: string;
  readonly ours: readonly S[];
  readonly baseline: S;
  /** The least ratio that meets the claim; undefined for rows for orientation. */
  readonly limit: number | undefined;
  /** Why the target may be missed. The report shows it under the table while the row misses its target. */
  readonly whyNot?: string;
}

const side = (contender: ContenderName, request: RequestKind): Side => ({ contender, request });

/** What every server answers. */
export const user = { id: '1', name: 'Ada Lovelace', email: 'ada@example.com', age: 36, active: true };

/** One server against itself: a run in which this row is outside its limits is void. */
export const selfRow: Row = {
  title: 'the same server twice',
  ours: [side('node:http again', 'rest')],
  baseline: side('node:http', 'rest'),
  limit: undefined,
};

/** How far the row of one server against itself may be from 1. */
export const selfTolerance = 0.03;

const belowNoise =
  'While tracing is off, a request reads one boolean three times, far below 1 % of its time. What is left is the noise of the run, see row 0.';

/** The serving rows that are measured by processor time per request, then the peers for orientation. */
export const rows: readonly Row[] = [
  {
    title: 'REST `GET /api/{name}` on Node http',
    ours: [side('gg-svc on Node', 'rest')],
    baseline: side('node:http', 'rest'),
    limit: 0.9,
  },
  {
    title: 'REST on Fastify',
    ours: [side('gg-svc on Fastify', 'rest')],
    baseline: side('bare Fastify', 'rest'),
    limit: 0.9,
  },
  {
    title: 'REST',
    ours: [side('gg-svc on Node', 'rest')],
    baseline: side('SOFA', 'rest'),
    limit: 5,
    whyNot:
      'By processor time, SOFA takes about 4.5× of what bare node:http takes (row 16), so 5× would need a server that takes 0.9× of bare node:http. About half of a REST call is the system call that writes its answer.',
  },
  {
    title: 'GraphQL on Beta, known operation',
    ours: [side('gg-svc on Node', 'known')],
    baseline: side('bare Yoga', 'known'),
    limit: 5,
  },
  {
    title: 'GraphQL on Beta, first sight of an operation',
    ours: [side('gg-svc on Node', 'new')],
    baseline: side('bare Yoga', 'new'),
    limit: 1,
  },
  {
    title: 'GraphQL on Alpha (Fastify)',
    ours: [side('gg-svc on Fastify', 'known')],
    baseline: side('bare Apollo on Fastify', 'known'),
    limit: 1.5,
  },
  {
    title: 'GraphQL, best host',
    ours: [side('gg-svc on Node', 'known'), side('gg-svc on Fastify', 'known')],
    baseline: side('Mercurius with JIT', 'known'),
    limit: 1.2,
    whyNot:
      'About half of the time of both is the system call that writes the answer, so the ratio shows only half of the difference between the servers, and the noise of the run as a whole.',
  },
  {
    title: 'REST, tracing in the code but off',
    ours: [side('gg-svc on Node', 'rest')],
    baseline: { ...side('gg-svc on Node', 'rest'), variant: 'untraced' },
    limit: 0.98,
    whyNot: belowNoise,
  },
  {
    title: 'GraphQL, tracing in the code but off',
    ours: [side('gg-svc on Node', 'known')],
    baseline: { ...side('gg-svc on Node', 'known'), variant: 'untraced' },
    limit: 0.98,
    whyNot: belowNoise,
  },
  ...(
    [
      ['authentication, a token seen before', 'gg-svc with a token'],
      ['authentication, an API key', 'gg-svc with an API key'],
      ['rate limit by address, in memory', 'gg-svc with a rate limit'],
      ['metrics', 'gg-svc with metrics'],
      ['access lines, to a file', 'gg-svc with access lines'],
    ] as const
  ).map(
    ([title, contender]): Row => ({
      title: `REST with ${title}`,
      ours: [side(contender, 'rest')],
      baseline: side('gg-svc on Node', 'rest'),
      limit: 0.8,
    }),
  ),
  ...(['bare Fastify', 'SOFA'] as const).map((contender) => orientation(contender, 'rest')),
  ...(['bare Yoga', 'bare Apollo on Fastify', 'Mercurius', 'Mercurius with JIT'] as const).map((contender) =>
    orientation(contender, 'known'),
  ),
];

/** The rows of answers with many objects: a run of their own, since each request costs as much as a hundred others. */
export const rowsOfManyObjects: readonly Row[] = [
  ...manyRows('1,000 flat objects', 'rows'),
  ...manyRows('820 nested objects', 'authors'),
  {
    title: 'GraphQL, 820 nested objects, a resolver that waits on each level',
    ours: [side('gg-svc, many objects', 'lateAuthors')],
    baseline: side('Mercurius with JIT, many objects', 'lateAuthors'),
    limit: undefined,
  },
];

/** What a caller sends to the servers that authenticate. */
export const credentials = {
  issuer: 'https://issuer.example',
  audience: 'bench',
  secret: 'a secret of at least 32 characters',
  key: 'b3f1c9d4a7e85206b3f1c9d4a7e85206',
};

/** The header of a contender's requests, if it needs one. */
const headers: Partial<Record<ContenderName, string>> = {
  'gg-svc with a token': `Authorization: Bearer ${signToken()}`,
  'gg-svc with an API key': `X-API-Key: ${credentials.key}`,
};

function signToken(): string {
  const { issuer, audience, secret } = credentials;
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: issuer, aud: audience, sub: 'ada', scope: 'users:read', exp: 4_102_444_800 };
  const signed = `${part({ alg: 'HS256', typ: 'at+jwt' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** The rows of the targets that have a benchmark of their own. */
export const elsewhere: readonly { readonly title: string; readonly target: string }[] = [
  {
    title: 'FORK fan-out of one event to 1k SSE subscribers with the same operation',
    target: '≥ 5× bare Yoga’s in-process PubSub',
  },
  { title: 'Memory per idle subscriber', target: '≤ 1× bare Yoga' },
];

/** The answer that every server gives to a kind of request. */
export function answerTo(kind: RequestKind): unknown {
  const [many, rest] = manyKindOf(kind);
  if (many !== undefined) return rest ? answers[many] : { data: { [many]: answers[many] } };
  return kind === 'rest' ? user : { data: { readUser: user } };
}

/** The operation with many objects, and whether it is called over REST. */
function manyKindOf(kind: RequestKind): readonly [ManyKind | undefined, boolean] {
  const [many = ''] = kind.split(' ', 1);
  return [Object.hasOwn(answers, many) ? (many as ManyKind) : undefined, kind.endsWith(' over REST')];
}

/** How many requests to a fast server for a single object take as long as one of these, roughly. */
export function weightOf(side: Side): number {
  if (isOfManyObjects(side)) return 15;
  return side.request === 'new' || slowContenders.has(side.contender) ? 4 : 1;
}

export function isOfManyObjects({ request }: Side): boolean {
  return manyKindOf(request)[0] !== undefined;
}

const slowContenders: ReadonlySet<ContenderName> = new Set(['SOFA', 'bare Yoga', 'bare Apollo on Fastify']);

/** The requests of a kind. */
export function requestOf(kind: RequestKind, contender: ContenderName): Buffer | ((count: number) => Buffer) {
  const [many, overRest] = manyKindOf(kind);
  if (many !== undefined) return overRest ? get(`/api/${many}`) : post(`{ ${many} ${selections[many]} }`);
  if (kind === 'rest') {
    const path = contender === 'SOFA' ? '/api/read-user/1' : '/api/readUser?id=1';
    const header = headers[contender];
    return get(path, header === undefined ? '' : `${header}\r\n`);
  }
  const one = (name: string) =>
    post(`query ${name}($id: ID!) { readUser(id: $id) { id name email age active } }`, { id: '1' });
  if (kind === 'known') return one('One');
  return (count) => one(`One${count}_${Math.random().toString(36).slice(2)}`);
}

function get(path: string, more = ''): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n${more}\r\n`);
}

function post(query: string, variables?: object): Buffer {
  const body = JSON.stringify({ query, variables });
  const head = 'Host: localhost\r\nAccept: application/json\r\nContent-Type: application/json\r\n';
  return Buffer.from(`POST /graphql HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`);
}

function manyRows(objects: string, kind: ManyKind): readonly Row[] {
  const graphql = side('gg-svc, many objects', kind);
  const rest = side('gg-svc, many objects', `${kind} over REST`);
  const against = (title: string, ours: Side, contender: ContenderName, limit: number): Row => ({
    title: `${title}, ${objects}`,
    ours: [ours],
    baseline: side(contender, ours.request),
    limit,
  });
  return [
    against('GraphQL on Beta', graphql, 'Mercurius with JIT, many objects', 1.2),
    against('GraphQL on Beta', graphql, 'bare Yoga, many objects', 5),
    against('REST', rest, 'Fastify, many objects', 0.9),
  ];
}

function orientation(contender: ContenderName, request: RequestKind): Row {
  const ours = [{ contender, request }];
  return {
    title: `${contender}, for orientation`,
    ours,
    baseline: side('node:http', 'rest'),
    limit: undefined,
  };
}
