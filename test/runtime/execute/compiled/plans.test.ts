import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  type DocumentNode,
  type ExecutionArgs,
  execute,
  type GraphQLObjectType,
  type GraphQLSchema,
  parse,
  validate,
  versionInfo,
} from 'graphql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compile } from '../../../../src/index.js';
import { carryOverTarget, createEventHub } from '../../../../src/runtime/brokers/event-hub.js';
import { createPrintingExecutor, planOperation } from '../../../../src/runtime/execute/compiled/operation-plan.js';
import { type Printed, PrintedResult } from '../../../../src/runtime/execute/compiled/printed-result.js';
import { buildExecutableSchema } from '../../../../src/runtime/execute/executable-schema.js';
import type { Resolvers } from '../../../../src/runtime/execute/resolvers/contract.js';
import { OperationRoot } from '../../../../src/runtime/execute/resolvers/operation-root.js';
import { RaceWinner } from '../../../../src/runtime/execute/resolvers/race-winner.js';
import { runs } from '../../../arbitraries/runs.js';
import { createRandomOperation } from './random-operation.js';

const source = `
(status: Enum { values: [ACTIVE, SUSPENDED] })
(stamp: Scalar {})
(tag { label: String!, weight: Float })
(person: Record { id: ID!, name: String, age: Int!, score: Float, active: Boolean, status: Status,
  tags: [Tag!], best: Tag, rows: [[Int]], kind: String = 'human' })
(root)-[:PROCESS { id: ID!, status: Status = ACTIVE, limit: Int = 20 }]->(person)
(root)-[:PROCESS { returns: [Person!]!, operation: 'people' }]->(person)
(root)-[:PROCESS { returns: Stamp, operation: 'now' }]->(stamped { at: Stamp })
(root)-[:PROCESS]->(near { text: String! } | far { text: String, size: Int })
(near | far)-[:RACE]->(page)
(root)-[:PROCESS { returns: Page, operation: 'page' }]->(page)
(input_person { name: String! })-[:FOLD]->(saved { id: ID!, name: String })
`;

/** What the resolver of every operation gives, and how often it was asked. */
const given = { value: undefined as unknown, calls: [] as unknown[] };

const answer = (...call: unknown[]): unknown => {
  const [parent, args, context] = call;
  given.calls.push({ parent, args, context });
  return typeof given.value === 'function' ? given.value() : given.value;
};

const resolvers: Resolvers = {
  Query: { person: answer, people: answer, now: answer, near: answer, far: () => ({ size: 3 }) },
  Mutation: { saved: answer },
};

function schemaOf(maps: readonly Resolvers[], topology = source): GraphQLSchema {
  const compiled = compile(topology);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return buildExecutableSchema(compiled.schema, maps, createEventHub(carryOverTarget(new EventTarget())));
}

const schema = schemaOf([resolvers]);
const nullable = schemaOf([resolvers], source.replaceAll('!', ''));

const person = '{ id name age score active status tags { label weight } best { label } rows kind __typename }';
const operations = {
  person: `query One($id: ID!, $status: Status) { person(id: $id, status: $status) ${person} }`,
  alias: `{ mine: person(id: 7) { number: id, name } }`,
  people: `{ people ${person} }`,
  page: '{ page { __typename ... on Near { text } ... on Far { text size } } }',
  saved: 'mutation { saved(input: { name: "a" }) { id name } }',
} as const;

/** What came of an operation: the answer, the errors behind its errors, and what the resolvers were called with. */
interface Answer {
  readonly json: string;
  readonly reasons: readonly (string | undefined)[] | undefined;
  readonly calls: readonly unknown[];
}

/** Runs a text as often as a plan needs to be made and used; each time with fresh variables. */
async function runTimes(text: string, run: (document: DocumentNode) => unknown, times: number) {
  const document = parse(text, { noLocation: true });
  const results: Answer[] = [];
  for (let time = 0; time < times; time++) {
    given.calls = [];
    const outcome = (await run(document)) as Printed;
    const result = outcome instanceof PrintedResult ? {} : outcome;
    results.push({
      json: textOf(outcome),
      reasons: result.errors?.map(({ originalError }) => originalError?.message),
      calls: given.calls,
    });
  }
  return results;
}

function textOf(result: Printed): string {
  return result instanceof PrintedResult ? `{"data":{${result.key}:${result.value}}}` : JSON.stringify(result);
}

