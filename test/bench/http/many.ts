import type { RequestListener } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import fastify from 'fastify';
import { createSchema, createYoga } from 'graphql-yoga';
import mercurius from 'mercurius';
import * as root from '../../../src/index.js';
import { createNodeListener } from '../../../src/runtime/hosts/node/node.js';
import { onFastify, onNode } from './listen.js';
import { answers } from './many-data.js';

/** Servers that answer with many objects. */

const { rows, authors } = answers;

const topology = `
(row { id: ID!, name: String!, email: String!, age: Int!, score: Float!, active: Boolean!, city: String!, note: String })
(author { id: ID!, name: String!, books: [Book!]! })
(book { id: ID!, title: String!, reviews: [Review!]! })
(late_author { id: ID!, name: String!, books: [LateBook!]! })
(late_book { id: ID!, title: String!, reviews: [Review!]! })
(review { stars: Int!, body: String })
(root)-[:PROCESS { operation: 'rows', returns: [Row!]! }]->(row)
(root)-[:PROCESS { operation: 'authors', returns: [Author!]! }]->(author)
(root)-[:PROCESS { operation: 'lateAuthors', returns: [LateAuthor!]! }]->(late_author)`;

const typeDefs = `
  type Row { id: ID! name: String! email: String! age: Int! score: Float! active: Boolean! city: String! note: String }
  type Author { id: ID! name: String! books: [Book!]! }
  type Book { id: ID! title: String! reviews: [Review!]! }
  type LateAuthor { id: ID! name: String! books: [LateBook!]! }
  type LateBook { id: ID! title: String! reviews: [Review!]! }
  type Review { stars: Int! body: String }
  type Query { rows: [Row!]! authors: [Author!]! lateAuthors: [LateAuthor!]! }`;

const late = async <Value>(value: Value): Promise<Value> => {
  await turn();
  return value;
};

const resolvers = {
  Query: { rows: () => rows, authors: () => authors, lateAuthors: () => late(authors) },
  LateAuthor: { books: ({ books }: { books: unknown }) => late(books) },
  LateBook: { reviews: ({ reviews }: { reviews: unknown }) => late(reviews) },
};

export const ours = (): Promise<number> => {
  const topologies = [{ name: 'many.gg', source: topology }];
  return onNode(createNodeListener(root.createGqlServer({ topologies, resolvers, limits: { cost: 1_000_000_000 } })));
};

export const yoga = (): Promise<number> => {
  const server = createYoga({
    schema: createSchema({ typeDefs, resolvers }),
    graphiql: false,
    logging: false,
  });
  return onNode(server as unknown as RequestListener);
};

export const mercuriusWithJit = async (): Promise<number> => {
  const app = fastify();
  await app.register(mercurius, { schema: typeDefs, resolvers, jit: 1 } as never);
  return onFastify(app);
};

export const fastifyWithSchemas = (): Promise<number> => {
  const app = fastify();
  const text = { type: 'string' };
  const integer = { type: 'integer' };
  const listOf = (properties: object) => ({ type: 'array', items: { type: 'object', properties } });
  const row = {
    id: text,
    name: text,
    email: text,
    age: integer,
    score: { type: 'number' },
    active: { type: 'boolean' },
    city: text,
    note: { type: ['string', 'null'] },
  };
  const reviews = listOf({ stars: integer, body: text });
  const author = { id: text, name: text, books: listOf({ id: text, title: text, reviews }) };
  app.get('/api/rows', { schema: { response: { 200: listOf(row) } } }, async () => rows);
  app.get('/api/authors', { schema: { response: { 200: listOf(author) } } }, async () => authors);
  return onFastify(app);
};
