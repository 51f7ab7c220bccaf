import { expect, test } from 'vitest';
import { batchKeyOf } from '../../../src/compiler/api/batch-key.js';
import { project } from '../schema/check.js';

test.each([
  ['authorId: ID!, author: B', 'author', { field: 'authorId', type: 'ID', isList: false }],
  ['author_id: Int, author: B!', 'author', { field: 'author_id', type: 'Int', isList: false }],
  ['tagIds: [ID!]!, tags: [B!]!', 'tags', { field: 'tagIds', type: 'ID', isList: true }],
  ['storyIds: [String], stories: [B]', 'stories', { field: 'storyIds', type: 'String', isList: true }],
  ['id: ID!, b: [B!]!', 'b', { field: 'id', type: 'ID', isList: false }],
  ['id: ID!, bId: ID, b: [B!]!', 'b', { field: 'id', type: 'ID', isList: false }],
  ['id: ID!, b: B', 'b', { field: 'id', type: 'ID', isList: false }],
  ['id: [ID!]!, b: B', 'b', undefined],
  ['bId: B, b: B', 'b', undefined],
  ['name: String, b: B', 'b', undefined],
  ['id: ID!, free: Boolean!', 'free', { field: 'id', type: 'ID', isList: false }],
  ['id: ID!, free: [Boolean!]!', 'free', { field: 'id', type: 'ID', isList: false }],
  ['id: ID!, moodId: Int, mood: Mood', 'mood', { field: 'moodId', type: 'Int', isList: false }],
  ['id: ID!, bId: ID', 'bId', { field: 'id', type: 'ID', isList: false }],
  ['id: ID!, idId: ID', 'id', undefined],
  ['free: Boolean!', 'free', undefined],
])('finds the key in { %s } of %s', (fields, name, key) => {
  const { schema } = project(`(a { ${fields} }) (b { x: Int }) (mood: Enum { values: [GOOD] })`);
  const owner = schema.objects.find((type) => type.name === 'A');
  const field = owner?.fields.find((candidate) => candidate.name === name);
  if (owner === undefined || field === undefined) throw new Error('no such field');
  expect(batchKeyOf(schema, owner, field)).toEqual(key);
});
