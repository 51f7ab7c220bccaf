import fc from 'fast-check';
import {
  buildSchema,
  type GraphQLObjectType,
  isInterfaceType,
  isObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { expect, test } from 'vitest';
import { createGqlServer, type Principal } from '../../../src/index.js';

const source = `
(titled: Interface { id: ID!, title: String, owner: Person })
(book: Record { implements: [Titled], id: ID!, title: String, owner: Person,
  /// @scopes s1
  pages: Int
})
(film: Record { implements: [Titled], id: ID!,
  /// @scopes s2
  title: String,
  owner: Person
})
(person: Record { id: ID!,
  /// @auth required
  mail: String,
  /// @scopes s1 s3
  phone: String,
  friend: Person
})
(root)-[:PROCESS { auth: 'optional', operation: 'titled', returns: Titled }]->(titled)
(root)-[:PROCESS { auth: 'optional' }]->(book)
(root)-[:PROCESS { auth: 'required' }]->(film)
(root)-[:PROCESS { scopes: ['s3'] }]->(person)
(root)-[:PROCESS { auth: 'optional' }]->(fast_book: Record { id: ID! } | slow_film: Record { id: ID!,
  /// @scopes s2
  secret: String
})
(fast_book | slow_film)-[:RACE]->(item)
(root)-[:PROCESS { auth: 'optional' }]->(item)
`;

/** What each field needs, written down a second time. */
const needs: Readonly<Record<string, readonly string[]>> = {
  'Book.pages': ['s1'],
  'Film.title': ['s2'],
  'Titled.title': ['s2'],
  'Person.mail': [],
  'Person.phone': ['s1', 's3'],
  'Query.film': [],
  'Query.person': ['s3'],
  'SlowFilm.secret': ['s2'],
};

/** Random selections: the fields of a type, fragments on it and on its types, aliases and directives. */
const texts = fc.letrec<{ readonly [type: string]: string }>((tie) => {
  const selection = (...items: readonly fc.Arbitrary<string>[]) =>
    fc
      .array(fc.oneof({ maxDepth: 4 }, fc.constant('__typename'), ...items), { minLength: 1, maxLength: 4 })
      .map((list) => `{ ${list.join(' ')} }`);
  // Each selection gets aliases of its own, so that no two conflict.
  let last = 0;
  const field = (name: string, below?: string) =>
    fc
      .tuple(
        fc.constantFrom('', ' @skip(if: true)', ' @include(if: false)'),
        below === undefined ? fc.constant('') : tie(below),
      )
      .map(([directive, inner]) => `a${++last}: ${name}${directive} ${inner}`);
  const on = (type: string, below: string) => tie(below).map((inner) => `... on ${type} ${inner}`);
  const spread = (name: string) => fc.constant(`...${name}`);
  return {
    query: selection(
      field('titled', 'titled'),
      field('book', 'book'),
      field('film', 'film'),
      field('person', 'person'),
      field('item', 'item'),
    ),
    titled: selection(
      field('id'),
      field('title'),
      field('owner', 'person'),
      on('Book', 'book'),
      on('Film', 'film'),
      spread('OfTitled'),
    ),
    book: selection(field('id'), field('title'), field('pages'), field('owner', 'person'), spread('OfTitled')),
    film: selection(field('id'), field('title'), field('owner', 'person')),
    person: selection(field('id'), field('mail'), field('phone'), field('friend', 'person'), spread('OfPerson')),
    item: fc.constantFrom(
      '{ ... on FastBook { id } }',
      '{ ... on SlowFilm { id } }',
      '{ ...OfItem }',
      '{ ... on SlowFilm { secret } }',
    ),
    ofTitled: selection(field('id'), field('owner', 'person'), on('Book', 'book')).map((text) =>
      text.replaceAll('...OfTitled', 'x: id'),
    ),
  };
});

const documents = fc
  .tuple(
    texts.query as fc.Arbitrary<string>,
    fc.constantFrom('{ id }', '{ id title }', '{ ... on Book { pages } }', '{ owner { ...OfPerson } }'),
    fc.constantFrom('{ id }', '{ mail }', '{ friend { phone } }'),
    fc.constantFrom('{ __typename }', '{ ... on SlowFilm { secret } }'),
  )
  .map(([query, ofTitled, ofPerson, ofItem]) => {
    const fragments = {
      OfTitled: `on Titled ${ofTitled}`,
      OfPerson: `on Person ${ofPerson}`,
      OfItem: `on ItemRace ${ofItem}`,
    };
    let text = query;
    // Only fragments that are used, as validation requires.
    for (let before = ''; before !== text; ) {
      before = text;
      for (const [name, body] of Object.entries(fragments))
        if (text.includes(`...${name}`) && !text.includes(`fragment ${name}`)) text += ` fragment ${name} ${body}`;
    }
    return text;
  });

const callers: fc.Arbitrary<Principal | null> = fc.oneof(
  fc.constant(null),
  fc.subarray(['s1', 's2', 's3']).map((scopes) => ({ id: 'ada', scopes })),
);

test('a document is rejected if and only if it selects something that its caller may not access', async () => {
  let calls = 0;
  const called =
    <Value>(value: Value) =>
    () => {
      calls += 1;
      return value;
    };
  const person = { id: '1', mail: called('m'), phone: called('p'), friend: called(null) };
  const film = { __typename: 'Film', id: '1', title: called('t'), owner: called(person) };
  const server = createGqlServer({
    topologies: [{ name: 'library.gg', source }],
    limits: { depth: 100, aliases: 1_000, cost: 100_000, rootFields: 100 },
    authenticate: () => null,
    resolvers: {
      Query: {
        titled: called(film),
        book: called({ id: '1', pages: called(1), owner: called(person) }),
        film: called(film),
        person: called(person),
        fastBook: called({ id: '1' }),
        slowFilm: called({ id: '1', secret: called('s') }),
      },
    },
  });
  const schema = buildSchema(server.exportGraphQL(), { assumeValidSDL: true });
  const needed = (text: string): readonly string[] | undefined => {
    const found: string[] = [];
    let isNeeded = false;
    const types = new TypeInfo(schema);
    // Every fragment of the document is used, so each field of the text is selected.
    visit(
      parse(text),
      visitWithTypeInfo(types, {
        Field({ name }) {
          const parent = types.getParentType();
          const scopes = needs[`${parent?.name}.${name.value}`];
          if (!(isObjectType(parent) || isInterfaceType(parent)) || scopes === undefined) return;
          isNeeded = true;
          found.push(...scopes);
        },
      }),
    );
    return isNeeded ? found : undefined;
  };
  const seen = { refused: 0, run: 0 };
  await fc.assert(
    fc.asyncProperty(documents, callers, async (query, principal) => {
      calls = 0;
      const result = await server.executeOperation({ query, principal });
      const scopes = needed(query);
      const code =
        scopes === undefined
          ? undefined
          : principal === null
            ? 'UNAUTHENTICATED'
            : scopes.every((scope) => principal.scopes?.includes(scope))
              ? undefined
              : 'FORBIDDEN';
      const codes = result.errors?.map(({ extensions }) => extensions.code) ?? [];
      if (code === undefined) {
        expect([query, result.errors?.[0]?.message]).toEqual([query, undefined]);
        seen.run += 1;
      } else {
        expect([query, codes, result.data, calls]).toEqual([query, [code], undefined, 0]);
        seen.refused += 1;
      }
      // The program itself is trusted.
      expect((await server.executeOperation({ query })).errors).toBeUndefined();
    }),
    { numRuns: 300 },
  );
  expect(Math.min(seen.refused, seen.run)).toBeGreaterThan(20);
  expect((schema.getType('Film') as GraphQLObjectType).name).toBe('Film');
});
