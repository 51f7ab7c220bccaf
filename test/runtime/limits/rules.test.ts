import {
  buildSchema,
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  getIntrospectionQuery,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { createDocumentReader } from '../../../src/runtime/limits/document-reader.js';
import { type LimitOptions, resolveLimits } from '../../../src/runtime/limits/limits.js';

const schema = buildSchema(`
  directive @mark repeatable on FIELD | QUERY | FRAGMENT_DEFINITION | FRAGMENT_SPREAD | INLINE_FRAGMENT | VARIABLE_DEFINITION
  type Query { user(id: ID): User  users: [User!]! }
  type User { id: ID! name: String  friend: User  boss: User }
`);

/** The codes with which a document is refused. */
function codes(document: string, options: LimitOptions = {}): unknown[] {
  const reader = createDocumentReader(schema, resolveLimits(options, false));
  try {
    return reader.validate(reader.parse(document)).map(({ extensions }) => extensions.code);
  } catch (error) {
    return [(error as GraphQLError).extensions.code];
  }
}

const nested = (levels: number): string =>
  `{ user ${'{ friend '.repeat(levels - 2)} { id } ${'}'.repeat(levels - 2)} }`;

describe('depth', () => {
  test('counts the levels of fields', () => {
    expect(codes(nested(12))).toEqual([]);
    expect(codes(nested(13))).toEqual(['DEPTH_LIMIT_EXCEEDED']);
    expect(codes(nested(13), { depth: 13 })).toEqual([]);
    expect(codes(nested(40), { depth: false, cost: false })).toEqual([]);
  });

  test('counts fields in fragments, but not the fragments', () => {
    const chain = `{ user { ...a } } fragment a on User { ...b } fragment b on User { friend { id } }`;
    expect(codes(chain, { depth: 3 })).toEqual([]);
    expect(codes(chain, { depth: 2 })).toEqual(['DEPTH_LIMIT_EXCEEDED']);
    expect(codes('{ ... { user { ... on User { id } } } }', { depth: 2 })).toEqual([]);
  });

  test('names the limit, the actual depth and the place', () => {
    const reader = createDocumentReader(schema, resolveLimits({ depth: 1 }, false));
    const [error] = reader.validate(reader.parse('{ user { id } }'));
    expect(error?.message).toBe('The operation has 2 levels of fields; at most 1 are allowed.');
    expect(error?.extensions).toMatchObject({ limit: 'depth', maximum: 1, http: { status: 400 } });
    expect(error?.locations).toEqual([{ line: 1, column: 1 }]);
  });

  test('checks each operation of a document', () => {
    expect(codes(`query a { user { id } } query b ${nested(13)}`)).toEqual(['DEPTH_LIMIT_EXCEEDED']);
  });
});

describe('aliases', () => {
  test('counts aliased fields, for each spread of a fragment', () => {
    const document = `{ a: user { ...two } b: user { ...two } } fragment two on User { x: id y: id }`;
    expect(codes(document, { aliases: 6 })).toEqual([]);
    expect(codes(document, { aliases: 5 })).toEqual(['ALIASES_LIMIT_EXCEEDED']);
  });
});

describe('root fields', () => {
  test('counts fields of the root type, also in fragments and repeated ones', () => {
    const document = `{ user { id } ...more } fragment more on Query { user { id } users { id name } }`;
    expect(codes(document, { rootFields: 3 })).toEqual([]);
    expect(codes(document, { rootFields: 2 })).toEqual(['ROOT_FIELDS_LIMIT_EXCEEDED']);
  });
});

describe('directives', () => {
  test('are counted wherever they may be written', () => {
    const document = `query ($id: ID @mark) @mark { user(id: $id) @mark { ... @mark { ...f @mark } } }
      fragment f on User @mark { id @mark }`;
    expect(codes(document, { directives: 7 })).toEqual([]);
    expect(codes(document, { directives: 6 })).toEqual(['DIRECTIVES_LIMIT_EXCEEDED']);
  });

  test('are rejected at 9000 even if tokens are not counted', () => {
    expect(codes(`{ user { id ${'@mark '.repeat(9000)} } }`, { tokens: false })).toEqual(['DIRECTIVES_LIMIT_EXCEEDED']);
  });
});

describe('cost', () => {
  test('is 1 for a scalar and 2 for an object, with a factor of 1.5 for each level', () => {
    // user 2 + 1.5 × (id 1 + friend (2 + 1.5 × id 1))
    const document = '{ user { id friend { id } } }';
    expect(codes(document, { cost: 8.75 })).toEqual([]);
    expect(codes(document, { cost: 8.74 })).toEqual(['COST_LIMIT_EXCEEDED']);
  });
});

describe('tokens', () => {
  test('are counted before the document is parsed further', () => {
    expect(codes('{ user { id } }', { tokens: 6 })).toEqual([]);
    expect(codes('{ user { id } }', { tokens: 5 })).toEqual(['TOKENS_LIMIT_EXCEEDED']);
    expect(codes(`{ user { ${'id '.repeat(2000)} } }`)).toEqual(['TOKENS_LIMIT_EXCEEDED']);
  });

  test('may be unlimited, but a document that is too deep for the stack has a specific error', () => {
    const document = `${'{ user '.repeat(60_000)}`;
    expect(codes(document, { tokens: false })).toEqual(['DOCUMENT_TOO_NESTED']);
  });
});

describe('introspection', () => {
  test('is answered unless it is off', () => {
    expect(codes(getIntrospectionQuery())).toEqual([]);
    expect(codes('{ __type(name: "User") { name } }', { introspection: false })).toEqual(['INTROSPECTION_DISABLED']);
    expect(codes('{ __typename user { __typename } }', { introspection: false })).toEqual([]);
  });

  test('must not contain cycles', () => {
    const bomb = `{ __schema { types { ${'fields { type { '.repeat(6)} name ${'} }'.repeat(6)} } } }`;
    expect(codes(bomb)).not.toEqual([]);
  });

  test('that is off removes suggestions from error messages', () => {
    const messages = (introspection: boolean) => {
      const reader = createDocumentReader(schema, resolveLimits({ introspection }, false));
      return reader.validate(reader.parse('{ usr { id } }')).map(({ message }) => message);
    };
    expect(messages(true)).toEqual([expect.stringContaining('Did you mean')]);
    expect(messages(false)).toEqual([expect.not.stringContaining('Did you mean')]);
  });
});

describe('malicious documents', () => {
  /** Each fragment spreads the next one twice. */
  const doubling = (count: number, body: (next: string) => string): string => {
    const fragments = Array.from({ length: count }, (_, at) => {
      const next = at === count - 1 ? 'id' : body(`...f${at + 1}`);
      return `fragment f${at} on User { ${next} }`;
    });
    return `{ user { ...f0 } } ${fragments.join(' ')}`;
  };

  // Expanded, these fragments have 2^60 and 2^100 fields: a rule that visits each of them never ends.
  test('60 aliased fragments that double are rejected without being expanded', () => {
    const document = doubling(60, (next) => `a: friend { ${next} } b: friend { ${next} }`);
    const found = codes(document);
    expect(found).toContain('ALIASES_LIMIT_EXCEEDED');
    expect(found).toContain('COST_LIMIT_EXCEEDED');
  });

  test('as many fields without aliases are rejected because of their cost', () => {
    const document = doubling(11, (next) => `friend { ${next} } boss { ${next} }`);
    expect(codes(document, { depth: false })).toEqual(['COST_LIMIT_EXCEEDED']);
  });

  test('100 fragments that double are rejected without being expanded', () => {
    const document = doubling(100, (next) => `friend { ${next} } boss { ${next} }`);
    expect(codes(document)).toContain('COST_LIMIT_EXCEEDED');
  });

  test('fragments in a cycle and missing fragments get the errors of the specification', () => {
    expect(codes('{ user { ...a } } fragment a on User { id ...a }')).toEqual([undefined]);
    expect(codes('{ user { ...nothing } }')).toEqual([undefined]);
    expect(codes('{')).toEqual([undefined]);
  });
});

test('rejects a document that is too deep to be checked', () => {
  const reader = createDocumentReader(schema, resolveLimits({ tokens: false }, false));
  let selection: SelectionSetNode | undefined;
  for (let level = 0; level < 50_000; level++) {
    const name = { kind: Kind.NAME, value: 'friend' } as const;
    const field: FieldNode = { kind: Kind.FIELD, name, ...(selection && { selectionSet: selection }) };
    selection = { kind: Kind.SELECTION_SET, selections: [field] };
  }
  const operation: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    selectionSet: selection as SelectionSetNode,
  };
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation] };
  expect(reader.validate(document).map(({ extensions }) => extensions.code)).toEqual(['DOCUMENT_TOO_NESTED']);
});