/** The answers to one operation: of graphql-js, of graphql-js where no field is required, and of plans. */
async function bothWays(text: string, variableValues: Record<string, unknown>) {
  const print = createPrintingExecutor(schema);
  const args = { schema, variableValues, contextValue: 'context' };
  const rootValue = () => new OperationRoot(undefined);
  return {
    plain: await runTimes(text, (document) => execute({ ...args, document, rootValue: rootValue() }), 1),
    runNullable: async () => {
      const run = (document: DocumentNode) => execute({ ...args, schema: nullable, document, rootValue: rootValue() });
      return (await runTimes(text, run, 1))[0] as Answer;
    },
    planned: await runTimes(text, (document) => print({ ...args, document, rootValue: rootValue() }), 3),
  };
}

/**
 * Whether an answer is the expected one, or has other errors for the same nulls: where several things below one null fail
 * later, which of them makes the null, and whether the errors of the others come before the answer is made, is a matter
 * of luck.
 *
 * @param runNullable - Gives the answer of graphql-js where no field is required: it has the errors of all places, because
 *   no null discards others. Undefined if a value never comes that the expected answer did not wait for.
 */
async function isRight(answer: Answer, expected: Answer, runNullable: () => Promise<Answer | undefined>) {
  if (answer.json === expected.json && isDeepStrictEqual(answer.reasons, expected.reasons)) return true;
  // The order of names counts.
  if (JSON.stringify(dataOf(answer)) !== JSON.stringify(dataOf(expected))) return false;
  if (!isDeepStrictEqual(nullsOf(answer), nullsOf(expected))) return false;
  const all = await runNullable();
  if (all === undefined) return true;
  const possible = new Set(errorsOf(all).map(({ text }) => text));
  return errorsOf(answer).every(
    ({ text, error: { message, path } }) =>
      possible.has(text) ||
      (message.startsWith('Cannot return null for non-nullable field') && !wayTo(dataOf(all), path).isThere),
  );
}

const dataOf = ({ json }: Answer): unknown => JSON.parse(json).data;

/** The errors of an answer, each with a text of all that is known of it. */
function errorsOf({ json, reasons }: Answer) {
  const { errors = [] } = JSON.parse(json) as { readonly errors?: readonly { message: string; path?: Path }[] };
  return errors.map((error, at) => ({ error, text: JSON.stringify([error, reasons?.[at]]) }));
}

type Path = readonly (string | number)[];

/** The nulls in the data of an answer that errors are below. */
function nullsOf(answer: Answer): ReadonlySet<string> {
  return new Set(errorsOf(answer).map(({ error: { path } }) => wayTo(dataOf(answer), path).way.join('.')));
}

/** As much of a path as data has, and whether there is a value at its end. */
function wayTo(data: unknown, path: Path = []) {
  let value = data as Record<string | number, unknown> | null | undefined;
  const way = path.filter((step) => {
    const isOnTheWay = value !== null && value !== undefined;
    if (isOnTheWay) value = value?.[step] as typeof value;
    return isOnTheWay;
  });
  return { way, isThere: value !== null && value !== undefined };
}

beforeEach(() => {
  given.value = undefined;
  given.calls = [];
});

/** Values that fit, values that do not, and values that come late, at every level. */
const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom('ACTIVE', 'SUSPENDED', 'NONE', '7', 2 ** 31, -0, 1e21, Number.NaN),
  fc.constantFrom<unknown>(null, undefined, 10n, new Date(0), new Error('a value'), Symbol.iterator),
);
type Values = fc.Arbitrary<unknown>;

/** Ways to give a value at once. */
const promptWays = (value: Values): fc.WeightedArbitrary<unknown>[] => [
  { weight: 1, arbitrary: value.map((inner) => () => inner) },
  {
    weight: 1,
    arbitrary: fc.constant(() => {
      throw new TypeError('thrown');
    }),
  },
];
/** Ways to give a value later. */
const lateWays = (value: Values): fc.WeightedArbitrary<unknown>[] => [
  { weight: 1, arbitrary: value.map((inner) => Promise.resolve(inner)) },
  { weight: 1, arbitrary: fc.constant(() => Promise.reject(new Error('late'))) },
];
const inSomeWay = (value: Values): Values =>
  fc.oneof({ weight: 12, arbitrary: value }, ...promptWays(value), ...lateWays(value));

