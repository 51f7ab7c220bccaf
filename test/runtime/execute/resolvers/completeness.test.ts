import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { printPath } from '../../../../src/base/source/json-pointer.js';
import { named, type TypeRef } from '../../../../src/compiler/graph/type-ref.js';
import { completenessOf, type Misfit, printMisfit } from '../../../../src/runtime/execute/resolvers/completeness.js';
import { run, serve } from '../../server/topology-server.js';

const source = `
  (mood: Enum { values: [GLAD, SAD] })
  (part: Value { name: String!, count: Int, mood: Mood!, half: Half })
  (half: Value { size: Float! })
  (whole: Value { id: ID!, parts: [Part!]!, grid: [[Int!]]!, spare: Part, moods: [Mood], color: 'red', solid: true })
  (root)-[:PROCESS { operation: 'one' }]->(whole)
  (root)-[:PROCESS { operation: 'many', returns: [Whole!]! }]->(whole)
`;
const parts = '{ name count mood half { size } }';
const selection = `{ id parts ${parts} grid spare ${parts} moods color solid }`;

/** A value that mostly fits, but may lack anything or hold something else anywhere. */
const oddly = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 30, arbitrary: value },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined, 'text', 7, 1.5, true, {}, [], [null], '') },
  );
const text = oddly(fc.constantFrom('a', 'b'));
const mood = oddly(fc.constantFrom('GLAD', 'SAD'));
const half = oddly(fc.record({ size: oddly(fc.constantFrom(1, 2.5)) }));
const part = oddly(fc.record({ name: text, count: oddly(fc.nat(9)), mood, half }));
const whole = oddly(
  fc.record({
    id: text,
    parts: oddly(fc.array(part, { maxLength: 2 })),
    grid: oddly(fc.array(oddly(fc.array(oddly(fc.nat(9)), { maxLength: 2 })), { maxLength: 2 })),
    spare: part,
    moods: oddly(fc.array(mood, { maxLength: 2 })),
    color: fc.constantFrom(undefined, 'blue'),
    solid: fc.constantFrom(undefined, false),
  }),
);

describe('before a value is executed,', () => {
  test.each([
    ['one', 'Whole', whole],
    ['many', '[Whole!]!', oddly(fc.array(whole, { maxLength: 2 }))],
  ] as const)('the checks predict the verdict of graphql-js for %s', async (query, _type, values) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const type: TypeRef =
      query === 'one'
        ? named('Whole')
        : { kind: 'nonNull', of: { kind: 'list', of: { kind: 'nonNull', of: named('Whole') } } };
    let value: unknown;
    let found: { readonly incomplete: Misfit | undefined; readonly misfit: Misfit | undefined } | undefined;
    const server = serve(source, {
      resolvers: {
        Query: {
          [query]: (_parent: unknown, _args: unknown, _context: unknown, info: never) => {
            const { schema } = info as { schema: never };
            found = {
              incomplete: completenessOf(schema)?.incompleteAt(type, value),
              misfit: completenessOf(schema)?.misfitOf(type, value),
            };
            return value;
          },
        },
      },
    });
    let incomplete = 0;
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        fc.pre(given !== null && given !== undefined);
        value = given;
        const { data, errors = [] } = await run(server, `{ ${query} ${selection} }`);
        expect(found?.incomplete !== undefined).toBe((data?.[query] ?? null) === null);
        expect(found?.misfit !== undefined).toBe(errors.length > 0);
        if (found?.incomplete !== undefined) incomplete++;
        // graphql-js looks for the fields of a value that is not an object.
        const path = [query, ...(found?.misfit?.path ?? [])];
        if (errors.length === 1) expect(errors[0].path.slice(0, path.length)).toEqual(path);
      }),
      { numRuns: 400 },
    );
    expect(incomplete).toBeGreaterThan(20);
  });

  test('a problem has a place and a reason', async () => {
    const misfits: (string | undefined)[] = [];
    let value: unknown;
    const server = serve(source, {
      resolvers: {
        Query: {
          one: (_parent: unknown, _args: unknown, _context: unknown, info: never) => {
            const found = completenessOf((info as { schema: never }).schema)?.misfitOf(named('Whole'), value);
            misfits.push(found && printMisfit(found, 'one'));
            return null;
          },
        },
      },
    });
    const fitting = { id: '1', parts: [], grid: [] };
    const cyclic: Record<string, unknown> = { ...fitting };
    cyclic.self = cyclic;
    for (value of [
      fitting,
      cyclic,
      { ...fitting, id: undefined },
      { ...fitting, parts: [{ name: 'a', mood: 'GLAD' }, { name: null }] },
      { ...fitting, grid: [[1], ['x']] },
      { ...fitting, moods: ['FINE'] },
      { ...fitting, spare: 'none' },
      { ...fitting, parts: {} },
      // What runs code is left to the execution.
      { ...fitting, id: () => null },
      { ...fitting, id: Promise.resolve(null) },
      Object.defineProperty({ ...fitting }, 'id', { get: () => expect.unreachable() }),
      new Proxy({}, { get: () => expect.unreachable() }),
      { ...fitting, parts: new Set([1]) },
    ]) {
      await run(server, '{ one { id } }');
    }
    expect(misfits).toEqual([
      undefined,
      undefined,
      'one.id is missing',
      'one.parts[1].name must not be null',
      'one.grid[1][0] must be a 32-bit integer, not "x"',
      'one.moods[0] must be a value of Mood, not "FINE"',
      'one.spare must be an object, not "none"',
      'one.parts must be a list, not an object',
      ...Array(5).fill(undefined),
    ]);
  });

  test('a schema of another library has no checks', () => {
    expect(completenessOf({} as never)).toBeUndefined();
    expect(printPath(['a', 0, 'b'])).toBe('a[0].b');
  });
});