const repeat = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(' ');

/** Documents of at most 2000 tokens that would make validation compare many pairs of fields. */
const wide: Readonly<Record<string, string>> = {
  'fields with one name': `{ users { ${repeat(490, () => 'friend { id }')} } }`,
  'leaves with one name': `{ users { ${repeat(1_900, () => 'id')} } }`,
  'inline fragments': `{ users { ${repeat(240, () => '... { friend { id } }')} } }`,
  'one alias': `{ users { ${repeat(30, () => 'a: friend { id boss { id } }')} ${repeat(150, () => 'boss { id }')} } }`,
  arguments: `{ ${repeat(19, () => `user(id: [${repeat(90, String)}]) { id }`)} }`,
  'pairs in pairs': `{ users { ${repeat(15, () => `friend { ${repeat(20, () => 'id boss { id }')} }`)} } }`,
  'ten levels of two': `{ users ${'{ friend { id } friend '.repeat(9)} { id } ${'}'.repeat(9)} ${repeat(250, () => 'users { id }')} }`,
  'fragments side by side': `{ users { ${repeat(200, (at) => `...f${at}`)} } } ${repeat(200, (at) => `fragment f${at} on User { id }`)}`,
  'one chain of fragments in many fields': `{ users { ${repeat(100, () => 'friend { ...f0 }')} } } ${repeat(
    130,
    (at) => `fragment f${at} on User { id ${at < 129 ? `...f${at + 1}` : ''} }`,
  )}`,
  'fragments in fields': `{ users { ${repeat(40, (at) => `friend { ${repeat(9, (other) => `...f${(at + other * 7) % 90}`)} }`)} } } ${repeat(
    90,
    (at) => `fragment f${at} on User { id }`,
  )}`,
};