/** Makes of a value that fits one that mostly does. */
type Mostly = (value: Values) => Values;
const mostly: Mostly = (value) => fc.oneof({ weight: 20, arbitrary: value }, { weight: 1, arbitrary: inSomeWay(leaf) });
const mostlyAtOnce: Mostly = (value) =>
  fc.oneof(
    { weight: 20, arbitrary: value },
    { weight: 1, arbitrary: fc.oneof({ weight: 12, arbitrary: leaf }, ...promptWays(leaf)) },
  );
const fitOrLate: Mostly = (value) =>
  fc.oneof({ weight: 20, arbitrary: value }, { weight: 1, arbitrary: fc.oneof(...lateWays(leaf)) });

/** Nobody calls an item of a list, so a function there would be a value that fails at once. */
const lateItem: Mostly = (value) =>
  fc.oneof({ weight: 20, arbitrary: value }, { weight: 1, arbitrary: leaf.map((one) => Promise.resolve(one)) });
const itemsOf = (mode: Mostly): Mostly => (mode === fitOrLate ? lateItem : mode);

const list = (item: Values): Values => fc.oneof(fc.array(item, { maxLength: 3 }), fc.constant(new Set()));
const tag = (mostly: Mostly): Values =>
  fc.record(
    { label: mostly(fc.string()), weight: mostly(fc.double({ noNaN: true, noDefaultInfinity: true })) },
    { requiredKeys: ['label'] },
  );
const tags = (mode: Mostly): Values => mode(list(itemsOf(mode)(tag(mode))));
const personValue = (mostly: Mostly, tagsOf: Values): Values =>
  fc.record(
    {
      id: mostly(fc.oneof(fc.string(), fc.integer())),
      name: mostly(fc.option(fc.string())),
      age: mostly(fc.integer()),
      score: mostly(fc.integer()),
      active: mostly(fc.boolean()),
      status: mostly(fc.constantFrom('ACTIVE', 'SUSPENDED')),
      tags: tagsOf,
      best: mostly(tag(mostly)),
      rows: mostly(list(mostly(list(mostly(fc.integer()))))),
      kind: fc.constant('robot'),
    },
    { requiredKeys: ['id', 'name', 'age', 'score', 'active', 'status', 'tags', 'best', 'rows'] },
  );
// Where an item of a list fails at once, graphql-js lets go of those that come later: whether their errors are
// told, and their rejections heard of, is a matter of luck. So a list has items that may fail at once or items that
// may come later, never both.
const listModes = [mostlyAtOnce, fitOrLate] as const;
const onePerson = personValue(mostly, fc.oneof(...listModes.map(tags)));
const peopleLists = listModes.map((mode) => fc.array(itemsOf(mode)(personValue(mode, tags(mode))), { maxLength: 3 }));
const result = inSomeWay(
  fc.oneof(
    { weight: 6, arbitrary: onePerson },
    ...peopleLists.map((arbitrary) => ({ weight: 1, arbitrary })),
    { weight: 2, arbitrary: fc.record({ text: mostly(fc.string()), size: mostly(fc.integer()) }) },
    { weight: 1, arbitrary: leaf },
  ),
);
const variables = fc.record(
  {
    id: fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
    status: fc.constantFrom('ACTIVE', 'NONE', 3),
  },
  { requiredKeys: [] },
);

