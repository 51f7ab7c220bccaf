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
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { createDocumentReader } from '../../../src/execute/limits/document-reader.js';
import { type LimitOptions, resolveLimits } from '../../../src/execute/limits/limits.js';

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

  test('sees through fragments, and does not count them', () => {
    const chain = `{ user { ...a } } fragment a on User { ...b } fragment b on User { friend { id } }`;
    expect(codes(chain, { depth: 3 })).toEqual([]);
    expect(codes(chain, { depth: 2 })).toEqual(['DEPTH_LIMIT_EXCEEDED']);
    expect(codes('{ ... { user { ... on User { id } } } }', { depth: 2 })).toEqual([]);
  });

  test('names the limit, what was found and where', () => {
    const reader = createDocumentReader(schema, resolveLimits({ depth: 1 }, false));
    const [error] = reader.validate(reader.parse('{ user { id } }'));
    expect(error?.message).toBe('The operation has 2 levels of fields; at most 1 are allowed.');
    expect(error?.extensions).toMatchObject({ limit: 'depth', maximum: 1, http: { status: 400 } });
    expect(error?.locations).toEqual([{ line: 1, column: 1 }]);
  });

  test('judges each operation of a document', () => {
    expect(codes(`query a { user { id } } query b ${nested(13)}`)).toEqual(['DEPTH_LIMIT_EXCEEDED']);
  });
});

describe('aliases', () => {
  test('counts renamed fields, those of fragments wherever they are spread', () => {
    const document = `{ a: user { ...two } b: user { ...two } } fragment two on User { x: id y: id }`;
    expect(codes(document, { aliases: 6 })).toEqual([]);
    expect(codes(document, { aliases: 5 })).toEqual(['ALIASES_LIMIT_EXCEEDED']);
  });
});

describe('root fields', () => {
  test('counts fields of the root type, also in fragments and when they are the same', () => {
    const document = `{ user { id } ...more } fragment more on Query { user { id } users { id name } }`;
    expect(codes(document, { rootFields: 3 })).toEqual([]);
    expect(codes(document, { rootFields: 2 })).toEqual(['ROOT_FIELDS_LIMIT_EXCEEDED']);
  });
});

describe('directives', () => {
  test('counts them wherever they may stand', () => {
    const document = `query ($id: ID @mark) @mark { user(id: $id) @mark { ... @mark { ...f @mark } } }
      fragment f on User @mark { id @mark }`;
    expect(codes(document, { directives: 7 })).toEqual([]);
    expect(codes(document, { directives: 6 })).toEqual(['DIRECTIVES_LIMIT_EXCEEDED']);
  });

  test('9000 of them are refused even when tokens are not counted', () => {
    expect(codes(`{ user { id ${'@mark '.repeat(9000)} } }`, { tokens: false })).toEqual([
      'DIRECTIVES_LIMIT_EXCEEDED',
    ]);
  });
});

describe('cost', () => {
  test('is 1 for a scalar and 2 for an object, and half as much again with each level', () => {
    // user 2 + 1.5 × (id 1 + friend (2 + 1.5 × id 1))
    const document = '{ user { id friend { id } } }';
    expect(codes(document, { cost: 8.75 })).toEqual([]);
    expect(codes(document, { cost: 8.74 })).toEqual(['COST_LIMIT_EXCEEDED']);
  });
});

describe('tokens', () => {
  test('are counted before anything is parsed any further', () => {
    expect(codes('{ user { id } }', { tokens: 6 })).toEqual([]);
    expect(codes('{ user { id } }', { tokens: 5 })).toEqual(['TOKENS_LIMIT_EXCEEDED']);
    expect(codes(`{ user { ${'id '.repeat(2000)} } }`)).toEqual(['TOKENS_LIMIT_EXCEEDED']);
  });

  test('without them a document beyond the stack is an error of its own', () => {
    const document = `${'{ user '.repeat(60_000)}`;
    expect(codes(document, { tokens: false })).toEqual(['DOCUMENT_TOO_NESTED']);
  });
});

