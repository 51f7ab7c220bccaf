import { expect, test } from 'vitest';
import { project } from '../check.js';

const topology = (setting: string) => `
  (user { id: ID! })
  (root)-[:PROCESS { id: ID! }]->(user)
  (user)-[:FOLD { ${setting} }]->(saved { id: ID! })`;

test('allows a mutation to require an idempotency key', () => {
  const { schema, diagnostics } = project(topology("idempotent: 'required'"));
  expect(schema.mutations.map(({ idempotent }) => idempotent)).toEqual(['required']);
  expect(diagnostics).toEqual([]);
});

test.each(["'optional'", 'true', "''", "['required']"])('rejects a required key of %s', (value) => {
  const { schema, diagnostics } = project(topology(`idempotent: ${value}`));
  expect(diagnostics.map(({ code }) => code)).toEqual(['GG2018']);
  expect(schema.mutations.map(({ idempotent }) => idempotent)).toEqual([undefined]);
});

test('finds a misspelt setting for required keys', () => {
  const { diagnostics } = project(topology("idempotant: 'required'"));
  expect(diagnostics.map(({ code }) => code)).toEqual(['GG2041']);
});

test('rejects a required key of a query', () => {
  const { diagnostics } = project("(root)-[:PROCESS { idempotent: 'required' }]->(user { id: ID! })");
  expect(diagnostics.map(({ code }) => code)).toEqual(['GG3012']);
});

test('rejects edges of one mutation that disagree', () => {
  const edges = "(a { x: Int })(a)-[:FOLD { operation: 'save', idempotent: 'required' }]->(saved { id: ID! })";
  const { schema } = project(`${topology('')}${edges}(user)-[:FOLD { operation: 'save' }]->(saved)`);
  expect(schema.mutations.find(({ name }) => name === 'save')?.idempotent).toBe('required');
});
