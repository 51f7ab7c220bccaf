/** The rows of the serving benchmark, and what each is held to. */

/** Who takes part. */
export type ContenderName =
  | 'node:http'
  | 'bare Fastify'
  | 'SOFA'
  | 'gg-svc on Node'
  | 'gg-svc on Fastify'
  | 'bare Yoga'
  | 'bare Apollo on Fastify'
  | 'Mercurius'
  | 'Mercurius with JIT';

/** One kind of request, made to one contender. */
export interface Side {
  readonly contender: ContenderName;
  readonly request: RequestKind;
  /** The program without its tracing, where that is what is compared. */
  readonly variant?: 'untraced';
}

/** What is asked: over REST, a GraphQL operation that is known, or one that nobody has seen before. */
export type RequestKind = 'rest' | 'known' | 'new';

/** One claim. */
export interface Row {
  readonly title: string;
  readonly ours: readonly Side[];
  readonly baseline: Side;
  /** The least ratio of requests per second that meets it; undefined where nothing is claimed. */
  readonly limit: number | undefined;
}

const side = (contender: ContenderName, request: RequestKind): Side => ({ contender, request });

/** What every server answers. */
export const user = { id: '1', name: 'Ada Lovelace', email: 'ada@example.com', age: 36, active: true };

/** The serving rows that are measured by requests per second, then the peers for orientation. */
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
  },
  {
    title: 'REST, tracing in the code but off',
    ours: [side('gg-svc on Node', 'rest')],
    baseline: { ...side('gg-svc on Node', 'rest'), variant: 'untraced' },
    limit: 0.98,
  },
  {
    title: 'GraphQL, tracing in the code but off',
    ours: [side('gg-svc on Node', 'known')],
    baseline: { ...side('gg-svc on Node', 'known'), variant: 'untraced' },
    limit: 0.98,
  },
  ...(['bare Fastify', 'SOFA'] as const).map((contender) => orientation(contender, 'rest')),
  ...(['bare Yoga', 'bare Apollo on Fastify', 'Mercurius', 'Mercurius with JIT'] as const).map((contender) =>
    orientation(contender, 'known'),
  ),
];

/** The rows of the targets that no request per second can tell: a benchmark of their own measures them. */
export const elsewhere: readonly { readonly title: string; readonly target: string }[] = [
  {
    title: 'FORK fan-out of one event to 1k SSE subscribers with the same operation',
    target: '≥ 5× bare Yoga’s in-process PubSub',
  },
  { title: 'Memory per idle subscriber', target: '≤ 1× bare Yoga' },
];

/** The requests of a kind. */
export function requestOf(kind: RequestKind, contender: ContenderName): Buffer | ((count: number) => Buffer) {
  if (kind === 'rest') {
    const path = contender === 'SOFA' ? '/api/read-user/1' : '/api/readUser?id=1';
    return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n`);
  }
  if (kind === 'known') return post('One');
  return (count) => post(`One${count}_${Math.random().toString(36).slice(2)}`);
}

function post(name: string): Buffer {
  const query = `query ${name}($id: ID!) { readUser(id: $id) { id name email age active } }`;
  const body = JSON.stringify({ query, variables: { id: '1' } });
  const head = 'Host: localhost\r\nAccept: application/json\r\nContent-Type: application/json\r\n';
  return Buffer.from(`POST /graphql HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`);
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