/** Documents of clients that mean well. */
const usual: Readonly<Record<string, string>> = {
  'one field thrice': '{ users { id } users { id name } users { friend { id } } }',
  'a tree of fragments': `{ users { ...f0 ...g } } fragment g on User { id name friend { id } } ${repeat(
    30,
    (at) => `fragment f${at} on User { id name ${at < 29 ? `...f${at + 1}` : ''} }`,
  )}`,
  'three hundred names': `{ users { ${repeat(290, (at) => `name${at}`)} } }`,
};

const names = repeat(300, (at) => `name${at}: String`);
const wideSchema = buildSchema(`
  type Query { user(id: [Int]): User  users: [User!]! }
  type User { id: ID! name: String  friend: User  boss: User ${names} }
`);

describe('comparisons', () => {
  const options: LimitOptions = { aliases: false, rootFields: false, cost: false };
  const read = (text: string, more: LimitOptions = {}) => {
    const reader = createDocumentReader(wideSchema, resolveLimits({ ...options, ...more }, false));
    const document = reader.parse(text);
    return { document, validate: () => reader.validate(document) };
  };

  test.each(Object.entries(wide))('reject a document that takes too many: %s', (_, text) => {
    const [error] = read(text).validate();
    expect(error?.extensions).toMatchObject({
      code: 'COMPARISONS_LIMIT_EXCEEDED',
      limit: 'comparisons',
      maximum: 5000,
    });
  });

  test.each(Object.entries(usual))('accept other documents: %s', (_, text) => {
    expect(read(text).validate()).toEqual([]);
  });

  test.each(Object.entries({ ...wide, ...usual }))('bound the work of validation: %s', (_, text) => {
    const { document, validate } = read(text);
    const reads = countNameReads(document);
    validate();
    const bounded = reads.count;
    // Each of the at most 2000 names is read some dozens of times by the rules; a comparison reads a few.
    expect(bounded).toBeLessThan(150_000);
  });

  test('report a fragment that contains itself as a separate error', () => {
    const text = '{ users { ...f } } fragment f on User { friend { ...f } friend { ...f } }';
    const [error] = read(text).validate();
    expect(error?.message).toContain('itself');
  });

  test('count pairs: n fields are compared n (n - 1) / 2 times, and again below', () => {
    const text = `{ ${repeat(4, () => 'users { id }')} }`;
    expect(read(text, { comparisons: 12 }).validate()).toEqual([]);
    expect(read(text, { comparisons: 11 }).validate()).toHaveLength(1);
  });
});

/** Counts how often the names in a document are read from now on. */
function countNameReads(document: DocumentNode): { count: number } {
  const reads = { count: 0 };
  visit(document, {
    Field(node) {
      const { name } = node;
      Object.defineProperty(node, 'name', {
        enumerable: true,
        get() {
          reads.count += 1;
          return name;
        },
      });
    },
  });
  return reads;
}

describe('an engine that parses documents itself', () => {
  test('gets the codes of the errors', () => {
    const { codeOf } = createDocumentReader(schema, resolveLimits({ tokens: 5 }, false));
    expect(codeOf({ message: 'Syntax Error: Document contains more that 5 tokens. Parsing aborted.' })).toBe(
      'TOKENS_LIMIT_EXCEEDED',
    );
    expect(codeOf({ message: 'x', extensions: { limit: 'rootFields' } })).toBe('ROOT_FIELDS_LIMIT_EXCEEDED');
    expect(codeOf({ message: 'x', extensions: { limit: 'introspection' } })).toBe('INTROSPECTION_DISABLED');
    expect(codeOf({ message: 'Syntax Error: Unexpected <EOF>.' })).toBeUndefined();
  });
});

describe('all limits off', () => {
  test('still applies the rules of the specification', () => {
    const off: LimitOptions = {
      tokens: false,
      depth: false,
      aliases: false,
      rootFields: false,
      directives: false,
      cost: false,
      comparisons: false,
    };
    const many = Array.from({ length: 120 }, () => 'users { id @mark }').join(' ');
    expect(codes(`{ ${many} }`, off)).toEqual([]);
    expect(codes('{ nothing }', off)).toEqual([undefined]);
  });
});
