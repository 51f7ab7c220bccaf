import { expect, test } from 'vitest';
import { diffSchemas } from '../../src/analysis/diff/diff-schemas.js';
import { analyze } from '../../src/compiler/analyze.js';
import { changeMarks, partOfChange } from '../../web/studio/change-marks.js';

const before = `
(status: Enum { values: [ON, OFF] })
(user: Record { id: ID!, name: String, status: Status })
(draft: Input { name: String! })
(root)-[:PROCESS { id: ID! }]->(user)
(draft)-[:FOLD]->(saved { id: ID! })
(shop)-[:PROCESS]->(gone { id: ID! })
(cached { a: Int } | fresh { b: Int })-[:RACE]->(verdict)
`;
const after = before
  .replace(', name: String, status', ', status')
  .replace('[ON, OFF]', '[ON, OFF, IDLE]')
  .replace('{ name: String! })', '{ name: String!, age: Int })')
  .replace(/\(shop\).*\n/, '(shop)-[:PROCESS]->(added { id: ID! })\n');

const { schema } = analyze(after);
const changes = diffSchemas(analyze(before).schema, schema);
const marks = changeMarks(schema, changes);

test('marks the node of a changed type with the worst level', () => {
  expect(marks.get('(user)')?.level).toBe('breaking');
  expect(marks.get('(status)')?.level).toBe('dangerous');
  expect(marks.get('(draft)')?.level).toBe('dangerous');
});

test('marks a new operation at its edge', () => {
  expect(marks.get('Query.added')?.level).toBe('safe');
});

test('marks operations that a change affects', () => {
  expect(marks.get('Query.user')?.level).toBe('reached');
});

test('does not mark removed parts', () => {
  const removed = changes.filter(({ coordinate }) => coordinate === 'Query.gone');
  expect(removed).not.toEqual([]);
  expect(partOfChange(schema, 'Query.gone')).toBeUndefined();
  expect(partOfChange(schema, 'GET /api/gone')).toBeUndefined();
  expect([...marks.keys()].filter((part) => part.includes('gone'))).toEqual([]);
});

test.each([
  ['Query.user', 'Query.user'],
  ['Query.user(id:)', 'Query.user'],
  ['GET /api/user', 'Query.user'],
  ['GET /api/user?fields', 'Query.user'],
  ['POST /api/saved', 'Mutation.saved'],
  ['User.status', '(user)'],
  ['UserInput.id', '(user)'],
  ['Status.ON', '(status)'],
  [schema.unions[0]?.name ?? '', schema.unions[0]?.name],
  ['@topology', undefined],
])('shows the change of %s at %s', (coordinate, part) => {
  expect(partOfChange(schema, coordinate)).toBe(part);
});
