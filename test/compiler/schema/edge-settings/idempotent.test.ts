import { expect, test } from 'vitest';
import { project } from '../check.js';

const topology = (setting: string) => `
  (user { id: ID! })
  (root)-[:PROCESS { id: ID! }]->(user)
  (user)-[:FOLD { ${setting} }]->(saved { id: ID! })`;

test('a mutation may require an idempotency key', () => {
  const { schema, diagnostics } = project(topology("idempotent: 'required'"));
  expect(schema.mutations.map(({ idempotent }) => idempotent)).toEqual(['required']);
  expect(diagnostics).toEqual([]);
});

test.each(["'optional'", 'true', "''", "['required']"])('a key cannot be required by %s', (value) => {
  const { schema, diagnostics } = project(topology(`idempotent: ${value}`));
  expect(diagnostics.map(({ code }) => code)).toEqual(['GG2018']);
  expect(schema.mutations.map(({ idempotent }) => idempotent)).toEqual([undefined]);
});

test('a misspelt word for required keys is found', () => {
  const { diagnostics } = project(topology("idempotant: 'required'"));
  expect(diagnostics.map(({ code }) => code)).toEqual(['GG2041']);
});

test('a query cannot require a key', () => {
  const { diagnostics } = project("(root)-[:PROCESS { idempotent: 'required' }]->(user { id: ID! })");
  expect(diagnostics.map(({ code }) => code)).toEqual(['GG3012']);
});

test('the edges of one mutation must agree', () => {
  const edges =
    "(a { x: Int })(a)-[:FOLD { operation: 'save', idempotent: 'required' }]->(saved { id: ID! })";
  const { schema } = project(`${topology('')}${edges}(user)-[:FOLD { operation: 'save' }]->(saved)`);
  expect(schema.mutations.find(({ name }) => name === 'save')?.idempotent).toBe('required');
});