describe('introspection', () => {
  test('is answered unless it is off', () => {
    expect(codes(getIntrospectionQuery())).toEqual([]);
    expect(codes('{ __type(name: "User") { name } }', { introspection: false })).toEqual([
      'INTROSPECTION_DISABLED',
    ]);
    expect(codes('{ __typename user { __typename } }', { introspection: false })).toEqual([]);
  });

  test('may not go round in circles', () => {
    const bomb = `{ __schema { types { ${'fields { type { '.repeat(6)} name ${'} }'.repeat(6)} } } }`;
    expect(codes(bomb)).not.toEqual([]);
  });

  test('where it is off, mistakes are answered without the nearest names', () => {
    const messages = (introspection: boolean) => {
      const reader = createDocumentReader(schema, resolveLimits({ introspection }, false));
      return reader.validate(reader.parse('{ usr { id } }')).map(({ message }) => message);
    };
    expect(messages(true)).toEqual([expect.stringContaining('Did you mean')]);
    expect(messages(false)).toEqual([expect.not.stringContaining('Did you mean')]);
  });
});

describe('bad documents', () => {
  /** Each fragment spreads the next one twice. */
  const doubling = (count: number, body: (next: string) => string): string => {
    const fragments = Array.from({ length: count }, (_, at) => {
      const next = at === count - 1 ? 'id' : body(`...f${at + 1}`);
      return `fragment f${at} on User { ${next} }`;
    });
    return `{ user { ...f0 } } ${fragments.join(' ')}`;
  };

  // Expanded, these fragments have 2^60 and 2^100 fields: a rule that visits each of them never ends.
  test('60 aliased fragments that double are refused without being expanded', () => {
    const document = doubling(60, (next) => `a: friend { ${next} } b: friend { ${next} }`);
    const found = codes(document);
    expect(found).toContain('ALIASES_LIMIT_EXCEEDED');
    expect(found).toContain('COST_LIMIT_EXCEEDED');
  });

  test('as many without aliases are refused for their cost', () => {
    const document = doubling(11, (next) => `friend { ${next} } boss { ${next} }`);
    expect(codes(document, { depth: false })).toEqual(['COST_LIMIT_EXCEEDED']);
  });

  test('100 fragments that double are refused without being expanded', () => {
    const document = doubling(100, (next) => `friend { ${next} } boss { ${next} }`);
    expect(codes(document)).toContain('COST_LIMIT_EXCEEDED');
  });

  test('fragments in a circle, and fragments that are not there, are what the specification says', () => {
    expect(codes('{ user { ...a } } fragment a on User { id ...a }')).toEqual([undefined]);
    expect(codes('{ user { ...nothing } }')).toEqual([undefined]);
    expect(codes('{')).toEqual([undefined]);
  });
});

test('a document that cannot be followed while it is checked is refused too', () => {
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

describe('an engine that reads by itself', () => {
  test('finds the codes by the errors', () => {
    const { codeOf, parseOptions } = createDocumentReader(schema, resolveLimits({ tokens: 5 }, false));
    expect(parseOptions).toEqual({ maxTokens: 5 });
    expect(codeOf({ message: 'Syntax Error: Document contains more that 5 tokens. Parsing aborted.' })).toBe(
      'TOKENS_LIMIT_EXCEEDED',
    );
    expect(codeOf({ message: 'x', extensions: { limit: 'rootFields' } })).toBe('ROOT_FIELDS_LIMIT_EXCEEDED');
    expect(codeOf({ message: 'Introspection is off: __schema is not answered.' })).toBe(
      'INTROSPECTION_DISABLED',
    );
    expect(codeOf({ message: 'Syntax Error: Unexpected <EOF>.' })).toBeUndefined();
  });
});

describe('all limits off', () => {
  test('leaves the rules of the specification', () => {
    const off: LimitOptions = {
      tokens: false,
      depth: false,
      aliases: false,
      rootFields: false,
      directives: false,
      cost: false,
    };
    expect(createDocumentReader(schema, resolveLimits(off, false)).rules).toEqual([]);
    expect(codes('{ nothing }', off)).toEqual([undefined]);
  });
});