describe('an operation with a plan', () => {
  test('answers like graphql-js, and calls its resolver as often with the same arguments', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(operations)),
        result,
        fc.oneof({ weight: 4, arbitrary: fc.constant({ id: '1' }) }, { weight: 1, arbitrary: variables }),
        async (text, value, variableValues) => {
          given.value = value;
          const { plain, planned, runNullable } = await bothWays(text, variableValues);
          const [expected] = plain as [Answer];
          for (const answer of planned) {
            expect(answer.calls).toEqual(expected.calls);
            if (!(await isRight(answer, expected, runNullable))) expect(answer).toEqual(expected);
          }
        },
      ),
      { numRuns: runs(1_500) },
    );
  });

  test('answers like graphql-js for each unusual value in each place', async () => {
    const good = {
      id: 1,
      name: 'Ada',
      age: 3,
      score: 1.5,
      active: true,
      status: 'ACTIVE',
      tags: [{ label: 'a', weight: 2 }],
      best: { label: 'b', weight: 1 },
      rows: [[1], null],
      kind: 'robot',
    };
    // A list that gives its items in a way of its own.
    const ownWay = Object.setPrototypeOf([{ label: 'x', weight: 3 }], {
      *[Symbol.iterator]() {
        yield { label: 'z', weight: 4 };
      },
    });
    const odd: readonly unknown[] = [
      ...['', 'ACTIVE', 'NONE', '7', 0, -0, 1.5, 2 ** 31, -(2 ** 31), 1e21, Number.NaN, true, null, undefined, 10n],
      ...[[], {}, [null], [undefined], [[undefined, 'x']], [{ label: 'c', weight: null }], [1.5]],
      ...[new Date(0), new Error('a value'), new Set(['a']), ownWay],
      ...[Object.assign(new Error('with fields'), good), new RaceWinner('Tag', { label: 'won' })],
      ...[JSON.parse('{"then":"no promise","label":"d"}'), Object.create({ label: 'inherited' }), new String('boxed')],
      ...[() => 'called', () => Promise.resolve('late'), () => Promise.reject(new Error('late'))],
    ];
    const places: readonly ((value: unknown) => unknown)[] = [
      (value) => value,
      (value) => Promise.resolve(value),
      ...Object.keys(good).map((name) => (value: unknown) => ({ ...good, [name]: value })),
      (value) => ({ ...good, tags: [{ label: 'a', weight: 2 }, value] }),
      (value) => ({ ...good, best: { label: value, weight: value } }),
      (value) => ({ ...good, rows: [[1, value]] }),
      (value) => [good, value],
    ];
    for (const text of Object.values(operations)) {
      for (const place of places) {
        for (const value of odd) {
          given.value = place(value);
          const { plain, planned } = await bothWays(text, { id: '1' });
          expect(planned).toEqual(Array(3).fill(plain[0]));
        }
      }
    }
  });

  test('reads fields without resolvers', async () => {
    const own = schemaOf([resolvers]);
    const print = createPrintingExecutor(own);
    const document = parse('query One($id: ID!) { person(id: $id) { id name } }');
    const run = () =>
      print({
        schema: own,
        document,
        variableValues: { id: 1 },
        contextValue: 'context',
        rootValue: new OperationRoot(undefined),
      });
    given.value = { id: 1, name: 'Ada' };
    await run();
    await run();
    const { name } = (own.getType('Person') as GraphQLObjectType).getFields();
    if (name !== undefined) name.resolve = () => expect.unreachable('graphql-js has read the value');
    given.calls = [];
    expect(await run()).toEqual(new PrintedResult('"person"', '{"id":"1","name":"Ada"}'));
    const args = { id: '1', status: 'ACTIVE', limit: 20 };
    expect(given.calls).toEqual([{ parent: undefined, args, context: 'context' }]);
  });

  test('is dropped after eight consecutive values that it could not print', async () => {
    const print = createPrintingExecutor(schema);
    const document = parse('{ person(id: 1) { id } }');
    const run = () => print({ schema, document, rootValue: new OperationRoot(undefined) });
    const isPlanned = async () => (await run()) instanceof PrintedResult;
    given.value = { id: 1 };
    await run();
    for (const misfits of [7, 7]) {
      given.value = { id: () => 1 };
      for (let time = 0; time < misfits; time++) expect(await isPlanned()).toBe(false);
      given.value = { id: 1 };
      expect(await isPlanned()).toBe(true);
    }
    given.value = () => Promise.reject(new Error('an error is no misfit'));
    for (let time = 0; time < 9; time++) await run();
    given.value = { id: 1 };
    expect(await isPlanned()).toBe(true);
    given.value = { id: () => 1 };
    for (let time = 0; time < 8; time++) await run();
    given.value = { id: 1 };
    expect(await isPlanned()).toBe(false);
  });

  test('runs a mutation once, even if graphql-js has to continue', async () => {
    given.value = { id: null, name: 'a' };
    const { planned } = await bothWays(operations.saved, {});
    for (const { calls, json } of planned) {
      expect(calls).toHaveLength(1);
      expect(JSON.parse(json).errors).toHaveLength(1);
    }
  });

  test('leaves an operation with another name to graphql-js', async () => {
    const print = createPrintingExecutor(schema);
    const document = parse('query One { person(id: 1) { id } }');
    const ours = new OperationRoot(undefined);
    const run = async (operationName: string | null, rootValue: unknown = ours) =>
      print({ schema, document, operationName, rootValue });
    given.value = { id: 1 };
    await run('One');
    const printed = new PrintedResult('"person"', '{"id":"1"}');
    expect(await run('One')).toEqual(printed);
    expect(await run(null)).toEqual(printed);
    expect(textOf(await run('Two'))).toContain('Two');
    expect(await run('One', null)).toEqual({ data: { person: { id: '1' } } });
  });
});

