import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApolloServer } from '@apollo/server';
import fastifyApollo from '@as-integrations/fastify';
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import fastify from 'fastify';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { createSchema, createYoga } from 'graphql-yoga';
import mercurius from 'mercurius';
import { useSofa } from 'sofa-api';
import * as root from '../../../src/index.js';
import { createNodeListener } from '../../../src/runtime/hosts/node/node.js';
import { onFastify, onNode } from './listen.js';
import * as many from './many.js';
import { type ContenderName, credentials, user } from './rows.js';

/** Starts a server on a free port. */
type Start = () => Promise<number>;

/** The same operation everywhere: one argument, five fields, a resolver that has its answer at once. */
const topology =
  '(root)-[:PROCESS { id: ID! }]->' +
  '(read_user: Record { id: ID!, name: String!, email: String!, age: Int!, active: Boolean! })';

const typeDefs = `
  type Query { readUser(id: ID!): ReadUser }
  type ReadUser { id: ID! name: String! email: String! age: Int! active: Boolean! }`;

const readUser = (id: string) => ({ ...user, id });
const resolvers = { Query: { readUser: (_: unknown, { id }: { id?: unknown }) => readUser(String(id)) } };

/** Our options: everything as it is by default, limits included. */
const options = { topologies: [{ name: 'user.gg', source: topology }], resolvers };

/** All that take part. A contender that cannot be started is reported as not measured. */
export const contenders: Readonly<Record<ContenderName, Start>> = {
  'node:http': onBareNode,
  'node:http again': onBareNode,

  'bare Fastify': async () => {
    const app = fastify();
    const text = { type: 'string' } as const;
    const properties = {
      id: text,
      name: text,
      email: text,
      age: { type: 'integer' },
      active: { type: 'boolean' },
    };
    app.get<{ Querystring: { id: string } }>(
      '/api/readUser',
      { schema: { response: { 200: { type: 'object', properties } } } },
      async ({ query }) => readUser(query.id),
    );
    return onFastify(app);
  },

  SOFA: () => {
    const sofa = useSofa({ basePath: '/api', schema: executable() });
    return onNode(sofa as unknown as RequestListener);
  },

  'gg-svc on Node': () => onNode(createNodeListener(root.createGqlServer(options))),

  'gg-svc on Fastify': () => alphaOnFastify(),

  'gg-svc with a token': () => {
    const { issuer, audience, secret } = credentials;
    const jwks = Buffer.from(secret);
    return onNodeWith({ authenticate: root.bearerJwt({ issuer, audience, jwks, algorithms: ['HS256'] }) });
  },
  'gg-svc with an API key': () => {
    const sha256 = createHash('sha256').update(credentials.key).digest('hex');
    return onNodeWith({
      authenticate: root.apiKeys({ keys: [{ id: 'ada', sha256, scopes: ['users:read'] }] }),
    });
  },
  'gg-svc with a rate limit': () => onNodeWith({ rateLimits: [{ limit: 1_000_000_000, per: '1d', by: 'address' }] }),
  'gg-svc with metrics': () => {
    const reader = new PrometheusExporter({ preventServerStart: true });
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
    return onNodeWith({ metrics: true });
  },
  'gg-svc with access lines': () => {
    const directory = mkdtempSync(join(tmpdir(), 'gg-svc-bench-'));
    process.once('exit', () => rmSync(directory, { recursive: true }));
    process.once('SIGTERM', () => process.exit());
    return onNodeWith({ logs: { destination: join(directory, 'access.log') } });
  },

  'bare Yoga': () => {
    const yoga = createYoga({
      schema: createSchema({ typeDefs, resolvers }),
      graphiql: false,
      logging: false,
    });
    return onNode(yoga as unknown as RequestListener);
  },

  'bare Apollo on Fastify': async () => {
    const apollo = new ApolloServer({ typeDefs, resolvers });
    await apollo.start();
    const app = fastify();
    await app.register(fastifyApollo(apollo));
    return onFastify(app);
  },

  Mercurius: () => onMercurius({}),
  'Mercurius with JIT': () => onMercurius({ jit: 1 }),

  'gg-svc, many objects': many.ours,
  'bare Yoga, many objects': many.yoga,
  'Mercurius with JIT, many objects': many.mercuriusWithJit,
  'Fastify, many objects': many.fastifyWithSchemas,
};

/** The same server with one option more. One that authenticates also demands it. */
function onNodeWith(more: Partial<root.GqlServerOptions>): Promise<number> {
  const source =
    more.authenticate === undefined ? topology : topology.replace('{ id: ID! }', "{ id: ID!, scopes: ['users:read'] }");
  const topologies = [{ name: 'user.gg', source }];
  return onNode(createNodeListener(root.createGqlServer({ ...options, topologies, ...more })));
}

/** As little as possible: the ratios are about everything else that a server does. */
function onBareNode(): Promise<number> {
  return onNode((request, response) => {
    const { url = '' } = request;
    const id = url.slice(url.indexOf('id=') + 3);
    const body = JSON.stringify(readUser(id));
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(body);
  });
}

/** The hosts are found by name, so that the benchmark also runs where they are not there yet. */
async function alphaOnFastify(): Promise<number> {
  const { createAlphaServer, createAlphaFastifyPlugin } = root as unknown as Record<
    string,
    ((...args: unknown[]) => unknown) | undefined
  >;
  if (createAlphaServer === undefined || createAlphaFastifyPlugin === undefined) {
    throw new Error('There is no Fastify host.');
  }
  const app = fastify();
  await app.register(createAlphaFastifyPlugin(createAlphaServer(options)) as never);
  return onFastify(app);
}

async function onMercurius(settings: { readonly jit?: number }): Promise<number> {
  const app = fastify();
  await app.register(mercurius, { schema: typeDefs, resolvers, ...settings } as never);
  return onFastify(app);
}

function executable(): GraphQLSchema {
  const schema = buildSchema(typeDefs);
  const field = schema.getQueryType()?.getFields().readUser;
  if (field !== undefined) field.resolve = (_, { id }) => readUser(String(id));
  return schema;
}
