import { buildSchema, graphqlSync, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { printSelection, printSelectionForExecution } from '../../../src/compiler/api/print-selection.js';
import { defaultSelection, type Selection } from '../../../src/compiler/api/selection.js';
import { schemaToGraphQL } from '../../../src/compiler/emit/graphql.js';
import type { GqlObjectType, GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { enumeration, object, query, scalar, schemaOf, type, union } from '../emit/fixtures.js';

function selectionOf(schema: GqlSchema, text: string): Selection {
  const selection = defaultSelection(schema, type(text));
  if (selection === undefined) throw new Error(`${text} has no selection.`);
  return selection;
}

/** The selection on one line. */
function printed(schema: GqlSchema, text: string): string {
  return printSelection(selectionOf(schema, text)).replace(/\s+/g, ' ');
}

const schema = schemaOf({
  objects: [
    object('User', { id: 'ID!', status: 'Status', joined: 'Date', team: 'Team', friends: '[User!]!' }),
    object('Team', { name: 'String!', lead: 'User!' }),
    object('Ring', { ring: '[Ring]' }),
    object('Cat', { id: 'ID!', lives: 'Int!', home: 'Team' }),
    object('Dog', { id: 'ID!', lives: 'Int', home: 'Team', lives_Dog: 'String' }),
    object('Fish', { id: 'ID!', lives: 'String!', lives_Fish: 'Int', tank: 'Pet' }),
    object('Owner', { pet: 'Pet!', pets: '[Pet!]!' }),
  ],
  enums: [enumeration('Status', ['ACTIVE'])],
  scalars: [scalar('Date')],
  unions: [union('Pet', ['Cat', 'Dog', 'Fish'])],
  queries: [query('pet', 'Pet'), query('owner', 'Owner'), query('user', 'User')],
});

/** Objects without objects in them, and one above them. */
const flat = schemaOf({
  objects: [
    object('User', { id: 'ID!', status: 'String', joined: 'String' }),
    object('Team', { name: 'String!', lead: 'User!' }),
    object('Cat', { id: 'ID!', lives: 'Int!' }),
    object('Dog', { id: 'ID!', lives: 'Int', lives_Dog: 'String' }),
    object('Fish', { id: 'ID!', lives: 'String!', lives_Fish: 'Int' }),
  ],
  unions: [union('Pet', ['Cat', 'Dog', 'Fish'])],
});

describe('the default selection', () => {
  test('of a scalar or an enum is empty', () => {
    for (const text of ['Int!', '[ID]', 'Status', 'Date']) {
      expect(defaultSelection(schema, type(text))).toBeUndefined();
    }
  });

  test('contains scalars, enums and objects to three levels, and the required objects below', () => {
    const leaf = '{ id status joined }';
    const inner = `{ id status joined team { name lead ${leaf} } friends ${leaf} }`;
    expect(printed(schema, '[User!]')).toBe(`{ id status joined team { name lead ${leaf} } friends ${inner} }`);
  });

  test('of an object without scalars ends with __typename', () => {
    expect(printed(schema, 'Ring')).toBe('{ ring { ring { __typename } } }');
  });

  test('of a union contains __typename and the selection of each member', () => {
    const selection = selectionOf(flat, 'Pet');
    expect(selection).toMatchObject({ type: 'Pet', typename: true, fields: [] });
    expect(
      selection.members.map(({ selection: { type, fields } }) => [type, ...fields.map(({ name }) => name)]),
    ).toEqual([
      ['Cat', 'id', 'lives'],
      ['Dog', 'id', 'lives', 'lives_Dog'],
      ['Fish', 'id', 'lives', 'lives_Fish'],
    ]);
  });

  test('is shared for each type and depth, so that a schema of a thousand operations has few', () => {
    expect(selectionOf(schema, 'User')).toBe(selectionOf(schema, '[User!]!'));
  });

  test('has at most 200 fields for any types', () => {
    const names = Array.from({ length: 40 }, (_, at) => `T${at}`);
    const dense = schemaOf({
      objects: names.map((name) =>
        object(name, { id: 'ID!', ...Object.fromEntries(names.map((other) => [`to${other}`, other])) }),
      ),
    });
    expect(printSelection(selectionOf(dense, 'T0')).match(/\w+/g)).toHaveLength(81);
    const wide = schemaOf({
      objects: [object('Wide', Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, 'Int'])))],
    });
    expect(selectionOf(wide, 'Wide').fields).toHaveLength(300);
  });

  test('throws an invariant for a type that cannot be a result', () => {
    expect(() => defaultSelection(schema, type('UserInput'))).toThrow('invariant: UserInput is not a result type');
    const broken = schemaOf({ enums: [enumeration('E', ['A'])], unions: [union('U', ['E'])] });
    expect(() => defaultSelection(broken, type('U'))).toThrow('invariant: E is not a result type');
  });
});

describe('a printed selection', () => {
  test('gives an alias to a field that an earlier member of a union has with another type', () => {
    expect(printed(flat, 'Pet')).toBe(
      '{ __typename ... on Cat { id lives } ... on Dog { id lives_Dog_: lives lives_Dog } ... on Fish { id lives_Fish_: lives lives_Fish } }',
    );
  });

  test('is valid in a document, and executes', () => {
    const built = buildSchema(schemaToGraphQL(schema));
    for (const { name, type } of schema.queries) {
      const source = `{ ${name} ${printSelection(defaultSelection(schema, type) as Selection)} }`;
      expect(validate(built, parse(source))).toEqual([]);
      expect(graphqlSync({ schema: built, source })).toEqual({ data: { [name]: null } });
    }
  });

  test('indents every line except the first', () => {
    expect(printSelection(selectionOf(flat, 'Team'), '  ')).toBe(
      '{\n    name\n    lead {\n      id\n      status\n      joined\n    }\n  }',
    );
  });

  test('keeps the names for execution, which uses only one member', () => {
    expect(printSelectionForExecution(selectionOf(flat, 'Pet')).replace(/\s+/g, ' ')).toBe(
      '{ __typename ... on Cat { id lives } ... on Dog { id lives lives_Dog } ... on Fish { id lives lives_Fish } }',
    );
  });

  test('omits the twenty-first field with an alias', () => {
    const fields = (kind: string) => Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`f${at}`, kind]));
    const members: GqlObjectType[] = ['Int', 'Int!', 'String', 'ID'].map((kind, at) => object(`M${at}`, fields(kind)));
    const raced = schemaOf({
      objects: members,
      unions: [
        union(
          'U',
          members.map(({ name }) => name),
        ),
      ],
      queries: [query('u', 'U')],
    });
    const text = printed(raced, 'U');
    expect(text.match(/: /g)).toHaveLength(20);
    expect(text).toMatch(/\.\.\. on M3 \{ __typename \} \}$/);
    expect(validate(buildSchema(schemaToGraphQL(raced)), parse(`{ u ${text} }`))).toEqual([]);
  });
});
