import fc from 'fast-check';
import { expect } from 'vitest';
import type { Store } from '../../../../src/runtime/store/store.js';
import { names, type Rows, someRows } from './one-statement.js';
import { serveRows } from './serve-rows.js';

/**
 * Random rows and selections: the second answer, of a compiled plan, has the bytes of the first one, of graphql-js. The
 * rows of a selection without JSON columns, pages and types of the program are passed on as the database prints them.
 */
export async function checkPassedText(numRuns: number, openStore: () => Promise<Store>): Promise<number> {
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(worlds, async ({ types, rows, selections }) => {
      const store = await openStore();
      try {
        const { server, statements } = await serveRows(topologyOf(types), rows, { limits }, store);
        const answerOf = async (path: string, init?: RequestInit) => {
          statements.length = 0;
          return (await server.fetch(new Request(`http://localhost${path}`, init))).text();
        };
        for (const { root, of } of selections) {
          const text = `{ r: ${root} { ${of.map(print).join(' ')} } }`;
          const query = text.includes('$word') ? `query ($word: [String!]) ${text}` : text;
          const body = JSON.stringify({ query, variables: { word: ['a', ''] } });
          const ask = () =>
            answerOf('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
          const first = await ask();
          expect(first).toMatch(/^\{"data":/);
          expect(await ask(), query).toBe(first);
          const isPassed = isText(statements);
          expect(isPassed, query).toBe(of.every(isShown));
          // Where code makes a part of a row, the others are text.
          const hasParts = !isPassed && of.every(isPlanned) && of.some((one) => one.of.length > 0 && isShown(one));
          expect(
            statements.some((sql) => partText.test(sql)),
            query,
          ).toBe(hasParts);
          if (isPassed) passed += 1;
        }
        const paths = Object.entries({ firsts: columns, seconds: ['id', 'first.c0', 'first.id'] });
        for (const [operation, fields] of paths) {
          const path = `/api/${operation}?fields=${fields.join()}`;
          const first = await answerOf(path);
          expect(await answerOf(path)).toBe(first);
        }
      } finally {
        await store.close();
      }
    }),
    { numRuns },
  );
  return passed;
}

/** Whether the only statement gives the text of the answer. */
export const isText = (statements: readonly string[]) =>
  statements.length === 1 && /^select cast\(.*as text\) as "text"$/s.test(statements[0] as string);

/** A column with the text of a relation. */
const partText = /^select (?!cast).* as text\) as "#/s;

const limits = { cost: 1_000_000, depth: 40, aliases: 500, tokens: 10_000, masking: false };

const columns = names.map((_, at) => `c${at}`);
const isJson = (name: string) => ['[String!]', '[Float!]', 'Place', 'Anything'].includes(name);

interface Selected {
  readonly field: string;
  readonly args: string;
  readonly at: number;
  readonly isInFragment: boolean;
  readonly of: readonly Selected[];
}

const isShown = ({ field, of }: Selected): boolean =>
  field !== 'page' && !isJson(names[columns.indexOf(field)] ?? '') && of.every(isShown);

/** Whether it has no custom scalar: otherwise graphql-js executes the operation. */
const isPlanned = ({ field, of }: Selected): boolean =>
  names[columns.indexOf(field)] !== 'Anything' && of.every(isPlanned);

const relations = {
  First: { seconds: 'Second', page: 'Second' },
  Second: { first: 'First', must: 'First' },
} as const;

const selectionOf = (type: keyof typeof relations, depth: number): fc.Arbitrary<readonly Selected[]> => {
  const leaves = ['id', '__typename', ...columns.filter((_, at) => !isJson(names[at] as string))];
  const leaf = fc.record({
    field: fc.oneof({ arbitrary: fc.constantFrom(...leaves), weight: 12 }, fc.constantFrom(...columns)),
    isInFragment: fc.boolean(),
  });
  const related = fc.constantFrom(...Object.entries(relations[type])).chain(([field, to]) =>
    fc.record({
      field: fc.constant(field),
      args: fc.constantFrom('', '', 'word: $word', 'word: "a"', 'orderBy: [c0_desc]'),
      isInFragment: fc.boolean(),
      of: selectionOf(to, depth - 1),
    }),
  );
  const some = depth === 0 ? leaf : fc.oneof({ arbitrary: leaf, weight: 3 }, related);
  return fc
    .array(some, { minLength: 1, maxLength: 5 })
    .map((all) => all.map((one, at): Selected => ({ args: '', of: [], ...one, at })));
};

const worlds = fc.array(fc.boolean(), { minLength: names.length, maxLength: names.length }).chain((isNullable) =>
  fc.record({
    types: fc.constant(names.map((name, at) => (isNullable[at] ? name : `${name}!`))),
    rows: fc
      .record({
        first: someRows(isNullable, {}),
        second: someRows(isNullable, { firstId: fc.constantFrom('0', '1') }),
      })
      .map((rows): Readonly<Record<'first' | 'second', Rows>> => rows),
    selections: fc.array(
      fc.oneof(
        fc.record({
          root: fc.constantFrom('firsts', 'firsts(word: $word)', 'first(id: "1")'),
          of: selectionOf('First', 3),
        }),
        fc.record({
          root: fc.constantFrom('seconds', 'second(id: "0")', 'second(id: "x")'),
          of: selectionOf('Second', 3),
        }),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  }),
);

function topologyOf(types: readonly string[]): string {
  const fields = types.map((type, at) => `c${at}: ${type}`).join(', ');
  const list = '(\n    /// @store in c0\n    word: [String!], orderBy: [Sort!]): [Second!]!';
  return `
(mood: Enum { values: [GLAD, SAD] })
(anything: Scalar)
(place { x: Float, names: [String]! })
(sort: Enum { values: [c0, c0_desc] })
(first: Stored {
  id: ID!, ${fields},
  /// @store by firstId
  seconds${list},
  /// @store by firstId
  /// @page 2
  page${list},
})
(second: Stored {
  id: ID!, firstId: ID!,
  /// @store by firstId
  first: First,
  /// @store by firstId
  must: First!,
  ${fields},
})
(root)-[:PROCESS { operation: 'first', id: ID!, returns: First }]->(first)
(root)-[:PROCESS { operation: 'firsts',
  /// @store in c0
  word: [String!], returns: [First!]! }]->(first)
(root)-[:PROCESS { operation: 'second', id: ID!, returns: Second }]->(second)
(root)-[:PROCESS { operation: 'seconds', returns: [Second!]! }]->(second)
`;
}

function print({ field, args, at, isInFragment, of }: Selected): string {
  const isList = field === 'seconds' || field === 'page';
  const given = isList && args !== '' ? `(${args})` : '';
  const inner = of.map(print).join(' ');
  const selection = field === 'page' ? `{ edges { cursor node { ${inner} } } }` : `{ ${inner} }`;
  const place = field === columns[names.indexOf('Place')] ? ' { x names }' : '';
  const text = `k${at}: ${field}${of.length === 0 ? place : `${given} ${selection}`}`;
  return isInFragment ? `... { ${text} }` : text;
}
