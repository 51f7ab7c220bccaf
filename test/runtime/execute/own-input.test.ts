import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile } from '../../../src/compiler/compile.js';
import { schemaToTypeScript } from '../../../src/compiler/emit/typescript/typescript.js';
import { typeCheck } from '../../compiler/emit/typescript/type-check.js';
import { post, serve } from '../server/topology-server.js';

const topology = readFileSync('golden/language-own-input/input.gg', 'utf8');

test('a declared input in the place of a derived one is what mutations take, at every depth', async () => {
  const given: unknown[] = [];
  const keep = (_root: unknown, { input }: { input: object }) => {
    given.push(input);
    return { id: '1', name: 'Ada' };
  };
  const server = serve(topology, {
    resolvers: { Mutation: { saveUser: keep, addUser: keep, saveTeam: keep } },
  });
  const user = { name: 'Ada', teamId: '7' };
  expect((await post(server, '/api/saveUser', { input: user })).status).toBe(200);
  expect((await post(server, '/api/saveTeam', { input: { id: '7', lead: user } })).status).toBe(200);
  expect(given.map((one) => ({ ...(one as object) }))).toMatchObject([user, { id: '7', lead: user }]);
  const { status, body } = await post(server, '/api/saveUser', { input: { id: '1' } });
  expect([status, body.detail]).toEqual([400, expect.stringMatching(/input\.(?:name|id)/)]);
});

test('a declared input in the place of a derived one has a type for resolvers', () => {
  const use = `import type { Resolvers } from './types.js';
export const resolvers: Resolvers = {
  Mutation: { saveUser: (_root, { input }) => ({ id: '1', name: input?.name ?? '' }) },
};
`;
  const types = schemaToTypeScript(compile(topology).schema);
  expect(typeCheck(['use.ts'], { 'use.ts': use, 'types.ts': types })).toEqual([]);
});