describe('a random operation on a random schema', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  beforeEach(() => void process.on('unhandledRejection', note));
  afterEach(() => void process.off('unhandledRejection', note));

  test('gives the result of graphql-js, reads each property as often, and leaves no unhandled rejection', async () => {
    const numRuns = runs(400);
    let printed = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const { source, document, query, resolvers, make } = createRandomOperation(seed);
        let value: unknown;
        const own = schemaOf([{ Query: { [query]: () => value } }, resolvers], source);
        const print = createPrintingExecutor(own);
        const parsed = parse(document, { noLocation: true });
        expect(validate(own, parsed)).toEqual([]);
        const run = async (executor: (args: ExecutionArgs) => unknown, schema = own) => {
          const { value: made, reads } = make();
          value = made;
          const outcome = executor({
            schema,
            document: parsed,
            rootValue: new OperationRoot(undefined),
          });
          const settled = await Promise.race([outcome, manyTurns()]);
          if (settled instanceof PrintedResult) printed += 1;
          return { reads, answer: answerOf(settled as Printed | undefined) };
        };
        const expected = await run(execute);
        // The first run makes the document known, the second makes its plan.
        await run(print);
        const actual = await run(print);
        const runNullable = async () => {
          const nullable = schemaOf([{ Query: { [query]: () => value } }, resolvers], source.replaceAll('!', ''));
          return (await run(execute, nullable)).answer;
        };
        const isAlike = actual.answer && expected.answer && isRight(actual.answer, expected.answer, runNullable);
        if (!(await isAlike)) expect(actual.answer).toEqual(expected.answer);
        // With an error, release 17 stops reading; when it notices depends on the turns of promises.
        if (versionInfo.major === 16 || expected.answer?.reasons === undefined) {
          // Resolvers of values that an error has discarded may still be reading.
          await manyTurns();
          expect(actual.reads).toEqual(expected.reads);
        }
        expect(unhandled).toEqual([]);
      }),
      { numRuns },
    );
    // About a third of the operations are printed; the others have values that only graphql-js handles.
    expect(printed).toBeGreaterThan(numRuns / 10);
  });

  const answerOf = (settled: Printed | undefined): Answer | undefined => {
    if (settled === undefined) return undefined;
    const errors = settled instanceof PrintedResult ? undefined : settled.errors;
    return {
      json: textOf(settled),
      reasons: errors?.map(({ originalError }) => originalError?.message),
      calls: [],
    };
  };

  /** Long enough for every value that ever comes. */
  const manyTurns = async (): Promise<undefined> => {
    for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setImmediate(resolve));
    return undefined;
  };
});

describe('there is no plan for', () => {
  test.each([
    ['two operations', 'query A { person(id: 1) { id } } query B { person(id: 1) { id } }'],
    ['two root fields', '{ a: person(id: 1) { id } b: person(id: 2) { id } }'],
    ['a directive', 'query ($x: Boolean!) { person(id: 1) { id @include(if: $x) } }'],
    ['a directive on the root field', 'query ($x: Boolean!) { person(id: 1) @skip(if: $x) { id } }'],
    ['a named fragment', 'fragment F on Person { id } query { person(id: 1) { ...F } }'],
    ['a root fragment', '{ ... on Query { person(id: 1) { id } } }'],
    ['one name for two fields', '{ person(id: 1) { id id } }'],
    ['introspection', '{ __schema { queryType { name } } }'],
    ['the name of the root', '{ __typename }'],
    ['a custom scalar', '{ now }'],
    ['a fragment on a union', '{ page { ... on PageRace { __typename } } }'],
    ['a subscription', 'subscription { x }'],
    ['an unknown field', '{ person(id: 1) { nothing } }'],
    ['an object without fields', '{ person(id: 1) }'],
    ['a leaf with fields', '{ person(id: 1) { id { x } } }'],
  ])('%s', (_, text) => {
    expect(planOperation(schema, parse(text))).toBeUndefined();
  });

  test('a directive, but for a fragment without a condition', () => {
    expect(planOperation(schema, parse('{ person(id: 1) { ... { id } ... on Person { name } } }'))).toBeDefined();
  });
});
